"""Bounds in doubles against exact distributions, weight by weight."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from policy_oracle import Cautious

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions.evaluation import (
    distribution_from_below,
    evaluate,
    exact_distribution,
    exact_moments,
    refined_in_doubles,
)
from exactdice.games.swe.distributions.listed import Optimal
from exactdice.games.swe.distributions.players import NewOnlyPolicy, Promo, policy_from_text
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.sources import FIGURES, LEVELS
from exactdice.native.swe_outlook import takes
from exactdice.run import Run
from exactdice.studies.swe.policies import PromoOnceLowest, percentile_z_score

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")

POLICIES = ("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "Rand(0.3)", "PromoThenNew(0.5)")
FINE = mpq(1, 10**13)


def compare(dist, exact):
    """No weight is above the true one; what is missing is all that the weights fall short of."""
    short = mpq(0)
    for score in {*dist.weights, *exact.weights}:
        true = mpq(exact.weights.get(score, 0), exact.denominator)
        bound = mpq(dist.weights.get(score, 0), dist.denominator)
        assert bound <= true, score
        short += true - bound
    assert short == dist.missing
    return short


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("rounds", [0, 1, 2, 9, 14])
def test_weights_are_lower_bounds(name, rounds):
    policy = policy_from_text(name)
    dist, _ = distribution_from_below(policy, rounds, least=FINE)
    assert compare(dist, exact_distribution(policy, rounds)) < mpq(1, 10**11)


def test_repairs_from_the_lowest_rung():
    dist, _ = distribution_from_below(PromoOnceLowest(), 12, least=FINE)
    assert compare(dist, exact_distribution(PromoOnceLowest(), 12)) < mpq(1, 10**11)
    other, _ = distribution_from_below(policy_from_text("PromoOnce"), 12, least=FINE)
    assert other.weights != dist.weights


def test_a_policy_that_looks_at_the_score():
    dist, _ = distribution_from_below(Cautious(), 12, least=FINE)
    exact = exact_distribution(Cautious(), 12)
    assert compare(dist, exact) < mpq(1, 10**11)
    assert exact.mean() not in (
        exact_distribution(policy, 12).mean() for policy in (Promo(), NewOnlyPolicy())
    )


def test_policies_with_other_repairs_are_rejected():
    with pytest.raises(InputError, match="policy"):
        distribution_from_below(Optimal(solve(4)), 4, least=FINE)


@given(
    st.lists(st.integers(2, 12), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 9), st.sampled_from(POLICIES), st.integers(2, 13),
)  # fmt: skip
def test_random_ladders_and_bounds(faces, rounds, name, digits):
    ladder, policy = Ladder.of(faces), policy_from_text(name)
    dist, products = distribution_from_below(policy, rounds, ladder, least=mpq(1, 10**digits))
    compare(dist, exact_distribution(policy, rounds, ladder))
    assert products >= 0


@pytest.mark.slow
@given(st.integers(1, 12), st.integers(2, 10**6))
def test_bounds_remain_valid_with_fewer_products(rounds, most):
    policy = policy_from_text("Rand(0.5)")
    dist, _ = distribution_from_below(policy, rounds, least=FINE, most_products=most)
    compare(dist, exact_distribution(policy, rounds))


@pytest.mark.slow
def test_a_smaller_least_weight_misses_less():
    policy = policy_from_text("Rand(0.5)")
    dists = [distribution_from_below(policy, 24, least=mpq(1, 10**n))[0] for n in (3, 5, 7, 9)]
    missing = [dist.missing for dist in dists]
    assert missing == sorted(missing, reverse=True)
    assert missing[-1] < mpq(1, 10**6)


@pytest.mark.slow
def test_refined_percentiles_are_those_of_the_exact_distribution():
    policy = policy_from_text("Rand(0.2)")
    exact, dist = (
        exact_distribution(policy, 16),
        refined_in_doubles(policy, 16, STANDARD, 136, 10**8),
    )
    compare(dist, exact)
    for level in LEVELS.values():
        assert dist.quantile(level).certified
        assert dist.quantile(level) == exact.quantile(level)
    assert dist.mean().width < mpq(1, 1000)
    assert exact_moments(policy, 16)[0] in dist.mean()


@pytest.mark.slow
def test_evaluations_agree_with_those_in_integers():
    policy = policy_from_text("PromoThenNew(0.2)")
    integers = evaluate(policy, 40, work=10**8, in_doubles=False)
    doubles = evaluate(policy, 40, work=10**8, in_doubles=True)
    assert doubles.exact_mean == integers.exact_mean
    assert doubles.largest == integers.largest
    for level in LEVELS.values():
        a, b = integers.scores.quantile(level), doubles.scores.quantile(level)
        assert max(a.low, b.low) <= min(a.high, b.high)


@pytest.mark.long
@pytest.mark.parametrize("name", ["Rand(0.1)", "Rand(0.9)"])
def test_figures_of_random_policies_over_a_hundred_rounds_agree_with_percentiles(name):
    # The SWE game's README simulated 10000 games: within four standard errors at each level.
    evaluation = evaluate(policy_from_text(name), 100, in_doubles=True)
    figures = FIGURES[100][name]
    assert all(span.certified for span in evaluation.percentiles.values())
    for key, level in LEVELS.items():
        figure = getattr(figures, key)
        assert percentile_z_score(figure, level, evaluation.scores).size.square < 16


@pytest.mark.parametrize(("changes", "what"), [
    ({"rounds": 201}, "rounds: got 201; expected a whole number from 0 to 200"),
    ({"rounds": "2.5"}, "rounds: got '2.5'"),
    ({"least": mpq(1)}, "least: got 1; expected a number from 1e-300"),
    ({"least": mpq(0)}, "least: got 0; expected"),
    ({"least": "1e-400"}, "least: got '1e-400'; expected"), ({"least": None}, "least: got None"),
    ({"run": Run(workers=257)}, "threads: got 257; expected a whole number from 1 to 256"),
    ({"largest": -1}, "largest: got -1; expected"),
    ({"most_products": -1}, "most_products: got -1; expected"),
    ({"ladder": Ladder.of(range(2, 11))}, "ladder: got .*; expected at most 8 rungs"),
    ({"ladder": Ladder.of([4, 2**31])}, "ladder: got .*; expected at most 8 rungs"),
])  # fmt: skip
def test_arguments_out_of_range_are_rejected(changes, what):
    arguments = {"rounds": 5, "ladder": STANDARD, "least": FINE} | changes
    with pytest.raises(InputError, match=f"^{what}"):
        distribution_from_below(policy_from_text("Promo"), **arguments)
    assert takes(200, STANDARD)
    assert not takes(201, STANDARD)
    assert not takes(5, Ladder.of(range(2, 11)))
    assert not takes(5, Ladder.of([4, 2**31]))


def test_a_distribution_that_is_too_large_is_rejected():
    with pytest.raises(TooLargeError, match=r"more than the limit of 0\.0953"):
        distribution_from_below(
            policy_from_text("Rand(0.5)"), 40, least=mpq(1, 1000), run=Run(10**5)
        )
    dist, _ = distribution_from_below(
        policy_from_text("Promo"), 20, least=mpq(1, 1000), run=Run(None), most_products=10**400
    )
    assert dist.missing < mpq(1, 10)


@pytest.mark.slow
def test_the_boxes_of_a_stay_count_as_memory():
    # 1003 blocks, few entering distributions; the box of one has up to 2187 splits.
    arguments = policy_from_text("Rand(0.5)"), 40, Ladder.of(range(1000, 1007))
    least = mpq(1, 10**6)
    dist, _ = distribution_from_below(*arguments, least=least, run=Run(2 * 10**9))
    with pytest.raises(TooLargeError, match="MiB"):
        distribution_from_below(*arguments, least=least, run=Run(10**7))
    assert dist.missing < 1


def test_limits_of_0_are_limits():
    policy = policy_from_text("Rand(0.5)")
    dist, products = distribution_from_below(policy, 9, least=FINE, most_products=0)
    assert 0 < products < distribution_from_below(policy, 9, least=FINE)[1]
    with pytest.raises(TooLargeError, match="more than the limit of 0 MiB"):
        distribution_from_below(policy, 9, least=FINE, run=Run(0))
    assert dist.missing > 0


@pytest.mark.slow
def test_bounds_found_before_the_memory_limit_are_kept():
    policy, limit = policy_from_text("Rand(0.5)"), 7 * 10**6
    with pytest.raises(TooLargeError):
        distribution_from_below(policy, 40, least=mpq(1, 10**7), run=Run(limit))
    dist = refined_in_doubles(policy, 40, STANDARD, 820, 10**12, Run(limit))
    assert mpq(1, 10**5) < dist.missing < mpq(1, 2)
    with pytest.raises(TooLargeError):
        refined_in_doubles(policy, 40, STANDARD, 820, 10**12, Run(1000))


def test_progress_and_interrupts():
    parts = []
    policy = policy_from_text("Rand(0.5)")
    run = Run(progress=lambda *news: parts.append(news))
    distribution_from_below(policy, 22, least=mpq(1, 10**9), run=run)
    assert parts
    assert parts == sorted(parts)
    assert all(what == "thousandths" and 0 <= done <= of for what, done, of in parts)
    for raised in (TypeError("no fault of the solver"), KeyboardInterrupt()):

        def stop(*news, raised=raised):
            raise raised

        with pytest.raises(type(raised)):
            distribution_from_below(policy, 16, least=FINE, run=Run(progress=stop))


def test_default_largest_score_is_that_of_always_creating():
    for rounds in (1, 3, 7):
        dist, _ = distribution_from_below(NewOnlyPolicy(), rounds, least="1e-30")
        assert dist.largest == sum(range(1, rounds + 1))
        assert (
            distribution_from_below(NewOnlyPolicy(), rounds, least="1e-30", largest=40)[0].largest
            == 40
        )
