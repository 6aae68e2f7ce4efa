"""Board games, Qwixx, the bear-off and sets of dice against programs of another shape."""

import csv
import random
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from itertools import chain, combinations, combinations_with_replacement, permutations, product

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.arithmetic import decimal, nearest_double
from exactdice.book import backgammon as module
from exactdice.book import load
from exactdice.book.backgammon import ROLLS, EquityTable, bear_off, borne
from exactdice.book.boards import cant_stop, climbed, einstein, movable, steps
from exactdice.book.qwixx import NEW, Qwixx
from exactdice.book.sets_of_dice import (
    EFRON,
    FIVE,
    FOUR,
    GRIME,
    MIWIN,
    THREE,
    higher,
    orders,
    relabelled,
)
from exactdice.book.shut_the_box import double_shutter
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import Other, optimum
from exactdice.run import Run
from exactdice.solve.matrix_games import solve_matrix_game
from exactdice.solve.play import Lookahead

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


@pytest.mark.parametrize(("variant", "pieces"), [
    ("one", 1), ("two", 2), pytest.param("three", 3, marks=pytest.mark.long)
])  # fmt: skip
def test_answers_of_ur_lie_within_the_bounds(variant, pieces):
    if variant == "one":
        value = load("ur", "one").answer().value
    else:
        with files("exactdice.book").joinpath("answers.csv").open(encoding="utf-8") as lines:
            rows = {(row["game"], row["variant"]): row for row in csv.DictReader(lines)}
        value = Enclosure(*(mpq(rows["ur", variant][end]) for end in ("lower", "upper")))
    low, high = swept_bounds(pieces)
    assert low <= value.lower <= value.upper <= high


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
        assert (dict(found), len(found)) == (expected, len(expected))


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


def test_the_choice_of_set_ups_is_a_matrix_game():
    best = optimum(einstein(3, 2))
    setups = list(permutations([0, 1]))
    matrix = [[optimum(einstein(3, 2, (a, b))).value for b in setups] for a in setups]
    assert best.value == solve_matrix_game(matrix).value


def test_near_stones_move():
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
    sums = range(2, 2 * sides + 1)
    height = {total: lowest + 2 * (sides - 1 - abs(sides + 1 - total)) for total in sums}
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
            ends = ((n, (after(kept, run, p) for p in pairs)) for pairs, n in rolls.items())
            return [(n, [*chain(*each)]) for n, each in ends]

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
            secant = value + gap * (value - before) / (gap_before - gap)
            before, gap_before, value = value, gap, secant
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
    assert cant_stop(3, 1).initial == (nothing, nothing)  # two dice of three sides have five sums
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


needs_module = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@cache
def best(game):
    return optimum(game.game())


@pytest.mark.slow
@needs_module
@pytest.mark.parametrize("plays_on", [False, True])
def test_small_boards_and_nearly_full_sheets_are_worth_what_their_moves_are(plays_on):
    game = Qwixx(sides=2, needed=2, penalties=1, plays_on=plays_on)
    [value], states = game.values(NEW)
    assert value == best(game).value
    # between turns, up to exchanging like rows, and both kinds of them, at most one row is locked
    rows = [(0, 0), (1, 1), (2, 1), (2, 2), (3, 3)]
    kinds = {
        frozenset(Counter(tuple(sorted(pair)) for pair in (sheet[:2], sheet[2:])).items())
        for sheet in product(rows, repeat=4)
        if sheet.count((3, 3)) < 2
    }
    assert states == len(kinds)
    game = Qwixx(sides=3, needed=2, penalties=2, plays_on=plays_on)
    sheets = [
        (((4, 3), (4, 2), (4, 3), (4, 1)), 1), (((3, 2), (4, 2), (5, 3), (3, 1)), 0),
        (((3, 2), (4, 2), (2, 2), (4, 3)), 1), (((5, 4), (5, 5), (0, 0), (1, 1)), 1),
    ]  # fmt: skip
    values, _ = game.values(*sheets)
    assert values == [optimum(game.game(sheet)).value for sheet in sheets]


