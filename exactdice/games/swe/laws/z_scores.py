"""How far simulated figures lie from the truth, in standard errors.

For a mean that is (figure − mean) / √(variance / games).

For a percentile x at level p the number of games with a score of at most x is binomial. The
distance is 0 where the law says P(score < x) ≤ p ≤ P(score ≤ x), and else the excess of the nearer
of the two over p, divided by √(p(1 − p) / games).
"""

from dataclasses import dataclass

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.dice import Root
from exactdice.games.swe.laws.evaluation import Evaluation
from exactdice.games.swe.laws.law import ScoreLaw
from exactdice.games.swe.sources import GAMES, Figures


@dataclass(frozen=True)
class ZScore:
    """A number of standard errors, kept exact as a sign and a square.

    >>> ZScore(-1, Root(mpq(2))).decimal(3), ZScore(1, Root(mpq(0))).decimal(1)
    ('-1.414', '0.0')
    """

    sign: int
    size: Root

    def decimal(self, places: int) -> str:
        """Write it with some digits after the point, rounded."""
        digits = self.size.decimal(places)
        return f"-{digits}" if self.sign < 0 and digits.strip("0.") else digits


def mean_z_score(figures: Figures, evaluation: Evaluation, games: int = GAMES) -> ZScore:
    """Return how far a simulated mean lies from the true one, in standard errors.

    Where the mean is only enclosed, the least distance that the enclosure allows.

    >>> from exactdice.games.swe.laws.evaluation import evaluate
    >>> from exactdice.games.swe.laws.players import NewOnly
    >>> one_die = evaluate(NewOnly(), 1)  # 1 with chance 3/4: the standard error is √(3/16)/100
    >>> mean_z_score(Figures("0.76", 0, 0, 1, 1, 1, 1, 1), one_die).decimal(4)
    '2.3094'
    """
    figure, mean = figures.exact_mean, evaluation.mean
    nearest = min(max(figure, mean.lower), mean.upper)
    return standard_errors(figure - nearest, evaluation.variance.upper / games)


def percentile_z_score(
    figure: int, level: RationalLike, law: ScoreLaw, games: int = GAMES
) -> ZScore:
    """Return how far a simulated percentile lies from where the law can put it.

    Positive where the figure is too high. Where the law is only enclosed, the least distance.

    >>> fair_coin = ScoreLaw({0: 1, 1: 1}, 2, largest=1)
    >>> percentile_z_score(1, "0.4", fair_coin, 100).decimal(2)
    '2.04'
    """
    p = rational(level, "level")
    too_high = law.cdf(figure - 1).lower - p
    too_low = p - law.cdf(figure).upper
    excess = max(too_high, mpq(0)) - max(too_low, mpq(0))
    return standard_errors(excess, p * (1 - p) / games)


def standard_errors(difference: mpq, variance: mpq) -> ZScore:
    """Divide a difference by the square root of a variance, which is 0 only if it is 0 too.

    >>> standard_errors(mpq(-3), mpq(4)).decimal(2)
    '-1.50'
    """
    square = difference**2 / variance if difference else mpq(0)
    return ZScore(-1 if difference < 0 else 1, Root(square))
