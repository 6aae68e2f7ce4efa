"""Value iteration and its tolerances, against plain value iteration."""

from functools import cache
from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from printed import REROLL_VALUE

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.reroll import DiceGame, RerollRules, solve
from exactdice.models import Choice, End, Game, point_mass
from exactdice.run import Run
from exactdice.studies.reroll.questions import RerollTheta, tolerances_report
from exactdice.studies.reroll.sources import COURSEWORK
from exactdice.studies.reroll.value_iteration import (
    ConvergenceError,
    Sweeps,
    tolerances,
    value_iteration,
)


def returns(game, values, state):
    found = {}
    for action in game.actions:
        following, over, reward, chances = game.get_next_states(action, state)
        found[action] = sum(
            p * (reward + (0 if over else values[s]))
            for s, p in zip(following, chances, strict=True)
        )
    return found


def written_out(game, theta, order):
    """Sweeps made, greedy policy, and actions kept from the last sweep."""
    values = dict.fromkeys(game.states, 0)
    sweeps, kept = 0, {}
    while True:
        reading = values if order == "in-place" else dict(values)
        change = 0
        for state in game.states:
            found = returns(game, reading, state)
            kept[state] = max(found, key=lambda action: found[action])
            change = max(change, abs(found[kept[state]] - values[state]))
            values[state] = found[kept[state]]
        sweeps += 1
        if change < theta:
            greedy = {}
            for state in game.states:
                found = returns(game, values, state)
                greedy[state] = max(found, key=lambda action: found[action])
            return sweeps, greedy, kept


@cache
def small_game(order):
    game = DiceGame(dice=2, sides=3, penalty="1/2", exact=True)
    return game, tolerances(game.rules, order), solve(game.rules).ties


@pytest.mark.parametrize("order", ["synchronous", "in-place"])
@given(theta=st.fractions(min_value="1/1000", max_value=8, max_denominator=1000))
def test_every_tolerance_agrees_with_plain_value_iteration(order, theta):
    game, study, ties = small_game(order)
    tolerance = mpq(theta.numerator, theta.denominator)
    stop = study.stop(tolerance)
    sweeps, greedy, kept = written_out(game, tolerance, order)
    wrong = [state for state in game.states if greedy[state] not in ties[state]]
    wrong_kept = [state for state in game.states if kept[state] not in ties[state]]
    if stop is None:  # below the table every policy is right
        assert sweeps > study.sweeps_until_certain
        assert wrong == wrong_kept == []
    else:
        assert sweeps == stop.sweeps
        assert list(stop.greedy_wrong) == wrong
        assert list(stop.kept_wrong) == wrong_kept
        assert stop.above < tolerance
        assert stop.up_to is None or tolerance <= stop.up_to


def test_tolerance_of_the_coursework_is_too_large():
    """With the coursework's θ = 0.1 its solver is wrong in two states.

    The stop and the two states come from its loop written out in doubles above.
    """
    sweeps, _, kept = written_out(DiceGame(), 0.1, "in-place")
    exact = solve(RerollRules())
    wrong = tuple(state for state, action in kept.items() if action not in exact.ties[state])
    assert wrong == ((5, 5, 6), (5, 6, 6))
    study = tolerances(RerollRules(), "in-place")
    stop = study.stop(mpq(COURSEWORK["tolerance"]))
    assert stop is not None
    assert (stop.sweeps, stop.kept_wrong) == (sweeps, wrong)
    assert stop.kept_score is not None
    assert stop.kept_score < exact.value
    safe = study.greatest_safe_theta(kept=True)
    assert safe is not None
    assert mpq(1, 50) < safe < mpq(1, 10)


def test_mistakes_after_one_sweep_depend_on_the_tie_breaking_rule():
    """28 mistakes with the first of tied actions, 29 with the last, as in a separate program."""
    game, ties = DiceGame(exact=True), solve(RerollRules()).ties
    sweeps, first, _ = written_out(game, 19, "in-place")
    values = dict.fromkeys(game.states, 0)
    for state in game.states:
        values[state] = max(returns(game, values, state).values())
    last = {}
    for state in game.states:
        found = returns(game, values, state)
        last[state] = max(reversed(found), key=lambda action: found[action])
    wrong = [sum(policy[s] not in ties[s] for s in game.states) for policy in (first, last)]
    assert (sweeps, wrong) == (1, [28, 29])
    conventions = RerollTheta().answer().provenance.conventions
    assert conventions["ties"] == "the first action, fewer dice held first"