def test_a_roll_offers_what_the_rules_say_and_no_game_has_more_turns_than_are_counted():
    # two white ones, 6 and 5, and a red 6: red 11, 12 and both want more crosses or are to the left
    game = Qwixx()
    sheet = (((10, 5), (10, 4), (10, 9), (11, 6)), 2)
    ends = game.options(sheet, (6, 5, 6, 6, 1, 1))
    rows = sheet[0]
    # red 12 locks after five crosses, yellow's 12 wants one more; green 2 is never 6 + 1
    assert ends == {(rows, 3), (((11, 6), *rows[1:]), 2)}
    # whites 1 and 1 lock green; that was the second lock, and the red 1 comes too late
    sheet = ((0, 0), (0, 0), (10, 9), (11, 6)), 0
    ends = game.options(sheet, (1, 1, 2, 6, 6, 6))
    locked = ((0, 0), (0, 0), (11, 10), (11, 6))
    assert (locked, 0) in ends
    assert (((2, 1), *locked[1:]), 0) not in ends
    late = Qwixx(plays_on=True)
    assert (((2, 1), *locked[1:]), 0) in late.options(sheet, (1, 1, 2, 6, 6, 6))
    # ten crosses and the lock count 11 * 12 / 2, six and the lock 7 * 8 / 2
    assert game.score((locked, 2)) == 66 + 28 - 10
    game = Qwixx(sides=2, needed=2, penalties=1)

    @cache
    def longest(sheet):
        if sheet[1] == game.penalties or game.has_ended(sheet[0]):
            return 0
        ends = (game.options(sheet, roll) for roll in product((1, 2), repeat=6))
        return 1 + max(map(longest, frozenset().union(*ends)))

    assert longest(NEW) == game.turns


@needs_module
def test_what_the_sweep_cannot_do_is_refused():
    with pytest.raises(InputError, match="state"):
        Qwixx(sides=2, needed=2).values((((1, 2), (0, 0), (0, 0), (0, 0)), 0))
    with pytest.raises(InputError, match="sides"):
        Qwixx(sides=7).values(NEW)
    with pytest.raises(TooLargeError, match="needs about"):
        Qwixx().values(NEW, run=Run(memory=1000))


@pytest.mark.slow
@needs_module
def test_a_roll_is_judged_by_the_sheets_that_it_can_make():
    game = Qwixx(sides=2, needed=2, penalties=1)
    one = (((1, 1), (2, 2), (0, 0), (2, 1)), 0)
    two = (((3, 3), (0, 0), (0, 0), (2, 2)), 0)
    for sheet in [NEW, one, two]:
        for roll in [(1, 1, 2, 1, 2, 2), (1, 2, 1, 2, 2, 1)]:
            state = (*sheet, roll)
            look = Lookahead(game.game(), game.around(state, Run()).at or (lambda state: None))
            assert look.regrets(state) == best(game).regret(state)


@pytest.mark.long
@needs_module
def test_both_printed_numbers_are_right_by_rules_of_their_own():
    # realead/qwixxmaster prints 115.911 since 2017, and 115.4831 since 2020 with reference to
    # bmhowe34/qwixx-gen-single-opt; the commit after that ends the game at the second lock
    answer = load("qwixx").answer()
    verdicts = [p.verdict(answer.value) for p in load("qwixx").numbers]
    assert verdicts == ["confirmed", "of other rules: plays-on"]
    late = Qwixx(plays_on=True)
    sheet = (((10, 6), (10, 5), (9, 3), (10, 2)), 3)
    [start, end], _ = late.values(NEW, sheet)
    assert (decimal(start, 3), end) == ("115.911", optimum(late.game(sheet)).value)


CUBES = ("centre", "mine", "theirs")


def at(table, mine, theirs, cube):
    value = table.at((mine, theirs, (), cube, 1, ""))
    return value.point


@pytest.mark.slow
def test_two_checkers_are_worth_what_their_moves_are():
    tables = dict.fromkeys(CUBES, EquityTable(2, CUBES, Run()))
    tables["none"] = EquityTable(2, ("none",), Run())
    low = [position for position in tables["none"].positions if 0 < sum(position) < 7]
    pairs = random.Random(3).sample([*product(low, repeat=2)], 12)  # noqa: S311
    for mine, theirs in pairs:
        for cube, table in tables.items():
            assert at(table, mine, theirs, cube) == optimum(bear_off(mine, theirs, cube)).value


