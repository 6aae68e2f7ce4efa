"""Verdicts against a search over whole states that knows nothing of blocks."""

import pytest
from gmpy2 import mpq, mpz
from swe_oracle import Oracle, moves, reachable

from exactdice.errors import InputError
from exactdice.games.swe.optimum.envelope import Candidates, Piece
from exactdice.games.swe.optimum.reachable import can_be_reached
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State
from exactdice.run import Run
from exactdice.studies.swe import maxims
from exactdice.studies.swe.maxims import MAXIMS, Maxim, settle


def claimed_action(name, state, worth):
    """What a maxim says about a state: the claimed move, and the moves it must not fall behind.

    None where it says nothing. Written from the words, on whole states.
    """
    _, legacy, _ = state
    promotions = {move for move in worth if move[0] == "promote"}
    lowest = min(promotions, default=None)
    if name == "fix the most robust":
        fixes = [move for move in worth if move[0] == "fix"]
        return (max(fixes), set(worth)) if len(fixes) > 1 else None
    if any(legacy):
        return None
    if name == "promote the lowest":
        return (lowest, promotions) if len(promotions) > 1 else None
    if name == "promote the lowest, where promoting":
        if len(promotions) < 2:
            return None
        best = max(worth.values())
        promoting = any(worth[move] == best for move in promotions)
        return (lowest, set(worth)) if promoting else (lowest, {lowest})
    if name == "10 rounds: always create":
        return ("create", 0), set(worth)
    raise AssertionError(name)


def searched(ladder, rounds, name, game=None):
    """(cases, exceptions, smallest counterexample, smallest and cases on the path) by search."""
    oracle = Oracle(ladder)
    empty = ((0,) * len(ladder), (0,) * len(ladder), 0)
    cases, exceptions, on_path, cases_on_path = 0, [], [], 0
    for length in [game] if game else range(1, rounds + 1):
        layers = reachable(oracle, empty, length - 1)
        optimal = {empty}
        for played, layer in enumerate(layers):
            after = set()
            for state in layer:
                worth = oracle.worth(state, length - played)
                named = claimed_action(name, state, worth)
                if state in optimal:
                    after |= followers(oracle, state, worth)
                if named:
                    cases += 1
                    cases_on_path += state in optimal
                    move, others = named
                    if any(worth[other] > worth[move] for other in others):
                        dice = tuple(map(sum, zip(*state[:2], strict=True)))
                        weight = sum(i * n for i, n in enumerate(dice, 1))
                        key = (length, played, weight, dice, state[0], state[2])
                        exceptions.append(key)
                        if state in optimal:
                            on_path.append(key)
            optimal = after
    smallest, smallest_on_path = min(exceptions, default=None), min(on_path, default=None)
    return cases, len(exceptions), smallest, smallest_on_path, cases_on_path


def followers(oracle, state, worth):
    best = max(worth.values())
    return {
        after
        for move, dice in moves(*state[:2]).items()
        if worth[move] == best
        for _, after in oracle.ends(*dice, state[2])
    }


def key(example):
    if example is None:
        return None
    dice = example.state.dice
    weight = sum(i * n for i, n in enumerate(dice, 1))
    return (
        example.rounds, example.played, weight, dice, example.state.revenue, example.state.score,
    )  # fmt: skip


BY_NAME = {maxim.name: maxim for maxim in MAXIMS}


@pytest.mark.parametrize(("ladder", "rounds"), [
    (STANDARD, 7), (Ladder(2, 3, 5), 7), (Ladder(2, 9), 7), (Ladder(2, 3, 20), 6),
    (Ladder(2, 3, 4, 30), 5),
])  # fmt: skip
@pytest.mark.parametrize(
    "name", ["fix the most robust", "promote the lowest", "promote the lowest, where promoting"]
)
def test_verdict_is_that_of_a_search_over_whole_states(ladder, rounds, name):
    (verdict,) = settle(rounds, ladder, [BY_NAME[name]])
    cases, exceptions, smallest, on_path, met = searched(ladder, rounds, name)
    assert (verdict.cases, verdict.exceptions) == (cases, exceptions)
    assert key(verdict.counterexample) == smallest
    assert key(verdict.on_path) == on_path
    assert verdict.occurs == (met > 0)
    assert verdict.holds == ((smallest is None) if cases else None)
    assert verdict.holds_on_path == ((on_path is None) if met else None)


@pytest.mark.parametrize("ladder", [Ladder(2, 9), Ladder(2, 3, 5)])
def test_verdict_about_one_game_is_that_of_a_search(ladder):
    rule = BY_NAME["10 rounds: always create"]
    shorter = Maxim(rule.name, rule.statement, rule.applies, rule.departures, rounds=6)
    (verdict,) = settle(8, ladder, [shorter])
    cases, exceptions, smallest, on_path, met = searched(ladder, 8, rule.name, game=6)
    assert (verdict.cases, verdict.exceptions) == (cases, exceptions)
    assert key(verdict.counterexample) == smallest
    assert key(verdict.on_path) == on_path
    assert verdict.occurs == (met > 0)


