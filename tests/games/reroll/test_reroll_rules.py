"""The rules of the reroll game, the coursework's class, and breakpoints of the penalty."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import allocated, asking
from printed import REROLL_VALUE
from strategies import comes_back

from exactdice.errors import InputError, TooLargeError
from exactdice.games import reroll
from exactdice.games.reroll import DiceGame, RerollRules, best_score, solve
from exactdice.games.reroll import questions as room
from exactdice.games.reroll.rules import MAX_DICE
from exactdice.rooms import classes, question
from exactdice.run import Run
from exactdice.studies.reroll.breakpoints import penalty_intervals
from exactdice.studies.reroll.sources import COURSEWORK


@st.composite
def games(draw, most_dice=3, most_sides=4):
    sides = draw(st.integers(1, most_sides))
    values = draw(st.permutations(range(-2, 7)))[:sides]
    weights = draw(
        st.lists(st.integers(0, 3), min_size=sides, max_size=sides).filter(lambda w: sum(w) > 0)
    )
    return RerollRules(
        dice=draw(st.integers(1, most_dice)),
        values=values,
        bias=[Fraction(w, sum(weights)) for w in weights],
        penalty=draw(st.sampled_from(["1/3", 1, 2])),
    )


@pytest.mark.parametrize(("roll", "total"), [
    # The coursework: duplicates turn over, 1 to 6, 2 to 5, 3 to 4, and back.
    *COURSEWORK["totals"].items(),
    # Two ones become sixes beside a six that stays: 18 as well.
    ((1, 1, 6), 18), ((1, 4, 4), 7),
])  # fmt: skip
def test_duplicates_turn_over_on_an_ordinary_die(roll, total):
    assert RerollRules().stick_score(roll) == total


def test_rolls_of_the_coursework():
    rules, best = RerollRules(), COURSEWORK["best roll"]
    assert rules.stick_score(best) == COURSEWORK["best score"]
    assert max(map(rules.stick_score, rules.rolls)) == COURSEWORK["best score"]
    # The coursework: almost any other roll will beat three sixes, which add 3.
    rules = RerollRules()
    assert [roll for roll in rules.rolls if rules.stick_score(roll) <= 3] == [(1, 6, 6), (6, 6, 6)]


def test_values_and_bias_are_sorted_mirrored_and_have_defaults():
    rules = RerollRules(dice=2, values=[10, "1/2", 3])
    assert rules.values == (mpq(1, 2), 3, 10)
    assert rules.flipped((10, 10)) == (mpq(1, 2), mpq(1, 2))
    assert rules.flipped((3, 3)) == (3, 3)
    assert rules.flipped((mpq(1, 2), 10)) == (mpq(1, 2), 10)
    rules = RerollRules(values=[9, 2, 5], bias=["1/2", "1/3", "1/6"])
    assert (rules.values, rules.bias) == ((2, 5, 9), (mpq(1, 3), mpq(1, 6), mpq(1, 2)))
    assert RerollRules().sides == 6
    assert RerollRules(bias=["1/2", "1/2"]).values == (1, 2)
    assert RerollRules(values=[4, 8, 9]).bias == (mpq(1, 3),) * 3


@given(games(), st.data())
def test_outcomes_agree_with_single_dice(rules, data):
    hold = data.draw(st.sampled_from([*rules.partial_holds]))
    expected = Counter()
    for thrown in product(
        zip(rules.values, rules.bias, strict=True), repeat=rules.dice - len(hold)
    ):
        chance = mpq(1)
        for _, side_chance in thrown:
            chance *= side_chance
        expected[tuple(sorted((*hold, *(value for value, _ in thrown))))] += chance
    assert rules.outcomes(hold).probabilities() == {o: p for o, p in expected.items() if p}


@given(games(most_dice=4))
def test_holds_list_every_hold_with_its_first_action(rules):
    pairs = 0
    for roll in rules.rolls:
        first: dict[Any, Any] = {}
        for size in range(rules.dice + 1):
            for held in combinations(range(rules.dice), size):
                first.setdefault(tuple(roll[place] for place in held), held)
        assert {hold: action for action, hold in rules.holds(roll)} == first
        assert [action for action, _ in rules.holds(roll)] == list(first.values())
        pairs += len(first)
    assert rules.choices == pairs


@given(games(most_dice=4), st.data())
def test_ways_count_the_equivalent_actions(rules, data):
    roll = data.draw(st.sampled_from(rules.rolls))
    action = data.draw(st.sampled_from(rules.actions))
    assert rules.ways(roll, action) == len(rules.equivalent(roll, action))


def test_limits_on_numbers_and_actions():
    assert RerollRules(penalty="1e-999").penalty == mpq(1, 10**999)  # 10^999 has 1000 digits
    for arguments in ({"penalty": "1e-1000"}, {"values": [1, "1e1000"]}, {"values": ["-1e1000"]}):
        words = "got a number of 1001 digits; expected at most 1000 digits"
        with pytest.raises(InputError, match=words):
            RerollRules(**arguments)
    # By 10^-8, with which numpy's own bound agrees; they are divided by their sum.
    slack = mpq(1, 10**8)
    for missed in (slack, -slack):
        total = 1 + missed
        game = DiceGame(dice=1, bias=[0.5, 0.25, mpq(1, 4) + missed])
        assert game.rules.bias == (mpq(1, 2) / total, mpq(1, 4) / total, 1 - mpq(3, 4) / total)
        with pytest.raises(InputError, match=r"bias: .*; expected probabilities that sum to 1"):
            DiceGame(dice=1, bias=[0.5, mpq(1, 2) + missed * mpq(1001, 1000)])
    assert abs(1.5e-8 - np.sqrt(np.finfo(float).eps)) < 1e-9  # numpy's, of a square root


above_zero = st.fractions(min_value="1/1000", max_value=1000).map(str)
weights = st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True)
FIELDS = {
    "dice": st.integers(1, MAX_DICE), "sides": st.integers(1, 300), "penalty": above_zero,
    "tolerance": above_zero, "order": st.sampled_from(["synchronous", "in-place"]),
    "seed": st.integers(0, 10**30), "auto": st.booleans(),
}  # fmt: skip


@st.composite
def questions(draw, asked):
    fields = {}
    names = {parameter.field: parameter for parameter in asked.parameters()}
    for name in sorted(set(names) & set(FIELDS)):
        if names[name].is_required or draw(st.booleans()):
            fields[name] = draw(FIELDS[name])
    if "bias" in names and draw(st.booleans()):
        listed = draw(weights)
        fields["sides"] = len(listed)
        fields["bias"] = [f"{weight}/{sum(listed)}" for weight in listed]
        fields["values"] = [f"{-weight}/7" for weight in listed]
    return asked(**fields)


OWN = [asked for asked in classes("reroll") if asked.__module__ == room.__name__]


@pytest.mark.parametrize("asked", OWN, ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_round_trip(asked, data):
    made = data.draw(questions(asked))
    comes_back(made)


def test_text_and_determinism_of_questions():
    made = reroll.RerollPolicy(dice="4", bias=["0.1", "0.1", "0.8"], penalty=2)
    assert str(made) == "reroll policy --penalty 2 --dice 4 --bias 1/10,1/10,4/5"
    assert made == question("reroll policy --bias '1/10, 1/10,8/10' --penalty 2/1 --dice 4")
    assert not reroll.RerollPlay(seed=1).is_deterministic
    assert reroll.RerollPlay(seed=1).is_interactive
    assert reroll.RerollPlay(seed=1, auto=True).is_deterministic
    assert reroll.RerollPlay().seed != reroll.RerollPlay().seed  # alike with a chance of 2^-32


def notebook_solution(game, theta=0.1):
    """Value iteration as the notebook's solver does it: in place, first maximum kept.

    It reads the game only through `states`, `actions` and `get_next_states`, and takes the reward
    inside the loop over next states, also where the game is over.
    """
    best = {state: [0, None] for state in game.states}
    while True:
        largest = 0
        for state in game.states:
            expected = dict.fromkeys(game.actions, 0)
            for action in game.actions:
                following, over, reward, chances = game.get_next_states(action, state)
                for successor, chance in zip(following, chances, strict=True):
                    ahead = 0 if over else best[successor][0]
                    expected[action] += chance * (reward + ahead)
            value = max(expected.values())
            largest = max(largest, abs(value - best[state][0]))
            best[state] = [value, max(expected, key=lambda action: expected[action])]
        if largest < theta:
            return best


def test_simulation_and_analysis_of_the_notebook():
    # The notebook holds the lowest die of its first roll and then sticks.
    played = COURSEWORK["played"]
    np.random.seed(played["random seed"])
    game = DiceGame()
    assert game.get_dice_state() == played["first roll"]
    reward, dice, over = game.roll((0,))
    assert (reward, over) == (-1, False)
    assert dice == game.get_dice_state()
    assert dice[0] == 2 or 2 in dice
    reward, dice, over = game.roll((0, 1, 2))
    assert (reward, over) == (played["total"], True)
    assert sum(dice) == played["total"]
    assert game.score == played["score"]
    new = game.reset()
    assert game.score == 0
    assert new == game.get_dice_state()
    assert new in game.states
    assert len(game.states) == 56
    assert game.states[0:5] == [(1, 1, 1), (1, 1, 2), (1, 1, 3), (1, 1, 4), (1, 1, 5)]
    assert game.actions == [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    states, over, reward, chances = game.get_next_states((0,), (2, 3, 4))
    assert (over, reward) == (False, -1)
    assert len(states) == len(chances) == 21  # two dice are rolled: C(7, 2) multisets
    assert dict(zip(states, chances, strict=True))[(2, 2, 5)] == pytest.approx(2 / 36)
    assert chances.sum() == pytest.approx(1)
    _, over, reward, _ = game.get_next_states((0, 1, 2), (2, 2, 5))
    assert (over, reward) == (True, 15)


def test_values_of_the_notebook_s_class():
    game = DiceGame(dice=4, sides=3, bias=np.array([0.1, 0.1, 0.8]), penalty=2)
    assert game.rules == RerollRules(dice=4, sides=3, bias=["1/10", "1/10", "8/10"], penalty=2)
    assert len(game.states) == 15
    exact = solve(game.rules)
    sweeps = notebook_solution(game, 1e-12)
    for state, (value, _) in sweeps.items():
        assert value == pytest.approx(
            int(exact.values[state].numerator) / int(exact.values[state].denominator)
        )
    arguments = {"dice": 2, "values": ["1/2", "0.1", 3], "penalty": "1/4"}
    game = DiceGame(**arguments)
    assert game.states[0] == (0.1, 0.1)
    assert game.get_next_states((0,), (0.1, 3))[2] == -0.25
    assert game.get_next_states((0, 1), (0.1, 0.5))[2] == 0.6
    exact = DiceGame(**arguments, exact=True)
    assert exact.states[0] == (mpq(1, 10), mpq(1, 10))
    assert exact.get_next_states((0, 1), (mpq(1, 10), mpq(1, 2)))[2] == mpq(3, 5)
    assert exact.get_next_states((0, 1), (mpq(1, 2), mpq(1, 2)))[2] == 1
    game = DiceGame()
    states, _, _, chances = game.get_next_states((), (1, 1, 1))
    states.clear()
    chances[:] = 0
    assert len(game.get_next_states((), (1, 1, 1))[0]) == 56
    assert game.get_next_states((), (1, 1, 1))[3].sum() == pytest.approx(1)


@pytest.mark.parametrize("arguments", [{}, {"dice": 2}, {"dice": 2, "sides": 4, "penalty": 2}])
def test_exact_mode_gives_the_exact_policy_through_the_notebooks_solver(arguments):
    if not arguments:
        arguments = {"dice": 2, "values": [3, 1, 7], "bias": ["1/2", "1/4", "1/4"]}
    game = DiceGame(**arguments, exact=True)
    for state in game.states:
        for action in game.actions:
            _, _, reward, chances = game.get_next_states(action, state)
            assert sum(chances) == 1
            assert isinstance(reward, int)
    found = notebook_solution(game, mpq(1, 10**5))
    exact = solve(game.rules)
    for state, (value, action) in found.items():
        assert action in exact.ties[state]
        assert abs(value - exact.values[state]) < mpq(1, 1000)


def test_games_of_own_generators():
    np.random.seed(5)
    before = np.random.get_state()[1].copy()
    game = DiceGame(dice=5, sides=2, bias=["1/4", "3/4"], rng=np.random.default_rng(7))
    rolls = [value for _ in range(200) for value in game.reset()]
    assert (np.random.get_state()[1] == before).all()
    # 1000 dice, each 2 with probability 3/4: 750 expected, standard deviation 13.7; five of them.
    assert abs(rolls.count(2) - 750) < 69
    again = DiceGame(dice=5, sides=2, bias=["1/4", "3/4"], rng=np.random.default_rng(7))
    assert [value for _ in range(200) for value in again.reset()] == rolls
    policy, value = (solved := solve(RerollRules())).policy, solved.value
    game = DiceGame(rng=np.random.default_rng(11))
    games, total = 4000, 0
    for _ in range(games):
        dice, over = game.reset(), False
        while not over:
            _, dice, over = game.roll(policy[dice])
        total += game.score
    # The score's standard deviation is below 4, so the mean's is below 0.064; five of them.
    assert abs(mpq(total, games) - value) < mpq(32, 100)


@pytest.mark.parametrize(("act", "message"), [
    (
        lambda g: (g.roll((0, 1, 2)), g.roll(())),
        r"hold does not apply: the game is over; call reset\(\)",
    ),
])  # fmt: skip
def test_invalid_actions_are_rejected(act, message):
    with pytest.raises(InputError, match=message):
        act(DiceGame())


@pytest.mark.parametrize(("arguments", "most"), [
    ({}, 56),  # rolls: multisets of three faces
    ({"dice": 4, "sides": 2}, 16),  # actions: sets of four dice
])  # fmt: skip
def test_limit_on_states_and_actions(arguments, most, monkeypatch):
    monkeypatch.setattr("exactdice.games.reroll.dice_game._MAX_LISTED", most)
    game = DiceGame(**arguments)
    assert max(len(game.states), len(game.actions)) == most
    monkeypatch.setattr("exactdice.games.reroll.dice_game._MAX_LISTED", most - 1)
    listed = f"have {len(game.actions)} actions and {len(game.states)} states, and at most"
    with pytest.raises(TooLargeError, match=listed):
        DiceGame(**arguments)


GAMES = [
    {"dice": 2, "sides": 6},
    {"dice": 3, "sides": 3},
    {"dice": 2, "values": [1, 2, 10], "bias": ["1/2", "1/3", "1/6"]},
    {"dice": 2, "sides": 3, "bias": [0, "1/2", "1/2"]},  # rolls that never come up
]


@pytest.fixture(scope="module", params=GAMES, ids=str)
def game(request):
    return request.param, penalty_intervals(RerollRules(**request.param))


@given(penalty=st.fractions(min_value="1/500", max_value=12, max_denominator=500))
def test_intervals_solve_every_penalty(game, penalty):
    arguments, intervals = game
    exact = mpq(penalty.numerator, penalty.denominator)
    solved = solve(RerollRules(**arguments, penalty=exact))
    inside = [interval for interval in intervals if exact in interval]
    touching = [i for i in intervals if exact in (i.above, i.below)]
    assert len(inside) == 1 or len(touching) == 2
    for interval in inside or touching:
        assert interval.value(exact) == solved.value
        for roll, action in interval.policy.items():
            assert action in solved.ties[roll]
        if inside:
            assert interval.policy == solved.policy


def test_intervals_meet_and_are_reported(game):
    arguments, intervals = game
    assert repr(intervals) == f"PenaltyIntervals(rules={RerollRules(**arguments)!r})"
    assert intervals[0].above == 0
    assert (
        intervals[0].total == best_score(RerollRules(**arguments))[0]
    )  # nearly free: wait for the best
    assert (intervals[-1].below, intervals[-1].rerolls) == (None, 0)
    for left, right in pairwise(intervals):
        assert left.below == right.above
        assert left.below is not None
        assert left.value(left.below) == right.value(left.below)
        assert left.rerolls >= right.rerolls
        assert right.changed
        for roll in right.changed:
            assert left.policy[roll] != right.policy[roll]
    report = intervals.report()
    for row, interval in zip(report.table("intervals").rows, intervals, strict=True):
        above, below, total, rerolls, sticking = row
        middle = above + mpq(1, 10**9) if below is None else (above + below) / 2
        solved = solve(RerollRules(**arguments, penalty=middle))
        assert middle in interval
        assert total - middle * rerolls == solved.value
        assert sticking == solved.sticking_states
    expected = [
        (above.above, roll, below.policy[roll], above.policy[roll])
        for below, above in pairwise(intervals)
        for roll in above.changed
    ]
    assert list(report.table("changes").rows) == expected
    assert report.value("breakpoints") == len(intervals) - 1
    named = RerollRules(**arguments).conventions()
    del named["penalty"]
    assert report.provenance.conventions == named


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "sides"), [(3, 3), (3, 4)])
def test_memory_estimate_of_the_intervals(dice, sides):
    run, asked = asking()
    rules = RerollRules(dice=dice, sides=sides)
    penalty_intervals(rules)
    most, intervals = allocated(lambda: penalty_intervals(rules, run))
    assert len(intervals) > 1
    assert most < asked[0][0] < 2.5 * most


def test_breakpoints_of_known_games():
    told = []
    run = Run(progress=lambda *news: told.append(news))
    intervals = penalty_intervals(RerollRules(dice=1), run)
    assert told == [("rolls on which play sticks", n, 6) for n in range(1, 7)]
    assert str(intervals) == "6 intervals of the penalty"
    assert intervals[4:] == (intervals[4], intervals[5])
    assert len(intervals) == 6
    # Keeping v beats one more roll exactly where the penalty exceeds E[max(x - v, 0)].
    expected = sorted(sum((mpq(x - v, 6) for x in range(v + 1, 7)), mpq(0)) for v in range(1, 7))
    intervals = penalty_intervals(RerollRules(dice=1))
    assert [interval.above for interval in intervals] == expected
    # One coin of 1 and 2: a 1 is thrown again as long as that costs less than 1/2.
    below, above = penalty_intervals(RerollRules(dice=1, sides=2))
    end, some = mpq(1, 2), mpq(1, 10**9)
    for penalty, inside in (
        (mpq(0), (False, False)), (some, (True, False)), (end - some, (True, False)),
        (end, (False, False)), (end + some, (False, True)), (mpq(10**9), (False, True)),
    ):  # fmt: skip
        assert (penalty in below, penalty in above) == inside
    # Just above 1 the policy changes in the two states that a large θ gets wrong.
    intervals = penalty_intervals(RerollRules())
    (around,) = [interval for interval in intervals if mpq(1) in interval]
    after = intervals[intervals.index(around) + 1]
    assert after.changed == ((5, 5, 6), (5, 6, 6))
    assert around.value(mpq(1)) == mpq(REROLL_VALUE)
    for penalty, changed in ((around.below, True), (mpq(1), False)):
        solved = solve(RerollRules(penalty=penalty))  # at the breakpoint both policies are optimal
        for roll in after.changed:
            assert (after.policy[roll] in solved.ties[roll]) is changed
            assert around.policy[roll] in solved.ties[roll]
