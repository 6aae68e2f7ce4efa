"""Turns too long for exact numbers: what is enclosed holds what is exact, where both are found."""

from itertools import product
from operator import mul

import pytest
from farkle_cases import points_distribution
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.farkle.fields import TurnQuestion
from exactdice.games.farkle.questions import FarkleAdvise, FarkleDistribution, FarkleTable
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn import exact
from exactdice.games.farkle.turn.advice import Selection, Way, advise, judged
from exactdice.games.farkle.turn.exact import solve
from exactdice.games.farkle.turn.forward import TurnEnd, ends_of_turn, turn_end
from exactdice.report.writers import Format, render
from exactdice.run import DEFAULT, Run

CASES = [
    ("fair*3,odd", KCD.varied(target=2000), "full"),
    ("weighted*4", KCD.varied(target=3000, penalty=100), "needed"),
    ("fair*3", KCD.varied(target=1000, hot_dice=False, minimum_bank=300), "full"),
]


@pytest.mark.parametrize(("dice", "rules", "overshoot"), CASES)
def test_bounds_on_how_a_turn_ends_hold_the_exact_chances(dice, rules, overshoot):
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


def test_a_turn_that_is_rounded_tells_of_each_number_of_points_at_which_dice_are_rolled():
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


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=3, max_size=6).filter(
        lambda ends: any(weight for weight, _ in ends)
    ),
    st.integers(0, 5),
)
def test_bounds_hold_for_every_law_that_they_allow(ends, penalty):
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


@pytest.mark.parametrize(("dice", "rules", "overshoot"), CASES)
def test_bounds_on_choices_hold_their_exact_values_and_regrets(dice, rules, overshoot):
    turn = solve(dice, rules, overshoot)
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
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted), min_size=1, max_size=3)
)
def test_regrets_and_verdicts_are_what_every_worth_within_the_bounds_says(bounds):
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


@pytest.mark.parametrize(
    "question",
    [
        FarkleAdvise(dice="fair*3", target=1000, roll="1,5,5", points=200),
        FarkleDistribution(dice="fair*3", target=1000),
        FarkleTable(dice="fair*2,odd", target=500),
    ],
)
def test_questions_enclose_what_would_be_too_long(question, monkeypatch):
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


def test_a_table_encloses_where_only_bounds_fit_into_memory(monkeypatch):
    """Estimates of a byte for a table of bounds, of 80 digits, and of too many for any other."""
    monkeypatch.setattr(
        "exactdice.games.farkle.questions.table_bytes",
        lambda rows, digits: 1 if digits == 80 else 1 << 60,
    )
    report = FarkleTable(dice="fair", target=100).report(DEFAULT)
    assert "enclosed" in report.provenance.conventions["arithmetic"]


def test_a_law_of_very_many_points_is_refused_before_the_turn_is_solved(monkeypatch):
    monkeypatch.setattr(TurnQuestion, "solved", None)
    with pytest.raises(TooLargeError, match=r"^target: .* give a target, or a lower one$"):
        FarkleDistribution(dice="weighted*6", target="none").report(DEFAULT)
    with pytest.raises(TooLargeError, match="a table of 2548008 values"):
        FarkleTable(dice="weighted*6", target="none").report(DEFAULT)
