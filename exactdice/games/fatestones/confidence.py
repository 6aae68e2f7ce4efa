r"""How many games it takes to see an edge, and what a number of games can show.

Games are independent; a player with edge e wins each with chance (1 + e)/2 and loses it otherwise.
The question is put to a one-sided test that the chance is 1/2, at level 1 − confidence: of the
tests at that level the most powerful rejects above a critical number of wins, and at it with such a
chance that the level is met exactly (Neyman and Pearson 1933). Its power, the chance to see the
edge, then rises with the edge and with the number of games, so the least number of games and the
least edge are found by bisection. A test without that last coin toss needs hardly more.

Tails of the binomial distribution are incomplete beta functions, enclosed rigorously by Arb's ball
arithmetic: :math:`P(X \ge k) = I_p(k, n - k + 1)`. Precision is raised until a comparison is
decided.

Intervals for a chance, given wins out of games, are those of Clopper and Pearson (1934): the
chances at which neither as many wins nor as few has a probability below half of 1 − confidence.
They are rounded outward to `PLACES` decimals.
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

#: Decimals of the edges and chances that are found by bisection.
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


#: How confident an interval is, and a test that takes the likelier side; and both by default.
CONFIDENCE, LEVEL = Between(mpq(0), mpq(1)), Between(mpq(1, 2), mpq(1))
CONFIDENT = mpq(95, 100)


def power(games: int, edge: RationalLike, confidence: RationalLike = "0.95") -> mpq:
    """Chance that the test sees an edge, rounded down to `PLACES` decimals.

    A few evaluations of an incomplete beta function: milliseconds, up to a million games.
    """
    games, chance, level = _checked(games, edge, confidence)
    seen = _bisect(0, _GRID, lambda p: _is_power_at_least(games, chance, level, mpq(p, _GRID)))
    return mpq(seen, _GRID)


def games_needed(
    edge: RationalLike, confidence: RationalLike = "0.95", power: RationalLike = "0.95"
) -> int:
    """Least number of games in which the test sees an edge with chance `power`."""
    _, chance, level = _checked(1, edge, confidence)
    wanted = CONFIDENCE.read(power, "power")
    most = 1
    while not _is_power_at_least(most, chance, level, wanted):
        most *= 2
        if most > _MAX_GAMES:
            raise InputError("edge", edge, f"an edge that {_MAX_GAMES} games would show")
    return _bisect(-most, -1, lambda n: _is_power_at_least(-n, chance, level, wanted)) * -1


def least_edge_seen(
    games: int, confidence: RationalLike = "0.95", power: RationalLike = "0.95"
) -> mpq:
    """Least edge that the test sees with chance `power`, rounded up to `PLACES` decimals."""
    games, _, level = _checked(games, 0, confidence)
    wanted = CONFIDENCE.read(power, "power")

    def shows(grid: int) -> bool:
        return _is_power_at_least(games, mpq(_GRID + grid, 2 * _GRID), level, wanted)

    if not shows(_GRID):
        raise InputError("games", games, "more games: even a sure winner would not be seen")
    return mpq(-_bisect(-_GRID, 0, lambda grid: shows(-grid)), _GRID)


@dataclass(frozen=True)
class EdgeTest:
    """What numbers of games can show of an edge, by the most powerful one-sided test."""

    edge: mpq
    confidence: mpq
    power: mpq
    games_needed: int  # games in which it sees the edge with that power
    # for some numbers of games the chances to see the edge and half of it, rounded down, and the
    # least edge that is seen, rounded up
    games: tuple[tuple[int, mpq, mpq, mpq], ...]


def edge_test(
    edge: RationalLike,
    games: Sequence[int] = (),
    confidence: RationalLike = "0.95",
    chance: RationalLike = "0.95",
) -> EdgeTest:
    """Find how many games show an edge, and what some numbers of games show.

    >>> edge_test("1/2", [100]).games_needed
    40
    """
    whole = rational(edge, "edge")
    shows = tuple(
        (
            *(n, power(n, whole, confidence), power(n, whole / 2, confidence)),
            least_edge_seen(n, confidence, chance),
        )
        for n in games
    )
    needed = games_needed(whole, confidence, chance)
    level, wanted = rational(confidence, "confidence"), rational(chance, "power")
    return EdgeTest(whole, level, wanted, needed, shows)


def chance_interval(wins: int, games: int, confidence: RationalLike = "0.95") -> tuple[mpq, mpq]:
    """Confidence interval of a chance, from the number of times that it came out."""
    games = natural(games, "games", least=1)
    wins = natural(wins, "wins", most=games)
    tail = (mpq(1) - CONFIDENCE.read(confidence, "confidence")) / mpq(2)
    low, high = 0, _GRID
    if wins > 0:  # largest chance at which so many wins are too rare
        low = _bisect(0, _GRID, lambda p: not _tail(games, wins, mpq(p, _GRID), tail))
    if wins < games:  # smallest chance at which so few wins are
        misses = games - wins
        high = _GRID - _bisect(0, _GRID, lambda p: not _tail(games, misses, mpq(p, _GRID), tail))
    return mpq(low, _GRID), mpq(high, _GRID)


def _checked(games: int, edge: RationalLike, confidence: RationalLike) -> tuple[int, mpq, mpq]:
    """Number of games, chance to win one, and level."""
    games = natural(games, "games", least=1)
    exact = rational(edge, "edge")
    if not 0 <= exact <= 1:
        raise InputError("edge", edge, "a number from 0 to 1")
    return games, (1 + exact) / mpq(2), 1 - LEVEL.read(confidence, "confidence")


def _bisect(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Largest whole number from low to high at which a statement holds that then fails for good.

    It is taken to hold at `low`.
    """
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _at_least(games: int, wins: int, chance: mpq) -> arb:
    """Enclosure, at the current precision, of the chance of at least so many wins."""
    if wins <= 0 or chance == 1:
        return arb(1 if wins <= games else 0)
    if wins > games or chance == 0:
        return arb(0)
    return arb(to_flint(chance)).beta_lower(wins, games - wins + 1, 1)


