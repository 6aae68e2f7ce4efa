"""What can be asked about FateStones: one class a command."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError
from exactdice.formats.certified import Certified
from exactdice.games.fatestones import reports
from exactdice.games.fatestones.beats import RANKINGS, pair_table, rank_dice, who_beats_whom
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.rules import (
    Bag,
    DiceCollection,
    Hand,
    HandOfDice,
    bag,
    check_hands,
    dice_in,
    dice_text,
)
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.storage import check_writable, write_whole

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
    endings = (".nfg", ".efg")

    def report(self, run: Run) -> Report:
        duel = solve(self.row, self.column, self.scratch)
        return reports.duel_report(duel, any_dice=self.bag is Bag.ANY)


QUESTIONS = (
    FatestonesDice,
    FatestonesBeats,
    FatestonesRankings,
    FatestonesDuel,
)
