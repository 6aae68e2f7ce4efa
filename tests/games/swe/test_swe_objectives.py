"""Targets and rivals against a plain recursion over whole states."""

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import allocated, asking
from swe_oracle import Oracle, reachable

from exactdice.arithmetic import to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions.evaluation import exact_distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy, Promo, policy_from_text
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.objectives import (
    ScorePayoff,
    beating,
    beating_distribution,
    maximise,
    reaching,
)
from exactdice.games.swe.rules import STANDARD, Ladder, State, empty_table, weight
from exactdice.run import Run

LADDERS = st.lists(st.integers(2, 9), min_size=1, max_size=3, unique=True).map(
    lambda faces: Ladder(*sorted(faces))
)


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
    """Values and optimal actions in every state that play can reach."""
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


def test_the_score_itself_as_a_payoff_gives_the_optimum():
    # With the cap out of reach, E[u(score)] is the mean: the block solver with envelopes.
    for rounds in (4, 8, 12):
        worth = list(range(rounds * (rounds + 1) // 2 + 1))
        assert maximise(ScorePayoff.of(worth), rounds).value == solve(rounds).value


@pytest.mark.parametrize("name", ["NewOnly", "Promo", "PromoOnce", "Rand(0.5)"])
@pytest.mark.parametrize("target", [1, 10, 15, 20, 30])
def test_no_policy_reaches_a_target_more_often(name, target):
    best = maximise(reaching(target), 10).value
    assert exact_distribution(policy_from_text(name), 10).reaches(target).lower <= best


def test_the_best_response_to_a_policy_is_at_least_the_policy_itself():
    for policy in (NewOnlyPolicy(), Promo()):
        law = exact_distribution(policy, 8).distribution()
        assert maximise(beating_distribution(law, "1/2"), 8).value >= mpq(1, 2)


def test_beating_a_law_is_the_mixture_of_beating_its_scores():
    law = Distribution({0: 1, 2: 3, 5: 2})
    mixed = beating_distribution(law, "1/3")
    for score in range(8):
        parts = [
            law.probability(rival) * mpq(beating(rival, "1/3").numerators[min(score, rival + 1)], 3)
            for rival in law
        ]
        worth = mpq(mixed.numerators[min(score, mixed.cap)], mixed.denominator)
        assert worth == sum(parts)


def test_a_target_moves_the_choice_away_from_that_of_the_mean():
    aims, mean = maximise(reaching(45), 12), solve(12)
    states = [State((3, 1, 0, 0, 0), (0,) * 5, score) for score in range(5, 40)]
    chosen = [next(a.action for a in aims.actions(state, 5) if a.optimal) for state in states]
    assert chosen != [mean.optimal_action(state, 5) for state in states]


@pytest.mark.parametrize(
    "call",
    [
        lambda: reaching(-1),
        lambda: beating("x"),
        lambda: beating(3, 2),
        lambda: beating_distribution(Distribution({-1: 1, 2: 1})),
        lambda: beating_distribution(Distribution({mpq(1, 2): 1, 2: 1})),
        lambda: maximise(reaching(3), -1),
        lambda: maximise(reaching(3), 2).value_at(empty_table(), 3),
        lambda: maximise(reaching(3), 2).actions(empty_table(), 0),
        lambda: maximise(reaching(3), 2).actions(State((2, 0, 0, 0, 0), (0,) * 5), 1),
    ],
)
def test_bad_questions_are_refused(call):
    with pytest.raises(InputError):
        call()


def test_a_rival_with_too_high_a_score_is_refused_with_its_estimate():
    with pytest.raises(TooLargeError, match="GiB"):
        beating_distribution(Distribution({0: 1, 10**12: 1}))


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
def test_weighing_many_scores_asks_for_the_memory_that_the_interpreter_counts(weighed):
    run, asked = asking()
    most, _ = allocated(lambda: weighed(run))
    # The digits of numbers are GMP's: of a law the interpreter counts about half of what there is.
    assert 0.9 * most < asked[0][0] < 2.5 * most


def test_a_target_of_millions_is_refused_before_a_score_is_weighed():
    with pytest.raises(TooLargeError, match="the payoffs of 1000000 scores needs about"):
        reaching(1_000_000, Run(memory=10**6))


def test_a_game_that_does_not_fit_is_refused_with_its_estimate():
    with pytest.raises(TooLargeError, match="GiB"):
        maximise(reaching(5000), 40)


@pytest.mark.parametrize("now", [2, 5, 9])
def test_from_a_state_only_what_follows_it_is_solved_and_worth_the_same(now):
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


def test_progress_ends_with_the_last_block():
    # Blocks: 1 die at first; then two dice new or one promoted, and so on, as states are reached.
    for rounds in (1, 2, 4):
        news = []
        run = Run(progress=lambda *said: news.append(said[1:]))  # noqa: B023
        maximise(ScorePayoff.of([0, 1]), rounds, run=run)
        total = news[-1][1]
        assert news == [(done, total) for done in range(1, total + 1)]
