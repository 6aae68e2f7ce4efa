"""Tests and intervals against sums of binomial coefficients."""

from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.fatestones import confidence
from exactdice.games.fatestones.confidence import (
    PLACES,
    chance_interval,
    games_needed,
    least_edge_seen,
    power,
)

GRID = mpq(1, 10**PLACES)


def at_least(games, wins, chance):
    terms = (
        comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(wins, games + 1)
    )
    return sum(terms, mpq(0))


def exact_power(games, edge, confidence):
    """Power of the Neyman-Pearson test by its definition."""
    level, half, chance = 1 - confidence, mpq(1, 2), (1 + edge) / 2
    critical = max(k for k in range(games + 1) if at_least(games, k, half) >= level)
    above = at_least(games, critical + 1, half)
    toss = (level - above) / (at_least(games, critical, half) - above)
    sure = at_least(games, critical + 1, chance)
    return sure + toss * (at_least(games, critical, chance) - sure)


edges = st.fractions(0, 1, max_denominator=20).map(lambda e: mpq(e.numerator, e.denominator))
confidences = st.sampled_from([mpq(3, 5), mpq(9, 10), mpq(95, 100), mpq(31, 32)])


@given(st.integers(1, 40), edges, confidences)
@settings(max_examples=60, deadline=None)
def test_power_by_sums_of_binomials(games, edge, confidence):
    exact = exact_power(games, edge, confidence)
    found = power(games, edge, confidence)
    assert found <= exact < found + GRID or found == exact == 1


@pytest.mark.slow
@given(st.integers(1, 19).map(lambda n: mpq(n, 20)), confidences)
@settings(max_examples=12, deadline=None)
def test_games_needed_are_the_fewest(edge, confidence):
    wanted = mpq(4, 5)
    games = games_needed(edge, confidence, wanted)
    if games <= 60:
        assert exact_power(games, edge, confidence) >= wanted
        assert all(exact_power(n, edge, confidence) < wanted for n in range(1, games))


def test_a_sure_winner_is_seen_in_five_games():
    # By hand: at level 1/20, four wins of four reject with chance 16/20 only, and five of five
    # (1/32) always.
    assert games_needed(1) == 5
    assert power(4, 1) == mpq(8, 10)
    assert power(5, 1) == 1


def test_one_game_can_be_enough():
    # By hand: at level 2/5 a win, which has chance 1/2, is taken as proof with chance 4/5.
    assert games_needed(1, "3/5", "4/5") == 1
    assert games_needed(1, "3/5", "81/100") == 2
    assert least_edge_seen(1, "3/5", "4/5") == 1
    assert games_needed(0, "3/5", "2/5") == 1  # the level is the chance that it is taken so


def test_limit_on_games(monkeypatch):
    """Numbers of games are doubled up to the limit."""
    for most in (8, 7):
        monkeypatch.setattr(confidence, "_MAX_GAMES", most)
        if most == 8:
            assert games_needed(1) == 5
        else:
            with pytest.raises(
                InputError, match="edge: got 1; expected an edge detectable in 7 games"
            ):
                games_needed(1)


@given(st.integers(5, 40), confidences)
@settings(max_examples=12, deadline=None)
def test_least_edge_is_the_threshold(games, confidence):
    wanted = mpq(4, 5)
    edge = least_edge_seen(games, confidence, wanted)
    assert exact_power(games, edge, confidence) >= wanted
    assert exact_power(games, edge - GRID, confidence) < wanted


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=40, deadline=None)
def test_intervals_of_clopper_and_pearson(count):
    wins, games = count
    low, high = chance_interval(wins, games, "0.9")
    tail = mpq(1, 20)
    assert low <= mpq(wins, games) <= high
    assert (low == 0) if wins == 0 else at_least(games, wins, low) < tail
    assert wins == 0 or at_least(games, wins, low + GRID) >= tail
    misses = games - wins
    assert (high == 1) if misses == 0 else at_least(games, misses, 1 - high) < tail
    assert misses == 0 or at_least(games, misses, 1 - high + GRID) >= tail


def test_interval_of_none_in_ten():
    # 1 − 0.025^(1/10) = 0.30849710781876…: with no wins the upper bound has a closed form.
    assert chance_interval(0, 10) == (0, mpq(308498, 10**6))


def test_power_of_the_normal_approximation_at_ten_thousand_games():
    # Φ(0.0359894·100 − 1.64485) = Φ(1.954) = 0.97464: standard normal tables.
    assert abs(power(10_000, "0.0359894") - mpq(97464, 100_000)) < mpq(1, 1000)


@pytest.mark.slow
@pytest.mark.parametrize(("call", "message"), [
    (lambda: power(0, "1/2"), "games: got 0; expected a whole number of at least 1"),
    (lambda: power(10, 2), "edge: got 2; expected a number from 0 to 1"),
    (lambda: power(10, 0, "1/2"), "confidence: got '1/2'; expected a number above 1/2 and below 1"),
    (lambda: games_needed("1/2", power=1), "power: got 1; expected a number above 0 and below 1"),
    (lambda: games_needed(0), "edge: got 0; expected an edge detectable in 1000000000000 games"),
    (lambda: least_edge_seen(2), "games: got 2; expected more games: even an edge of 1"),
    (lambda: chance_interval(3, 2), "wins: got 3; expected a whole number from 0 to 2"),
])  # fmt: skip
def test_bad_arguments_are_rejected(call, message):
    with pytest.raises(InputError) as refusal:
        call()
    assert str(refusal.value).startswith(message)
