"""What can be asked about Risk: one class a command."""

from dataclasses import KW_ONLY, dataclass, replace

from exactdice.arithmetic import text
from exactdice.errors import InputError
from exactdice.games.risk import reports
from exactdice.games.risk.campaign import campaign
from exactdice.games.risk.dice_choice import Order, dice_game
from exactdice.games.risk.exact import nanoseconds, require_grid, solve, win_table
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import (
    MAX_DICE,
    MAX_SIDES,
    Rules,
    Ties,
    Units,
    fighting_units,
)
from exactdice.question import Question, argument, option
from exactdice.question.domains import Choice, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = [
    "QUESTIONS",
    "Campaign",
    "Dice",
    "Round",
    "Survivors",
    "Table",
    "Win",
]

_ARMY = Whole(least=1)
_DEFENCE = Whole(least=1)
_SIDES = Whole(least=1, most=MAX_SIDES)
_DICE = Whole(least=1, most=MAX_DICE)


@dataclass(frozen=True)
class _Dice(Question):
    """The dice of both sides."""

    _: KW_ONLY
    sides: int = option(_SIDES, "Sides of all dice.", default=6, metavar="S")
    attacker_sides: int | None = option(_SIDES, "Sides of the attacker's dice.", metavar="S")
    defender_sides: int | None = option(_SIDES, "Sides of the defender's dice.", metavar="S")
    ties: Ties = option(Choice(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)

    def rules(self) -> Rules:
        """Give the rules that the fields describe."""
        return Rules(
            attacker_sides=self.attacker_sides or self.sides,
            defender_sides=self.defender_sides or self.sides,
            ties=self.ties,
        )


@dataclass(frozen=True)
class _Battle(_Dice):
    """The conventions of a battle."""

    _: KW_ONLY
    units: Units = option(
        Choice(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    attacker_dice: int = option(_DICE, "The attacker's most dice.", default=3)
    defender_dice: int = option(_DICE, "The defender's most dice.", default=2)
    stop_below: int | None = option(
        Whole(least=1),
        "Stop when fewer attacking units than K are left, counted as A is.",
        metavar="K",
    )

    def check(self) -> None:
        """Refuse to stop below fewer units than can attack."""
        least = 2 if self.units is Units.TOTAL else 1
        if self.stop_below is not None and self.stop_below < least:
            raise InputError("stop-below", self.stop_below, f"a whole number of at least {least}")

    def rules(self) -> Rules:
        """Give the rules that the fields describe."""
        stop = 1 if self.stop_below is None else fighting_units(self.stop_below, self.units)
        return replace(
            super().rules(),
            attacker_dice=self.attacker_dice,
            defender_dice=self.defender_dice,
            stop_below=stop,
        )


@dataclass(frozen=True)
class _Armies(_Battle):
    """One army against another."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    defenders: int = argument(_DEFENCE, "Defending units.", metavar="D")

    def check(self) -> None:
        """Refuse an army that cannot attack."""
        super().check()
        fighting_units(self.attackers, self.units)

    def require(self, kept_states: int, run: Run, *, reduced: bool = False) -> Rules:
        """Give the rules, unless too many numbers of the size of these armies would be kept."""
        rules, fighting = self.rules(), fighting_units(self.attackers, self.units)
        require_grid(kept_states, self.attackers, self.defenders, rules, run)
        armies = f"{text(self.attackers)} against {text(self.defenders)}"
        run.expect(nanoseconds(fighting, self.defenders, rules, reduced=reduced), armies)
        return rules


@dataclass(frozen=True)
class Round(_Dice, command="risk round", example="risk round 3 2", takes="a moment"):
    """Losses in one round of A dice against D."""

    attackers: int = argument(_DICE, "Dice of the attacker.", metavar="A")
    defenders: int = argument(_DICE, "Dice of the defender.", metavar="D")

    def report(self, run: Run) -> Report:
        """Enumerate the weak orders of the dice."""
        rules = replace(self.rules(), attacker_dice=self.attackers, defender_dice=self.defenders)
        losses = round_losses(self.attackers, self.defenders, rules)
        return reports.round_report(losses, self.attackers, self.defenders, rules)


@dataclass(frozen=True)
class Win(_Armies, command="risk win", example="risk win 4 2", takes="1 s for 500 against 500"):
    """Probability that A attackers beat D defenders."""

    def report(self, run: Run) -> Report:
        """Run the recursion over battles, keeping as many rows as a round can cost units."""
        rows = min(self.attacker_dice, self.defender_dice) + 1
        rules = self.require(rows * self.attackers, run)
        return reports.win_report(solve(self.attackers, self.defenders, self.units, rules, run))


@dataclass(frozen=True)
class Table(_Armies, command="risk table", example="risk table 10 10", takes="2 s for 300 and 300"):
    """Probability to win for every army up to A against every D."""

    def report(self, run: Run) -> Report:
        """Run the recursion over battles, keeping every fraction."""
        rules = self.require(2 * self.attackers * self.defenders, run, reduced=True)
        return reports.table_report(
            win_table(self.attackers, self.defenders, self.units, rules, run)
        )


@dataclass(frozen=True)
class Survivors(
    _Armies, command="risk survivors", example="risk survivors 10 10", takes="2 s for 60 and 60"
):
    """Who is left after A attack D, the losses and the number of rounds."""

    def report(self, run: Run) -> Report:
        """Push the starting state forward."""
        rules = self.require(self.attackers * self.defenders, run)
        return reports.battle_report(solve(self.attackers, self.defenders, self.units, rules, run))


@dataclass(frozen=True)
class Campaign(
    _Battle, command="risk campaign", example="risk campaign 12 3 2 1", takes="a moment"
):
    """Probability that A take a list of territories, and where they end."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    territories: tuple[int, ...] = argument(
        _DEFENCE, "Defenders of each territory in order.", metavar="D1 D2 …", many=True
    )

    def check(self) -> None:
        """Refuse an army that cannot attack."""
        super().check()
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        """Push the army through one territory after another."""
        rules, largest = self.rules(), max(self.territories)
        require_grid(self.attackers * largest, self.attackers, sum(self.territories), rules, run)
        return reports.campaign_report(
            campaign(self.attackers, self.territories, self.units, rules)
        )


@dataclass(frozen=True)
class Dice(_Armies, command="risk dice", example="risk dice 20 20", takes="1 s for 20 and 20"):
    """How many dice to roll at every state when both sides may choose."""

    _: KW_ONLY
    order: Order = option(Choice(Order), "Who knows what when choosing.", default=Order.ANNOUNCED)

    def report(self, run: Run) -> Report:
        """Solve the game of choosing dice at every state."""
        rules = self.require(2 * self.attackers * self.defenders, run)
        return reports.dice_report(
            dice_game(self.attackers, self.defenders, self.order, self.units, rules, run)
        )


#: Every question of this game, in the order in which help lists them.
QUESTIONS = (Round, Win, Table, Survivors, Campaign, Dice)
