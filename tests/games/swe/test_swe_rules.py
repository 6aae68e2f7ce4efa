"""The rules against their description in the game's README."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from swe_oracle import Oracle, moves

from exactdice.arithmetic import to_fraction
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
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    act,
    check_state,
    empty_table,
    first_rise,
    legal_actions,
    outcomes,
    promotion_table,
    roll,
    weight,
)

POOLS = st.tuples(*[st.integers(0, 2)] * 3)
STATES = st.builds(State, POOLS, POOLS, st.integers(0, 40))


@given(STATES)
def test_moves_are_those_of_the_readme(state):
    expected = moves(*state[:2])
    after = {(a.kind.value, a.rung): tuple(act(state, a)[:2]) for a in legal_actions(state)}
    assert after == expected
    assert all(act(state, action).score == state.score for action in legal_actions(state))


@given(STATES)
def test_canonical_order_fixes_from_the_top_and_promotes_from_the_bottom(state):
    actions = legal_actions(state)
    if any(state.legacy):
        assert [a.rung for a in actions] == sorted((a.rung for a in actions), reverse=True)
    else:
        assert actions[0] == Action(ActionKind.CREATE)
        assert [a.rung for a in actions[1:]] == sorted(a.rung for a in actions[1:])


@given(STATES)
def test_a_skip_is_last_and_only_on_request_without_legacy(state):
    with_skip = legal_actions(state, skip=True)
    assert with_skip[: len(legal_actions(state))] == legal_actions(state)
    assert (with_skip[-1] == Action(ActionKind.SKIP)) == (not any(state.legacy))
    assert act(state, Action(ActionKind.SKIP)) == state


@given(STATES)
def test_roll_counts_each_die_by_itself(state):
    ladder = Ladder(2, 3, 7)
    expected = {}
    for chance, after in Oracle(ladder).ends(*state):
        expected[after] = expected.get(after, 0) + chance
    dist = roll(state, ladder).probabilities()
    assert {tuple(after): to_fraction(chance) for after, chance in dist.items()} == expected


@given(STATES)
def test_only_creating_and_promoting_change_the_dice_and_raise_their_weight_by_one(state):
    for action in legal_actions(state):
        gained = weight(act(state, action).dice) - weight(state.dice)
        assert gained == (action.kind in {ActionKind.CREATE, ActionKind.PROMOTE})
    for after in roll(state, Ladder(2, 3, 7)):
        assert after.dice == state.dice


def test_first_round_makes_a_die_that_scores_or_fails():
    # The README's rules by hand: a d4 shows 1 with chance 1/4; then no revenue die is left.
    first = outcomes(empty_table(), Action(ActionKind.CREATE))
    assert first.probabilities() == {
        State((0, 0, 0, 0, 0), (1, 0, 0, 0, 0), 0): mpq(1, 4),
        State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1): mpq(3, 4),
    }


def test_a_catastrophe_resets_the_score():
    after = roll(State((1, 1, 0, 0, 0), (0,) * 5, 12), STANDARD)
    # All fail with chance 1/4·1/6.
    assert after.probability(State((0,) * 5, (1, 1, 0, 0, 0), 0)) == mpq(1, 24)


@pytest.mark.parametrize("faces", [(), (1, 4), (4, 4), (6, 4), (4, 6.0), (True, 4)])
def test_ladders_must_ascend_from_two_faces(faces):
    with pytest.raises(InputError, match="ladder"):
        Ladder(*faces)


@pytest.mark.parametrize("text", ["", "4,,6", "4;6", "6,4", "1,2"])
def test_ladders_are_read_from_text_or_refused(text):
    assert Ladder.read(" 4,6 ,20") == Ladder(4, 6, 20)
    with pytest.raises(InputError, match="ladder"):
        Ladder.read(text)


def test_ladders_survive_copying():
    assert copy.copy(STANDARD) == pickle.loads(pickle.dumps(STANDARD)) == STANDARD  # noqa: S301
    assert repr(STANDARD) == "Ladder(4, 6, 8, 12, 20)"


@pytest.mark.parametrize(("revenue", "legacy", "score", "named"), [
    ((1, 0), (0, 0, 0), 0, "revenue"), ((1, 0, 0), (0, 0), 0, "legacy"),
    ((1, -1, 0), (0, 0, 0), 0, "revenue"), ((1, 0, 0), (0, "x", 0), 0, "legacy"),
    ((1, 0, 0), (0, 0, 0), -3, "score"),
])  # fmt: skip
def test_states_that_do_not_suit_the_ladder_are_rejected(revenue, legacy, score, named):
    with pytest.raises(InputError, match=named):
        check_state(revenue, legacy, score, Ladder(2, 3, 7))


def test_actions_are_named_by_their_dice():
    names = [
        Action(ActionKind.FIX, 4), Action(ActionKind.CREATE), Action(ActionKind.PROMOTE, 1),
        Action(ActionKind.SKIP),
    ]  # fmt: skip
    assert [a.describe(STANDARD) for a in names] == ["fix d20", "create d4", "promote d6", "skip"]
    assert list(map(str, names)) == ["fix 4", "create", "promote 1", "skip"]


def test_default_score_of_a_state_is_0():
    assert check_state((1, 0, 0, 0, 0), (0, 0, 0, 0, 0)).score == 0


@given(faces=st.lists(st.integers(2, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_gains_are_differences_of_chances(faces):
    table = promotion_table(Ladder(*faces))
    gains = [Fraction(1, a) - Fraction(1, b) for a, b in pairwise(faces)]
    assert [to_fraction(rung.gain) for rung in table] == [*gains, 0]
    rises = [i for i in range(1, len(gains)) if gains[i] > gains[i - 1]]
    assert first_rise(Ladder(*faces)) == (rises[0] if rises else None)


def test_faces_that_are_no_ladder_have_no_promotions():
    for table in (promotion_table, first_rise):
        with pytest.raises(InputError, match="ladder: got 6, 4"):
            table((6, 4))


CREATE = Action(ActionKind.CREATE)
POLICIES = [
    NewOnlyPolicy(), Promo(), PromoOnce(), ExpLegacy("0.5"), Rand("0.1"), PromoThenNew("1/2"),
    NewThenPromo("1/2"), PromoThenNewAsRun("1/2"), NewThenPromoAsRun("1/2"),
]  # fmt: skip
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


@pytest.mark.parametrize(("text", "plain"), [
    ("Rand(0)", Promo()), ("Rand(1)", NewOnlyPolicy()), ("PromoThenNew(0)", NewOnlyPolicy()),
    ("PromoThenNew(1)", Promo()), ("NewThenPromo(0)", Promo()),
    ("NewThenPromo(1)", NewOnlyPolicy()), ("PromoThenNewAsRun(0.1)", Promo()),
    ("NewThenPromoAsRun(0.1)", NewOnlyPolicy()),
])  # fmt: skip
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


@pytest.mark.parametrize(("text", "name"), [
    ("NewOnly", "NewOnly"), ("newonlypolicy", "NewOnly"), ("NewOnlyPolicy()", "NewOnly"),
    (" Promo ", "Promo"), ("RandPolicy(0.1)", "Rand(0.1)"), ("explegacy(1/2)", "ExpLegacy(1/2)"),
    ("PromoThenNewAsRun(0.5)", "PromoThenNewAsRun(0.5)"),
])  # fmt: skip
def test_policies_are_read_by_name(text, name):
    policy = policy_from_text(text)
    assert policy.name == name
    assert policy_from_text(policy.name) == policy


@pytest.mark.parametrize(("text", "line"), [
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
])  # fmt: skip
def test_bad_names_and_parameters_get_one_line(text, line):
    with pytest.raises(InputError) as caught:
        policy_from_text(text)
    assert str(caught.value).startswith(line)


def test_floats_are_rejected():
    with pytest.raises(InputError):
        Rand(0.1)


def test_default_ladder_of_a_moment_is_the_standard_one():
    assert PolicyMoment(1, 10).ladder == STANDARD
