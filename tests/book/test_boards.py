"""The Royal Game of Ur with two and three pieces, against bounds by a program of another shape."""

import csv
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice.arithmetic import nearest_double
from exactdice.book import load
from exactdice.book.boards import climbed, einstein, movable, steps
from exactdice.book.shut_the_box import double_shutter
from exactdice.models import Other, optimum
from exactdice.solve.matrix_games import solve_matrix_game

UNIT = 1 << 40


def swept_bounds(pieces):
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
    sent = np.array([
        [
            place[waiting + 1, tuple(x for x in board if x != square)]
            if square in board and 5 <= square <= 12 else place[waiting, board]
            for waiting, board in sides
        ]
        for square in range(16)
    ])  # fmt: skip
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


def test_one_piece_is_worth_what_lies_within_the_bounds():
    low, high = swept_bounds(1)
    assert low <= load("ur", "one").answer().value.point <= high


@pytest.mark.parametrize(
    ("variant", "pieces"), [("two", 2), pytest.param("three", 3, marks=pytest.mark.long)]
)
def test_the_answer_that_is_kept_lies_within_the_bounds(variant, pieces):
    with (Path(__file__).parents[2] / "docs" / "book.csv").open(encoding="utf-8") as lines:
        (row,) = (r for r in csv.DictReader(lines) if (r["game"], r["variant"]) == ("ur", variant))
    low, high = swept_bounds(pieces)
    assert low <= mpq(row["lower"]) <= mpq(row["upper"]) <= high


def side(pieces):
    """A side from how far each piece has come: 0 where it waits, 15 where it is home."""
    return pieces.count(0), tuple(sorted(square for square in pieces if 0 < square < 15))


@pytest.mark.parametrize("number", range(60))
def test_pieces_step_as_the_rules_say(number):
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


def chance(size, stones, first, second):
    """The chance that the first player wins, who walks down and to the right."""

    @cache
    def wins(turn, sides):
        """Of who is to move; the sides are those of the first and of the second player."""
        mine, theirs = dict(sides[turn]), dict(sides[1 - turn])
        step = 1 if turn == 0 else -1
        goal = (size - 1, size - 1) if turn == 0 else (0, 0)
        total = Fraction(0)
        for number in range(stones):
            near = [number] if number in mine else []
            if not near:
                near += sorted(s for s in mine if s < number)[-1:]
                near += sorted(s for s in mine if s > number)[:1]
            best = Fraction(0)
            for stone in near:
                row, column = mine[stone]
                for down, right in ((0, step), (step, 0), (step, step)):
                    to = (row + down, column + right)
                    if not all(0 <= x < size for x in to):
                        continue
                    left = {s: at for s, at in mine.items() if at != to} | {stone: to}
                    against = {s: at for s, at in theirs.items() if at != to}
                    if to == goal or not against:
                        best = Fraction(1)
                        continue
                    now = tuple(sorted(left.items())), tuple(sorted(against.items()))
                    after = now if turn == 0 else now[::-1]
                    best = max(best, 1 - wins(1 - turn, after))
            total += best
        return total / stones

    return wins(0, (first, second))


def on_board(setup, size, *, turned):
    squares = [divmod(size * size - 1 - s if turned else s, size) for s in setup]
    return tuple(enumerate(squares))


@pytest.mark.parametrize(("size", "stones"), [(2, 1), (3, 1), (3, 2), (4, 1)])
def test_set_ups_are_worth_what_a_recursion_says(size, stones):
    corner = [0, 1, size][:stones]
    for mine in permutations(corner):
        for theirs in permutations(corner):
            value = optimum(einstein(size, stones, (mine, theirs))).value
            first = on_board(mine, size, turned=False)
            second = on_board(theirs, size, turned=True)
            assert (1 + value) / 2 == mpq(chance(size, stones, first, second))


def test_the_choice_of_set_ups_is_a_matrix_game_and_near_stones_move():
    best = optimum(einstein(3, 2))
    setups = list(permutations([0, 1]))
    matrix = [[optimum(einstein(3, 2, (a, b))).value for b in setups] for a in setups]
    assert best.value == solve_matrix_game(matrix).value
    # Bonnet and Viennot: with stones 1, 5 and 6 left, 2, 3 and 4 move either 1 or 5
    side = (0, -1, -1, -1, 1, 2)
    assert [movable(side, number) for number in range(6)] == [
        (0,), (0, 4), (0, 4), (0, 4), (4,), (5,),
    ]  # fmt: skip


@pytest.mark.long
def test_three_stones_on_nine_squares():
    mine, theirs = (
        [on_board(setup, 3, turned=turned) for setup in permutations([0, 1, 3])]
        for turned in (False, True)
    )
    matrix = [[2 * mpq(chance(3, 3, a, b)) - 1 for b in theirs] for a in mine]
    value = solve_matrix_game(matrix).value
    assert load("einstein").answer().value.point == (1 + value) / 2


