r"""Several dice rolled at once: which of them count, and how two rolls compare.

A pool is a multiset of dice, which may differ. What is kept is named by ranks, counted from the
highest: the sum of the kept dice is found by going through the outcomes from the highest down and
choosing, for each kind of die, how many of those that are left show it; the ranks that they take
follow from how many are placed already. Equal dice are one kind, so nothing is counted twice.

Cost: O(outcomes · ∏(nᵢ + 1)² · sums) integer products with nᵢ dice of each kind.

A comparison is of two independent rolls; a tie is a result of its own, never half a win.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any, TypeVar

from exactdice.arithmetic import mpq, natural
from exactdice.dice.distribution import Distribution
from exactdice.errors import InputError, Unquoted

Outcome = TypeVar("Outcome", bound=Hashable)


@dataclass(frozen=True)
class Pool:
    """Dice that are rolled together.

    Parameters
    ----------
    kinds
        The different dice, each with how many there are.
    """

    kinds: tuple[tuple[Distribution[Any], int], ...]

    def __len__(self) -> int:
        return sum(number for _, number in self.kinds)

    def keep(self, ranks: Iterable[int]) -> Distribution[Any]:
        """Distribution of the sum of the dice on certain ranks.

        Parameters
        ----------
        ranks
            From 0, the highest, to len(self) − 1, the lowest; equal outcomes take ranks next to
            each other.

        Raises
        ------
        InputError
            If there is no such rank.

        Examples
        --------
        The middle one of three dice:

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).keep([1])
        Distribution({1: 1, 2: 1})
        """
        kept = {natural(rank, "ranks", most=len(self) - 1) for rank in ranks}
        if not kept:
            raise InputError("ranks", Unquoted("none"), "at least one die to keep")
        # counted[k] = kept ranks above k, so that placing dice i … j - 1 keeps a difference.
        counted = [sum(rank < place for rank in kept) for place in range(len(self) + 1)]
        faces: set[Any] = {face for die, _ in self.kinds for face in die}
        states: Counter[tuple[tuple[int, ...], Any]] = Counter()
        states[tuple(number for _, number in self.kinds), 0] = 1
        for face in sorted(faces, reverse=True):
            following: Counter[tuple[tuple[int, ...], Any]] = Counter()
            for (left, total), weight in states.items():
                placed = len(self) - sum(left)
                for shown in product(*(range(number + 1) for number in left)):
                    ways = weight
                    for (die, _), here, number in zip(self.kinds, left, shown, strict=True):
                        ways *= comb(here, number) * die.get(face, 0) ** number
                    if ways:
                        rest = tuple(a - b for a, b in zip(left, shown, strict=True))
                        gained = counted[placed + sum(shown)] - counted[placed]
                        following[rest, total + gained * face] += ways
            states = following
        return Distribution({total: w for (left, total), w in states.items() if not any(left)})

    def keep_highest(self, kept: int = 1) -> Distribution[Any]:
        """Distribution of the sum of the highest dice.

        Examples
        --------
        >>> from exactdice.dice import fair
        >>> pool(fair(4), fair(6)).keep_highest().mean()
        mpq(47,12)
        """
        return self.keep(range(natural(kept, "kept", least=1, most=len(self))))

    def keep_lowest(self, kept: int = 1) -> Distribution[Any]:
        """Distribution of the sum of the lowest dice."""
        number = natural(kept, "kept", least=1, most=len(self))
        return self.keep(range(len(self) - number, len(self)))

    def keep_middle(self, kept: int = 1) -> Distribution[Any]:
        """Distribution of the sum of the dice in the middle.

        Raises
        ------
        InputError
            If as many cannot be dropped from both ends.
        """
        number = natural(kept, "kept", least=1, most=len(self))
        if (len(self) - number) % 2:
            raise InputError("kept", kept, f"a number that leaves an even rest of {len(self)}")
        first = (len(self) - number) // 2
        return self.keep(range(first, first + number))

    def sum(self) -> Distribution[Any]:
        """Distribution of the sum of all dice."""
        (first, number), *others = self.kinds
        total = first.sum_of(number)
        for die, several in others:
            total = total + die.sum_of(several)
        return total


def pool(*dice: Distribution[Any] | int) -> Pool:
    """Put dice together; a number before a die says how many of it there are.

    Raises
    ------
    InputError
        If there is no die, or a number with none behind it.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> len(pool(3, fair(6), fair(8)))
    4
    """
    counts: Counter[Distribution[Any]] = Counter()
    several: int | None = None
    for part in dice:
        if isinstance(part, Distribution):
            counts[part] += 1 if several is None else several
            several = None
        elif several is None:
            several = natural(part, "dice", least=1)
        else:
            raise InputError("dice", part, "a die behind each number")
    if several is not None or not counts:
        raise InputError("dice", dice, "dice, each with a number before it where there are several")
    return Pool(tuple(counts.items()))


def kth_highest(pool: Iterable[Distribution[Outcome]], k: int) -> Distribution[Outcome]:
    """Distribution of the k-th highest outcome of a pool of independent dice.

    The dice may differ. The chance that at least k of them reach a threshold is a tail of a sum of
    independent Bernoulli variables; differences over the thresholds give the law. O(n·k) integer
    products a threshold.

    Parameters
    ----------
    pool
        The dice, at least one.
    k
        1 for the highest, len(pool) for the lowest.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> kth_highest([fair(6)] * 3, 1).mean()
    mpq(119,24)
    """
    dice = list(pool)
    if not dice:
        raise InputError("pool", dice, "at least one die")
    k = natural(k, "k", least=1, most=len(dice))
    faces: set[Any] = {outcome for die in dice for outcome in die}
    support = sorted(faces, reverse=True)
    weights: dict[Outcome, int] = {}
    below = 0  # ways in which at least k dice reached a higher threshold
    reaching = [0] * len(dice)
    for threshold in support:
        reaching = [r + die.get(threshold, 0) for r, die in zip(reaching, dice, strict=True)]
        # ways[j]: weight with which exactly j dice reach the threshold, j = k meaning k or more
        ways = [1] + [0] * k
        for reached, die in zip(reaching, dice, strict=True):
            missed = die.denominator - reached
            ways = [
                ways[j] * (missed if j < k else die.denominator)
                + (ways[j - 1] * reached if j else 0)
                for j in range(k + 1)
            ]
        weights[threshold] = ways[k] - below
        below = ways[k]
    return Distribution(weights)


@dataclass(frozen=True)
class Comparison:
    """Exact chances that the first of two independent rolls is higher, equal, lower."""

    win: mpq
    tie: mpq
    loss: mpq


def compare(first: Distribution[Any], second: Distribution[Any]) -> Comparison:
    """Compare independent rolls of two dice.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> compare(fair(6), fair(6))
    Comparison(win=mpq(5,12), tie=mpq(1,6), loss=mpq(5,12))
    """
    ways = {1: 0, 0: 0, -1: 0}
    for x, v in first.items():
        for y, w in second.items():
            ways[(x > y) - (x < y)] += v * w
    total = first.denominator * second.denominator
    return Comparison(mpq(ways[1], total), mpq(ways[0], total), mpq(ways[-1], total))
