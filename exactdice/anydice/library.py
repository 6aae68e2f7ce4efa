"""AnyDice's function library."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from exactdice.anydice.values import Pool, Value, empty, ranked
from exactdice.dice.distribution import Distribution
from exactdice.dice.keeping import kept_sum
from exactdice.run import Run


class Settings:
    """What ``set`` changes, with AnyDice's values at the beginning, and the limits of the run."""

    def __init__(self, run: Run) -> None:
        self.run, self.highest_first, self.depth, self.explode_depth = run, True, 10, 2


class Built(NamedTuple):
    """A function of the library.

    `takes` are the kinds of its parameters, as in ``function: … N:n``. The second function needs no
    rolls: it is used if the arguments are dice wherever `takes_whole` has a ``d``.
    """

    takes: str
    function: Callable[..., Value]
    takes_whole: str = ""
    whole: Callable[..., Value] | None = None


def _kept(which: str, settings: Settings, number: int, *pools: Pool) -> Value:
    if which == "middle" and pools[0].face is None:
        return empty(pools[0])
    dice = [pool for pool in pools if pool.face is not None]
    size = sum(pool.number for pool in dice)
    number = min(max(number, 0), size)
    first = {"highest": 0, "lowest": size - number, "middle": (size - number) // 2}[which]
    ranks = range(first, first + number)
    if len(dice) > 1 and number:
        kinds = [(pool.face, pool.number) for pool in dice]
        return _of(kept_sum(kinds, set(ranks), settings.run), *pools)
    return _of(ranked([*dice, *pools][0], ranks, settings.run), *pools)


def _explode(settings: Settings, pool: Pool) -> Value:
    return pool if pool.face is None else _of(pool.total.explode(settings.explode_depth), pool)


def _of(made: Any, *pools: Pool) -> Pool:
    return Pool(made, 1, empty(*pools).cut)


def _count(_: Settings, values: tuple[int, ...], pool: Pool) -> Value:
    times = Counter(values)
    return _of(pool.face.map(lambda face: times.get(face, 0)).sum_of(pool.number), pool)


def _contains(_: Settings, pool: Pool, value: int) -> Value:
    missed = (pool.face.denominator - pool.face.get(value, 0)) ** pool.number
    return _of(Distribution({0: missed, 1: pool.face.denominator**pool.number - missed}), pool)


def _extreme(choose: Callable[[int, int], int]) -> Built:
    def whole(_: Settings, a: Pool, b: Pool) -> Value:
        return _of(a.total.with_other(b.total, choose), a, b)

    return Built("nn", lambda _, a, b: choose(a, b), "dd", whole)


def _whole_sum(_: Settings, pool: Pool) -> Value:
    return _of(pool.total, pool)


#: The functions by the words of their names, with ``?`` for each parameter.
LIBRARY = {
    tuple(words.split()): built
    for words, built in {
        "absolute ?": Built("n", lambda _, x: abs(x), "d", lambda _, p: _of(p.total.map(abs), p)),
        "? contains ?": Built("sn", lambda _, xs, x: int(x in xs), "dn", _contains),
        "count ? in ?": Built(
            "ss", lambda _, xs, of: sum(map(Counter(xs).__getitem__, of)), "sd", _count
        ),
        "maximum of ?": Built("d", lambda _, p: 0 if p.face is None else max(p.total)),
        "reverse ?": Built("s", lambda _, xs: xs[::-1] or 0, "d", _whole_sum),
        "sort ?": Built(
            "s", lambda s, xs: tuple(sorted(xs, reverse=s.highest_first)), "d", _whole_sum
        ),
        "highest of ? and ?": _extreme(max),
        "lowest of ? and ?": _extreme(min),
        "middle ? of ?": Built("nd", partial(_kept, "middle")),
        "explode ?": Built("d", _explode),
        **{
            f"{which} ? of ?{' and ?' * more}": Built("nd" + "d" * more, partial(_kept, which))
            for which in ("highest", "lowest")
            for more in range(3)
        },
    }.items()
}
