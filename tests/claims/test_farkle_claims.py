"""Claims about Farkle: what they find where the numbers are others, made up for the purpose."""

from types import SimpleNamespace

import pytest
from finders import farkle as claims
from gmpy2 import mpq

DIGIT = mpq(1, 10**4)  # the last that is printed of Optimal_2 and Optimal_3


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (2 + DIGIT, "proved"),
        (4 - DIGIT, "proved"),
        (2 - DIGIT - DIGIT / 1000, "refuted"),
        (4 + DIGIT + DIGIT / 1000, "refuted"),
    ],
)
def test_a_printed_figure_is_refuted_that_no_value_is_near(monkeypatch, printed, verdict):
    monkeypatch.setattr(claims, "_PRINTED", printed)
    monkeypatch.setattr(claims, "_first_three", lambda: (printed, mpq(2), mpq(4)))
    found = claims._optimal_2_and_3()
    assert found.verdict == verdict
    assert found.evidence["off_by"] == [str(abs(printed - 2)), str(abs(printed - 4))]
    few = [
        SimpleNamespace(name="one", optimal={2: mpq(2), 3: mpq(30)}.get),
        SimpleNamespace(name="other", optimal={2: mpq(40), 3: mpq(4)}.get),
    ]
    monkeypatch.setattr(claims, "READINGS", few)
    found = claims._printed_readings()
    assert found.verdict == verdict
    nearest = min(abs(printed - value) for value in (2, 30, 40, 4))
    assert (found.evidence["nearest"], found.evidence["readings"]) == (str(nearest), 2)
    assert found.evidence["values"] == {"one": ["2", "30"], "other": ["40", "4"]}


@pytest.mark.parametrize(("three", "verdict"), [(6, "refuted"), (5, "open")])
def test_a_third_roll_has_to_gain_something(monkeypatch, three, verdict):
    monkeypatch.setattr(claims, "_first_three", lambda: (mpq(1), mpq(5), mpq(three)))
    found = claims._two_rolls()
    assert (found.verdict, found.evidence) == (verdict, {"third_roll_gains": str(three - 5)})


def test_thresholds_are_refuted_where_rolling_is_better_again(monkeypatch):
    turn = SimpleNamespace(
        state=lambda text: int(text.removeprefix("fair*")),
        worth_rolling=lambda points, state: points < 100 or (state == 4 and points == 150),
        end=300,
    )
    monkeypatch.setattr(claims, "solve", lambda **_: turn)
    found = claims._thresholds()
    assert (found.verdict, found.evidence) == ("refuted", {"state": 4})


@pytest.mark.parametrize(("score", "verdict"), [(100, "proved"), (4000, "refuted")])
def test_the_target_may_be_passed_by_a_roll_from_below_it(monkeypatch, score, verdict):
    """Each roll scores so much, so that from 5900 or 4000 points one comes to 6000 or 8000."""
    menus = [SimpleNamespace(menus={((score, n - 1),): 1}) for n in range(1, 7)]
    turn = SimpleNamespace(menus=SimpleNamespace(by_state=[None, *menus]))
    monkeypatch.setattr(claims, "_turn", lambda: turn)
    found = claims._most_in_a_round()
    before = 6000 - score if score == 100 else 4000
    assert (found.verdict, found.evidence["most"]) == (verdict, before + score)
    rolls = before // score
    assert found.evidence["before"] == [before, 6 - rolls % 6]


@pytest.mark.parametrize(
    ("gain", "bust", "alone", "verdict"),
    [
        (-1, "1/3", "1/2", "refuted"),
        (0, "1/3", "1/2", "open"),
        (-1, "1/2", "1/2", "open"),
        (1, "2/3", "1/2", "open"),
    ],
)
def test_rolling_has_to_lose_points_and_win_more_often(monkeypatch, gain, bust, alone, verdict):
    chances = {None: mpq(bust), "fair*1": mpq(alone)}
    turn = SimpleNamespace(
        optimal=lambda points, dice: mpq(gain),
        state=lambda dice=None: dice,
        menus=SimpleNamespace(bust_chance=chances.get),
    )
    monkeypatch.setattr(claims, "_turn", lambda: turn)
    assert claims._score_not_wins().verdict == verdict
