"""AnyDice's function library.

Each function says what its parameters take, as in ``function: … N:n``, and works on values of
these kinds; those that need no rolls of a pool take dice as they are (``whole_pool``).
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from exactdice.anydice.values import EMPTY, Pool, Value, _empty, _placed, _true
from exactdice.dice.distribution import Distribution
from exactdice.dice.keeping import kept_sum
from exactdice.run import Run

__all__ = ["LIBRARY", "Settings"]


class Settings:
    """What ``set`` changes, with AnyDice's values at the beginning, and the limits of the run."""

    def __init__(self, run: Run) -> None:
        self.run, self.highest_first, self.depth, self.explode_depth = run, True, 10, 2


class Built(NamedTuple):
    """A function of the library: the kinds of its parameters and of its result."""

    takes: str
    gives: str
    function: Callable[..., Value]
    whole_pool: Callable[..., Value] | None = None


def _kept(which: str) -> Callable[..., Value]:
    def kept(settings: Settings, number: int, *pools: Pool) -> Value:
        if which == "middle" and pools[0].face is None:
            return _empty(pools[0])
        kinds = [(pool.face, pool.number) for pool in pools if pool.face is not None]
        size = sum(n for _, n in kinds)
        number = min(max(number, 0), size)
        first = {"highest": 0, "lowest": size - number, "middle": (size - number) // 2}[which]
        if not number:
            return Pool(Distribution({0: 1}))
        if len(kinds) == 1:
            places = Counter(range(first + 1, first + number + 1))
            return Pool(_placed(pools[0], places, settings.run), 1, pools[0].reached_limit)
        ranks = set(range(first, first + number))
        return Pool(kept_sum(kinds, ranks, settings.run))

    return kept


def _extreme(
    choose: Callable[[int, int], int],
) -> tuple[Callable[..., Value], Callable[..., Value]]:
    def of_pools(_: Settings, a: Value, b: Value) -> Value:
        one, two = _as_pool(a), _as_pool(b)
        if one.face is None or two.face is None:
            return _empty(one, two)
        return Pool(one.total.with_other(two.total, choose))

    return lambda _, a, b: choose(a, b), of_pools


def _as_pool(value: Value) -> Pool:
    if isinstance(value, Pool):
        return value
    return Pool(Distribution({sum(value) if type(value) is tuple else value: 1}))


def _absolute(_: Settings, pool: Any) -> Value:
    return Pool(Distribution.map(pool.total, abs), 1, pool.reached_limit)


def _count(_: Settings, values: tuple[int, ...], pool: Pool) -> Value:
    times = Counter(values)
    one: dict[int, int] = {}
    for face, weight in pool.face.items():  # type: ignore[union-attr]
        one[times.get(face, 0)] = one.get(times.get(face, 0), 0) + weight
    return Pool(Distribution(one).sum_of(pool.number), 1, pool.reached_limit)


def _contains(_: Settings, pool: Pool, value: int) -> Value:
    every = pool.face.denominator  # type: ignore[union-attr]
    missed = (every - pool.face.get(value, 0)) ** pool.number  # type: ignore[union-attr]
    return Pool(_true(every**pool.number - missed, every**pool.number), 1, pool.reached_limit)


def _total(_: Settings, pool: Pool) -> Value:
    return Pool(pool.total, 1, pool.reached_limit)


def _explode(settings: Settings, pool: Pool) -> Value:
    if pool.face is None:
        return pool
    return Pool(pool.total.explode(settings.explode_depth), 1, pool.reached_limit)


def _maximum(_: Settings, pool: Pool) -> Value:
    return max(pool.total) if pool.face is not None else 0


def _sorted(settings: Settings, sequence: tuple[int, ...]) -> Value:
    return tuple(sorted(sequence, reverse=settings.highest_first))


def _built() -> dict[tuple[str, ...], Built]:
    listed = {
        "absolute ?": Built("n", "n", lambda _, x: abs(x), _absolute),
        "? contains ?": Built("sn", "n", lambda _, s, x: int(x in s), _contains),
        "count ? in ?": Built("ss", "n", lambda _, xs, s: sum(map(xs.count, s)), _count),
        "maximum of ?": Built("d", "n", _maximum),
        "reverse ?": Built("s", "?", lambda _, s: s[::-1] or 0, _total),
        "sort ?": Built("s", "s", _sorted, _total),
        "highest of ? and ?": Built("nn", "n", *_extreme(max)),
        "lowest of ? and ?": Built("nn", "n", *_extreme(min)),
        "middle ? of ?": Built("nd", "d", _kept("middle")),
        "explode ?": Built("d", "d", _explode),
    }
    for which in ("highest", "lowest"):
        for more in range(3):
            listed[f"{which} ? of ?{' and ?' * more}"] = Built("nd" + "d" * more, "d", _kept(which))
    return {tuple(words.split()): built for words, built in listed.items()}


#: The functions by the words of their names, with ``?`` for each parameter.
LIBRARY = _built()
