"""Qwixx: the C++ sweep against the rules as moves, and against two programs on GitHub."""

import random
from collections import Counter
from functools import cache, partial
from itertools import chain, combinations_with_replacement, permutations, product

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.arithmetic import decimal, nearest_double
from exactdice.book import backgammon as module
from exactdice.book import load
from exactdice.book.backgammon import ROLLS, EquityTable, bear_off, borne
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
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import optimum
from exactdice.run import Run
from exactdice.solve.play import Lookahead

needs_module = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@cache
def best(game):
    return optimum(game.game())


@pytest.mark.slow
@needs_module
@pytest.mark.parametrize("plays_on", [False, True])
def test_a_small_board_is_worth_what_its_moves_are(plays_on):
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


@pytest.mark.slow
@needs_module
@pytest.mark.parametrize("plays_on", [False, True])
def test_nearly_full_sheets_are_worth_what_their_moves_are(plays_on):
    game = Qwixx(sides=3, needed=2, penalties=2, plays_on=plays_on)
    sheets = [
        (((4, 3), (4, 2), (4, 3), (4, 1)), 1),
        (((3, 2), (4, 2), (5, 3), (3, 1)), 0),
        (((3, 2), (4, 2), (2, 2), (4, 3)), 1),
        (((5, 4), (5, 5), (0, 0), (1, 1)), 1),
    ]
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
    ends = game.options((((0, 0), (0, 0), (10, 9), (11, 6)), 0), (1, 1, 2, 6, 6, 6))
    locked = ((0, 0), (0, 0), (11, 10), (11, 6))
    assert (locked, 0) in ends
    assert (((2, 1), *locked[1:]), 0) not in ends
    late = Qwixx(plays_on=True)
    assert (((2, 1), *locked[1:]), 0) in late.options(
        (((0, 0), (0, 0), (10, 9), (11, 6)), 0), (1, 1, 2, 6, 6, 6)
    )
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
    assert [p.verdict(answer.value) for p in load("qwixx").numbers] == [
        "confirmed",
        "of other rules: plays-on",
    ]
    late = Qwixx(plays_on=True)
    sheet = (((10, 6), (10, 5), (9, 3), (10, 2)), 3)
    [start, end], _ = late.values(NEW, sheet)
    assert decimal(start, 3) == "115.911"
    assert end == optimum(late.game(sheet)).value


CUBES = ("centre", "mine", "theirs")


def at(table, mine, theirs, cube):
    value = table.at((mine, theirs, (), cube, 1, ""))
    assert value is not None
    assert value.point is not None
    return value.point


@pytest.mark.slow
def test_two_checkers_are_worth_what_their_moves_are():
    tables = {
        **dict.fromkeys(CUBES, EquityTable(2, CUBES, Run())),
        "none": EquityTable(2, ("none",), Run()),
    }
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
        fail = sum(
            a + b < far if a != b else 4 * a < far for a, b in product(range(1, 7), repeat=2)
        )
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


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (((1,), (1,), (6, 1), "mine", 1, ""),
         "roll: got .* expected two dice, the lower one first"),
        (((1,), (1,), (0, 1), "mine", 1, ""), "roll: got"),
        (((1,), (1,), (), "none", 1, ""),
         "state: got .* expected six checkers each, and a cube of"),
        (((7,), (1,), (), "mine", 1, ""), "state: got"),
        (((1,), (1, 0), (), "mine", 1, ""), "state: got"),
    ],
)  # fmt: skip
def test_what_a_table_has_not_is_refused(state, message):
    with pytest.raises(InputError, match=message):
        EquityTable(1, CUBES, Run()).at(state)


@pytest.mark.long
def test_the_table_of_gnu_backgammon_is_confirmed_by_every_pair_of_six():
    # bug-gnubg, 7 September 2009: cubeless, owned, centred, and the opponent's cube
    verdicts = {
        name: [printed.verdict(variant.answer().value) for printed in variant.numbers]
        for name in ("letter", "letter-mine", "letter-centre", "letter-theirs")
        for variant in [load("bear-off", name)]
    }
    assert all(verdict.startswith("confirmed") for (verdict,) in verdicts.values())


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
        assert asked.pop() == 6
        assert answer.value.point == optimum(rules()).value
        assert answer.states == len(cubes) * 28**2  # C(8, 2) positions of two checkers
        assert answer.listed is not None
        assert answer.at is not None
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
        assert all(higher(a, b) > mpq(1, 2) for a, b in around) or all(
            higher(b, a) > mpq(1, 2) for a, b in around
        )
    best = min(max(higher(b, a) for b in GRIME if b != a) for a in GRIME)
    assert load("intransitive-dice", "grime").answer().value.point == best


def test_go_first_dice_are_those_that_were_printed_and_all_orders_are_equally_likely():
    # Ford, Grime, Harshbarger and Pollock 2023
    printed = {
        "a": [1, 8, 11, 14, 19, 22, 27, 30, 35, 38, 41, 48],
        "b": [2, 7, 10, 15, 18, 23, 26, 31, 34, 39, 42, 47],
        "c": [3, 6, 12, 13, 17, 24, 25, 32, 36, 37, 43, 46],
        "d": [4, 5, 9, 16, 20, 21, 28, 29, 33, 40, 44, 45],
    }
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
    listed = Counter(
        "".join(name for _, name in sorted(zip(roll, names, strict=True)))
        for roll in product(*dice)
    )
    assert orders(word) == listed


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
    assert [len(relabelled(n)) for n in range(1, 25)] == [
        *[1, 1, 1, 2, 1, 2, 1, 4, 2, 2, 1, 8],
        *[1, 2, 2, 10, 1, 8, 1, 8, 2, 2, 1, 33],
    ]
    # by hand: 1-1 once, 3-3 twice and 4-4 once, of 36
    assert load("sicherman-dice").answer().value.point == mpq(4, 36)
