"""The coursework's class: the notebook's uses, exact mode and errors."""

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice.errors import InputError, TooLargeError
from exactdice.games.reroll import DiceGame, RerollRules, solve
from exactdice.studies.reroll.sources import COURSEWORK


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


def test_simulation_of_the_notebook_with_its_random_seed():
    """The notebook holds the lowest die of its first roll and then sticks."""
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


def test_analysis_of_the_notebook():
    game = DiceGame()
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


def test_modified_game_of_the_notebook():
    game = DiceGame(dice=4, sides=3, bias=np.array([0.1, 0.1, 0.8]), penalty=2)
    assert game.rules == RerollRules(dice=4, sides=3, bias=["1/10", "1/10", "8/10"], penalty=2)
    assert len(game.states) == 15
    exact = solve(game.rules)
    sweeps = notebook_solution(game, 1e-12)
    for state, (value, _) in sweeps.items():
        assert value == pytest.approx(
            int(exact.values[state].numerator) / int(exact.values[state].denominator)
        )


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


def test_fractions_are_shown_as_floats_unless_exact():
    arguments = {"dice": 2, "values": ["1/2", "0.1", 3], "penalty": "1/4"}
    game = DiceGame(**arguments)
    assert game.states[0] == (0.1, 0.1)
    assert game.get_next_states((0,), (0.1, 3))[2] == -0.25
    assert game.get_next_states((0, 1), (0.1, 0.5))[2] == 0.6
    exact = DiceGame(**arguments, exact=True)
    assert exact.states[0] == (mpq(1, 10), mpq(1, 10))
    assert exact.get_next_states((0, 1), (mpq(1, 10), mpq(1, 2)))[2] == mpq(3, 5)
    assert exact.get_next_states((0, 1), (mpq(1, 2), mpq(1, 2)))[2] == 1


def test_own_generator_does_not_change_numpys():
    np.random.seed(5)
    before = np.random.get_state()[1].copy()
    game = DiceGame(dice=5, sides=2, bias=["1/4", "3/4"], rng=np.random.default_rng(7))
    rolls = [value for _ in range(200) for value in game.reset()]
    assert (np.random.get_state()[1] == before).all()
    # 1000 dice, each 2 with probability 3/4: 750 expected, standard deviation 13.7; five of them.
    assert abs(rolls.count(2) - 750) < 69
    again = DiceGame(dice=5, sides=2, bias=["1/4", "3/4"], rng=np.random.default_rng(7))
    assert [value for _ in range(200) for value in again.reset()] == rolls


def test_playing_the_exact_policy_earns_the_exact_value():
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


def test_returned_objects_are_copies():
    game = DiceGame()
    states, _, _, chances = game.get_next_states((), (1, 1, 1))
    states.clear()
    chances[:] = 0
    assert len(game.get_next_states((), (1, 1, 1))[0]) == 56
    assert game.get_next_states((), (1, 1, 1))[3].sum() == pytest.approx(1)


@pytest.mark.parametrize(("act", "message"), [
    (
        lambda g: g.roll((3,)),
        r"hold: got \(3,\); expected a tuple of different positions from 0 to 2",
    ),
    (lambda g: g.roll((-1,)), r"hold: got \(-1,\)"),
    (lambda g: g.roll((0, 0)), r"hold: got \(0, 0\)"),
    # The notebook warns of the comma that makes a tuple of one.
    (lambda g: g.roll(0), r"hold: got 0; expected a tuple of positions, such as \(0,\)"),
    (lambda g: g.get_next_states((), 5), "dice_state: got 5; expected one of the states"),
    (lambda g: g.get_next_states((0, 7), (1, 1, 1)), r"action: got \(0, 7\)"),
    (lambda g: g.get_next_states((), (2, 1, 1)), r"dice_state: got \(2, 1, 1\)"),
    (
        lambda g: (g.roll((0, 1, 2)), g.roll(())),
        r"hold does not apply: the game is over; call reset\(\)",
    ),
])  # fmt: skip
def test_invalid_actions_are_rejected(act, message):
    with pytest.raises(InputError, match=message):
        act(DiceGame())


def test_too_many_actions_are_rejected():
    with pytest.raises(TooLargeError, match="dice: 50 dice have 1125899906842624 actions"):
        DiceGame(dice=50, sides=2)


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


def test_tolerance_for_sums_of_floats():
    """By 10^-8, with which numpy's own bound agrees; they are divided by their sum."""
    slack = mpq(1, 10**8)
    for missed in (slack, -slack):
        total = 1 + missed
        game = DiceGame(dice=1, bias=[0.5, 0.25, mpq(1, 4) + missed])
        assert game.rules.bias == (mpq(1, 2) / total, mpq(1, 4) / total, 1 - mpq(3, 4) / total)
        with pytest.raises(InputError, match=r"bias: .*; expected probabilities that sum to 1"):
            DiceGame(dice=1, bias=[0.5, mpq(1, 2) + missed * mpq(1001, 1000)])
    assert abs(1.5e-8 - np.sqrt(np.finfo(float).eps)) < 1e-9  # numpy's, of a square root


@pytest.mark.parametrize(("arguments", "message"), [
    ({"bias": [0.5, 0.4]}, "bias: .*; expected probabilities that sum to 1"),
    ({"bias": [float("nan"), 0.5]}, "bias: got nan; expected a finite number"),
    ({"bias": [0.5, "half"]}, "bias: got 'half'; expected a number"),
    ({"penalty": float("inf")}, "penalty: got inf; expected a finite number"),
    ({"bias": [0.5, 0.5], "exact": True}, r"bias: got 0\.5; expected an exact number"),
    ({"penalty": 0.5, "exact": True}, r"penalty: got 0\.5; expected an exact number"),
    ({"bias": ["1/2", "1/3"]}, "bias: got a sum of 5/6"), ({"penalty": -1}, "penalty: got -1"),
])  # fmt: skip
def test_invalid_games_are_rejected(arguments, message):
    with pytest.raises(InputError, match=message):
        DiceGame(**arguments)


@pytest.mark.parametrize("arguments", [{"values": 5}, {"bias": 0.5}, {"values": "123"}])
def test_invalid_lists_are_rejected(arguments):
    with pytest.raises(InputError, match="expected a list with one entry for each side"):
        DiceGame(**arguments)
