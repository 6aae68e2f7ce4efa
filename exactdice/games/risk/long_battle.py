r"""One long battle, by the place at which it leaves the rounds of 3 dice against 2.

While a ≥ 3 attackers fight d ≥ 2 defenders every round is 3 dice against 2 and removes 2 units. So
which round it is follows from who is left, and with u_k the chance that a round costs the attacker
k units, n rounds cost him l of them with the chance

.. math:: T(n, l) = [z^l]\,(u_0 + u_1 z + u_2 z^2)^n .

The battle ends these rounds with one from an *edge*, where 3 or 4 attackers or 2 or 3 defenders are
left, and V(a, d) is the sum over the edge of T and what such a last round is worth:

.. math:: V(a, d) = \sum_{(x, y)} T(n, a - x) \sum_k u_k\, V(x - k, y - 2 + k),
   \qquad n = (a + d - x - y)/2, \quad x - k < 3 \text{ or } y - 2 + k < 2 .

Along the edge l or 2n − l stays, and n grows by one. With two neighbours T(n, l), T(n, l − 1) at
hand the two below follow from P·(Pⁿ)′ = n·P′·Pⁿ for the quadratic P, which compares to

.. math:: p_0\, l\, T(n, l) + p_1 (l - 1 - n)\, T(n, l - 1) + p_2 (l - 2 - 2n)\, T(n, l - 2) = 0,

and the two of n + 1 from these four. So all of T costs O(a + d) products with small numbers.

The recursion (`exactdice.games.risk.exact`) is its oracle in the tests.
"""

from collections.abc import Iterator
from operator import mul

from exactdice.arithmetic import mpq, mpz, natural
from exactdice.games.risk.exact import unit_factor, winning_rows
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import Units, fighting_units

_Weights = tuple[mpz, mpz, mpz]


def win_probability_of_long(
    attackers: int, defenders: int, units: Units | str = Units.TOTAL
) -> mpq:
    """Chance that the attacker takes the territory, with six-sided dice and 3 against 2 at most.

    Parameters and errors are those of `exactdice.games.risk.exact.win_probability`.

    >>> win_probability_of_long(4, 2)
    mpq(6610505,10077696)

    O(a + d) products of two numbers of O(a + d) bits, where the recursion takes O(a·d) of such a
    number and a small one: 3000 against 3000 take a third of a second and not 40.
    """
    a = fighting_units(attackers, units)
    d = natural(defenders, "defenders", least=1)
    factor = mpz(unit_factor())
    few_defenders = list(winning_rows(a, min(d, 1)))
    few_attackers = list(winning_rows(min(a, 2), d))

    def known(x: int, y: int) -> mpz:
        return few_attackers[y][x] if x < 3 else few_defenders[y][x]

    def leaving(x: int, y: int) -> mpz:
        """What a round from (x, y) is worth where it ends the rounds of 3 against 2, scaled."""
        after = ((w, x - k, y - 2 + k) for k, w in enumerate(weights))
        return sum((w * known(i, j) for w, i, j in after if i < 3 or j < 2), mpz(0))

    if a < 3 or d < 2:
        return mpq(known(a, d), factor ** (a + d))
    weights = _weights()
    won = sum((ways * leaving(x, y) for x, y, ways in _edge(a, d, weights)), mpz(0))
    return mpq(won, factor ** (a + d))


def _weights() -> _Weights:
    """Weights of a round of 3 dice against 2, scaled as `exactdice.games.risk.exact` scales it."""
    losses = round_losses(3, 2)
    scale = mpz(unit_factor()) ** 2 // losses.denominator
    return scale * losses[0, 2], scale * losses[1, 1], scale * losses[2, 0]


def _edge(a: int, d: int, weights: _Weights) -> Iterator[tuple[int, int, mpz]]:
    """Yield each (x, y) of the edge that can be reached, and T(n, a − x) scaled."""
    for y in (2, 3):
        for n, ways in _powers(weights[::-1], d - y, (a - 3 + d - y) // 2):
            yield a + d - y - 2 * n, y, ways
    for x in (3, 4):
        for n, ways in _powers(weights, a - x, (d - 4 + a - x) // 2):
            yield x, a + d - x - 2 * n, ways


def _powers(p: _Weights, fixed: int, last: int) -> Iterator[tuple[int, mpz]]:
    """Yield each n up to the last for which the power P^n has a term of z^fixed, and that term."""
    if fixed < 0:
        return
    n = (fixed + 1) // 2

    def below(exponent: int, term: mpz, next_term: mpz) -> mpz:
        """The term after two neighbours, of which the first has this exponent."""
        known = p[0] * exponent * term + p[1] * (exponent - 1 - n) * next_term
        return known // (p[2] * (2 * n + 2 - exponent))

    exponent, term, next_term = 2 * n + 1, mpz(0), p[2] ** n
    while exponent > fixed:
        term, next_term = next_term, below(exponent, term, next_term)
        exponent -= 1
    while n <= last:
        yield n, term
        third = below(fixed, term, next_term)
        terms = (term, next_term, third, below(fixed - 1, next_term, third))
        term, next_term = (sum(map(mul, p, terms[i:]), mpz(0)) for i in (0, 1))
        n += 1
