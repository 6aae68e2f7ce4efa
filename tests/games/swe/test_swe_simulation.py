"""Simulated games: legal, repeatable, and within standard errors of the exact law."""

import numpy as np
import pytest
from gmpy2 import mpq, mpz
from measured import asking
from policy_oracle import Cautious

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.laws import simulation
from exactdice.games.swe.laws.evaluation import evaluate
from exactdice.games.swe.laws.listed import Optimal, evaluate_optimal
from exactdice.games.swe.laws.players import NewOnlyPolicy, policy_from_text
from exactdice.games.swe.laws.simulation import Environment, Sample, simulate
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.play import optimal_player, play
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    legal_actions,
    outcomes,
)
from exactdice.games.swe.sources import LEVELS, Figures
from exactdice.run import Run
from exactdice.studies.swe.readings import mean_z_score, percentile_z_score


def test_every_step_of_an_environment_is_a_possible_outcome():
    for seed in range(30):
        game = Environment(12, seed=seed)
        state = game.state
        while not game.done:
            actions = game.legal_actions()
            assert actions == legal_actions(state)
            after = game.step(actions[-1])
            # The distribution over whole states of exactdice.games.swe.outcomes.
            assert outcomes(state, actions[-1]).probability(after) > 0
            assert after == game.state
            state = after
        assert game.legal_actions() == []


def test_an_environment_refuses_what_is_not_legal():
    game = Environment(2)
    with pytest.raises(InputError, match="action: got promote 0; give one of create d4"):
        game.step(Action(ActionKind.PROMOTE, 0))
    over = Environment(0)
    assert over.done
    with pytest.raises(InputError, match="give one of none"):
        over.step(Action(ActionKind.CREATE))


def test_the_same_random_seed_gives_the_same_games():
    def scores(seed):
        return simulate(policy_from_text("Rand(1/3)"), 12, 200, seed).scores.tolist()

    assert scores(4) == scores(4)
    assert scores(4) != scores(5)
    first, second = Environment(5, seed=9), Environment(5, seed=9)
    for game in (first, second):
        while not game.done:
            game.step(game.legal_actions()[0])
    assert first.state == second.state


def within(sample, evaluation, errors=5):
    """Mean and percentiles lie within so many standard errors of the exact law."""
    p = [sample.quantile(level) for level in LEVELS.values()]
    drawn = Figures(str(sample.mean), *p, sample.quantile(1))
    distances = [mean_z_score(drawn, evaluation, sample.games)]
    for figure, level in zip(p, LEVELS.values(), strict=True):
        distances.append(percentile_z_score(figure, level, evaluation.law, sample.games))
    assert all(to_fraction(d.size.square) < errors**2 for d in distances)
    assert drawn.max <= evaluation.largest
    return True


