"""Reachable scores and maxims against a search over whole states."""

from itertools import groupby

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from swe_oracle import Oracle, moves, reachable

from exactdice.games.swe.optimum import reachable as reachable_states
from exactdice.games.swe.optimum.block import ScoreBounds
from exactdice.games.swe.optimum.envelope import Candidates, Piece
from exactdice.games.swe.optimum.reachable import (
    can_be_reached,
    first_reached,
    layers,
    reachability,
    search_steps,
    split_weights,
    splits_of,
)
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    empty_table,
    weight,
)
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.studies.swe import maxims
from exactdice.studies.swe.maxims import MAXIMS, Maxim, settle
from exactdice.symbolic import count_points
from exactdice.symbolic.statements import Status


def states_of(layer):
    return {
        tuple(splits_of(dice).state(index, score))
        for dice, splits in layer.items()
        for index, scores in enumerate(splits)
        for score in range(scores.bit_length())
        if scores >> score & 1
    }


@settings(max_examples=20, deadline=None)
@given(rungs=st.integers(1, 3), rounds=st.integers(0, 6), data=st.data())
def test_layers_are_those_of_a_search_over_whole_states(rungs, rounds, data):
    ladder = Ladder(*range(2, 2 + rungs))
    pools = st.lists(st.integers(0, 1), min_size=rungs, max_size=rungs).map(tuple)
    start = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 9)))
    expected = reachable(Oracle(ladder), tuple(start), rounds)
    assert [states_of(layer) for layer in layers(rounds, start)] == expected


@settings(max_examples=60, deadline=None)
@given(rungs=st.integers(1, 3), rounds=st.integers(0, 6), data=st.data())
def test_bounds_of_scores_hold(rungs, rounds, data):
    pools = st.lists(st.integers(0, 2), min_size=rungs, max_size=rungs).map(tuple)
    start = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 9)))
    bounds = ScoreBounds.from_start(start)
    for played, layer in enumerate(layers(rounds, start)):
        for revenue, legacy, score in states_of(layer):
            dice = State(revenue, legacy).dice
            least = bounds.least(played, sum(revenue))
            assert least <= score <= bounds.greatest(played, dice, sum(revenue))


def test_the_greatest_score_of_all_play_from_an_empty_table_is_the_bound():
    # All play of nine rounds, listed state by state (theorem 26).
    greatest = {}
    start = empty_table()
    for played, layer in enumerate(reachable(Oracle(STANDARD), tuple(start), 9)):
        for revenue, legacy, score in layer:
            key = played, revenue, legacy
            greatest[key] = max(score, greatest.get(key, 0))
    bounds = ScoreBounds.from_start(start)
    for (played, revenue, legacy), score in greatest.items():
        assert score == bounds.greatest(played, State(revenue, legacy).dice, sum(revenue))


def test_reachable_scores_by_hand():
    # Three d4 after four rounds, one of them in revenue, by hand: three rounds create and one fixes
    # what failed before. If the first die fails in round 1, it is 0 + 1 + 2 + 1; if one fails in
    # round 2, 1 + 1 + 2 + 1; if one, two or three fail in round 3, 1 + 2 + 2 + 1, 1 + 2 + 1 + 1 or,
    # after a catastrophe, 1.
    *_, last = layers(4, empty_table())
    splits = splits_of((3, 0, 0, 0, 0))
    scores = last[3, 0, 0, 0, 0][splits.index((1, 0, 0, 0, 0))]
    assert [score for score in range(scores.bit_length()) if scores >> score & 1] == [1, 4, 5, 6]
    # It was in legacy before every round but its first: whatever failed before was a catastrophe.
    for option in ("", " --path"):
        rows = states(f"swe policy 13{option}")
        lone = [row for row in rows if tuple(row["revenue"]) == (1, 0, 0, 0, 0)]
        assert [(row["round"], row["low"], row["high"]) for row in lone] == [
            (now, 1, 1) for now in range(2, 14)
        ]

    def only_creates(played, state, action):
        return 0 if action.kind is ActionKind.PROMOTE else -1

    *_, last = layers(6, empty_table(Ladder(4, 6)), permitted=only_creates)
    assert set(last) == {(n, 0) for n in range(1, 7)}


