"""A Risk campaign: one army through a list of territories.

The army attacks the first territory. Where it wins, `leave` of the survivors stay in the territory,
one unless more are asked for, and the others go on to the next: x survivors attack with x - leave
fighting units. Each territory has its own dice (`exactdice.games.risk.territories`). The campaign
ends when an attack fails, or stops because too few units are left, or when the last territory is
taken. In total units the army at the start leaves one behind at home, as in a single battle.

The law of the army on arrival is pushed through one territory after another by
`exactdice.games.risk.exact.conquest`: O(Σ attackers·defenders) integer products.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from exactdice.arithmetic import brief, mpq, natural
from exactdice.dice import Distribution
from exactdice.games.risk.exact import conquest
from exactdice.games.risk.rules import STANDARD, Rules, Units, fighting_units, shown_units
from exactdice.games.risk.territories import Territory
from exactdice.games.risk.territories import territories as read_territories
from exactdice.report.notebook import Reported

#: Where a campaign ends: territories taken, and the two armies at the front. After an attack that
#: failed the front is the territory last held, and the attackers there count one that stays behind
#: in total units; after a complete success they are the army in the last territory.
Ending = tuple[int, int, int]


@dataclass(frozen=True)
class March(Reported):
    """An army of `attackers`, counted in `units`, against `territories` in order."""

    reported_by: ClassVar = "exactdice.games.risk.reports:campaign_report"

    attackers: int
    territories: tuple[Territory, ...]
    units: Units
    rules: Rules
    leave: int

    @cached_property
    def endings(self) -> Distribution[Ending]:
        """Distribution of (territories taken, attackers at the front, defenders facing them)."""
        # Two ways can lead to one ending: too few survivors to go on, or an attack that lost all
        # its fighting units without effect.
        chances: defaultdict[Ending, mpq] = defaultdict(mpq)
        army = Distribution({fighting_units(self.attackers, self.units): 1})
        arriving = mpq(1)
        last = len(self.territories) - 1
        for taken, territory in enumerate(self.territories):
            going_on: dict[int, int] = {}
            outcomes = conquest(army, territory.defenders, territory.rules(self.rules))
            for (a, d), weight in outcomes.items():
                chance = arriving * mpq(weight, outcomes.denominator)
                if d:
                    chances[taken, shown_units(a, self.units), d] += chance
                elif taken == last:
                    # The survivors stand in the territory; nobody is left behind elsewhere.
                    chances[taken + 1, a, 0] += chance
                elif self.rules.is_over(a - self.leave, ahead := self._defenders(taken + 1)):
                    front = shown_units(a - 1, self.units)
                    chances[taken + 1, front, ahead] += chance
                else:
                    going_on[a - self.leave] = weight
            if not going_on:
                break
            army = Distribution(going_on)
            arriving *= mpq(sum(going_on.values()), outcomes.denominator)
        return Distribution.from_probabilities(chances)

    def _defenders(self, place: int) -> int:
        return self.territories[place].defenders

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
    rules: Rules = STANDARD,
    leave: int = 1,
) -> March:
    """Set up a campaign; its laws are computed when they are asked for.

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
    fighting_units(attackers, units)
    return March(
        natural(attackers, "attackers"),
        read_territories(territories),
        Units(units),
        rules,
        natural(leave, "leave", least=1),
    )
