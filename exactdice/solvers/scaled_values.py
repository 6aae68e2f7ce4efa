"""Values of all states as integers over one denominator.

Sums of products of integers need no greatest common divisor; it is taken once a sweep. Comparing
two returns is one product on each side.
"""

from collections.abc import Sequence

from gmpy2 import gcd, lcm, mpq, mpz

from exactdice.solvers.process import Move

__all__ = ["ScaledValues"]


class ScaledValues:
    """Rational values v_i = numerators[i] / common.

    Examples
    --------
    >>> values = ScaledValues([mpq(1, 2), mpq(1, 3)])
    >>> values.numerators, values.common
    ([mpz(3), mpz(2)], mpz(6))
    >>> values.put(0, mpq(1, 5))
    >>> values.listed()
    [mpq(1,5), mpq(1,3)]
    """

    def __init__(self, values: Sequence[mpq]) -> None:
        self.common = mpz(lcm(1, *(value.denominator for value in values)))
        self.numerators = [value.numerator * (self.common // value.denominator) for value in values]

    def __getitem__(self, state: int) -> mpq:
        return mpq(self.numerators[state], self.common)

    def put(self, state: int, value: mpq) -> None:
        """Change one value, bringing all to a greater denominator where it needs one."""
        scale = value.denominator // gcd(value.denominator, self.common)
        if scale > 1:
            self.numerators = [numerator * scale for numerator in self.numerators]
            self.common *= scale
        self.numerators[state] = value.numerator * (self.common // value.denominator)

    def listed(self) -> list[mpq]:
        """All values in lowest terms."""
        return [mpq(numerator, self.common) for numerator in self.numerators]

    def best(self, offered: Sequence[Move]) -> tuple[mpq, list[int]]:
        """Greatest return of the moves offered, and the places of all moves with it.

        Where nothing is offered, play has ended: (0, []).
        """
        best, best_denominator, places = mpz(0), mpz(1), list[int]()
        for place, move in enumerate(offered):
            total = move.scaled_return(self.numerators, self.common)
            if places:
                difference = total * best_denominator - best * move.denominator
                if difference < 0:
                    continue
                if difference == 0:
                    places.append(place)
                    continue
            best, best_denominator, places = total, move.denominator, [place]
        return mpq(best, best_denominator * self.common), places