def test_smallest_counterexample_to_promoting_the_lowest():
    (verdict,) = settle(8, maxims=[maxims.PROMOTE_LOWEST])
    example = verdict.counterexample
    # The search over whole states above finds the same; an independent exact program noted the
    # same dice in round 6 with score 8.
    assert (example.rounds, example.played) == (6, 5)
    assert example.state == State((0, 1, 1, 0, 0), (0,) * 5, 7)
    # By hand: in the last round the survivors count 5/6 + 7/8 with the dice as they are; promoting
    # changes one factor, and the score of 7 is lost when both fail.
    lowest = 7 * (1 - mpq(1, 64)) + 2 * mpq(7, 8)
    other = 7 * (1 - mpq(1, 72)) + mpq(5, 6) + mpq(11, 12)
    assert example.loss == other - lowest
    assert can_be_reached(example.state, 5)


def test_never_skip_counts_every_state_without_legacy():
    (verdict,) = settle(5, Ladder(2, 3), [maxims.NEVER_SKIP])
    assert verdict.holds
    assert verdict.cases == sum(
        not any(state[1])
        for rounds in range(1, 6)
        for layer in reachable(Oracle((2, 3)), ((0, 0), (0, 0), 0), rounds - 1)
        for state in layer
    )


def test_a_game_of_one_round_is_on_the_path():
    (verdict,) = settle(1, Ladder(2, 3), [maxims.NEVER_SKIP])
    assert (verdict.cases, verdict.occurs, verdict.holds_on_path) == (1, True, True)


def test_a_better_skip_is_found():
    """On no ladder is it known to be, so made-up values stand in."""
    create, skip = Action(ActionKind.CREATE), Action(ActionKind.SKIP)
    worth = {create: (Piece(0, mpz(6), mpz(1)),), skip: (Piece(0, mpz(0), mpz(3)),)}
    state = State((1, 0), (0, 0), 0)
    departures = list(maxims.NEVER_SKIP.departures(state, Candidates(mpz(1), worth, 0, 9)))
    assert departures == [maxims.Departure(4, 9, create, skip)]  # 3·s is above 6 + s from 4 on


@pytest.mark.parametrize("rounds", [2, 3, 12])
def test_promoting_whenever_possible_fails_in_the_last_round_of_any_game(rounds):
    once, always = settle(rounds, maxims=[maxims.PROMOTE_ONCE, maxims.PROMOTE_ALWAYS])
    for verdict in (once, always):
        assert verdict.holds is False
        assert not verdict.complete
        assert verdict.cases == rounds - 1
        assert verdict.counterexample == verdict.on_path
        assert verdict.counterexample.state == State((1, 0, 0, 0, 0), (0,) * 5, 1)
        assert verdict.counterexample.better == Action(ActionKind.CREATE)
    assert always.counterexample.rounds == 100
    (one,) = settle(2, maxims=[maxims.PROMOTE_ALWAYS])
    # By hand, one round left, a d4 and a score of 1: two d4 give 15/16 + 3/2, a d6 5/6·(1 + 1).
    assert one.counterexample.played == 99
    assert one.counterexample.loss == mpq(39, 16) - mpq(5, 3)


def test_claims_about_longer_games_may_stay_open():
    (verdict,) = settle(4, maxims=[maxims.ALWAYS_CREATE])
    assert verdict.holds is None
    assert (verdict.rounds, verdict.cases, verdict.exceptions) == (10, 3, 0)


def test_rounds_must_be_at_least_one():
    with pytest.raises(InputError, match="rounds"):
        settle(0)


def test_progress_counts_the_rounds_of_four_parts():
    """Of blocks solved, blocks asked, layers counted and games followed, four rounds each."""
    calls = []
    settle(4, Ladder(2, 3), run=Run(progress=lambda *news: calls.append(news[1:])))
    # Of d2 and d3 one set weighs 1, two weigh 2 and two 3, and three weigh 4: solved from the end.
    solved = [4 * done // 8 for done in (3, 5, 7, 8)]
    asked = [4 + weight for weight in (0, 1, 2, 2, 3, 3)]
    counted, followed = [8, 9, 10, 11], [13, 14, 15, 16]
    assert calls == [(done, 16) for done in solved + asked + counted + followed]


def test_claims_about_promotions_have_no_cases_on_a_ladder_of_one_die():
    # With the d4 alone nothing can be promoted, so creating is all there is and always optimal.
    verdicts = {verdict.maxim: verdict for verdict in settle(4, Ladder(4))}
    assert all(verdict.exceptions == 0 for verdict in verdicts.values())
    for maxim in (maxims.FIX_MOST_ROBUST, maxims.PROMOTE_LOWEST, maxims.PROMOTE_LOWEST_IF_ANY):
        verdict = verdicts[maxim]
        assert (verdict.cases, verdict.occurs) == (0, False)
        assert (verdict.holds, verdict.holds_on_path) == (None, None)
    assert verdicts[maxims.NEVER_SKIP].holds
    assert verdicts[maxims.NEVER_SKIP].holds_on_path


def test_path_of_creating_has_no_choice_of_promotions():
    # Optimal play of up to 11 rounds has d4 alone; off its path there are two kinds of dice.
    (verdict,) = settle(11, maxims=[maxims.PROMOTE_LOWEST_IF_ANY])
    assert verdict.cases > 0
    assert verdict.holds
    assert not verdict.occurs
    assert verdict.holds_on_path is None
