"""Risk: what a battle is.

An attacking army assaults a territory. Each round the attacker rolls a die for each of up to
`attacker_dice` fighting units, the defender for each of up to `defender_dice`. Both sort their
dice from the highest down and compare the highest with the highest, the second with the second,
as far as both have dice. The lower die of a pair costs its side one unit; a tie costs the attacker
one, or the defender, as the rules say. House rules may add to sorted dice before they meet, give a
side dice of different sides, or say the chances of each round. The battle ends when no defender is
left, or when fewer than `stop_below` attackers are (1: the attack goes on to the last unit).

Two ways of counting the attacker's army are in use, and one is never taken for the other:

* **total** units, the convention of the Risk post and of the rule book: one unit must stay behind
  and never rolls, so 4 total units attack with 3;
* **fighting** units, the convention of much published code: only the units that can roll.

States inside the package are pairs (a, d) of fighting units.

Source: the assignment text quoted in the Risk post, "Game of Risk", 17 September 2020.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from operator import sub

from exactdice.arithmetic import natural, text
from exactdice.errors import InputError, Unquoted

#: Most dice of one side in a round, whose cost grows as (a + d)(a·d)²·min(a, d).
MAX_DICE = 20

#: Most sides of one die.
MAX_SIDES = 1_000_000

#: Most that is added to a die.
MAX_BONUS = 100


class Units(StrEnum):
    """How the attacker's army is counted."""

    TOTAL = "total"
    FIGHTING = "fighting"


class Order(StrEnum):
    """Who knows what when the numbers of dice are chosen."""

    ANNOUNCED = "announced"
    SIMULTANEOUS = "simultaneous"
    AFTER = "after"


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
class RiskRules:
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
    attacker_mix, defender_mix
        Sides of a side's first, second, … die, which it rolls before any others.
    attacker_bonus, defender_bonus
        What is added to a side's highest, second highest, … die, after they are sorted and before
        they meet. To take 1 from the defender's is to add 1 to the attacker's that it meets.
    law
        In place of dice, for each number of dice of both sides the weights of the rounds in which
        the attacker loses 0, 1, … units, of as many as both have dice: pairs ((a, d), weights).

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> RiskRules(ties="attacker").ties
    <Ties.ATTACKER: 'attacker'>
    >>> RiskRules(attacker_dice=0)
    Traceback (most recent call last):
    exactdice.errors.InputError: attacker_dice: got 0; expected a whole number from 1 to 20
    """

    attacker_dice: int = 3
    defender_dice: int = 2
    attacker_sides: int = 6
    defender_sides: int = 6
    ties: Ties = Ties.DEFENDER
    stop_below: int = 1
    attacker_mix: tuple[int, ...] = ()
    defender_mix: tuple[int, ...] = ()
    attacker_bonus: tuple[int, ...] = ()
    defender_bonus: tuple[int, ...] = ()
    law: "Law | str" = ()

    def __post_init__(self) -> None:
        for name in ("attacker_dice", "defender_dice"):
            self._read(name, MAX_DICE)
        for name in ("attacker_sides", "defender_sides"):
            self._read(name, MAX_SIDES)
        self._read("stop_below", None)
        object.__setattr__(self, "ties", read_ties(self.ties))
        for name, least, most in (("mix", 1, MAX_SIDES), ("bonus", 0, MAX_BONUS)):
            for side in ("attacker", "defender"):
                field = f"{side}_{name}"
                numbers = (natural(n, field, least=least, most=most) for n in getattr(self, field))
                object.__setattr__(self, field, tuple(numbers))
        lacking = [
            dice for dice in self._numbers_of_dice() if self.law and dice not in self.weights
        ]
        if lacking:
            a, d = lacking[0]
            raise InputError("law", Unquoted(f"none for {a} dice against {d}"), f"{a}v{d}:W0,W1,…")

    def _numbers_of_dice(self) -> Iterator[tuple[int, int]]:
        return product(range(1, self.attacker_dice + 1), range(1, self.defender_dice + 1))

    @property
    def weights(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The law by the dice of both sides."""
        return dict(read_law(self.law))

    @property
    def is_plain(self) -> bool:
        """Whether all dice of a side are alike and nothing is added to them."""
        return not (
            any(self.attacker_mix + self.defender_mix)
            or any(self.attacker_bonus + self.defender_bonus)
        )

    def sides_of(self, attacker_dice: int, defender_dice: int) -> tuple[tuple[int, ...], ...]:
        """Return the sides of each die of the attacker and of the defender.

        >>> RiskRules(attacker_mix=(8,)).sides_of(3, 2)
        ((8, 6, 6), (6, 6))
        """
        attack = self.attacker_mix + (self.attacker_sides,) * attacker_dice
        defence = self.defender_mix + (self.defender_sides,) * defender_dice
        return attack[:attacker_dice], defence[:defender_dice]

    def ahead(self, pairs: int) -> tuple[int, ...]:
        """Return what the attacker's highest, second, … die gains on the one that it meets."""
        none = (0,) * pairs
        bonuses = (self.attacker_bonus + none)[:pairs], (self.defender_bonus + none)[:pairs]
        return tuple(map(sub, *bonuses))

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

    def with_sides(self, sides: int) -> "RiskRules":
        """Return the same rules with both sides' dice changed."""
        return replace(self, attacker_sides=sides, defender_sides=sides)

    def conventions(self) -> dict[str, str]:
        """Name every convention in force, for an output's provenance."""
        described = {
            "dice": f"at most {self.attacker_dice} against {self.defender_dice}",
            "sides": f"{text(self.attacker_sides)} against {text(self.defender_sides)}",
            "ties": f"won by the {self.ties}",
        }
        for side in ("attacker", "defender"):
            if mix := getattr(self, f"{side}_mix"):
                described[f"sides of the first dice of the {side}"] = ", ".join(map(text, mix))
            if any(bonus := getattr(self, f"{side}_bonus")):
                described[f"added to the highest dice of the {side}"] = ", ".join(map(text, bonus))
        if self.law:
            del described["sides"], described["ties"]
            described["law"] = law_text(read_law(self.law))
        if self.stop_below > 1:
            described["stop"] = f"below {text(self.stop_below)} fighting units"
        return described


