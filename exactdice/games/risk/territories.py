"""A territory as its defender holds it: units, and what the Risk app adds to their dice.

The app *Risk: Global Domination* changes the dice by what is attacked, and the changes add up:

* a **capital** lets its defender roll one die more, and so does a **wall** before the attacker;
* **zombies** in defence lose ties; in attack they roll one die less: ``--attacker-dice 2``.

As text a territory is its defenders, then a colon and what is added, as ``15:capital+wall``.

Source: SMG Studio, support article 11000024866 on the app's dice odds (additions of August 2019),
and their published dice code, https://github.com/smgstudio/risk-dice, ``RoundConfig``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from exactdice.arithmetic import natural
from exactdice.errors import InputError
from exactdice.games.risk.rules import MAX_DICE, Rules, Ties
from exactdice.question.domains import Domain


class Feature(StrEnum):
    """What changes the dice of a battle for a territory."""

    CAPITAL = "capital"
    WALL = "wall"
    ZOMBIES = "zombies"


@dataclass(frozen=True)
class Territory:
    """Defenders of a territory, at least 1, and what changes the dice there.

    >>> capital = Territory(15, (Feature.CAPITAL,))
    >>> str(capital), capital.rules(Rules()).defender_dice
    ('15:capital', 3)
    """

    defenders: int
    features: tuple[Feature, ...] = ()

    def __post_init__(self) -> None:
        features = set(map(Feature, self.features))
        object.__setattr__(self, "features", tuple(f for f in Feature if f in features))

    def rules(self, rules: Rules) -> Rules:
        """Return the rules of a battle for this territory, given those on open ground."""
        added = sum(feature is not Feature.ZOMBIES for feature in self.features)
        zombies = Feature.ZOMBIES in self.features
        return replace(
            rules,
            defender_dice=min(rules.defender_dice + added, MAX_DICE),
            ties=Ties.ATTACKER if zombies else rules.ties,
        )

    def __str__(self) -> str:
        added = "+".join(self.features)
        return f"{self.defenders}:{added}" if added else str(self.defenders)


class Territories(Domain[Territory]):
    """Territories, as text or as a number of defenders.

    >>> Territories().read("15:wall+capital", "territory")
    Territory(defenders=15, features=(<Feature.CAPITAL: 'capital'>, <Feature.WALL: 'wall'>))
    >>> Territories().read("15:castle", "territory")
    Traceback (most recent call last):
    exactdice.errors.InputError: territory: got '15:castle'; give defenders, and if it has any a \
colon and some of capital, wall, zombies with + between, as 15:capital+wall
    """

    metavar = "D[:WHAT]"

    def read(self, value: Any, name: str) -> Territory:
        """Read a territory."""
        if isinstance(value, Territory):
            return value
        if not isinstance(value, str) or ":" not in value:
            return Territory(natural(value, name, least=1))
        defenders, _, added = value.partition(":")
        words = added.split("+")
        if len(set(words)) < len(words) or not set(words) <= set(Feature):
            known = ", ".join(Feature)
            raise InputError(
                name,
                value,
                f"defenders, and if it has any a colon and some of {known} with + between, as "
                "15:capital+wall",
            )
        return Territory(natural(defenders, name, least=1), tuple(map(Feature, words)))

    def describe(self) -> str:
        """Name the bounds."""
        return f"defenders, at least 1; behind a colon {', '.join(Feature)}"


def territories(listed: object) -> tuple[Territory, ...]:
    """Read a list of territories."""
    if isinstance(listed, str) or not isinstance(listed, Sequence) or not listed:
        raise InputError("territories", listed, "a list of the defenders of at least one")
    return tuple(Territories().read(territory, "defenders") for territory in listed)
