"""The cross-check of distributions of the software-engineering game detects errors."""

import pytest
from gmpy2 import mpz
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.games.swe.distributions import ScoreDistribution
from exactdice.games.swe.rules import Ladder
from exactdice.jobs import crosscheck as ladders
from exactdice.jobs.crosscheck import check_law

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(0, 9),
    st.sampled_from(["NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.3)", "Rand(0.7)"]),
)
def test_random_ladders_pass(faces, rounds, policy):
    check = check_law(policy, rounds, Ladder(*faces))
    assert check.passed, check.problems


def likeliest(weights):
    return max(weights, key=weights.get)


def altered(monkeypatch, change):
    genuine = ladders.distribution_from_below

    def wrong(*given, **options):
        law, products = genuine(*given, **options)
        weights = {score: mpz(weight) for score, weight in law.weights.items()}
        change(weights, law.denominator)
        return ScoreDistribution(weights, law.denominator, law.largest), products

    monkeypatch.setattr(ladders, "distribution_from_below", wrong)


def test_a_weight_above_the_probability_is_caught(monkeypatch):
    def move_some(weights, denominator):
        weights[likeliest(weights)] -= denominator >> 40
        weights[min(weights)] += denominator >> 40

    altered(monkeypatch, move_some)
    check = check_law("Promo", 8)
    assert check.not_enclosed == 2
    assert check.problems[-1] == "a score of 0: the interval does not contain the exact value"


def test_lost_games_are_detected(monkeypatch):
    def lower_one(weights, denominator):
        weights[likeliest(weights)] -= denominator >> 35

    altered(monkeypatch, lower_one)
    check = check_law("Promo", 8)
    assert (check.outside_bound, check.not_enclosed) == (1, 0)
    assert check.problems[0].startswith("missing probability: the double is off by ")


def test_an_unreachable_score_is_detected(monkeypatch):
    def invent(weights, _):
        weights[36] = mpz(1)

    # 8 rounds score at most 0 + … + 7 = 28.
    altered(monkeypatch, invent)
    check = check_law("Promo", 8)
    assert check.problems[0].startswith("scores: ")
    assert check.not_enclosed == 1