@pytest.mark.parametrize(
    "name",
    ["NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "Rand(0.3)", "PromoThenNew(0.4)"],
)
def test_many_games_agree_with_the_exact_law(name):
    policy = policy_from_text(name)
    assert within(simulate(policy, 12, 20000, seed=1), evaluate(policy, 12))


def test_many_games_on_another_ladder_agree_with_the_exact_law():
    ladder = Ladder(2, 3, 7)
    policy = policy_from_text("Rand(0.5)")
    assert within(simulate(policy, 9, 20000, 2, ladder), evaluate(policy, 9, ladder))


def test_games_of_the_optimal_player_agree_with_its_exact_law():
    solution = solve(8, Ladder(2, 9))
    sample = simulate(Optimal(solution), 8, 20000, 3, solution.ladder)
    assert within(sample, evaluate_optimal(solution))


def test_games_of_a_policy_that_looks_at_the_score_agree_with_its_exact_law():
    assert within(simulate(Cautious(), 12, 20000, 4), evaluate(Cautious(), 12))


def test_single_games_agree_with_the_exact_law():
    scores = []
    for seed in range(3000):
        game = Environment(3, seed=seed)
        while not game.done:
            game.step(game.legal_actions()[0])  # the first in the canonical order: NewOnly
        scores.append(game.state.score)
    assert within(Sample.of(scores), evaluate(NewOnlyPolicy(), 3))


def test_games_are_played_in_batches(monkeypatch):
    monkeypatch.setattr(simulation, "BATCH", 30)
    steps = []
    sample = simulate(
        NewOnlyPolicy(), 4, 100, run=Run(progress=lambda *news: steps.append(news[1:]))
    )
    assert sample.games == 100
    assert steps == [(30, 100), (60, 100), (90, 100), (100, 100)]


@pytest.mark.parametrize("scores", [[0.5, 1.7], [1.0, 2.0], [3, -1], [True], [2**63], [], "x"])
def test_scores_that_are_no_natural_numbers_are_refused(scores):
    with pytest.raises(InputError, match="scores: got"):
        Sample.of(scores)


def test_a_sample_of_great_scores_is_described_exactly():
    # By hand: mean 2^62 + 1, and both scores lie 1 away from it.
    sample = Sample.of([mpz(2**62), 2**62 + 2])
    assert (sample.mean, sample.variance) == (2**62 + 1, 2)


def test_a_sample_is_described_exactly():
    sample = Sample.of(np.array([5, 1, 1, 3]))
    assert (sample.mean, sample.variance) == (mpq(5, 2), mpq(11, 3))  # by hand
    assert [sample.quantile(q) for q in ("0.01", "1/2", "0.51", "0.75", 1)] == [1, 1, 3, 3, 5]
    assert Sample.of([7]).variance == 0
    with pytest.raises(InputError, match="above 0"):
        sample.quantile(0)


@pytest.mark.parametrize(("rounds", "games", "seed"), [(-1, 1, 0), (1, 0, 0), (1, 1, -1)])
def test_bad_sizes_are_refused(rounds, games, seed):
    with pytest.raises(InputError):
        simulate(NewOnlyPolicy(), rounds, games, seed)


def test_costs_of_decisions_are_their_regrets():
    solution = solve(5)
    heard = []
    game = Environment(5, seed=2)
    worst = lambda situation: situation.actions[-1]  # noqa: E731
    decisions = play(game, solution, worst, heard.append)
    assert heard == decisions
    for decision in decisions:
        left = 5 - decision.situation.round + 1
        state = decision.situation.state
        best = solution.value_at(state, left)
        assert decision.value + decision.regret == best
        assert decision.best == solution.optimal_action(state, left)
    assert sum(decision.regret for decision in decisions) > 0
    again = play(Environment(5, seed=2), solution, optimal_player(solution))
    assert sum(decision.regret for decision in again) == 0


def test_a_game_is_judged_by_its_own_solution():
    with pytest.raises(InputError, match="the game that was solved"):
        play(Environment(4), solve(5), optimal_player(solve(5)))


def test_the_empty_table_is_where_a_game_begins():
    game = Environment(3)
    assert game.state == State((0,) * 5, (0,) * 5, 0)
    assert (game.round, game.rounds, game.ladder) == (1, 3, STANDARD)


def test_dice_are_rolled_with_fewer_than_two_to_the_62_faces():
    most = 2**62 - 1
    assert Environment(1, Ladder(4, most)).step(Action(ActionKind.CREATE)).dice == (1, 0)
    assert simulate(NewOnlyPolicy(), 1, 1, ladder=Ladder(4, most)).games == 1
    for play_once in (
        Environment,
        lambda rounds, ladder: simulate(NewOnlyPolicy(), rounds, 1, 0, ladder),
    ):
        with pytest.raises(InputError, match=f"ladder: got {2**62}; give fewer than 2"):
            play_once(1, Ladder(4, most + 1))


def test_the_scores_of_games_take_two_words_each():
    run, asked = asking()
    simulate(NewOnlyPolicy(), 1, 7, run=run)
    assert asked == [(7 * 2 * 8, "the scores of 7 games")]
