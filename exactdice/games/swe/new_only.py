r"""The software-engineering game under "always create a new die", in closed form.

All dice have k faces; q = 1 − 1/k is the probability to survive a roll. Each round adds exactly one
revenue die, repaired or new, and rolls all revenue dice. So the revenue :math:`N_t` after t rounds
is a sum of independent dice: those that arrived j rolls ago survive with probability :math:`q^j`,
and the n dice of the start with :math:`q^t`. Write :math:`(q;q)_t = (1-q)(1-q^2)⋯(1-q^t)` and
:math:`e = q/(1-q) = k - 1`. `exactdice.studies.swe.closed_forms` has the limits.

* A catastrophe happens in round t with probability :math:`u_t = (q;q)_t (1-q^t)^n`.
* From an empty table (n = 0) every catastrophe is a renewal. With :math:`U(x) = \sum u_t x^t` the
  probabilities :math:`c_m` of none in m rounds have :math:`\sum c_m x^m = 1/((1-x)U(x))`. As
  :math:`(q;q)_{t+1} = (1-q^{t+1})(q;q)_t`, :math:`(1-x)U(x) = 1 - qxU(qx)`, so

  .. math:: c_m = \sum_{j=1}^{m} q^j (q;q)_{j-1}\, c_{m-j}, \qquad c_0 = 1,

  a sum of positive products over the compositions of m. Other starts have
  :math:`1 - \sum_{s \le m} u_s c_{m-s}` in place of :math:`c_m`, with their own :math:`u_s`.
* The score after R rounds is the sum of all points minus the points lost in catastrophes. The
  revenue of all rounds before s, if a catastrophe happens in round s, has the expected value
  :math:`u_s h_s` with

  .. math:: h_s = \sum_{a=1}^{s} g_a + n g_s, \qquad g_a = e - \frac{a q^a}{1-q^a},

  and dividing by the renewals gives, from a score :math:`S_0`,

  .. math:: E[S_R] = \sum_{t=1}^{R} \bigl(e(1-q^t) + n q^t\bigr) + S_0 c^{(n)}_R
     - \sum_{s=1}^{R} c_{R-s} u_s h_s .

* From an empty table :math:`u_s h_s = (s e + q\,d/dq)(q;q)_s`, which turns the sum into

  .. math:: E[S_R] = \sum_{m=0}^{R} (q;q)_{R-m} \bigl(m e + q \tfrac{d}{dq}\bigr) c_m
     - e^2(1 - q^R),

  a polynomial in q with whole coefficients.

Cost: O(R²) operations with integers over powers of k, whose sums need no gcd.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from exactdice.arithmetic import mpq, mpz, natural, text
from exactdice.symbolic.statements import Statement, statements


class _Round(NamedTuple):
    """Numerators of round t over k^(1 + … + t), the last two also over k^(nt)."""

    renewal: mpz  # (q;q)_t
    from_empty: mpz  # c_t
    scored: mpz  # (q;q)_t (g_1 + … + g_t)
    catastrophe: mpz  # u_t
    loss: mpz  # u_t h_t


_START = _Round(mpz(1), mpz(1), mpz(0), mpz(0), mpz(0))


@dataclass(frozen=True)
class NewOnly:
    """New-only play with dice of one kind. Legacy dice at the start make no difference."""

    sides: int = 4  # faces of every die, at least 1
    revenue: int = 0  # revenue dice before the first round
    score: int = 0  # score before the first round
    _rounds: list[_Round] = field(
        default_factory=lambda: [_START], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", natural(self.sides, "sides", least=1))
        object.__setattr__(self, "revenue", natural(self.revenue, "revenue"))
        object.__setattr__(self, "score", natural(self.score, "score"))

    @property
    def survival_chance(self) -> mpq:
        """The probability q that a die survives a roll."""
        return mpq(self.sides - 1, self.sides)

    def expected_revenue(self, rounds: int) -> mpq:
        decay = self.survival_chance ** natural(rounds, "rounds")
        return (self.sides - 1) * (1 - decay) + self.revenue * decay

    def catastrophe(self, round_number: int) -> mpq:
        t = natural(round_number, "round", least=1)
        renewal = mpq(self._played(t)[t].renewal, mpz(self.sides) ** (t * (t + 1) // 2))
        return renewal * (1 - self.survival_chance**t) ** self.revenue  # a power needs no gcd

    def survival(self, rounds: int) -> mpq:
        m = natural(rounds, "rounds")
        if not self.revenue:
            return mpq(self._played(m)[m].from_empty, self._denominator(m))
        counted = [played.catastrophe for played in self._played(m)[: m + 1]]
        return 1 - self._before_renewal(counted)

    def expected_score(self, rounds: int) -> mpq:
        R = natural(rounds, "rounds")
        total = sum((self.expected_revenue(t) for t in range(1, R + 1)), mpq(0))
        total += self.score * self.survival(R) if self.score else 0
        return total - self._before_renewal([played.loss for played in self._played(R)[: R + 1]])

    def digits(self, rounds: int) -> int:
        """Estimate the digits of a probability of that round as a fraction."""
        digits_of_power = len(text(mpz(self.sides) ** 1000)) - 1
        return 2 * (self._exponent(natural(rounds, "rounds")) * digits_of_power // 1000)

    def _exponent(self, t: int) -> int:
        """Rolls of single dice in t rounds without a failure."""
        return t * (t + 1) // 2 + self.revenue * t

    def _denominator(self, t: int) -> mpz:
        return mpz(self.sides) ** self._exponent(t)

    def _played(self, rounds: int) -> list[_Round]:
        k, n, known = mpz(self.sides), self.revenue, self._rounds
        while (t := len(known)) <= rounds:
            survives = (k - 1) ** t
            fails = k**t - survives
            new = known[-1].renewal * ((k - 1) * fails - t * survives)  # (q;q)_t g_t
            scored = known[-1].scored * fails + new
            renewal = known[-1].renewal * fails
            terms = (
                (k - 1) ** j * known[j - 1].renewal * known[t - j].from_empty * k ** (j * (t - j))
                for j in range(1, t + 1)
            )
            catastrophe, loss = renewal * fails**n, (scored + n * new) * fails**n
            known.append(_Round(renewal, sum(terms, mpz(0)), scored, catastrophe, loss))
        return known

    def _before_renewal(self, counted: Sequence[mpz]) -> mpq:
        k, m, total = mpz(self.sides), len(counted) - 1, mpz(0)
        step = k**self.revenue
        for s, number in enumerate(counted):
            total = total * step + number * self._rounds[m - s].from_empty * k ** (s * (m - s))
        return mpq(total, self._denominator(m))


def new_only_statements() -> list[Statement]:
    return statements(__package__, "new_only")