@pytest.mark.parametrize("order", ["synchronous", "in-place"])
def test_stops_are_thresholds_and_are_reported(order):
    # At the exact threshold the policy of the plain solver is optimal; just above it, not.
    study = tolerances(RerollRules(dice=2), order)
    game, ties = DiceGame(dice=2, exact=True), solve(RerollRules(dice=2)).ties
    for kept in (False, True):
        safe = study.greatest_safe_theta(kept=kept)
        assert safe is not None
        for theta, right in ((safe, True), (safe + mpq(1, 10**9), False)):
            policy = written_out(game, theta, order)[2 if kept else 1]
            assert all(policy[state] in ties[state] for state in game.states) is right
    for rules in (RerollRules(dice=2), RerollRules(dice=1, values=[-5, -4])):
        stops = (study := tolerances(rules, order)).stops
        assert (stops[0].sweeps, stops[0].up_to) == (1, None)
        for before, after in pairwise(stops):
            assert after.above < before.above == after.up_to
            assert study.stop(before.above) == after
            assert study.stop(before.above + mpq(1, 10**9)) == before
        assert study.stop(stops[-1].above) is None
    game, study, ties = small_game(order)
    report = study.report()
    mistakes = []
    for stop, row in zip(study.stops, report.table("stops").rows, strict=True):
        theta = stop.above + mpq(1, 10**9)
        sweeps, *policies = written_out(game, theta, order)
        wrong = [[s for s in game.states if policy[s] not in ties[s]] for policy in policies]
        scores = (stop.greedy_score, stop.kept_score)
        counts = tuple(map(len, wrong))
        assert row == (sweeps, stop.above, stop.up_to, stop.error, *counts, *scores)
        for roll in game.states:
            if flags := [roll in some for some in wrong]:
                mistakes += [(sweeps, roll, *flags)] if any(flags) else []
        of = report_at(study, theta)
        assert of == [theta, sweeps, stop.error, counts[0], scores[0]]
    assert list(report.table("mistakes").rows) == mistakes
    kept = {stop.sweeps for stop in study.stops if stop.kept_wrong}
    assert len(kept) > 1
    assert report.value("gap") == study.gap
    assert report.value("sweeps_until_certain") == study.sweeps_until_certain
    below = study.stops[-1].above
    assert report_at(study, below) == [below, None, None, 0, study.value]
    assert order in report.provenance.conventions["order"]


def test_errors_decrease_and_no_policy_beats_the_optimum():
    for order in ("synchronous", "in-place"):
        study = tolerances(RerollRules(), order)
        errors = [stop.error for stop in study.stops]
        assert errors == sorted(errors, reverse=True)
        assert 2 * errors[-2] < study.gap
        best = mpq(REROLL_VALUE)
        for stop in study.stops:
            for score, wrong in (
                (stop.greedy_score, stop.greedy_wrong),
                (stop.kept_score, stop.kept_wrong),
            ):
                assert score is None or score <= best
                assert wrong or score == best


def test_progress_counts_the_sweeps():
    told = []
    study = tolerances(RerollRules(dice=2), run=Run(progress=lambda *news: told.append(news)))
    assert [done for _, done, _ in told] == list(range(1, study.sweeps_until_certain + 1))
    for (what, done, total), error in zip(told, (stop.error for stop in study.stops), strict=True):
        halvings = 0  # until an error that halves with each sweep is below half the gap
        while 2 * error >= study.gap * 2**halvings:
            halvings += 1
        assert (what, total) == ("sweeps", done + halvings + 1)


def report_at(study, theta):
    names = ("", "_sweeps", "_error", "_wrong", "_score")
    report = tolerances_report(study, theta)
    return [report.value(f"tolerance{name}") for name in names]


def test_tolerances_of_small_games_by_hand():
    # Values of -3 and 0 and a penalty of 1/2: after -3 one rolls, which is worth v = -1/2 + v/2.
    # So v = -1, and each sweep from 0 on halves its error, which is 1 before the first. Sticking
    # with 0 is better than rolling by 1, the gap. Only an error below 1/2 leaves no doubt, which is
    # that of 1/4 after the second sweep, and one sweep more follows it.
    study = tolerances(RerollRules(dice=1, values=[-3, 0], penalty="1/2"), "synchronous")
    assert [stop.error for stop in study.stops] == [mpq(1, 2), mpq(1, 4), mpq(1, 8)]
    assert study.gap == 1
    assert study.sweeps_until_certain == 3
    # If every score is below minus the penalty, the policy of the first sweep never sticks.
    study = tolerances(RerollRules(dice=1, values=[-5, -4]), "synchronous")
    first = study.stops[0]
    assert (first.kept_score, first.greedy_score) == (None, None)
    assert first.kept_wrong
    assert study.stops[-1].kept_score == solve(study.rules).value
    study = tolerances(RerollRules(dice=1, sides=1))
    assert study.greatest_safe_theta() is None
    assert study.stop(mpq(10)) == study.stops[0]
    assert study.stop(mpq(1, 10**9)) is None or study.stops[-1].above == 0


