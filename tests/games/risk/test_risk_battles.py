"""Battles and campaigns: backward, forward and plain recursion give the same rationals."""

from fractions import Fraction
from functools import cache

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import allocated

from exactdice.arithmetic import to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.games.risk import RiskRules, campaign, round_losses, solve, win_table
from exactdice.games.risk.exact import (
    conquest,
    least_armies,
    memory_estimate,
    nanoseconds,
    nanoseconds_of_one,
    unit_factor,
    win_probability,
)
from exactdice.games.risk.rules import STANDARD, Ties, Units
from exactdice.memory import require_memory
from exactdice.studies.risk.sources import POSTS_WIN

house_rules = st.builds(
    RiskRules,
    attacker_dice=st.integers(1, 4),
    defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 7),
    defender_sides=st.integers(1, 7),
    ties=st.sampled_from(list(Ties)),
    stop_below=st.integers(1, 3),
)


def won(fight):
    """The chance to win by the law of survivors: another way than the recursion."""
    return fight.survivors.probability_that(lambda left: left[1] == 0)


def plain_recursion(rules):
    """The chance to win and the law of endings, by the definition, over Fractions."""

    @cache
    def win(a, d):
        if d == 0:
            return Fraction(1)
        if a < rules.stop_below:
            return Fraction(0)
        losses = round_losses(
            min(a, rules.attacker_dice), min(d, rules.defender_dice), rules
        ).probabilities()
        return sum(to_fraction(p) * win(a - i, d - j) for (i, j), p in losses.items())

    @cache
    def endings(a, d):
        """Pairs of (attackers, defenders, rounds) with their chances."""
        if d == 0 or a < rules.stop_below:
            return {(a, d, 0): Fraction(1)}
        losses = round_losses(
            min(a, rules.attacker_dice), min(d, rules.defender_dice), rules
        ).probabilities()
        law = {}
        for (i, j), p in losses.items():
            for (a2, d2, rounds), chance in endings(a - i, d - j).items():
                key = (a2, d2, rounds + 1)
                law[key] = law.get(key, Fraction(0)) + to_fraction(p) * chance
        return law

    return win, endings


def marginal(law, *indices):
    result = {}
    for key, chance in law.items():
        part = tuple(key[i] for i in indices)
        part = part[0] if len(part) == 1 else part
        result[part] = result.get(part, mpq(0)) + mpq(chance)
    return result


@given(house_rules, st.integers(1, 8), st.integers(1, 8))
def test_every_law_of_a_battle_equals_plain_recursion(rules, a, d):
    win, endings = plain_recursion(rules)
    law = endings(a, d)
    fight = solve(a, d, "fighting", rules)
    assert win_probability(a, d, "fighting", rules) == win(a, d) == fight.value == won(fight)
    assert fight.survivors.probabilities() == marginal(law, 0, 1)
    assert fight.rounds.probabilities() == marginal(law, 2)
    assert fight.expected_attacker_losses == a - sum(left[0] * p for left, p in law.items())
    assert fight.expected_defender_losses == d - sum(left[1] * p for left, p in law.items())


@given(house_rules)
def test_the_table_holds_every_single_probability(rules):
    table = win_table(5, 4, "total", rules)
    assert len(table) == len(list(table)) == 16
    for (a, d), chance in table.items():
        assert chance == win_probability(a, d, "total", rules)


@given(house_rules)
def test_every_round_fits_the_factor_of_its_units(rules):
    factor = unit_factor(rules)
    for a in range(1, rules.attacker_dice + 1):
        for d in range(1, rules.defender_dice + 1):
            denominator = rules.attacker_sides**a * rules.defender_sides**d
            assert factor ** min(a, d) % denominator == 0


def test_four_total_units_against_two_as_printed():
    assert win_probability(4, 2) == mpq(POSTS_WIN)
    assert win_probability(3, 2, Units.FIGHTING) == mpq(POSTS_WIN)


def test_total_and_fighting_units_differ_by_the_one_that_stays_behind():
    assert dict(win_table(9, 6)) == {
        (a + 1, d): chance for (a, d), chance in win_table(8, 6, "fighting").items()
    }


def test_forward_and_backward_agree_at_a_size_beyond_plain_recursion():
    assert won(solve(120, 110)) == win_table(120, 110).value


def test_a_random_army_is_the_mixture_of_its_battles():
    army = Distribution({2: 1, 5: 3})
    mixed = conquest(army, 4).probabilities()
    for left, chance in mixed.items():
        parts = [
            weight * conquest(Distribution({a: 1}), 4).probability(left)
            for a, weight in army.items()
        ]
        assert chance == sum(parts) / army.denominator


