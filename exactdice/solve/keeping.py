r"""Turns of dice with free rerolls: roll, keep some, reroll the rest; the last roll has a value.

A turn has n equal dice and k rolls. After each roll but the last, any of the dice may be kept and
the others are rolled again, also dice that were kept before. The value of the last roll is given
for each multiset of faces, and the value of a turn is

.. math:: B_k(r) = w(r), \qquad E_j(s) = \sum_{f} p(f)\, E_j(s + f), \quad E_j(r) = B_j(r), \qquad
          B_{j-1}(r) = \max_{s \subseteq r} E_j(s),

for a roll r of n dice, a kept part s, and :math:`s + f` with one face more. Both equations run over
the lattice of all multisets of at most n faces: the expectation adds one die at a time, from full
rolls down to :math:`E_1(\varnothing)`, the value of the turn; the maximum goes up face by face, so
that each :math:`s \subseteq r` is considered once. For five dice these are 1,260 additions and
1,260 comparisons a roll; rolls and keeps make 4,368 pairs.

All values are integers over one denominator, which each roll multiplies by :math:`d^n`, d being the
sum of the weights of a die's faces. Arrays of numpy hold many turns, each in a column: as gmpy2's
integers, exactly, or as 64 bits (`FreeRerolls.floors`), where each roll rounds down, so that the
value is enclosed.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from exactdice.arithmetic import RationalLike, amount, mpq, mpz, natural, over_common_denominator
from exactdice.dice import Distribution
from exactdice.errors import InputError

Face = TypeVar("Face", bound=Hashable)

#: An array of numpy, of integers; which ones, numpy's types do not say.
Array: TypeAlias = Any


@dataclass(frozen=True)
class FreeRerolls(Generic[Face]):
    """Turns with the same dice and any values of the last roll.

    * `face`: the distribution of one die; faces are listed in its order.
    * `rolls`: the number of rolls in a turn, including the first.

    >>> from exactdice.dice import fair
    >>> turns = FreeRerolls(5, fair(6), 3)
    >>> len(turns.lattice), len(turns.results)
    (462, 252)
    >>> five_alike = turns.solve(lambda roll: int(len(set(roll)) == 1))
    >>> five_alike.value
    mpq(347897,7558272)
    """

    dice: int
    face: Distribution[Face]
    rolls: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", natural(self.dice, "dice", least=1))
        object.__setattr__(self, "rolls", natural(self.rolls, "rolls", least=1))
        if not isinstance(self.face, Distribution):
            raise InputError("face", self.face, "a Distribution over faces")

    @cached_property
    def lattice(self) -> tuple[tuple[Face, ...], ...]:
        """The multisets of at most `dice` faces, larger ones first, faces in their order."""
        return tuple(
            kept
            for size in range(self.dice, -1, -1)
            for kept in combinations_with_replacement(self.face, size)
        )

    @property
    def results(self) -> tuple[tuple[Face, ...], ...]:
        """The possible results of all dice; the beginning of the lattice."""
        return self.lattice[: self._starts[1]]

    @cached_property
    def place(self) -> Mapping[tuple[Face, ...], int]:
        return {kept: number for number, kept in enumerate(self.lattice)}

    @cached_property
    def _starts(self) -> list[int]:
        sizes = (comb(size + len(self.face) - 1, size) for size in range(self.dice, -1, -1))
        starts = [0]
        for size in sizes:
            starts.append(starts[-1] + size)
        return starts

    @cached_property
    def _more(self) -> Array:
        """For each multiset below a full roll, and each face, the multiset with that face added."""
        order = list(self.face)
        return np.array(
            [
                [self.place[tuple(sorted((*kept, face), key=order.index))] for face in order]
                for kept in self.lattice[self._starts[1] :]
            ]
        )

    @cached_property
    def _steps(self) -> list[tuple[Array, Array]]:
        """Pairs of lists: multisets, and the same with one face less, in the order of maxima."""
        less: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        for below, places in zip(self.lattice[self._starts[1] :], self._more, strict=True):
            for number, (face, above) in enumerate(zip(self.face, places, strict=True)):
                upper, lower = less.setdefault((number, below.count(face)), ([], []))
                upper.append(int(above))
                lower.append(self.place[below])
        return [(np.array(a), np.array(b)) for _, (a, b) in sorted(less.items())]

    @cached_property
    def per_roll(self) -> mpz:
        return mpz(self.face.denominator) ** self.dice

    def _sums(self, worths: Array) -> Array:
        """Expected values of each keep, times total ** dice rolled; the last by `per_roll`."""
        sums = np.empty((len(self.lattice), *worths.shape[1:]), worths.dtype)
        starts, weights = self._starts, list(map(int, self.face.values()))
        sums[: starts[1]] = worths
        for begin, end in pairwise(starts[1:]):
            more = self._more[begin - starts[1] : end - starts[1]].T
            parts = [
                sums[above] if weight == 1 else sums[above] * weight
                for above, weight in zip(more, weights, strict=True)
            ]
            sums[begin:end] = reduce(np.add, parts)
        return sums

    def _kept(self, worths: Array) -> Array:
        kept, total = self._sums(worths), int(self.face.denominator)
        for fewer, (begin, end) in enumerate(pairwise(self._starts[:-1])):
            kept[begin:end] *= total ** (self.dice - fewer)
        return kept

    def _best(self, kept: Array, ties: Array | None = None) -> Array:
        best, several = kept.copy(), np.zeros(kept.shape, bool)
        for upper, lower in self._steps:
            one, other = best[upper], best[lower]
            if ties is None:
                best[upper] = np.maximum(one, other)
                continue
            is_better = one < other
            best[upper] = np.where(is_better, other, one)
            several[upper] = np.where(is_better, several[lower], several[upper] | (one == other))
        full = self._starts[1]
        if ties is not None:
            ties += several[:full].sum(axis=0)
        return best[:full]

    def _choices(self, kept: Array, slack: int) -> tuple[Array, Array]:
        best = kept.copy()
        first = np.repeat(np.arange(len(kept))[:, None], kept.shape[1], axis=1)
        for upper, lower in self._steps:
            one, other = best[upper], best[lower]
            is_as_good = abs(one - other) <= slack if slack else one == other
            best[upper] = np.maximum(one, other)
            left = first[lower]
            is_first = ~is_as_good & (one < other) | is_as_good & (left < first[upper])
            first[upper] = np.where(is_first, left, first[upper])
        return best[: self._starts[1]], first[: self._starts[1]]

    def values(self, worths: Array, *, ties: Array | None = None) -> Array:
        """Return the exact values of many turns, times ``per_roll ** rolls``.

        `worths` is an array of objects, mpz, of shape (results, turns): the value of each last
        roll. To `ties`, an optional integer for each turn, the number of pairs of a roll and the
        rolls left with several optimal keeps is added. About 0.35 ms a turn of five dice and three
        rolls, with values of 500 bits.
        """
        for _ in range(self.rolls - 1):
            worths = self._best(self._kept(worths), ties)
        return self._sums(worths)[-1]

    def laws(self, worths: Array, slack: int = 0) -> Array:
        """Return the weights of the last rolls of many turns, out of ``per_roll ** rolls``.

        The first of several optimal keeps is kept. `worths` is as for `values`, or for `floors`,
        and `slack` the greatest difference from the best keep that counts as a tie.
        """
        keeps = []
        for _ in range(self.rolls - 1):
            worths, first = self._choices(self._kept(worths), slack * int(self.per_roll))
            keeps.append(first)
            if worths.dtype == np.int64:
                worths //= int(self.per_roll)
        is_long = self.per_roll**self.rolls >> 63
        mass = np.zeros((len(self.lattice), worths.shape[1]), object if is_long else np.int64)
        mass[-1] = 1
        rolled = self._rolled(mass)
        turns = np.arange(worths.shape[1])
        for first in reversed(keeps):
            mass[:] = 0
            np.add.at(mass, (first, turns), rolled)
            rolled = self._rolled(mass)
        return rolled

    def _rolled(self, mass: Array) -> Array:
        weights, starts, total = mass.copy(), self._starts, int(self.face.denominator)
        full = starts[1]
        for fewer, (begin, end) in enumerate(pairwise(starts)):
            weights[begin:end] *= total ** (self.dice - fewer)
        for begin, end in reversed(list(pairwise(starts[1:]))):
            for above, chance in zip(
                self._more[begin - full : end - full].T, self.face.values(), strict=True
            ):
                weights[above] += int(chance) * weights[begin:end]
        return weights[:full]

    def floors(self, worths: Array) -> Array:
        """Return the values of many turns, rounded down by less than `rolls`; about 0.01 ms a turn.

        `worths` is as for `values`, but of 64 bits. If each is below the exact value by less than
        e, so is the result by less than ``rolls + e``: maxima and means add no error, and each roll
        rounds down once. Raises InputError if sums could exceed 64 bits.
        """
        per_roll = int(self.per_roll)
        if worths.dtype != np.int64 or int(np.abs(worths).max()) * per_roll >= 1 << 63:
            raise InputError("worths", worths.dtype, f"64 bits, below 2**63 / {per_roll}")
        for _ in range(self.rolls - 1):
            worths = self._best(self._kept(worths)) // per_roll
        return self._sums(worths)[-1] // per_roll

    def solve(self, worth: Callable[[tuple[Face, ...]], RationalLike]) -> "BestTurn[Face]":
        """Solve one turn, with the values of all rolls.

        `worth` is the value of a last roll, an exact number; the roll is a tuple in the order of
        `face`.

        >>> from exactdice.dice import fair
        >>> best = FreeRerolls(2, fair(6), 2).solve(sum)
        >>> best.value, best.keeps((3, 4), 1), best.value_of((3, 4), 1)
        (mpq(17,2), ((4,),), mpq(15,2))
        """
        worths = (amount(worth(roll), "worth") for roll in self.results)
        numbers, denominator = over_common_denominator(worths)
        stages = [np.array([[number] for number in numbers], dtype=object)]
        kept = []
        for _ in range(self.rolls - 1):
            kept.append(self._kept(stages[-1]))
            stages.append(self._best(kept[-1]))
        return BestTurn(self, denominator, stages, kept)


@dataclass(frozen=True, eq=False)
class BestTurn(Generic[Face]):
    """The optimal play of one turn.

    `denominator` is that of the values of last rolls. `stages` and `kept` are the values of rolls
    and keeps with 0, 1, … rolls left, times `FreeRerolls.per_roll` to the power of the rolls still
    rolled.
    """

    turns: FreeRerolls[Face]
    denominator: mpz
    stages: list[Array] = field(repr=False)
    kept: list[Array] = field(repr=False)

    @property
    def value(self) -> mpq:
        """The value of the turn before the first roll."""
        turns = self.turns
        return self._over(turns._kept(self.stages[-1])[-1, 0], turns.rolls)

    def _over(self, number: mpz, rolls: int) -> mpq:
        return mpq(number, self.denominator * self.turns.per_roll**rolls)

    def _place(self, roll: tuple[Face, ...], left: int) -> int:
        natural(left, "left", most=self.turns.rolls - 1)
        if len(roll) != self.turns.dice or roll not in self.turns.place:
            raise InputError("roll", roll, f"{self.turns.dice} faces in the order of the die")
        return self.turns.place[roll]

    def value_of(self, roll: tuple[Face, ...], left: int) -> mpq:
        """Return the value of a roll, with `left` rolls left."""
        return self._over(self.stages[left][self._place(roll, left), 0], left)

    def regrets(self, roll: tuple[Face, ...], left: int) -> dict[tuple[Face, ...], mpq]:
        """Return the loss by each keep of a roll; keeps of more dice first."""
        best = self.stages[natural(left, "left", least=1)][self._place(roll, left), 0]
        parts = {part for size in range(len(roll) + 1) for part in combinations(roll, size)}
        kept, place = self.kept[left - 1], self.turns.place
        return {
            part: self._over(best - kept[place[part], 0], left)
            for part in sorted(parts, key=place.__getitem__)
        }

    def keeps(self, roll: tuple[Face, ...], left: int) -> tuple[tuple[Face, ...], ...]:
        """Return all optimal keeps of a roll, those of more dice first; at least 1 roll is left."""
        return tuple(part for part, regret in self.regrets(roll, left).items() if not regret)

    def law(self) -> Distribution[tuple[Face, ...]]:
        """Return the distribution of the last roll, with the first of several optimal keeps."""
        weights = self.turns.laws(self.stages[0])[:, 0].tolist()
        return Distribution(
            {
                roll: weight
                for roll, weight in zip(self.turns.results, weights, strict=True)
                if weight
            }
        )
