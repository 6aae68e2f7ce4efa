r"""Exact policy iteration over the lattice of holds, in integers.

A hold is a multiset of values. With V(x) the value of a roll, W(h) that of a hold and U(h) the
greatest W of a hold that is contained in h,

.. math::

   W(h) = \sum_v p_v W(h + v), \qquad U(h) = \max\bigl(W(h), \max_{v \in h} U(h - v)\bigr),
   \qquad V(x) = \max\bigl(\text{score}(x), \max_{v \in x} U(x - v) - \text{penalty}\bigr),

so that one sweep over the lattice compares every action of every roll: n dice of s sides have
C(n+2s−1, n) actions, but only s·C(n+s−1, s) steps of the lattice.

A policy says of each roll to stick or which hold to keep. Its value needs one linear equation for
each different hold that is kept: sums of integers over the rolls that can follow, solved by FLINT's
Dixon lifting. From a policy that sweeps in whole multiples of 2⁻⁶⁴ find, such equations are solved
and all actions compared exactly, until none is better. Where play may go on for ever under the
first policy, sticking on every roll takes its place. From a policy that ends, switching where
another action is strictly better leads to such ones alone, as every reroll costs something. What
comes out solves the equations above and is attained by a policy that ends, which makes it the
value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, lcm

from flint import fmpq_mat, fmpz_mat

from exactdice.arithmetic import mpq, mpz, over_common_denominator
from exactdice.games.reroll.rules import Rules

_SWEEPS = 24  # measured: fewer cost further exact evaluations, more cost more than they save
_POINT = 64  # bits behind the point in sweeps
_STICK = -1


@dataclass(frozen=True)
class LatticeValues:
    """Exact values on the lattice."""

    rolls: tuple[mpq, ...]  # value of each roll, in the order of `Rules.rolls`
    holds: tuple[mpq, ...]  # value of each partial hold, in the order of `Rules.partial_holds`
    iterations: int  # how many policies were evaluated


class _Lattice:
    """Holds by number, the fewest dice first and the rolls last, with what each step leads to."""

    def __init__(self, rules: Rules) -> None:
        n, sides = rules.dice, range(rules.sides)
        units = _units(n, rules.sides)
        self.keys: list[int] = []
        self.levels: list[range] = []
        for count in range(n + 1):
            start = len(self.keys)
            self.keys += [
                sum(map(units.__getitem__, hold))
                for hold in combinations_with_replacement(sides, count)
            ]
            self.levels.append(range(start, len(self.keys)))
        self.number = {key: place for place, key in enumerate(self.keys)}
        number = self.number
        self.rolls = self.levels[n]
        #: Of each partial hold, the holds with one die more, side by side.
        self.after = [
            [number[key + unit] for unit in units] for key in self.keys[: self.rolls.start]
        ]
        numerators, denominator = over_common_denominator(rules.bias)
        self.weights, self.denominator = list(map(int, numerators)), int(denominator)
        scores = [mpq(rules.stick_score(roll)) for roll in rules.rolls]
        self.scale = lcm(*(int(number.denominator) for number in (*scores, rules.penalty)))
        self.scores = [int(score * self.scale) for score in scores]
        self.penalty = int(rules.penalty * self.scale)
        self.rests = [self._rests(units, count) for count in range(n + 1)]

    def _rests(self, units: Sequence[int], count: int) -> list[tuple[int, int]]:
        """The multisets that so many dice can show, with their weights."""
        if not count:
            return [(0, 1)]
        rests = []
        for rest in combinations_with_replacement(range(len(units)), count):
            key, weight, run, last = 0, factorial(count), 0, -1
            for side in rest:
                run = run + 1 if side == last else 1
                last = side
                key += units[side]
                weight = weight * self.weights[side] // run
            if weight:
                rests.append((key, weight))
        return rests

    def hold_values(self, rolls: Sequence[int]) -> list[int]:
        """Values of all holds and rolls, over the denominator to the power of the dice left."""
        values = [0] * self.rolls.start + list(rolls)
        weights = [(side, weight) for side, weight in enumerate(self.weights) if weight]
        for hold in range(self.rolls.start - 1, -1, -1):
            after = self.after[hold]
            total = 0
            for side, weight in weights:
                total += weight * values[after[side]]
            values[hold] = total
        return values

    def best_held(self, values: list[int]) -> list[int]:
        """For each roll the partial hold of greatest value, values being over one denominator.

        `values` are changed to the greatest within each hold.
        """
        first = self.rolls.start
        kept = list(range(first)) + [0] * len(self.rolls)
        values[first:] = [values[0]] * len(self.rolls)  # no die held is within each roll
        for hold, after in enumerate(self.after):
            value, choice = values[hold], kept[hold]
            for place in after:
                if value > values[place]:
                    values[place], kept[place] = value, choice
        return kept[first:]


def _units(dice: int, sides: int) -> list[int]:
    """Give each side a number, so that no two multisets of at most so many dice have the same sum.

    The digits of a sum are how often each side comes, or else the power sums of the sides, from the
    first to that of so many dice, which determine a multiset by Newton's identities: the shorter.
    """
    powers = range(1, dice + 1)
    widths = [(dice * sides**power).bit_length() for power in powers]
    if dice.bit_length() * sides <= sum(widths):
        return [1 << (dice.bit_length() * side) for side in range(sides)]
    return [
        sum(side**power << sum(widths[: power - 1]) for power in powers)
        for side in range(1, sides + 1)
    ]


def solve_on_lattice(rules: Rules) -> LatticeValues:
    """Solve a game exactly."""
    lattice = _Lattice(rules)
    policy = _guess(lattice)
    iterations = 0
    while True:
        evaluated = _evaluate(lattice, policy)
        if evaluated is None:
            policy = [_STICK] * len(lattice.rolls)
            continue
        iterations += 1
        rolls, common = evaluated
        improved, values = _improve(lattice, policy, rolls, common)
        if improved == policy:
            return _values(lattice, rolls, values, common, iterations)
        policy = improved


def _guess(lattice: _Lattice) -> list[int]:
    """A policy that is greedy for values from sweeps in multiples of 2⁻⁶⁴."""
    scores = [score << _POINT for score in lattice.scores]
    cost = lattice.penalty << _POINT
    weights = [(side, weight) for side, weight in enumerate(lattice.weights) if weight]
    denominator, values = lattice.denominator, [0] * lattice.rolls.start + scores
    for _ in range(_SWEEPS):
        for hold in range(lattice.rolls.start - 1, -1, -1):
            after = lattice.after[hold]
            total = 0
            for side, weight in weights:
                total += weight * values[after[side]]
            values[hold] = total // denominator
        within = list(values)
        kept = lattice.best_held(within)
        values[lattice.rolls.start :] = [
            max(score, value - cost)
            for score, value in zip(scores, within[lattice.rolls.start :], strict=True)
        ]
    return [
        _STICK if score >= value - cost else hold
        for score, value, hold in zip(scores, within[lattice.rolls.start :], kept, strict=True)
    ]


def _evaluate(lattice: _Lattice, policy: Sequence[int]) -> tuple[list[int], int] | None:
    """Values of all rolls over one denominator; None where play may go on for ever."""
    kept = sorted({hold for hold in policy if hold != _STICK})
    if not kept:
        return list(lattice.scores), 1
    column = {hold: place for place, hold in enumerate(kept)}
    first, dice = lattice.rolls.start, len(lattice.levels) - 1
    rows, constants, ends = [], [], []
    left = {
        hold: dice - held
        for held, holds in enumerate(lattice.levels)
        for hold in holds
        if hold in column
    }
    for hold in kept:
        key, row, constant, sticks = lattice.keys[hold], [0] * len(kept), 0, False
        for other, weight in lattice.rests[left[hold]]:
            roll = lattice.number[key + other] - first
            chosen = policy[roll]
            if chosen == _STICK:
                constant += weight * lattice.scores[roll]
                sticks = True
            else:
                row[column[chosen]] -= weight
                constant -= weight * lattice.penalty
        rows.append(row)
        constants.append([constant])
        ends.append(sticks)
    if not _can_end(rows, ends):
        return None
    for place, hold in enumerate(kept):
        rows[place][place] += lattice.denominator ** left[hold]
    solution = fmpq_mat(fmpz_mat(rows)).solve(
        fmpq_mat(fmpz_mat(constants)),
        algorithm="dixon",  # type: ignore[call-arg]
    )
    numerators, common = solution.numer_denom()
    worth = {hold: int(numerators[place, 0]) for hold, place in column.items()}
    denominator = int(common)
    values = [
        score * denominator if hold == _STICK else worth[hold] - lattice.penalty * denominator
        for score, hold in zip(lattice.scores, policy, strict=True)
    ]
    return values, denominator


def _can_end(rows: Sequence[Sequence[int]], ends: Sequence[bool]) -> bool:
    """Whether from every hold that is kept some sequence of rolls leads to sticking."""
    ending = {place for place, sticks in enumerate(ends) if sticks}
    waiting = set(range(len(rows))) - ending
    while waiting:
        more = {place for place in waiting if any(rows[place][other] for other in ending)}
        if not more:
            return False
        ending |= more
        waiting -= more
    return True


def _improve(
    lattice: _Lattice, policy: Sequence[int], rolls: Sequence[int], common: int
) -> tuple[list[int], list[int]]:
    """The policy with every roll switched in which some action is better, and all holds' values."""
    values = lattice.hold_values(rolls)
    dice, base = len(lattice.levels) - 1, lattice.denominator
    over = list(values)
    for count, holds in enumerate(lattice.levels):
        power = base**count
        if power != 1:
            for hold in holds:
                over[hold] *= power
    mine = over[lattice.rolls.start :]
    kept = lattice.best_held(over)
    unit = common * base**dice
    cost = lattice.penalty * unit
    improved = []
    for place, chosen in enumerate(policy):
        score, value = lattice.scores[place] * unit, over[lattice.rolls.start + place] - cost
        best = max(score, value)
        if best > mine[place]:
            chosen = _STICK if score == best else kept[place]
        improved.append(chosen)
    return improved, values


def _values(
    lattice: _Lattice, rolls: Sequence[int], values: Sequence[int], common: int, iterations: int
) -> LatticeValues:
    whole = mpz(common * lattice.scale)
    dice = len(lattice.levels) - 1
    holds = [
        mpq(values[hold], whole * lattice.denominator ** (dice - count))
        for count, level in enumerate(lattice.levels[:dice])
        for hold in level
    ]
    return LatticeValues(tuple(mpq(value, whole) for value in rolls), tuple(holds), iterations)
