"""Envelopes against evaluation at every score."""

from itertools import pairwise, product
from math import comb, prod

from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st

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
from exactdice.games.swe.rules import Action, ActionKind

LOW, HIGH = 2, 25
NUMBERS = st.integers(-40, 40).map(mpz)


@st.composite
def envelopes(draw):
    starts = draw(st.lists(st.integers(LOW + 1, HIGH + 5), unique=True, max_size=4))
    return tuple(Piece(start, draw(NUMBERS), draw(NUMBERS)) for start in [LOW, *sorted(starts)])


@given(st.lists(envelopes(), min_size=1, max_size=4))
def test_best_is_the_greatest_at_every_score(several):
    upper = best(several, LOW, HIGH)
    for score in range(LOW, HIGH + 1):
        assert value_at(upper, score) == max(value_at(one, score) for one in several)
    assert upper[0].start == LOW
    assert all(a.start < b.start and a[1:] != b[1:] for a, b in pairwise(upper))
    assert upper[-1].start <= HIGH


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


@given(st.lists(envelopes(), min_size=1, max_size=4))
def test_choices_are_the_optimal_actions_at_every_score(several):
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
def test_cells_number_the_splits(drawn):
    box, _, _ = drawn
    shape = [axis.number for axis in box.axes]
    # Rung 0 innermost: the reverse of the order in which product runs.
    expected = [k[::-1] for k in product(*(range(n + 1) for n in reversed(shape)))]
    assert splits(box) == expected
    assert [box.cell(split) for split in expected] == list(range(box.cells))


@given(boxes())
def test_roll_is_the_sum_over_survivors(drawn):
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
