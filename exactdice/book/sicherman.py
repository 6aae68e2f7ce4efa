"""Sicherman dice: pairs of dice whose sums cannot be told from those of two ordinary ones.

They are the factorisations of (x + … + xⁿ)² into two polynomials with whole coefficients from 0 up
that are n at 1 and 0 at 0. Their irreducible factors are x and the cyclotomic polynomials of the
divisors of n above 1, so that all such pairs are found by sharing these out (Gallian and Rusin
1979); OEIS A111588 counts them. What tells them apart is how often they show a double.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from flint import fmpz_poly

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, Variant
from exactdice.book.sets_of_dice import rolled
from exactdice.models import Choice, End, Game, Moves, point_mass

Die: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[Die, Die]


def relabelled(sides: int) -> list[Pair]:
    """All pairs of dice, of positive numbers, with the sums of two ordinary ones; these included.

    >>> for pair in relabelled(6):
    ...     print(*pair)
    (1, 2, 2, 3, 3, 4) (1, 3, 4, 5, 6, 8)
    (1, 2, 3, 4, 5, 6) (1, 2, 3, 4, 5, 6)
    """
    parts = [fmpz_poly.cyclotomic(d) for d in range(2, sides + 1) if sides % d == 0]
    x, pairs = fmpz_poly([0, 1]), set[Pair]()
    for shares in product(range(3), repeat=len(parts)):
        first, second = x, x
        for part, share in zip(parts, shares, strict=True):
            first, second = first * part**share, second * part ** (2 - share)
        if first(1) == sides and min([*first.coeffs(), *second.coeffs()]) >= 0:
            one, other = sorted((_die(first.coeffs()), _die(second.coeffs())))
            pairs.add((one, other))
    return sorted(pairs)


def _die(coefficients: Sequence[Any]) -> Die:
    return tuple(face for face, n in enumerate(coefficients) for _ in range(int(n)))


def doubles(sides: int) -> Game[Pair | int | None]:
    """Take one of the pairs, and shun doubles: a state is the pair."""

    def moves(taken: Pair | int | None) -> Moves:
        if isinstance(taken, int):
            return End(taken)
        if taken:
            return rolled(mpq(sum(a == b for a, b in product(*taken)), sides**2))
        return [Choice(pair, 0, point_mass(pair)) for pair in relabelled(sides)]

    return Game(None, moves)


_VARIANTS = {
    str(n): Variant(f"{n} sides", partial(doubles, n), least=True) for n in (6, 4, 8, 12, 20)
}
_PLAYERS = "one, who takes a pair of dice with the sums of two ordinary ones"
_ASKS = "chance of a double with the pair that shows the fewest"
PAGE = Page("sicherman-dice", "Sicherman dice", _PLAYERS, _ASKS, _VARIANTS)
