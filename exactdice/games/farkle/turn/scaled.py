r"""Exact numbers of one turn, and what its ends are worth: integers over powers of one denominator.

Every chance in a turn with dice :math:`D` is a multiple of :math:`1/M^j`, where :math:`M` is the
product of the denominators of all dice and :math:`j` the number of rolls behind it: a roll of fewer
dice is padded to :math:`M`. So a number is a pair :math:`(x, j)` that stands for :math:`x / M^j`,
sums are taken power by power, and no greatest common divisor is needed before the edge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactdice.arithmetic import mpq, mpz

Scaled = tuple[mpz, int]
"""A pair (x, j) that stands for x / M**j, or x / (D M**j) where a `Base` has a scale D."""


class Base:
    """The denominator M, with its powers, and a further denominator D of every number, the scale.

    Sums and comparisons do not need D.
    """

    def __init__(self, denominator: int, scale: int = 1) -> None:
        self.denominator, self.scale = mpz(denominator), mpz(scale)
        self._powers = [mpz(1)]

    def power(self, exponent: int) -> mpz:
        """Return M to an exponent."""
        while len(self._powers) <= exponent:
            self._powers.append(self._powers[-1] * self.denominator)
        return self._powers[exponent]

    def gather(self, terms: Mapping[int, mpz]) -> Scaled:
        """Sum integers that are listed by the power of M below them."""
        total, reached = mpz(0), 0
        for exponent in sorted(terms):
            total = total * self.power(exponent - reached) + terms[exponent]
            reached = exponent
        return total, reached

    def rational(self, number: Scaled) -> mpq:
        """Reduce to lowest terms."""
        return mpq(number[0], self.scale * self.power(number[1]))

    def compare(self, first: Scaled, second: Scaled) -> int:
        """Sign of first − second."""
        (x, i), (y, j) = first, second
        difference = x * self.power(max(j - i, 0)) - y * self.power(max(i - j, 0))
        return int(difference > 0) - int(difference < 0)

    def floor(self, number: Scaled, bits: int) -> int:
        """Largest integer not above 2**bits times the number."""
        return int((number[0] << bits) // (self.scale * self.power(number[1])))


@dataclass(frozen=True)
class TurnPayoff:
    """What the end of a turn is worth, with points counted in units of the rules.

    The dice may be rolled with points 0 … levels − 1; beyond that one must bank. What that is worth
    is listed from 0 to levels − 1 + the highest score, None where the rules do not let one bank,
    and never falls; `nothing` is the worth of a turn that has to end but may not be banked. All
    worths are over `scale`, as in `Base`.
    """

    levels: int
    bank: Sequence[Scaled | None]
    bust: Scaled
    nothing: Scaled
    scale: int = 1
