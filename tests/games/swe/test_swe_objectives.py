"""Targets and rivals against plain recursion; the choice of a method for the optimum."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import allocated, asking
from swe_oracle import LADDERS, Oracle, moves, reachable

from exactdice.arithmetic import mpq, to_fraction
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.games.swe.distributions.evaluation import exact_distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy, Promo, policy_from_text
from exactdice.games.swe.optimum import chooser
from exactdice.games.swe.optimum.chooser import (
    Method,
    Prospect,
    SweOptimum,
    judge,
    searched_quickly,
)
from exactdice.games.swe.optimum.chooser import by_intervals as find
from exactdice.games.swe.optimum.chooser import solve as choose
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.objectives import (
    ScorePayoff,
    beating,
    beating_distribution,
    maximise,
    reaching,
    rivals,
)
from exactdice.games.swe.reports import optimum_report
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    empty_table,
    weight,
)
from exactdice.native.swe_outlook import OutlookSizes
from exactdice.rooms import ask
from exactdice.run import Run


class PayoffOracle(Oracle):
    """The plain recursion, with the final score valued by a payoff."""

    def __init__(self, faces, payoff):
        super().__init__(faces)
        self.payoff = payoff

    def value(self, state, left):
        if left == 0:
            score = min(state[2], self.payoff.cap)
            return Fraction(int(self.payoff.numerators[score]), int(self.payoff.denominator))
        return super().value(state, left)


def agrees(solution, oracle):
    layers = reachable(oracle, tuple(empty_table(solution.ladder)), solution.rounds)
    for played, layer in enumerate(layers):
        left = solution.rounds - played
        for state in map(State._make, layer):
            assert to_fraction(solution.value_at(state, left)) == oracle.value(tuple(state), left)
            if left:
                expected = oracle.worth(tuple(state), left)
                advice = solution.actions(state, left)
                worth = {(a.action.kind.value, a.action.rung): to_fraction(a.value) for a in advice}
                assert worth == expected
                top = max(expected.values())
                assert all(to_fraction(a.regret) == top - to_fraction(a.value) for a in advice)
                assert all(a.optimal == (a.regret == 0) for a in advice)
    return True


@settings(max_examples=25)
@given(ladder=LADDERS, rounds=st.integers(0, 4), target=st.integers(0, 12))
def test_reaching_a_target_agrees_with_the_plain_recursion(ladder, rounds, target):
    payoff = reaching(target)
    assert agrees(maximise(payoff, rounds, ladder), PayoffOracle(ladder, payoff))


@settings(max_examples=15)
@given(
    ladder=LADDERS,
    rounds=st.integers(1, 4),
    worth=st.lists(st.fractions(-2, 3, max_denominator=6), min_size=1, max_size=9),
)
def test_any_payoff_agrees_with_the_plain_recursion(ladder, rounds, worth):
    payoff = ScorePayoff.of(worth)
    assert agrees(maximise(payoff, rounds, ladder), PayoffOracle(ladder, payoff))


@pytest.mark.parametrize("payoff", [reaching(9), beating(7, "1/2")], ids=["reaching", "beating"])
def test_the_standard_ladder_agrees_with_the_plain_recursion(payoff):
    assert agrees(maximise(payoff, 5), PayoffOracle(STANDARD, payoff))


@pytest.mark.slow
def test_payoffs_by_score_policy_and_target():
    # With the cap out of reach, E[u(score)] is the mean: the block solver with envelopes.
    for rounds in (4, 8, 12):
        worth = list(range(rounds * (rounds + 1) // 2 + 1))
        assert maximise(ScorePayoff.of(worth), rounds).value == solve(rounds).value
    for policy in (NewOnlyPolicy(), Promo()):
        dist = exact_distribution(policy, 8).distribution()
        assert maximise(beating_distribution(dist, "1/2"), 8).value >= mpq(1, 2)
    aims, mean = maximise(reaching(45), 12), solve(12)
    states = [State((3, 1, 0, 0, 0), (0,) * 5, score) for score in range(5, 40)]
    chosen = [next(a.action for a in aims.actions(state, 5) if a.optimal) for state in states]
    assert chosen != [mean.optimal_action(state, 5) for state in states]


@pytest.mark.parametrize("name", ["NewOnly", "Promo", "PromoOnce", "Rand(0.5)"])
@pytest.mark.parametrize("target", [1, 10, 15, 20, 30])
def test_no_policy_reaches_a_target_more_often(name, target):
    best = maximise(reaching(target), 10).value
    assert exact_distribution(policy_from_text(name), 10).reaches(target).lower <= best


def test_beating_a_distribution_is_the_mixture_of_beating_its_scores():
    dist = Distribution({0: 1, 2: 3, 5: 2})
    mixed = beating_distribution(dist, "1/3")
    for score in range(8):
        parts = [
            dist.probability(rival)
            * mpq(beating(rival, "1/3").numerators[min(score, rival + 1)], 3)
            for rival in dist
        ]
        worth = mpq(mixed.numerators[min(score, mixed.cap)], mixed.denominator)
        assert worth == sum(parts)


@pytest.mark.slow
@pytest.mark.parametrize(
    "weighed",
    [
        lambda run: reaching(100_000, run),
        lambda run: beating(100_000, "1/2", run),
        lambda run: beating_distribution(Distribution({5: 1, 100_000: 2}), "1/2", run),
    ],
    ids=["reaching", "beating", "beating_distribution"],
)
def test_memory_of_payoffs_is_near_the_allocated_memory(weighed):
    run, asked = asking()
    most, _ = allocated(lambda: weighed(run))
    # GMP allocates digits, so the interpreter counts about half of a distribution.
    assert 0.9 * most < asked[0][0] < 2.5 * most


@pytest.mark.parametrize("now", [2, 5, 9])
def test_from_a_state_only_later_blocks_are_solved(now):
    state = State((1, 0, 0, 0, 0), (0,) * 5, 1)
    whole = maximise(reaching(25), 9)
    part = maximise(reaching(25), 9, start=state, now=now)
    left = 9 - now + 1
    assert part.actions(state, left) == whole.actions(state, left)
    assert len(part.afterstates) < len(whole.afterstates)
    # Dice that take more rounds to make leave fewer, and there is one at the least.
    for solution, most in ((whole, 9), (part, left + weight(state.dice))):
        for dice, rounds in solution.afterstates.items():
            assert len(rounds) == most - weight(dice) + 1


def test_progress_counts_blocks_and_rounds():
    # Blocks: 1 die at first; then two dice new or one promoted, and so on, as states are reached.
    for rounds in (1, 2, 4):
        news = []
        run = Run(progress=lambda *said: news.append(said[1:]))  # noqa: B023
        maximise(ScorePayoff.of([0, 1]), rounds, run=run)
        total = news[-1][1]
        assert news == [(done, total) for done in range(1, total + 1)]
    news = []
    rivals(3, run=Run(progress=lambda *said: news.append(said)))
    assert [each for each in news if each[0] == "rounds"] == [("rounds", n, 3) for n in range(3)]


SMALL = Ladder(2, 3)


def rounds_of(revenue, legacy, score, ladder):
    for dice in moves(revenue, legacy).values():
        yield {after: chance for chance, after in Oracle(ladder).ends(*dice, score)}


def by_definition(rounds, tie, ladder, turn=0, players=None):
    """The value to the first player, by trying every move of both, from a turn on."""

    @cache
    def value(turn, first, second):
        if turn == 2 * rounds:
            return Fraction(first[2] > second[2]) + tie * (first[2] == second[2])
        mover = second if turn % 2 else first
        worths = (
            sum(
                p * (value(turn + 1, first, after) if turn % 2 else value(turn + 1, after, second))
                for after, p in dist.items()
            )
            for dist in rounds_of(*mover, ladder)
        )
        return min(worths) if turn % 2 else max(worths)

    empty = ((0,) * len(ladder), (0,) * len(ladder), 0)
    return value(turn, *(players or (empty, empty)))


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize(("rounds", "ladder"), [(1, STANDARD), (3, STANDARD), (3, SMALL)])
def test_the_value_is_that_of_the_definition(rounds, ladder, tie):
    assert rivals(rounds, tie, ladder).value == by_definition(rounds, tie, ladder)


def test_rivals_of_few_rounds():
    assert [len(rivals(rounds).differences) for rounds in (1, 2, 3, 4)] == [0, 0, 0, 0]
    # Both play alike and apart, so each is ahead as often; a tie counts a half.
    for rounds in (2, 4):
        assert rivals(rounds).points_value == Fraction(1, 2)
    report = ask("swe rivals 3 --tie 0")
    assert report.value("value") == by_definition(3, Fraction(0), STANDARD)
    assert report.value("differences") == 0


def worth_of(dist, left, ladder):
    value = Oracle(ladder).value
    return sum(p * value(after, left - 1) for after, p in dist.items())


def test_moments_at_which_they_differ_are_those_of_the_definition():
    rounds, tie, ladder = 3, Fraction(1, 2), Ladder(2, 4)
    game = rivals(rounds, tie, ladder)
    moments = {(each.round, each.player, each.own, each.other) for each in game.differences}
    assert len(game.differences) == len(moments) > 2
    for moment in game.differences:
        second = moment.player == 2
        turn, left = 2 * (moment.round - 1) + second, rounds - moment.round + 1
        own, other = tuple(moment.own), tuple(moment.other)
        dists = list(rounds_of(*own, ladder))
        points = [worth_of(dist, left, ladder) for dist in dists]

        def worth(dist, turn=turn, second=second, other=other):
            return sum(
                p
                * by_definition(rounds, tie, ladder, turn + 1, (other, a) if second else (a, other))
                for a, p in dist.items()
            )

        to_win = [worth(dist) for dist in dists]
        best = min(to_win) if second else max(to_win)
        for_points = [w for w, p in zip(to_win, points, strict=True) if p == max(points)]
        assert best not in for_points
        assert moment.loss == min(abs(best - w) for w in for_points)


@pytest.mark.long
def test_the_first_difference_between_winning_and_points():
    game = rivals(6)
    first = game.differences[0]
    assert (first.round, first.player) == (4, 2)
    assert first.own.score < first.other.score
    assert (first.to_win.kind, first.for_points.kind) == (ActionKind.PROMOTE, ActionKind.CREATE)
    assert game.value < game.points_value == Fraction(1, 2)


def scores_of_play_for_points(left, state, ladder):
    """The distribution of the final score if the first move for points is always played."""
    if not left:
        return {state[2]: Fraction(1)}
    dists = list(rounds_of(*state, ladder))
    dists = dists[::-1] if any(state[1]) else dists  # of dice to repair, the highest comes first
    scores = Counter()
    for after, p in max(dists, key=lambda dist: worth_of(dist, left, ladder)).items():
        for score, q in scores_of_play_for_points(left - 1, after, ladder).items():
            scores[score] += p * q
    return scores


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_value_of_play_for_points_follows_from_its_distribution(tie):
    for rounds, ladder in ((3, STANDARD), (4, Ladder(2, 4))):
        empty = ((0,) * len(ladder), (0,) * len(ladder), 0)
        dist = scores_of_play_for_points(rounds, empty, ladder)
        pairs = product(dist.items(), dist.items())
        worth = sum(p * q * (tie if s == o else s > o) for (s, p), (o, q) in pairs)
        assert rivals(rounds, tie, ladder).points_value == worth


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
    choose(rounds, **options, run=Run(workers=2))
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
    found = choose(rounds, Ladder(*ladder))
    assert bool(taken) == (is_taken and built)
    if not taken:
        assert (found.method, found.value, found.counts["blocks"]) == (Method.SEARCH, 3, 3)


def test_exact_search_is_used_from_a_state(taken):
    assert choose(15, Ladder(4), State((1,), (0,), 1)).method is Method.SEARCH
    assert not taken


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

    def solved(*_, run, **__):
        run.tell_part(0.25)
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
