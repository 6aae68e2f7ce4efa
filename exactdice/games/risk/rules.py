"""Rules of a Risk battle.

An attacking army assaults a territory. In each round the attacker rolls a die for each of up to
`attacker_dice` fighting units, the defender for each of up to `defender_dice`. Both sort their dice
in descending order and compare them pair by pair, as far as both have dice. The lower die of a pair
costs its side one unit; the rules say who wins ties. House rules may add to sorted dice before they
are compared, give a side dice of different sizes, or set the probabilities of each round. The
battle ends when no defender is left, or fewer than `stop_below` attackers.

There are two ways to count the attacker's army:

* **total** units, used by the Risk post and the rule book: one unit must stay behind and never
  rolls, so 4 total units attack with 3;
* **fighting** units, used by much published code: only the units that can roll.

States inside the package are pairs (a, d) of fighting units.

In the app *Risk: Global Domination* territories change the dice, and the changes add up:

* a **capital** gives its defender one more die, and so does a **wall** in front of the attacker;
* **zombies** lose ties in defence; in attack they roll one die fewer: ``--attacker-dice 2``.

House rules:

* a **bunker** adds 1 to its defender's highest die, a **fortress** 1 to all;
* **attacker-ties** and **defender-ties** set who wins ties.

A territory is written as its defenders, a colon and its features, for example ``15:capital+wall``.

Sources: the assignment text quoted in the Risk post, "Game of Risk", 17 September 2020; SMG Studio,
support article 11000024866 on the app's dice odds (additions of August 2019), and their published
dice code, https://github.com/smgstudio/risk-dice, ``RoundConfig``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from operator import sub
from typing import Any

from exactdice.arithmetic import natural, text
from exactdice.errors import InputError, Unquoted, choices
from exactdice.question.domains import Domain, OneOf

#: Most dice of one side in a round, whose cost grows as (a + d)(a·d)²·min(a, d).
MAX_DICE = 20

#: Most sides of one die.
MAX_SIDES = 1_000_000

#: Largest number added to a die.
MAX_BONUS = 100


class Units(StrEnum):
    """How the attacker's army is counted."""

    TOTAL = "total"
    FIGHTING = "fighting"


class Order(StrEnum):
    """Order in which the two sides choose their numbers of dice."""

    ANNOUNCED = "announced"
    SIMULTANEOUS = "simultaneous"
    AFTER = "after"


class Ties(StrEnum):
    """Side that wins a pair of equal dice."""

    DEFENDER = "defender"
    ATTACKER = "attacker"


_UNITS, _SIDES = OneOf(Units), OneOf(Ties)


def read_ties(ties: Ties | str) -> Ties:
    return _SIDES.read(ties, "ties")


