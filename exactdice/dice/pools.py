r"""Several dice rolled at once: which of them count, and how two rolls compare.

A pool is a multiset of dice, which may differ. Any function of the sorted roll, of one pool or of
several, is a fold (`Pool.fold`): through the faces from the highest down, or from the lowest up,
with the number of dice that show each. `exactdice.dice.rolls` has those that are asked for most.
What is kept is named by ranks, counted from the highest; `exactdice.dice.keeping` finds their sum.

A comparison is of two independent rolls; a tie is a result of its own, never half a win.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.dice.descent import Left, descend, numbers
from exactdice.dice.distribution import Distribution
from exactdice.dice.keeping import kept_sum
from exactdice.dice.lattice import whole
from exactdice.errors import InputError, Unquoted
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

Outcome = TypeVar("Outcome", bound=Hashable)
State = TypeVar("State", bound=Hashable)


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

    def fold(
        self,
        start: State,
        step: Callable[..., State],
        *others: "Pool",
        lowest_first: bool = False,
        run: Run = DEFAULT,
    ) -> "Distribution[State]":
        """Distribution of a function of the sorted roll, which is built up face by face.

        Parameters
        ----------
        start
            The state before the first face: any value that can be hashed.
        step
            Called as ``step(state, face, *counts)`` for each face from the highest down, where
            `counts` are the numbers of dice of each pool that show it, which may be 0; it returns
            the state from there on. The last one is the outcome. It must depend on its arguments
            alone: it is called once for equal ones.
        others
            Pools that are rolled too.
        lowest_first
            From the lowest face up.
        run
            The memory that the states may take: as many as there are numbers of dice left, or
            more where `step` tells more apart.

        Raises
        ------
        InputError
            If a state cannot be hashed.
        TooLargeError
            If the states would take more.

        Examples
        --------
        How many dice show the highest face that is shown, and the chance that two dice have a
        face in common with three others:

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).fold(0, lambda highest, face, count: highest or count)
        Distribution({1: 3, 2: 3, 3: 2})
        >>> in_common = lambda has, face, mine, theirs: has or (mine > 0 and theirs > 0)
        >>> pool(2, fair(6)).fold(False, in_common, pool(3, fair(6))).probability(True)
        mpq(851,1296)
        """
        for other in others:
            if not isinstance(other, Pool):
                raise InputError("others", other, "pools, as pool(3, d(6))")
        pools = [one.kinds for one in (self, *others)]
        left = numbers(pools)
        bits = sum(n * die.denominator.bit_length() for kinds in pools for die, n in kinds)
        most = prod(number + 1 for number in left)
        run.require(stored_bytes(most, bits), f"a fold over {sum(left)} dice of {len(left)} kinds")
        states: dict[Left, dict[State, int]] = {left: {_hashed(start): 1}}
        for level in descend(pools, lowest_first=lowest_first):
            following: dict[Left, dict[State, int]] = {}
            after: dict[Left, dict[State, State]] = {}  # by what is shown and the state before
            for left, weights in states.items():
                for rest, shown, ways in level.placings(left):
                    target = following.setdefault(rest, {})
                    images = after.setdefault(shown, {})
                    for state, weight in weights.items():
                        if state in images:
                            image = images[state]
                        else:
                            image = images[state] = _hashed(step(state, level.face, *shown))
                        target[image] = target.get(image, 0) + weight * ways
            states = following
        return Distribution(states[()])

    def keep(self, ranks: Iterable[int], run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the dice on certain ranks.

        Parameters
        ----------
        ranks
            From 0, the highest, to len(self) − 1, the lowest; equal outcomes take ranks next to
            each other.
        run
            The memory that the law may take.

        Raises
        ------
        InputError
            If there is no such rank.
        TooLargeError
            If the law would take more memory.

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
        return kept_sum(self.kinds, kept, run)

    def keep_highest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the highest dice.

        Examples
        --------
        >>> from exactdice.dice import fair
        >>> pool(fair(4), fair(6)).keep_highest().mean()
        mpq(47,12)
        """
        return self.keep(range(natural(kept, "kept", least=1, most=len(self))), run)

    def keep_lowest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the lowest dice."""
        number = natural(kept, "kept", least=1, most=len(self))
        return self.keep(range(len(self) - number, len(self)), run)

    def keep_middle(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
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
        return self.keep(range(first, first + number), run)

    def sum(self) -> Distribution[Any]:
        """Distribution of the sum of all dice."""
        (first, number), *others = self.kinds
        total = first.sum_of(number)
        for die, several in others:
            total = total + die.sum_of(several)
        return total


def _hashed(state: State) -> State:
    try:
        hash(state)
    except TypeError:
        wanted = "a state that can be hashed, such as a number or a tuple"
        raise InputError("step", state, wanted) from None
    return state


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


def highest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Distribution of the highest of independent dice and numbers.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> highest(fair(4), 3)
    Distribution({3: 3, 4: 1})
    """
    return kth_highest(_laws(values), 1)


def lowest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Distribution of the lowest of independent dice and numbers."""
    laws = _laws(values)
    return kth_highest(laws, len(laws))


def _laws(values: tuple[Any, ...]) -> list[Distribution[Any]]:
    if not values:
        raise InputError("values", values, "at least one die or number")
    return [
        value
        if isinstance(value, Distribution)
        else Distribution({whole(rational(value, "values")): 1})
        for value in values
    ]


def kth_highest(pool: Iterable[Distribution[Outcome]], k: int) -> Distribution[Outcome]:
    """Distribution of the k-th highest outcome of a pool of independent dice.

    Parameters
    ----------
    pool
        The dice, at least one; they may differ.
    k
        1 for the highest, len(pool) for the lowest.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> kth_highest([fair(6)] * 3, 1).mean()
    mpq(119,24)
    """
    dice = Counter(pool)
    if not dice:
        raise InputError("pool", [], "at least one die")
    rank = natural(k, "k", least=1, most=dice.total()) - 1
    return kept_sum(tuple(dice.items()), {rank}, DEFAULT)


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
