"""What can be asked about FateStones: one class a command."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from math import comb
from pathlib import Path

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.formats.certified import Certified
from exactdice.games.fatestones import play_reports, reports
from exactdice.games.fatestones.beats import RANKINGS, pair_table, rank_dice, who_beats_whom
from exactdice.games.fatestones.census_parts import (
    bag_of,
    bag_text,
    bags,
    census_part,
    merged_census_report,
    part_report,
)
from exactdice.games.fatestones.censuses import census, resumed_census, sample_census
from exactdice.games.fatestones.confidence import CONFIDENCE, CONFIDENT, LEVEL, edge_test
from exactdice.games.fatestones.counting import Convention, nontransitive_triples
from exactdice.games.fatestones.dice_sets import Bag, DiceCollection, HandOfDice, dice_in, dice_text
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.responses import best_response, random_play, rules_of_thumb
from exactdice.games.fatestones.rules import HAND_SIZE, Hand, bag, check_hands
from exactdice.games.fatestones.sources import README_GAMES
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.storage import check_writable, write_whole

_MOST_DICE = 60  # the table of pairs grows with the fourth power
_DEALS = comb(32, 3) * comb(29, 3)  # a larger sample takes longer than all of them


# Dice as such --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Dice(Question):
    """Which dice a question is about."""

    _: KW_ONLY
    set_: DiceCollection = option(
        OneOf(DiceCollection), "All dice, or those of mean 7/2.", default=DiceCollection.AVERAGE
    )
    faces: int = option(
        Whole(least=2, most=8), "Faces, with values 1 to N; the mean is (N + 1)/2.", default=6
    )

    def check(self) -> None:
        if self.set_ is DiceCollection.ALL:
            natural(self.faces, "faces", least=2, most=6)


@dataclass(frozen=True)
class FatestonesDice(_Dice, command="fatestones dice", example="fatestones dice", takes="a moment"):
    """List the dice, and write them as the FateStones files do."""

    _: KW_ONLY
    write: Path | None = option(
        File(), "Also write the faces, one die a line, to FILE.txt or FILE.csv."
    )

    def check(self) -> None:
        super().check()
        if self.write and self.write.suffix not in (".txt", ".csv"):
            raise InputError("write", str(self.write), "a name that ends in .txt or .csv")

    def report(self, run: Run) -> Report:
        dice = dice_in(self.set_, self.faces)
        if self.write:
            check_writable(self.write)
            write_whole(self.write, dice_text(dice, self.write.suffix[1:]))
        return reports.dice_report(dice, self.set_, self.faces)


@dataclass(frozen=True)
class FatestonesBeats(
    _Dice,
    command="fatestones beats",
    example="fatestones beats --pairs",
    takes="a moment, 3 s for all dice",
):
    """Which die beats which: chances of two dice; cycles, components, dominance of all."""

    dice: tuple[Hand, ...] = argument(
        HandOfDice(),
        "Two dice, as 111666 222555; if none, all of the set.",
        metavar="DIE",
        many=True,
        default=(),
    )
    _: KW_ONLY
    pairs: bool = option(Flag(), "List the chances of every pair.")

    def check(self) -> None:
        super().check()
        if self.dice and [len(hand) for hand in self.dice] != [1, 1]:
            raise InputError("dice", _words(self.dice), "two dice with a space between, or none")
        if self.dice and (self.pairs or (self.set_, self.faces) != (DiceCollection.AVERAGE, 6)):
            raise InputError("dice", _words(self.dice), "dice alone, or a set of dice and --pairs")

    def report(self, run: Run) -> Report:
        if self.dice:
            return reports.two_dice_report(pair_table(die for (die,) in self.dice))
        relation = who_beats_whom(dice_in(self.set_, self.faces))
        return reports.beats_report(relation, self.set_, self.faces, pairs=self.pairs)


def _words(hands: Iterable[Hand]) -> str:
    return " ".join(map(HandOfDice().write, hands))


@dataclass(frozen=True)
class FatestonesRankings(
    _Dice,
    command="fatestones rankings",
    example="fatestones rankings",
    takes="a moment, 5 s for all dice",
):
    """Rankings of the dice, and what each puts first and last."""

    def report(self, run: Run) -> Report:
        dice = dice_in(self.set_, self.faces)
        ranked = [rank_dice(dice, name) for name in RANKINGS]
        return reports.rankings_report(ranked, self.set_, self.faces)


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


# The duel and the game -----------------------------------------------------------------------


@dataclass(frozen=True)
class Hands(Question):
    """Two hands that meet."""

    row: Hand = argument(
        HandOfDice(), "Player 1's dice, one to three, as 111666,123456.", metavar="ROW"
    )
    column: Hand = argument(HandOfDice(), "Player 2's dice, as many.", metavar="COLUMN")
    _: KW_ONLY
    scratch: mpq = option(
        Rational(), "What a scratch is worth to player 1.", default=mpq(0), metavar="V"
    )
    bag: Bag = option(
        OneOf(Bag), "Whether the dice come out of the game's bag.", default=Bag.AVERAGE
    )

    def check(self) -> None:
        check_hands(self.row, self.column, None if self.bag is Bag.ANY else bag())


@dataclass(frozen=True)
class FatestonesDuel(
    Hands,
    Certified,
    command="fatestones duel",
    example="fatestones duel 111666,123456 114456,333336",
    takes="a moment",
):
    """Equilibrium of the duel of two hands: value and both strategies."""

    game_from = "exactdice.games.fatestones.model:game_of_duel"

    def report(self, run: Run) -> Report:
        duel = solve(self.row, self.column, self.scratch)
        return reports.duel_report(duel, any_dice=self.bag is Bag.ANY)


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
        return play_reports.census_report(sums, answer, random_play(), test, self.seed)


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
        return play_reports.power_report(edge_test(edge, self.games, self.confidence, self.power))


@dataclass(frozen=True)
class FatestonesHeuristics(
    Question,
    command="fatestones heuristics",
    example="fatestones heuristics",
    takes="10 s",
):
    """What rules of thumb earn against random play, over all deals."""

    def report(self, run: Run) -> Report:
        return play_reports.heuristics_report(rules_of_thumb(run=run), best_response())


QUESTIONS = (
    *(FatestonesDice, FatestonesBeats, FatestonesRankings, FatestonesCount),
    *(
        FatestonesDuel,
        FatestonesCensus,
        FatestonesCensusPart,
        FatestonesBags,
        FatestonesPower,
        FatestonesHeuristics,
    ),
)