def test_three_checkers_are_worth_what_a_recursion_in_doubles_says():
    table = EquityTable(3, ("none",), Run())

    @cache
    def equity(mine, theirs):
        total = 0.0
        for (a, b), ways in ROLLS.items():
            orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
            total += ways * max(worth(mine, theirs, order) for order in orders)
        return total / 36

    def worth(mine, theirs, dice):
        if not any(mine):
            return 1.0
        if not dice:
            return -equity(theirs, mine)
        best = -2.0
        high = max(point for point in range(6) if mine[point])
        for point in range(6):
            left = point - dice[0]
            if not mine[point] or (left < -1 and point < high):
                continue
            after = list(mine)
            after[point] -= 1
            if left >= 0:
                after[left] += 1
            best = max(best, worth(tuple(after), theirs, dice[1:]))
        return best

    pairs = random.Random(5).sample([*product(table.positions[1:60], repeat=2)], 40)  # noqa: S311
    for mine, theirs in pairs:
        exact = nearest_double(at(table, mine, theirs, "none"))
        counts = [tuple(map(side.count, range(1, 7))) for side in (mine, theirs)]
        assert abs(exact - equity(*counts)) < 1e-12


def test_rolls_are_played_and_a_table_of_one_checker_is_as_pips_say():
    # By hand: a checker is off by both dice together, of a double four times over.
    told = []
    table = EquityTable(1, CUBES, Run(progress=lambda *what: told.append(what)))
    for far in range(1, 7):
        rolls = product(range(1, 7), repeat=2)
        fail = sum((a + b if a != b else 4 * a) < far for a, b in rolls)
        # against one that is off next turn
        low = 1 - 2 * mpq(fail, 36)
        assert at(table, (far,), (1,), "theirs") == low
        for stake in (1, 2, 4):
            state = (far,), (1,), (), "theirs", stake, ""
            assert table.at(state) == Enclosure.of(stake * low)
        assert at(table, (far,), (1,), "mine") == max(low, min(2 * low, mpq(1)))
        assert at(table, (far,), (0,), "mine") == -1
    assert table.at(((6,), (1,), (1, 2), "mine", 1, "")) is None
    assert table.at(((6,), (1,), (), "mine", 1, "double")) is None
    assert told == [("pips", total, 12) for total in range(2, 13)]
    # 6-1 from 5 and 2: the six bears off the highest; the one is played before it, or after
    assert borne((5, 2), (1, 6)) == ((1, 0), (2, 0))
    # four ones from the 4-point
    assert borne((4, 0), (1, 1)) == ((0, 0),)
    assert len(EquityTable(2, ("none",), Run()).positions) == 28  # C(8, 2)


@pytest.mark.long
def test_the_table_of_gnu_backgammon_is_confirmed_by_every_pair_of_six():
    # bug-gnubg, 7 September 2009: cubeless, owned, centred, and the opponent's cube
    for name in ("letter", "letter-mine", "letter-centre", "letter-theirs"):
        variant = load("bear-off", name)
        (printed,) = variant.numbers
        assert printed.verdict(variant.answer().value).startswith("confirmed")


def test_an_answer_looks_through_all_pairs_once_for_each_cube(monkeypatch):
    # with two checkers in the place of six, which take 10 s
    asked = []

    def table(checkers, cubes, run):
        asked.append(checkers)
        return EquityTable(2, cubes, run)

    monkeypatch.setattr(module, "EquityTable", table)
    for cubes in (("none",), CUBES):
        rules = partial(bear_off, (2, 1), (3, 0), cubes[0])
        answer = module.solved(rules, cubes, Run(), None)
        assert (asked.pop(), answer.value.point) == (6, optimum(rules()).value)
        assert answer.states == len(cubes) * 28**2  # C(8, 2) positions of two checkers
        listed = list(answer.listed())
        assert len(listed) == len(set(listed)) == 27**2  # of those with a checker on each side
        assert all(answer.at(state) is not None for state in listed)


