"""House rules of Risk against all rolls, the model, and each other."""

from fractions import Fraction
from functools import cache

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from test_risk_battles import marginal, plain_recursion

from exactdice.errors import InputError
from exactdice.games.risk import RiskRules, Worth, campaign, plan, round_losses, solve, win_table
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.model import as_game, losses_by_rolls
from exactdice.games.risk.rules import MAX_BONUS, Ties, law_text, read_law
from exactdice.models import optimum
from exactdice.rooms import ask

bonuses = st.lists(st.integers(0, 2), max_size=3).map(tuple)
mixes = st.lists(st.integers(1, 6), max_size=2).map(tuple)
of_the_house = st.builds(
    RiskRules,
    attacker_dice=st.integers(1, 3),
    defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 5),
    defender_sides=st.integers(1, 5),
    ties=st.sampled_from(list(Ties)),
    stop_below=st.integers(1, 3),
    attacker_mix=mixes,
    defender_mix=mixes,
    attacker_bonus=bonuses,
    defender_bonus=bonuses,
)


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
    """The weights of the rounds of some dice."""
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


@pytest.mark.parametrize(
    ("feature", "rules"),
    [
        ("bunker", RiskRules(defender_bonus=(1,))),
        ("fortress", RiskRules(defender_bonus=(1, 1))),
        ("bunker+fortress", RiskRules(defender_bonus=(2, 1))),
        ("capital+fortress", RiskRules(defender_dice=3, defender_bonus=(1, 1, 1))),
        ("attacker-ties", RiskRules(ties=Ties.ATTACKER)),
        ("zombies+defender-ties", RiskRules()),
    ],
)
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
        by_law = ask(f"risk {question} --law {file}")
        assert by_law.quantities == ask(f"risk {question}").quantities
        assert "1v1:5,7;" in str(by_law.provenance.command)
    worth = ask("risk plan 9 5 2 --territories-worth 3 --all-taken 4")
    expected = plan(9, [5, 2], Worth(territories=(3,), all_taken=4)).value
    assert worth.value("value") == expected


@pytest.mark.parametrize(
    ("ask_for", "line"),
    [
        (
            lambda: RiskRules(attacker_mix=(0,)),
            "attacker_mix: got 0; expected a whole number from 1",
        ),
        (
            lambda: RiskRules(defender_bonus=(MAX_BONUS + 1,)),
            "defender_bonus: got 101; expected a whole",
        ),
        (
            lambda: RiskRules(law="1v1:1,1"),
            "law: got no weights for 1 against 2 dice; expected 1v2:W0,W1,…",
        ),
        (lambda: read_law("3v2:1,2"), "law: got '3v2:1,2'; expected 3 weights that are not all 0"),
        (lambda: read_law("three"), "law: got 'three'; expected rounds such as 3v2:2890,2611,2275"),
        (
            lambda: ask("risk win 4 2 --law none.txt"),
            "law: got 'none.txt'; expected weights such as",
        ),
        (
            lambda: round_losses(9, 9, RiskRules(9, 9, 20, 20, attacker_bonus=(1,))),
            "dice: got 9 against 9; expected fewer dice or sides",
        ),
    ],
)
def test_invalid_house_rules_are_rejected(ask_for, line):
    with pytest.raises(InputError) as problem:
        ask_for()
    assert str(problem.value).startswith(line)


def test_factor_of_weights():
    law = read_law("1v1:1,2")
    # By hand: 1 unit beats 2 by winning two rounds, each with 1/3.
    assert win_probability(1, 2, "fighting", RiskRules(1, 1, law=law)) == mpq(1, 9)


def test_weights_may_be_empty_or_in_lines():
    assert read_law("") == read_law(" ;\n") == read_law(()) == ()
    assert read_law("\t1v1:1,2\n; 2v1:3,0;\n") == (((1, 1), (1, 2)), ((2, 1), (3, 0)))
    with pytest.raises(
        InputError, match="law: got '1v1:0,0'; expected 2 weights that are not all 0"
    ):
        read_law("1v1:0,0")


@pytest.mark.parametrize(
    ("stop_below", "said"),
    [(1, None), (2, "below 2 fighting units"), (3, "below 3 fighting units")],
)
def test_conventions_include_stop_below(stop_below, said):
    assert RiskRules(stop_below=stop_below).conventions().get("stop") == said