@pytest.mark.parametrize("order", ["synchronous", "in-place"])
@pytest.mark.parametrize("theta", ["20", "2", "1/10", "1/10000"])
def test_report_of_a_given_tolerance(order, theta):
    game, study, ties = small_game(order)
    sweeps, greedy, _ = written_out(game, mpq(theta), order)
    answer = RerollTheta(dice=2, sides=3, penalty="1/2", order=order, tolerance=theta).answer()
    stop = study.stop(mpq(theta))
    assert answer.value("tolerance") == mpq(theta)
    assert answer.value("tolerance_sweeps") == (sweeps if stop else None)
    wrong = [state for state in game.states if greedy[state] not in ties[state]]
    assert answer.value("tolerance_wrong") == len(wrong)
    loss, score = answer.value("tolerance_loss"), answer.value("tolerance_score")
    assert (loss == 0) is not bool(wrong)
    assert score is None or score + loss == solve(game.rules).value


def test_ties_exist_only_after_the_first_sweep():
    """The caption of the first table of the paper on the game, by plain sweeps."""
    game = DiceGame(exact=True)
    values = dict.fromkeys(game.states, 0)
    ties = []
    for _ in range(14):
        for state in game.states:
            values[state] = max(returns(game, values, state).values())
        ties.append(0)
        for state in game.states:
            worth = {  # holds of the same dice are one action
                (len(action) == len(state), *(state[place] for place in action)): gained
                for action, gained in returns(game, values, state).items()
            }
            ties[-1] += list(worth.values()).count(max(worth.values())) > 1
    assert ties == [1] + 13 * [0]


END = "end"


def model(table):
    rules = {**table, END: End(0)}
    return Game(next(iter(table)), rules.__getitem__).explored(also=rules)


def corridor(length):
    """Each place leads to the one before; the first pays 1 and ends."""
    return model({
        place: [Choice("step", 1 if place == 0 else 0, point_mass(place - 1 if place else END))]
        for place in range(length)
    })  # fmt: skip


def test_sweeps_use_new_values_and_are_bounded():
    # Along a corridor in its own order one sweep in place does it; together, one a place.
    sweep = Sweeps(corridor(5), "in-place")
    assert sweep.sweep() == 1
    assert sweep.values == [1, 1, 1, 1, 1, 0]
    stopped = value_iteration(corridor(5), 1, order="in-place")
    assert (stopped.sweeps, stopped.changes) == (2, (1, 0))
    together = value_iteration(corridor(5), 1, order="synchronous")
    assert (together.sweeps, together.changes) == (6, (1, 1, 1, 1, 1, 0))
    mine = model({0: [Choice("dig", 1, point_mass(0)), Choice("leave", 0, point_mass(END))]})
    with pytest.raises(ConvergenceError, match="after 7 sweeps"):
        value_iteration(mine, "0.1", most_sweeps=7)
    with pytest.raises(ConvergenceError, match="after 10000 sweeps"):  # by default
        value_iteration(mine, "0.1")
    # Along a corridor of five places the sixth sweep is the first that changes nothing.
    assert value_iteration(corridor(5), 1, most_sweeps=6).sweeps == 6
    with pytest.raises(ConvergenceError, match="changes by 1 or more after 5 sweeps"):
        value_iteration(corridor(5), 1, most_sweeps=5)


def test_value_iteration_by_hand():
    # 1 a step until leaving with chance 1/1000: worth 1000, but the second change is below 1.
    walk = model({0: [Choice("walk", 1, Distribution({0: 999, END: 1}))]})
    stopped = value_iteration(walk, 1)
    assert stopped.values[0] == 1 + mpq(999, 1000)
    # The last sweep uses value 0 after 'far'; its own values already favour 'far'.
    walk = model({
        0: [Choice("near", 0, point_mass(END)), Choice("far", "-1/2", point_mass(1))],
        1: [Choice("go", 1, point_mass(END))],
    })  # fmt: skip
    stopped = value_iteration(walk, 2, order="synchronous")
    assert stopped.sweeps == 1
    assert stopped.last_choices == {0: "near", 1: "go"}
    assert stopped.policy == {0: "far", 1: "go"}
    stops = [Choice(name, 1, point_mass(END)) for name in ("first", "second")]
    walk = model({0: [Choice("worse", 0, point_mass(END)), *stops]})
    stopped = value_iteration(walk, 1)
    assert stopped.policy == stopped.last_choices == {0: "first"}
    # By hand: 1 + 1/3 + 1/9 + 1/27; the change of 1/27 is the first below 1/10.
    walk = model({0: [Choice("walk", 1, Distribution({0: 1, END: 2}))]})
    assert value_iteration(walk, "0.1").values[0] == mpq(40, 27)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"theta": 0}, "theta: got 0; expected a number above 0"),
    ({"theta": 0.1}, "theta: got 0.1; expected an exact number"),
    ({"theta": 1, "order": "random"}, "order: got 'random'"),
    ({"theta": 1, "most_sweeps": 0}, "most_sweeps: got 0"),
])  # fmt: skip
def test_arguments_are_checked(arguments, message):
    with pytest.raises(InputError, match=message):
        value_iteration(corridor(2), **arguments)
