"""The block solver and envelopes, against plain recursion over whole states at every score."""

from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import allocated
from swe_oracle import LADDERS, Oracle, reachable

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.model import as_game
from exactdice.games.swe.optimum import exact
from exactdice.games.swe.optimum.block import Box, PackedLines
from exactdice.games.swe.optimum.envelope import (
    Candidates,
    Piece,
    added,
    best,
    restricted,
    scaled,
    value_at,
)
from exactdice.games.swe.optimum.exact import memory_estimate, solve
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State, empty_table
from exactdice.models import optimum
from exactdice.run import Run
from exactdice.symbolic.ehrhart import Simplex


def agrees(solution, oracle, state, left):
    expected = oracle.worth(tuple(state), left)
    advice = solution.actions(state, left)
    values = {(a.action.kind.value, a.action.rung): to_fraction(a.value) for a in advice}
    assert values == expected
    top = max(expected.values())
    assert solution.value_at(state, left) == mpq(top.numerator, top.denominator)
    for action, value, regret, optimal in advice:
        assert regret == solution.value_at(state, left) - value
        assert optimal == (expected[action.kind.value, action.rung] == top)
    assert solution.optimal_action(state, left) == next(a.action for a in advice if a.optimal)
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("ladder", "rounds"), [
    (STANDARD, 8), (Ladder(4, 6, 8, 10, 12, 20), 7), (Ladder(2, 3), 9), (Ladder(2), 12),
    (Ladder(2, 3, 5), 8),
    (Ladder(2, 9), 8),  # nearly one in seven of its values bends in the score
])  # fmt: skip
def test_every_reachable_state_agrees_with_the_plain_recursion(ladder, rounds):
    oracle, solution = Oracle(ladder), solve(rounds, ladder)
    layers = reachable(oracle, tuple(empty_table(ladder)), rounds - 1)
    for played, layer in enumerate(layers):
        for state in map(State._make, layer):
            assert solution.covers(state, rounds - played)
            assert agrees(solution, oracle, state, rounds - played)


@settings(max_examples=25, deadline=None)
@given(ladder=LADDERS, rounds=st.integers(1, 5), data=st.data())
def test_any_start_agrees_with_the_plain_recursion(ladder, rounds, data):
    pools = st.lists(st.integers(0, 1), min_size=len(ladder), max_size=len(ladder)).map(tuple)
    start = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 30)))
    oracle, solution = Oracle(ladder), solve(rounds, ladder, start)
    assert agrees(solution, oracle, start, rounds)
    layers = reachable(oracle, tuple(start), min(rounds - 1, 2))
    for played, layer in enumerate(layers):
        for _ in range(3):
            state = State._make(data.draw(st.sampled_from(sorted(layer))))
            assert agrees(solution, oracle, state, rounds - played)


@settings(max_examples=25, deadline=None)
@given(left=st.integers(1, 5), data=st.data())
def test_unreachable_states_have_values_too(left, data):
    ladder = Ladder(3, 5)
    pools = st.tuples(st.integers(0, 2), st.integers(0, 2))
    state = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 99)))
    assert agrees(solve(5, ladder), Oracle(ladder), state, left)


@settings(max_examples=20, deadline=None)
@given(ladder=LADDERS, rounds=st.integers(3, 9), data=st.data())
def test_lines_and_choices_are_right_at_each_score(ladder, rounds, data):
    solution = solve(rounds, ladder)
    played = data.draw(st.integers(1, rounds - 1))
    layer = reachable(Oracle(ladder), tuple(empty_table(ladder)), played)[-1]
    state = State._make(data.draw(st.sampled_from(sorted(layer))))
    lines = solution.candidates(state, rounds - played).lines()
    choices = solution.choices(state, rounds - played)
    for intervals in (lines, choices):
        ends = [intervals[0].low - 1, *(interval.high for interval in intervals)]
        assert [interval.low for interval in intervals] == [end + 1 for end in ends[:-1]]
        assert intervals[0].low <= state.score <= intervals[-1].high
    for score in range(lines[0].low, lines[-1].high + 1):
        there = state._replace(score=score)
        line = next(line for line in lines if line.low <= score <= line.high)
        assert line.A + line.B * score == solution.value_at(there, rounds - played)
        choice = next(choice for choice in choices if choice.low <= score <= choice.high)
        optimal = [a.action for a in solution.actions(there, rounds - played) if a.optimal]
        assert list(choice.actions) == optimal


