"""Questions about censuses, counts of dice, power of a simulation, and the README's results."""

from dataclasses import KW_ONLY, dataclass
from math import comb
from pathlib import Path

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones.confidence import CONFIDENCE, CONFIDENT, LEVEL, edge_test
from exactdice.games.fatestones.play_questions import _GAMES
from exactdice.games.fatestones.players import known_chances, play_again
from exactdice.games.fatestones.responses import best_response, random_play, rules_of_thumb
from exactdice.games.fatestones.rules import HAND_SIZE
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.fatestones import reports
from exactdice.studies.fatestones.census_parts import (
    bag_of,
    bag_text,
    bags,
    census_part,
    merged_census_report,
    part_report,
)
from exactdice.studies.fatestones.censuses import census, resumed_census, sample_census
from exactdice.studies.fatestones.counting import Convention, nontransitive_triples

_MOST_DICE = 60  # the table of pairs grows with the fourth power
_DEALS = comb(32, 3) * comb(29, 3)  # a larger sample takes longer than all of them


@dataclass(frozen=True)
class FatestonesCount(
    Question,
    command="fatestones count",
    example="fatestones count 6 6",
    takes="1 s for 6 faces, 8 s for 7",
):
    """Number of triples of dice in which each beats the next."""

    faces: int = argument(Whole(least=1), "Faces of each die.", metavar="N")
    values: int = argument(Whole(least=1), "The highest value; the lowest is 1.", metavar="V")
    _: KW_ONLY
    convention: Convention = option(
        OneOf(Convention), "What it means that a die beats another.", default=Convention.MORE
    )

    def report(self, run: Run) -> Report:
        triples = nontransitive_triples(self.faces, self.values, self.convention)
        return reports.count_report(triples)


@dataclass(frozen=True)
class FatestonesCensus(
    Question,
    command="fatestones census",
    example="fatestones census --sample 2000",
    takes="4 s for a sample, 2 minutes for all deals",
    shares_work=True,
):
    """Is good play rewarded? Equilibria and best responses over all deals."""

    _: KW_ONLY
    sample: int | None = option(
        Whole(least=1, most=_DEALS), "Solve N deals drawn at random instead of all."
    )
    seed: int = option(Whole(), "Seed of everything random.", default=1, metavar="S")
    deals: bool = option(Flag(), "List the deals of the sample.")
    checkpoint: Path | None = option(File(), "Save progress to FILE and go on from it.")
    confidence: mpq = option(LEVEL, "Confidence of the test.", default=CONFIDENT)
    power: mpq = option(
        CONFIDENCE, "Chance with which the edge is to be seen.", default=CONFIDENT, metavar="P"
    )

    def check(self) -> None:
        if self.sample and self.checkpoint:
            wanted = "one or the other of a sample and a checkpoint"
            raise InputError("checkpoint", str(self.checkpoint), wanted)
        if self.deals and not self.sample:
            raise InputError("deals", Unquoted("all deals"), "a sample whose deals are listed")

    def report(self, run: Run) -> Report:
        if self.sample:
            sums = sample_census(self.sample, self.seed, lists=self.deals)
        elif self.checkpoint:
            sums = resumed_census(self.checkpoint, run)
        else:
            sums = census(run=run)
        answer = best_response()
        test = edge_test(answer.edge, [README_GAMES], self.confidence, self.power)
        return reports.census_report(sums, answer, random_play(), test, self.seed)


@dataclass(frozen=True)
class FatestonesCensusPart(
    Question,
    command="fatestones census-part",
    example="fatestones census-part 0 50 --faces 5 --total 15",
    takes="10 µs a deal: a minute and a half for all hands of the game's bag",
):
    """A part of the census, out of the game's bag or another: the deals of some hands."""

    first: int = argument(Whole(), "Number of the first hand.", metavar="FIRST")
    last: int = argument(Whole(), "Number of the last.", metavar="LAST")
    _: KW_ONLY
    faces: int = option(
        Whole(least=3, most=7), "Faces of the dice, with values 1 to N.", default=6, metavar="N"
    )
    total: int | None = option(
        Whole(least=3), "What the faces of each die add up to; all dice if absent.", metavar="S"
    )

    def check(self) -> None:
        dice = len(bag_of(self.faces, self.total))
        if dice > _MOST_DICE:
            raise InputError("total", Unquoted(f"{dice} dice"), f"a bag of at most {_MOST_DICE}")
        natural(self.last, "last", least=self.first, most=comb(dice, 3) - 1)

    def report(self, run: Run) -> Report:
        part = census_part(bag_of(self.faces, self.total), self.first, self.last, run)
        return part_report(part, bag_text(self.faces, self.total))


