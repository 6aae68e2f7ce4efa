r"""Power series that are fractions of polynomials, and infinite distributions made of them.

Their coefficients follow recurrences, and so do products :math:`u_n v_n`: the denominator's zeros
are the products of both, by a resultant, and the first terms give the numerator. With
:math:`T_n = P(X > n)` the maximum of two dice has :math:`1 - (1 - T_n)(1 - T'_n)`; X is above Y
with probability :math:`\sum_n P(Y = n) T_n`.

*The sum of kept dice* that stop with 0 to s - 1 or add s and roll again: of m such dice a roll
again and remain the highest. With the number :math:`k_a` of kept ones and the finite sums H of the
others, :math:`K_m = \sum_a \binom{m}{a} p^a x^{s k_a} K_a H_{m-a}`; a = m is on both sides.
"""

from collections.abc import Iterable
from functools import reduce
from itertools import islice
from math import comb, prod
from operator import add, mul
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.arithmetic import mpq, natural, over_common_denominator
from exactdice.dice.distribution import Distribution
from exactdice.dice.endless import FARTHEST, Endless, coefficients, polynomial, reduced, unbounded
from exactdice.dice.keeping import kept_sum
from exactdice.errors import InputError, Unquoted
from exactdice.linked import linked
from exactdice.run import Run

if TYPE_CHECKING:
    from flint import fmpz_poly

_LARGEST = 2500  # degree of a resultant, which takes seconds

Series: TypeAlias = "tuple[fmpz_poly, fmpz_poly]"


def _sum(one: Series, two: Series, sign: int = 1) -> Series:
    return reduced(one[0] * two[1] + sign * two[0] * one[1], one[1] * two[1])


def _resultant(first: "fmpz_poly", other: dict[tuple[int, int], int]) -> "fmpz_poly":
    """Eliminate y from the reversed first polynomial in y and a polynomial in x and y."""
    size = first.degree()
    if size * max(y for _, y in other) > _LARGEST:
        wanted = "fewer unlimited dice, or smaller numbers; or .explode(9)"
        raise InputError("dice", Unquoted("many unlike ones"), wanted)
    context = linked("flint:fmpz_mpoly_ctx").get(["x", "y"], "lex")
    zeros = context.from_dict({(0, size - i): int(c) for i, c in enumerate(first.coeffs()) if c})
    of = zeros.resultant(context.from_dict(other), "y").to_dict().items()
    powers = {int(i): int(c) for (i, _), c in of}
    return polynomial(*(powers.get(i, 0) for i in range(max(powers) + 1)))


def _fraction(terms: Iterable[mpq], below: "fmpz_poly", size: int) -> Series:
    """Return the series with a denominator and first terms, which give its numerator."""
    numbers, common = over_common_denominator(islice(terms, size))
    above = (polynomial(*map(int, numbers)) * below).truncate(size)
    return reduced(above, below * int(common))


def termwise(one: Series, two: Series) -> Series:
    """Return the series whose coefficients are the products of those of two series."""
    other = {(i, i): int(c) for i, c in enumerate(two[1].coeffs()) if c}
    below = _resultant(one[1], other)
    size = below.degree() + max(0, *(a.degree() - b.degree() + 1 for a, b in (one, two)))
    return _fraction(map(mul, coefficients(*one), coefficients(*two)), below, size)