@pytest.mark.slow
def test_states_are_reached_when_a_search_finds_them():
    ladder = Ladder(3, 5)
    reached = reachable(Oracle(ladder), ((0, 0), (0, 0), 0), 4)
    for played, layer in enumerate(reached):
        for revenue, legacy, _ in reached[-1] | {((0, 0), (0, 0), 0)}:
            for score in range(12):
                state = State(revenue, legacy, score)
                assert can_be_reached(state, played, ladder) == (tuple(state) in layer)
    reached = reachable(Oracle(ladder), ((0, 0), (0, 0), 0), 12)
    for revenue, legacy, _ in reached[3] | reached[0]:
        for score in range(6):
            state = State(revenue, legacy, score)
            # Weight 3 at most and score 5 at most: nothing new after 8 rounds, looked at up to 12.
            first = next((t for t, layer in enumerate(reached) if tuple(state) in layer), None)
            assert first_reached(state, ladder) == first


@pytest.mark.parametrize(("listed", "steps"), [(9, 4 * 22), (8, 4 * 9)])
def test_steps_are_a_lower_bound_if_dice_are_too_many_to_list(listed, steps, monkeypatch):
    """Of two d4 and a d6 over four rounds; nine sets of d4 and d6 weigh as much or less."""
    sets = [(a, b) for a in range(5) for b in range(3) if a + 2 * b <= 4]
    assert len(sets) == 9
    # Play makes them from any sets with no more dice and no more d6.
    sources = [(a, b) for a, b in sets if b <= 1 and a + b <= 3]
    assert sum((a + 1) * (b + 1) for a, b in sources) == 22
    monkeypatch.setattr(reachable_states, "_MAX_LISTED", listed)
    assert search_steps(State((2, 1), (0, 0), 3), 4) == steps


@pytest.mark.parametrize(("rungs", "rounds"), [(1, 6), (2, 6), (3, 6), (5, 6)])
def test_theorem_agrees_with_a_search(rungs, rounds):
    none = (0,) * rungs
    for played, layer in enumerate(reachable(Oracle(range(2, 2 + rungs)), (none, none, 0), rounds)):
        tables = {(revenue, legacy) for revenue, legacy, _ in layer}
        # all tables of this weight or less, except the empty one after the first round
        assert len(tables) == count_points(split_weights(rungs), played) - (played > 0)
        assert all(min(played, 1) <= weight(State(*table).dice) <= played for table in tables)


