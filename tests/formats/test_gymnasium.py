"""Environments pass Gymnasium's checker, and quantecon solves the arrays as exactdice does."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from exactdice.book.pig import DIE, race
from exactdice.dice import Distribution, fair
from exactdice.formats import gymnasium as exported
from exactdice.models import Chance, Choice, End, Game, Other, Turn, expect, optimum, point_mass


def random_game(seed):
    """States that chance or a player leaves with payments, and two ends."""
    rng = Random(seed)  # noqa: S311
    states = [*range(5), "won", "lost"]

    def law():
        return Distribution({rng.choice(states): rng.randint(1, 3) for _ in range(3)})

    table = {"won": End(Fraction(7, 3)), "lost": End(-1)}
    for state in range(5):
        moves = [Choice(name, rng.randint(-2, 2), law()) for name in "abc"[: rng.randint(1, 3)]]
        table[state] = moves if rng.random() < 0.7 else Chance(Fraction(1, 3), law())
    return Game(0, table.__getitem__)


def by_iteration(arrays, factor):
    """Values of the arrays: fixed point of the greatest discounted sum, in floating point."""
    count = arrays["Q"].shape[1]
    values = np.zeros(count)
    for _ in range(400):
        sums = arrays["R"] + factor * arrays["Q"] @ values
        values = np.full(count, -np.inf)
        np.maximum.at(values, arrays["s_indices"], sums)
    return values


@pytest.mark.parametrize("seed", range(5))
def test_the_arrays_have_the_discounted_values_of_the_game(seed):
    game = random_game(seed)
    arrays = exported.transition_arrays(game)
    assert np.allclose(arrays["Q"].sum(axis=1), 1)
    right = expect(game, discount="9/10").value.exact
    assert abs(by_iteration(arrays, 9 / 10)[0] - float(right)) < 1e-9


@pytest.mark.slow  # numba compiles
@pytest.mark.parametrize("seed", range(10))
def test_quantecon_solves_the_arrays_as_exactdice_does(seed):
    markov = pytest.importorskip("quantecon.markov", reason="extra learning")
    game = random_game(seed)
    arrays = exported.transition_arrays(game)
    solved = markov.DiscreteDP(**arrays, beta=9 / 10).solve(method="policy_iteration")
    best = expect(game, discount="9/10")
    assert abs(solved.v[0] - float(best.value.exact)) < 1e-9
    model = game.explored()
    for number, state in enumerate(model.states):
        if model.actions[number] and len(best.optimal_actions(state)) == 1:
            assert model.actions[number][solved.sigma[number]] == best.action(state)


def test_the_other_player_needs_a_policy():
    game = race(5, DIE)
    best = optimum(game)
    arrays = exported.transition_arrays(game, policies={2: best})
    right = expect(game, policies={2: best}, discount="9/10").value.exact
    assert abs(by_iteration(arrays, 9 / 10)[0] - float(right)) < 1e-9
    turns = Game(0, lambda s: Turn(2, [Choice("pass", 1, point_mass(Other(0)))]))
    assert exported.transition_arrays(turns, player=2, policies={1: lambda _: "pass"})["R"][0] == -1


@pytest.mark.parametrize("game", [random_game(1), race(5, DIE)])
def test_an_environment_passes_the_checker_and_plays_by_the_rules(game):
    checker = pytest.importorskip("gymnasium.utils.env_checker", reason="extra learning")
    policies = {2: optimum(game)} if len(game.explored()) > 10 else {}
    env = exported.environment(game, policies=policies)
    checker.check_env(env, skip_render_check=True)
    arrays, rng = exported.transition_arrays(game, policies=policies), Random(1)  # noqa: S311
    law = {
        (s, a): (reward, row)
        for s, a, reward, row in zip(
            arrays["s_indices"], arrays["a_indices"], arrays["R"], arrays["Q"], strict=True
        )
    }
    seen, info = env.reset(seed=5)
    for _ in range(500):
        assert info == {"actions": sum(s == seen for s, _ in law)}
        action = rng.randrange(env.action_space.n)
        before, (seen, reward, over, cut, info) = seen, env.step(action)
        paid, row = law[before, action % sum(s == before for s, _ in law)]
        assert (reward, cut) == (paid, False)
        assert row[seen] > 0
        assert over == (seen == len(row) - 1)
        if over:
            seen, info = env.reset()


def test_draws_have_the_weights_of_the_rules():
    pytest.importorskip("gymnasium", reason="extra learning")
    toss = fair(4).map(lambda face: face > 1)
    env = exported.environment(Game("toss", lambda state: toss if state == "toss" else None))
    env.reset(seed=2)
    tosses = [(env.reset(), env.step(0)[0])[1] for _ in range(4000)]
    counts = sorted(tosses.count(each) for each in {*tosses})
    assert abs(counts[1] - 3000) < 140  # five standard deviations
