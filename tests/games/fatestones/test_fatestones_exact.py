"""Duels: values by definition and by certificates."""

import pytest
from fatestones_oracle import odds, random_by_orders, reverse
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.model import as_game
from exactdice.games.fatestones.rules import bag, decode_hand, without
from exactdice.models import optimum
from exactdice.solve.matrix_games import certifies

dice = st.lists(st.integers(1, 6), min_size=6, max_size=6).map(lambda faces: tuple(sorted(faces)))
scratches = st.fractions(-1, 1, max_denominator=9)


def hands(die, least=1):
    def of_size(size):
        hand = st.lists(die, min_size=size, max_size=size).map(tuple)
        return st.tuples(hand, hand)

    return st.integers(least, 3).flatmap(of_size)


def certified_value(row, column, scratch):
    """Value by recursion; every stage's matrix by definition, its solution by certificate."""
    if not row:
        return scratch
    payoff = [
        [
            margin + tie * certified_value(without(row, i), without(column, j), scratch)
            for j, against in enumerate(column)
            for margin, tie in [odds(die, against)]
        ]
        for i, die in enumerate(row)
    ]
    solution = solve(row, column, scratch)
    assert payoff == [list(entries) for entries in solve(row, column, scratch).payoff]
    assert certifies(payoff, solution.certificate)
    return solution.value


@given(hands(dice), scratches)
@settings(max_examples=60, deadline=None)
def test_every_stage_of_a_duel_is_certified(pair, scratch):
    worth = mpq(scratch.numerator, scratch.denominator)
    assert solve(*pair, scratch).value == certified_value(*pair, worth)


@given(hands(st.sampled_from(bag()), least=3))
@settings(max_examples=40, deadline=None)
def test_duels_of_the_bag_s_dice_are_certified(pair):
    assert solve(*pair).value == certified_value(*pair, mpq(0))


@given(hands(dice), scratches)
@settings(max_examples=60, deadline=None)
def test_swapping_hands_changes_the_sign(pair, scratch):
    row, column = pair
    assert solve(column, row, -scratch).value == -solve(row, column, scratch).value


def test_reversing_all_dice_is_no_symmetry_of_the_duel():
    """One 1 among ones: column has two dice 111112, row one of them and 111111.

    By hand, 111112 v 111112 is even and ties 26 of 36; 111111 v 111112 loses 6 of 36 and ties 30.
    Row's first choices: 111111, then even: −1/6; 111112 first: 26/36 · (−1/6) = −13/108, which is
    better. Reversed, 666666 beats 566666 in 6 of 36: 1/6 first, or 13/108; now the former is.
    """
    low, high = (1,) * 6, (1, 1, 1, 1, 1, 2)
    row, column = (low, high), (high, high)
    mirrored = [tuple(map(reverse, hand)) for hand in (row, column)]
    assert solve(row, column).value == mpq(-13, 108)
    assert solve(*mirrored).value == mpq(1, 6)


def best_by_recursion(row, column, scratch):
    """Expected payoff of each first choice against a random player, by definition."""
    worth = []
    for i, die in enumerate(row):
        total = mpq(0)
        for j, against in enumerate(column):
            margin, tie = odds(die, against)
            left = without(row, i), without(column, j)
            after = max(best_by_recursion(*left, scratch)) if left[0] else scratch
            total += margin + tie * after
        worth.append(total / len(column))
    return worth


@pytest.mark.slow
@given(hands(dice), scratches)
@settings(max_examples=40, deadline=None)
def test_answers_to_random_play_by_recursion(pair, scratch):
    oracle = best_by_recursion(*pair, mpq(scratch.numerator, scratch.denominator))
    assert answer_to_random(*pair, scratch) == oracle


@given(hands(dice), scratches)
@settings(max_examples=60, deadline=None)
def test_best_response_does_not_depend_on_the_scratch(pair, scratch):
    """The probability of a scratch is the same for all choices."""
    free, worth = answer_to_random(*pair), answer_to_random(*pair, scratch)
    shifts = {a - b for a, b in zip(worth, free, strict=True)}
    scratched = random_by_orders(*pair, mpq(1)) - random_by_orders(*pair, mpq(0))
    assert shifts == {scratched * mpq(scratch.numerator, scratch.denominator)}


@given(hands(dice))
@settings(max_examples=40, deadline=None)
def test_values_are_ordered_by_what_the_column_player_allows(pair):
    best = max(answer_to_random(*pair))
    assert best >= max(solve(*pair).value, random_by_orders(*pair, mpq(0)))


def test_unequal_hands_are_rejected():
    one, two = decode_hand("123456"), decode_hand("123456,111666")
    for solver in (solve, answer_to_random):
        with pytest.raises(InputError, match="hands: got 2 dice against 1"):
            solver(two, one)
        with pytest.raises(InputError, match="row hand: got 0 dice"):
            solver((), ())
    with pytest.raises(InputError, match=r"scratch: got 0\.5; expected an exact number"):
        solve(one, one, 0.5)


@given(hands(dice), scratches)
def test_a_duel_as_a_model_has_the_value_of_the_recursion(pair, scratch):
    game = as_game(*pair, scratch)
    best = optimum(game)
    best.certificate().check(game)
    assert best.value == solve(*pair, scratch).value
