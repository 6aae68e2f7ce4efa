"""What can be asked about Risk: one class a command."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError
from exactdice.formats.certified import OfGame
from exactdice.games.risk import reports
from exactdice.games.risk.exact import (
    least_armies,
    nanoseconds,
    nanoseconds_of_rounds,
    require_grid,
    solve,
    win_table,
)
from exactdice.games.risk.long_battle import nanoseconds_of_one, states_kept
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import (
    MAX_BONUS,
    MAX_DICE,
    MAX_SIDES,
    Law,
    RiskRules,
    Ties,
    Units,
    fighting_units,
    law_text,
    read_law,
)
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, File, Listed, OneOf, Whole
from exactdice.report.model import Report
from exactdice.run import Run

_ARMY = Whole(least=1)
_SIDES = Whole(least=1, most=MAX_SIDES)
_DICE = Whole(least=1, most=MAX_DICE)
_MIX = Listed(Whole(least=1, most=MAX_SIDES), "S,S,…")
_WANTED = mpq(1, 2), mpq(3, 4), mpq(9, 10)
_BONUS = Listed(Whole(most=MAX_BONUS), "N,N,…")


class RoundDistributions(Domain[Law]):
    """Chances of rounds, as text or in a file.

    >>> RoundDistributions().write(RoundDistributions().read("2v1:125,91;1v1:15,21", "law"))
    '1v1:15,21;2v1:125,91'
    """

    metavar = "LAW|FILE"

    def names_file(self, value: Any) -> bool:
        """Whether this has none of the colons of a law."""
        return isinstance(value, str | Path) and ":" not in str(value)

    def read(self, value: Any, name: str) -> Law:
        if not isinstance(value, str | Path):
            return read_law(value, name)
        if not self.names_file(value):
            return read_law(str(value), name)
        try:
            return read_law(File().read(value, name).read_text(encoding="utf-8"), name)
        except (OSError, UnicodeError) as problem:
            wanted = "a law such as 1v1:15,21, or a file that holds one"
            raise InputError(name, str(value), wanted) from problem

    def write(self, value: Law) -> str:
        return law_text(value)


@dataclass(frozen=True)
class RollQuestion(Question):
    """The dice of both sides."""

    _: KW_ONLY
    sides: int = option(_SIDES, "Sides of all dice.", default=6, metavar="S")
    attacker_sides: int | None = option(_SIDES, "Sides of the attacker's dice.", metavar="S")
    defender_sides: int | None = option(_SIDES, "Sides of the defender's dice.", metavar="S")
    ties: Ties = option(OneOf(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)
    attacker_mix: tuple[int, ...] | None = option(_MIX, "Sides of the attacker's first dice.")
    defender_mix: tuple[int, ...] | None = option(_MIX, "Sides of the defender's first dice.")
    attacker_bonus: tuple[int, ...] | None = option(
        _BONUS, "Added to the attacker's highest, second, … die."
    )
    defender_bonus: tuple[int, ...] | None = option(
        _BONUS, "Added to the defender's highest, second, … die."
    )
    law: Law | None = option(
        RoundDistributions(),
        "In place of dice, for each A against D the weights of 0, 1, … units that the attacker "
        "loses: as 1v1:15,21;2v1:125,91, or a FILE of such lines.",
    )

    def rules(self, **battle: Any) -> RiskRules:
        """Give the rules that the fields describe, with numbers of dice where they differ."""
        names = ("attacker_mix", "defender_mix", "attacker_bonus", "defender_bonus", "law")
        house: dict[str, Any] = {name: getattr(self, name) or () for name in names}
        return RiskRules(
            attacker_sides=self.attacker_sides or self.sides,
            defender_sides=self.defender_sides or self.sides,
            ties=self.ties,
            **house,
            **battle,
        )


@dataclass(frozen=True)
class BattleQuestion(RollQuestion):
    """The conventions of a battle."""

    _: KW_ONLY
    units: Units = option(
        OneOf(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    attacker_dice: int = option(_DICE, "The attacker's most dice.", default=3)
    defender_dice: int = option(_DICE, "The defender's most dice.", default=2)
    stop_below: int | None = option(
        Whole(least=1),
        "Stop when fewer attacking units than K are left, counted as A is.",
        metavar="K",
    )

    def check(self) -> None:
        least = 2 if self.units is Units.TOTAL else 1
        if self.stop_below is not None and self.stop_below < least:
            raise InputError("stop-below", self.stop_below, f"a whole number of at least {least}")

    def rules(self, **battle: Any) -> RiskRules:
        """Give the rules that the fields describe."""
        stop = 1 if self.stop_below is None else fighting_units(self.stop_below, self.units)
        dice = {"attacker_dice": self.attacker_dice, "defender_dice": self.defender_dice}
        return super().rules(**dice, stop_below=stop, **battle)


@dataclass(frozen=True)
class ArmiesQuestion(BattleQuestion):
    """One army against another."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    defenders: int = argument(_ARMY, "Defending units.", metavar="D")

    def check(self) -> None:
        super().check()
        fighting_units(self.attackers, self.units)

    def require(
        self, kept_states: int, run: Run, time: Callable[[int, int, RiskRules], int] = nanoseconds
    ) -> RiskRules:
        """Give the rules, unless too many numbers of the size of these armies would be kept."""
        rules, fighting = self.rules(), fighting_units(self.attackers, self.units)
        require_grid(kept_states, self.attackers, self.defenders, rules, run)
        armies = f"{text(self.attackers)} against {text(self.defenders)}"
        run.expect(time(fighting, self.defenders, rules), armies)
        return rules


