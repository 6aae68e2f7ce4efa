"""What can be asked about Risk: one class a command."""

from dataclasses import KW_ONLY, dataclass, replace

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.errors import InputError
from exactdice.games.risk import reports
from exactdice.games.risk.app_reports import blitz_report, plan_report
from exactdice.games.risk.balanced_blitz import blitz
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
from exactdice.games.risk.stopping import Worth, plan
from exactdice.games.risk.territories import Territories, Territory
from exactdice.question import Question, argument, option
from exactdice.question.domains import Choice, Listed, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = [
    "QUESTIONS",
    "Blitz",
    "Campaign",
    "Dice",
    "Plan",
    "Round",
    "Survivors",
    "Table",
    "Win",
]

_ARMY = Whole(least=1)
_DEFENCE = Whole(least=1)
_TERRITORIES = "Defenders of each territory in order, as 5 or 15:capital+wall or 8:zombies."
_ONE_TERRITORY = "Defenders, as 5 or 15:capital+wall or 8:zombies."
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

    def rows(self) -> int:
        """Count the rows of the grid of armies that are kept at once."""
        return min(self.attacker_dice, self.defender_dice) + 1

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
        rules = self.require(self.rows() * self.attackers, run)
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
        rules = self.require(self.rows() * (self.attackers + self.defenders), run)
        return reports.battle_report(solve(self.attackers, self.defenders, self.units, rules, run))


@dataclass(frozen=True)
class Campaign(
    _Battle, command="risk campaign", example="risk campaign 12 3 2 1", takes="a moment"
):
    """Probability that A take a list of territories, and where they end."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    territories: tuple[Territory, ...] = argument(
        Territories(), _TERRITORIES, metavar="D1 D2 …", many=True
    )
    _: KW_ONLY
    leave: int = option(
        Whole(least=1), "Units to leave in each territory taken on the way.", default=1
    )

    def check(self) -> None:
        """Refuse an army that cannot attack."""
        super().check()
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        """Push the army through one territory after another."""
        rules = self.rules()
        total = sum(t.defenders for t in self.territories)
        strongest = _strongest(self, rules)
        kept = (strongest.defender_dice + 2) * self.attackers + total
        require_grid(kept, self.attackers, total, strongest, run)
        return reports.campaign_report(
            campaign(self.attackers, self.territories, self.units, rules, self.leave)
        )


@dataclass(frozen=True)
class Plan(_Dice, command="risk plan", example="risk plan 12 5:capital 3 2", takes="1 s for 300"):
    """When to attack and when to stop a campaign, and how many units to leave behind."""

    attackers: int = argument(Whole(least=2), "Attacking units, one of which stays.", metavar="A")
    territories: tuple[Territory, ...] = argument(
        Territories(), _TERRITORIES, metavar="D1 D2 …", many=True
    )
    _: KW_ONLY
    unit: mpq = option(Rational(), "What each own unit that falls costs.", default=mpq(1))
    enemy: mpq = option(Rational(), "Worth of each enemy unit that falls.", default=mpq(1))
    territory: mpq = option(Rational(), "Worth of each territory taken.", default=mpq(2))
    guards: tuple[mpq, ...] | None = option(
        Listed(Rational(), "Q,Q,…"),
        "Worth of the first, second, … unit that guards a territory under or behind the army.",
    )

    def check(self) -> None:
        """Refuse negative worth."""
        self.worth()

    def worth(self) -> Worth:
        """Give what is gained and lost."""
        return Worth(self.unit, self.enemy, self.territory, self.guards or ())

    def report(self, run: Run) -> Report:
        """Solve the decision process backward."""
        rules = _strongest(self, self.rules())
        total = sum(t.defenders for t in self.territories)
        rows = 4 * (rules.defender_dice + 2) + 1
        require_grid(rows * self.attackers, self.attackers, total, rules, run)
        return plan_report(plan(self.attackers, self.territories, self.worth(), self.rules(), run))


def _strongest(asked: "Campaign | Plan", rules: Rules) -> Rules:
    """Give the rules of the territory whose numbers are longest."""
    return max((t.rules(rules) for t in asked.territories), key=lambda r: r.defender_dice)


@dataclass(frozen=True)
class Blitz(_Dice, command="risk blitz", example="risk blitz 20 15:capital", takes="1 s for 60"):
    """Chances of a balanced blitz in the Risk app, beside those of the dice."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    territory: Territory = argument(Territories(), _ONE_TERRITORY, metavar="D")
    _: KW_ONLY
    units: Units = option(
        Choice(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    attacker_dice: int = option(_DICE, "The attacker's most dice; zombies roll 2.", default=3)

    def check(self) -> None:
        """Refuse an army that cannot attack."""
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        """Change the law of the battle as the app does."""
        rules = self.territory.rules(replace(self.rules(), attacker_dice=self.attacker_dice))
        defenders = self.territory.defenders
        kept = (rules.defender_dice + 2) * (self.attackers + defenders)
        require_grid(kept, self.attackers, defenders, rules, run)
        return blitz_report(blitz(solve(self.attackers, defenders, self.units, rules, run)))


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
QUESTIONS = (Round, Win, Table, Survivors, Campaign, Plan, Blitz, Dice)
