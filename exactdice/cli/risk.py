"""`exactdice risk …`: rounds, battles, campaigns and the choice of dice."""

from dataclasses import dataclass, replace
from typing import Annotated

import typer

from exactdice.arithmetic import natural, text
from exactdice.cli.presenting import OptionGroup, command, group, one_of
from exactdice.games.risk import Order, Rules, Ties, Units, fighting_units
from exactdice.games.risk.exact import storage
from exactdice.games.risk.rules import MOST_DICE
from exactdice.memory import require_memory
from exactdice.tables import risk as reports
from exactdice.tables.model import Report

__all__ = ["app"]

app = group()


@dataclass(frozen=True)
class _Setting:
    """The conventions of a command, and whether it may go past the memory limit."""

    units: Units
    rules: Rules
    force: bool

    def armies(self, attackers: str, defenders: str) -> tuple[int, int]:
        fighting_units(attackers, self.units)
        return natural(attackers, "attackers"), natural(defenders, "defenders", least=1)

    def require(self, numbers: int, attackers: int, defenders: int) -> None:
        """Refuse what would keep too many numbers of the size that these armies give."""
        if not self.force:
            needed = storage(numbers, attackers + defenders, self.rules)
            require_memory(needed, f"{text(attackers)} against {text(defenders)}", or_force=True)


_Sides = Annotated[str, typer.Option("--sides", metavar="S", help="Sides of all dice.")]
_AttackerSides = Annotated[str, typer.Option(metavar="S", help="Sides of the attacker's dice.")]
_DefenderSides = Annotated[str, typer.Option(metavar="S", help="Sides of the defender's dice.")]
_TiesOption = Annotated[
    str, typer.Option(metavar="|".join(Ties), help="Who wins a pair of equal dice.")
]


def _read_round(
    sides: _Sides = "6",
    attacker_sides: _AttackerSides = "",
    defender_sides: _DefenderSides = "",
    ties: _TiesOption = "defender",
) -> Rules:
    return Rules(
        attacker_sides=natural(attacker_sides or sides, "sides", least=1),
        defender_sides=natural(defender_sides or sides, "sides", least=1),
        ties=Ties(one_of(ties, list(Ties), "ties")),
    )


def _read_setting(
    units: Annotated[
        str,
        typer.Option(metavar="|".join(Units), help="Whether A counts the unit that stays behind."),
    ] = "total",
    sides: _Sides = "6",
    attacker_sides: _AttackerSides = "",
    defender_sides: _DefenderSides = "",
    attacker_dice: Annotated[
        str, typer.Option(metavar="N", help="The attacker's most dice.")
    ] = "3",
    defender_dice: Annotated[
        str, typer.Option(metavar="N", help="The defender's most dice.")
    ] = "2",
    ties: _TiesOption = "defender",
    stop_below: Annotated[
        str, typer.Option(metavar="K", help="Stop when fewer attacking units than K are left.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Go past the memory limit.")] = False,
) -> _Setting:
    counted = Units(one_of(units, list(Units), "units"))
    smallest_attack = 2 if counted is Units.TOTAL else 1
    kept = natural(stop_below or smallest_attack, "stop_below", least=smallest_attack)
    rules = replace(
        _read_round(sides, attacker_sides, defender_sides, ties),
        attacker_dice=natural(attacker_dice, "attacker_dice"),
        defender_dice=natural(defender_dice, "defender_dice"),
        stop_below=fighting_units(kept, counted),
    )
    return _Setting(counted, rules, force)


_Attackers = Annotated[str, typer.Argument(metavar="A", help="Attacking units.")]
_Defenders = Annotated[str, typer.Argument(metavar="D", help="Defending units.")]
_SettingOptions = Annotated[_Setting, OptionGroup(_read_setting)]


@command(app, "round")
def show_round(
    attackers: Annotated[str, typer.Argument(metavar="A", help="Dice of the attacker.")],
    defenders: Annotated[str, typer.Argument(metavar="D", help="Dice of the defender.")],
    rules: Annotated[Rules, OptionGroup(_read_round)],
) -> Report:
    """Losses in one round of A dice against D."""
    allowing = replace(
        rules,
        attacker_dice=natural(attackers, "attackers", least=1, most=MOST_DICE),
        defender_dice=natural(defenders, "defenders", least=1, most=MOST_DICE),
    )
    return reports.round_report(allowing.attacker_dice, allowing.defender_dice, allowing)


@command(app, "win")
def show_win(attackers: _Attackers, defenders: _Defenders, setting: _SettingOptions) -> Report:
    """Probability that A attackers beat D defenders."""
    a, d = setting.armies(attackers, defenders)
    reach = min(setting.rules.attacker_dice, setting.rules.defender_dice)
    setting.require((reach + 1) * a, a, d)
    return reports.win_report(a, d, setting.units, setting.rules)


@command(app, "table")
def show_table(attackers: _Attackers, defenders: _Defenders, setting: _SettingOptions) -> Report:
    """Probability to win for every army up to A against every D."""
    a, d = setting.armies(attackers, defenders)
    setting.require(2 * a * d, a, d)
    return reports.table_report(a, d, setting.units, setting.rules)


@command(app, "survivors")
def show_survivors(
    attackers: _Attackers, defenders: _Defenders, setting: _SettingOptions
) -> Report:
    """Who is left after A attack D, the losses and the number of rounds."""
    a, d = setting.armies(attackers, defenders)
    setting.require(a * d, a, d)
    return reports.survivors_report(a, d, setting.units, setting.rules)


@command(app, "campaign")
def show_campaign(
    attackers: _Attackers,
    territories: Annotated[
        list[str], typer.Argument(metavar="D1 D2 …", help="Defenders of each territory in order.")
    ],
    setting: _SettingOptions,
) -> Report:
    """Probability that A take a list of territories, and where they end."""
    armies = [setting.armies(attackers, defenders) for defenders in territories]
    a, defended = armies[0][0], [d for _, d in armies]
    setting.require(a * max(defended), a, sum(defended))
    return reports.campaign_report(a, defended, setting.units, setting.rules)


@command(app, "dice")
def show_dice(
    attackers: _Attackers,
    defenders: _Defenders,
    setting: _SettingOptions,
    order: Annotated[
        str, typer.Option(metavar="|".join(Order), help="Who knows what when choosing.")
    ] = "announced",
) -> Report:
    """How many dice to roll at every state when both sides may choose."""
    a, d = setting.armies(attackers, defenders)
    setting.require(2 * a * d, a, d)
    chosen = Order(one_of(order, list(Order), "order"))
    return reports.dice_report(a, d, chosen, setting.units, setting.rules)
