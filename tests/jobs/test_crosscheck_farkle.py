"""The cross-check of Farkle passes under many rules, and detects errors."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.errors import InputError
from exactdice.games.farkle import KCD
from exactdice.jobs.crosscheck import check_farkle
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
    assert check.outside_bound == 1
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


def test_rules_without_a_target_are_rejected():
    with pytest.raises(InputError, match=r"^target: got none; "):
        check_farkle("fair*2", KCD.varied(target=None))


def test_a_wrong_number_of_menus_is_caught(monkeypatch):
    altered(monkeypatch, lambda turn, _: replace(turn, menus=turn.menus - 1))
    check = check_farkle("1:1:1:1:1:1,2:1:1:1:1:1", KCD.varied(target=100))
    assert not check.passed
    assert check.problems[0].startswith("menus: ")