def _classes(law: Endless, divisor: int) -> list[Series]:
    """Return a series for each remainder: the probabilities of the outcomes by their quotient."""
    above, below = _shifted(law, law.lowest // divisor * divisor)
    powers = _resultant(below, {(0, 0): 1, (1, divisor): -1})
    size = powers.degree() + max(0, above.degree() - below.degree() + 1)
    terms = [*islice(coefficients(above, below), size * divisor)]
    return [_fraction(terms[rest::divisor], powers, size) for rest in range(divisor)]


def divided(law: Endless, divisor: int) -> "Endless | Distribution[int]":
    return unlimited(law.lowest // divisor, *reduce(_sum, _classes(law, divisor)))


def remainders(law: Endless, divisor: int) -> Distribution[int]:
    chances = [mpq(int(above(1)), int(below(1))) for above, below in _classes(law, divisor)]
    return Distribution.from_probabilities(dict(enumerate(chances)))


def _shifted(law: Endless, origin: int) -> Series:
    places = natural(law.lowest - origin, "outcome above the lowest", most=FARTHEST)
    return law.numerator.left_shift(places), law.denominator


def _tail(law: Endless, origin: int) -> Series:
    """Return the probabilities of more than origin, origin + 1 and so on."""
    above, below = _shifted(law, origin)
    return reduced((below - above) // polynomial(1, -1), below)


def unlimited(lowest: int, above: "fmpz_poly", below: "fmpz_poly") -> "Endless | Distribution[int]":
    above, below = reduced(above, below)
    if below.degree():
        return Endless(lowest, above, below)
    return Distribution({lowest + i: int(weight) for i, weight in enumerate(above.coeffs())})


def mixed(parts: Iterable[tuple[mpq, Any]]) -> Any:
    pairs = [(chance, unbounded(roll)) for chance, roll in parts if chance]
    origin, terms = min(law.lowest for _, law in pairs), []
    for chance, law in pairs:
        above, below = _shifted(law, origin)
        terms.append((above * int(chance.numerator), below * int(chance.denominator)))
    return unlimited(origin, *reduce(_sum, terms))


def exceeds(one: Endless, two: Endless) -> mpq:
    origin = min(one.lowest, two.lowest)
    above, below = termwise(_shifted(two, origin), _tail(one, origin))
    return mpq(int(above(1)), int(below(1)))


def kept(kinds: Iterable[tuple[Any, int]], ranks: set[int], run: Run) -> Any:
    laws = [(unbounded(die), n) for die, n in kinds]
    dice = sum(number for _, number in laws)
    if len(ranks) == dice:
        return reduce(add, (number @ law for law, number in laws))
    if len(ranks) == 1:
        return _ranked([law for law, number in laws for _ in range(number)], *ranks)
    [(law, _), *others] = laws
    size = law.denominator.degree()
    stays = [i for i, c in enumerate(law.denominator.coeffs()) if c]
    if others or stays != [0, size] or law.numerator.degree() >= size:
        wanted = "one rank or all, or equal dice that explode on the highest face; or .explode(9)"
        raise InputError("ranks", sorted(ranks), wanted)
    return _geometric(law, dice, ranks, run)


def _ranked(laws: list[Endless], rank: int) -> Any:
    origin, one = min(law.lowest for law in laws), (polynomial(1), polynomial(1, -1))
    most, is_below = rank, 2 * rank >= len(laws)
    if is_below:  # count the dice that are not above a number
        most = len(laws) - 1 - rank
    ways: list[Series] = [one]  # by the number of dice that are counted
    for law in laws:
        is_in = _tail(law, origin)
        is_out = _sum(one, is_in, -1)
        if is_below:
            is_in, is_out = is_out, is_in
        more = [termwise(way, is_in) for way in ways]
        less = [termwise(way, is_out) for way in ways]
        ways = [less[0], *map(_sum, less[1:], more), more[-1]][: most + 1]
    total = reduce(_sum, ways)
    above, below = total if is_below else _sum(one, total, -1)
    return unlimited(origin, below - above * polynomial(1, -1), below)


def _geometric(law: Endless, dice: int, ranks: set[int], run: Run) -> Any:
    size, faces = law.denominator.degree(), [int(c) for c in law.numerator.coeffs()]
    total, again, stops = int(law.denominator(0)), -int(law.denominator[size]), sum(faces)
    finite = Distribution(dict(enumerate(faces)))
    # K is above over the product of its divisors.
    above, divisors = [polynomial(1)], [polynomial(1)]
    for m in range(1, dice + 1):
        terms = []
        for a in range(m):
            held = {rank - a for rank in ranks if a <= rank < m}
            sums = kept_sum([(finite, m - a)], held, run) if held else Distribution({0: 1})
            scale = stops ** (m - a) // sums.denominator
            sums_to = polynomial(*(scale * sums.get(i, 0) for i in range(max(sums) + 1)))
            shift = size * sum(rank < a for rank in ranks)
            rest = prod(divisors[a + 1 :], start=polynomial(comb(m, a) * again**a))
            terms.append((above[a] * sums_to * rest).left_shift(shift))
        above.append(sum(terms, polynomial()))
        at = size * sum(rank < m for rank in ranks)
        divisors.append(polynomial(total**m) - polynomial(again**m).left_shift(at))
    return unlimited(law.lowest * len(ranks), above[-1], prod(divisors, start=polynomial(1)))