@dataclass(frozen=True)
class FatestonesBags(
    Question,
    command="fatestones bags",
    example="fatestones bags 5",
    takes="a second for 5 faces, ten minutes for 6",
):
    """What the deal is worth out of each bag of dice of one mean."""

    faces: int = argument(
        Whole(least=5, most=6), "Faces of the dice, with values 1 to N.", metavar="N"
    )

    def report(self, run: Run) -> Report:
        totals, parts = bags(self.faces), []
        for done, total in enumerate(totals):
            run.tell("bags", done, len(totals))
            dice = bag_of(self.faces, total)
            part = census_part(dice, 0, comb(len(dice), HAND_SIZE) - 1)
            parts.append(part_report(part, bag_text(self.faces, total)))
        return merged_census_report(parts)


@dataclass(frozen=True)
class FatestonesPower(
    Question,
    command="fatestones power",
    example="fatestones power 1000 10000",
    takes="4 s",
):
    """With what chance so many games show that best play beats random play."""

    games: tuple[int, ...] = argument(
        Whole(least=1, most=10**9), "Numbers of games.", metavar="N …", many=True
    )
    _: KW_ONLY
    confidence: mpq = option(LEVEL, "Confidence of the test.", default=CONFIDENT)
    power: mpq = option(
        CONFIDENCE, "Chance with which an edge is to be seen.", default=CONFIDENT, metavar="P"
    )

    def report(self, run: Run) -> Report:
        edge = best_response().edge
        return reports.power_report(edge_test(edge, self.games, self.confidence, self.power))


@dataclass(frozen=True)
class FatestonesHeuristics(
    Question,
    command="fatestones heuristics",
    example="fatestones heuristics",
    takes="10 s",
):
    """What rules of thumb earn against random play, over all deals."""

    def report(self, run: Run) -> Report:
        return reports.heuristics_report(rules_of_thumb(run=run), best_response())


#: What this module asks, for `exactdice.rooms`.


@dataclass(frozen=True)
class FatestonesResults(
    Question,
    command="fatestones results",
    example="fatestones results --games 1000",
    takes="half a minute",
):
    """Play the README's results table again, beside its own figures and the exact ones."""

    _: KW_ONLY
    games: int = option(_GAMES, "Games of each pair.", default=README_GAMES)
    seed: int = option(Whole(), "Seed of everything random.", default=1, metavar="S")
    confidence: mpq = option(CONFIDENCE, "Confidence of the intervals.", default=CONFIDENT)

    def report(self, run: Run) -> Report:
        more = [("best", "random"), ("equilibrium", "random")]
        played = play_again(self.games, self.seed, more, run)
        return reports.results_report(played, self.games, self.seed, self.confidence)


@dataclass(frozen=True)
class FatestonesPrinted(
    Question,
    command="fatestones printed",
    example="fatestones printed",
    takes="a second",
):
    """The results that the FateStones README prints, with exact intervals and expectations."""

    _: KW_ONLY
    confidence: mpq = option(CONFIDENCE, "Confidence of the intervals.", default=CONFIDENT)

    def report(self, run: Run) -> Report:
        known = [(players, known_chances(*players)) for players in README_RESULTS]
        return reports.readme_report(known, self.confidence)


QUESTIONS = (
    FatestonesCount,
    FatestonesCensus,
    FatestonesCensusPart,
    FatestonesBags,
    FatestonesPower,
    FatestonesHeuristics,
    FatestonesResults,
    FatestonesPrinted,
)
