"""Policies: what each does in each situation, and how its name is read."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.swe.distributions.players import (
    ExpLegacy,
    NewOnlyPolicy,
    NewThenPromo,
    NewThenPromoAsRun,
    PolicyMoment,
    Promo,
    PromoOnce,
    PromoThenNew,
    PromoThenNewAsRun,
    Rand,
    policy_from_text,
)
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State, legal_actions

CREATE = Action(ActionKind.CREATE)
POLICIES = [
    NewOnlyPolicy(),
    Promo(),
    PromoOnce(),
    ExpLegacy("0.5"),
    Rand("0.1"),
    PromoThenNew("1/2"),
    NewThenPromo("1/2"),
    PromoThenNewAsRun("1/2"),
    NewThenPromoAsRun("1/2"),
]
DICE = st.lists(st.integers(0, 4), min_size=5, max_size=5).map(tuple)


def promote(rung):
    return Action(ActionKind.PROMOTE, rung)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@given(revenue=DICE, legacy=DICE, round_=st.integers(1, 20))
def test_choices_are_legal_and_their_probabilities_sum_to_one(policy, revenue, legacy, round_):
    state = State(revenue, legacy, 3)
    choices = policy.choices(state, PolicyMoment(round_, 20))
    assert set(choices) <= set(legal_actions(state))
    assert sum(choices.values()) == 1
    assert all(chance > 0 for chance in choices.values())


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_the_most_robust_legacy_die_is_fixed_first(policy):
    state = State((3, 0, 0, 0, 0), (1, 2, 0, 1, 0))
    assert policy.choices(state, PolicyMoment(7, 20)) == {Action(ActionKind.FIX, 3): 1}


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@given(dice=DICE, round_=st.integers(1, 20))
def test_the_simplified_policy_decides_in_the_same_way(policy, dice, round_):
    turn = PolicyMoment(round_, 20)
    assert policy.simplified().improvements(dice, turn, 0) == policy.improvements(dice, turn, 0)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Rand(0)", Promo()),
        ("Rand(1)", NewOnlyPolicy()),
        ("PromoThenNew(0)", NewOnlyPolicy()),
        ("PromoThenNew(1)", Promo()),
        ("NewThenPromo(0)", Promo()),
        ("NewThenPromo(1)", NewOnlyPolicy()),
        ("PromoThenNewAsRun(0.1)", Promo()),
        ("NewThenPromoAsRun(0.1)", NewOnlyPolicy()),
    ],
)
def test_a_family_ends_in_plain_policies(text, plain):
    assert policy_from_text(text).simplified() == plain


def test_promo_promotes_the_lowest_die_that_it_can():
    turn = PolicyMoment(5, 10)
    assert Promo().improvements((0, 0, 2, 1, 0), turn, 0) == {promote(2): 1}
    assert Promo().improvements((0, 0, 0, 0, 4), turn, 0) == {CREATE: 1}


def test_promo_once_only_promotes_off_the_lowest_rung():
    turn = PolicyMoment(5, 10)
    assert PromoOnce().improvements((1, 3, 0, 0, 0), turn, 0) == {promote(0): 1}
    assert PromoOnce().improvements((0, 3, 0, 0, 0), turn, 0) == {CREATE: 1}
    assert PromoOnce().improvements((3,), PolicyMoment(5, 10, Ladder(4)), 0) == {CREATE: 1}


def test_exp_legacy_promotes_from_its_bound_on():
    turn = PolicyMoment(5, 10)
    half = ExpLegacy("0.5")
    assert half.improvements((1, 1, 0, 0, 0), turn, 0) == {CREATE: 1}  # 5/12
    assert half.improvements((0, 3, 0, 0, 0), turn, 0) == {promote(1): 1}  # 1/2, a tie
    assert half.improvements((0, 0, 0, 0, 10), turn, 0) == {CREATE: 1}  # 1/2, none to promote
    assert ExpLegacy(0).improvements((0, 0, 0, 0, 0), turn, 0) == {CREATE: 1}


def test_rand_creates_with_its_probability():
    turn = PolicyMoment(5, 10)
    assert Rand("0.3").improvements((1, 0, 0, 0, 0), turn, 0) == {
        CREATE: mpq(3, 10),
        promote(0): mpq(7, 10),
    }
    assert Rand("0.3").improvements((0, 0, 0, 0, 0), turn, 0) == {CREATE: 1}


def test_the_first_phase_lasts_for_the_fraction_of_the_rounds():
    dice = (1, 0, 0, 0, 0)
    for policy, first, then in (
        (PromoThenNew("0.15"), promote(0), CREATE),
        (NewThenPromo("0.15"), CREATE, promote(0)),
    ):
        chosen = [
            next(iter(policy.improvements(dice, PolicyMoment(t, 20), 0))) for t in range(1, 21)
        ]
        assert chosen == [first] * 3 + [then] * 17


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NewOnly", "NewOnly"),
        ("newonlypolicy", "NewOnly"),
        ("NewOnlyPolicy()", "NewOnly"),
        (" Promo ", "Promo"),
        ("RandPolicy(0.1)", "Rand(0.1)"),
        ("explegacy(1/2)", "ExpLegacy(1/2)"),
        ("PromoThenNewAsRun(0.5)", "PromoThenNewAsRun(0.5)"),
    ],
)
def test_policies_are_read_by_name(text, name):
    policy = policy_from_text(text)
    assert policy.name == name
    assert policy_from_text(policy.name) == policy


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Greedy", "policy: got 'Greedy'; expected one of NewOnly, Promo"),
        ("", "policy: got ''; expected one of NewOnly"),
        ("NewOnly(", "policy: got 'NewOnly('; expected one of"),
        ("NewOnly(1)", "policy: got 'NewOnly(1)'; expected NewOnly without a parameter"),
        ("Rand", "policy: got 'Rand'; expected Rand with its parameter"),
        ("Rand()", "policy: got 'Rand()'; expected Rand with its parameter"),
        ("Rand(2)", "Rand: got '2'; expected a number from 0 to 1"),
        ("Rand(x)", "Rand: got 'x'; expected a number such as"),
        ("ExpLegacy(-1)", "ExpLegacy: got '-1'; expected a bound of at least 0"),
        ("PromoThenNew(1.5)", "PromoThenNew: got '1.5'; expected a number from 0 to 1"),
    ],
)
def test_bad_names_and_parameters_get_one_line(text, line):
    with pytest.raises(InputError) as caught:
        policy_from_text(text)
    assert str(caught.value).startswith(line)


def test_floats_are_rejected():
    with pytest.raises(InputError):
        Rand(0.1)


def test_default_ladder_of_a_moment_is_the_standard_one():
    assert PolicyMoment(1, 10).ladder == STANDARD