def plain_campaign(a, territories, rules):
    """Law of (taken, fighting units at the front, defenders there), by walking through."""
    _, endings = plain_recursion(rules)

    def march(a, taken):
        if taken == len(territories):
            raise AssertionError("handled where the last territory falls")
        law = {}
        for (left, d, _rounds), chance in endings(a, territories[taken]).items():
            if d:
                further = {(taken, left, d): Fraction(1)}
            elif taken + 1 == len(territories):
                further = {(taken + 1, left - 1, 0): Fraction(1)}
            elif left - 1 < rules.stop_below:
                further = {(taken + 1, left - 1, territories[taken + 1]): Fraction(1)}
            else:
                further = march(left - 1, taken + 1)
            for key, conditional in further.items():
                law[key] = law.get(key, Fraction(0)) + chance * conditional
        return law

    return march(a, 0)


@settings(max_examples=30)
@given(house_rules, st.integers(1, 8), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_a_campaign_is_its_battles_one_after_another(rules, a, territories):
    if a < rules.stop_below:
        return  # the army does not attack at all
    expected = {
        (taken, left + 1, d): mpq(chance)
        for (taken, left, d), chance in plain_campaign(a, territories, rules).items()
    }
    march = campaign(a + 1, territories, "total", rules)
    assert march.endings.probabilities() == expected
    taking_all = [p for (taken, *_), p in expected.items() if taken == len(territories)]
    assert march.value == sum(taking_all)
    assert march.territories_taken.probabilities() == marginal(expected, 0)


def test_an_army_too_small_for_the_second_territory_ends_in_the_first():
    march = campaign(2, [1, 5])
    assert march.endings.probabilities() == {(0, 1, 1): mpq(7, 12), (1, 1, 5): mpq(5, 12)}


def test_an_army_that_stops_before_it_starts_loses_nothing():
    fight = solve(3, 2, "fighting", RiskRules(stop_below=4))
    assert fight.survivors.probabilities() == {(3, 2): 1}
    assert fight.rounds.probabilities() == {0: 1}
    assert won(fight) == 0


TOTAL = "expected a whole number of at least 2 total units: one of them stays behind"
LIST = "expected a list of the defenders of at least one territory"


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (lambda: win_probability(0, 2), f"attackers: got 0; {TOTAL}"),
        (lambda: win_probability(1, 2), f"attackers: got 1; {TOTAL}"),
        (lambda: win_probability(3, 0), "defenders: got 0; expected a whole number of at least 1"),
        (
            lambda: win_probability(3, -1),
            "defenders: got -1; expected a whole number of at least 1",
        ),
        (lambda: win_probability(2.5, 2), f"attackers: got 2.5; {TOTAL}"),
        (
            lambda: campaign(5, "31"),
            f"territories: got '31'; {LIST}",
        ),
        (
            lambda: campaign(5, 3),
            f"territories: got 3; {LIST}",
        ),
        (lambda: win_probability(3, 2, "all"), "units: got 'all'; expected one of total, fighting"),
        (lambda: solve(3, 2.0), "defenders: got 2.0; expected a whole number of at least 1"),
        (lambda: campaign(1, [3]), f"attackers: got 1; {TOTAL}"),
        (
            lambda: campaign(3, []),
            f"territories: got []; {LIST}",
        ),
        (lambda: RiskRules(ties="none"), "ties: got 'none'; expected one of defender, attacker"),
        (lambda: solve(4, 2, rules={}), "rules: got {}; expected Rules, as Rules(attacker_dice=2)"),
        (
            lambda: RiskRules(stop_below=0),
            "stop_below: got 0; expected a whole number of at least 1",
        ),
    ],
)
def test_bad_armies_get_one_clear_line(ask, line):
    with pytest.raises(InputError) as problem:
        ask()
    assert str(problem.value) == line


def test_armies_outside_a_table_are_no_keys_of_it():
    table = win_table(4, 3)
    assert (5, 1) not in table
    with pytest.raises(KeyError):
        table[4, 4]


def test_storage_beyond_the_limit_is_refused_with_its_estimate():
    needed = memory_estimate(10**6, 2000)
    assert needed > 10**9
    with pytest.raises(TooLargeError, match=r"^a table needs about \d+\.\d GiB, more than"):
        require_memory(needed, "a table", limit=10**9)
    require_memory(10**6, "a table", limit=10**9)


def test_the_time_of_long_battles_is_near_what_was_measured():
    """By a clock: 112 s of the processor for 1 unit against 1,000,000 that fights."""
    assert 112 / 1.5 < nanoseconds(1, 1_000_000) / 10**9 < 112 * 1.5
    # One battle: 0.36 s for 5000 against 5000, 0.41 s for 1 against 50000.
    assert 0.36 / 1.5 < nanoseconds_of_one(5000, 5000, RiskRules()) / 10**9 < 0.36 * 1.5
    assert 0.41 / 1.5 < nanoseconds_of_one(1, 50_000, RiskRules()) / 10**9 < 0.41 * 1.5


@pytest.mark.slow
def test_the_smallest_armies_take_no_more_memory_than_is_asked_for():
    most, defenders = 170, 100
    peak, found = allocated(lambda: list(least_armies(defenders, most, [mpq(1, 2)])))
    assert found
    assert peak < memory_estimate((STANDARD.defender_dice + 2) * most, most + defenders)