def test_blocks_are_the_points_of_the_simplex():
    for rounds, ladder in ((10, STANDARD), (13, Ladder(2, 4, 8))):
        solution = solve(rounds, ladder)
        simplex = Simplex(range(1, len(ladder) + 1), rounds)
        assert len(solution.afterstates) + 1 == simplex.size  # and the empty table
    calls = []
    solve(5, Ladder(4, 6), run=Run(progress=lambda *news: calls.append(news[1:])))
    levels = Simplex((1, 2), 5).level_counts()
    assert calls == [(sum(levels[level:]), sum(levels[1:])) for level in range(5, 0, -1)]


def test_values_of_few_rounds_and_of_a_skip():
    assert solve(0).value == 0
    assert solve(0, start=State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 7)).value == 7
    solution = solve(2)
    # 129/64 = 3/4 + (3/4)²·(1 + 3/2) + …
    assert repr(solution) == "Solution(2 rounds, Ladder(4, 6, 8, 12, 20), value 2.015625000)"
    # By hand: after one success two d4 roll, 3/4·((15/16)·1 + 3/2); after one failure 1/4·3/4.
    assert to_fraction(solution.value) == Fraction(3, 4) * (Fraction(15, 16) + Fraction(3, 2)) + (
        Fraction(1, 4) * Fraction(3, 4)
    )
    with pytest.raises(TypeError):
        solution.afterstates[1, 0, 0, 0, 0] = ()
    ladder = Ladder(2, 3)
    oracle, solution = Oracle(ladder), solve(7, ladder)
    for played, layer in enumerate(reachable(oracle, ((0, 0), (0, 0), 0), 5)):
        for state in map(State._make, layer):
            if not any(state.legacy):
                skip = solution.actions(state, 7 - played, skip=True)[-1]
                assert skip.action == Action(ActionKind.SKIP)
                assert not skip.optimal
                assert to_fraction(skip.value) == oracle.skipped(tuple(state), 7 - played)


def test_blocks_come_back_and_the_latest_are_kept(monkeypatch):
    solution = solve(6, Ladder(3, 4))
    seen = dict(solution.blocks())
    assert len(seen) == Simplex((1, 2), 5).size
    for dice, rounds in seen.items():
        for now in rounds:
            cell = now.block.cell(dice)
            if dice in solution.afterstates:
                denominator, envelope = solution.afterstates[dice][now.left - 1]
                numerators = [(p.A * now.denominator, p.B * now.denominator) for p in envelope]
                again = [(p.A * denominator, p.B * denominator) for p in now.after_move(cell)]
                assert numerators == again
    monkeypatch.setattr(exact, "_BLOCKS_KEPT", 2)
    solution = solve(4, Ladder(3, 4))
    first, second, third = (1, 0), (2, 0), (0, 1)
    kept, forgotten = solution.block_rounds(first), solution.block_rounds(second)
    assert solution.block_rounds(first) is kept
    solution.block_rounds(third)
    assert solution.block_rounds(first) is kept
    assert solution.block_rounds(second) is not forgotten


NONE = (0,) * 5


def test_games_and_states_beyond_the_memory_limit_are_rejected():
    heap = State((3,) * 5, (0,) * 5, 0)
    assert solve(5, run=Run(None)).value_at(heap, 3) == solve(3, start=heap).value


