"""What can be asked about Farkle itself, and the fields that questions about it share."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, Literal

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle import reports
from exactdice.games.farkle.rules.dice_sets import MAX_OWNED, DiceSet, named_dice, parse_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import MAX_DICE, RuleSet
from exactdice.games.farkle.rules.tables import (
    KCD,
    RULE_SETS,
    names_rules_file,
    read_rules,
    rules_text,
)
from exactdice.games.farkle.turn.advice import parse_roll, roll_text
from exactdice.games.farkle.turn.exact import (
    SIX_FAIR,
    Overshoot,
    TurnOptimum,
    certain_banking_bound,
    points_below_target,
    solve,
)
from exactdice.question import Question, option
from exactdice.question.domains import Domain, Flag, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run


class RuleSets(Domain[RuleSet]):
    """Rules of the game: their name, a file, or what stands in it."""

    metavar = "|".join([*RULE_SETS, "FILE"])
    words = tuple(RULE_SETS)

    def read(self, value: Any, name: str) -> RuleSet:
        if isinstance(value, RuleSet):
            return read_rules(rules_text(value), name)
        if isinstance(value, str):
            return read_rules(value, name)
        raise InputError(name, value, f"one of {', '.join(RULE_SETS)}, or a file of rules")

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and names_rules_file(value)

    def write(self, value: RuleSet) -> str:
        return rules_text(value)


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
    """Some of a player's dice: how many where all are equal, or which."""

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
    """Dice that somebody owns, or a text file of them; a question holds what the file said."""

    metavar = "DICE|FILE"

    def read(self, value: Any, name: str) -> DiceSet:
        if isinstance(value, DiceSet):
            return value
        if not isinstance(value, str) or not value.strip():
            raise InputError(name, value, "dice such as fair*6,odd, or a file that ends in .txt")
        if self.names_file(value):
            try:
                lines = Path(value).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError) as problem:
                raise InputError(name, value, f"a text file that can be read: {problem}") from None
            value = ",".join(line.strip().rstrip(",") for line in lines if line.strip())
            if not value:
                raise InputError(name, Unquoted("an empty file"), "dice, one or more a line")
        return parse_dice(value, name, most=MAX_OWNED)

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and value.endswith(".txt")


POINTS = Whole()


@dataclass(frozen=True)
class FarkleQuestion(Question):
    """The rules of the game."""

    _: KW_ONLY
    rules: RuleSet = option(RuleSets(), "What scores; FILE is JSON or TOML.", default=KCD)
    target: int | Literal["none"] | None = option(
        TargetPoints(), "Points that end the turn; that of the rules by default."
    )
    no_hot_dice: bool = option(Flag(), "Bank when all dice have scored.")
    minimum_bank: int | None = option(POINTS, "Points needed to bank.")
    entry_minimum: int | None = option(
        POINTS, "Points needed to bank with a score of 0; a turn by itself has a score above 0."
    )
    streak_penalty: int | None = option(POINTS, "Points that every third bust in a row costs.")
    floor: int | None = option(POINTS, "How far below 0 that can bring a score.")

    def check(self) -> None:
        self.game()

    def _changes(self) -> dict[str, int | None]:
        return {"target": None if self.target == "none" else self.target} | {
            "minimum_bank": self.minimum_bank,
            "entry_minimum": self.entry_minimum,
            "streak_penalty": self.streak_penalty,
            "floor": self.floor,
        }

    def game(self, rules: RuleSet | None = None) -> RuleSet:
        """Give the rules, or those of an opponent, with what is changed in them."""
        rules = self.rules if rules is None else rules
        changes: dict[str, object] = {"hot_dice": rules.hot_dice and not self.no_hot_dice}
        for name, points in self._changes().items():
            if points is not None:
                least = rules.unit if name == "target" else 0
                spelled = name.replace("_", "-")
                changes[name] = rules.whole_points(points, spelled, least=least)
        if self.target == "none":
            changes["target"] = None
        target = changes.get("target", rules.target)
        for name in ("minimum_bank", "entry_minimum"):
            least = getattr(self, name)
            if least and isinstance(target, int) and least > target:
                raise InputError(name.replace("_", "-"), least, "at most the target")
        return rules.varied(**changes)

    def reachable(self, rules: RuleSet | None = None, *, counts_streaks: bool = True) -> RuleSet:
        """Give the rules, which need a target, and no streak penalty where it does not count."""
        game = self.game(rules)
        if game.target is None:
            raise InputError("target", Unquoted("none"), "the points to reach")
        if game.streak_penalty and not counts_streaks:
            counted = "race, play, turns, chance and best --by win"
            wanted = f"0: busts in a row are not counted here, but in {counted}"
            raise InputError("streak-penalty", game.streak_penalty, wanted)
        return game

    def require_standing(
        self, scores: tuple[int, int], busts: tuple[int, int], others: RuleSet | None
    ) -> None:
        """Refuse scores that cannot be or have won, and busts that do not count."""
        for score, row, rules in zip(scores, busts, (None, others), strict=True):
            game = self.reachable(rules)
            whole = game.whole_points(
                score, "scores", least=-game.floor * bool(game.streak_penalty)
            )
            if game.target is not None and whole >= game.target:
                raise InputError("scores", whole, f"scores below the target of {game.target}")
            if row and not game.streak_penalty:
                raise InputError("busts", row, "0: busts in a row cost nothing by these rules")

    def require_dice(self, dice: DiceSet, name: str, rules: RuleSet | None = None) -> None:
        """Refuse more dice than the rules let a player have."""
        most = (rules or self.rules).dice
        if len(dice.dice) > most:
            raise InputError(name, len(dice.dice), f"at most {most} dice")


