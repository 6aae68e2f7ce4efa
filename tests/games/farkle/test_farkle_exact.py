"""Optimal(P, δ) and Optimal_n: against the definition, other methods, and their own bounds."""

from itertools import product
from operator import mul
from unittest.mock import patch

import pytest
from farkle_cases import dice, every_state, places_left, points_distribution, rule_sets, slow
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.farkle.fields import TurnQuestion
from exactdice.games.farkle.questions import FarkleAdvise, FarkleDistribution, FarkleTable
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import KCD, PATCH
from exactdice.games.farkle.turn import exact
from exactdice.games.farkle.turn.advice import Selection, Way, advise, judged
from exactdice.games.farkle.turn.exact import (
    SIX_FAIR,
    certain_banking_bound,
    fixed_point,
    horizon,
    points_payoff,
    solve,
)
from exactdice.games.farkle.turn.forward import TurnEnd, ends_of_turn, turn_end
from exactdice.games.farkle.turn.sweep import Base, TurnPayoff, TurnSweep
from exactdice.report.writers import Format, render
from exactdice.run import DEFAULT, Run
from exactdice.studies.farkle.readme import EARLIER

overshoots = st.sampled_from(["full", "needed"])


@given(rule_sets(), dice, overshoots)
def test_values_enclosures_and_keys_agree_with_the_definition(rules, some_dice, overshoot):
    # Oracle: every ordered roll, every subset of distinct dice, Fractions.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    for points, state in every_state(rules, turn.dice):
        left = places_left(turn.dice, state)
        expected = oracle.value(points, left)
        assert to_fraction(turn.rolling_worth(points, state)) - points == expected
    for points, state in every_state(rules, turn.dice):
        found = turn.rolling_bounds(points, state) - points
        assert turn.optimal(points, turn.dice.describe(state)) in found
        assert found.width < mpq(1, 10**10)
    sweep = turn.sweep
    for level in range(sweep.payoff.levels):
        for state in range(1, sweep.states):
            key = int(sweep.keys[level, state])
            if key > -(1 << 62):
                exact = sweep.base.floor(sweep.value(level, state), sweep._bits)
                assert 0 <= exact - key <= sweep.payoff.levels + 1


@pytest.mark.parametrize(("spec", "rules", "overshoot"), [
    ("fair*6", KCD, "full"), ("fair*6", KCD, "needed"), ("fair*6", KCD.varied(target=None), "full"),
    ("fair*6", KCD.varied(hot_dice=False), "full"), ("fair*6", KCD.varied(penalty=500), "full"),
    ("fair*6", PATCH, "full"), ("fair*6", PATCH.varied(hot_dice=False), "full"),
    ("fair*3,368:105:105:105:105:212*2,odd", KCD, "full"),
])  # fmt: skip
def test_forward_evaluation_of_the_policy_gives_the_same_rational(spec, rules, overshoot):
    # Second method: the distribution of the points banked, followed forwards; sums to one.
    turn = solve(spec, rules, overshoot)
    end = ends_of_turn(turn.sweep, 0, turn.dice.full)
    assert sum(end.least.values()) + end.bust + end.least_stranded == 1
    cap = rules.target if overshoot == "needed" else None
    mean = sum(chance * (min(p, cap) if cap else p) for p, chance in end.least.items())
    assert mean - rules.penalty * end.bust == turn.value