@dataclass(frozen=True)
class RiskRules:
    """House rules of a battle; the defaults are the published rules.

    * `attacker_dice`, `defender_dice`: most dice that each side rolls, 1 to `MAX_DICE`.
    * `attacker_sides`, `defender_sides`: sides of each side's fair dice, 1 to `MAX_SIDES`.
    * `ties`: side that wins a tie.
    * `stop_below`: the attacker stops if fewer fighting units than this are left; at least 1.
    * `attacker_mix`, `defender_mix`: sides of a side's first, second, … die, rolled before any
      others.
    * `attacker_bonus`, `defender_bonus`: numbers added to a side's highest, second highest, … die
      before they are compared. To subtract 1 from the defender's die, add 1 to the attacker's.
    * `law`: replaces the dice: pairs ((a, d), weights), with the weights of the rounds of a against
      d dice in which the attacker loses 0, 1, … of the min(a, d) units at stake.

    Raises InputError if a number is out of range.

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
        for name, most in (("dice", MAX_DICE), ("sides", MAX_SIDES)):
            for side in ("attacker", "defender"):
                self._read(f"{side}_{name}", most)
        self._read("stop_below", None)
        object.__setattr__(self, "ties", read_ties(self.ties))
        for name, least, most in (("mix", 1, MAX_SIDES), ("bonus", 0, MAX_BONUS)):
            for side in ("attacker", "defender"):
                field = f"{side}_{name}"
                numbers = (natural(n, field, least=least, most=most) for n in getattr(self, field))
                object.__setattr__(self, field, tuple(numbers))
        dice = product(range(1, self.attacker_dice + 1), range(1, self.defender_dice + 1))
        for a, d in dice if self.law else ():
            if (a, d) not in self.weights:
                lacking = Unquoted(f"no weights for {a} against {d} dice")
                raise InputError("losses", lacking, f"{a}v{d}:W0,W1,…")

    @property
    def weights(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The weights in `law` by the dice of both sides."""
        return dict(read_law(self.law))

    @property
    def is_plain(self) -> bool:
        """Whether all dice of a side are equal and nothing is added to them."""
        mixes = self.attacker_mix + self.defender_mix
        return not any(mixes + self.attacker_bonus + self.defender_bonus)

    def sides_of(self, attacker_dice: int, defender_dice: int) -> tuple[tuple[int, ...], ...]:
        """Return the sides of each die of the attacker and of the defender.

        >>> RiskRules(attacker_mix=(8,)).sides_of(3, 2)
        ((8, 6, 6), (6, 6))
        """
        attack = self.attacker_mix + (self.attacker_sides,) * attacker_dice
        defence = self.defender_mix + (self.defender_sides,) * defender_dice
        return attack[:attacker_dice], defence[:defender_dice]

    def ahead(self, pairs: int) -> tuple[int, ...]:
        """Return the attacker's bonus minus the defender's for each of the first pairs of dice."""
        none = (0,) * pairs
        bonuses = (self.attacker_bonus + none)[:pairs], (self.defender_bonus + none)[:pairs]
        return tuple(map(sub, *bonuses))

    def _read(self, name: str, most: int | None) -> None:
        object.__setattr__(self, name, natural(getattr(self, name), name, least=1, most=most))

    def dice_rolled(self, attackers: int, defenders: int) -> tuple[int, int]:
        """Return the dice of both sides in the next round if both roll as many as they may.

        >>> STANDARD.dice_rolled(5, 1)
        (3, 1)
        """
        return min(attackers, self.attacker_dice), min(defenders, self.defender_dice)

    def is_over(self, attackers: int, defenders: int) -> bool:
        """Whether a state, in fighting units, is terminal."""
        return defenders == 0 or attackers < self.stop_below

    def with_sides(self, sides: int) -> "RiskRules":
        """Return the same rules with other dice on both sides."""
        return replace(self, attacker_sides=sides, defender_sides=sides)

    def conventions(self) -> dict[str, str]:
        """Return all conventions in words, for the provenance of a report."""
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
            described["losses"] = law_text(read_law(self.law))
        if self.stop_below > 1:
            described["stop"] = f"below {text(self.stop_below)} fighting units"
        return described


#: Distributions of rounds: for each number of dice of both sides, weights by attacker's losses.
Law = tuple[tuple[tuple[int, int], tuple[int, ...]], ...]

_ROUND = re.compile(r"([0-9]+)v([0-9]+):([0-9]+(?:,[0-9]+)*)", re.ASCII)


def read_law(law: Law | str, name: str = "losses") -> Law:
    """Read the distributions of rounds, as `law_text` writes them, in one line or several."""
    rounds: dict[tuple[int, int], tuple[int, ...]] = {}
    for line in re.split(r"[;\s]+", (law if isinstance(law, str) else law_text(law)).strip("; \n")):
        match = _ROUND.fullmatch(line)
        if not line:
            continue
        if not match:
            wanted = "rounds such as 3v2:2890,2611,2275, separated by ; or line breaks"
            raise InputError(name, line, wanted)
        a, d = (natural(match[i], name, least=1, most=MAX_DICE) for i in (1, 2))
        weights = tuple(natural(weight, name) for weight in match[3].split(","))
        if len(weights) != min(a, d) + 1 or not any(weights):
            wanted = f"{min(a, d) + 1} weights that are not all 0, for the attacker's losses"
            raise InputError(name, line, f"{wanted} 0 to {min(a, d)}")
        rounds[a, d] = weights
    return tuple(sorted(rounds.items()))


