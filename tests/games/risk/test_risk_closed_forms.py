"""Closed forms of Risk against listing all rolls and the solver of the game."""

from itertools import product
from math import comb

import pytest
from gmpy2 import mpq
from sympy import Symbol, sympify

from exactdice.arithmetic import from_sympy
from exactdice.errors import InputError
from exactdice.games.risk import RiskRules, round_losses
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rounds import weak_orders
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
    """Counts of all rolls by the attacker's losses."""
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


def test_limit_of_an_outcome_that_needs_ties_is_zero():
    # A weak order with fewer levels than dice fills too few rolls: build one by hand.
    flat = RoundPolynomials(1, 1)
    object.__setattr__(flat, "counts", (Polynomial((0, 1)), Polynomial((0, 0, 1))))
    assert flat.limit(0) == 0


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


def test_power_sums_of_one_die_more():
    assert power_sum_pattern(6).status is Status.PROVED
    for d in (1, 2, 3):
        for s in (1, 2, 3):
            assert enumerated(d + 1, d, s, "defender")[d] == sum(
                j ** (2 * d) for j in range(1, s + 1)
            )


@pytest.mark.parametrize(("a", "d", "stated"), [(2, 2, 2), (2, 3, 2), (3, 2, 2), (4, 2, 1)])
def test_round_report_states_its_theorems(a, d, stated):
    """Reciprocity is always stated, the shift for a ≤ d, the sum of powers for a = d + 1."""
    answer = ask(f"symbolic risk-round {a} {d}")
    assert len(answer.table("statements").rows) == stated


def test_reciprocity_between_the_sides():
    assert reciprocity(6).status is Status.PROVED


def test_shift_theorem():
    assert shift(6).status is Status.PROVED
    for a, d in ((1, 1), (1, 3), (2, 2), (2, 3)):
        for s in (2, 3, 4):
            won = enumerated(a, d, s, "defender")[0]
            assert won == enumerated(d, a, s - 1, "defender")[a]


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


@pytest.mark.parametrize(("arguments", "named"), [
    ((0, 1), "attacker_dice"), ((1, 21), "defender_dice"), ((Symbol("a"), 1), "attacker_dice"),
    ((1, 1, "nobody"), "ties"),
])  # fmt: skip
def test_invalid_rounds_are_rejected(arguments, named):
    with pytest.raises(InputError, match=f"{named}: got"):
        RoundPolynomials(*arguments)


def test_invalid_sides_and_losses_are_rejected():
    with pytest.raises(InputError, match="attacker_losses: got 3"):
        risk_round(3, 2).count(3)
    with pytest.raises(InputError, match="attacker_losses: got -1"):
        risk_round(3, 2).positive_from(-1)
    with pytest.raises(InputError, match="sides: got 0"):
        risk_round(3, 2).probability(1, 0)
    with pytest.raises(InputError, match="ties: got"):
        weak_orders(1, 1, "both")


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


def test_limit_is_approached():
    chance = winning_chance(5, 5)
    assert abs(chance(10**12) - chance.limit) < mpq(1, 10**11)
    # One unit a side and no ties: heads or tails.
    assert winning_chance(1, 1).limit == mpq(1, 2)


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


def test_function_that_vanishes_in_the_limit():
    assert WinningChance(Polynomial((1,)), 2).limit == 0


@pytest.mark.parametrize(("arguments", "named"), [
    ((0, 1), "attackers"), ((1, 101), "defenders"), ((1, 1, 0), "attacker_dice"),
    ((1, 1, 1, 21), "defender_dice"), ((1, 1, 1, 1, "nobody"), "ties"),
])  # fmt: skip
def test_invalid_battles_are_rejected(arguments, named):
    with pytest.raises(InputError, match=f"{named}: got"):
        winning_chance(*arguments)


def test_invalid_arguments_are_rejected():
    with pytest.raises(InputError, match="sides: got 0"):
        winning_chance(1, 1)(0)
    with pytest.raises(InputError, match="defenders: got -1"):
        winning_chance(1, -1)
