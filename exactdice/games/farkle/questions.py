"""What can be asked about Farkle: one class a command."""

from dataclasses import KW_ONLY, MISSING, dataclass

from exactdice.arithmetic import text
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle import reports
from exactdice.games.farkle.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.fields import (
    POINTS,
    Against,
    Game,
    Place,
    Roll,
    Turn,
    WithPenalty,
)
from exactdice.games.farkle.layout import table_bytes
from exactdice.games.farkle.menus import menus_of
from exactdice.games.farkle.race_questions import Best, Play, Race
from exactdice.games.farkle.rule_tables import KCD
from exactdice.games.farkle.rules import STREAK
from exactdice.games.farkle.set_questions import Sets
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = [
    "QUESTIONS",
    "Advise",
    "Best",
    "Chance",
    "Dice",
    "Distribution",
    "Horizon",
    "Play",
    "Race",
    "Readme",
    "Rules",
    "Sets",
    "Table",
    "Thresholds",
    "Turns",
    "Value",
]


_BOUNDS_DIGITS = 80  # of both bounds on a value, as fractions
_MOST_ROWS = 20_000  # of the law of a turn
_MAX_LAW = 1 << 28  # bytes of the exact law of a turn, beyond which its value is enclosed


@dataclass(frozen=True)
class Value(
    Place,
    Turn,
    command="farkle value",
    example="farkle value --points 450 --left 2",
    takes="a moment; 2 s for six different dice, 20 s for dice that hardly bust without a target",
):
    """Expected gain of the best turn, Optimal(P, δ), and whether to bank at once."""

    def report(self, run: Run) -> Report:
        """Solve the turn, and follow its policy; enclose the value where that is too long."""
        from exactdice.games.farkle.players import turn_end

        turn = self.solved(run)
        try:
            end = turn_end(turn, *self.place, run, most=_MAX_LAW)
        except TooLargeError:  # very many rolls: the report says that it encloses
            return reports.enclosed_value_report(turn, *self.place)
        return reports.value_report(turn, end, *self.place)


@dataclass(frozen=True)
class Table(Turn, command="farkle table", example="farkle table", takes="a second"):
    """Optimal(P, δ) for all points and all sets of dice left."""

    def report(self, run: Run) -> Report:
        """Solve the turn, unless its table is too large; enclose values that would be too long."""
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
class Horizon(Place, Turn, command="farkle horizon", example="farkle horizon 3", takes="a second"):
    """Optimal_1, …, Optimal_N: the best turns of at most so many rolls."""

    rolls: int = argument(Whole(least=1), "Most rolls.", metavar="N")

    def report(self, run: Run) -> Report:
        """Solve turns of ever more rolls, until they are no better."""
        from exactdice.games.farkle.horizon import fixed_point, horizon

        turn = self.solved(run)
        optimal = turn.optimal(*self.place)
        digits = len(text(optimal))
        run.require(table_bytes(self.rolls, digits), f"a horizon of {self.rolls} rolls")
        gains = horizon(turn, self.rolls, *self.place, run)
        first = fixed_point(turn, *self.place)
        return reports.horizon_report(turn, gains, optimal, first)


@dataclass(frozen=True)
class Advise(
    Place,
    Against,
    command="farkle advise",
    example="farkle advise --roll 1,1,5,3,4,6",
    takes="a moment",
):
    """What to keep of a roll and whether to bank, every choice with its regret."""

    _: KW_ONLY
    roll: tuple[int, ...] = option(
        Roll(), "Face of each die rolled, J for a joker.", default=MISSING
    )

    def check(self) -> None:
        """Refuse faces that the dice cannot show."""
        from exactdice.games.farkle.selections import rolled_dice

        super().check()
        rolled_dice(self.dice, self.roll, self.place[1])
        game = self.game()
        if self.scores is not None and game.target is not None:
            end = max(game.target - self.scores[0], game.least_to_bank(self.scores[0]))
            if self.points >= end:
                raise InputError("points", self.points, f"points below {end}, where the turn ends")

    def report(self, run: Run) -> Report:
        """Solve the turn, and weigh every choice."""
        if self.scores is not None:
            from exactdice.games.farkle.race_advice import advise_to_win
            from exactdice.games.farkle.race_reports import advice_to_win_report

            chances = self.race(run)
            judged = advise_to_win(chances, self.roll, *self.scores, *self.place, busts=self.busts)
            return advice_to_win_report(
                chances, judged, self.roll, self.points, self.scores, self.busts
            )
        from exactdice.games.farkle.advice import advise, advise_enclosed

        turn, (points, left) = self.solved(run), self.place
        is_exact = turn.is_short(points, turn.state(left))
        choices = (advise if is_exact else advise_enclosed)(turn, self.roll, points, left)
        return reports.advice_report(turn, choices, self.roll, points)


@dataclass(frozen=True)
class Thresholds(
    Against, command="farkle thresholds", example="farkle thresholds", takes="a moment"
):
    """From how many points to bank, by the dice left."""

    def report(self, run: Run) -> Report:
        """Solve the turn, or the race."""
        if self.scores is not None:
            from exactdice.games.farkle.race_advice import win_thresholds
            from exactdice.games.farkle.race_reports import thresholds_to_win_report

            chances = self.race(run)
            found = win_thresholds(chances, *self.scores, busts=self.busts)
            return thresholds_to_win_report(chances, found, self.scores, self.busts)
        from exactdice.games.farkle.players import thresholds

        turn = self.solved(run)
        return reports.thresholds_report(turn, thresholds(turn))