def test_weights_of_the_ten_dimensional_simplex():
    assert split_weights(5) == (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    statement = reachability(5)
    assert statement.status is Status.PROVED
    assert "t^{10}" in statement.latex


def states(command):
    table = ask(command).table("states")
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def played(oracle, rounds, *, optimally):
    """Yield each (round, revenue, legacy, score) that any play meets, or optimal play alone."""
    layer = {tuple(empty_table(Ladder(*oracle.faces)))}
    for now in range(1, rounds + 1):
        yield from ((now, *state) for state in layer)
        after = set()
        for revenue, legacy, score in layer:
            worth = oracle.worth((revenue, legacy, score), rounds - now + 1)
            for move, dice in moves(revenue, legacy).items():
                if not optimally or worth[move] == max(worth.values()):
                    after |= {state for _, state in oracle.ends(*dice, score)}
        layer = after


@pytest.mark.parametrize("path", [False, True])
def test_policy_lists_exactly_the_reachable_scores(path):
    option = " --path" if path else ""
    rows = states(f"swe policy 8 --ladder 2,9 --legacy{option}")
    reached = {}
    for now, revenue, legacy, score in played(Oracle(Ladder(2, 9)), 8, optimally=path):
        reached.setdefault((now, revenue, legacy), set()).add(score)
    spans = {}
    for row in rows:
        key = row["round"], tuple(row["revenue"]), tuple(row["legacy"])
        assert {row["low"], row["high"]} <= reached[key]
        spans.setdefault(key, []).append(range(row["low"], row["high"] + 1))
    assert spans.keys() == reached.keys()
    for key, scores in reached.items():
        assert all(sum(score in span for span in spans[key]) == 1 for score in scores)


def test_decisions_are_those_of_plain_search():
    """Wholly by plain search: by number of dice, the most robust dice last, and by rounds."""
    faces = (2, 9)
    oracle, first = Oracle(Ladder(*faces)), {}
    for now, revenue, legacy, score in played(oracle, 8, optimally=True):
        if not any(legacy):
            worth = oracle.worth((revenue, legacy, score), 9 - now)
            best = next(
                move for move in moves(revenue, legacy) if worth[move] == max(worth.values())
            )
            first.setdefault((revenue, now), {})[score] = f"{best[0]} d{faces[best[1]]}"
    varied = {revenue for (revenue, _), of in first.items() if set(of.values()) != {"create d2"}}
    expected = []
    for revenue, now in sorted(first, key=lambda at: (sum(at[0]), at[0][::-1], at[1])):
        of = first[revenue, now]
        stretches = [list(part) for _, part in groupby(sorted(of), of.get)]
        named = ", ".join(f"{n} d{f}" for n, f in zip(revenue, faces, strict=True) if n)
        if revenue in varied:
            expected += [
                (named, now, low, high, len(part), of[low], len(stretches) > 1)
                for part in stretches
                for low, high in [(part[0], part[-1])]
            ]
    assert any(row[-1] for row in expected)
    assert ask("swe policy 8 --ladder 2,9 --path --first").table("states").rows == tuple(expected)


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


def test_maxims_of_one_number_of_rounds_have_it_in_their_names():
    of_one = [maxim for maxim in MAXIMS if maxim.rounds]
    assert of_one
    assert all(maxim.name.startswith(f"{maxim.rounds} rounds: ") for maxim in of_one)


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


def test_skips_are_counted_and_better_ones_found():
    (verdict,) = settle(5, Ladder(2, 3), [maxims.NEVER_SKIP])
    assert verdict.holds
    assert verdict.cases == sum(
        not any(state[1])
        for rounds in range(1, 6)
        for layer in reachable(Oracle((2, 3)), ((0, 0), (0, 0), 0), rounds - 1)
        for state in layer
    )
    # On no ladder is it known to be, so made-up values stand in.
    create, skip = Action(ActionKind.CREATE), Action(ActionKind.SKIP)
    worth = {create: (Piece(0, mpz(6), mpz(1)),), skip: (Piece(0, mpz(0), mpz(3)),)}
    state = State((1, 0), (0, 0), 0)
    departures = list(maxims.NEVER_SKIP.departures(state, Candidates(mpz(1), worth, 0, 9)))
    assert departures == [maxims.Departure(4, 9, create, skip)]  # 3·s is above 6 + s from 4 on


def test_verdicts_about_shortest_and_longer_games():
    (verdict,) = settle(1, Ladder(2, 3), [maxims.NEVER_SKIP])
    assert (verdict.cases, verdict.occurs, verdict.holds_on_path) == (1, True, True)
    (verdict,) = settle(4, maxims=[maxims.ALWAYS_CREATE])
    assert verdict.holds is None
    assert (verdict.rounds, verdict.cases, verdict.exceptions) == (10, 3, 0)


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


def test_progress_counts_the_rounds_of_four_parts():
    """Of blocks solved, blocks asked, layers counted and games followed, four rounds each."""
    calls = []
    settle(4, Ladder(2, 3), run=Run(progress=lambda *news: calls.append(news[1:])))
    # Of d2 and d3 one set weighs 1, two weigh 2 and two 3, and three weigh 4: solved from the end.
    solved = [4 * done // 8 for done in (3, 5, 7, 8)]
    asked = [4 + weight for weight in (0, 1, 2, 2, 3, 3)]
    counted, followed = [8, 9, 10, 11], [13, 14, 15, 16]
    assert calls == [(done, 16) for done in solved + asked + counted + followed]


def test_claims_without_cases():
    # With the d4 alone nothing can be promoted, so creating is all there is and always optimal.
    verdicts = {verdict.maxim: verdict for verdict in settle(4, Ladder(4))}
    assert all(verdict.exceptions == 0 for verdict in verdicts.values())
    for maxim in (maxims.FIX_MOST_ROBUST, maxims.PROMOTE_LOWEST, maxims.PROMOTE_LOWEST_IF_ANY):
        verdict = verdicts[maxim]
        assert (verdict.cases, verdict.occurs) == (0, False)
        assert (verdict.holds, verdict.holds_on_path) == (None, None)
    assert verdicts[maxims.NEVER_SKIP].holds
    assert verdicts[maxims.NEVER_SKIP].holds_on_path
    # Optimal play of up to 11 rounds has d4 alone; off its path there are two kinds of dice.
    (verdict,) = settle(11, maxims=[maxims.PROMOTE_LOWEST_IF_ANY])
    assert verdict.cases > 0
    assert verdict.holds
    assert not verdict.occurs
    assert verdict.holds_on_path is None
