"""Claims about FateStones: that each would be noticed to be false, by data with a small fault."""

from types import SimpleNamespace

import pytest
from finders import fatestones as claims
from gmpy2 import mpq

from exactdice.games.fatestones.responses import BestResponse
from exactdice.games.fatestones.sources import README_RESULTS


def verdict(name):
    return claims.FINDERS[f"fatestones.{name}"]().verdict


@pytest.mark.parametrize(
    ("payoff", "value", "expected"),
    [
        (((1, -1), (-1, 1)), 0, True),
        (((0, 2), (-1, 3)), 0, False),  # both have a single best choice
        (((0, 0), (1, -1), (-1, 1)), 0, False),  # row has one, though column must mix
        (((0, 1, -1), (0, -1, 1)), 0, False),  # column has one, though row must mix
    ],
)
def test_a_deal_is_mixed_if_no_single_choice_is_sure_for_either(payoff, value, expected):
    assert claims._is_mixed(SimpleNamespace(payoff=payoff, value=value)) is expected


@pytest.mark.parametrize(
    ("earned", "expected"), [((1, 1, 1), "open"), ((1, 1, mpq(9, 10)), "proved")]
)
def test_good_play_is_rewarded_where_one_die_earns_more(monkeypatch, earned, expected):
    monkeypatch.setattr(claims, "_against_random", lambda *_: list(map(mpq, earned)))
    assert verdict("rewarded") == expected


@pytest.mark.parametrize(("edge", "expected"), [("3/100", "open"), ("31/1000", "refuted")])
def test_play_can_be_good_where_more_than_three_in_a_hundred_are_won(monkeypatch, edge, expected):
    answer = BestResponse(mpq(edge), mpq(1, 50), mpq(1, 3), 7)
    monkeypatch.setattr(claims, "best_response", lambda: answer)
    found = claims.FINDERS["fatestones.good-play"]()
    assert found.verdict == expected
    assert found.evidence == {"deals": 7, "duel": "1/50", "edge": edge, "scratch": "1/3"}


@pytest.mark.parametrize(
    ("players", "row", "expected"),
    [
        (("mcts:10", "random"), (50, 50, 1), "proved"),
        (("mcts:10", "random"), (51, 50, 1), "refuted"),  # it won, by little
        (("random", "random"), (51, 50, 1), "proved"),
        (("random", "random"), (0, 4, 1), "refuted"),  # 4² / 4 is twice the standard error
        (("random", "random"), (12, 24, 1), "refuted"),  # 12² / 36 too
        (("random", "random"), (13, 24, 1), "proved"),  # 11² / 37 is less
    ],
)
def test_the_readme_s_search_is_as_good_as_chance_within_twice_the_error(
    monkeypatch, players, row, expected
):
    monkeypatch.setattr(claims, "README_RESULTS", {**README_RESULTS, players: row})
    assert verdict("tree-search") == expected


@pytest.mark.parametrize(
    ("scratches", "ties", "expected"),
    [
        (2, 6, "proved"),
        (4, 6, "refuted"),  # (4 − 2)² is four times the variance 4 · 1/2 · 1/2
        (2, 12, "refuted"),  # (12 − 6)² is four times the variance 4 · 9/4
        (2, 11, "proved"),
    ],
)
def test_both_columns_of_random_play_are_within_twice_the_error(
    monkeypatch, scratches, ties, expected
):
    """Four games in which all three rolls tie or none does, each with chance 1/2: 6 ties are due.

    The ties of a game are 3 or 0, so that their variance is 9/4.
    """
    half = mpq(1, 2)
    monkeypatch.setattr(claims, "random_play", lambda: SimpleNamespace(tied=(half,) * 3))
    monkeypatch.setattr(claims, "README_GAMES", 4)
    results = {("random", "random"): (4 - scratches, 0, ties)}
    monkeypatch.setattr(claims, "README_RESULTS", results)
    assert verdict("random-column") == expected


def test_the_three_dice_of_the_readme_are_of_the_mean_that_is_said():
    assert claims.FINDERS["fatestones.classic"]().evidence["means"] == ["7/2"] * 3
