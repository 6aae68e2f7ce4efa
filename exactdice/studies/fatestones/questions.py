"""Questions about censuses, numbers of triples, power of simulations, and the README's results."""

from dataclasses import KW_ONLY
from math import comb
from pathlib import Path

from exactdice.arithmetic import mpq, natural
from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.games.fatestones.confidence import CONFIDENCE, CONFIDENT, LEVEL, edge_test
from exactdice.games.fatestones.players import known_chances, play_again
from exactdice.games.fatestones.questions import _GAMES
from exactdice.games.fatestones.responses import best_response, random_play, rules_of_thumb
from exactdice.games.fatestones.rules import HAND_SIZE
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.fatestones import censuses, reports
from exactdice.studies.fatestones.counting import Convention, nontransitive_triples

_MOST_DICE = 60  # the table of pairs grows with the fourth power
_DEALS = comb(32, 3) * comb(29, 3)  # of the game's bag
_CONFIDENCE, _POWER = "Confidence of the test.", "Wanted power of the test."
_INTERVALS = "Confidence of the intervals."


class FatestonesCount(Question, example="6 6", takes="1 s for 6 faces, 8 s for 7"):
    """Number of triples of dice in which each beats the next."""

    faces: int = argument(Whole(least=1), "Faces of each die.")
    values: int = argument(Whole(least=1), "Highest value; the lowest is 1.")
    _: KW_ONLY
    convention: Convention = option(
        OneOf(Convention), "Condition for a die to beat another.", default=Convention.MORE
    )

    def report(self, run: Run) -> Report:
        return reports.count_report(nontransitive_triples(self.faces, self.values, self.convention))


class FatestonesCensus(
    Question,
    example="--sample 2000",
    takes="4 s for a sample, 2 minutes for all deals",
    shares_work=True,
):
    """Is good play rewarded? Equilibria and best responses over all deals."""

    _: KW_ONLY
    sample: int | None = option(Whole(least=1, most=_DEALS), "Solve N random deals instead of all.")
    seed: int = option(Whole(), "Random seed.", default=1, metavar="S")
    deals: bool = option(Flag(), "List the deals of the sample.")
    checkpoint: Path | None = option(File(), "Save progress to FILE and resume from it.")
    confidence: mpq = option(LEVEL, _CONFIDENCE, default=CONFIDENT)
    power: mpq = option(CONFIDENCE, _POWER, default=CONFIDENT, metavar="P")

    def check(self) -> None:
        if self.sample and self.checkpoint:
            raise ConflictError("checkpoint", "cannot be combined with --sample")
        if self.deals and not self.sample:
            raise ConflictError("deals", "needs --sample")

    def report(self, run: Run) -> Report:
        if self.sample:
            sums = censuses.sample_census(self.sample, self.seed, lists=self.deals)
        elif self.checkpoint:
            sums = censuses.resumed_census(self.checkpoint, run)
        else:
            sums = censuses.census(run=run)
        answer = best_response()
        test = edge_test(answer.edge, [README_GAMES], self.confidence, self.power)
        return reports.census_report(sums, answer, random_play(), test, self.seed)


class FatestonesCensusPart(
    Question,
    example="0 50 --faces 5 --total 15",
    takes="10 µs a deal: 90 s for all hands of the game's bag",
):
    """Part of the census of a bag: the deals of some hands."""

    first: int = argument(Whole(), "Number of the first hand.")
    last: int = argument(Whole(), "Number of the last hand.")
    _: KW_ONLY
    faces: int = option(
        Whole(least=3, most=7), "Faces of the dice, with values 1 to N.", default=6, metavar="N"
    )
    total: int | None = option(
        Whole(least=3), "Sum of the faces of each die; by default all dice.", metavar="S"
    )

    def check(self) -> None:
        dice = len(censuses.bag_of(self.faces, self.total))
        if dice > _MOST_DICE:
            raise InputError("total", Unquoted(f"{dice} dice"), f"a bag of at most {_MOST_DICE}")
        natural(self.last, "last", least=self.first, most=comb(dice, 3) - 1)

    def report(self, run: Run) -> Report:
        dice = censuses.bag_of(self.faces, self.total)
        part = censuses.census_part(dice, self.first, self.last, run)
        return reports.part_report(part, censuses.bag_text(self.faces, self.total))


class FatestonesBags(Question, example="5", takes="a second for 5 faces, ten minutes for 6"):
    """Mean advantage from the deal, for each bag of dice of one mean."""

    faces: int = argument(Whole(least=5, most=6), "Faces, with values 1 to N.")

    def report(self, run: Run) -> Report:
        totals, parts = censuses.bags(self.faces), []
        for done, total in enumerate(totals):
            run.tell("bags", done, len(totals))
            dice = censuses.bag_of(self.faces, total)
            part = censuses.census_part(dice, 0, comb(len(dice), HAND_SIZE) - 1)
            parts.append(reports.part_report(part, censuses.bag_text(self.faces, total)))
        return reports.merged_census_report(parts)


class FatestonesPower(Question, example="1000 10000", takes="4 s"):
    """Power of a test that the best response beats random play, by the number of games."""

    games: tuple[int, ...] = argument(_GAMES, "Numbers of games.", many=True)
    _: KW_ONLY
    confidence: mpq = option(LEVEL, _CONFIDENCE, default=CONFIDENT)
    power: mpq = option(CONFIDENCE, _POWER, default=CONFIDENT, metavar="P")

    def report(self, run: Run) -> Report:
        edge = best_response().edge
        return reports.power_report(edge_test(edge, self.games, self.confidence, self.power))


class FatestonesHeuristics(Question, takes="10 s"):
    """Results of rules of thumb against random play, over all deals."""

    def report(self, run: Run) -> Report:
        return reports.heuristics_report(rules_of_thumb(run=run), best_response())


class FatestonesResults(Question, example="--games 1000", takes="half a minute"):
    """Simulate the README's results table and compare it with printed and exact numbers."""

    _: KW_ONLY
    games: int = option(_GAMES, "Games of each pair.", default=README_GAMES)
    seed: int = option(Whole(), "Random seed.", default=1, metavar="S")
    confidence: mpq = option(CONFIDENCE, _INTERVALS, default=CONFIDENT)

    def report(self, run: Run) -> Report:
        more = [("best", "random"), ("equilibrium", "random")]
        played = play_again(self.games, self.seed, more, run)
        return reports.results_report(played, self.games, self.seed, self.confidence)


class FatestonesPrinted(Question, takes="a second"):
    """Results printed in the FateStones README, with exact intervals and expected values."""

    _: KW_ONLY
    confidence: mpq = option(CONFIDENCE, _INTERVALS, default=CONFIDENT)

    def report(self, run: Run) -> Report:
        known = [(players, known_chances(*players)) for players in README_RESULTS]
        return reports.readme_report(known, self.confidence)
