"""Simulated games: legal, repeatable, and within standard errors of the exact distribution."""

from random import Random

import numpy as np
import pytest
from gmpy2 import mpq, mpz
from measured import asking
from policy_oracle import Cautious

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.distributions import simulation
from exactdice.games.swe.distributions.evaluation import evaluate
from exactdice.games.swe.distributions.listed import Optimal, evaluate_optimal
from exactdice.games.swe.distributions.players import NewOnlyPolicy, policy_from_text
from exactdice.games.swe.distributions.simulation import Sample, simulate
from exactdice.games.swe.model import as_game, lookahead
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import Ladder
from exactdice.games.swe.sources import LEVELS, Figures
from exactdice.run import Run
from exactdice.solve.play import play, played, played_by_seed, total_regret
from exactdice.studies.swe.policies import mean_z_score, percentile_z_score


def test_the_same_random_seed_gives_the_same_games():
    def scores(seed):
        return simulate(policy_from_text("Rand(1/3)"), 12, 200, seed).scores.tolist()

    assert scores(4) == scores(4)
    assert scores(4) != scores(5)


def within(sample, evaluation, errors=5):
    """Mean and percentiles lie within so many standard errors of the exact distribution."""
    p = [sample.quantile(level) for level in LEVELS.values()]
    drawn = Figures(str(sample.mean), *p, sample.quantile(1))
    distances = [mean_z_score(drawn, evaluation, sample.games)]
    for figure, level in zip(p, LEVELS.values(), strict=True):
        distances.append(percentile_z_score(figure, level, evaluation.scores, sample.games))
    assert all(to_fraction(d.size.square) < errors**2 for d in distances)
    assert drawn.max <= evaluation.largest
    return True


@pytest.mark.parametrize(
    "name", ["NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "Rand(0.3)", "PromoThenNew(0.4)"]
)
def test_many_games_agree_with_the_exact_distribution(name):
    policy = policy_from_text(name)
    assert within(simulate(policy, 12, 20000, seed=1), evaluate(policy, 12))


def test_many_games_on_another_ladder_agree_with_the_exact_distribution():
    ladder = Ladder(2, 3, 7)
    policy = policy_from_text("Rand(0.5)")
    assert within(simulate(policy, 9, 20000, 2, ladder), evaluate(policy, 9, ladder))


def test_games_of_the_optimal_player_agree_with_its_exact_distribution():
    solution = solve(8, Ladder(2, 9))
    sample = simulate(Optimal(solution), 8, 20000, 3, solution.ladder)
    assert within(sample, evaluate_optimal(solution))


def test_games_of_a_policy_that_looks_at_the_score_agree_with_its_exact_distribution():
    assert within(simulate(Cautious(), 12, 20000, 4), evaluate(Cautious(), 12))


def test_single_games_agree_with_the_exact_distribution():
    def first(_moment, turn, _side):  # in the canonical order: NewOnly
        return turn[0].action

    game, draw = as_game(3), Random(1)  # noqa: S311
    sample = Sample.of([int(played(game, first, draw)) for _ in range(1000)])
    assert within(sample, evaluate(NewOnlyPolicy(), 3))


def test_games_are_played_in_batches(monkeypatch):
    monkeypatch.setattr(simulation, "BATCH", 30)
    steps = []
    sample = simulate(
        NewOnlyPolicy(), 4, 100, run=Run(progress=lambda *news: steps.append(news[1:]))
    )
    assert sample.games == 100
    assert steps == [(30, 100), (60, 100), (90, 100), (100, 100)]


@pytest.mark.parametrize("scores", [[0.5, 1.7], [1.0, 2.0], [3, -1], [True], [2**63], [], "x"])
def test_scores_that_are_no_natural_numbers_are_rejected(scores):
    with pytest.raises(InputError, match="scores: got"):
        Sample.of(scores)


def test_statistics_of_large_scores_are_exact():
    # By hand: mean 2^62 + 1, and both scores lie 1 away from it.
    sample = Sample.of([mpz(2**62), 2**62 + 2])
    assert (sample.mean, sample.variance) == (2**62 + 1, 2)


def test_statistics_of_a_sample_are_exact():
    sample = Sample.of(np.array([5, 1, 1, 3]))
    assert (sample.mean, sample.variance) == (mpq(5, 2), mpq(11, 3))  # by hand
    assert [sample.quantile(q) for q in ("0.01", "1/2", "0.51", "0.75", 1)] == [1, 1, 3, 3, 5]
    assert Sample.of([7]).variance == 0
    with pytest.raises(InputError, match="above 0"):
        sample.quantile(0)


@pytest.mark.parametrize(("rounds", "games", "seed"), [(-1, 1, 0), (1, 0, 0), (1, 1, -1)])
def test_bad_sizes_are_rejected(rounds, games, seed):
    with pytest.raises(InputError):
        simulate(NewOnlyPolicy(), rounds, games, seed)


def test_costs_of_choices_are_their_regrets():
    solution = solve(5)
    look, draw = lookahead(solution), Random(2)  # noqa: S311
    steps, _ = play(look, lambda moment, player, regrets: max(regrets, key=str), draw)
    for (_, moment, action, _), lost in ((step, step.regret.point) for step in steps):
        judged = {str(each.action): each.regret for each in solution.actions(*moment)}
        assert lost == judged[action]
    assert total_regret(steps).point > 0
    best, _ = played_by_seed(look, 2, None)
    assert [step.action for step in best] == [
        str(solution.optimal_action(*step.state)) for step in best
    ]
    assert total_regret(best).point == 0


def test_dice_are_rolled_with_fewer_than_two_to_the_62_faces():
    most = 2**62 - 1
    assert simulate(NewOnlyPolicy(), 1, 1, ladder=Ladder(4, most)).games == 1
    with pytest.raises(InputError, match=f"ladder: got {2**62}; expected fewer than 2"):
        simulate(NewOnlyPolicy(), 1, 1, ladder=Ladder(4, most + 1))


def test_the_scores_of_games_take_two_words_each():
    run, asked = asking()
    simulate(NewOnlyPolicy(), 1, 7, run=run)
    assert asked == [(7 * 2 * 8, "the scores of 7 games")]
