"""What can be asked about Farkle: one class a command."""

from dataclasses import KW_ONLY, MISSING, dataclass
from typing import Any, Literal

from exactdice.arithmetic import text
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle import reports
from exactdice.games.farkle.dice_sets import DiceSet, named_dice, parse_dice
from exactdice.games.farkle.exact import (
    SIX_FAIR,
    BestTurn,
    Overshoot,
    points_below_target,
    solve,
)
from exactdice.games.farkle.layout import table_bytes
from exactdice.games.farkle.menus import menus_of
from exactdice.games.farkle.rule_files import read_rules, rules_text
from exactdice.games.farkle.rules import KCD, MAX_DICE, RULE_SETS, RuleSet
from exactdice.question import Question, argument, option
from exactdice.question.domains import Choice, Domain, Flag, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = [
    "QUESTIONS",
    "Advise",
    "Chance",
    "Dice",
    "Distribution",
    "Horizon",
    "Race",
    "Readme",
    "Rules",
    "Table",
    "Thresholds",
    "Turns",
    "Value",
]


class _RuleSets(Domain[RuleSet]):
    """Rules of the game: their name, a file, or what stands in it."""

    metavar = "|".join([*RULE_SETS, "FILE"])
    words = tuple(RULE_SETS)

    def read(self, given: Any, name: str) -> RuleSet:
        """Read rules."""
        if isinstance(given, RuleSet):
            return read_rules(rules_text(given), name)
        if isinstance(given, str):
            return read_rules(given, name)
        raise InputError(name, given, f"one of {', '.join(RULE_SETS)}, or a file of rules")

    def write(self, value: RuleSet) -> str:
        """Write the name of known rules, all of others."""
        return rules_text(value)


class _Target(Domain["int | Literal['none']"]):
    """Points that end a turn, or the word none."""

    metavar = "N|none"
    words = ("none",)

    def read(self, given: Any, name: str) -> int | Literal["none"]:
        """Read a number of points, or none."""
        return "none" if given == "none" else Whole().read(given, name)


class _DiceSets(Domain[DiceSet]):
    """Dice of a player, in the order in which rolls name their faces."""

    metavar = "DICE"

    def read(self, given: Any, name: str) -> DiceSet:
        """Read names or weights of dice."""
        if isinstance(given, DiceSet):
            return given
        if not isinstance(given, str):
            raise InputError(name, given, "dice such as fair*5,odd")
        return parse_dice(given, name, most=MAX_DICE)


class _Left(Domain["int | DiceSet"]):
    """Some of a player's dice: how many where all are equal, or which."""

    metavar = "N|DICE"

    def read(self, given: Any, name: str) -> int | DiceSet:
        """Read a number of dice, or dice."""
        if isinstance(given, int) or (isinstance(given, str) and given.strip().isdecimal()):
            return Whole(least=1, most=MAX_DICE).read(given, name)
        return _DiceSets().read(given, name)


class _Roll(Domain[tuple[int, ...]]):
    """Faces that dice show."""

    metavar = "F,F,…"

    def read(self, given: Any, name: str) -> tuple[int, ...]:
        """Read faces, from text or from a sequence."""
        from exactdice.games.farkle.selections import parse_roll, roll_text

        if isinstance(given, tuple | list) and all(type(face) is int for face in given):
            given = roll_text(given)
        if not isinstance(given, str):
            raise InputError(name, given, "faces from 1 to 6, or J for a joker")
        return parse_roll(given, name)

    def write(self, value: tuple[int, ...]) -> str:
        """Write faces with commas between."""
        from exactdice.games.farkle.selections import roll_text

        return roll_text(value)


_POINTS = Whole()


