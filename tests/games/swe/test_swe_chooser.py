"""The choice of a method for the optimum, with fake results of the C++ solver."""

import re
from types import SimpleNamespace

import pytest

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.swe.optimum import chooser
from exactdice.games.swe.optimum.chooser import (
    Method,
    Prospect,
    SweOptimum,
    judge,
    searched_quickly,
    solve,
)
from exactdice.games.swe.optimum.chooser import by_intervals as find
from exactdice.games.swe.reports import optimum_report
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State
from exactdice.native.swe_outlook import OutlookSizes
from exactdice.run import Run

CREATE, LOW, HIGH = (
    Action(ActionKind.CREATE), Action(ActionKind.PROMOTE, 0), Action(ActionKind.PROMOTE, 1),
)  # fmt: skip
TWO = State((1, 1, 0, 0, 0), (0,) * 5, 4)
SIZES = OutlookSizes(1, 2, 3, 4, 5, 6, 7)
MILLIONTH = mpq(1, 10**6)


def enclosed(lower, upper):
    return Enclosure(mpq(lower), mpq(upper))


@pytest.fixture
def taken(monkeypatch):
    """The widths that intervals are asked for; the C++ solver is said to be built."""
    widths = []
    monkeypatch.setattr(chooser, "are_built", lambda: True)
    monkeypatch.setattr(
        chooser, "by_intervals", lambda *_, widest, run: widths.append((widest, run.workers))
    )
    return widths


@pytest.mark.parametrize(("rounds", "options", "widest"), [
    (15, {}, 0), (60, {}, 0), (61, {}, None), (61, {"exact": True}, 0),
    (60, {"width": "1/10"}, mpq(1, 10)), (200, {}, None),
])  # fmt: skip
def test_default_method_is_exact_up_to_sixty_rounds(rounds, options, widest, taken):
    solve(rounds, **options, run=Run(workers=2))
    assert taken == [(widest, 2)]


@pytest.mark.parametrize(("rounds", "ladder", "is_taken"), [
    (14, STANDARD, False), (15, STANDARD, True), (200, STANDARD, True), (201, STANDARD, False),
    (15, range(2, 10), True), (15, range(2, 11), False), (15, (4, 10**6), True),
    (15, (4, 10**6 + 1), False),
])  # fmt: skip
@pytest.mark.parametrize("built", [True, False])
def test_the_solver_is_used_within_its_limits_from_fifteen_rounds_on(
    rounds, ladder, is_taken, built, taken, monkeypatch
):
    point = SimpleNamespace(value=mpq(3), afterstates=[(0,), (1,)], start=TWO)
    monkeypatch.setattr(chooser, "are_built", lambda: built)
    monkeypatch.setattr(chooser, "search", lambda *_: point)
    found = solve(rounds, Ladder(*ladder))
    assert bool(taken) == (is_taken and built)
    if not taken:
        assert (found.method, found.value, found.counts["blocks"]) == (Method.SEARCH, 3, 3)


def test_exact_search_is_used_from_a_state(taken):
    assert solve(15, Ladder(4), State((1,), (0,), 1)).method is Method.SEARCH
    assert not taken


@pytest.mark.parametrize(("options", "wanted"), [
    ({"width": 0}, ": got 0; expected a number of points above 0"),
    ({"width": -1}, ": got -1; expected a number of points above 0"),
    ({"width": 1, "exact": True}, " cannot be combined with exact"),
])  # fmt: skip
def test_invalid_widths_are_rejected(options, wanted):
    with pytest.raises(InputError, match=f"^width{wanted}$"):
        solve(3, **options)


@pytest.mark.parametrize(("widest", "method", "asked"), [
    (None, Method.ENCLOSURE, ["enclose"]), (mpq(1, 8), Method.ENCLOSURE, ["enclose"]),
    (mpq(1, 9), Method.INTERVALS, ["enclose", "optimum"]), (0, Method.INTERVALS, ["optimum"]),
])  # fmt: skip
def test_an_enclosure_within_the_width_is_accepted(widest, method, asked, monkeypatch):
    from exactdice.games.swe.optimum import interval_search

    called = []
    outlook = SimpleNamespace(value=enclosed(1, "9/8"), sizes=SIZES)

    def enclose(*_):
        called.append("enclose")
        return outlook

    def optimum(_rounds, _ladder, _run, given):
        called.append("optimum")
        assert given is (outlook if "enclose" in called else None)
        sizes = {"blocks": 1, "blocks_in_all": 2, "certain": 3, "compared": 4}
        return SimpleNamespace(value=mpq(1), enclosure=outlook.value, **sizes)

    monkeypatch.setattr(interval_search, "enclose", enclose)
    monkeypatch.setattr(interval_search, "optimum", optimum)
    found = find(20, widest=widest)
    assert (found.method, called) == (method, asked)
    names = [quantity.column.name for quantity in optimum_report(found).quantities]
    if method is Method.ENCLOSURE:
        assert names == ["enclosure", "method", "blocks", "choices", "undecided", "bytes"]
    else:
        known = ["value", "enclosure", "method", "blocks", "blocks_in_all", "certain", "compared"]
        assert names == known


def test_enclosed_optimum_is_written_with_outward_rounding():
    """Rounded to the nearest, ends may lie inside of what is known."""
    for lower, upper in (("20/3", "61/9"), ("0.12345678912345678", "0.12345678912345679")):
        value = enclosed(lower, upper)
        written = str(SweOptimum(70, STANDARD, None, Method.ENCLOSURE, value, value, {}))
        ends = re.fullmatch(
            r"optimum of 70 rounds in \[(.*), (.*)\], by enclosure by intervals", written
        )
        shown = [mpq(end) for end in ends.groups()]
        assert shown[0] <= value.lower <= value.upper <= shown[1]
        # Two digits of the width are told.
        assert shown[1] - shown[0] <= value.width * mpq(6, 5)