def test_without_a_target_a_sweep_from_twice_the_bound_gives_the_same():
    # The bound is a theorem: forcing to bank only from much higher points changes nothing.
    rules = KCD.varied(target=None)
    menus = menus_of(rules, SIX_FAIR, prune=True)
    bound = certain_banking_bound(menus)
    wide = TurnSweep(menus, points_payoff(rules, 2 * bound))
    turn = solve(rules=rules)
    for state in SIX_FAIR.proper_states():
        for points in (0, 500, 3000, bound - 50, bound, bound + 50, bound + 1000):
            number = wide.value(points // 50, state)
            assert wide.base.rational(number) == turn.rolling_worth(points, state)
            if points >= bound:
                assert turn.optimal(points, state) <= 0


def test_text_of_a_solution_names_the_problem():
    turn = solve(rules=KCD.varied(target=50))
    assert (
        str(turn) == "TurnOptimum(kcd, dice=fair*6, target=50, overshoot=full): 399.1126543 points"
    )


def test_sweeps_values_and_distributions_beyond_the_memory_limit_are_rejected():
    # Six dice bust with a chance of about 10⁻¹⁵: banking is certain only at some 10¹⁸ points.
    with pytest.raises(TooLargeError, match=r"a turn with rolls up to [0-9]+ points needs about"):
        solve("994:1:1:1:1:1*6", KCD.varied(target=None))
    assert solve(rules=KCD, run=Run(memory=None)).optimal() == solve(rules=KCD).optimal()
    turn = solve(rules=KCD.varied(target=1000))
    assert ends_of_turn(turn.sweep, 0, turn.dice.full).mean() == turn.value


def test_progress_of_exact_and_rounded_turns():
    told = []
    run = Run(progress=lambda _, done, points: told.append((done, points)))
    solve(rules=KCD.varied(target=60_000), run=run)
    # Points below the target are multiples of 50: 0, 50, …, 59950.
    assert told == sorted(told)
    assert len(told) > 1
    assert told[-1] == (1200, 1200)
    sweep, told = solve("fair*6", KCD.varied(target=1000)).sweep, []
    rolled, found = [sweep.menus.dice.full], set()
    while rolled:  # every state that the policy leads to
        code = rolled.pop()
        if code % sweep.states and code not in found:
            found.add(code)
            rolled += sweep.step(*divmod(code, sweep.states)).roll
    run = Run(progress=lambda *news: told.append(news))
    ends_of_turn(sweep, 0, sweep.menus.dice.full, run, bits=64)
    levels = sorted({code // sweep.states for code in found} - {0})
    assert len(levels) > 3
    assert told == [("numbers of points", level, 20) for level in levels]
    told.clear()
    ends_of_turn(sweep, 0, sweep.menus.dice.full, run)
    assert not told  # exactly, it is long before the law is


def test_enclosures_below_the_target_need_no_exact_values():
    turn = solve("fair*3", KCD.varied(target=500))
    whole = turn.state(None)
    with patch.object(TurnSweep, "value", side_effect=AssertionError("an exact value")):
        bounds = {points: turn.rolling_bounds(points, whole) for points in (0, 450, 500)}
    for points, enclosure in bounds.items():
        assert turn.rolling_worth(points, whole) in enclosure
    assert bounds[500].point is not None


@pytest.mark.slow
@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_optimal_n_agrees_with_the_definition(rules, some_dice, overshoot, data):
    # Oracle: the README's recurrence over every ordered roll and every subset.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    state = data.draw(st.integers(1, turn.dice.states - 1))
    left = places_left(turn.dice, state)
    spec = turn.dice.describe(state)
    values = horizon(turn, 5, points, spec)
    assert [to_fraction(v) for v in values] == [
        oracle.value(points, left, rolls) for rolls in range(1, 6)
    ]


@given(rule_sets(penalties=False), dice, st.data())
def test_fixed_point_is_the_first_n_at_which_optimal_n_is_optimal(rules, some_dice, data):
    # Every roll scores at least 50, so that target / 50 rolls are always enough. Random rules have
    # many ties, which the fixed point must break for the fewest rolls.
    turn = solve(DiceSet(some_dice), rules)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    spec = turn.dice.describe(data.draw(st.integers(1, turn.dice.states - 1)))
    values = horizon(turn, rules.target // 50 + 1, points, spec)
    best = turn.optimal(points, spec)
    first = next(n for n, value in enumerate(values, 1) if value == best)
    assert fixed_point(turn, points, spec) == first


def test_horizons_of_few_rolls():
    assert horizon(solve(), 1) == [menus_of(KCD, SIX_FAIR, prune=True).mean_best(6)]
    # The project's own earlier computation, by two independent programs.
    assert tuple(decimal(value, 2) for value in horizon(solve(), 3)) == EARLIER
    turn = solve("fair", KCD.varied(minimum_bank=100, target=100, hot_dice=False))
    assert horizon(turn, 1) == [mpq(100, 6)]  # only a 1 can be banked; a 5 is lost
    # The fair die scores a hundred at most and is not rolled again; the other die adds nothing.
    rules = KCD.varied(minimum_bank=150, target=150, hot_dice=False)
    turn = solve("fair,0:1:0:0:0:0", rules)
    assert horizon(turn, 2) == [0, 0]
    assert fixed_point(turn) == 1
    assert turn.optimal(50, "0:1:0:0:0:0") == -50


def test_a_tie_between_options_goes_to_the_higher_score():
    # Faces 1 and 2 only. A 1 scores 50, a pair of 2 scores 100; rolling two dice or one after it is
    # worth the same only where the target makes it so: needed points reached either way.
    rules = RuleSet("tie", (Combination((1,), 50), Combination((2,), 50)), dice=2, target=200)
    turn = solve("1:1:0:0:0:0*2", rules, "needed")
    # Every die scores, so nothing busts: the target is certain, and every way to it is a tie.
    assert turn.value == 200
    assert turn.sweep.ties
    for (level, menu), tied in turn.sweep.ties.items():
        assert turn.sweep.choice[level, menu] == tied[0]
        scores = [turn.sweep._layout.score[o] for o in tied if o >= 0]
        assert scores == sorted(scores, reverse=True)


def test_ties_are_banked():
    # One die, faces 1 (50 points) and 2 (nothing) with equal chance: at 50 points, one roll of a
    # second life is worth (100 + …)/2; with a target of 100 that is exactly 50.
    rules = RuleSet("even", (Combination((1,), 50),), dice=1, target=100)
    turn = solve("1:1:0:0:0:0", rules)
    assert turn.optimal(50) == 0
    assert not turn.worth_rolling(50, 1)
    assert turn.sweep.roll_ties == {1 * turn.sweep.states + 1}
    # Banking 100 now, or keeping 50 and rolling a die that always scores 50: the same.
    rules = RuleSet("sure", (Combination((1,), 50),), dice=2, target=100, hot_dice=False)
    turn = solve("1:0:0:0:0:0*2", rules, "needed")
    assert turn.value == 100
    step = turn.sweep.step(0, 2)
    assert (step.bank, step.roll) == ({2: 1}, {})


def test_payoffs_and_powers():
    # One fair die, banking is worth 1/6² whatever the points: a bust costs, a 1 or a 5 does not.
    few = parse_dice("fair")
    menus = menus_of(KCD.varied(hot_dice=False), few, prune=True)
    flat = [(mpz(1), 2)] * (2 + KCD.highest_score // 50)
    sweep = TurnSweep(menus, TurnPayoff(2, flat, (mpz(0), 0), (mpz(0), 0)))
    assert sweep.base.rational(sweep.value(0, 1)) == mpq(2, 6) * mpq(1, 36)
    base = Base(6)
    assert base.gather({}) == (0, 0)
    # 1/6 + 1/216 = 37/216
    assert base.gather({1: mpz(1), 3: mpz(1)}) == (37, 3)
    assert base.compare((mpz(1), 1), (mpz(6), 2)) == 0
    assert base.compare((mpz(-1), 1), (mpz(0), 0)) < 0
    assert base.floor((mpz(-1), 1), 0) == -1
    payoff = points_payoff(KCD.varied(minimum_bank=100), 200)
    sweep = TurnSweep(
        menus_of(KCD.varied(minimum_bank=100), parse_dice("fair"), prune=True), payoff
    )
    with pytest.raises(AssertionError, match="never chosen"):
        sweep._banked(0)


CASES = [
    ("fair*3,odd", KCD.varied(target=2000), "full"),
    ("weighted*4", KCD.varied(target=3000, penalty=100), "needed"),
    ("fair*3", KCD.varied(target=1000, hot_dice=False, minimum_bank=300), "full"),
]


@pytest.mark.parametrize(("dice", "rules", "overshoot"), CASES)
def test_bounds_contain_exact_distributions_values_and_regrets(dice, rules, overshoot):
    turn = solve(dice, rules, overshoot)
    exactly, bounds = turn_end(turn), turn_end(turn, bits=256)
    law = points_distribution(turn)
    found = bounds.distribution(rules.penalty)
    assert set(law.probabilities()) <= set(found)
    for points, chance in found.items():
        assert law.probability(points) in chance
        assert chance.width < mpq(1, 10**60)
    assert law.mean() in bounds.mean(rules.penalty)
    assert law.variance() in bounds.variance(rules.penalty)
    assert exactly.bust.point in bounds.bust
    assert exactly.rolls.point in bounds.rolls
    roll = "1,5,5,1"[: 2 * len(turn.dice.dice) - 1]
    choices = {(c.keep, c.kept, c.then): c for c in advise(turn, roll, 350)}
    enclosed = advise(turn, roll, 350, exact=False)
    assert len(enclosed) == len(choices) > 1
    for one in enclosed:
        other = choices[one.keep, one.kept, one.then]
        assert other.value.point in one.value
        assert other.regret.point in one.regret
        assert (one.score, one.left) == (other.score, other.left)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=3, max_size=6).filter(
        lambda ends: any(weight for weight, _ in ends)
    ),
    st.integers(0, 5),
)
def test_bounds_hold_for_every_distribution_that_they_allow(ends, penalty):
    """Ends of 0, 1, … points, bust and stranded, each with a weight and quarters of it bounded."""
    whole = sum(weight for weight, _ in ends)
    chances = [mpq(weight, whole) for weight, _ in ends]
    *banked, bust, stranded = (mpq(weight * part, 4 * whole) for weight, part in ends)
    lost = 1 - sum(banked, bust + stranded)
    once = Enclosure(mpq(1), mpq(1))
    bounds = TurnEnd(dict(enumerate(banked)), bust, stranded, lost, once, len(banked) - 1)
    for cost, given_cost in ((0, ()), (penalty, (penalty,))):
        worths = [*range(len(banked)), -cost, 0]
        mean = sum(map(mul, worths, chances))
        assert mean in bounds.mean(*given_cost)
        squares = sum(worth**2 * chance for worth, chance in zip(worths, chances, strict=True))
        assert squares - mean**2 in bounds.variance(*given_cost)
        found = bounds.distribution(*given_cost)
        for points in worths:
            chance = sum(c for worth, c in zip(worths, chances, strict=True) if worth == points)
            assert chance in found.get(points, Enclosure(mpq(0), mpq(0)))
    assert chances[-2] in bounds.bust


@pytest.mark.parametrize("most", [1, 10])
def test_a_variance_about_no_points_at_all_is_within_its_bounds(most):
    """They allow a fair coin between the most points and a bust that costs as many."""
    half, quarter, once = mpq(1, 2), mpq(1, 4), Enclosure(mpq(1), mpq(1))
    bounds = TurnEnd({most: quarter}, quarter, mpq(0), half, once, most)
    assert mpq(0) in bounds.mean(most)
    assert mpq(most**2) in bounds.variance(most)


@pytest.mark.parametrize("most", [1, 2, 4, 5])
def test_points_past_the_target_count_as_the_target(most):
    """A half of the chances is lost, and may be of anything from no points to the most."""
    quarter, nothing = mpq(1, 4), mpq(0)
    once = Enclosure(mpq(1), mpq(1))
    end = TurnEnd({1: quarter, 3: quarter}, nothing, nothing, mpq(1, 2), once, 4).capped(most)
    known = (min(1, most) + min(3, most)) * quarter
    assert end.mean() == Enclosure(known, known + min(4, most) * mpq(1, 2))
    assert sum(end.least.values()) == mpq(1, 2)
    assert max(end.least) == min(3, most)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted), min_size=1, max_size=3)
)
def test_regrets_and_verdicts_cover_all_values_within_the_bounds(bounds):
    # All whole numbers within the bounds in turn; extremes of a regret are at ends, which are such.
    kept = [Selection((face,), (), 50, 0) for face in range(1, len(bounds) + 1)]
    ways = [Way(**vars(one), then="bank") for one in kept]
    worths = [Enclosure(mpq(lower), mpq(upper)) for lower, upper in bounds]
    for choice in judged(ways, worths):
        place = choice.keep[0] - 1
        regrets = {
            max(worth) - worth[place]
            for worth in product(*(range(lower, upper + 1) for lower, upper in bounds))
        }
        assert (choice.regret.lower, choice.regret.upper) == (min(regrets), max(regrets))
        assert choice.best == (True if regrets == {0} else None if 0 in regrets else False)


