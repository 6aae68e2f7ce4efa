"""The rules against the game's README; new-only play against the chain of the game."""

import copy
import pickle
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from printed import SWE_NEW_ONLY
from swe_oracle import Oracle, distribution_of, moments, moves
from sympy import Symbol

from exactdice.arithmetic import decimal, to_fraction
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions.evaluation import chain_moments, exact_distribution
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
from exactdice.games.swe.new_only import NewOnly, new_only_statements
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
from exactdice.studies.swe import closed_forms
from exactdice.studies.swe.closed_forms import (
    LongRun,
    all_failed_within,
    expected_rolls_until_all_failed,
    telescoping,
    within_latex,
)
from exactdice.symbolic.statements import Status, statements

POOLS = st.tuples(*[st.integers(0, 2)] * 3)
STATES = st.builds(State, POOLS, POOLS, st.integers(0, 40))


@given(STATES)
def test_moves_are_those_of_the_readme_in_canonical_order(state):
    expected = moves(*state[:2])
    after = {(a.kind.value, a.rung): tuple(act(state, a)[:2]) for a in legal_actions(state)}
    assert after == expected
    assert all(act(state, action).score == state.score for action in legal_actions(state))
    actions = legal_actions(state)
    if any(state.legacy):
        assert [a.rung for a in actions] == sorted((a.rung for a in actions), reverse=True)
    else:
        assert actions[0] == Action(ActionKind.CREATE)
        assert [a.rung for a in actions[1:]] == sorted(a.rung for a in actions[1:])
    with_skip = legal_actions(state, skip=True)
    assert with_skip[: len(legal_actions(state))] == legal_actions(state)
    assert (with_skip[-1] == Action(ActionKind.SKIP)) == (not any(state.legacy))
    assert act(state, Action(ActionKind.SKIP)) == state
    for action in legal_actions(state):
        gained = weight(act(state, action).dice) - weight(state.dice)
        assert gained == (action.kind in {ActionKind.CREATE, ActionKind.PROMOTE})
    for after in roll(state, Ladder(2, 3, 7)):
        assert after.dice == state.dice


@given(STATES)
def test_roll_counts_each_die_by_itself(state):
    ladder = Ladder(2, 3, 7)
    expected = {}
    for chance, after in Oracle(ladder).ends(*state):
        expected[after] = expected.get(after, 0) + chance
    dist = roll(state, ladder).probabilities()
    assert {tuple(after): to_fraction(chance) for after, chance in dist.items()} == expected


def test_outcomes_by_hand():
    # The README's rules by hand: a d4 shows 1 with chance 1/4; then no revenue die is left.
    first = outcomes(empty_table(), Action(ActionKind.CREATE))
    assert first.probabilities() == {
        State((0, 0, 0, 0, 0), (1, 0, 0, 0, 0), 0): mpq(1, 4),
        State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1): mpq(3, 4),
    }
    after = roll(State((1, 1, 0, 0, 0), (0,) * 5, 12), STANDARD)
    # All fail with chance 1/4·1/6.
    assert after.probability(State((0,) * 5, (1, 1, 0, 0, 0), 0)) == mpq(1, 24)


@pytest.mark.parametrize("text", ["", "4,,6", "4;6", "6,4", "1,2"])
def test_ladders_are_read_from_text_or_refused(text):
    assert Ladder.read(" 4,6 ,20") == Ladder(4, 6, 20)
    with pytest.raises(InputError, match="ladder"):
        Ladder.read(text)


def test_names_copies_and_defaults():
    names = [
        Action(ActionKind.FIX, 4), Action(ActionKind.CREATE), Action(ActionKind.PROMOTE, 1),
        Action(ActionKind.SKIP),
    ]  # fmt: skip
    assert [a.describe(STANDARD) for a in names] == ["fix d20", "create d4", "promote d6", "skip"]
    assert list(map(str, names)) == ["fix 4", "create", "promote 1", "skip"]
    assert copy.copy(STANDARD) == pickle.loads(pickle.dumps(STANDARD)) == STANDARD  # noqa: S301
    assert repr(STANDARD) == "Ladder(4, 6, 8, 12, 20)"
    assert check_state((1, 0, 0, 0, 0), (0, 0, 0, 0, 0)).score == 0
    assert PolicyMoment(1, 10).ladder == STANDARD