#: Chances of rounds: for each number of dice of both sides the weights by the attacker's losses.
Law = tuple[tuple[tuple[int, int], tuple[int, ...]], ...]

_ROUND = re.compile(r"([0-9]+)v([0-9]+):([0-9]+(?:,[0-9]+)*)", re.ASCII)


def read_law(law: Law | str, name: str = "law") -> Law:
    """Read the chances of rounds, as `law_text` writes them, in one line or in several.

    >>> read_law("1v1:15,21")
    (((1, 1), (15, 21)),)
    >>> read_law("2v1:1,1,1")
    Traceback (most recent call last):
    exactdice.errors.InputError: law: got '2v1:1,1,1'; expected 2 weights that are not all 0, for the \
attacker's losses 0 to 1
    """
    rounds: dict[tuple[int, int], tuple[int, ...]] = {}
    for line in re.split(r"[;\s]+", (law if isinstance(law, str) else law_text(law)).strip("; \n")):
        match = _ROUND.fullmatch(line)
        if not line:
            continue
        if not match:
            raise InputError(
                name, line, "rounds such as 3v2:2890,2611,2275 with ; or lines between"
            )
        a, d = (natural(match[i], name, least=1, most=MAX_DICE) for i in (1, 2))
        weights = tuple(natural(weight, name) for weight in match[3].split(","))
        if len(weights) != min(a, d) + 1 or not any(weights):
            wanted = f"{min(a, d) + 1} weights that are not all 0, for the attacker's losses"
            raise InputError(name, line, f"{wanted} 0 to {min(a, d)}")
        rounds[a, d] = weights
    return tuple(sorted(rounds.items()))


def law_text(law: Law) -> str:
    """Write the chances of each round in one line.

    >>> law_text((((1, 1), (15, 21)), ((2, 1), (125, 91))))
    '1v1:15,21;2v1:125,91'
    """
    return ";".join(f"{a}v{d}:{','.join(map(text, weights))}" for (a, d), weights in law)


#: The published rules: three dice against two, six sides, ties to the defender.
STANDARD = RiskRules()


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