def _is_at_least(left: Ball, right: Ball) -> bool:
    """Whether left ≥ right, at rising precision until the enclosures part."""
    for bits in (64, 128, 256, 512, 1024):
        with ctx.workprec(bits):
            difference = left() - right()
            if difference >= 0:
                return True
            if difference < 0:
                return False
    # Equal to 300 digits: both are rationals, and equal ones count as at least.
    return True


def _tail(games: int, wins: int, chance: mpq, level: mpq) -> bool:
    """Whether at least so many wins have a probability of at least `level`."""
    return _is_at_least(lambda: _at_least(games, wins, chance), lambda: arb(to_flint(level)))


@lru_cache(maxsize=64)
def _critical(games: int, level: mpq) -> int:
    """Largest number of wins whose tail is at least the level; the test tosses a coin at it."""
    # Half of the games are won half the time; and of more by w the tail is below exp(−2w²/games).
    above = isqrt(games * int(1 / level).bit_length()) + 1
    least, most = games // 2, min(games, games // 2 + above)
    return _bisect(least, most, lambda wins: _tail(games, wins, mpq(1, 2), level))


@lru_cache(maxsize=64)
def _toss(games: int, level: mpq, bits: int) -> arb:
    """Chance to reject at the critical number of wins, at a precision: the level is met exactly."""
    half, critical = mpq(1, 2), _critical(games, level)
    with ctx.workprec(bits):
        above = _at_least(games, critical + 1, half)
        return (arb(to_flint(level)) - above) / (_at_least(games, critical, half) - above)


def _is_power_at_least(games: int, chance: mpq, level: mpq, wanted: mpq) -> bool:
    """Whether the most powerful test at a level sees a chance with at least the wanted power."""
    critical = _critical(games, level)

    def reached() -> arb:
        surely = _at_least(games, critical + 1, chance)
        at_critical = _at_least(games, critical, chance) - surely
        return surely + _toss(games, level, ctx.prec) * at_critical

    return _is_at_least(reached, lambda: arb(to_flint(wanted)))
