"""A Risk campaign: one army through a list of territories, each as its defender holds it.

The army attacks the first territory. Where it wins, `leave` of the survivors stay in the territory,
one unless more are asked for, and the others go on to the next: x survivors attack with x - leave
fighting units. The campaign ends when an attack fails, or stops because too few units are left, or
when the last territory is taken. In total units the army at the start leaves one behind at home, as
in a single battle.

The app *Risk: Global Domination* changes the dice by what is attacked, and the changes add up:

* a **capital** lets its defender roll one die more, and so does a **wall** before the attacker;
* **zombies** in defence lose ties; in attack they roll one die less: ``--attacker-dice 2``.

House rules have more of that kind:

* a **bunker** adds 1 to its defender's highest die, a **fortress** 1 to all;
* **attacker-ties** and **defender-ties** say who wins ties there.

As text a territory is its defenders, then a colon and what is added, as ``15:capital+wall``.

The law of the army on arrival is pushed through one territory after another by
`exactdice.games.risk.exact.conquest`: O(Σ attackers·defenders) integer products.

Source: SMG Studio, support article 11000024866 on the app's dice odds (additions of August 2019),
and their published dice code, https://github.com/smgstudio/risk-dice, ``RoundConfig``.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar

from exactdice.arithmetic import brief, mpq, natural
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.risk.exact import conquest
from exactdice.games.risk.rules import (
    MAX_DICE,
    STANDARD,
    RiskRules,
    Ties,
    Units,
    fighting_units,
    shown_units,
)
from exactdice.question.domains import Domain
from exactdice.report.notebook import Reported


class Feature(StrEnum):
    """What changes the dice of a battle for a territory."""

    CAPITAL = "capital"
    WALL = "wall"
    ZOMBIES = "zombies"
    BUNKER = "bunker"
    FORTRESS = "fortress"
    ATTACKER_TIES = "attacker-ties"
    DEFENDER_TIES = "defender-ties"


#: Features of which the first that a territory has says who wins ties there.
_TIES = {
    Feature.DEFENDER_TIES: Ties.DEFENDER,
    Feature.ATTACKER_TIES: Ties.ATTACKER,
    Feature.ZOMBIES: Ties.ATTACKER,
}


@dataclass(frozen=True)
class Territory:
    """Defenders of a territory, at least 1, and what changes the dice there.

    >>> capital = Territory(15, (Feature.CAPITAL,))
    >>> str(capital), capital.rules(RiskRules()).defender_dice
    ('15:capital', 3)
    """

    defenders: int
    features: tuple[Feature, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "defenders", natural(self.defenders, "defenders", least=1))
        features = set(map(Feature, self.features))
        object.__setattr__(self, "features", tuple(f for f in Feature if f in features))

    def rules(self, rules: RiskRules) -> RiskRules:
        """Return the rules of a battle for this territory, given those on open ground."""
        has = self.features.__contains__
        dice = min(rules.defender_dice + has(Feature.CAPITAL) + has(Feature.WALL), MAX_DICE)
        ties = [side for feature, side in _TIES.items() if has(feature)]
        gains = [
            before + has(Feature.FORTRESS) + (has(Feature.BUNKER) and not place)
            for place, before in enumerate((rules.defender_bonus + (0,) * dice)[:dice])
        ]
        ruled = replace(
            rules, defender_dice=dice, defender_bonus=tuple(gains) if any(gains) else ()
        )
        return replace(ruled, ties=ties[0] if ties else rules.ties)

    def __str__(self) -> str:
        added = "+".join(self.features)
        return f"{self.defenders}:{added}" if added else str(self.defenders)


class Territories(Domain[Territory]):
    """Territories, as text or as a number of defenders.

    >>> Territories().read("15:wall+capital", "territory")
    Territory(defenders=15, features=(<Feature.CAPITAL: 'capital'>, <Feature.WALL: 'wall'>))
    >>> Territories().read("15:castle", "territory")
    Traceback (most recent call last):
    exactdice.errors.InputError: territory: got '15:castle'; expected defenders, and if it has any a \
