"""Bounds of distributions by their definition, with a random part of the weights hidden."""

from fractions import Fraction

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.swe.distributions import ScoreDistribution, Span
from exactdice.games.swe.distributions.forward import AllRevenue, RoundedWeights
from exactdice.games.swe.rules import Ladder

TRUE = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any)


def hide(weights, hidden):
    """The distribution with a part of its weights left out, and its denominator."""
    kept = {s: max(0, w - h) for s, (w, h) in enumerate(zip(weights, hidden, strict=True))}
    return ScoreDistribution(
        {s: w for s, w in kept.items() if w}, sum(weights), largest=len(weights) - 1
    )


@given(data=st.data(), weights=TRUE, level=st.fractions(Fraction(1, 50), 1))
def test_bounds_contain_the_true_values(data, weights, level):
    hidden = data.draw(st.lists(st.integers(0, 5), min_size=len(weights), max_size=len(weights)))
    dist, total = hide(weights, hidden), sum(weights)

    def inside(true, bounds):
        return to_fraction(bounds.lower) <= true <= to_fraction(bounds.upper)

    mean = Fraction(sum(s * w for s, w in enumerate(weights)), total)
    square = Fraction(sum(s * s * w for s, w in enumerate(weights)), total)
    assert inside(mean, dist.mean())
    assert inside(square - mean**2, dist.variance())
    cumulative = [Fraction(sum(weights[: s + 1]), total) for s in range(len(weights))]
    for score, chance in enumerate(cumulative):
        assert inside(chance, dist.cdf(score))
        assert inside(1 - chance, dist.reaches(score + 1))
    quantile = next(s for s, chance in enumerate(cumulative) if chance >= level)
    span = dist.quantile(level)
    assert span.low <= quantile <= span.high
    if not any(min(h, w) for h, w in zip(hidden, weights, strict=True)):
        assert dist.exact
        assert span.certified
        assert dist.distribution().quantile(level) == quantile
        assert dist.mean().point is not None


def test_quantiles_can_be_certified_despite_missing_probability():
    dist = ScoreDistribution({0: 49, 1: 49}, 100, largest=9)
    assert dist.quantile("0.4") == Span(0, 0)
    assert dist.quantile("0.5") == Span(0, 1)
    assert dist.quantile("0.99") == Span(1, 9)
    assert [str(dist.quantile(level)) for level in ("0.4", "0.99")] == ["0", "1…9"]
    assert dist.quantile("0.01") == Span(0, 0)


def test_nothing_is_above_the_largest_score():
    dist = ScoreDistribution({0: 1}, 2, largest=3)
    assert dist.cdf(3) == Enclosure(mpq(1, 2), mpq(1))
    assert dist.reaches(4) == Enclosure(mpq(0), mpq(1, 2))


@pytest.mark.parametrize("level", [0, "3/2", "-1/2", "x"])
def test_levels_are_probabilities_above_zero(level):
    with pytest.raises(InputError):
        ScoreDistribution({0: 1}, 1, largest=0).quantile(level)


def test_distribution_requires_all_outcomes():
    with pytest.raises(InputError, match="no missing probability"):
        ScoreDistribution({0: 1}, 2, largest=3).distribution()


@pytest.mark.parametrize("weights", [{0: 2, 1: 2}, {0: -1, 1: 2}])
def test_weights_above_the_denominator_or_below_0_are_rejected(weights):
    with pytest.raises(InputError, match=r"^weights: got a sum of"):
        ScoreDistribution(weights, 3, largest=1)


BITS = 64
CHANCES = st.integers(2, 2**32).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))
SMALL = st.integers(2, 99).flatmap(lambda q: st.tuples(st.integers(1, q - 1), st.just(q)))


@given(
    low=st.integers(0, 2**BITS), high=st.integers(2 ** (BITS - 1), 2**BITS),
    chance=st.one_of(SMALL, CHANCES), grain=st.integers(1, 40),
)  # fmt: skip
def test_rounding_of_a_probability_is_less_than_its_grain(low, high, chance, grain):
    weights = RoundedWeights(Ladder(4), bits=BITS, grain=grain, least=BITS, slots=2)
    packed = low + (mpz(high) << weights.width)
    after = weights.enter(packed, mpq(*chance), AllRevenue((1,), 0), (2,))
    upper, lower = divmod(after, mpz(1) << weights.width)
    # Of the chance of one case in so many, less than a part in 2^(grain − 1); and less than a unit.
    lost = Fraction(2, mpq(*chance).denominator << grain)
    for before, rounded in ((low, lower), (high, upper)):
        true = before * Fraction(*chance)
        assert true - before * lost - 1 < rounded <= true
