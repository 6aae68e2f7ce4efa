"""What people ask of the dice of a roll together: each a fold of a few lines over its faces.

They go through `DicePool.fold`, which is the way to ask anything else of a sorted roll: a state,
and how it changes at a face that so many dice show.
"""

from collections.abc import Callable
from typing import Any

from exactdice.arithmetic import natural
from exactdice.dice.distribution import Distribution
from exactdice.dice.pools import DicePool, pooled
from exactdice.dice.weighted import function


def count(pool: DicePool, event: Callable[[Any], bool]) -> Distribution[int]:
    """Distribution of the number of dice whose face satisfies a condition.

    >>> from exactdice.dice import d, pool
    >>> count(pool(5, d(10)), lambda face: face >= 8).mean()
    mpq(3,2)
    """
    holds, kinds = function(event, "event"), pooled(pool).kinds
    return DicePool(tuple((die.map(lambda face: int(holds(face))), n) for die, n in kinds)).sum()


def sorted_roll(pool: DicePool) -> Distribution[tuple[Any, ...]]:
    """Distribution of the roll itself, its faces from the highest down.

    Whatever is not one of the folds can be asked of it by `Distribution.map`, for as many rolls as
    there are multisets of faces: 462 for six dice of six sides.

    What six dice offer at Farkle: here the chance that none is a one or a five, and no face is
    shown three times, three pairs apart.

    >>> from exactdice.dice import d, pool
    >>> def offers(roll):
    ...     shown = [roll.count(face) for face in set(roll)]
    ...     return bool({1, 5} & {*roll}) or max(shown) >= 3 or shown == [2, 2, 2]
    >>> sorted_roll(pool(6, d(6))).map(offers).probability(False)
    mpq(5,216)
    """
    start: tuple[Any, ...] = ()
    return pooled(pool).fold(start, lambda roll, face, shown: roll + (face,) * shown)


def largest_set(pool: DicePool) -> Distribution[int]:
    """Distribution of the largest number of dice that show the same face.

    >>> from exactdice.dice import d, pool
    >>> largest_set(pool(5, d(6))).probability(5)
    mpq(1,1296)
    """
    return pooled(pool).fold(0, lambda largest, face, shown: max(largest, shown))


def number_of_sets(pool: DicePool, size: int = 2) -> Distribution[int]:
    """Distribution of the number of faces that at least `size` dice show.

    Two pairs or more among five dice, three of a kind and a pair among them:

    >>> from exactdice.dice import d, pool
    >>> number_of_sets(pool(5, d(6))).probability(2)
    mpq(175,648)
    """
    least = natural(size, "size", least=1)
    return pooled(pool).fold(0, lambda sets, face, shown: sets + (shown >= least))


def distinct(pool: DicePool) -> Distribution[int]:
    """Distribution of the number of different faces that are shown.

    >>> from exactdice.dice import d, pool
    >>> distinct(pool(6, d(6))).probability(6)
    mpq(5,324)
    """
    return number_of_sets(pool, 1)


def longest_straight(pool: DicePool) -> Distribution[int]:
    """Distribution of the most faces one after another that are shown, as 2, 3, 4.

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
    """Distribution of how many of their dice my highest beats, or with `ties` equals.

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
    """Distribution of the pairs that I lose and win, the highest against the highest, as in Risk.

    The dice of both are put in order and compared in pairs; those that one has more do not count.
    With `ties` I win a pair that shows the same. Three dice against two at Risk:

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
        # Of the pairs that theirs decide here I lose those in which mine was not placed before.
        first = max(theirs_placed, mine_placed + own if ties else mine_placed)
        mine_placed, theirs_placed = mine_placed + own, theirs_placed + other
        if theirs_placed > first:
            lost += min(theirs_placed, pairs) - first if first < pairs else 0
        if mine_placed < pairs and theirs_placed < pairs:
            return mine_placed, theirs_placed, lost
        return pairs, pairs, lost

    losses = mine.fold((0, 0, 0), step, theirs)
    return losses.map(lambda state: (state[2], pairs - state[2]))
