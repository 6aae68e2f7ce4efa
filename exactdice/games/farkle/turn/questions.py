"""What can be asked about one turn of Farkle: one class a command."""

from contextlib import suppress
from dataclasses import KW_ONLY, dataclass

from exactdice.arithmetic import text
from exactdice.errors import InputError, TooLargeError
from exactdice.formats.certified import Certified
from exactdice.games.farkle import reports
from exactdice.games.farkle.questions import POINTS, TurnPosition, TurnQuestion
from exactdice.games.farkle.rules.menus import table_bytes
from exactdice.games.farkle.turn.exact import fixed_point, horizon
from exactdice.games.farkle.turn.thresholds import ThresholdPlayer, turn_end
from exactdice.question import argument, option
from exactdice.question.domains import Whole
from exactdice.report.model import Report
from exactdice.run import Run

_BOUNDS_DIGITS = 80  # of both bounds on a value, as fractions
_MOST_ROWS = 20_000  # of the law of a turn
_BITS = 256  # of a chance that is enclosed
_MAX_LAW = 1 << 28  # bytes of the exact law of a turn, beyond which its value is enclosed


@dataclass(frozen=True)
class FarkleValue(
    TurnPosition,
    TurnQuestion,
    Certified,
    command="farkle value",
    example="farkle value --points 450 --left 2",
    takes="a moment; 2 s for six different dice, 20 s for dice that hardly bust without a target",
):
    """Expected gain of the best turn, Optimal(P, δ), and whether to bank at once."""

    game_from = "exactdice.games.farkle.model:game_of_turn"

    @property
    def unlisted(self) -> str:
        return "" if self.place == (0, None) else "it without points and left"

    def report(self, run: Run) -> Report:
        turn, end = self.solved(run), None
        with suppress(TooLargeError):  # very many rolls: the report says that it encloses
            end = turn_end(turn, *self.place, run, most=_MAX_LAW)
        return reports.value_report(turn, end, *self.place)


@dataclass(frozen=True)
class FarkleTable(TurnQuestion, command="farkle table", example="farkle table", takes="a second"):
    """Optimal(P, δ) for all points and all sets of dice left."""

    def report(self, run: Run) -> Report:
        rows = self.end() // self.rules.unit * self.dice.full
        run.require(table_bytes(rows, _BOUNDS_DIGITS), f"a table of {rows} values")
        turn = self.solved(run)
        is_exact = turn.is_short(0, turn.dice.full)
        if is_exact:
            try:
                run.require(table_bytes(rows, len(text(turn.value))), f"a table of {rows} values")
            except TooLargeError:  # the report says that it encloses
                is_exact = False
        return reports.table_report(turn, is_exact=is_exact)


@dataclass(frozen=True)
class FarkleHorizon(
    TurnPosition,
    TurnQuestion,
    command="farkle horizon",
    example="farkle horizon 3",
    takes="a second",
):
    """Optimal_1, …, Optimal_N: the best turns of at most so many rolls."""

    rolls: int = argument(Whole(least=1), "Most rolls.", metavar="N")

    def report(self, run: Run) -> Report:
        turn = self.solved(run)
        optimal = turn.optimal(*self.place)
        digits = len(text(optimal))
        run.require(table_bytes(self.rolls, digits), f"a horizon of {self.rolls} rolls")
        gains = horizon(turn, self.rolls, *self.place, run)
        first = fixed_point(turn, *self.place)
        return reports.horizon_report(turn, gains, optimal, first)


@dataclass(frozen=True)
class FarkleDistribution(
    TurnPosition,
    TurnQuestion,
    command="farkle distribution",
    example="farkle distribution",
    takes="a moment",
):
    """Distribution of the points of a turn, and the chance to bust."""

    _: KW_ONLY
    bank_from: int | None = option(
        POINTS, "A simple player instead: banks from N points on.", metavar="N"
    )

    def check(self) -> None:
        super().check()
        if self.bank_from is None:
            return
        if self.points or self.left is not None:
            raise InputError(
                "bank-from", self.bank_from, "whole turns only, without points or left"
            )
        game = self.game()
        least = max(game.minimum_bank, game.unit)
        game.whole_points(self.bank_from, "bank-from", least=least)

    def report(self, run: Run) -> Report:
        of = self.game(), self.dice, self.overshoot
        if self.bank_from is not None:
            player = ThresholdPlayer(self.game(), self.dice, self.bank_from, self.overshoot)
            end = player.turn_end(run, most=reports.MAX_SHOWN_LAW)
            policy = f"keeps the highest score and banks from {self.bank_from} points"
            return reports.end_report(end, *of, policy)
        if (rows := self.end() // self.rules.unit) > _MOST_ROWS:
            raise TooLargeError(
                f"target: the turn can come to {rows} different numbers of points, more than "
                f"{_MOST_ROWS}; give a target, or a lower one"
            )
        turn, policy = self.solved(run), "maximises the expected points"
        try:
            end = turn_end(turn, *self.place, run, most=reports.MAX_SHOWN_LAW)
        except TooLargeError:  # the report says that it encloses
            end = turn_end(turn, *self.place, run, bits=_BITS)
        return reports.end_report(end, *of, policy)


QUESTIONS = (FarkleValue, FarkleTable, FarkleHorizon, FarkleDistribution)
