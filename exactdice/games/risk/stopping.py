r"""Stop or attack: how far to take a Risk campaign, and how many units to leave behind on the way.

An army of n units stands in a territory, and d units in the next one on its way. Before each round
the player may *stop*, for good, or *attack* with as many dice as possible; one of the n never
rolls. When the last defender is gone, the player leaves k of the n units behind, 1 ≤ k < n, the
others move in, and the army stands before the next territory or, in the last one, at its end.

What happens is worth the sum of

* `unit` for each own unit that falls, taken away, and `enemy` for each of the enemy's;
* `territory` for each territory taken, or its own number of `territories`, and `all_taken` for all;
* `guards` for each territory behind or under the army when it stops: with m units there, the first
  m of these numbers. Units beyond them guard nothing more.

With G(m) the worth of m guards, the best value of a campaign that has come to territory i is

.. math::
   V_i(n, d) &= \max\Bigl(G(n),
       \sum_{k} p_k \,[\,e\,(m - k) - u\,k + V_i(n - k, d - m + k)]\Bigr) \\
   V_i(n, 0) &= t + \max_{1 \le k < n} [\,G(k) + V_{i+1}(n - k, D_{i+1})\,],

where p_k is the chance that k of the m units that are at stake in a round are the attacker's; after
the last territory V is G. All values are kept as integers over a common denominator to the power of
the units on the board, as in `exactdice.games.risk.exact`. Where stopping is as good as going on,
the army stops; of equally good numbers to leave behind, it leaves the fewest.

Cost: O(A·ΣD) products of integers of O((A + ΣD) log s) bits for armies of A against ΣD defenders;
with g guards O(A·g) more for each territory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import ClassVar

from exactdice.arithmetic import RationalLike, brief, mpq, mpz, natural, rational
from exactdice.errors import InputError
from exactdice.games.risk.campaigns import Territory, read_territories
from exactdice.games.risk.rounds import round_losses, unit_factor
from exactdice.games.risk.rules import STANDARD, RiskRules
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

_NONE, _ONE, _TWO = mpq(0), mpq(1), mpq(2)


@dataclass(frozen=True)
class Worth:
    """What units, territories and guards are worth; none is negative.

    `territories` holds the worth of the first, second, … one; those behind are worth `territory`.

    Raises
    ------
    InputError
        If a number is negative.

    Examples
    --------
    >>> Worth(guards=("3", "1/2")).guard(7)
    mpq(7,2)
    """

    unit: mpq = _ONE
    enemy: mpq = _ONE
    territory: mpq = _TWO
    guards: tuple[mpq, ...] = ()
    territories: tuple[mpq, ...] = ()
    all_taken: mpq = _NONE

    def __post_init__(self) -> None:
        for name in ("unit", "enemy", "territory", "all_taken"):
            object.__setattr__(self, name, _worth(getattr(self, name), name))
        for name in ("guards", "territories"):
            numbers = tuple(_worth(number, name) for number in getattr(self, name))
            object.__setattr__(self, name, numbers)

    def of_territory(self, place: int, territories: int) -> mpq:
        """Return what a territory is worth, of so many, counted from 0."""
        worth = self.territories[place] if place < len(self.territories) else self.territory
        return worth + (self.all_taken if place == territories - 1 else 0)

    def guard(self, units: int) -> mpq:
        """Return what so many units in one territory are worth as its guards."""
        return sum(self.guards[:units], mpq(0))

    @property
    def denominator(self) -> int:
        """A common denominator of all numbers."""
        each = self.unit, self.enemy, self.territory, self.all_taken
        numbers = (*each, *self.guards, *self.territories)
        return lcm(*(int(number.denominator) for number in numbers))


def _worth(number: RationalLike, name: str) -> mpq:
    read = rational(number, name)
    if read < 0:
        raise InputError(name, number, "an exact number of at least 0")
    return read


@dataclass(frozen=True)
class Front:
    """What is best before one territory of a campaign."""

    territory: Territory  # the one that is attacked
    # for d = 1, 2, … defenders, whether to attack with n = 0, 1, … units
    attacks: tuple[tuple[bool, ...], ...]
    # units to leave behind when the territory falls to n = 0, 1, … units; 0 where n is below 2
    leaves: tuple[int, ...]


@dataclass(frozen=True)
class StoppingPlan(Reported):
    """The best play of an army of `attackers`, total units, against territories in order."""

    reported_by: ClassVar = "exactdice.games.risk.campaign_reports:plan_report"

    attackers: int
    territories: tuple[Territory, ...]
    worth: Worth
    rules: RiskRules
    fronts: tuple[Front, ...] = field(repr=False)  # what is best before each territory
    value: mpq  # the best expected worth
    all_taken: mpq  # chance that the best play takes every territory
    # territories that it takes and own units that fall in it, expected
    expected_taken: mpq
    expected_losses: mpq

    def __str__(self) -> str:
        against = ", ".join(map(str, self.territories))
        return f"{self.attackers} total units against {against}: worth {brief(self.value)}"

    @property
    def staying(self) -> mpq:
        """The worth of not attacking at all."""
        return self.worth.guard(self.attackers)


# What is followed: the value, the chance that all are taken, territories taken, units lost.
_FOLLOWED = ("value", "all_taken", "taken", "lost")

#: Rows by what is followed, each over the units n = 0, 1, …; times R·L^(n + d + rest).
_Rows = dict[str, list[mpz]]


class _Solver:
    """Backward over territories, defenders and units."""

    def __init__(
        self, attackers: int, territories: Sequence[Territory], worth: Worth, rules: RiskRules
    ) -> None:
        self.largest, self.territories = attackers, territories
        self.rules = [territory.rules(rules) for territory in territories]
        factor = mpz(lcm(*map(unit_factor, self.rules)))
        self.scale = mpz(worth.denominator)
        total = attackers + sum(territory.defenders for territory in territories)
        self.powers = [factor**exponent for exponent in range(total + 1)]
        known = len(worth.guards)
        self.guards = [self._whole(worth.guard(n)) for n in range(known + 1)]
        places = range(len(territories))
        self.worth = [self._whole(worth.of_territory(i, len(territories))) for i in places]
        self.unit, self.enemy = self._whole(worth.unit), self._whole(worth.enemy)

    def _whole(self, number: mpq) -> mpz:
        return mpz(number * self.scale)

    def guard(self, units: int) -> mpz:
        return self.guards[min(units, len(self.guards) - 1)]

    def standing(self, rest: int, *, at_the_end: bool) -> _Rows:
        """What stopping is worth, with so many units beyond n on the board."""
        powers = self.powers[rest : rest + self.largest + 1]
        zero = [mpz(0)] * (self.largest + 1)
        return {
            "value": [self.guard(n) * power for n, power in enumerate(powers)],
            "all_taken": [self.scale * power for power in powers] if at_the_end else zero,
            "taken": zero,
            "lost": zero,
        }

    def solve(self, run: Run) -> tuple[tuple[Front, ...], list[mpq]]:
        """Solve from the last territory to the first."""
        rest = 0
        ahead = self.standing(0, at_the_end=True)
        fronts: list[Front] = []
        for place in range(len(self.rules) - 1, -1, -1):
            defenders = self.territories[place].defenders
            taken, leaves = self.falling(ahead, rest, self.worth[place])
            rows = [taken]
            attacks = []
            for d in range(1, defenders + 1):
                done = rest + d - 1
                run.tell("defenders", done, len(self.powers) - self.largest - 1)
                row, attacked = self.fighting(rows, d, rest, self.rules[place])
                rows.append(row)
                attacks.append(attacked)
                if d >= self.rules[place].defender_dice:
                    rows[d - self.rules[place].defender_dice] = {}  # nothing reads it again
            fronts.insert(0, Front(self.territories[place], tuple(attacks), leaves))
            ahead = rows[-1]
            rest += defenders
        unit = self.scale * self.powers[-1]
        return tuple(fronts), [mpq(ahead[name][self.largest], unit) for name in _FOLLOWED]

    def falling(self, ahead: _Rows, rest: int, taken: mpz) -> tuple[_Rows, tuple[int, ...]]:
        """What a territory that falls is worth, and how many to leave behind."""
        rows: _Rows = {name: [mpz(0)] * 2 for name in _FOLLOWED}
        leaves = [0, 0]
        known = max(len(self.guards) - 1, 1)
        # Beyond the known guards another unit left behind guards nothing: then only how many move
        # in counts, and `best` is the best number among those that leave so many behind.
        best = 0
        for n in range(2, self.largest + 1):
            candidates = list(range(1, min(known, n)))
            if n > known:
                moving = n - known
                if not best or self._above(ahead["value"], moving, best):
                    best = moving
                candidates.append(n - best)
            worth = [
                self.guard(k) * self.powers[n + rest] + self.powers[k] * ahead["value"][n - k]
                for k in candidates
            ]
            left = candidates[max(range(len(worth)), key=lambda c: (worth[c], -candidates[c]))]
            leaves.append(left)
            for name in _FOLLOWED:
                rows[name].append(self.powers[left] * ahead[name][n - left])
            rows["value"][n] += (self.guard(left) + taken) * self.powers[n + rest]
            rows["taken"][n] += self.scale * self.powers[n + rest]
        return rows, tuple(leaves)

    def _above(self, values: Sequence[mpz], units: int, fewer: int) -> bool:
        """Whether more units are worth at least as much as fewer."""
        return bool(values[units] >= values[fewer] * self.powers[units - fewer])

    def fighting(
        self, rows: list[_Rows], d: int, rest: int, rules: RiskRules
    ) -> tuple[_Rows, tuple[bool, ...]]:
        """The row of d defenders, from those of fewer."""
        row = self.standing(d + rest, at_the_end=False)
        row = {name: list(cells) for name, cells in row.items()}
        attacked = [False] * min(self.largest + 1, 2)
        for n in range(2, self.largest + 1):
            losses = round_losses(*rules.dice_rolled(n - 1, d), rules)
            stake = min(rules.dice_rolled(n - 1, d))
            scale = self.powers[stake] // losses.denominator
            onward = self.powers[n + d + rest - stake]
            sums = dict.fromkeys(_FOLLOWED, mpz(0))
            for (lost, killed), ways in losses.items():
                weight = ways * scale
                after = row if not killed else rows[d - killed]
                for name in _FOLLOWED:
                    sums[name] += weight * after[name][n - lost]
                gained = self.enemy * killed - self.unit * lost
                sums["value"] += weight * gained * onward
                sums["lost"] += weight * self.scale * lost * onward
            attacked.append(bool(sums["value"] > row["value"][n]))
            if attacked[-1]:
                for name in _FOLLOWED:
                    row[name][n] = sums[name]
        return row, tuple(attacked)


def plan(
    attackers: int,
    against: Sequence[int | str | Territory],
    worth: Worth | None = None,
    rules: RiskRules = STANDARD,
    run: Run = DEFAULT,
) -> StoppingPlan:
    """Solve a campaign that may stop.

    Parameters
    ----------
    attackers
        Total units at the start, at least 2.
    against
        Defenders of each territory in order, at least one, or text such as ``15:capital``.
    worth
        What is gained and lost.
    rules
        Dice on open ground; their `stop_below` is not used.
    run
        Hears of the defenders done.

    Raises
    ------
    InputError
        If an army or a number is out of range.

    Examples
    --------
    With 3 units against 1: an attack is worth a territory and a unit of the enemy, 3, when it is
    won, and costs a unit when it is lost, after which an attack by one fighting unit is worth
    (5·3 - 7·1)/12 = 2/3.

    >>> best = plan(3, [1])
    >>> best.value == mpq(125, 216) * 3 + mpq(91, 216) * (mpq(2, 3) - 1)
    True
    """
    army, fields = natural(attackers, "attackers", least=2), read_territories(against)
    worth = worth or Worth()
    fronts, followed = _Solver(army, fields, worth, rules).solve(run)
    return StoppingPlan(army, fields, worth, rules, fronts, *followed)
