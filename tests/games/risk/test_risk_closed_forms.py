"""Closed forms of Risk and the choice of dice, against all rolls and the definition."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from risk_rolls import losses_to
from sympy import Symbol, sympify

from exactdice.arithmetic import from_sympy, to_fraction
from exactdice.dice import Distribution
from exactdice.games.risk import RiskRules, dice_game, round_losses, win_table
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import Order, Ties
from exactdice.models import Choice, End, Game, Turn, optimum
from exactdice.rooms import ask
from exactdice.studies.risk import closed_forms as risk_rounds
from exactdice.studies.risk.closed_forms import (
    RoundPolynomials,
    WinningChance,
    power_sum,
    power_sum_pattern,
    reciprocity,
    risk_round,
    shift,
    winning_chance,
)
from exactdice.symbolic.polynomial import Polynomial
from exactdice.symbolic.statements import Status


def enumerated(a, d, sides, ties):
    counts = [0] * (min(a, d) + 1)
    for attack in product(range(sides), repeat=a):
        for defence in product(range(sides), repeat=d):
            pairs = zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False)
            lost = sum(x < y or (x == y and ties == "defender") for x, y in pairs)
            counts[lost] += 1
    return counts


@pytest.mark.parametrize("ties", ["defender", "attacker"])
@pytest.mark.parametrize(
    ("a", "d"), [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (2, 3), (1, 4)]
)
def test_counts_agree_with_enumeration(a, d, ties):
    found = RoundPolynomials(a, d, ties)
    for sides in range(1, 5):
        assert [count(sides) for count in found.counts] == enumerated(a, d, sides, ties)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 100])
@pytest.mark.parametrize("ties", ["defender", "attacker"])
def test_probabilities_agree_with_the_solver_of_the_game(sides, ties):
    rules = RiskRules(6, 6, sides, sides, ties)
    for a in range(1, 7):
        for d in range(1, 7):
            law = round_losses(a, d, rules)
            for lost in range(min(a, d) + 1):
                expected = law.probability((lost, min(a, d) - lost))
                assert risk_round(a, d, ties).probability(lost, sides) == expected


@pytest.mark.parametrize(("a", "d"), [(1, 1), (3, 2), (2, 3), (4, 2)])
def test_least_sides_and_positivity(a, d):
    for lost in range(min(a, d) + 1):
        least = risk_round(a, d).positive_from(lost)
        values = [risk_round(a, d).count(lost)(s) for s in range(15)]
        assert not any(values[:least])
        assert all(x < y for x, y in zip(values[least:], values[least + 1 :], strict=False))


@pytest.mark.parametrize(("a", "d"), [(1, 1), (2, 1), (3, 2), (2, 3), (4, 3)])
def test_limit_counts_strict_orders(a, d):
    # For s → ∞ all dice differ: every order of the a + d dice is as likely as any other.
    words = [w for w in product("AD", repeat=a + d) if w.count("A") == a]
    for lost in range(min(a, d) + 1):
        hits = 0
        for word in words:
            places = {side: [i for i, s in enumerate(word) if s == side] for side in "AD"}
            pairs = zip(places["A"], places["D"], strict=False)
            hits += sum(x > y for x, y in pairs) == lost
        assert risk_round(a, d).limit(lost) == mpq(hits, len(words))


@pytest.mark.parametrize(("a", "d"), [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (4, 3), (7, 6)])
def test_favoured_sides_agree_with_expected_losses(a, d):
    runs = risk_round(a, d).favoured()
    for s in range(1, 25):
        losses = sum(
            (lost * risk_round(a, d).probability(lost, s) for lost in range(min(a, d) + 1)), mpq(0)
        )
        balance = min(a, d) - 2 * losses  # defender's less attacker's expected losses
        sign = next(r.sign for r in runs if r.first <= s and (r.last is None or s <= r.last))
        assert sign == (balance > 0) - (balance < 0)


@pytest.mark.parametrize("exponent", range(1, 9))
def test_power_sums(exponent):
    for s in range(12):
        assert power_sum(exponent)(s) == sum(j**exponent for j in range(1, s + 1))


def test_power_sums_reciprocity_and_shift():
    assert power_sum_pattern(6).status is Status.PROVED
    for d in (1, 2, 3):
        for s in (1, 2, 3):
            assert enumerated(d + 1, d, s, "defender")[d] == sum(
                j ** (2 * d) for j in range(1, s + 1)
            )
    assert reciprocity(6).status is Status.PROVED
    assert shift(6).status is Status.PROVED
    for a, d in ((1, 1), (1, 3), (2, 2), (2, 3)):
        for s in (2, 3, 4):
            won = enumerated(a, d, s, "defender")[0]
            assert won == enumerated(d, a, s - 1, "defender")[a]


@pytest.mark.parametrize(("a", "d", "stated"), [(2, 2, 2), (2, 3, 2), (3, 2, 2), (4, 2, 1)])
def test_round_report_states_its_theorems(a, d, stated):
    """Reciprocity is always stated, the shift for a ≤ d, the sum of powers for a = d + 1."""
    answer = ask(f"symbolic risk-round {a} {d}")
    assert len(answer.table("statements").rows) == stated


def test_failed_comparisons_raise(monkeypatch):
    monkeypatch.setattr(risk_rounds, "risk_round", lambda a, d: RoundPolynomials(a, d, "attacker"))
    with pytest.raises(AssertionError, match="shift fails for 1 v 1"):
        shift(1)
    with pytest.raises(AssertionError, match="power sum fails for 2 v 1"):
        power_sum_pattern(1)
    monkeypatch.setattr(
        risk_rounds, "risk_round", lambda a, d: RoundPolynomials(a, d).__class__(a, a)
    )
    with pytest.raises(AssertionError, match="reciprocity fails"):
        reciprocity(2)


def test_theorems_are_compared_for_all_rounds():
    expected = [
        (a, d, lost)
        for a, d, lost in product(range(1, 4), range(1, 4), range(4))
        if lost <= min(a, d)
    ]
    assert list(risk_rounds._rounds_up_to(3)) == expected


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 20])
def test_battles_agree_with_the_solver_of_the_game(sides):
    for a in range(1, 8):
        for d in range(1, 8):
            expected = win_probability(a, d, "fighting", RiskRules().with_sides(sides))
            assert winning_chance(a, d)(sides) == expected


@pytest.mark.parametrize(
    ("x", "y", "ties"), [(1, 1, "attacker"), (4, 3, "defender"), (2, 5, "attacker")]
)
def test_house_rules_agree_with_the_solver_of_the_game(x, y, ties):
    for sides in (2, 5, 12):
        rules = RiskRules(x, y, sides, sides, ties)
        for a, d in ((1, 5), (4, 4), (6, 3)):
            expected = win_probability(a, d, "fighting", rules)
            assert winning_chance(a, d, x, y, ties)(sides) == expected


@pytest.mark.parametrize(("a", "d"), [(1, 1), (3, 2), (2, 4), (5, 5)])
def test_favoured_sides_agree_with_the_solver_of_the_game(a, d):
    runs = winning_chance(a, d).favoured()
    for sides in range(1, 15):
        chance = win_probability(a, d, "fighting", RiskRules().with_sides(sides))
        sign = next(
            r.sign for r in runs if r.first <= sides and (r.last is None or sides <= r.last)
        )
        assert sign == (chance > mpq(1, 2)) - (chance < mpq(1, 2))


def test_limits():
    chance = winning_chance(5, 5)
    assert abs(chance(10**12) - chance.limit) < mpq(1, 10**11)
    # One unit a side and no ties: heads or tails.
    assert winning_chance(1, 1).limit == mpq(1, 2)
    assert WinningChance(Polynomial((1,)), 2).limit == 0
    # A weak order with fewer levels than dice fills too few rolls: build one by hand.
    flat = RoundPolynomials(1, 1)
    object.__setattr__(flat, "counts", (Polynomial((0, 1)), Polynomial((0, 0, 1))))
    assert flat.limit(0) == 0


@pytest.mark.parametrize(("a", "d"), [(1, 1), (1, 4), (3, 2), (6, 6), (10, 3)])
def test_single_dice_follow_the_negative_binomial(a, d):
    for s in (1, 2, 6, 9):
        beta = mpq(s - 1, 2 * s)
        # The attacker wins the race: at least d wins among the first a + d − 1 rounds.
        race = sum(
            (
                comb(a + d - 1, wins) * beta**wins * (1 - beta) ** (a + d - 1 - wins)
                for wins in range(d, a + d)
            ),
            mpq(0),
        )
        # In other words: d wins come before a losses.
        tail = sum((comb(d - 1 + j, j) * beta**d * (1 - beta) ** j for j in range(a)), mpq(0))
        assert tail == race == winning_chance(a, d, 1, 1)(s)


def test_written_forms_agree():
    chance = winning_chance(4, 3)
    value = sympify(str(chance), rational=True).subs(Symbol("s"), 6)
    assert from_sympy(value) == chance(6)
    assert str(WinningChance(Polynomial((1,)), 0)) == "1"
    assert WinningChance(Polynomial((1,)), 0).latex() == "1"
    assert WinningChance(Polynomial(("1/3",)), 2).latex() == r"\frac{1}{3 s^{2}}"
    assert str(winning_chance(1, 1)) == "(s - 1)/2 / s"


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
def test_announced_choice_is_minimax_and_no_better_than_simultaneous_moves(rules):
    for (a, d), choice in dice_game(4, 4, "announced", "fighting", rules).items():
        assert choice.value == minimax(rules, a, d)
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
def test_the_most_dice_are_optimal_and_fewer_cost_as_by_definition(order):
    # The Risk post assumes it; here it holds at all 400 states, so the values are the table's.
    game = dice_game(21, 20, order)
    assert len(game) == 400
    assert game.exceptions() == []
    table = win_table(21, 20)
    assert all(game[armies].value == table[armies] for armies in game)
    # The oracle is one round by definition, then the table for the most dice.
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


def test_dice_choices_of_one_sided_dice_by_hand():
    # One-sided dice: every pair is a tie, so all numbers of dice end in the same loss.
    game = dice_game(3, 2, "announced", "fighting", RiskRules().with_sides(1))
    assert game[3, 2].value == 0
    assert game[3, 2].attacker == (1, 2, 3)
    assert game[3, 2].defender == (1, 2)
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


with_more = st.builds(
    RiskRules, attacker_dice=st.integers(1, 3), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 4), defender_sides=st.integers(1, 4),
    ties=st.sampled_from(list(Ties)), attacker_mix=st.sampled_from([(), (2,), (3, 2)]),
    defender_bonus=st.sampled_from([(), (1,)]),
)  # fmt: skip


def of_single_rolls(attackers, defenders, rules):
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
    # Twenty fighting units a side: only sixes save a unit; the third die does not matter.
    table = win_table(20, 20, "fighting")
    one = table[20, 19] * mpq(5, 6) + table[19, 20] * mpq(1, 6)
    two = table[20, 18] * mpq(25, 36) + table[19, 19] * mpq(10, 36) + table[18, 20] * mpq(1, 36)
    assert one < two
    # Neither number of dice can be better against every roll: unseen, two dice are (theorem 10).
    assert dice_game(20, 20, "announced", "fighting")[20, 20].defender == (2,)


def test_games_lack_larger_armies_and_laws_after():
    game = dice_game(4, 3)
    assert set(game) == set(product((2, 3, 4), (1, 2, 3)))
    for armies in ((5, 1), (4, 4), (1, 1), (2,), "no", 7):
        assert armies not in game
        with pytest.raises(KeyError):
            game[armies]
    rules = RiskRules(1, 1, law="1v1:15,21")
    assert dice_game(2, 1, "announced", rules=rules).value == Fraction(15, 36)


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
