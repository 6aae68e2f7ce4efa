"""Equilibrium values of hands of two and three dice, by number, in whole numbers.

The one table of a census: values of pairs against pairs. A deal of three against three needs nine
of its entries and one game of 3×3.
"""

from math import lcm

import numpy as np

from exactdice.errors import TooLargeError
from exactdice.games.fatestones.responses import BagTables
from exactdice.solve.kernels import kernel_of_three, saddle_point


class PairValues:
    """Equilibrium values of every hand of two against every other, with a scratch worth 0.

    The games of 2×2 have payoffs over rolls²; a saddle point is one of them, and a mixed value is
    (ad − bc)/(a + d − b − c) of them, in 64-bit integers. Dice that both hands hold do no harm.

    Raises TooLargeError if the payoffs' products would not fit 64 bits.

    Raises AssertionError if the values are not antisymmetric, which would be a mistake in this
    package.
    """

    def __init__(self, tables: BagTables) -> None:
        self.tables = tables
        margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
        if 4 * rolls**4 >= 2**63:  # ad − bc, each factor at most rolls²; four of them in the total
            raise TooLargeError(
                f"dice: {len(tables.table.dice[0])} faces need integers of more than 64 bits; give "
                "dice of fewer faces"
            )
        (a, b), (c, d) = tables.pairs.T[:, :, None], tables.pairs.T[:, None, :]
        upper = [margins[a, x] * rolls + ties[a, x] * margins[b, y] for x, y in ((c, d), (d, c))]
        lower = [margins[b, x] * rolls + ties[b, x] * margins[a, y] for x, y in ((c, d), (d, c))]
        floor = np.maximum(np.minimum(*upper), np.minimum(*lower))
        is_mixed = floor != np.minimum(
            np.maximum(upper[0], lower[0]), np.maximum(upper[1], lower[1])
        )
        value = upper[0] * lower[1] - upper[1] * lower[0]
        total = upper[0] + lower[1] - upper[1] - lower[0]
        numerators = np.where(is_mixed, value, floor)
        denominators = np.where(is_mixed, total, 1)
        divisors = np.gcd(numerators, denominators) * np.sign(denominators)
        numerators, denominators = numerators // divisors, denominators // divisors
        if not (
            np.array_equal(margins, -margins.T)
            and np.array_equal(ties, ties.T)
            and np.array_equal(numerators, -numerators.T)
            and np.array_equal(denominators, denominators.T)
        ):
            raise AssertionError("swapping hands must change the sign of a value and nothing else")
        # Python lists: the games of 3×3 are solved in Python's integers, one by one.
        self.numerators: list[list[int]] = numerators.tolist()
        self.denominators: list[list[int]] = denominators.tolist()
        self._margins: list[list[int]] = (margins * rolls**2).tolist()
        self._ties: list[list[int]] = ties.tolist()
        self.triples: list[list[int]] = tables.triples.tolist()
        self._rest: list[list[int]] = tables.rest.tolist()

    def value(self, hand: int, other: int) -> tuple[int, int, bool]:
        """Value of triple `hand` against triple `other`: numerator, denominator, and if mixed."""
        theirs, their_rests = self.triples[other], self._rest[other]
        values, over = [], []
        for die, rest in zip(self.triples[hand], self._rest[hand], strict=True):
            margins, ties = self._margins[die], self._ties[die]
            numerators, denominators = self.numerators[rest], self.denominators[rest]
            for against, remaining in zip(theirs, their_rests, strict=True):
                bottom = denominators[remaining]
                over.append(bottom)
                values.append(margins[against] * bottom + ties[against] * numerators[remaining])
        common = lcm(*over)
        if common > 1:
            values = [top * (common // bottom) for top, bottom in zip(values, over, strict=True)]
        payoff = (values[:3], values[3:6], values[6:])
        unit = common * self.tables.table.rolls**3
        saddle = saddle_point(payoff)
        if saddle is not None:
            return payoff[saddle[0]][saddle[1]], unit, False
        kernel = kernel_of_three(payoff)
        return kernel.value, kernel.total * unit, True
