"""The game of choosing how many dice to roll."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.risk import RiskRules, dice_game, round_losses, win_table
from exactdice.games.risk.model import losses_to
from exactdice.games.risk.rules import Order, Ties
from exactdice.models import Choice, End, Game, Turn, optimum


def minimax(rules, a, d):
    """Max over the attacker's dice of min over the defender's, by the definition."""

    @cache
    def value(a, d):
        if d == 0:
            return Fraction(1)
        if a < rules.stop_below:
            return Fraction(0)
        return max(
            min(after(a, d, i, j) for j in range(1, min(d, rules.defender_dice) + 1))
            for i in range(1, min(a, rules.attacker_dice) + 1)
        )

    def after(a, d, i, j):
        losses = round_losses(i, j, rules).probabilities()
        return sum(to_fraction(p) * value(a - x, d - y) for (x, y), p in losses.items())

    return value(a, d)


house_rules = st.builds(
    RiskRules, attacker_dice=st.integers(1, 3), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 6), defender_sides=st.integers(1, 6),
    ties=st.sampled_from(list(Ties)),
)  # fmt: skip


@settings(max_examples=30)
@given(house_rules)
def test_announced_choice_agrees_with_minimax(rules):
    for (a, d), choice in dice_game(4, 4, "announced", "fighting", rules).items():
        assert choice.value == minimax(rules, a, d)


@settings(max_examples=30)
@given(house_rules)
def test_simultaneous_moves_are_no_worse_for_the_attacker(rules):
    # A simultaneous attacker can still play the announced choice; the defender knows less.
    announced = dice_game(5, 4, "announced", "fighting", rules)
    at_once = dice_game(5, 4, "simultaneous", "fighting", rules)
    assert all(at_once[armies].value >= announced[armies].value for armies in announced)


@settings(max_examples=20)
@given(house_rules)
@example(RiskRules(2, 2, 1, 2, Ties.ATTACKER))
def test_optimal_dice_of_simultaneous_moves(rules):
    game = dice_game(3, 3, "simultaneous", "fighting", rules)

    def worth(a, d):
        return mpq(1) if not d else mpq(0) if a < rules.stop_below else game[a, d].value

    for (a, d), choice in game.items():
        ours, theirs = (range(1, 1 + most) for most in rules.dice_rolled(a, d))
        after = {
            (i, j): sum(
                p * worth(a - x, d - y)
                for (x, y), p in round_losses(i, j, rules).probabilities().items()
            )
            for i, j in product(ours, theirs)
        }
        sure = tuple(i for i in ours if all(after[i, j] >= choice.value for j in theirs))
        safe = tuple(j for j in theirs if all(after[i, j] <= choice.value for i in ours))
        assert (choice.attacker, choice.defender) == (sure, safe)
        assert choice.maximum_is_optimal == (ours[-1] in sure and theirs[-1] in safe)


UNSEEN = [Order.ANNOUNCED, Order.SIMULTANEOUS]


@pytest.mark.parametrize("order", UNSEEN)
def test_the_most_dice_are_optimal_up_to_twenty_units(order):
    # The Risk post assumes it; here it holds at all 400 states, so the values are the table's.
    game = dice_game(21, 20, order)
    assert len(game) == 400
    assert game.exceptions() == []
    table = win_table(21, 20)
    assert all(game[armies].value == table[armies] for armies in game)


def test_all_numbers_of_one_sided_dice_are_optimal():
    # One-sided dice: every pair is a tie, so all numbers of dice end in the same loss.
    game = dice_game(3, 2, "announced", "fighting", RiskRules().with_sides(1))
    assert game[3, 2].value == 0
    assert game[3, 2].attacker == (1, 2, 3)
    assert game[3, 2].defender == (1, 2)


def test_fewer_dice_can_be_better_under_house_rules():
    # The attacker always shows 1 and wins ties; the defender tosses a two-sided die. By hand:
    # (1, 1) is won with 1/2, (2, 1) with 3/4, (1, 2) with 1/4·1/2 = 1/8. At (2, 2), against two
    # announced dice, the defender's
    #   two dice: both twos with 1/4 (lost), one two with 1/2 (then 1/2), none with 1/4: 1/2;
    #   one die: a two with 1/2 (then 1/8), a one with 1/2 (then 3/4): 7/16, which is less.
    rules = RiskRules(2, 2, 1, 2, Ties.ATTACKER)
    game = dice_game(2, 2, "announced", "fighting", rules)
    assert game.exceptions() == [(2, 2)]
    assert not game[2, 2].maximum_is_optimal
    assert game[2, 2].value == mpq(7, 16) == minimax(rules, 2, 2)


@pytest.mark.parametrize("order", UNSEEN)
def test_costs_of_one_die_fewer(order):
    """The oracle is one round by definition, then the table for the most dice."""
    table = win_table(9, 8)

    def after(a, d, i, j):
        losses = round_losses(i, j).probabilities()
        return sum(p * won(a - x, d - y) for (x, y), p in losses.items())

    def won(a, d):
        return mpq(1) if d == 0 else table[a, d] if a > 1 else mpq(0)

    for (a, d), choice in dice_game(9, 8, order).items():
        i, j = min(a - 1, 3), min(d, 2)
        fewer = [after(a, d, i - 1, j) if i > 1 else None, after(a, d, i, j - 1) if j > 1 else None]
        assert choice.attacker_cost == (None if fewer[0] is None else table[a, d] - fewer[0])
        assert choice.defender_cost == (None if fewer[1] is None else fewer[1] - table[a, d])


def test_invalid_order_is_rejected():
    wanted = r"^order: got 'first'; expected one of announced, simultaneous, after$"
    with pytest.raises(InputError, match=wanted):
        dice_game(3, 2, "first")


def test_law_and_order_after_cannot_be_combined():
    rules = RiskRules(1, 1, law="1v1:15,21")
    assert dice_game(2, 1, "announced", rules=rules).value == Fraction(15, 36)
    with pytest.raises(
        InputError, match=r"^order: got 'after'; expected announced or simultaneous, "
    ):
        dice_game(2, 1, "after", rules=rules)


with_more = st.builds(
    RiskRules, attacker_dice=st.integers(1, 3), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 4), defender_sides=st.integers(1, 4),
    ties=st.sampled_from(list(Ties)), attacker_mix=st.sampled_from([(), (2,), (3, 2)]),
    defender_bonus=st.sampled_from([(), (1,)]),
)  # fmt: skip


def of_single_rolls(attackers, defenders, rules):
    """The order after, with each ordered roll as a state."""

    def shown(a, d, i):
        rolls = product(*(range(1, sides + 1) for sides in rules.sides_of(i, 1)[0]))
        return Distribution(Counter((a, d, *roll) for roll in rolls))

    def moves(state):
        a, d, *roll = state
        if rules.is_over(a, d):
            return End(int(d == 0))
        ours, theirs = (range(1, 1 + most) for most in rules.dice_rolled(a, d))
        if not roll:
            return Turn(1, [Choice(i, 0, shown(a, d, i)) for i in ours])
        laws = {j: Distribution(losses_to(roll, j, rules)) for j in theirs}
        after = {j: law.map(lambda lost: (a - lost[0], d - lost[1])) for j, law in laws.items()}
        return Turn(2, [Choice(j, 0, law) for j, law in after.items()])

    return Game((attackers, defenders), moves)


@settings(max_examples=20)
@given(with_more, st.integers(1, 3), st.integers(1, 3))
def test_order_after_agrees_with_the_game_of_single_rolls(rules, a, d):
    game = dice_game(a, d, "after", "fighting", rules)
    best = optimum(of_single_rolls(a, d, rules))
    assert game.value == best.value
    told = [s for s in best.model.states if s[:2] == (a, d) and len(s) > 2]
    safe = set.intersection(*(set(best.optimal_actions(s)) for s in told))
    most_a, most_d = rules.dice_rolled(a, d)
    assert game[a, d].attacker == best.optimal_actions((a, d))
    assert game[a, d].defender == tuple(sorted(safe))
    fewer = {
        (tuple(sorted(s[2:])[::-1][:most_d]), max(best.optimal_actions(s)))
        for s in told
        if len(s) == 2 + most_a and most_d not in best.optimal_actions(s)
    }
    assert game[a, d].fewer_against == tuple(sorted(fewer))


def test_order_after_by_hand_and_by_a_separate_program():
    # One fighting unit against two defenders: whatever its die shows, the higher of two dice is
    # better against it. So it wins with 55/216 and then with 15/36, as if it were not seen.
    game = dice_game(6, 6, "after", "fighting")
    assert game[1, 2].value == mpq(55, 216) * mpq(15, 36)
    assert game[1, 2].fewer_against == ()
    # Of 6 against 6, from a separate program with fractions that lists rolls.
    assert game[6, 6].value == mpq("290032074578709511574363/663221759162200073699328")
    high = [(5, 4), (5, 5), (6, 4), (6, 5), (6, 6)]
    assert game[6, 6].fewer_against == tuple((faces, 1) for faces in high)
    assert game[6, 6].defender == ()
    assert not game[6, 6].maximum_is_optimal


def test_seeing_the_dice_helps_the_defender():
    seen, unseen = (dice_game(7, 6, order, "fighting") for order in ("after", "announced"))
    assert all(seen[armies].value <= unseen[armies].value for armies in seen)
    # One defender has no choice, and one attacker's die is met best by two.
    assert all(seen[a, d].value == unseen[a, d].value for a, d in seen if a == 1 or d == 1)


def test_game_lacks_larger_armies():
    game = dice_game(4, 3)
    assert set(game) == set(product((2, 3, 4), (1, 2, 3)))
    for armies in ((5, 1), (4, 4), (1, 1), (2,), "no", 7):
        assert armies not in game
        with pytest.raises(KeyError):
            game[armies]


def test_one_die_is_better_against_two_sixes():
    """Twenty fighting units a side: only sixes save a unit; the third die does not matter."""
    table = win_table(20, 20, "fighting")
    one = table[20, 19] * mpq(5, 6) + table[19, 20] * mpq(1, 6)
    two = table[20, 18] * mpq(25, 36) + table[19, 19] * mpq(10, 36) + table[18, 20] * mpq(1, 36)
    assert one < two
    # Neither number of dice can be better against every roll: unseen, two dice are (theorem 10).
    assert dice_game(20, 20, "announced", "fighting")[20, 20].defender == (2,)


def test_ties_between_fewer_dice_show_the_most():
    # The attacker always shows 1 and wins ties, so that each of the highest dice of the defender
    # saves a unit where it shows a 2: of a toss of j coins, those compared.
    rules = RiskRules(3, 3, 1, 2, Ties.ATTACKER)
    game = dice_game(5, 5, "after", "fighting", rules)

    def worth(a, d):
        return mpq(1) if not d else game[a, d].value if a else mpq(0)

    def answer(a, d, j):
        total, pairs = mpq(0), min(a, 3, j)
        for coins in product((0, 1), repeat=j):
            saved = min(sum(coins), pairs)
            total += worth(a - saved, d - (pairs - saved)) / 2**j
        return total

    alike = 0
    for a, d in game:
        answers = {j: answer(a, d, j) for j in range(1, min(d, 3) + 1)}
        best = [j for j, one in answers.items() if one == min(answers.values())]
        assert game[a, d].value == min(answers.values())
        told = dict(game[a, d].fewer_against)
        assert list(told.values()) == ([] if max(answers) in best else [max(best)])
        alike += len(best) > 1 and bool(told)
    assert alike  # some are equally good, and better than all three
