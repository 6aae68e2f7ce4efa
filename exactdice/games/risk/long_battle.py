r"""One battle, by the places at which it leaves the rounds of the most dice.

While a ≥ α attackers, who may stop below α, fight d ≥ δ defenders both roll the most dice, and
where every such round removes m units, which round it is follows from who is left. With
u_k the chance that it costs the attacker k units, n rounds cost him l of them with the chance

.. math:: T(n, l) = [z^l]\,(u_0 + u_1 z + … + u_m z^m)^n .

The battle leaves these rounds by one from an *edge*, where fewer than α + m attackers or δ + m
defenders are left. What follows, with fewer dice on a side, is fought out state by state
(`exactdice.games.risk.exact`): strips a few units wide.

Along an edge l or mn − l stays, and n grows by one. With m neighbours T(n, l), …, T(n, l − m + 1)
at hand those below follow from P·(Pⁿ)′ = n·P′·Pⁿ for the polynomial P of the chances,

.. math:: \sum_{j=0}^{m} p_j\,(l - j(n + 1))\, T(n, l - j) = 0,

and those of n + 1 from these 2m. So a battle costs O(a + d) products of an integer of
O((a + d) log s) bits with a small one, and keeps a few of them at a time.

The recursion (`exactdice.games.risk.exact.win_table`) is its oracle in the tests.
"""

from collections.abc import Iterator, Sequence
from heapq import merge
from operator import mul

from exactdice.arithmetic import mpz
from exactdice.games.risk.rounds import scaled_rounds, unit_factor
from exactdice.games.risk.rules import RiskRules

#: A state that a battle passes: the units left, the attackers among them, and the chance to come
#: there times L^(units lost).
Entry = tuple[int, int, mpz]


def entries(a: int, d: int, rules: RiskRules) -> Iterator[Entry]:
    """Yield the states behind the rounds of the most dice, from the most units left.

    Where there are no such rounds, or they are none of those above, it is the start.

    >>> list(entries(2, 2, RiskRules()))
    [(4, 2, mpz(1))]
    >>> [(units - x, x) for units, x, _ in entries(3, 2, RiskRules())]
    [(0, 3), (1, 2), (2, 1)]
    """
    weights = steady_weights(rules)
    least_a, least_d = _least(rules)
    if a < least_a or d < least_d or weights is None:
        yield a + d, a, mpz(1)
        return
    m = len(weights) - 1
    lines = [
        *(_row(a, d, y, least_a, weights) for y in range(least_d, min(least_d + m, d + 1))),
        *(_column(a, d, x, least_d + m, weights) for x in range(least_a, min(least_a + m, a + 1))),
    ]
    for lost, x, ways in merge(*lines):
        y = a + d - lost - x
        for k, weight in enumerate(weights):
            if x - k < least_a or y - m + k < least_d:
                yield x + y - m, x - k, weight * ways


def steady_weights(rules: RiskRules) -> list[mpz] | None:
    """Return the scaled chances of a round of the most dice by the units that the attacker loses.

    None where such a round may remove one number of units or another, or where a side cannot lose
    all of them.
    """
    now = scaled_rounds(rules)(*_least(rules))
    m = max(lost + killed for lost, killed, _ in now)
    weights = [mpz(0)] * (m + 1)
    for lost, killed, weight in now:
        if lost + killed < m:
            return None
        weights[lost] = weight
    return weights if weights[0] and weights[-1] else None


def _least(rules: RiskRules) -> tuple[int, int]:
    """Return the smallest armies that roll the most dice and do not stop."""
    return max(rules.attacker_dice, rules.stop_below), rules.defender_dice


def states_kept(attackers: int, defenders: int, rules: RiskRules) -> int:
    """Bound the states of one battle that are kept at once: near the edges, or all on the way."""
    dice = rules.attacker_dice + rules.defender_dice
    near = 6 * dice**2
    return near if steady_weights(rules) is not None else near + dice * min(attackers, defenders)


def nanoseconds_of_one(attackers: int, defenders: int, rules: RiskRules) -> int:
    """Estimate the time of one battle; all of it is strips where it has no such rounds.

    A product takes 400 ns and for each word of 64 bits, the numbers being half as long as the
    longest on average, 0.8 ns in the strips and 2.2 ns along the edges, by the words of its small
    factor (measured on 500 to 5000 units a side, with 2 to 10 dice, and on 1 against 50000).
    """
    least_a, least_d = _least(rules)
    m = min(attackers, defenders, rules.attacker_dice, least_d)
    bits = unit_factor(rules).bit_length()
    words = (attackers + defenders) * bits // 128 * (1 + m * bits // 64)
    edges, strips = 0, attackers * defenders
    if steady_weights(rules) is not None:
        if attackers >= least_a and defenders >= least_d:
            edges = 2 * m * (m + 1) * (attackers + defenders)
        few = min(attackers, rules.attacker_dice), min(defenders, least_d)
        strips = few[0] * defenders + few[1] * attackers
    return edges * (400 + words * 22 // 10) + strips * (m + 1) * (400 + words * 8 // 10)


def _row(a: int, d: int, y: int, least: int, weights: Sequence[mpz]) -> Iterator[Entry]:
    """Yield the units lost, the attackers left, and T(n, ·) scaled, where y defenders are left."""
    m = len(weights) - 1
    for n, ways in _powers(weights[::-1], d - y, (a - least + d - y) // m):
        yield m * n, a + d - y - m * n, ways


def _column(a: int, d: int, x: int, least: int, weights: Sequence[mpz]) -> Iterator[Entry]:
    """Yield the same where x attackers are left, and no fewer than so many defenders."""
    m = len(weights) - 1
    for n, ways in _powers(weights, a - x, (d - least + a - x) // m):
        yield m * n, x, ways


def _powers(p: Sequence[mpz], fixed: int, last: int) -> Iterator[tuple[int, mpz]]:
    """Yield each n up to the last for which the power P^n has a term of z^fixed, and that term."""
    m = len(p) - 1
    n = -(-fixed // m)

    def below(exponent: int, terms: Sequence[mpz]) -> mpz:
        """The term after m neighbours, of which the first has this exponent."""
        factors = (p[j] * (exponent - j * (n + 1)) for j in range(m))
        return sum(map(mul, factors, terms), mpz(0)) // (p[m] * (m * (n + 1) - exponent))

    terms = [*[mpz(0)] * (m - 1), p[m] ** n]
    for exponent in range(m * n + m - 1, fixed, -1):
        terms = [*terms[1:], below(exponent, terms)]
    while n <= last:
        yield n, terms[0]
        for exponent in range(fixed, fixed - m, -1):
            terms.append(below(exponent, terms[fixed - exponent :]))
        terms = [sum(map(mul, p, terms[i:]), mpz(0)) for i in range(m)]
        n += 1
