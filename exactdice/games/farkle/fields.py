"""Fields that questions about Farkle share, and the domains of their values."""

from dataclasses import KW_ONLY
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.games.farkle.races.chances import Aim, WinChances, contender
from exactdice.games.farkle.races.solve import win_chances
from exactdice.games.farkle.rules import tables
from exactdice.games.farkle.rules.dice_sets import MAX_OWNED, DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import MAX_DICE, STREAK, RuleSet
from exactdice.games.farkle.rules.tables import KCD, RULE_SETS
from exactdice.games.farkle.turn import exact
from exactdice.games.farkle.turn.advice import parse_roll, roll_text
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot, TurnOptimum
from exactdice.question import Question, option
from exactdice.question.domains import Domain, Flag, Listed, OneOf, Whole
from exactdice.run import Run


class RuleSets(Domain[RuleSet]):
    """Rules of the game: their name, a file, or its contents."""

    metavar = "|".join([*RULE_SETS, "FILE"])
    words = tuple(RULE_SETS)

    def read(self, value: Any, name: str) -> RuleSet:
        if isinstance(value, RuleSet):
            return tables.read_rules(tables.rules_text(value), name)
        if isinstance(value, str):
            return tables.read_rules(value, name)
        raise InputError(name, value, f"one of {', '.join(RULE_SETS)}, or a file of rules")

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and tables.names_rules_file(value)

    def write(self, value: RuleSet) -> str:
        return tables.rules_text(value)


class TargetPoints(Domain["int | Literal['none']"]):
    """Points that end a turn, or the word none."""

    metavar = "N|none"
    words = ("none",)

    def read(self, value: Any, name: str) -> int | Literal["none"]:
        return "none" if value == "none" else Whole().read(value, name)


class DiceSets(Domain[DiceSet]):
    """Dice of a player, in the order in which rolls name their faces."""

    metavar = "DICE"

    def read(self, value: Any, name: str) -> DiceSet:
        if isinstance(value, DiceSet):
            return value
        if not isinstance(value, str):
            raise InputError(name, value, "dice such as fair*5,odd")
        return parse_dice(value, name, most=MAX_DICE)


class Left(Domain["int | DiceSet"]):
    """Some of a player's dice: their number if all are equal, or which ones."""

    metavar = "N|DICE"

    def read(self, value: Any, name: str) -> int | DiceSet:
        if isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal()):
            return Whole(least=1, most=MAX_DICE).read(value, name)
        return DiceSets().read(value, name)


class ShownFaces(Domain[tuple[int, ...]]):
    """Faces that dice show."""

    metavar = "F,F,…"

    def read(self, value: Any, name: str) -> tuple[int, ...]:
        if isinstance(value, tuple | list) and all(type(face) is int for face in value):
            value = roll_text(value)
        if not isinstance(value, str):
            raise InputError(name, value, "faces from 1 to 6, or J for a joker")
        return parse_roll(value, name)

    def write(self, value: tuple[int, ...]) -> str:
        return roll_text(value)


class Owned(Domain[DiceSet]):
    """Dice that a player owns, or a text file of them; a question stores the dice, not the file."""

    metavar = "DICE|FILE"

    def read(self, value: Any, name: str) -> DiceSet:
        if isinstance(value, DiceSet):
            return value
        if not isinstance(value, str) or not value.strip():
            raise InputError(name, value, "dice such as fair*6,odd, or a file that ends in .txt")
        if self.names_file(value):
            try:
                lines = Path(value).read_text(encoding="utf-8").splitlines()
            except FileNotFoundError:
                raise ConflictError(f"{value}:", "file not found") from None
            except (OSError, ValueError) as problem:
                raise InputError(name, value, f"a readable text file ({problem})") from None
            value = ",".join(line.strip().rstrip(",") for line in lines if line.strip())
            if not value:
                raise InputError(name, Unquoted("an empty file"), "at least one die a line")
        return parse_dice(value, name, most=MAX_OWNED)

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and value.endswith(".txt")


class NumberPair(Listed[int]):
    def read(self, value: Any, name: str) -> tuple[int, ...]:
        numbers = super().read(value, name)
        if len(numbers) != 2:
            raise InputError(name, value, f"two numbers: {self.metavar}")
        return numbers


class Scores(NumberPair):
    """Points that two players have banked; a streak penalty can take them below 0."""

    def describe(self) -> str:
        return ""


class BustRows(NumberPair):
    """Busts in a row of two players."""


class Aims(StrEnum):
    OPTIMAL = "optimal"  #: both to win
    POINTS = "points"  #: both for points
    OPTIMAL_POINTS = "optimal-points"  #: the first to win, the second for points


POINTS = Whole()
SCORES = Scores(Whole(least=-1_000_000), "OWN,OTHER")
BUSTS = BustRows(Whole(most=STREAK - 1), "OWN,OTHER")


