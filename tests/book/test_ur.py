"""The Royal Game of Ur with two and three pieces, against bounds by a program of another shape."""

import csv
import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice.book import load
from exactdice.book.boards import steps
from exactdice.models import Other

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
    ("variant", "pieces"), [("two", 2), pytest.param("three", 3, marks=pytest.mark.long)]
)
def test_the_answer_that_is_kept_lies_within_the_bounds(variant: str, pieces: int) -> None:
    with (Path(__file__).parents[2] / "docs" / "book.csv").open(encoding="utf-8") as lines:
        (row,) = (r for r in csv.DictReader(lines) if (r["game"], r["variant"]) == ("ur", variant))
    low, high = swept_bounds(pieces)
    assert low <= mpq(row["lower"]) <= mpq(row["upper"]) <= high


def side(pieces: list[int]) -> tuple[int, tuple[int, ...]]:
    """A side from how far each piece has come: 0 where it waits, 15 where it is home."""
    return pieces.count(0), tuple(sorted(square for square in pieces if 0 < square < 15))


@pytest.mark.parametrize("number", range(60))
def test_pieces_step_as_the_rules_say(number: int) -> None:
    """Of three a side, each piece by itself; the two meet on the squares from 5 to 12."""
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    mine, theirs = ([0, 0, 15, 15, *dice.sample(range(1, 15), 3)] for _ in range(2))
    mine, theirs = dice.sample(mine, 3), dice.sample(theirs, 3)
    theirs = [square for square in theirs if square not in mine or not 5 <= square <= 12]
    for roll in range(5):
        expected = {}
        for place, square in enumerate(mine):
            to = square + roll
            meets = 5 <= to <= 12 and to in theirs
            if square == 15 or not roll or to > 15 or (to < 15 and to in mine):
                continue
            if meets and to == 8:
                continue
            moved = side([*mine[:place], to, *mine[place + 1 :]])
            left = side([0 if meets and other == to else other for other in theirs])
            again = to in (4, 8, 14) or moved == (0, ())
            expected[square] = (moved, left, None) if again else Other((left, moved, None))
        found = steps(side(mine), side(theirs), roll)
        assert dict(found) == expected
        assert len(found) == len(expected)
