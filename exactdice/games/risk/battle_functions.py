r"""Whole Risk battles with s-sided dice: the chance to win as a rational function of s.

A round of a v d dice has the denominator :math:`s^{a+d}`, so the recursion over battles never
leaves the functions :math:`p(s)/s^e` with a polynomial p. Armies are counted in fighting units:
those that can roll.

When both sides roll one die, every round is won by the attacker with chance (s − 1)/(2s). The
attacker takes D defenders with A units exactly if D wins come before A losses, a negative binomial
tail,

.. math:: P(A, D) = \sum_{j=0}^{A-1} \binom{D-1+j}{j}
   \Bigl(\frac{s-1}{2s}\Bigr)^{D} \Bigl(\frac{s+1}{2s}\Bigr)^{j}.

Cost of a battle: O(A·D) products of polynomials of degree O(A + D).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from flint import fmpq, fmpq_poly

from exactdice.arithmetic import mpq, natural
from exactdice.games.risk.round_polynomials import risk_round
from exactdice.games.risk.rules import MAX_DICE, Ties
from exactdice.symbolic.polynomial import Polynomial, SignRun

#: Most units of one side.
MAX_UNITS = 100


@dataclass(frozen=True)
class WinningChance:
    """The function numerator(s)/s^power, in lowest terms, for s ≥ 1.

    >>> chance = winning_chance(1, 1)
    >>> print(chance)
    (s - 1)/2 / s
    >>> chance(6), chance.limit
    (mpq(5,12), mpq(1,2))
    """

    numerator: Polynomial
    power: int

    @classmethod
    def reduced(cls, numerator: fmpq_poly, power: int) -> "WinningChance":
        """Cancel the powers of s."""
        while power and numerator and not numerator[0]:
            numerator = numerator.right_shift(1)
            power -= 1
        return cls(Polynomial.from_flint(numerator), power)

    def __call__(self, sides: int) -> mpq:
        """Evaluate at a number of sides."""
        s = natural(sides, "sides", least=1)
        return self.numerator(s) / mpq(s) ** self.power

    @property
    def limit(self) -> mpq:
        """Limit for s → ∞, where ties vanish."""
        top = self.numerator
        return top.leading_coefficient if top.degree == self.power else mpq(0)

    def favoured(self) -> list[SignRun]:
        """Return for which s the attacker is more likely to win than not (sign 1), exactly.

        >>> [(run.first, run.last, run.sign) for run in winning_chance(3, 2).favoured()]
        [(1, 3, -1), (4, None, 1)]
        """
        half = [0] * self.power + [fmpq(1, 2)]
        return Polynomial.from_flint(self.numerator.to_flint() - fmpq_poly(half)).sign_runs()

    def __str__(self) -> str:
        below = "" if not self.power else " / s" if self.power == 1 else f" / s**{self.power}"
        return f"{self.numerator}{below}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self) -> str:
        r"""Return the function as LaTeX.

        >>> print(winning_chance(1, 1).latex())
        \frac{s - 1}{2 s}
        """
        constant, _ = self.numerator.factored()
        denominator = int(constant.denominator)
        whole = Polynomial(tuple(denominator * c for c in self.numerator.coefficients))
        power = "" if not self.power else "s" if self.power == 1 else f"s^{{{self.power}}}"
        below = " ".join(p for p in ("" if denominator == 1 else str(denominator), power) if p)
        return rf"\frac{{{whole.latex()}}}{{{below}}}" if below else whole.latex()


@lru_cache(maxsize=128)
def winning_chance(
    attackers: int,
    defenders: int,
    attacker_dice: int = 3,
    defender_dice: int = 2,
    ties: Ties | str = Ties.DEFENDER,
) -> WinningChance:
    """Chance that the attacker wins a battle, as a function of the sides of the dice.

    The Risk post prints 6610505/10077696 for four attackers, one of whom stays behind, against two:

    >>> winning_chance(3, 2)(6)
    mpq(6610505,10077696)
    """
    A = natural(attackers, "attackers", least=1, most=MAX_UNITS)
    D = natural(defenders, "defenders", least=1, most=MAX_UNITS)
    x = natural(attacker_dice, "attacker_dice", least=1, most=MAX_DICE)
    y = natural(defender_dice, "defender_dice", least=1, most=MAX_DICE)
    # chances[a, d] = (p, e) stands for p(s)/s^e.
    chances = {(a, 0): (fmpq_poly([1]), 0) for a in range(A + 1)}
    chances |= {(0, d): (fmpq_poly(), 0) for d in range(1, D + 1)}
    for d in range(1, D + 1):
        for a in range(1, A + 1):
            now = risk_round(min(a, x), min(d, y), ties)
            after = [chances[a - k, d - now.stake + k] for k in range(now.stake + 1)]
            power = max(e for _, e in after)
            total = fmpq_poly()
            for count, (p, e) in zip(now.counts, after, strict=True):
                total += count.to_flint() * p.left_shift(power - e)
            chance = WinningChance.reduced(total, power + now.dice)
            chances[a, d] = (chance.numerator.to_flint(), chance.power)
    return WinningChance(Polynomial.from_flint(chances[A, D][0]), chances[A, D][1])


def single_die_battle(attackers: int, defenders: int) -> WinningChance:
    """Chance to win when both sides roll one die, by the negative binomial tail.

    >>> single_die_battle(5, 4) == winning_chance(5, 4, 1, 1)
    True
    """
    A = natural(attackers, "attackers", least=1, most=MAX_UNITS)
    D = natural(defenders, "defenders", least=1, most=MAX_UNITS)
    lower, upper = fmpq_poly([-1, 1]), fmpq_poly([1, 1])
    doubled = fmpq_poly([0, 2])
    total = sum(
        (comb(D - 1 + j, j) * upper**j * doubled ** (A - 1 - j) for j in range(A)), fmpq_poly()
    )
    exponent = A - 1 + D
    return WinningChance.reduced(total * lower**D / 2**exponent, exponent)