@pytest.mark.slow
@given(
    st.integers(1, 12),
    st.lists(st.integers(0, 9), min_size=2, max_size=2),
    st.lists(st.integers(0, 9), min_size=2, max_size=2),
)
def test_a_longer_game_needs_more_memory_and_so_do_more_dice(rounds, revenue, legacy):
    # A solution holds all that the same one with a round or a die less holds.
    ladder = Ladder(4, 6)
    needed = memory_estimate(rounds, ladder, State(revenue, legacy, 0))
    assert 0 < needed < memory_estimate(rounds + 1, ladder, State(revenue, legacy, 0))
    assert needed < memory_estimate(rounds, ladder, State((revenue[0] + 1, revenue[1]), legacy, 0))


@pytest.mark.parametrize("ladder", [Ladder(20), Ladder(9, 99)])
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_great_heap_of_legacy_agrees_with_the_plain_recursion(ladder, rounds):
    nothing = (0,) * len(ladder)
    start = State(nothing, (12 // len(ladder),) * len(ladder), 0)
    assert agrees(solve(rounds, ladder, start), Oracle(ladder), start, rounds)


@pytest.mark.slow
def test_estimated_memory_is_near_the_allocated_memory():
    most, _ = allocated(lambda: solve(18))
    assert 0.9 * most < memory_estimate(18, STANDARD, empty_table()) < 1.6 * most


_LADDERS = st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(
    lambda faces: Ladder(*sorted(faces))
)


@settings(deadline=None, max_examples=30)
@given(_LADDERS, st.integers(0, 5))
def test_a_model_has_the_values_and_optimal_actions_of_the_search(ladder, rounds):
    best, searched = optimum(as_game(rounds, ladder)), solve(rounds, ladder)
    best.certificate().check(best.model.game)
    assert best.value == searched.value
    for state, left in best.model.states:
        assert best.value_of((state, left)) == searched.value_at(state, left)
        if left:
            advice = searched.actions(state, left)
            optimal = tuple(str(each.action) for each in advice if each.optimal)
            assert best.optimal_actions((state, left)) == optimal


@settings(deadline=None, max_examples=30)
@given(_LADDERS, st.integers(0, 6), st.integers(0, 9))
def test_value_of_a_model_agrees_with_the_plain_recursion(ladder, rounds, score):
    start = empty_table(ladder)._replace(score=score)
    value = optimum(as_game(rounds, ladder, start)).value.exact
    assert to_fraction(value) == Oracle(ladder).value(tuple(start), rounds)


LOW, HIGH = 2, 25
NUMBERS = st.integers(-40, 40).map(mpz)


@st.composite
def envelopes(draw):
    starts = draw(st.lists(st.integers(LOW + 1, HIGH + 5), unique=True, max_size=4))
    return tuple(Piece(start, draw(NUMBERS), draw(NUMBERS)) for start in [LOW, *sorted(starts)])


@given(st.lists(envelopes(), min_size=1, max_size=4))
def test_best_and_choices_are_the_greatest_at_every_score(several):
    upper = best(several, LOW, HIGH)
    for score in range(LOW, HIGH + 1):
        assert value_at(upper, score) == max(value_at(one, score) for one in several)
    assert upper[0].start == LOW
    assert all(a.start < b.start and a[1:] != b[1:] for a, b in pairwise(upper))
    assert upper[-1].start <= HIGH
    actions = [Action(ActionKind.CREATE), *(Action(ActionKind.PROMOTE, i) for i in range(4))]
    worth = dict(zip(actions, several, strict=False))
    candidates = Candidates(mpz(7), worth, LOW, HIGH)
    choices, lines = candidates.choices(), candidates.lines()
    for score in range(LOW, HIGH + 1):
        top = max(value_at(one, score) for one in several)
        (choice,) = [c for c in choices if c.low <= score <= c.high]
        assert list(choice.actions) == [a for a, e in worth.items() if value_at(e, score) == top]
        (line,) = [one for one in lines if one.low <= score <= one.high]
        assert 7 * (line.A + line.B * score) == top
    assert all(a.actions != b.actions for a, b in pairwise(choices))


@given(st.lists(st.tuples(st.integers(0, 9).map(mpz), st.integers(0, 6), envelopes()), max_size=4))
def test_sums_of_shifted_envelopes_at_every_score(parts):
    total = added(parts, LOW, HIGH)
    for score in range(LOW, HIGH + 1):
        expected = sum(weight * value_at(one, score + shift) for weight, shift, one in parts)
        assert value_at(total, score) == expected


@given(envelopes(), st.integers(LOW, HIGH), st.integers(0, 9), st.integers(1, 5))
def test_restriction_and_scaling_change_no_value(envelope, low, length, factor):
    kept = restricted(scaled(envelope, mpz(factor)), low, low + length)
    for score in range(low, low + length + 1):
        assert value_at(kept, score) == factor * value_at(envelope, score)


BITS = 96
FACES = (2, 5, 9)
DICE = st.tuples(*[st.integers(0, 3)] * 3).filter(any)


@st.composite
def boxes(draw):
    dice = draw(DICE)
    box = Box(dice, FACES, BITS)
    numbers = st.lists(st.integers(0, 999), min_size=box.cells, max_size=box.cells)
    A, B = draw(numbers), draw(numbers)
    return box, A, B


def packed(box, numbers):
    return sum((mpz(number) << (cell * box.bits) for cell, number in enumerate(numbers)), mpz(0))


def splits(box):
    return [box.split(cell) for cell in range(box.cells)]


@given(boxes())
def test_cells_number_the_splits_and_rolls_sum_over_survivors(drawn):
    box, _, _ = drawn
    shape = [axis.number for axis in box.axes]
    # Rung 0 innermost: the reverse of the order in which product runs.
    expected = [k[::-1] for k in product(*(range(n + 1) for n in reversed(shape)))]
    assert splits(box) == expected
    assert [box.cell(split) for split in expected] == list(range(box.cells))
    box, A, B = drawn
    lines = PackedLines(packed(box, A), packed(box, B))
    rolled = box.roll(lines)
    shape = [(axis.number, axis.faces) for axis in box.axes]
    for cell, before in enumerate(splits(box)):
        expected_A = expected_B = 0
        for after in product(*(range(m + 1) for m in before)):
            ways = prod(
                comb(m, k) * (faces - 1) ** k * faces ** (number - m)
                for m, k, (number, faces) in zip(before, after, shape, strict=True)
            )
            end = box.cell(after)
            expected_A += ways * (A[end] + (sum(after) * B[end]))
            expected_B += ways * (B[end] if any(after) else 0)
        assert box.line(rolled, cell) == (expected_A, expected_B)
    assert box.roll_all(lines) == box.line(rolled, box.cells - 1)


@given(boxes(), st.integers(1, 50))
def test_best_fix_is_best_or_undecided(drawn, highest):
    box, A, B = drawn
    A, B = [a + 1 for a in A], list(B)  # a line of a real move is above 0
    lines = PackedLines(packed(box, A), packed(box, B))
    chosen, undecided = box.best_fix(lines, highest)
    top = box.highest_fix(lines)
    flagged = box.marked(undecided)
    for cell, split in enumerate(splits(box)):
        fixes = [
            cell + axis.cells for k, axis in zip(split, box.axes, strict=True) if k < axis.number
        ]
        if not fixes:
            assert box.line(chosen, cell) == box.line(top, cell) == (0, 0)
            continue
        assert box.line(top, cell) == (A[fixes[-1]], B[fixes[-1]])
        if cell not in flagged:
            a, b = box.line(chosen, cell)
            assert (a, b) in {(A[fix], B[fix]) for fix in fixes}
            assert all(a >= A[fix] for fix in fixes)
            assert all(a + highest * b >= A[fix] + highest * B[fix] for fix in fixes)


@given(boxes(), st.data())
def test_only_the_line_of_one_cell_is_replaced(drawn, data):
    box, A, B = drawn
    lines = PackedLines(packed(box, A), packed(box, B))
    cell = data.draw(st.integers(0, box.cells - 1))
    changed = box.with_line(lines, cell, mpz(1000), mpz(0))
    assert box.line(changed, cell) == (1000, 0)
    assert box.differing(lines, changed) == [cell]
    assert box.differing(lines, lines) == []