@dataclass(frozen=True)
class RiskRound(RollQuestion, command="risk round", example="risk round 3 2", takes="a moment"):
    """Losses in one round of A dice against D."""

    attackers: int = argument(_DICE, "Dice of the attacker.", metavar="A")
    defenders: int = argument(_DICE, "Dice of the defender.", metavar="D")

    def report(self, run: Run) -> Report:
        rules = self.rules(attacker_dice=self.attackers, defender_dice=self.defenders)
        losses = round_losses(self.attackers, self.defenders, rules)
        return reports.round_report(losses, self.attackers, self.defenders, rules)


@dataclass(frozen=True)
class RiskWin(
    ArmiesQuestion,
    OfGame,
    command="risk win",
    example="risk win 4 2",
    takes="1 s for 5000 against 5000",
):
    """Probability that A attackers beat D defenders."""

    game_from = "exactdice.games.risk.model:game_of_win"

    def report(self, run: Run) -> Report:
        kept = states_kept(self.attackers, self.defenders, self.rules())
        rules = self.require(kept, run, nanoseconds_of_one)
        return reports.win_report(solve(self.attackers, self.defenders, self.units, rules, run))


@dataclass(frozen=True)
class RiskTable(
    ArmiesQuestion, command="risk table", example="risk table 10 10", takes="2 s for 300 and 300"
):
    """Probability to win for every army up to A against every D."""

    def report(self, run: Run) -> Report:
        rules = self.require(
            2 * self.attackers * self.defenders, run, partial(nanoseconds, reduced=True)
        )
        return reports.table_report(
            win_table(self.attackers, self.defenders, self.units, rules, run)
        )


@dataclass(frozen=True)
class RiskLeast(BattleQuestion, command="risk least", example="risk least 5", takes="1 s for 600"):
    """Smallest armies that beat D defenders with probability 50, 75 and 90 %."""

    defenders: int = argument(_ARMY, "Defending units.", metavar="D")

    def report(self, run: Run) -> Report:
        rules, most = self.rules(), self.defenders * 3 // 2 + 20
        require_grid((rules.defender_dice + 2) * most, most, self.defenders, rules, run)
        run.expect(nanoseconds(most, self.defenders, rules), f"{text(self.defenders)} defenders")
        armies = least_armies(self.defenders, most, _WANTED, rules, run)
        return reports.least_report(self.defenders, armies, most, rules, self.units)


@dataclass(frozen=True)
class RiskSurvivors(
    ArmiesQuestion,
    command="risk survivors",
    example="risk survivors 10 10",
    takes="1 s for 400 and 400",
):
    """Who is left after A attack D, the losses and the number of rounds."""

    def report(self, run: Run) -> Report:
        rules = self.require(4 * (self.attackers + self.defenders), run, nanoseconds_of_rounds)
        return reports.battle_report(solve(self.attackers, self.defenders, self.units, rules, run))


#: The questions of this module, in the order of the help.
QUESTIONS = (RiskRound, RiskWin, RiskTable, RiskLeast, RiskSurvivors)