colon and some of capital, wall, zombies, \
bunker, fortress, attacker-ties, defender-ties with + between, as 15:capital+wall
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


def read_territories(listed: object) -> tuple[Territory, ...]:
    """Read a list of territories."""
    if isinstance(listed, str) or not isinstance(listed, Sequence) or not listed:
        raise InputError("territories", listed, "a list of the defenders of at least one")
    return tuple(Territories().read(territory, "defenders") for territory in listed)


#: Where a campaign ends: territories taken, and the two armies at the front. After an attack that
#: failed the front is the territory last held, and the attackers there count one that stays behind
#: in total units; after a complete success they are the army in the last territory.
Ending = tuple[int, int, int]


@dataclass(frozen=True)
class March(Reported):
    """An army of `attackers`, counted in `units`, against `territories` in order."""

    reported_by: ClassVar = "exactdice.games.risk.campaign_reports:campaign_report"

    attackers: int
    territories: tuple[Territory, ...]
    units: Units
    rules: RiskRules
    leave: int
    # distribution of (territories taken, attackers at the front, defenders facing them)
    endings: Distribution[Ending] = field(repr=False)

    def __str__(self) -> str:
        against = ", ".join(map(str, self.territories))
        return (
            f"{self.attackers} {self.units} units take {against} with probability "
            f"{brief(self.value)}"
        )

    @property
    def value(self) -> mpq:
        """Chance that every territory is taken."""
        return self.endings.probability_that(lambda end: end[0] == len(self.territories))

    @property
    def territories_taken(self) -> Distribution[int]:
        """Distribution of the number of territories taken."""
        return self.endings.map(lambda end: end[0])


def campaign(
    attackers: int,
    territories: Sequence[int | str | Territory],
    units: Units | str = Units.TOTAL,
    rules: RiskRules = STANDARD,
    leave: int = 1,
) -> March:
    """Find where a campaign ends.

    Parameters
    ----------
    attackers
        The army at the start, counted as `units` says.
    territories
        Defenders of each territory in the order of attack, at least one territory, or text such as
        ``15:capital``.
    units, rules
        As for a single battle; the rules are those on open ground.
    leave
        Units to leave in each territory that is taken on the way, at least 1.

    Raises
    ------
    InputError
        If there is no territory or a number of units is out of range.

    Examples
    --------
    With 3 total units against two single defenders both must fall without a loss: after the first
    only 1 unit can go on.

    >>> march = campaign(3, [1, 1])
    >>> march.value == campaign(3, [1]).endings.probability((1, 2, 0)) * mpq(5, 12)
    True
    """
    army, units = fighting_units(attackers, units), Units(units)
    fields, left = read_territories(territories), natural(leave, "leave", least=1)
    endings = _endings(army, fields, units, rules, left)
    return March(natural(attackers, "attackers"), fields, units, rules, left, endings)


def _endings(
    fighting: int, territories: Sequence[Territory], units: Units, rules: RiskRules, leave: int
) -> Distribution[Ending]:
    # Two ways can lead to one ending: too few survivors to go on, or an attack that lost all its
    # fighting units without effect.
    chances: defaultdict[Ending, mpq] = defaultdict(mpq)
    army = Distribution({fighting: 1})
    arriving = mpq(1)
    for taken, territory in enumerate(territories, start=1):
        ahead = territories[taken].defenders if taken < len(territories) else None
        going_on: dict[int, int] = {}
        outcomes = conquest(army, territory.defenders, territory.rules(rules))
        for (a, d), weight in outcomes.items():
            chance = arriving * mpq(weight, outcomes.denominator)
            if d:
                chances[taken - 1, shown_units(a, units), d] += chance
            elif ahead is None:
                # The survivors stand in the territory; nobody is left behind elsewhere.
                chances[taken, a, 0] += chance
            elif rules.is_over(a - leave, ahead):
                chances[taken, shown_units(a - 1, units), ahead] += chance
            else:
                going_on[a - leave] = weight
        if not going_on:
            break
        army = Distribution(going_on)
        arriving *= mpq(sum(going_on.values()), outcomes.denominator)
    return Distribution.from_probabilities(chances)