@given(faces=st.lists(st.integers(2, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_gains_are_differences_of_chances(faces):
    table = promotion_table(Ladder(*faces))
    gains = [Fraction(1, a) - Fraction(1, b) for a, b in pairwise(faces)]
    assert [to_fraction(rung.gain) for rung in table] == [*gains, 0]
    rises = [i for i in range(1, len(gains)) if gains[i] > gains[i - 1]]
    assert first_rise(Ladder(*faces)) == (rises[0] if rises else None)


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
def test_choices_are_legal_sum_to_one_and_survive_simplification(policy, revenue, legacy, round_):
    state, turn = State(revenue, legacy, 3), PolicyMoment(round_, 20)
    choices = policy.choices(state, turn)
    assert set(choices) <= set(legal_actions(state))
    assert sum(choices.values()) == 1
    assert all(chance > 0 for chance in choices.values())
    plain = policy.simplified().improvements(revenue, turn, 0)
    assert plain == policy.improvements(revenue, turn, 0)
    # The most robust legacy die is fixed first.
    state = State((3, 0, 0, 0, 0), (1, 2, 0, 1, 0))
    assert policy.choices(state, PolicyMoment(7, 20)) == {Action(ActionKind.FIX, 3): 1}


@pytest.mark.parametrize(("text", "plain"), [
    ("Rand(0)", Promo()), ("Rand(1)", NewOnlyPolicy()), ("PromoThenNew(0)", NewOnlyPolicy()),
    ("PromoThenNew(1)", Promo()), ("NewThenPromo(0)", Promo()),
    ("NewThenPromo(1)", NewOnlyPolicy()), ("PromoThenNewAsRun(0.1)", Promo()),
    ("NewThenPromoAsRun(0.1)", NewOnlyPolicy()),
])  # fmt: skip
def test_a_family_ends_in_plain_policies(text, plain):
    assert policy_from_text(text).simplified() == plain


def test_improvements_of_each_family():
    turn = PolicyMoment(5, 10)
    assert Promo().improvements((0, 0, 2, 1, 0), turn, 0) == {promote(2): 1}
    assert Promo().improvements((0, 0, 0, 0, 4), turn, 0) == {CREATE: 1}
    assert PromoOnce().improvements((1, 3, 0, 0, 0), turn, 0) == {promote(0): 1}
    assert PromoOnce().improvements((0, 3, 0, 0, 0), turn, 0) == {CREATE: 1}
    assert PromoOnce().improvements((3,), PolicyMoment(5, 10, Ladder(4)), 0) == {CREATE: 1}
    half = ExpLegacy("0.5")
    assert half.improvements((1, 1, 0, 0, 0), turn, 0) == {CREATE: 1}  # 5/12
    assert half.improvements((0, 3, 0, 0, 0), turn, 0) == {promote(1): 1}  # 1/2, a tie
    assert half.improvements((0, 0, 0, 0, 10), turn, 0) == {CREATE: 1}  # 1/2, none to promote
    assert ExpLegacy(0).improvements((0, 0, 0, 0, 0), turn, 0) == {CREATE: 1}
    assert Rand("0.3").improvements((1, 0, 0, 0, 0), turn, 0) == {
        CREATE: mpq(3, 10),
        promote(0): mpq(7, 10),
    }
    assert Rand("0.3").improvements((0, 0, 0, 0, 0), turn, 0) == {CREATE: 1}
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


def played_by_the_rules(sides, rounds, revenue=0, legacy=0, score=0):
    """Every history of the game: the distribution of (revenue, legacy, score)."""
    dist = {(revenue, legacy, score): mpq(1)}
    for _ in range(rounds):
        after = {}
        for (up, down, points), chance in dist.items():
            # A legacy die is repaired; without one a new die is created.
            dice, broken = (up + 1, down - 1) if down else (up + 1, 0)
            for failed in range(dice + 1):
                left = dice - failed
                ways = mpq(comb(dice, failed) * (sides - 1) ** left, sides**dice)
                state = (left, broken + failed, points + left if left else 0)
                after[state] = after.get(state, mpq(0)) + chance * ways
        dist = after
    return dist


@pytest.mark.parametrize(
    ("sides", "revenue", "legacy", "score"),
    [(4, 0, 0, 0), (4, 2, 0, 3), (4, 1, 2, 5), (6, 0, 3, 7), (2, 3, 0, 1), (1, 2, 0, 9)],
)
def test_revenue_and_expected_score_agree_with_the_rules(sides, revenue, legacy, score):
    game = NewOnly(sides, revenue, score)
    for rounds in range(6):
        dist = played_by_the_rules(sides, rounds, revenue, legacy, score)
        expected = sum((p * points for (_, _, points), p in dist.items()), mpq(0))
        assert game.expected_score(rounds) == expected
        revenues = sum((p * up for (up, _, _), p in dist.items()), mpq(0))
        assert game.expected_revenue(rounds) == revenues
        for dice in range(revenue + rounds + 1):
            chance = sum((p for (up, _, _), p in dist.items() if up == dice), mpq(0))
            assert revenue_chances(sides, rounds, revenue)[dice] == chance


def revenue_chances(sides, rounds, revenue=0):
    """Chance of each number of revenue dice by the statement: a product over independent dice."""
    q, chances = mpq(sides - 1, sides), [mpq(1)]
    for lives in [q**rounds] * revenue + [q**age for age in range(1, rounds + 1)]:
        chances = [
            dead * (1 - lives) + alive * lives
            for dead, alive in zip([*chances, 0], [0, *chances], strict=True)
        ]
    return chances


def chain(sides, rounds, revenue=0, score=0):
    """Chance of a catastrophe, of none so far, and the expected score, for each round.

    By revenue: its chance, the chance without a catastrophe so far, and the score in expectation;
    as integers over sides^(1 + 2 + … + t + revenue·t), so that 100 rounds are quick.
    """
    mass, unharmed, scored = {revenue: mpz(1)}, {revenue: mpz(1)}, {revenue: mpz(score)}
    denominator = mpz(1)
    results = []
    for t in range(1, rounds + 1):
        most = revenue + t
        denominator *= mpz(sides) ** most
        new_mass, new_unharmed, new_scored = ([mpz(0)] * (most + 1) for _ in range(3))
        for n in mass:
            for left in range(n + 2):
                ways = comb(n + 1, left) * mpz(sides - 1) ** left * mpz(sides) ** (most - n - 1)
                new_mass[left] += ways * mass[n]
                if left:
                    new_unharmed[left] += ways * unharmed[n]
                    new_scored[left] += ways * (scored[n] + left * mass[n])
        mass, unharmed, scored = map(dict, map(enumerate, (new_mass, new_unharmed, new_scored)))
        results.append(tuple(
            mpq(number, denominator)
            for number in (mass[0], sum(unharmed.values()), sum(scored.values()))
        ))  # fmt: skip
    return results


@pytest.mark.slow
def test_new_only_play_of_a_hundred_rounds():
    game = NewOnly(4)
    for t, (catastrophe, survival, score) in enumerate(chain(4, 100), start=1):
        assert game.catastrophe(t) == catastrophe
        assert game.survival(t) == survival
        assert game.expected_score(t) == score
    # OEIS A048651: the product of 1 − 2^(−j), 0.28878809508660242127889972192923078…
    known = mpq("0.28878809508660242127889972192923078")
    assert abs(LongRun(2).catastrophe().lower - known) < mpq(1, 10**34)
    # An independent exact program.
    mean, _ = chain_moments(100)
    assert SWE_NEW_ONLY[100] <= mean < SWE_NEW_ONLY[100] + mpq(1, 10**12)


def test_statements_are_proved_and_games_unchanged():
    asked = NewOnly(4, 1)
    asked.expected_score(5)
    assert asked == NewOnly(4, 1)
    assert hash(asked) == hash(NewOnly(4, 1))
    found = [
        *new_only_statements(),
        *statements("exactdice.studies.swe", "long_run"),
        *telescoping(),
    ]
    assert {statement.status for statement in found} == {Status.PROVED}


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20), st.integers(0, 5), st.integers(0, 30))
def test_closed_form_equals_the_chain_from_any_start(sides, revenue, score):
    game = NewOnly(sides, revenue, score)
    for t, (catastrophe, survival, expected) in enumerate(chain(sides, 8, revenue, score), 1):
        assert game.catastrophe(t) == catastrophe
        assert game.survival(t) == survival
        assert game.expected_score(t) == expected


@pytest.mark.parametrize(("sides", "revenue"), [(2, 3), (4, 500), (10, 1000), (1000, 40)])
def test_estimated_digits_bound_the_probabilities(sides, revenue):
    game = NewOnly(sides, revenue)
    for rounds in (1, 4, 9):
        for chance in (game.catastrophe(rounds), game.survival(rounds)):
            written = len(chance.numerator.digits()) + len(chance.denominator.digits())
            # The denominator is no larger than k^(rolls); one digit more starts each number.
            assert written <= game.digits(rounds) + game.digits(rounds) // 500 + 3
        assert 2 * len(chance.denominator.digits()) >= game.digits(rounds) * 9 // 10


@given(rounds=st.integers(0, 7), faces=st.integers(2, 12))
def test_the_chain_agrees_with_following_every_state(rounds, faces):
    mean, variance = moments(distribution_of(NewOnlyPolicy(), rounds, Ladder(faces)))
    assert tuple(map(to_fraction, chain_moments(rounds, faces))) == (mean, variance)


@pytest.mark.parametrize("faces", [2, 4, 6])
def test_the_chain_equals_the_run_through_all_dice(faces):
    dist = exact_distribution(NewOnlyPolicy(), 15, Ladder(faces))
    assert (dist.mean().point, dist.variance().point) == chain_moments(15, faces)


def product_bounds(sides, places):
    """Bounds on ∏ (1 − q^j) to so many places after the point of its inverse, in whole numbers.

    Over 2**bits, rounded down and up; the product of all j > N is at least 1 − k q^(N + 1).
    """
    bits = 4 * places + 6 * sides + 200
    one = 1 << bits
    low = high = one
    power_low = power_high = one
    while sides * power_high >> bits - 4 * places - 5 * sides:
        power_low = power_low * (sides - 1) // sides
        power_high = -(-power_high * (sides - 1) // sides)
        low = low * (one - power_high) >> bits
        high = -(-high * (one - power_low) >> bits)
    return mpq(low, one) * (1 - mpq(sides * power_high, one)), mpq(high, one)


@pytest.mark.parametrize("sides", [1, 2, 3, 4, 12, 50, 100])
def test_limits_are_those_of_the_product(sides):
    low, high = product_bounds(sides, 30)
    catastrophe, between = LongRun(sides).catastrophe(), LongRun(sides).rounds_between()
    assert low <= catastrophe.upper
    assert catastrophe.lower <= high
    assert catastrophe.width <= mpq(1, 10**30)
    assert decimal(1 / low, 30) == decimal(1 / high, 30) == between.decimal(30)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [12, 50, 300])
@pytest.mark.parametrize("revenue", [0, 1, 10**6])
def test_large_limits_have_the_requested_digits(sides, revenue):
    # 1/Q has 8, 35 and 213 digits before the point; more digits are a computation with more terms.
    few, many = LongRun(sides, 3), LongRun(sides, 80)
    for limits in (
        (few.rounds_to_first(revenue), many.rounds_to_first(revenue)),
        (few.expected_score(), many.expected_score()),
    ):
        assert limits[0].width < mpq(1, 10**3)
        assert limits[1].width < mpq(1, 10**80)
        assert limits[1].lower in limits[0]
        assert limits[0].decimal(3) == decimal(limits[1].lower, 3)


@pytest.mark.parametrize(("sides", "rounds"), [(1, 5), (2, 150)])
def test_expected_score_of_long_games_approaches_the_limit(sides, rounds):
    limit = LongRun(sides).expected_score()
    near, far = NewOnly(sides).expected_score(rounds // 2), NewOnly(sides).expected_score(rounds)
    assert abs(far - limit.lower) < mpq(1, 10**10)
    assert abs(far - limit.lower) <= abs(near - limit.lower)


@pytest.mark.parametrize(("sides", "start"), [(2, (4, 9)), (2, (1, 0))])
def test_limit_does_not_depend_on_the_start(sides, start):
    limit = LongRun(sides).expected_score()
    assert abs(NewOnly(sides, *start).expected_score(150) - limit.lower) < mpq(1, 10**10)


@pytest.mark.parametrize("revenue", [0, 1, 2, 7])
def test_rounds_to_the_first_catastrophe_sum_the_survival_probabilities(revenue):
    game = NewOnly(2, revenue)
    total = sum((game.survival(m) for m in range(150)), mpq(0))
    expected = LongRun(2).rounds_to_first(revenue)
    assert total < expected.upper
    assert abs(expected.lower - total) < mpq(1, 10**10)


WRONG = [0, -1, 2.5, "six", Symbol("k")]


@pytest.mark.parametrize(("make", "message"), [
    *((lambda faces=faces: all_failed_within([faces], 1), "dice: got") for faces in WRONG),
    (lambda: all_failed_within([4], -1), "rolls: got -1"), (lambda: NewOnly(0), "sides: got 0"),
    (lambda: NewOnly(Symbol("k")), "sides: got k"), (lambda: NewOnly(4, -1), "revenue: got -1"),
    (lambda: NewOnly(4, 0, -1), "score: got -1"),
    (lambda: NewOnly().expected_revenue(-1), "rounds: got -1"),
    (lambda: NewOnly().survival(-1), "rounds: got -1"),
    (lambda: NewOnly().expected_score(-1), "rounds: got -1"),
    (lambda: NewOnly().catastrophe(0), "round: got 0"),
    (lambda: chain_moments(-1, 4), "rounds: got -1"), (lambda: chain_moments(3, 1), "faces: got 1"),
    (lambda: chain_moments("x", 4), "rounds: got 'x'"), (lambda: LongRun(0), "sides: got 0"),
    (lambda: LongRun(1001), "sides: got 1001"), (lambda: LongRun(4, 0), "digits: got 0"),
    (lambda: LongRun(4).rounds_to_first(-1), "revenue: got -1"),
])  # fmt: skip
def test_invalid_arguments_are_rejected(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize("rolls", range(1, 6))
@pytest.mark.parametrize(("sides", "dice"), [(4, 1), (4, 3), (6, 2), (20, 2)])
def test_nested_formula_of_the_readme_telescopes(sides, dice, rolls):
    # The README's own lines: p^n, p^n(1+q)^n, p^n(1+q(1+q))^n, p^n(1+q(1+q(1+q)))^n.
    p, q = mpq(1, sides), mpq(sides - 1, sides)
    brackets = {
        1: mpq(1), 2: 1 + q, 3: 1 + q * (1 + q), 4: 1 + q * (1 + q * (1 + q)),
        5: 1 + q * (1 + q * (1 + q * (1 + q))),
    }  # fmt: skip
    assert all_failed_within([sides] * dice, rolls) == p**dice * brackets[rolls] ** dice


@pytest.mark.parametrize("dice", [(2,), (2, 3), (3, 3), (2, 2, 2), (4, 1)])
@pytest.mark.parametrize("rolls", [0, 1, 2, 3])
def test_probability_agrees_with_enumeration_of_all_rolls(dice, rolls):
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


def test_a_failing_proof_raises_an_error(monkeypatch):
    import sympy

    monkeypatch.setattr(sympy, "simplify", lambda expression: expression + 1)
    with pytest.raises(AssertionError, match="telescoping"):
        telescoping()


@pytest.mark.parametrize(("dice", "latex"), [
    ([], "1"), ([1], r"\left(1 - 0^{t}\right)"),
    ([4, 4], r"\left(1 - \left(\frac{3}{4}\right)^{t}\right)^{2}"),
])  # fmt: skip
def test_latex(dice, latex):
    assert within_latex(dice) == latex


def test_dice_may_be_counted_or_none():
    assert all_failed_within({6: 1, 4: 2}, 3) == all_failed_within([4, 6, 4], 3)
    # By independence, with the chance of a single die by hand: 1 − (3/4)² = 7/16.
    assert all_failed_within({4: 10_000}, 2) == mpq(7, 16) ** 10_000
    assert all_failed_within({4: 0}, 1) == 1
    assert all_failed_within([], 0) == 1
    assert expected_rolls_until_all_failed([]) == 0


def test_limits_on_terms_and_digits(monkeypatch):
    # Of two d4 none, one or both survive, and the d6 or not: six ways.
    monkeypatch.setattr(closed_forms, "MAX_TERMS", 6)
    assert expected_rolls_until_all_failed([4, 6, 4]) > 6
    monkeypatch.setattr(closed_forms, "MAX_TERMS", 5)
    with pytest.raises(TooLargeError, match="give 6 terms, more than the limit of 5"):
        expected_rolls_until_all_failed([4, 6, 4])
    game = NewOnly(4, revenue=2)
    # of four columns of chances, a round after another
    digits = sum(4 * game.digits(round_) for round_ in range(1, 4))
    monkeypatch.setattr(closed_forms, "MAX_DIGITS", digits)
    assert len(closed_forms.catastrophe_report(game, 3).table("rounds").rows) == 3
    monkeypatch.setattr(closed_forms, "MAX_DIGITS", digits - 1)
    with pytest.raises(TooLargeError, match="3 rounds from 2 revenue dice"):
        closed_forms.catastrophe_report(game, 3)
