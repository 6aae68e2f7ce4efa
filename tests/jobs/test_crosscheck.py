"""Cross-checks of Farkle and of the software-engineering game pass, and detect errors."""

from dataclasses import replace

import pytest
from gmpy2 import mpz
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.games.farkle import KCD
from exactdice.games.swe.distributions import ScoreDistribution
from exactdice.games.swe.rules import Ladder
from exactdice.jobs import crosscheck as ladders
from exactdice.jobs.crosscheck import check_farkle, check_law, check_swe
from exactdice.native import farkle

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")

weights = st.lists(st.integers(1, 4), min_size=6, max_size=6).map(
    lambda numbers: ":".join(map(str, numbers))
)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(weights, min_size=1, max_size=3), st.integers(1, 12), st.integers(0, 3),
    st.sampled_from([0, 100]), st.booleans()
)  # fmt: skip
def test_random_dice_and_rules_pass(dice, steps, bank, penalty, hot):
    target = 50 * steps
    rules = KCD.varied(
        target=target, minimum_bank=min(50 * bank, target), penalty=penalty, hot_dice=hot
    )
    check = check_farkle(",".join(dice), rules)
    assert check.passed, check.problems


def altered(monkeypatch, change):
    genuine = farkle.farkle_turn
    monkeypatch.setattr(
        farkle, "farkle_turn", lambda *given, **options: change(genuine(*given, **options), options)
    )


def test_a_perturbed_value_is_detected(monkeypatch):
    def perturb(turn, options):
        if not options.get("intervals"):
            turn.worth[0][1, 0] *= 1 + 1e-9
        return turn

    altered(monkeypatch, perturb)
    check = check_farkle("fair*2", KCD.varied(target=200))
    assert (check.outside_bound, check.bound_used > 1) == (1, True)
    assert "with 0 points: the double is off by" in check.problems[0]


def test_a_wrong_decision_is_caught(monkeypatch):
    def bank_at_once(turn, _):
        roll = turn.roll.copy()
        roll[3, 0] = 0
        return replace(turn, roll=roll)

    altered(monkeypatch, bank_at_once)
    check = check_farkle("fair*2", KCD.varied(target=200))
    assert check.wrong == 1
    assert "takes bank; optimal: roll" in check.problems[0]


def test_undecided_decisions_are_counted(monkeypatch):
    def leave_open(turn, options):
        if not options.get("intervals"):
            return turn
        roll = turn.roll.copy()
        roll[3, 0] = -1
        return replace(turn, roll=roll)

    # With 300 points to reach and two dice, some banking is better by far than rolling.
    rules = KCD.varied(target=300)
    check = check_farkle("fair*2", rules)
    assert (check.ties, check.undecided) == (0, 0)
    altered(monkeypatch, leave_open)
    assert check_farkle("fair*2", rules).undecided == 1


def test_a_wrong_number_of_menus_is_caught(monkeypatch):
    altered(monkeypatch, lambda turn, _: replace(turn, menus=turn.menus - 1))
    check = check_farkle("1:1:1:1:1:1,2:1:1:1:1:1", KCD.varied(target=100))
    assert not check.passed
    assert check.problems[0].startswith("menus: ")


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(0, 9),
    st.sampled_from(["NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.3)", "Rand(0.7)"]),
)
def test_random_ladders_pass(faces, rounds, policy):
    check = check_law(policy, rounds, Ladder(*faces))
    assert check.passed, check.problems


def test_moves_of_the_software_engineering_game_are_compared():
    check = check_swe(3)
    assert (check.passed, check.actions > 0) == (True, True)


def likeliest(weights):
    return max(weights, key=weights.get)


def altered_distribution(monkeypatch, change):
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

    altered_distribution(monkeypatch, move_some)
    check = check_law("Promo", 8)
    assert check.not_enclosed == 2
    assert check.problems[-1] == "a score of 0: the interval does not contain the exact value"


def test_lost_games_are_detected(monkeypatch):
    def lower_one(weights, denominator):
        weights[likeliest(weights)] -= denominator >> 35

    altered_distribution(monkeypatch, lower_one)
    check = check_law("Promo", 8)
    assert (check.outside_bound, check.not_enclosed) == (1, 0)
    assert check.problems[0].startswith("missing probability: the double is off by ")


def test_an_unreachable_score_is_detected(monkeypatch):
    def invent(weights, _):
        weights[36] = mpz(1)

    # 8 rounds score at most 0 + … + 7 = 28.
    altered_distribution(monkeypatch, invent)
    check = check_law("Promo", 8)
    assert check.problems[0].startswith("scores: ")
    assert check.not_enclosed == 1