def outlook(value, *actions):
    return SimpleNamespace(value=value, actions=list(enumerate(actions)), sizes=SIZES)


def judged(monkeypatch, *outlooks):
    """Judge with answers of the solver put in; return what is said and the bends asked for."""
    bends, answers = [], iter(outlooks)

    def solved(*_, bend, **__):
        bends.append(bend)
        return next(answers)

    monkeypatch.setattr(chooser.swe_outlook, "solve", solved)
    return judge(9, STANDARD, TWO), bends


BEST = enclosed(5, 5 + MILLIONTH)


def test_one_best_action_in_a_narrow_enclosure_needs_no_second_solution(monkeypatch):
    below = [enclosed(2, 3), enclosed(3, 5 - MILLIONTH / 2)]
    found, bends = judged(monkeypatch, outlook(BEST, below[0], BEST, below[1]))
    assert bends == [chooser.swe_outlook.ANY_BEND]
    assert (found.value, found.sizes) == (BEST, SIZES)
    # The regret: from the upper end to the best lower end, and the other way round.
    assert found.prospects == (
        Prospect(CREATE, below[0], enclosed(2, 3 + MILLIONTH), False),
        Prospect(LOW, BEST, enclosed(0, 0), True),
        Prospect(HIGH, below[1], enclosed(MILLIONTH / 2, 2 + MILLIONTH), False),
    )


@pytest.mark.parametrize(
    "first",
    [
        outlook(enclosed(5, 5 + mpq(11, 10**7)), enclosed(5, 5 + mpq(11, 10**7)), enclosed(2, 3)),
        outlook(BEST, BEST, enclosed(3, 5)),  # which may be worth as much as the best
    ],
    ids=["wide", "two rivals"],
)
def test_wide_or_open_enclosures_are_solved_piece_by_piece(first, monkeypatch):
    second = outlook(BEST, enclosed(4, 5), BEST, enclosed(1, 2))
    found, bends = judged(monkeypatch, first, second)
    assert bends == [chooser.swe_outlook.ANY_BEND, 0]
    # What overlaps stays open, and may have no regret.
    assert found.prospects == (
        Prospect(CREATE, enclosed(4, 5), enclosed(0, 1 + MILLIONTH), None),
        Prospect(LOW, BEST, enclosed(0, MILLIONTH), None),
        Prospect(HIGH, enclosed(1, 2), enclosed(3, 4 + MILLIONTH), False),
    )


def test_progress_is_reported_in_thousandths(monkeypatch):
    """Of advice and of an enclosure: a quarter of the way is told as 250 of 1000."""
    from exactdice.games.swe.optimum import interval_search

    def solved(*_, progress, **__):
        progress(0.25)
        return outlook(BEST, BEST)

    monkeypatch.setattr(chooser.swe_outlook, "solve", solved)
    for begin in (
        lambda run: judge(9, STANDARD, TWO, run),
        lambda run: interval_search.enclose(9, STANDARD, run),
    ):
        news = []
        begin(Run(progress=lambda *said: news.append(said)))  # noqa: B023
        assert set(news) == {("thousandths", 250, 1000)}


@pytest.mark.parametrize(
    ("width", "bends"), [("1/1000000000", [10**12]), ("11/10000000000", [10**12, 0])]
)
def test_an_enclosure_wider_than_a_billionth_is_solved_piece_by_piece(width, bends, monkeypatch):
    from exactdice.games.swe.optimum import interval_search

    asked = []

    def solved(rounds, ladder, revenue, legacy, *, bend, **_):
        assert (rounds, ladder, revenue, legacy) == (9, STANDARD, (0,) * 5, (0,) * 5)
        asked.append(bend)
        return outlook(enclosed(7, 7 + 7 * mpq(width)))

    monkeypatch.setattr(chooser.swe_outlook, "solve", solved)
    interval_search.enclose(9)
    assert asked == bends


def test_no_rounds_left_and_dice_of_another_ladder_are_rejected():
    with pytest.raises(
        InputError, match="rounds left: got 0; expected a whole number of at least 1"
    ):
        judge(0, STANDARD, TWO)
    with pytest.raises(InputError, match="revenue: got 5 numbers of dice"):
        judge(3, Ladder(4, 6), TWO)


@pytest.mark.parametrize(("left", "dice", "score", "quickly"), [
    (10, 90, 0, True),  # ten rounds from any dice
    (11, 11, 0, True),  # rounds left and weight: 22 together
    (11, 12, 0, False), (12, 11, 0, False),
    (200, 50, 0, False),  # 250 dice at most, and the score of a million
    (200, 51, 0, True), (200, 50, 10**6, False), (200, 50, 10**6 + 1, True), (201, 40, 0, True),
])  # fmt: skip
def test_exact_search_is_used_if_it_is_quick_or_the_only_method(
    left, dice, score, quickly, monkeypatch
):
    monkeypatch.setattr(chooser, "are_built", lambda: True)
    state = State((dice - 1, 0, 0, 0, 0), (1, 0, 0, 0, 0), score)
    assert searched_quickly(left, STANDARD, state) is quickly
    monkeypatch.setattr(chooser, "are_built", lambda: False)
    assert searched_quickly(left, STANDARD, state)
