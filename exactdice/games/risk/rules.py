"""Risk: what a battle is.

An attacking army assaults a territory. Each round the attacker rolls a die for each of up to
`attacker_dice` fighting units, the defender for each of up to `defender_dice`. Both sort their
dice from the highest down and compare the highest with the highest, the second with the second,
as far as both have dice. The lower die of a pair costs its side one unit; a tie costs the attacker
one, or the defender, as the rules say. The battle ends when no defender is left, or when fewer
than `stop_below` attackers are (1: the attack goes on to the last unit).

Two ways of counting the attacker's army are in use, and one is never taken for the other:

* **total** units, the convention of the Risk post and of the rule book: one unit must stay behind
  and never rolls, so 4 total units attack with 3;
* **fighting** units, the convention of much published code: only the units that can roll.

States inside the package are pairs (a, d) of fighting units.

Source: the assignment text quoted in the Risk post, "Game of Risk", 17 September 2020.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from exactdice.arithmetic import natural, text
from exactdice.errors import InputError

#: Most dice of one side in a round, whose cost grows as (a + d)(a·d)²·min(a, d).
MAX_DICE = 20

#: Most sides of one die.
MAX_SIDES = 1_000_000


class Units(StrEnum):
    """How the attacker's army is counted."""

    TOTAL = "total"
    FIGHTING = "fighting"


class Ties(StrEnum):
    """Which side wins a pair of equal dice."""

    DEFENDER = "defender"
    ATTACKER = "attacker"


def read_units(units: Units | str) -> Units:
    """Read the name of a convention."""
    try:
        return Units(units)
    except ValueError:
        raise InputError("units", units, "total or fighting") from None


def read_ties(ties: Ties | str) -> Ties:
    """Read the name of the side that wins ties."""
    try:
        return Ties(ties)
    except ValueError:
        raise InputError("ties", ties, "defender or attacker") from None


@dataclass(frozen=True)
class Rules:
    """House rules of a battle; the defaults are the published ones.

    Parameters
    ----------
    attacker_dice, defender_dice
        Most dice each side rolls, 1 to `MAX_DICE`.
    attacker_sides, defender_sides
        Sides of each side's fair dice, 1 to `MAX_SIDES`.
    ties
        Which side wins a tie.
    stop_below
        The attacker stops when fewer fighting units than this are left; at least 1.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> Rules(ties="attacker").ties
    <Ties.ATTACKER: 'attacker'>
    >>> Rules(attacker_dice=0)
    Traceback (most recent call last):
    exactdice.errors.InputError: attacker_dice: got 0; give a whole number from 1 to 20
    """

    attacker_dice: int = 3
    defender_dice: int = 2
    attacker_sides: int = 6
    defender_sides: int = 6
    ties: Ties = Ties.DEFENDER
    stop_below: int = 1

    def __post_init__(self) -> None:
        for name in ("attacker_dice", "defender_dice"):
            self._read(name, MAX_DICE)
        for name in ("attacker_sides", "defender_sides"):
            self._read(name, MAX_SIDES)
        self._read("stop_below", None)
        object.__setattr__(self, "ties", read_ties(self.ties))

    def _read(self, name: str, most: int | None) -> None:
        object.__setattr__(self, name, natural(getattr(self, name), name, least=1, most=most))

    def dice_rolled(self, attackers: int, defenders: int) -> tuple[int, int]:
        """Dice of both sides in the next round when both roll as many as they may.

        Examples
        --------
        >>> STANDARD.dice_rolled(5, 1)
        (3, 1)
        """
        return min(attackers, self.attacker_dice), min(defenders, self.defender_dice)

    def is_over(self, attackers: int, defenders: int) -> bool:
        """Whether the battle has ended in a state of fighting units."""
        return defenders == 0 or attackers < self.stop_below

    def with_sides(self, sides: int) -> "Rules":
        """Return the same rules with both sides' dice changed."""
        return replace(self, attacker_sides=sides, defender_sides=sides)

    def numbers(self) -> tuple[int, int, int, int, bool, int]:
        """Give the rules as `exactdice.native.risk` takes them."""
        dice = self.attacker_dice, self.defender_dice, self.attacker_sides, self.defender_sides
        return (*dice, self.ties is Ties.ATTACKER, self.stop_below)

    def conventions(self) -> dict[str, str]:
        """Name every convention in force, for an output's provenance."""
        described = {
            "dice": f"at most {self.attacker_dice} against {self.defender_dice}",
            "sides": f"{text(self.attacker_sides)} against {text(self.defender_sides)}",
            "ties": f"won by the {self.ties}",
        }
        if self.stop_below > 1:
            described["stop"] = f"below {text(self.stop_below)} fighting units"
        return described


#: The published rules: three dice against two, six sides, ties to the defender.
STANDARD = Rules()


def fighting_units(attackers: object, units: Units | str = Units.TOTAL) -> int:
    """Read the attacker's army in the given convention and return the units that can roll.

    >>> fighting_units(4), fighting_units(4, "fighting")
    (3, 4)
    """
    if read_units(units) is Units.TOTAL:
        try:
            return natural(attackers, "attackers", least=2) - 1
        except InputError:
            wanted = "a whole number of at least 2 total units: one of them stays behind"
            raise InputError("attackers", attackers, wanted) from None
    return natural(attackers, "attackers", least=1)


def shown_units(fighting: int, units: Units | str = Units.TOTAL) -> int:
    """Return a number of fighting units in the given convention.

    >>> shown_units(3), shown_units(3, "fighting")
    (4, 3)
    """
    return fighting + 1 if read_units(units) is Units.TOTAL else fighting