@dataclass(frozen=True)
class _Conventions(Question):
    """The rules of the game."""

    _: KW_ONLY
    rules: RuleSet = option(_RuleSets(), "What scores; FILE is JSON or TOML.", default=KCD)
    target: int | Literal["none"] | None = option(
        _Target(), "Points that end the turn; that of the rules by default."
    )
    no_hot_dice: bool = option(Flag(), "Bank when all dice have scored.")
    minimum_bank: int | None = option(_POINTS, "Points needed to bank.")

    def check(self) -> None:
        """Refuse points that the rules cannot give."""
        self.game()

    def _changes(self) -> dict[str, int | None]:
        return {"target": None if self.target == "none" else self.target} | {
            "minimum_bank": self.minimum_bank
        }

    def game(self) -> RuleSet:
        """Give the rules with what is changed in them."""
        changes: dict[str, object] = {"hot_dice": self.rules.hot_dice and not self.no_hot_dice}
        for name, given in self._changes().items():
            if given is not None:
                least = self.rules.unit if name == "target" else 0
                spelled = name.replace("_", "-")
                changes[name] = self.rules.whole_points(given, spelled, least=least)
        if self.target == "none":
            changes["target"] = None
        target = changes.get("target", self.rules.target)
        if self.minimum_bank and isinstance(target, int) and self.minimum_bank > target:
            raise InputError("minimum-bank", self.minimum_bank, "at most the target")
        return self.rules.varied(**changes)

    def reachable(self) -> RuleSet:
        """Give the rules, which need a target."""
        game = self.game()
        if game.target is None:
            raise InputError("target", Unquoted("none"), "the points to reach")
        return game

    def require_dice(self, dice: DiceSet, name: str) -> None:
        """Refuse more dice than the rules let a player have."""
        if len(dice.dice) > self.rules.dice:
            raise InputError(name, len(dice.dice), f"at most {self.rules.dice} dice")


@dataclass(frozen=True)
class _Player(Question):
    """The dice of a player."""

    _: KW_ONLY
    dice: DiceSet = option(
        _DiceSets(),
        "Dice: names or six weights a:…:f, with counts, as fair*5,odd.",
        default=SIX_FAIR,
    )


@dataclass(frozen=True)
class _Rules(_Conventions):
    """The rules of the game, with what a bust costs."""

    _: KW_ONLY
    penalty: int | None = option(_POINTS, "Points that a bust costs besides.")

    def _changes(self) -> dict[str, int | None]:
        return super()._changes() | {"penalty": self.penalty}


@dataclass(frozen=True)
class _Game(_Rules, _Player):
    """A player's dice and the rules."""

    def check(self) -> None:
        """Refuse more dice than the rules let a player have."""
        super().check()
        self.require_dice(self.dice, "dice")


@dataclass(frozen=True)
class _Turn(_Game):
    """What a turn is played for."""

    _: KW_ONLY
    overshoot: Overshoot = option(
        Choice(Overshoot), "What points past the target are worth.", default=Overshoot.FULL
    )

    def solved(self, run: Run) -> BestTurn:
        """Find the best turn."""
        return solve(self.dice, self.game(), self.overshoot, run)


@dataclass(frozen=True)
class _Place(_Game):
    """Where in a turn a player stands."""

    _: KW_ONLY
    points: int = option(_POINTS, "Points of the turn so far.", default=0, metavar="P")
    left: int | DiceSet | None = option(_Left(), "Dice rolled; all of them by default.")

    def check(self) -> None:
        """Refuse points past the target, and dice that the player does not have."""
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
class Value(
    _Place,
    _Turn,
    command="farkle value",
    example="farkle value --points 450 --left 2",
    takes="a moment; 2 s for six different dice",
):
    """Expected gain of the best turn, Optimal(P, δ), and whether to bank at once."""

    def report(self, run: Run) -> Report:
        """Solve the turn, and follow its policy."""
        from exactdice.games.farkle.players import turn_end

        turn = self.solved(run)
        end = turn_end(turn, *self.place)
        return reports.value_report(turn, end, *self.place)


@dataclass(frozen=True)
class Table(_Turn, command="farkle table", example="farkle table", takes="a second"):
    """Optimal(P, δ) for all points and all sets of dice left."""

    def report(self, run: Run) -> Report:
        """Solve the turn, unless the table of its values would be too large."""
        turn = self.solved(run)
        rows = turn.end // turn.rules.unit * turn.dice.full
        run.require(table_bytes(rows, len(text(turn.value))), f"a table of {rows} values")
        return reports.table_report(turn)


@dataclass(frozen=True)
class Horizon(
    _Place, _Turn, command="farkle horizon", example="farkle horizon 3", takes="a second"
):
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
    _Place,
    _Turn,
    command="farkle advise",
    example="farkle advise --roll 1,1,5,3,4,6",
    takes="a moment",
):
    """What to keep of a roll and whether to bank, every choice with its regret."""

    _: KW_ONLY
    roll: tuple[int, ...] = option(
        _Roll(), "Face of each die rolled, J for a joker.", default=MISSING
    )

    def check(self) -> None:
        """Refuse faces that the dice cannot show."""
        from exactdice.games.farkle.selections import rolled_dice

        super().check()
        rolled_dice(self.dice, self.roll, self.place[1])

    def report(self, run: Run) -> Report:
        """Solve the turn, and weigh every choice."""
        from exactdice.games.farkle.players import advise

        turn = self.solved(run)
        choices = advise(turn, self.roll, *self.place)
        return reports.advice_report(turn, choices, self.roll, self.points)


