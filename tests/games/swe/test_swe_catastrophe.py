"""Telescoping: against nested sums, enumeration of rolls, and the game's own chain."""

from functools import cache
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from swe_oracle import Oracle, moves
from sympy import Symbol

from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.new_only import NewOnly
from exactdice.studies.swe import closed_forms
from exactdice.studies.swe.closed_forms import (
    all_failed_within,
    expected_rolls_until_all_failed,
    telescoping,
    within_latex,
)
from exactdice.symbolic.statements import Status


@pytest.mark.parametrize("rolls", range(1, 6))
@pytest.mark.parametrize(("sides", "dice"), [(4, 1), (4, 3), (6, 2), (20, 2)])
def test_nested_formula_of_the_readme_telescopes(sides, dice, rolls):
    # The README's own lines: p^n, p^n(1+q)^n, p^n(1+q(1+q))^n, p^n(1+q(1+q(1+q)))^n.
    p, q = mpq(1, sides), mpq(sides - 1, sides)
    brackets = {
        1: mpq(1),
        2: 1 + q,
        3: 1 + q * (1 + q),
        4: 1 + q * (1 + q * (1 + q)),
        5: 1 + q * (1 + q * (1 + q * (1 + q))),
    }
    assert all_failed_within([sides] * dice, rolls) == p**dice * brackets[rolls] ** dice


@pytest.mark.parametrize("dice", [(2,), (2, 3), (3, 3), (2, 2, 2), (4, 1)])
@pytest.mark.parametrize("rolls", [0, 1, 2, 3])
def test_chance_agrees_with_enumeration_of_all_rolls(dice, rolls):
    histories = [list(product(range(1, k + 1), repeat=rolls)) for k in dice]
    failed = total = 0
    for history in product(*histories):
        total += 1
        failed += all(1 in faces for faces in history)
    assert all_failed_within(dice, rolls) == mpq(failed, total)


@given(st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), max_size=5))
def test_expected_maximum_solves_the_equation_of_the_first_roll(dice):
    # E[dice] = 1 + Σ P(survivors) E[survivors], by the first roll.
    def equation(remaining):
        if not remaining:
            return mpq(0)
        total = mpq(1)
        chance_all = mpq(1)
        for lasting in product([True, False], repeat=len(remaining)):
            chance = mpq(1)
            for k, lasts in zip(remaining, lasting, strict=True):
                chance *= mpq(k - 1, k) if lasts else mpq(1, k)
            if all(lasting):
                chance_all = chance
            elif chance:
                survivors = tuple(k for k, s in zip(remaining, lasting, strict=True) if s)
                total += chance * equation(survivors)
        return total / (1 - chance_all)

    assert expected_rolls_until_all_failed(dice) == equation(tuple(dice))


@cache
def worst(rounds, revenue, legacy, faces):
    """The greatest probability of a catastrophe within some rounds after a roll of these dice."""
    total = 0
    for chance, (kept, broken, _) in Oracle(faces).ends(revenue, legacy, 0):
        after = moves(kept, broken).values() if any(kept) and rounds > 1 else ()
        worse = max((worst(rounds - 1, *dice, faces) for dice in after), default=0)
        total += chance * (worse if any(kept) else 1)
    return total


@pytest.mark.parametrize("revenue", [(1, 0), (2, 0), (1, 1), (0, 2)])
@pytest.mark.parametrize("legacy", [(0, 0), (1, 0)])
def test_formula_bounds_the_game_and_is_exact_for_one_roll(revenue, legacy):
    faces = (2, 3)
    for rounds in (1, 2, 3):
        formula = all_failed_within(dict(zip(faces, revenue, strict=True)), rounds)
        real = worst(rounds, revenue, legacy, faces)
        assert real == formula if rounds == 1 else real < formula


def test_statements_are_proved():
    assert {statement.status for statement in telescoping()} == {Status.PROVED}


def test_failing_proof_is_not_passed_over(monkeypatch):
    import sympy

    monkeypatch.setattr(sympy, "simplify", lambda expression: expression + 1)
    with pytest.raises(AssertionError, match="telescoping"):
        telescoping()


@pytest.mark.parametrize(
    ("dice", "latex"),
    [
        ([], "1"),
        ([1], r"\left(1 - 0^{t}\right)"),
        ([4, 4], r"\left(1 - \left(\frac{3}{4}\right)^{t}\right)^{2}"),
    ],
)
def test_latex(dice, latex):
    assert within_latex(dice) == latex


def test_dice_may_be_counted():
    assert all_failed_within({6: 1, 4: 2}, 3) == all_failed_within([4, 6, 4], 3)
    # By independence, with the chance of a single die by hand: 1 − (3/4)² = 7/16.
    assert all_failed_within({4: 10_000}, 2) == mpq(7, 16) ** 10_000
    assert all_failed_within({4: 0}, 1) == 1


def test_no_dice_have_always_failed():
    assert all_failed_within([], 0) == 1
    assert expected_rolls_until_all_failed([]) == 0


@pytest.mark.parametrize("faces", [0, -1, 2.5, "six", Symbol("k")])
def test_wrong_faces_are_refused(faces):
    with pytest.raises(InputError, match="dice: got"):
        all_failed_within([faces], 1)


def test_other_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="rolls: got -1"):
        all_failed_within([4], -1)
    with pytest.raises(TooLargeError, match="1048576 terms"):
        expected_rolls_until_all_failed(range(2, 22))


def test_terms_are_counted_up_to_their_limit(monkeypatch):
    # Of two d4 none, one or both last, and the d6 or not: six ways.
    for most, refused in ((6, False), (5, True)):
        monkeypatch.setattr(closed_forms, "MAX_TERMS", most)
        if refused:
            with pytest.raises(TooLargeError, match="give 6 terms, more than the limit of 5"):
                expected_rolls_until_all_failed([4, 6, 4])
        else:
            assert expected_rolls_until_all_failed([4, 6, 4]) > 6


def test_a_report_has_as_many_digits_as_the_limit(monkeypatch):
    game = NewOnly(4, revenue=2)
    # of four columns of chances, a round after another
    digits = sum(4 * game.digits(round_) for round_ in range(1, 4))
    monkeypatch.setattr(closed_forms, "MAX_DIGITS", digits)
    assert len(closed_forms.catastrophe_report(game, 3).table("rounds").rows) == 3
    monkeypatch.setattr(closed_forms, "MAX_DIGITS", digits - 1)
    with pytest.raises(TooLargeError, match="3 rounds from 2 revenue dice"):
        closed_forms.catastrophe_report(game, 3)