def iterated(sides, lowest):
    """Mean turns from the empty board: secants for what a turn without gain is worth."""
    height = {
        total: lowest + 2 * (sides - 1 - abs(sides + 1 - total))
        for total in range(2, 2 * sides + 1)
    }
    rolls = Counter(
        frozenset(tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c)))
        for a, b, c, d in product(range(1, sides + 1), repeat=4)
    )

    def after(kept, run, pair):
        ends = []
        for order in (pair, pair[::-1]):
            now, moved = dict(run), False
            for total in order:
                full = kept.get(total, 0) + now.get(total, 0) >= height[total]
                if not full and (total in now or len(now) < 3):
                    now[total] = now.get(total, 0) + 1
                    moved = True
            if moved:
                ends.append(tuple(sorted(now.items())))
        return ends

    @cache
    def turns(kept_items):
        kept = dict(kept_items)
        if sum(kept[total] >= height[total] for total in kept) >= 3:
            return 0.0

        @cache
        def offered(run):
            return [
                (n, [e for p in pairs for e in after(kept, run, p)]) for pairs, n in rolls.items()
            ]

        @cache
        def stopped(run):
            steps = dict(run)
            total = tuple(sorted((t, kept.get(t, 0) + steps.get(t, 0)) for t in {*kept, *steps}))
            mirrored = tuple((2 * sides + 2 - t, number) for t, number in reversed(total))
            return turns(min(total, mirrored))

        def begun(bust):
            """A turn, where one without gain is worth so much."""

            @cache
            def held(run):
                return min(stopped(run), rolled(run)) if stopped(run) else 0.0

            def rolled(run):
                ways = (n * min(map(held, ends), default=bust) for n, ends in offered(run))
                return sum(ways) / sides**4

            return 1 + rolled(())

        before, value = 0.0, 10.0
        gap_before = begun(before)
        while abs(gap := begun(value) - value) > 1e-13:
            before, gap_before, value = (
                value, gap, value + gap * (value - before) / (gap_before - gap)
            )  # fmt: skip
        return value

    return turns(())


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", ["2-1", "2-2", "2-3", "3-1", pytest.param("3-2", marks=pytest.mark.long)]
)
def test_small_boards_take_what_iteration_says(variant):
    sides, lowest = map(int, variant.split("-"))
    value = nearest_double(load("cant-stop", variant).answer().value.middle)
    assert abs(iterated(sides, lowest) - value) < 1e-10


def test_runners_climb_as_the_rules_say():
    height = (1, 3, 5, 3, 1)
    nothing = (0,) * 5
    # a double climbs twice, or once where the top is reached
    assert climbed(height, (nothing, nothing), (2, 2)) == {(0, 0, 2, 0, 0)}
    assert climbed(height, (nothing, nothing), (0, 0)) == {(1, 0, 0, 0, 0)}
    # one runner is left for two columns: either; none is left: only where one stands
    assert climbed(height, (nothing, (1, 1, 0, 0, 0)), (2, 3)) == {(1, 1, 1, 0, 0), (1, 1, 0, 1, 0)}
    assert climbed(height, (nothing, (1, 1, 1, 0, 0)), (2, 3)) == {(1, 1, 2, 0, 0)}
    # finished columns take no step
    assert climbed(height, ((1, 3, 0, 0, 0), nothing), (0, 1)) == frozenset()


TWO = {total: 6 - abs(7 - total) for total in range(2, 13)}
ONE = dict.fromkeys(range(1, 7), 1)


def paid(columns):
    """The least mean; a back tile may be shut where the front one is gone, or goes with it."""

    @cache
    def least(tiles):
        free = sum(n for front, n in tiles if front or (True, columns + 1 - n) not in tiles)
        return min(mean(tiles, law) for law in ((TWO, ONE) if free <= 6 else (TWO,)))

    def mean(tiles, law):
        worth = Fraction(0)
        for total, ways in law.items():
            left = [
                tiles - frozenset(shut)
                for size in range(1, len(tiles) + 1)
                for shut in combinations(sorted(tiles), size)
                if sum(n for _, n in shut) == total
                and all(
                    front or (True, columns + 1 - n) in shut or (True, columns + 1 - n) not in tiles
                    for front, n in shut
                )
            ]
            stay = Fraction(sum(n * (1 + front) for front, n in tiles))
            worth += ways * min(map(least, left), default=stay)
        return worth / sum(law.values())

    return least(frozenset((front, n) for front in (True, False) for n in range(1, columns + 1)))


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_small_boxes_are_worth_what_a_recursion_over_sets_says(columns):
    assert optimum(double_shutter(columns), least=True).value == mpq(paid(columns))


@pytest.mark.long
def test_nine_columns_are_worth_what_was_printed():
    # danthemanhathaway.com/ProgProjects/ShutTheBox: 19.427
    variant = load("double-shutter")
    assert variant.numbers[0].verdict(variant.answer().value) == "confirmed"