class FarkleQuestion(Question):
    _: KW_ONLY
    rules: RuleSet = option(RuleSets(), "Rules and scores; FILE is JSON or TOML.", default=KCD)
    target: int | Literal["none"] | None = option(
        TargetPoints(), "Points to reach. Default: the target of the rules."
    )
    no_hot_dice: bool = option(
        Flag(), "When all dice have scored, bank; they are not rolled again."
    )
    minimum_bank: int | None = option(POINTS, "Points needed to bank.")
    entry_minimum: int | None = option(
        POINTS, "Points needed to bank while your score is 0. Ignored for single turns."
    )
    streak_penalty: int | None = option(POINTS, "Points that every third bust in a row costs.")
    floor: int | None = option(POINTS, "How far below 0 penalties can take the score.")

    def check(self) -> None:
        self.game()

    def game(self, rules: RuleSet | None = None) -> RuleSet:
        rules = self.rules if rules is None else rules
        changes: dict[str, object] = {"hot_dice": rules.hot_dice and not self.no_hot_dice}
        changeable = "target", "minimum_bank", "entry_minimum", "streak_penalty", "floor", "penalty"
        for name in changeable:
            points = getattr(self, name, None)
            if points == "none":
                changes[name] = None
            elif points is not None:
                least = rules.unit if name == "target" else 0
                changes[name] = rules.whole_points(points, name.replace("_", "-"), least=least)
        target = changes.get("target", rules.target)
        for name in ("minimum_bank", "entry_minimum"):
            least = getattr(self, name)
            if least and isinstance(target, int) and least > target:
                raise InputError(name.replace("_", "-"), least, "at most the target")
        return rules.varied(**changes)

    def reachable(self, rules: RuleSet | None = None, *, counts_streaks: bool = True) -> RuleSet:
        """Return the rules; they need a target, and no streak penalty unless it is counted."""
        game = self.game(rules)
        if game.target is None:
            raise InputError("target", Unquoted("none"), "a number of points")
        if game.streak_penalty and not counts_streaks:
            counted = "race, play, turns, chance and best --by win"
            wanted = f"0: only {counted} count busts in a row"
            raise InputError("streak-penalty", game.streak_penalty, wanted)
        return game

    def require_scores(
        self, scores: tuple[int, int], busts: tuple[int, int], others: RuleSet | None
    ) -> None:
        for score, row, rules in zip(scores, busts, (None, others), strict=True):
            game = self.reachable(rules)
            lowest = -game.floor if game.streak_penalty else 0
            points = game.whole_points(score, "scores", least=lowest)
            if game.target is not None and points >= game.target:
                raise InputError("scores", points, f"scores below the target of {game.target}")
            if row and not game.streak_penalty:
                raise InputError("busts", row, "0: busts in a row cost nothing by these rules")

    def require_dice(self, dice: DiceSet, name: str, rules: RuleSet | None = None) -> None:
        most = (rules or self.rules).dice
        if len(dice.dice) > most:
            raise InputError(name, len(dice.dice), f"at most {most} dice")


class WithDice(Question):
    _: KW_ONLY
    dice: DiceSet = option(
        DiceSets(), "Dice: names or weights a:…:f, for example fair*5,odd.", default=SIX_FAIR
    )


class WithPenalty(FarkleQuestion):
    """The rules of the game, with the penalty of a bust."""

    _: KW_ONLY
    penalty: int | None = option(POINTS, "Points that a bust costs, on top of those of the turn.")


class DiceQuestion(WithPenalty, WithDice):
    def check(self) -> None:
        super().check()
        self.require_dice(self.dice, "dice")


PAST = "full counts points past the target; needed counts only those needed to reach it."


class TurnQuestion(DiceQuestion):
    _: KW_ONLY
    overshoot: Overshoot = option(OneOf(Overshoot), PAST, default=Overshoot.FULL)

    def require_race(self, opponent: DiceSet, others: RuleSet | None = None) -> None:
        self.require_dice(opponent, "opponent", others)
        if self.overshoot != Overshoot.FULL:
            raise ConflictError("overshoot", "does not apply to play to win")
        if self.penalty:
            raise InputError("penalty", self.penalty, "no penalty in a race")

    def end(self) -> int:
        game = self.game()
        if game.target is not None:
            return game.target
        return exact.certain_banking_bound(menus_of(game, self.dice, prune=True))

    def solved(self, run: Run) -> TurnOptimum:
        return exact.solve(self.dice, self.game(), self.overshoot, run)


class TurnPosition(DiceQuestion):
    _: KW_ONLY
    points: int = option(POINTS, "Points of the turn so far.", default=0, metavar="P")
    left: int | DiceSet | None = option(Left(), "Dice that are rolled. Default: all.")

    def check(self) -> None:
        super().check()
        exact.points_below_target(self.game(), self.points)
        if self.left is not None:
            state = self.dice.parse_state(str(self.left))
            if len(self.dice.kinds) == 1:  # so that equal positions have equal texts
                object.__setattr__(self, "left", state)

    @property
    def place(self) -> tuple[int, str | None]:
        return self.points, None if self.left is None else str(self.left)


class Against(TurnQuestion):
    """A known opponent, against whom a player plays to win."""

    _: KW_ONLY
    scores: tuple[int, int] | None = option(
        SCORES, "Points banked by you and an opponent; the advice is how to win."
    )
    opponent: DiceSet = option(DiceSets(), "Dice of the opponent.", default=SIX_FAIR)
    opponent_rules: RuleSet | None = option(RuleSets(), "Rules of the opponent; yours by default.")
    opponent_aim: Aim = option(OneOf(Aim), "Aim of the opponent.", default=Aim.WIN)
    busts: tuple[int, int] = option(
        BUSTS, "Busts in a row, yours and the opponent's.", default=(0, 0)
    )

    def check(self) -> None:
        super().check()
        if self.scores is None:
            rival = self.opponent, self.opponent_rules, self.opponent_aim, self.busts
            if rival != (SIX_FAIR, None, Aim.WIN, (0, 0)):
                raise InputError("scores", Unquoted("none"), "both scores, to count the opponent")
            return
        self.require_scores(self.scores, self.busts, self.opponent_rules)
        self.require_race(self.opponent, self.opponent_rules)

    def race(self, run: Run) -> WinChances:
        theirs = self.game(self.opponent_rules)
        other = contender(self.opponent, theirs, self.opponent_aim, "opponent")
        return win_chances(contender(self.dice, self.game(), Aim.WIN, "dice"), other, run)
