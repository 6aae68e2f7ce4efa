"""Several dice rolled together: which of them to keep, and functions of the sorted roll.

A pool is a multiset of dice, which may differ. Dice are kept by rank, counted from the highest
(`exactdice.dice.keeping`). Any other function of the sorted roll, of one pool or several, is a
fold (`DicePool.fold`); `count`, `largest_set`, `matched` and others are the most common ones.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import add
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, amount, counted, ground, natural
from exactdice.dice.distribution import Distribution
from exactdice.dice.keeping import Left, descend, kept_sum, numbers
from exactdice.dice.rolled import Rolled
from exactdice.dice.weighted import function, listed, whole
from exactdice.errors import ExactDiceError, InputError, Unquoted
from exactdice.linked import linked
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class DicePool:
    """Dice that are rolled together; make one with `pool`."""

    kinds: tuple[tuple[Distribution[Any], int], ...]

    def __len__(self) -> int:
        return sum(number for _, number in self.kinds)

    def fold(
        self,
        start: State,
        step: Callable[..., State],
        *others: "DicePool",
        lowest_first: bool = False,
        by_die: bool = False,
        run: Run = DEFAULT,
    ) -> "Distribution[State]":
        """Return the distribution of a function of the sorted roll that is computed face by face.

        Faces are visited from the highest down, or with `lowest_first` from the lowest up. For each
        face, ``step(state, face, *counts)`` returns the next state; `counts` says how many dice of
        this pool, and of each of `others`, show the face (possibly 0). The first state is `start`;
        the outcome is the last. States must be hashable, and `step` must depend only on its
        arguments, because it is called once for equal ones. With `by_die`, it receives the dice of
        this pool that show the face instead of their count, as their highest faces: (4, 8, 8).

        Raises InputError if `step` fails or a state is not hashable, and TooLargeError if the
        states would need more memory than `run` allows. Cost: for each face, the number of
        combinations of remaining dice times the number of states that `step` distinguishes.

        How many dice show the highest face; and the probability that two dice share a face with
        three others:

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).fold(0, lambda highest, face, count: highest or count)
        Distribution({1: 3, 2: 3, 3: 2})
        >>> in_common = lambda has, face, mine, theirs: has or (mine > 0 and theirs > 0)
        >>> pool(2, fair(6)).fold(False, in_common, pool(3, fair(6))).probability(True)
        mpq(851,1296)
        """
        function(step, "step")
        if by_die:
            sizes = [max(die) for die, _ in self.kinds]
            kinds = [DicePool((kind,)) for kind in self.kinds]

            def by_sizes(state: State, face: Any, *counts: int) -> State:
                shown = zip(sizes, counts, strict=False)
                dice = sorted(size for size, number in shown for _ in range(number))
                return step(state, face, tuple(dice), *counts[len(sizes) :])

            further = *kinds[1:], *others
            return kinds[0].fold(start, by_sizes, *further, lowest_first=lowest_first, run=run)
        pools = [pooled(one).kinds for one in (self, *others)]
        if any(hasattr(die, "cut") for kinds in pools for die, _ in kinds):
            raise InputError("pool", Unquoted("an unlimited die"), "a limit, as in d6.explode(9)")
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

    def facts(self, run: Run = DEFAULT, **facts: Any) -> Distribution[Any]:
        """Return the joint distribution of several facts of one roll, as named tuples.

        Each fact is a face or a list of faces, which are counted, or a function of a face whose
        values are added. Other facts, such as the highest die, need `sorted_roll`. Cost: the power
        of a polynomial in one variable per fact. Hits and ones of six dice, with a glitch:

        >>> from exactdice.dice import d6
        >>> roll = pool(6, d6).facts(hits=[5, 6], ones=1)
        >>> roll.probability_that(lambda shown: shown.ones >= 3 and shown.hits == 0)
        mpq(347,23328)
        """
        of = {name: _additive(fact, name) for name, fact in facts.items()}
        row = linked("exactdice.dice.vectors:record")(*of)

        def shown(face: Any) -> Any:
            return row(*(counted(ground(fact(face), name)) for name, fact in of.items()))

        parts = (die.map(shown).sum_of(number, run) for die, number in self.kinds)
        return reduce(add, parts)

    def keep(self, ranks: Iterable[int], run: Run = DEFAULT) -> Distribution[Any]:
        """Return the distribution of the sum of the dice with certain ranks.

        Rank 0 is the highest die, len(self) - 1 the lowest. Raises InputError if a rank does not
        exist, and TooLargeError if the result would need more memory than `run` allows.

        The middle one of three dice:

        >>> from exactdice.dice import fair
        >>> pool(3, fair(2)).keep([1])
        Distribution({1: 1, 2: 1})
        """
        given = listed(ranks, "ranks")
        kept = {natural(rank, "ranks", most=len(self) - 1) for rank in given}
        if len(kept) < max(1, sum(given.values())):
            raise InputError("ranks", ranks, "at least one die to keep, and none twice")
        is_unlimited = any(hasattr(die, "cut") for die, _ in self.kinds)
        of = linked("exactdice.dice.sequences:kept") if is_unlimited else kept_sum
        return of(self.kinds, kept, run)

    def keep_highest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Return the distribution of the sum of the `kept` highest dice.

        >>> from exactdice.dice import fair
        >>> pool(fair(4), fair(6)).keep_highest().mean()
        mpq(47,12)
        """
        return self.keep(range(natural(kept, "kept", least=1, most=len(self))), run)

    def keep_lowest(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Return the distribution of the sum of the `kept` lowest dice."""
        return self.keep(range(len(self))[-natural(kept, "kept", least=1, most=len(self)) :], run)

    def keep_middle(self, kept: int = 1, run: Run = DEFAULT) -> Distribution[Any]:
        """Return the distribution of the sum of the `kept` dice in the middle.

        Raises InputError if the numbers dropped on both sides would differ.
        """
        rest = len(self) - natural(kept, "kept", least=1, most=len(self))
        if rest % 2:
            raise InputError("kept", kept, f"a number that leaves an even rest of {len(self)} dice")
        return self.keep(range(rest // 2, len(self) - rest // 2), run)

    def sum(self) -> Distribution[Any]:
        """Return the distribution of the sum of all dice."""
        return reduce(add, (die.sum_of(number) for die, number in self.kinds))


def pooled(dice: "DicePool | Distribution[Any]") -> DicePool:
    if not isinstance(dice, DicePool | Rolled):
        raise InputError("pool", dice, "a pool, such as pool(3, d(6))")
    return dice if isinstance(dice, DicePool) else pool(dice)


def _additive(fact: Any, name: str) -> Callable[[Any], Any]:
    if callable(fact):
        return fact  # type: ignore[no-any-return]
    is_list = isinstance(fact, Iterable) and not isinstance(fact, str | tuple)
    faces = listed(fact if is_list else [fact], name)
    return faces.__contains__


def _after(step: Callable[..., State], *arguments: Any) -> State:
    try:
        state = step(*arguments)
    except (ExactDiceError, MemoryError):
        raise
    except Exception as problem:
        got = Unquoted(f"{type(problem).__name__}: {problem}")
        wanted = "a function of a state, a face, and one count of dice per pool"
        raise InputError("step", got, wanted) from problem
    return _hashed(state)


def _hashed(state: State) -> State:
    try:
        hash(state)
    except TypeError:
        wanted = "a hashable state, such as a number or a tuple"
        raise InputError("step", state, wanted) from None
    return state


def pool(*dice: Distribution[Any] | int) -> DicePool:
    """Return a pool of dice; a number before a die says how many of it there are.

    Raises InputError if there is no die, or a number without a die after it.

    >>> from exactdice.dice import fair
    >>> len(pool(3, fair(6), fair(8)))
    4
    """
    counts: Counter[Distribution[Any]] = Counter()
    several: int | None = None
    for part in dice:
        if isinstance(part, Rolled):
            counts[part] += 1 if several is None else several
            several = None
        elif several is None and not isinstance(part, Iterable):
            several = natural(part, "dice", least=1)
        else:
            raise InputError("dice", part, "a die after each number, such as pool(3, d6, d8)")
    if several is not None or not counts:
        raise InputError("dice", dice, "dice, optionally with a number before each")
    return DicePool(tuple(counts.items()))


def highest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Return the distribution of the highest of independent dice and numbers.

    >>> from exactdice.dice import fair
    >>> highest(fair(4), 3)
    Distribution({3: 3, 4: 1})
    """
    return pool(*_laws(values)).keep_highest()


def lowest(*values: "Distribution[Any] | RationalLike") -> Distribution[Any]:
    """Return the distribution of the lowest of independent dice and numbers."""
    return pool(*_laws(values)).keep_lowest()


def _laws(values: tuple[Any, ...]) -> list[Any]:
    if not values:
        raise InputError("values", values, "at least one die or number")
    return [
        value if isinstance(value, Rolled) else Distribution({whole(amount(value, "values")): 1})
        for value in values
    ]


def count(pool: DicePool, event: Callable[[Any], bool]) -> Distribution[int]:
    """Return the distribution of the number of dice whose face satisfies a condition.

    >>> from exactdice.dice import d, pool
    >>> count(pool(5, d(10)), lambda face: face >= 8).mean()
    mpq(3,2)
    """
    holds, kinds = function(event, "event"), pooled(pool).kinds
    return DicePool(tuple((die.map(lambda face: int(holds(face))), n) for die, n in kinds)).sum()


def sorted_roll(pool: DicePool, *, by_die: bool = False) -> Distribution[tuple[Any, ...]]:
    """Return the distribution of the sorted roll: its faces from the highest down, as a tuple.

    With `by_die` it has pairs of a face and the highest face of its die, such as (3, 8) of a d8.

    Use `Distribution.map` on it for functions that no fold computes easily. It has one outcome for
    each multiset of faces: 462 for six six-sided dice.

    The probability that six dice score nothing at Farkle (no 1, no 5, no three of a kind, no three
    pairs):

    >>> from exactdice.dice import d, pool
    >>> def scores(roll):
    ...     shown = [roll.count(face) for face in set(roll)]
    ...     return bool({1, 5} & {*roll}) or max(shown) >= 3 or shown == [2, 2, 2]
    >>> sorted_roll(pool(6, d(6))).map(scores).probability(False)
    mpq(5,216)
    """
    start: tuple[Any, ...] = ()
    if by_die:
        step = lambda roll, face, dice: (*roll, *((face, die) for die in dice))  # noqa: E731
        return pooled(pool).fold(start, step, by_die=True)
    return pooled(pool).fold(start, lambda roll, face, shown: roll + (face,) * shown)


def largest_set(pool: DicePool) -> Distribution[int]:
    """Return the distribution of the largest number of dice that show the same face.

    >>> from exactdice.dice import d, pool
    >>> largest_set(pool(5, d(6))).probability(5)
    mpq(1,1296)
    """
    return pooled(pool).fold(0, lambda largest, face, shown: max(largest, shown))


def number_of_sets(pool: DicePool, size: int = 2) -> Distribution[int]:
    """Return the distribution of the number of faces that at least `size` dice show.

    Two pairs or a full house among five dice:

    >>> from exactdice.dice import d, pool
    >>> number_of_sets(pool(5, d(6))).probability(2)
    mpq(175,648)
    """
    least = natural(size, "size", least=1)
    return pooled(pool).fold(0, lambda sets, face, shown: sets + (shown >= least))


def distinct(pool: DicePool) -> Distribution[int]:
    """Return the distribution of the number of different faces shown.

    >>> from exactdice.dice import d, pool
    >>> distinct(pool(6, d(6))).probability(6)
    mpq(5,324)
    """
    return number_of_sets(pool, 1)


def longest_straight(pool: DicePool) -> Distribution[int]:
    """Return the distribution of the length of the longest run of consecutive faces.

    >>> from exactdice.dice import d, pool
    >>> longest_straight(pool(5, d(6))).probability(5)
    mpq(5,162)
    """

    def step(state: tuple[int, int, Any], face: Any, shown: int) -> tuple[int, int, Any]:
        longest, run, last = state
        if not shown:
            return state
        run = run + 1 if run and last - face == 1 else 1
        return max(longest, run), run, face

    return pooled(pool).fold((0, 0, None), step).map(lambda state: state[0])


def beaten(mine: DicePool, theirs: DicePool, *, ties: bool = False) -> Distribution[int]:
    """Return the distribution of how many of their dice my highest die beats, or `ties`.

    >>> from exactdice.dice import d, pool
    >>> beaten(pool(3, d(6)), pool(2, d(6))).mean()
    mpq(95,72)
    """

    def step(state: int | None, face: Any, own: int, other: int) -> int | None:
        if state is not None:
            return state + other
        return (other if ties else 0) if own else None

    return pooled(mine).fold(None, step, theirs).map(lambda state: state or 0)


def matched(
    mine: DicePool, theirs: DicePool, *, ties: bool = False
) -> Distribution[tuple[int, int]]:
    """Return the distribution of (pairs that I lose, pairs that I win), compared as in Risk.

    Both pools are sorted, and highest is compared with highest, second with second and so on; dice
    without a partner are ignored. With `ties` I win equal pairs. Three dice against two at Risk:

    >>> from exactdice.dice import d, pool
    >>> matched(pool(3, d(6)), pool(2, d(6)))
    Distribution({(0, 2): 2890, (1, 1): 2611, (2, 0): 2275})
    """
    mine, theirs = pooled(mine), pooled(theirs)
    pairs = min(len(mine), len(theirs))

    def step(state: tuple[int, int, int], face: Any, own: int, other: int) -> tuple[int, int, int]:
        mine_placed, theirs_placed, lost = state
        if mine_placed == pairs:
            return state
        # I lose the pairs that theirs decide here and in which mine was not placed before.
        first = max(theirs_placed, mine_placed + own if ties else mine_placed)
        mine_placed, theirs_placed = mine_placed + own, theirs_placed + other
        if theirs_placed > first:
            lost += min(theirs_placed, pairs) - first if first < pairs else 0
        if mine_placed < pairs and theirs_placed < pairs:
            return mine_placed, theirs_placed, lost
        return pairs, pairs, lost

    losses = mine.fold((0, 0, 0), step, theirs)
    return losses.map(lambda state: (state[2], pairs - state[2]))
