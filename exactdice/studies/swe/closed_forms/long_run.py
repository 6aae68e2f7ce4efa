r"""Creating only, for ever: limits of what `new_only` beside this gives, with proved decimals.

Notation as there: q = 1 − 1/k, e = q/(1 − q) = k − 1, :math:`Q = (q;q)_\infty = \prod (1-q^j)`.

* The chance of a catastrophe in a round tends to Q, so in the long run they are 1/Q rounds apart;
  from an empty table the first one takes as long, and from n ≥ 1 revenue dice

  .. math:: \frac1Q \sum_{s \ge 0} (q;q)_s \bigl(1 - (1-q^s)^n\bigr).

* The expected score tends, from every start, to

  .. math:: \sum_{a \ge 1} \frac{a q^a}{1-q^a} - e^2
     + e \sum_{s \ge 0} \Bigl(\frac{(q;q)_s}{Q} - 1\Bigr).

  The first sum is :math:`\sum \sigma(n) q^n`, with σ(n) the sum of the divisors of n; the last is
  the sum of the smallest parts of all partitions, weighted by q to the size.

*Proof of the limit.* The generating function of the expected scores from an empty table is
:math:`U(x)(e x ∂_x + q ∂_q) c(x) - e^2 (1/(1-x) - 1/(1-qx))` with :math:`c(x) = 1/((1-x)U(x)) =
1/(1 - qxU(qx))`. As :math:`qxU(qx) = \sum q^{n+1} (q;q)_n x^{n+1}` has positive coefficients and
the sum 1 − Q at x = 1, c has no pole in the closed unit disc nor close to it, and c(1) = 1/Q; U has
there only the pole at 1, with residue Q. So the limit is :math:`Q (e c_x(1) + q ∂_q (1/Q)) - e^2`.
The middle term is the first sum; and :math:`c_x(1) = Q^{-2} \sum_{n \ge 1} n q^n (q;q)_{n-1}`,
where :math:`q^n (q;q)_{n-1} = (q;q)_{n-1} - (q;q)_n` is summed by parts. Another start changes only
what happens before its first catastrophe, whose influence dies out. ∎

The numbers are irrational, so they come as rational enclosures: ball arithmetic on the first terms,
plus a bound on the rest by a geometric series. Q is found by Euler's pentagonal number theorem,

.. math:: Q = \sum_m (-1)^m q^{m(3m-1)/2} \quad (m \in \mathbb{Z}),

where the rest after some terms is at most the sum of all powers of q from the next exponent on. It
is small: with t = −ln q > 1/k,

.. math:: \ln \frac1Q = \sum_{m \ge 1} \frac1m \cdot \frac{1}{e^{mt} - 1}
     < \sum_{m \ge 1} \frac{1}{m^2 t} < \frac{\pi^2}{6} k,

so that the limits have up to 0.72 k digits before the point, and Q needs as many more.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.symbolic.statements import Statement, Status

#: Most faces; the number of terms grows in proportion to them.
MAX_SIDES = 1000

#: Most revenue dice at the start.
MAX_DICE = 1_000_000

# Places beyond those asked for: the tails are q^terms times at most n·k³ and a few powers of ten.
_GUARD = 20


@dataclass(frozen=True)
class LongRun:
    """Limits of new-only play with dice of `sides` faces, to `digits` places after the point."""

    sides: int = 4
    digits: int = 30

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", natural(self.sides, "sides", least=1, most=MAX_SIDES))
        object.__setattr__(self, "digits", natural(self.digits, "digits", least=1, most=10_000))

    @property
    def _terms(self) -> int:
        """Terms after which q^terms is below 10^(−digits − _GUARD); ln q ≤ −1/k."""
        return self.sides * (self.digits + _GUARD) * 7 // 3 + 8

    @property
    def _bits(self) -> int:
        # Q can be as small as exp(−1.65 k): so much cancels in it, and so much larger is 1/Q.
        return (self.digits + _GUARD) * 10 // 3 + 5 * self.sides + 64

    @property
    def _q(self) -> arb:
        return arb(fmpq(self.sides - 1, self.sides))

    def _product(self) -> arb:
        """Return Q, to `digits` and a guard after the point of 1/Q."""
        q, product, m = self._q, arb(1), 1
        # The rest is to be below 10^(−digits − guard) Q², with Q² > exp(−10 k / 3).
        enough = self.sides * ((self.digits + _GUARD) * 7 // 3 + 10 * self.sides // 3 + 2)
        while (exponent := m * (3 * m - 1) // 2) < enough:
            product += (-1) ** m * (q**exponent + q ** (exponent + m))
            m += 1
        rest = q**exponent / (1 - q)
        return product + (-rest).union(rest)

    def _powers(self) -> list[arb]:
        powers = [arb(1)]
        for _ in range(self._terms + 1):
            powers.append(powers[-1] * self._q)
        return powers

    @staticmethod
    def _finite_products(powers: list[arb]) -> list[arb]:
        """Return (q;q)_s for each s up to the number of terms."""
        finite = [arb(1)]
        for power in powers[1:-1]:
            finite.append(finite[-1] * (1 - power))
        return finite

    def catastrophe(self) -> Enclosure:
        """Long-run chance Q of a catastrophe in a round."""
        with ctx.workprec(self._bits):
            return Enclosure.of(self._product())

    def rounds_between(self) -> Enclosure:
        """Expected rounds between catastrophes, 1/Q; from an empty table also to the first."""
        with ctx.workprec(self._bits):
            return Enclosure.of(1 / self._product())

    def rounds_to_first(self, revenue: int = 0) -> Enclosure:
        """Expected rounds to the first catastrophe from so many revenue dice."""
        n = natural(revenue, "revenue", most=MAX_DICE)
        if n == 0:
            return self.rounds_between()
        with ctx.workprec(self._bits):
            powers = self._powers()
            finite = self._finite_products(powers)
            terms = (u * (1 - (1 - power) ** n) for u, power in zip(finite, powers, strict=False))
            # The rest: 1 − (1 − q^s)^n is at most n·q^s, and (q;q)_s at most the last one here.
            rest = _up_to(n * finite[-1] * powers[-1] / (1 - self._q))
            return Enclosure.of((sum(terms, arb(0)) + rest) / self._product())

    def expected_score(self) -> Enclosure:
        """Limit of the expected score."""
        with ctx.workprec(self._bits):
            q, Q, powers = self._q, self._product(), self._powers()
            finite = self._finite_products(powers)
            last, after = self._terms, powers[-1]
            divisors = sum((a * powers[a] / (1 - powers[a]) for a in range(1, last + 1)), arb(0))
            # Σ a q^a over a > last, by the derivative of the geometric series.
            tail = after * (last + 1 - last * q) / ((1 - q) ** 2 * (1 - after))
            smallest = sum((u / Q - 1 for u in finite), arb(0))
            # 1/∏_{j>s}(1 − q^j) − 1 is at most r/(1 − r) with r = Σ_{j>s} q^j.
            r = after / (1 - q)
            smallest += _up_to(r / ((1 - q) * (1 - r)))
            e = self.sides - 1
            return Enclosure.of(divisors + _up_to(tail) - e * e + e * smallest)


def _up_to(bound: arb) -> arb:
    """Ball that holds the numbers from 0 to a bound."""
    return arb(0).union(bound)


def long_run_statements() -> list[Statement]:
    """State what this module rests on."""
    return [
        Statement(
            "rounds between catastrophes",
            "in the long run, and from an empty table to the first, 1/(q;q)_∞ rounds are expected",
            r"\frac{1}{(q;q)_\infty} = \prod_{j \ge 1} \frac{1}{1 - q^j}",
            Status.PROVED,
            "renewal theorem; the chance in round t is (q;q)_t",
        ),
        Statement(
            "limit of the expected score",
            "the expected score tends to a sum over divisors and one over smallest parts of "
            "partitions",
            r"\sum_{a \ge 1} \frac{a q^a}{1 - q^a} - \frac{q^2}{(1-q)^2} + \frac{q}{1-q} "
            r"\sum_{s \ge 0} \left(\frac{(q;q)_s}{(q;q)_\infty} - 1\right)",
            Status.PROVED,
            "residue at x = 1 of the generating function of the expected scores",
        ),
    ]