@dataclass(frozen=True)
class Thresholds(_Turn, command="farkle thresholds", example="farkle thresholds", takes="a moment"):
    """From how many points to bank, by the dice left."""

    def report(self, run: Run) -> Report:
        """Solve the turn."""
        from exactdice.games.farkle.players import thresholds

        turn = self.solved(run)
        return reports.thresholds_report(turn, thresholds(turn))


@dataclass(frozen=True)
class Distribution(
    _Place, _Turn, command="farkle distribution", example="farkle distribution", takes="a moment"
):
    """Distribution of the points of a turn, and the chance to bust."""

    _: KW_ONLY
    bank_from: int | None = option(
        _POINTS, "A simple player instead: banks from N points on.", metavar="N"
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
        from exactdice.games.farkle.players import ThresholdPlayer, turn_end

        if self.bank_from is not None:
            player = ThresholdPlayer(self.game(), self.dice, self.bank_from, self.overshoot)
            end = player.turn_end(run, most=reports.MAX_SHOWN_LAW)
            policy = f"keeps the highest score and banks from {self.bank_from} points"
        else:
            end = turn_end(self.solved(run), *self.place, most=reports.MAX_SHOWN_LAW)
            policy = "maximises the expected points"
        return reports.end_report(end, self.game(), self.dice, self.overshoot, policy)


@dataclass(frozen=True)
class Turns(
    _Game, command="farkle turns", example="farkle turns --target 4000", takes="3 s to 4000 points"
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
        from exactdice.games.farkle.turns import turn_counts

        return turn_counts(self.dice, self.game(), self.turns, run, exact=self.exact).report()


@dataclass(frozen=True)
class Race(
    _Conventions, command="farkle race", example="farkle race --target 4000", takes="6 s to 4000"
):
    """Chance that the first of two players reaches the target first."""

    _: KW_ONLY
    first: DiceSet = option(_DiceSets(), "Dice of the first.", default=SIX_FAIR)
    second: DiceSet = option(_DiceSets(), "Dice of the second.", default=SIX_FAIR)

    def check(self) -> None:
        """Refuse rules without a target, and more dice than they let a player have."""
        super().check()
        self.reachable()
        self.require_dice(self.first, "first")
        self.require_dice(self.second, "second")

    def report(self, run: Run) -> Report:
        """Enclose the chance by two chains of turns."""
        from exactdice.games.farkle.turns import race

        chance = race(self.first, self.second, self.game(), run)
        return reports.race_report(chance, self.first, self.second, self.game())


@dataclass(frozen=True)
class Chance(
    _Place,
    command="farkle chance",
    example="farkle chance --target 2000 --turns 2",
    takes="a second a turn",
):
    """Best chance to reach the target within this turn, or within K turns."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns, this one included.", default=1, metavar="K")
    score: int = option(_POINTS, "Points banked before.", default=0)

    def check(self) -> None:
        """Refuse rules without a target, and points that reach it."""
        game = self.reachable()
        super().check()
        banked = game.whole_points(self.score, "score")
        if game.target is not None and banked + self.points >= game.target:
            raise InputError("points", banked + self.points, f"a sum below {game.target}")

    def report(self, run: Run) -> Report:
        """Solve a turn for every number of points that may be needed, turn by turn."""
        from exactdice.games.farkle.chances import BestChance

        best = BestChance(self.dice, self.game(), run)
        chance = best.chance(self.turns, self.score, *self.place)
        return reports.chance_report(best, chance, self.turns)


@dataclass(frozen=True)
class Rules(_Rules, command="farkle rules", example="farkle rules", takes="a moment"):
    """What scores, and every convention."""

    def report(self, run: Run) -> Report:
        """List them."""
        return reports.rules_report(self.game())


@dataclass(frozen=True)
class Dice(Question, command="farkle dice", example="farkle dice", takes="a moment"):
    """List the named dice."""

    def report(self, run: Run) -> Report:
        """List them, with the mean score of each alone."""
        from exactdice.games.farkle.exact import mean_best

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
    Chance,
    Rules,
    Dice,
    Readme,
)
