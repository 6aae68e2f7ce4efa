r"""Statistical power of simulated games, and confidence intervals.

Games are independent; a player with edge e wins each with probability (1 + e)/2 and loses it
otherwise. The null hypothesis 1/2 is tested one-sided at level 1 − confidence. The most powerful
test rejects it above a critical number of wins, and at this number with the probability that meets
the level exactly (Neyman and Pearson 1933). Its power increases with the edge and with the number
of games, so the least number of games and the least edge are found by bisection. A test without
that randomisation needs hardly more games.

Tails of the binomial distribution are incomplete beta functions, enclosed rigorously by Arb's ball
arithmetic: :math:`P(X \ge k) = I_p(k, n - k + 1)`. The precision is raised until a comparison is
decided.

Confidence intervals of a probability, given wins out of games, are those of Clopper and Pearson
(1934), rounded outward to `PLACES` decimals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Any, TypeAlias

from flint import arb, ctx

from exactdice.arithmetic import RationalLike, mpq, natural, rational, text, to_flint
from exactdice.errors import InputError
from exactdice.question.domains import Rational

#: Decimals of the edges and probabilities found by bisection.
PLACES = 6

_GRID = 10**PLACES
_MAX_GAMES = 10**12

Ball: TypeAlias = Callable[[], arb]


class Between(Rational):
    """Exact numbers above `low` and below `high`."""

    metavar = "C"

    def __init__(self, low: mpq, high: mpq) -> None:
        self.low, self.high = low, high

    def read(self, value: Any, name: str) -> mpq:
        number = super().read(value, name)
        if not self.low < number < self.high:
            raise InputError(name, value, f"a number {self.describe()}")
        return number

    def describe(self) -> str:
        return f"above {text(self.low)} and below {text(self.high)}"


#: Valid confidences of an interval and of a one-sided test, and the default of both.
CONFIDENCE, LEVEL = Between(mpq(0), mpq(1)), Between(mpq(1, 2), mpq(1))
CONFIDENT = mpq(95, 100)


def power(games: int, edge: RationalLike, confidence: RationalLike = "0.95") -> mpq:
    """Return the power of the test, rounded down to `PLACES` decimals; ms up to a million games."""
    games, chance, level = _checked(games, edge, confidence)
    seen = _bisect(0, _GRID, lambda p: _is_power_at_least(games, chance, level, mpq(p, _GRID)))
    return mpq(seen, _GRID)


def games_needed(
    edge: RationalLike, confidence: RationalLike = "0.95", power: RationalLike = "0.95"
) -> int:
    """Return the least number of games in which the test has the given power."""
    _, chance, level = _checked(1, edge, confidence)
    wanted = CONFIDENCE.read(power, "power")
    most = 1
    while not _is_power_at_least(most, chance, level, wanted):
        most *= 2
        if most > _MAX_GAMES:
            raise InputError("edge", edge, f"an edge detectable in {_MAX_GAMES} games")
    return _bisect(-most, -1, lambda n: _is_power_at_least(-n, chance, level, wanted)) * -1


def least_edge_seen(
    games: int, confidence: RationalLike = "0.95", power: RationalLike = "0.95"
) -> mpq:
    """Return the least edge with the given power of the test, rounded up to `PLACES` decimals."""
    games, _, level = _checked(games, 0, confidence)
    wanted = CONFIDENCE.read(power, "power")

    def shows(grid: int) -> bool:
        return _is_power_at_least(games, mpq(_GRID + grid, 2 * _GRID), level, wanted)

    if not shows(_GRID):
        raise InputError("games", games, "more games: even an edge of 1 would not be detected")
    return mpq(-_bisect(-_GRID, 0, lambda grid: shows(-grid)), _GRID)


@dataclass(frozen=True)
class EdgeTest:
    """The most powerful one-sided test of an edge, for some numbers of games."""

    edge: mpq
    confidence: mpq
    power: mpq
    games_needed: int  # games for that power
    # numbers of games, powers for the edge and for half of it (rounded down), and the least edge
    # with that power (rounded up)
    games: tuple[tuple[int, mpq, mpq, mpq], ...]


def edge_test(
    edge: RationalLike,
    games: Sequence[int] = (),
    confidence: RationalLike = "0.95",
    chance: RationalLike = "0.95",
) -> EdgeTest:
    """Return how many games detect an edge, and the power of some numbers of games."""
    whole = rational(edge, "edge")
    shows = []
    for n in games:
        powers = power(n, whole, confidence), power(n, whole / 2, confidence)
        shows.append((n, *powers, least_edge_seen(n, confidence, chance)))
    needed = games_needed(whole, confidence, chance)
    level, wanted = rational(confidence, "confidence"), rational(chance, "power")
    return EdgeTest(whole, level, wanted, needed, tuple(shows))


def chance_interval(wins: int, games: int, confidence: RationalLike = "0.95") -> tuple[mpq, mpq]:
    """Return the confidence interval of a probability, from the number of wins."""
    games = natural(games, "games", least=1)
    wins = natural(wins, "wins", most=games)
    tail = (mpq(1) - CONFIDENCE.read(confidence, "confidence")) / mpq(2)
    low, high = 0, _GRID
    if wins > 0:  # largest probability at which this many wins are too rare
        low = _bisect(0, _GRID, lambda p: not _tail(games, wins, mpq(p, _GRID), tail))
    if wins < games:  # smallest probability at which this few wins are too rare
        misses = games - wins
        high = _GRID - _bisect(0, _GRID, lambda p: not _tail(games, misses, mpq(p, _GRID), tail))
    return mpq(low, _GRID), mpq(high, _GRID)


def _checked(games: int, edge: RationalLike, confidence: RationalLike) -> tuple[int, mpq, mpq]:
    games = natural(games, "games", least=1)
    exact = rational(edge, "edge")
    if not 0 <= exact <= 1:
        raise InputError("edge", edge, "a number from 0 to 1")
    return games, (1 + exact) / mpq(2), 1 - LEVEL.read(confidence, "confidence")


def _bisect(low: int, high: int, holds: Callable[[int], bool]) -> int:
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _at_least(games: int, wins: int, chance: mpq) -> arb:
    if wins <= 0 or chance == 1:
        return arb(1 if wins <= games else 0)
    if wins > games or chance == 0:
        return arb(0)
    return arb(to_flint(chance)).beta_lower(wins, games - wins + 1, 1)


def _is_at_least(left: Ball, right: Ball) -> bool:
    """Whether left ≥ right, with the precision raised until the enclosures are disjoint."""
    for bits in (64, 128, 256, 512, 1024):
        with ctx.workprec(bits):
            difference = left() - right()
            if difference >= 0:
                return True
            if difference < 0:
                return False
    # Equal to 300 digits: both are rationals, taken as equal.
    return True


def _tail(games: int, wins: int, chance: mpq, level: mpq) -> bool:
    return _is_at_least(lambda: _at_least(games, wins, chance), lambda: arb(to_flint(level)))


@lru_cache(maxsize=64)
def _critical(games: int, level: mpq) -> int:
    # The tail of games/2 + w wins is below exp(−2w²/games).
    above = isqrt(games * int(1 / level).bit_length()) + 1
    least, most = games // 2, min(games, games // 2 + above)
    return _bisect(least, most, lambda wins: _tail(games, wins, mpq(1, 2), level))


@lru_cache(maxsize=64)
def _toss(games: int, level: mpq, bits: int) -> arb:
    """Return the probability to reject at the critical number of wins, at a precision."""
    half, critical = mpq(1, 2), _critical(games, level)
    with ctx.workprec(bits):
        above = _at_least(games, critical + 1, half)
        return (arb(to_flint(level)) - above) / (_at_least(games, critical, half) - above)


def _is_power_at_least(games: int, chance: mpq, level: mpq, wanted: mpq) -> bool:
    critical = _critical(games, level)

    def reached() -> arb:
        surely = _at_least(games, critical + 1, chance)
        at_critical = _at_least(games, critical, chance) - surely
        return surely + _toss(games, level, ctx.prec) * at_critical

    return _is_at_least(reached, lambda: arb(to_flint(wanted)))