def test_each_die_of_an_intransitive_set_beats_the_next():
    # Conrey et al. 2016: each of Efron's beats the next with 2/3, all the way round
    for dice, chance in ((EFRON, mpq(2, 3)), (MIWIN, mpq(17, 36))):
        for one, other in zip(dice, (*dice[1:], dice[0]), strict=True):
            assert higher(one, other) == chance > higher(other, one)
    # by the faces that are printed of them: Efron's add up to 16, 18, 20 and 18; Miwin's have each
    # number from 1 to 9 twice; Grime's one of 0 to 4, once more than it says, and else 5 more
    assert list(map(sum, EFRON)) == [16, 18, 20, 18]
    assert Counter(chain(*MIWIN)) == dict.fromkeys(range(1, 10), 2)
    assert tuple((*(n + 1) * (n,), *(5 - n) * (n + 5,)) for n in (4, 3, 2, 1, 0)) == GRIME
    # generalist.academy, 28 December 2020: two cycles of Grime's five, in which all win more often
    for step in (1, 2):
        row = [GRIME[step * i % 5] for i in range(5)]
        around = list(zip(row, (*row[1:], row[0]), strict=True))
        assert len({higher(a, b) > mpq(1, 2) for a, b in around}) == 1
    best = min(max(higher(b, a) for b in GRIME if b != a) for a in GRIME)
    assert load("intransitive-dice", "grime").answer().value.point == best


def test_go_first_dice_are_those_that_were_printed_and_all_orders_are_equally_likely():
    # Ford, Grime, Harshbarger and Pollock 2023
    printed = {"a": [1, 8, 11, 14, 19, 22, 27, 30, 35, 38, 41, 48],
               "b": [2, 7, 10, 15, 18, 23, 26, 31, 34, 39, 42, 47],
               "c": [3, 6, 12, 13, 17, 24, 25, 32, 36, 37, 43, 46],
               "d": [4, 5, 9, 16, 20, 21, 28, 29, 33, 40, 44, 45]}  # fmt: skip
    for die, faces in printed.items():
        assert [place for place, letter in enumerate(FOUR, 1) if letter == die] == faces
    assert Counter(FIVE) == {"a": 36, "b": 36, "c": 60, "d": 180, "e": 20}
    for word, dice in ((THREE, 3), (FOUR, 4), (FIVE, 5)):
        ways = orders(word)
        assert set(ways) == {"".join(order) for order in permutations("abcde"[:dice])}
        assert len(set(ways.values())) == 1
    # with any die left out, too
    for die in "abcde":
        assert len(set(orders(FIVE.replace(die, "")).values())) == 1


@pytest.mark.parametrize("word", [THREE, FOUR, "abba", "abcabc"])
def test_orders_are_counted_as_all_rolls_have_them(word):
    names = sorted(set(word))
    dice = [[place for place, letter in enumerate(word) if letter == name] for name in names]
    rolls = (sorted(zip(roll, names, strict=True)) for roll in product(*dice))
    assert orders(word) == Counter("".join(name for _, name in roll) for roll in rolls)


def test_dice_with_the_sums_of_ordinary_ones_are_all_that_there_are():
    for sides in (2, 3, 4):
        ordinary = Counter(a + b for a, b in product(range(1, sides + 1), repeat=2))
        dice = list(combinations_with_replacement(range(1, 2 * sides), sides))
        listed = {
            (one, other)
            for one, other in combinations_with_replacement(dice, 2)
            if one[0] == other[0] == 1
            and one[-1] + other[-1] == 2 * sides
            and Counter(a + b for a, b in product(one, other)) == ordinary
        }
        assert set(relabelled(sides)) == listed
    # OEIS A111588
    known = [1, 1, 1, 2, 1, 2, 1, 4, 2, 2, 1, 8, 1, 2, 2, 10, 1, 8, 1, 8, 2, 2, 1, 33]
    assert [len(relabelled(n)) for n in range(1, 25)] == known
    # by hand: 1-1 once, 3-3 twice and 4-4 once, of 36
    assert load("sicherman-dice").answer().value.point == mpq(4, 36)
