"""What the README's policies do: readings of their names and parameters, put to its figures.

How far a simulated figure lies from the truth is a *z-score*, in standard errors. For a mean that
is (figure − mean) / √(variance / games). For a percentile x at level p the number of games with a
score of at most x is binomial; the distance is 0 where the law says P(score < x) ≤ p ≤ P(score ≤
x), and else the excess of the nearer of the two over p, divided by √(p(1 − p) / games).

The README names its policies and prints what they scored, but does not say what they do in every
case. Each *reading* here is one way to complete a rule; its exact mean is compared with the
simulated one. A reading that lies many standard errors away is refuted. Of each question one
reading survives, and that is the one that `exactdice.games.swe.laws.players` follows:

* legacy dice are fixed highest rung first, not lowest;
* ExpLegacy promotes from its bound on, not only above it;
* Rand promotes the lowest die, not the highest and not one at random;
* PromoThenNew ran as Promo, and NewThenPromo as NewOnly: they never changed from the first part of
  the game to the second, and so did not do what their names say. The nearest miss of the named
  reading is NewThenPromo(0.9), 2.2 and 2.1 standard errors away at 10 and 30 rounds; for fractions
  that leave more to promote it is refuted by up to 276.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.dice import Root
from exactdice.games.swe.laws.evaluation import Evaluation, exact_moments
from exactdice.games.swe.laws.law import ScoreLaw
from exactdice.games.swe.laws.players import (
    ExpLegacy,
    PolicyMoment,
    PromoOnce,
    Rand,
    Repairs,
    RulePolicy,
    lowest_promotion,
    policy_from_text,
)
from exactdice.games.swe.rules import Action, ActionKind
from exactdice.games.swe.sources import FIGURES, GAMES, Figures

_CREATE = Action(ActionKind.CREATE)


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
    """
    figure, mean = figures.exact_mean, evaluation.mean
    nearest = min(max(figure, mean.lower), mean.upper)
    return standard_errors(figure - nearest, evaluation.variance.upper / games)


def percentile_z_score(
    figure: int, level: RationalLike, law: ScoreLaw, games: int = GAMES
) -> ZScore:
    """Return how far a simulated percentile lies from where the law can put it.

    Positive where the figure is too high. Where the law is only enclosed, the least distance.
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


class ExpLegacyAbove(ExpLegacy):
    """Promote only where the expected failures are above the bound."""

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        expected = sum((mpq(n, f) for n, f in zip(dice, turn.ladder, strict=True)), mpq(0))
        return {_CREATE if expected <= self.parameter else lowest_promotion(dice): mpq(1)}


class RandHighest(Rand):
    """Promote the highest die that can be promoted."""

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        rungs = [rung for rung, number in enumerate(dice[:-1]) if number]
        if not rungs:
            return {_CREATE: mpq(1)}
        return {_CREATE: self.parameter, Action(ActionKind.PROMOTE, rungs[-1]): 1 - self.parameter}


class RandAny(Rand):
    """Promote a die at random among those that can be promoted."""

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        total = sum(dice[:-1])
        if not total:
            return {_CREATE: mpq(1)}
        share = (1 - self.parameter) / total
        choices = {
            Action(ActionKind.PROMOTE, rung): share * number
            for rung, number in enumerate(dice[:-1])
            if number
        }
        return {_CREATE: self.parameter, **choices}


class PromoOnceLowest(PromoOnce):
    """PromoOnce that fixes the lowest rung first."""

    repairs = Repairs.LOWEST


class ExpLegacyLowest(ExpLegacy):
    """ExpLegacy that fixes the lowest rung first."""

    repairs = Repairs.LOWEST


class RuleReading(NamedTuple):
    """One way to complete a rule: the question, the answer, and whether it is the one adopted."""

    question: str
    answer: str
    row: str
    policy: RulePolicy
    adopted: bool


@dataclass(frozen=True)
class Judged:
    """A reading with its exact mean, the simulated mean, and the z_score in standard errors."""

    reading: RuleReading
    mean: mpq
    figure: mpq
    z_score: ZScore


def readings() -> list[RuleReading]:
    """List the readings, the adopted one of each question first."""
    order, bound, rand, change = (
        "which legacy die is fixed first",
        "what ExpLegacy does at its bound",
        "which die Rand promotes",
        "whether the policy changes after its fraction of the rounds",
    )
    listed = [
        RuleReading(order, "the highest rung", "PromoOnce", PromoOnce(), adopted=True),
        RuleReading(order, "the lowest rung", "PromoOnce", PromoOnceLowest(), adopted=False),
        RuleReading(order, "the highest rung", "ExpLegacy(0.9)", ExpLegacy("0.9"), adopted=True),
        RuleReading(
            order, "the lowest rung", "ExpLegacy(0.9)", ExpLegacyLowest("0.9"), adopted=False
        ),
    ]
    for value in ("0.5", "1.0"):
        row = f"ExpLegacy({value})"
        listed.append(RuleReading(bound, "it promotes", row, ExpLegacy(value), adopted=True))
        listed.append(RuleReading(bound, "it creates", row, ExpLegacyAbove(value), adopted=False))
    for value in ("0.2", "0.5", "0.8"):
        row = f"Rand({value})"
        listed.append(RuleReading(rand, "the lowest", row, Rand(value), adopted=True))
        listed.append(RuleReading(rand, "the highest", row, RandHighest(value), adopted=False))
        listed.append(RuleReading(rand, "any at random", row, RandAny(value), adopted=False))
    for row in FIGURES[10]:
        if "Then" in row:
            ran = policy_from_text(row.replace("(", "AsRun("))
            listed.append(RuleReading(change, "never", row, ran, adopted=True))
            listed.append(RuleReading(change, "yes", row, policy_from_text(row), adopted=False))
    return listed


def judge(reading: RuleReading, rounds: int) -> Judged:
    """Put a reading to the figure for 10 or 30 rounds."""
    figures = FIGURES[rounds][reading.row]
    mean, variance = exact_moments(reading.policy.simplified(), rounds)
    z_score = standard_errors(figures.exact_mean - mean, variance / GAMES)
    return Judged(reading, mean, figures.exact_mean, z_score)