@dataclass(frozen=True)
class WithDice(Question):
    """The dice of a player."""

    _: KW_ONLY
    dice: DiceSet = option(
        DiceSets(),
        "Dice: names or six weights a:…:f, with counts, as fair*5,odd.",
        default=SIX_FAIR,
    )


@dataclass(frozen=True)
class WithPenalty(FarkleQuestion):
    """The rules of the game, with what a bust costs."""

    _: KW_ONLY
    penalty: int | None = option(POINTS, "Points that a bust costs besides.")

    def _changes(self) -> dict[str, int | None]:
        return super()._changes() | {"penalty": self.penalty}


@dataclass(frozen=True)
class DiceQuestion(WithPenalty, WithDice):
    """A player's dice and the rules."""

    def check(self) -> None:
        super().check()
        self.require_dice(self.dice, "dice")


@dataclass(frozen=True)
class TurnQuestion(DiceQuestion):
    """What a turn is played for."""

    _: KW_ONLY
    overshoot: Overshoot = option(
        OneOf(Overshoot), "What points past the target are worth.", default=Overshoot.FULL
    )

    def require_race(self, opponent: DiceSet, others: RuleSet | None = None) -> None:
        """Refuse an opponent with too many dice, and what means nothing where one plays to win."""
        self.require_dice(opponent, "opponent", others)
        if self.overshoot != Overshoot.FULL:
            raise InputError(
                "overshoot", str(self.overshoot), "none: play to win asks for no points"
            )
        if self.penalty:
            raise InputError("penalty", self.penalty, "no penalty in a race")

    def end(self) -> int:
        """Points from which one has to bank: the target, or those where banking is certain."""
        game = self.game()
        if game.target is not None:
            return game.target
        return certain_banking_bound(menus_of(game, self.dice, prune=True))

    def solved(self, run: Run) -> TurnOptimum:
        """Find the best turn."""
        return solve(self.dice, self.game(), self.overshoot, run)


@dataclass(frozen=True)
class TurnPosition(DiceQuestion):
    """Where in a turn a player stands."""

    _: KW_ONLY
    points: int = option(POINTS, "Points of the turn so far.", default=0, metavar="P")
    left: int | DiceSet | None = option(Left(), "Dice rolled; all of them by default.")

    def check(self) -> None:
        super().check()
        points_below_target(self.game(), self.points)
        if self.left is not None:
            state = self.dice.parse_state(str(self.left))
            if len(self.dice.kinds) == 1:  # one text for one thing
                object.__setattr__(self, "left", state)

    @property
    def place(self) -> tuple[int, str | None]:
        """The points and the dice, as functions take them."""
        return self.points, None if self.left is None else str(self.left)


@dataclass(frozen=True)
class FarkleRules(WithPenalty, command="farkle rules", example="farkle rules", takes="a moment"):
    """What scores, and every convention."""

    def report(self, run: Run) -> Report:
        return reports.rules_report(self.game())


@dataclass(frozen=True)
class FarkleDice(Question, command="farkle dice", example="farkle dice", takes="a moment"):
    """List the named dice."""

    def report(self, run: Run) -> Report:
        alone = {
            name: menus_of(KCD, DiceSet([die]), prune=True).mean_best(1)
            for name, die in named_dice().items()
        }
        return reports.dice_report(alone)


QUESTIONS = (
    FarkleRules,
    FarkleDice,
)