def law_text(law: Law) -> str:
    return ";".join(f"{a}v{d}:{','.join(map(text, weights))}" for (a, d), weights in law)


#: The published rules: three dice against two, six sides, ties to the defender.
STANDARD = RiskRules()


def fighting_units(attackers: object, units: Units | str = Units.TOTAL) -> int:
    """Read the attacker's army, counted in `units`, and return its fighting units."""
    if _UNITS.read(units, "units") is Units.FIGHTING:
        return natural(attackers, "attackers", least=1)
    try:
        return natural(attackers, "attackers", least=2) - 1
    except InputError:
        wanted = "a whole number of at least 2 total units, because one of them stays behind"
        raise InputError("attackers", attackers, wanted) from None


def shown_units(fighting: int, units: Units | str = Units.TOTAL) -> int:
    """Return a number of fighting units, counted in `units`."""
    return fighting + (_UNITS.read(units, "units") is Units.TOTAL)


# Territories ---------------------------------------------------------------------------------


class Feature(StrEnum):
    """A feature of a territory that changes the dice of a battle for it."""

    CAPITAL = "capital"
    WALL = "wall"
    ZOMBIES = "zombies"
    BUNKER = "bunker"
    FORTRESS = "fortress"
    ATTACKER_TIES = "attacker-ties"
    DEFENDER_TIES = "defender-ties"


#: The first of these features that a territory has decides who wins ties there.
_TIES = {
    Feature.DEFENDER_TIES: Ties.DEFENDER,
    Feature.ATTACKER_TIES: Ties.ATTACKER,
    Feature.ZOMBIES: Ties.ATTACKER,
}


@dataclass(frozen=True)
class Territory:
    """Defenders of a territory, at least 1, and its features."""

    defenders: int
    features: tuple[Feature, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "defenders", natural(self.defenders, "defenders", least=1))
        features = set(map(Feature, self.features))
        object.__setattr__(self, "features", tuple(f for f in Feature if f in features))

    def rules(self, rules: RiskRules) -> RiskRules:
        has = self.features.__contains__
        dice = min(rules.defender_dice + has(Feature.CAPITAL) + has(Feature.WALL), MAX_DICE)
        gains = [
            before + has(Feature.FORTRESS) + (has(Feature.BUNKER) and not place)
            for place, before in enumerate((rules.defender_bonus + (0,) * dice)[:dice])
        ]
        return replace(
            rules,
            defender_dice=dice,
            defender_bonus=tuple(gains) if any(gains) else (),
            ties=next((side for feature, side in _TIES.items() if has(feature)), rules.ties),
        )

    def __str__(self) -> str:
        added = "+".join(self.features)
        return f"{self.defenders}:{added}" if added else str(self.defenders)


class Territories(Domain[Territory]):
    """Territories, as text or as a number of defenders."""

    metavar = "D[:WHAT]"

    def read(self, value: Any, name: str) -> Territory:
        if isinstance(value, Territory):
            return value
        if not isinstance(value, str) or ":" not in value:
            return Territory(natural(value, name, least=1))
        defenders, _, added = value.partition(":")
        words = added.split("+")
        for word in words:
            if word not in tuple(Feature):
                raise InputError(name, word, f"after the colon {choices(tuple(Feature), word)}")
        if len(set(words)) < len(words):
            raise InputError(name, value, "each feature only once")
        return Territory(natural(defenders, name, least=1), tuple(map(Feature, words)))

    def describe(self) -> str:
        return f"at least 1; after a colon {', '.join(Feature)}"


def read_territories(listed: object) -> tuple[Territory, ...]:
    if isinstance(listed, str) or not isinstance(listed, Sequence) or not listed:
        raise InputError("territories", listed, "a list of the defenders of at least one territory")
    return tuple(Territories().read(territory, "defenders") for territory in listed)