@dataclass(frozen=True)
class Distribution(
    Place, Turn, command="farkle distribution", example="farkle distribution", takes="a moment"
):
    """Distribution of the points of a turn, and the chance to bust."""

    _: KW_ONLY
    bank_from: int | None = option(
        POINTS, "A simple player instead: banks from N points on.", metavar="N"
    )

    def check(self) -> None:
        """Refuse a simple player in the middle of a turn."""
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
        """Follow the best policy, or the simple player's, forwards."""
        from exactdice.games.farkle.end_reports import (
            MAX_SHOWN_LAW,
            enclosed_end_report,
            end_report,
        )
        from exactdice.games.farkle.players import ThresholdPlayer, enclosed_turn_end, turn_end

        of = self.game(), self.dice, self.overshoot
        if self.bank_from is not None:
            player = ThresholdPlayer(self.game(), self.dice, self.bank_from, self.overshoot)
            end = player.turn_end(run, most=MAX_SHOWN_LAW)
            policy = f"keeps the highest score and banks from {self.bank_from} points"
            return end_report(end, *of, policy)
        if (rows := self.end() // self.rules.unit) > _MOST_ROWS:
            raise TooLargeError(
                f"target: the turn can come to {rows} different numbers of points, more than "
                f"{_MOST_ROWS}; give a target, or a lower one"
            )
        turn, policy = self.solved(run), "maximises the expected points"
        try:
            return end_report(turn_end(turn, *self.place, run, most=MAX_SHOWN_LAW), *of, policy)
        except TooLargeError:  # the report says that it encloses
            return enclosed_end_report(enclosed_turn_end(turn, *self.place, run), *of, policy)


@dataclass(frozen=True)
class Turns(
    Game, command="farkle turns", example="farkle turns --target 4000", takes="3 s to 4000 points"
):
    """Distribution of the number of turns to the target."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns to look at.", default=20, metavar="K")
    exact: bool = option(Flag(), "Exact fractions, however long they are.")

    def check(self) -> None:
        """Refuse rules without a target."""
        super().check()
        self.reachable()

    def report(self, run: Run) -> Report:
        """Follow the chain of turns."""
        from exactdice.games.farkle.turn_counts import turn_counts

        return turn_counts(self.dice, self.game(), self.turns, run, exact=self.exact).report()


@dataclass(frozen=True)
class Chance(
    Place,
    command="farkle chance",
    example="farkle chance --target 2000 --turns 2",
    takes="a second a turn",
):
    """Best chance to reach the target within this turn, or within K turns."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns, this one included.", default=1, metavar="K")
    score: int = option(POINTS, "Points banked before.", default=0)
    busts: int = option(Whole(most=STREAK - 1), "Busts in a row before this turn.", default=0)

    def check(self) -> None:
        """Refuse rules without a target, points that reach it, and busts that do not count."""
        game = self.reachable()
        if self.busts and not game.streak_penalty:
            raise InputError("busts", self.busts, "0: busts in a row cost nothing by these rules")
        super().check()
        banked = game.whole_points(self.score, "score")
        if game.target is not None and banked + self.points >= game.target:
            raise InputError("points", banked + self.points, f"a sum below {game.target}")

    def report(self, run: Run) -> Report:
        """Solve a turn for every number of points that may be needed, turn by turn."""
        from exactdice.games.farkle.chances import BestChance
        from exactdice.games.farkle.turns_reports import chance_report

        best = BestChance(self.dice, self.game(), run)
        chance = best.chance(self.turns, self.score, *self.place, self.busts)
        return chance_report(best, chance, self.turns)


@dataclass(frozen=True)
class Rules(WithPenalty, command="farkle rules", example="farkle rules", takes="a moment"):
    """What scores, and every convention."""

    def report(self, run: Run) -> Report:
        """List them."""
        return reports.rules_report(self.game())


@dataclass(frozen=True)
class Dice(Question, command="farkle dice", example="farkle dice", takes="a moment"):
    """List the named dice."""

    def report(self, run: Run) -> Report:
        """List them, with the mean score of each alone."""
        from exactdice.games.farkle.certain_banking import mean_best

        alone = {
            name: mean_best(menus_of(KCD, DiceSet([die]), prune=True), 1)
            for name, die in named_dice().items()
        }
        return reports.dice_report(alone)


@dataclass(frozen=True)
class Readme(Question, command="farkle readme", example="farkle readme", takes="a moment"):
    """Check the figures of the KCD Farkle README."""

    def report(self, run: Run) -> Report:
        """Compute what its definitions give."""
        from exactdice.games.farkle.readme import statements

        return reports.readme_report(statements())


#: Every question of this game, in the order in which help lists them.
QUESTIONS = (
    Value,
    Table,
    Horizon,
    Advise,
    Thresholds,
    Distribution,
    Turns,
    Race,
    Play,
    Best,
    Sets,
    Chance,
    Rules,
    Dice,
    Readme,
)
