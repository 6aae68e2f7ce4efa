"""The Royal Game of Ur with two and three pieces, against bounds by a program of another shape."""

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice.book import load

UNIT = 1 << 40


def swept_bounds(pieces: int) -> tuple[mpq, mpq]:
    """Bounds of the chance of who begins, less than 2⁻³³ apart.

    All pairs of sides at once, as tables of numpy. The chance lies between 0 and 1, and a sweep
    that rounds down below and up above keeps it between.
    """
    sides = [
        (waiting, board)
        for number in range(pieces + 1)
        for board in combinations(range(1, 15), number)
        for waiting in range(pieces - number + 1)
    ]
    place = {side: number for number, side in enumerate(sides)}
    every, count = np.arange(len(sides)), len(sides)
    # for each square, what becomes of a side on which the other lands there
    sent = np.array(
        [
            [
                place[waiting + 1, tuple(x for x in board if x != square)]
                if square in board and 5 <= square <= 12 else place[waiting, board]
                for waiting, board in sides
            ]
            for square in range(16)
        ]
    )  # fmt: skip
    holds_center = np.array([8 in board for _, board in sides])
    after = np.full((4, pieces + 1, count, count), -1)  # pairs as the next to roll sees them
    is_other = np.zeros(after.shape, bool)
    for mine, (waiting, board) in enumerate(sides):
        for roll in range(1, 5):
            for choice, square in enumerate([0] * (waiting > 0) + list(board)):
                to = square + roll
                if to > 15 or to in board:
                    continue
                left = [x for x in board if x != square] + [to] * (to < 15)
                now = place[waiting - (square == 0), tuple(sorted(left))]
                again = to in (4, 8, 14)
                ends = now * count + every if again else sent[to] * count + now
                after[roll - 1, choice, mine] = np.where(holds_center & (to == 8), -1, ends)
                is_other[roll - 1, choice, mine] = not again
    cannot = (after == -1).all(axis=1)
    after[:, 0] = np.where(cannot, every * count + every[:, None], after[:, 0])
    is_other[:, 0] |= cannot
    home, start = place[0, ()], place[pieces, ()]
    low, high = np.zeros((count, count), np.int64), np.full((count, count), UNIT)
    while high[start, start] - low[start, start] >= UNIT >> 33:
        bounds = []
        for same, other, up in ((low, high, 0), (high, low, 15)):
            total = UNIT - other.T + up
            for weight, ends, turned in zip((4, 6, 4, 1), after, is_other, strict=True):
                worths = np.where(turned, UNIT - other.ravel()[ends], same.ravel()[ends])
                total = total + weight * np.where(ends < 0, -1, worths).max(axis=0)
            bounds.append(total >> 4)
            bounds[-1][home], bounds[-1][:, home] = UNIT, 0
        low, high = bounds
    return mpq(int(low[start, start]), UNIT), mpq(int(high[start, start]), UNIT)


def test_one_piece_is_worth_what_lies_within_the_bounds() -> None:
    low, high = swept_bounds(1)
    assert low <= load("ur", "one").answer().value.point <= high  # type: ignore[operator]


@pytest.mark.parametrize(
    ("variant", "pieces"), [("two", 2), pytest.param("three", 3, marks=pytest.mark.slow)]
)
def test_the_answer_that_is_kept_lies_within_the_bounds(variant: str, pieces: int) -> None:
    with (Path(__file__).parents[2] / "docs" / "book.csv").open(encoding="utf-8") as lines:
        (row,) = (r for r in csv.DictReader(lines) if (r["game"], r["variant"]) == ("ur", variant))
    low, high = swept_bounds(pieces)
    assert low <= mpq(row["lower"]) <= mpq(row["upper"]) <= high
