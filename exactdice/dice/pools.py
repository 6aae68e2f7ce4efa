r"""Several dice rolled at once, and which of them count.

A pool is a multiset of dice, which may differ. Any function of the sorted roll, of one pool or of
several, is a fold (`DicePool.fold`): through the faces from the highest down, or from the lowest
up, with the number of dice that show each. `exactdice.dice.rolls` has the most common ones.
What is kept is named by ranks, counted from the highest; `exactdice.dice.keeping` finds their sum.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import add
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, amount, natural
from exactdice.dice.distribution import Distribution
from exactdice.dice.keeping import Left, descend, kept_sum, numbers
from exactdice.dice.lattice import whole
from exactdice.dice.weighted import function, several
from exactdice.errors import ExactDiceError, InputError, Unquoted
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class DicePool:
    """Dice that are rolled together: the different ones, each with how many there are."""

    kinds: tuple[tuple[Distribution[Any], int], ...]

    def __len__(self) -> int:
        return sum(number for _, number in self.kinds)

    def fold(
        self,
        start: State,
        step: Callable[..., State],
        *others: "DicePool",
        lowest_first: bool = False,
        run: Run = DEFAULT,
    ) -> "Distribution[State]":
        """Distribution of a function of the sorted roll, which is built up face by face.

        From the highest face down, or with `lowest_first` from the lowest up, ``step(state, face,
        *counts)`` returns the state from there on, where `counts` are the numbers of dice of this
        pool and of each of the `others` that show the face, which may be 0. The state before the
        first face is `start`, any value that can be hashed; the last one is the outcome. `step`
        must depend on its arguments alone: it is called once for equal ones.

        Raises InputError if `step` raises or a state cannot be hashed; TooLargeError if the states
        would take more memory than `run` allows: as many as there are numbers of dice left, or more
        where `step` tells more apart.

        How many dice show the highest face that is shown, and the chance that two dice have a
        face in common with three others:

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).fold(0, lambda highest, face, count: highest or count)
        Distribution({1: 3, 2: 3, 3: 2})
        >>> in_common = lambda has, face, mine, theirs: has or (mine > 0 and theirs > 0)
        >>> pool(2, fair(6)).fold(False, in_common, pool(3, fair(6))).probability(True)
        mpq(851,1296)
        """
        step = function(step, "step")
        pools = [pooled(one).kinds for one in (self, *others)]
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
                        try:
                            image = images[state]
                        except KeyError:
                            image = images[state] = _after(step, state, level.face, *shown)
                        target[image] = target.get(image, 0) + weight * ways
            states = following
        return Distribution(states[()])

    def keep(self, ranks: Iterable[int], run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the dice on certain ranks, as of the middle one of three.

        Ranks go from 0, the highest, to len(self) − 1, the lowest; equal outcomes take ranks next
        to each other. Raises InputError if there is no such rank; TooLargeError if the law would
        take more memory than `run` allows.

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).keep([1])
        Distribution({1: 1, 2: 1})
        """
        kept = {natural(rank, "ranks", most=len(self) - 1) for rank in several(ranks, "ranks")}
        if not kept:
            raise InputError("ranks", Unquoted("none"), "at least one die to keep")
        return kept_sum(self.kinds, kept, run)

    def keep_highest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the highest dice.

        >>> from exactdice.dice import fair
        >>> pool(fair(4), fair(6)).keep_highest().mean()
        mpq(47,12)
        """
        return self.keep(range(natural(kept, "kept", least=1, most=len(self))), run)

    def keep_lowest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the lowest dice."""
        return self.keep(range(len(self))[-natural(kept, "kept", least=1, most=len(self)) :], run)

    def keep_middle(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Distribution of the sum of the dice in the middle.

        Raises InputError if as many cannot be dropped from both ends.
        """
        rest = len(self) - natural(kept, "kept", least=1, most=len(self))
        if rest % 2:
            raise InputError("kept", kept, f"a number that leaves an even rest of {len(self)}")
        return self.keep(range(rest // 2, len(self) - rest // 2), run)

    def sum(self) -> Distribution[Any]:
        """Distribution of the sum of all dice."""
        return reduce(add, (die.sum_of(number) for die, number in self.kinds))


def pooled(dice: "DicePool | Distribution[Any]") -> DicePool:
    """Let one die be a pool; what is neither is refused."""
    if not isinstance(dice, DicePool | Distribution):
        raise InputError("pool", dice, "dice together, as pool(3, d(6))")
    return dice if isinstance(dice, DicePool) else pool(dice)


def _after(step: Callable[..., State], *arguments: Any) -> State:
    """Take a step of a fold; what it raises is told in one line."""
    try:
        state = step(*arguments)
    except (ExactDiceError, MemoryError):
        raise
    except Exception as problem:
        got = Unquoted(f"{type(problem).__name__}: {problem}")
        wanted = "a function of a state, a face, and for each pool how many dice show it"
        raise InputError("step", got, wanted) from problem
    return _hashed(state)


def _hashed(state: State) -> State:
    try:
        hash(state)
    except TypeError:
        wanted = "a state that can be hashed, such as a number or a tuple"
        raise InputError("step", state, wanted) from None
    return state


def pool(*dice: Distribution[Any] | int) -> DicePool:
    """Put dice together; a number before a die says how many of it there are.

    Raises InputError if there is no die, or a number with none behind it.

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
    return DicePool(tuple(counts.items()))


def highest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Distribution of the highest of independent dice and numbers.

    >>> from exactdice.dice import fair
    >>> highest(fair(4), 3)
    Distribution({3: 3, 4: 1})
    """
    return pool(*_laws(values)).keep_highest()


def lowest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Distribution of the lowest of independent dice and numbers."""
    return pool(*_laws(values)).keep_lowest()


def _laws(values: tuple[Any, ...]) -> list[Distribution[Any]]:
    if not values:
        raise InputError("values", values, "at least one die or number")
    return [
        value
        if isinstance(value, Distribution)
        else Distribution({whole(amount(value, "values")): 1})
        for value in values
    ]
