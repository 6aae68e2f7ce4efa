"""Advice that is enclosed: what it says of an action must be so."""

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.enclosure import Enclosure
from exactdice.games.swe.optimum.chooser import judge, searched_quickly
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, State
from exactdice.native import swe_outlook
from exactdice.rooms import ask
from exactdice.run import Run

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")

LEGACY = State((1, 1, 0, 0, 0), (1, 0, 1, 0, 0), 9)
WHOLE = State((2, 1, 1, 0, 0), (0, 0, 0, 0, 0), 30)


@pytest.mark.parametrize("state", [LEGACY, WHOLE])
@pytest.mark.parametrize("left", [1, 5, 12])
def test_values_and_regrets_are_those_of_exact_search(state, left):
    advice = solve(left, STANDARD, state).actions(state, left)
    prospects = judge(left, STANDARD, state).prospects
    assert [one.action for one in prospects] == [one.action for one in advice]
    for one, exact in zip(prospects, advice, strict=True):
        assert exact.value in one.value
        assert exact.regret in one.regret
        assert one.optimal in (exact.optimal, None)


def test_what_wide_enclosures_leave_open_is_said_to_be_open(monkeypatch):
    monkeypatch.setattr(swe_outlook, "HARDLY", 9 / 10)  # hardly anything is looked at
    exact = solve(12, STANDARD, WHOLE).actions(WHOLE, 12)
    prospects = judge(12, STANDARD, WHOLE).prospects
    assert None in [one.optimal for one in prospects]
    for one, sure in zip(prospects, exact, strict=True):
        assert one.optimal in (sure.optimal, None)
        assert sure.value in one.value
        assert sure.regret in one.regret


def test_the_regret_of_the_best_action_is_nought():
    best = [one for one in judge(20, STANDARD, WHOLE).prospects if one.optimal]
    assert [one.regret for one in best] == [Enclosure(mpq(0), mpq(0))]


def test_progress_moves():
    steps = []
    judge(30, STANDARD, WHOLE, Run(progress=lambda *news: steps.append(news)))
    assert steps
    assert all(what == "thousandths" and 0 <= done <= of == 1000 for what, done, of in steps)


def test_exact_search_is_taken_where_it_is_quick():
    assert searched_quickly(10, STANDARD, State((9,) * 5, (0,) * 5, 0))
    assert not searched_quickly(23, STANDARD, State((0,) * 5, (0,) * 5, 0))
    assert searched_quickly(201, STANDARD, WHOLE)  # the C++ solver does not take it


def test_an_enclosure_from_a_state_counts_the_rounds_from_the_one_that_begins():
    report = ask("swe enclosure 9 --round 4 --revenue 1,1,0,0,0 --score 3")
    state = State((1, 1, 0, 0, 0), (0,) * 5, 3)
    solution = solve(6, STANDARD, state)  # rounds 4 to 9
    assert solution.value in report.value("enclosure")
    advice = solution.actions(state, 6)
    table = report.table("actions")
    assert table.cells("action") == [one.action.describe(STANDARD) for one in advice]
    for exact, value in zip(advice, table.cells("value"), strict=True):
        assert exact.value in value
        assert value.width < mpq(1, 10**6)