@pytest.mark.parametrize("question", [
    FarkleAdvise(dice="fair*3", target=1000, roll="1,5,5", points=200),
    FarkleDistribution(dice="fair*3", target=1000), FarkleTable(dice="fair*2,odd", target=500),
])  # fmt: skip
def test_questions_enclose_numbers_that_are_too_long(question, monkeypatch):
    exactly = question.report(DEFAULT)
    monkeypatch.setattr(exact, "_EXACT_BYTES", 0)
    monkeypatch.setattr("exactdice.games.farkle.reports.MAX_SHOWN_DISTRIBUTION", 0)
    bounds = question.report(DEFAULT)
    assert "enclosed" in bounds.provenance.conventions["arithmetic"]
    (table,), (other,) = exactly.tables, bounds.tables
    names = [column.name for column in table.columns]
    assert names == [column.name for column in other.columns]
    checked = 0
    for row, bounded in zip(table.rows, other.rows, strict=True):
        for cell, bound in zip(row, bounded, strict=True):
            if isinstance(cell, type(mpq(0))):
                assert cell in bound
                checked += 1
            else:
                assert cell == bound
    assert checked > 5
    for form in (Format.TEXT, Format.MD, Format.JSON, Format.LATEX, Format.HTML):
        assert render(bounds, form)


def test_a_table_encloses_if_only_bounds_fit_into_memory(monkeypatch):
    """Estimates of a byte for a table of bounds, of 80 digits, and of too many for any other."""
    monkeypatch.setattr(
        "exactdice.games.farkle.questions.table_bytes",
        lambda rows, digits: 1 if digits == 80 else 1 << 60,
    )
    report = FarkleTable(dice="fair", target=100).report(DEFAULT)
    assert "enclosed" in report.provenance.conventions["arithmetic"]


def test_a_distribution_of_too_many_points_is_rejected_before_the_turn_is_solved(monkeypatch):
    monkeypatch.setattr(TurnQuestion, "solved", None)
    with pytest.raises(TooLargeError, match=r"^target: .* use a target, or a lower one$"):
        FarkleDistribution(dice="weighted*6", target="none").report(DEFAULT)
    with pytest.raises(TooLargeError, match="a table of 2548008 values"):
        FarkleTable(dice="weighted*6", target="none").report(DEFAULT)
