"""Rounds, battles, campaigns and house rules: rolls, backward and forward recursion agree."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import allocated
from printed import OSBORNE_WINS
from risk_rolls import losses_by_rolls

from exactdice.arithmetic import mpz, to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.games.risk import RiskRules, Worth, campaign, plan, round_losses, solve, win_table
from exactdice.games.risk.exact import (
    conquest,
    fought_out,
    least_armies,
    memory_estimate,
    nanoseconds,
    nanoseconds_of_one,
    win_probability,
    winning_rows,
)
from exactdice.games.risk.model import as_game
from exactdice.games.risk.rounds import entries, steady_weights, unit_factor, weak_orders
from exactdice.games.risk.rules import STANDARD, Ties, law_text, read_law
from exactdice.memory import require_memory
from exactdice.models import optimum
from exactdice.rooms import ask

house_rules = st.builds(
    RiskRules, attacker_dice=st.integers(1, 4), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 7), defender_sides=st.integers(1, 7),
    ties=st.sampled_from(list(Ties)), stop_below=st.integers(1, 3),
)  # fmt: skip


def won(fight):
    return fight.survivors.probability_that(lambda left: left[1] == 0)


def plain_recursion(rules):
    """Probability to win and distribution of terminal states, by definition, in Fractions."""

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
        """Probabilities of (attackers, defenders, rounds)."""
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
def test_distributions_of_a_battle_agree_with_recursion(rules, a, d):
    win, endings = plain_recursion(rules)
    law = endings(a, d)
    fight = solve(a, d, "fighting", rules)
    assert win_probability(a, d, "fighting", rules) == win(a, d) == fight.value == won(fight)
    assert fight.survivors.probabilities() == marginal(law, 0, 1)
    assert fight.rounds.probabilities() == marginal(law, 2)
    assert fight.expected_attacker_losses == a - sum(left[0] * p for left, p in law.items())
    assert fight.expected_defender_losses == d - sum(left[1] * p for left, p in law.items())


@given(house_rules)
def test_unit_factor_is_a_multiple_of_every_denominator(rules):
    factor = unit_factor(rules)
    for a in range(1, rules.attacker_dice + 1):
        for d in range(1, rules.defender_dice + 1):
            denominator = rules.attacker_sides**a * rules.defender_sides**d
            assert factor ** min(a, d) % denominator == 0


def test_tables_of_total_and_fighting_units_agree_with_forward_steps():
    assert dict(win_table(9, 6)) == {
        (a + 1, d): chance for (a, d), chance in win_table(8, 6, "fighting").items()
    }
    assert won(solve(120, 110)) == win_table(120, 110).value


def plain_campaign(a, territories, rules):
    """Distribution of (taken, fighting units at the front, defenders there), by recursion."""
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
def test_campaigns_agree_with_consecutive_battles(rules, a, territories):
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


def test_conquests_and_campaigns_of_small_armies():
    march = campaign(2, [1, 5])
    assert march.endings.probabilities() == {(0, 1, 1): mpq(7, 12), (1, 1, 5): mpq(5, 12)}
    army = Distribution({2: 1, 5: 3})
    mixed = conquest(army, 4).probabilities()
    for left, chance in mixed.items():
        parts = [
            weight * conquest(Distribution({a: 1}), 4).probability(left)
            for a, weight in army.items()
        ]
        assert chance == sum(parts) / army.denominator


TOTAL = "expected a whole number of at least 2 total units, because one of them stays behind"
LIST = "expected a list of the defenders of at least one territory"


def test_sizes_of_tables():
    table = win_table(4, 3)
    assert len(table) == len(list(table)) == 9
    assert (5, 1) not in table
    needed = memory_estimate(10**6, 2000)
    assert needed > 10**9
    with pytest.raises(TooLargeError, match=r"^a table needs about \d+\.\d GiB, more than"):
        require_memory(needed, "a table", limit=10**9)
    require_memory(10**6, "a table", limit=10**9)


def test_time_estimates_agree_with_measurements():
    # Measured: 112 s of processor time for 1 fighting unit against 1,000,000.
    assert 112 / 1.5 < nanoseconds(1, 1_000_000) / 10**9 < 112 * 1.5
    # One battle: 0.36 s for 5000 against 5000, 0.41 s for 1 against 50000.
    assert 0.36 / 1.5 < nanoseconds_of_one(5000, 5000, RiskRules()) / 10**9 < 0.36 * 1.5
    assert 0.41 / 1.5 < nanoseconds_of_one(1, 50_000, RiskRules()) / 10**9 < 0.41 * 1.5
    # of 400 ns, as measured; several where more than one die is rolled
    rules = RiskRules().with_sides(1)
    assert nanoseconds_of_one(1000, 1000, rules) >= 1000 * 1000 * 400


@pytest.mark.slow
def test_smallest_armies_stay_within_the_memory_estimate():
    most, defenders = 170, 100
    peak, found = allocated(lambda: list(least_armies(defenders, most, [mpq(1, 2)])))
    assert found
    assert peak < memory_estimate((STANDARD.defender_dice + 2) * most, most + defenders)


of_any_house = st.builds(
    RiskRules, attacker_dice=st.integers(1, 5), defender_dice=st.integers(1, 5),
    attacker_sides=st.integers(1, 8), defender_sides=st.integers(1, 8),
    ties=st.sampled_from(list(Ties)), stop_below=st.integers(1, 9),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=25)
@given(of_any_house)
def test_single_battles_agree_with_the_table(rules):
    for (a, d), chance in win_table(24, 24, "fighting", rules).items():
        assert win_probability(a, d, "fighting", rules) == chance


@settings(max_examples=50)
@given(of_any_house, st.integers(1, 30), st.integers(1, 30))
def test_conquest_agrees_with_forward_steps(rules, a, d):
    factor = unit_factor(rules)
    ended = fought_out([(a + d, a, mpz(1))], a + d, rules)
    expected = {(x, y): int(mass * factor ** (x + y)) for x, y, mass in ended}
    assert conquest(Distribution({a: 1}), d, rules) == Distribution(expected)


@pytest.mark.parametrize("armies", [(100, 100), (170, 300), (3, 400), (400, 2), (600, 600)])
def test_long_battles_agree_with_the_recursion(armies):
    a, d = armies
    *_, row = winning_rows(a, d)
    assert win_probability(a, d, "fighting") == mpq(row[a], mpz(unit_factor()) ** (a + d))


def test_published_probabilities():
    # By 62-bit fixed point, rounded down and up, in a separate program:
    # 0.500007999120… and 0.499999567412….
    chances = [win_probability(a, d, "fighting") for a, d in ((168, 196), (2555, 2993))]
    assert [int(chance * 10**12) for chance in chances] == [500007999120, 499999567412]
    assert chances[0] > mpq(1, 2) > chances[1]
    table = win_table(10, 10, "fighting")
    for a, row in enumerate(OSBORNE_WINS, 1):
        for d, thousandths in enumerate(row, 1):
            assert abs(1000 * table[a, d] - thousandths) <= mpq(1, 2)


def test_shortcuts_of_long_battles():
    # Few states of a long battle are fought out one by one.
    assert len(list(entries(500, 500, STANDARD))) < 6 * 1000
    rules = RiskRules().with_sides(1)  # ties: the defender loses nothing
    assert steady_weights(rules) is None
    assert list(entries(9, 9, rules)) == [(18, 9, 1)]


@pytest.mark.parametrize("rules", [STANDARD, RiskRules(attacker_dice=5, defender_dice=4)])
def test_time_estimate_is_continuous_at_the_most_dice(rules):
    # both pass over the same rounds; with a unit fewer there are none to pass over
    for a, d in ((1000, rules.defender_dice), (rules.attacker_dice, 1000)):
        of_one_more = (a, d + 1) if a > d else (a + 1, d)
        least = nanoseconds_of_one(a, d, rules)
        assert least <= nanoseconds_of_one(*of_one_more, rules) < 1.3 * least


@settings(max_examples=40)
@given(
    st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), st.integers(1, 4),
    st.sampled_from(list(Ties)),
)  # fmt: skip
def test_losses_by_weak_orders_equal_enumeration(a, d, attacker_sides, defender_sides, ties):
    rules = RiskRules(a, d, attacker_sides, defender_sides, ties)
    assert round_losses(a, d, rules).probabilities() == losses_by_rolls(a, d, rules).probabilities()


def test_counts_and_symmetry_of_rounds():
    # Three dice against two: the attacker loses both in 1⁴ + 2⁴ + … + s⁴ of the s⁵ rolls.
    # Source: the highest defender's faces; checked against enumeration for s ≤ 4 above.
    for s in (1, 2, 6, 10, 100):
        chance = round_losses(3, 2, RiskRules().with_sides(s)).probability((2, 0))
        assert chance == mpq(sum(face**4 for face in range(1, s + 1)), s**5)
    # Source: OEIS A000670, ordered set partitions: 1, 1, 3, 13, 75, 541, 4683, 47293.
    bell = [1, 1, 3, 13, 75, 541, 4683, 47293]
    for a, d in ((1, 1), (2, 1), (3, 2), (3, 3), (2, 5)):
        assert sum(map(sum, weak_orders(a, d))) == bell[a + d]
    for a, d in product(range(1, 5), repeat=2):
        ours = round_losses(a, d, RiskRules(a, d, 6, 8, Ties.DEFENDER))
        theirs = round_losses(d, a, RiskRules(d, a, 8, 6, Ties.ATTACKER))
        assert ours.map(lambda lost: (lost[1], lost[0])) == theirs


def test_limit_on_listed_rolls(monkeypatch):
    # Of dice of 7 and 5 sides the highest two, and two of 6: C(8, 2) and C(7, 2) sorted pairs.
    rules, pairs = RiskRules(2, 2, attacker_mix=(7, 5)), 28 * 21
    monkeypatch.setattr("exactdice.games.risk.rounds._MOST_ROLLS", pairs - 1)
    with pytest.raises(InputError, match="dice: got 2 against 2; expected fewer dice or sides"):
        round_losses(2, 2, rules)
    monkeypatch.setattr("exactdice.games.risk.rounds._MOST_ROLLS", pairs)
    assert round_losses(2, 2, rules) == losses_by_rolls(2, 2, rules)


bonuses = st.lists(st.integers(0, 2), max_size=3).map(tuple)
mixes = st.lists(st.integers(1, 6), max_size=2).map(tuple)
of_the_house = st.builds(
    RiskRules, attacker_dice=st.integers(1, 3), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 5), defender_sides=st.integers(1, 5),
    ties=st.sampled_from(list(Ties)), stop_below=st.integers(1, 3), attacker_mix=mixes,
    defender_mix=mixes, attacker_bonus=bonuses, defender_bonus=bonuses,
)  # fmt: skip


@st.composite
def laws(draw, attacker_dice=3, defender_dice=2):
    rounds = []
    for a in range(1, attacker_dice + 1):
        for d in range(1, defender_dice + 1):
            size = min(a, d) + 1
            weights = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
            rounds.append(((a, d), tuple(draw(weights))))
    return tuple(rounds)


def by_dice(rules):
    rounds = []
    for a in range(1, rules.attacker_dice + 1):
        for d in range(1, rules.defender_dice + 1):
            losses, m = losses_by_rolls(a, d, rules), min(a, d)
            weights = {lost: weight for (lost, _), weight in losses.items()}
            rounds.append(((a, d), tuple(weights.get(k, 0) for k in range(m + 1))))
    return tuple(rounds)


@settings(max_examples=60)
@given(of_the_house)
def test_rounds_agree_with_listing_all_rolls(rules):
    for a in range(1, rules.attacker_dice + 1):
        for d in range(1, rules.defender_dice + 1):
            assert round_losses(a, d, rules) == losses_by_rolls(a, d, rules)


@settings(max_examples=30)
@given(of_the_house | laws().map(lambda law: RiskRules(law=law)))
def test_battles_agree_with_the_model(rules):
    table = win_table(9, 8, "fighting", rules)
    for a, d in ((9, 8), (4, 8), (9, 2), (1, 1)):
        expected = optimum(as_game(a, d, rules).explored()).value
        fight = solve(a, d, "fighting", rules)
        assert fight.value == table[a, d] == expected
        assert fight.survivors.probability_that(lambda left: left[1] == 0) == expected
        if a * d <= 32:  # those of any denominators: dice of unlike faces, and weights of a law
            endings = plain_recursion(rules)[1](a, d)
            assert fight.rounds.probabilities() == marginal(endings, 2)
            assert fight.survivors.probabilities() == marginal(endings, 0, 1)


@settings(max_examples=30)
@given(of_the_house)
def test_dice_and_their_weights_give_the_same_results(rules):
    dice = rules.attacker_dice, rules.defender_dice
    by_law = RiskRules(*dice, stop_below=rules.stop_below, law=by_dice(rules))
    assert win_probability(30, 25, "fighting", rules) == win_probability(30, 25, "fighting", by_law)
    lists = [5, 3]
    assert campaign(9, lists, "total", rules).value == campaign(9, lists, "total", by_law).value
    assert plan(9, lists, None, rules).value == plan(9, lists, None, by_law).value


@pytest.mark.parametrize(("feature", "rules"), [
    ("bunker", RiskRules(defender_bonus=(1,))), ("fortress", RiskRules(defender_bonus=(1, 1))),
    ("bunker+fortress", RiskRules(defender_bonus=(2, 1))),
    ("capital+fortress", RiskRules(defender_dice=3, defender_bonus=(1, 1, 1))),
    ("attacker-ties", RiskRules(ties=Ties.ATTACKER)), ("zombies+defender-ties", RiskRules()),
])  # fmt: skip
def test_features_change_the_rules(feature, rules):
    assert campaign(9, [f"4:{feature}"]).value == win_probability(9, 4, "total", rules)


WORTHS = st.integers(0, 9).map(lambda n: Fraction(n, 4))


@settings(max_examples=25)
@given(st.integers(2, 6), st.lists(st.integers(1, 3), min_size=1, max_size=3), st.data())
def test_plans_with_individual_payoffs(attackers, defenders, data):
    each = tuple(data.draw(WORTHS) for _ in defenders)
    unit, every = data.draw(WORTHS), data.draw(WORTHS)

    @cache
    def best(n, d, place):
        if place == len(defenders):
            return every
        d = defenders[place] if d is None else d
        if d == 0:
            return each[place] + max(best(n - k, None, place + 1) for k in range(1, n))
        if n < 2:
            return Fraction(0)
        losses = losses_by_rolls(min(n - 1, 3), min(d, 2), RiskRules())
        after = (
            Fraction(weight, losses.denominator) * (best(n - x, d - y, place) - unit * x)
            for (x, y), weight in losses.items()
        )
        return max(Fraction(0), sum(after))

    worth = Worth(unit=unit, enemy=0, territories=each, all_taken=every)
    assert plan(attackers, defenders, worth).value == best(attackers, None, 0)
    # The same with what is not given for each territory.
    one_less = Worth(unit, 0, each[-1], (), each[:-1], every)
    assert plan(attackers, defenders, one_less).value == best(attackers, None, 0)


def test_commands_take_house_rules(tmp_path):
    commander = ask("risk win 9 7 --attacker-mix 8 --attacker-bonus 1 --defender-bonus 1,1")
    rules = RiskRules(attacker_mix=(8,), attacker_bonus=(1,), defender_bonus=(1, 1))
    assert commander.value("value") == win_probability(9, 7, "total", rules)
    file = tmp_path / "law"
    file.write_text(law_text(by_dice(RiskRules())).replace(";", "\n") + "\n")
    for question in ("win 9 7", "table 9 7", "survivors 9 7", "campaign 9 5 2", "plan 9 5 2"):
        by_law = ask(f"risk {question} --losses {file}")
        assert by_law.quantities == ask(f"risk {question}").quantities
        assert "1v1:5,7;" in str(by_law.provenance.command)
    worth = ask("risk plan 9 5 2 --territories-worth 3 --all-taken 4")
    expected = plan(9, [5, 2], Worth(territories=(3,), all_taken=4)).value
    assert worth.value("value") == expected


def test_weights_are_read_and_used():
    law = read_law("1v1:1,2")
    # By hand: 1 unit beats 2 by winning two rounds, each with 1/3.
    assert win_probability(1, 2, "fighting", RiskRules(1, 1, law=law)) == mpq(1, 9)
    assert read_law("") == read_law(" ;\n") == read_law(()) == ()
    assert read_law("\t1v1:1,2\n; 2v1:3,0;\n") == (((1, 1), (1, 2)), ((2, 1), (3, 0)))


@pytest.mark.parametrize(
    ("stop_below", "said"),
    [(1, None), (2, "below 2 fighting units"), (3, "below 3 fighting units")],
)
def test_conventions_include_stop_below(stop_below, said):
    assert RiskRules(stop_below=stop_below).conventions().get("stop") == said
