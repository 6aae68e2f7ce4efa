"""Qwixx: the C++ sweep against the rules as moves, and against two programs on GitHub."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

from exactdice import native
from exactdice.arithmetic import decimal
from exactdice.book import load
from exactdice.book.qwixx import NEW, Qwixx, Sheet, State
from exactdice.errors import InputError, TooLargeError
from exactdice.models import Optimum, optimum
from exactdice.run import Run
from exactdice.solve.play import Lookahead

needs_module = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@cache
def best(game: Qwixx) -> Optimum[State]:
    return optimum(game.game())


@pytest.mark.slow
@needs_module
@pytest.mark.parametrize("plays_on", [False, True])
def test_a_small_board_is_worth_what_its_moves_are(plays_on: bool) -> None:
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
def test_nearly_full_sheets_are_worth_what_their_moves_are(plays_on: bool) -> None:
    game = Qwixx(sides=3, needed=2, penalties=2, plays_on=plays_on)
    sheets: list[Sheet] = [
        (((4, 3), (4, 2), (4, 3), (4, 1)), 1),
        (((3, 2), (4, 2), (5, 3), (3, 1)), 0),
        (((3, 2), (4, 2), (2, 2), (4, 3)), 1),
        (((5, 4), (5, 5), (0, 0), (1, 1)), 1),
    ]
    values, _ = game.values(*sheets)
    assert values == [optimum(game.game(sheet)).value for sheet in sheets]


def test_a_roll_offers_what_the_rules_say() -> None:
    # two white ones, 6 and 5, and a red 6: red 11, 12 and both want more crosses or are to the left
    game = Qwixx()
    sheet: Sheet = (((10, 5), (10, 4), (10, 9), (11, 6)), 2)
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


def test_no_game_has_more_turns_than_are_counted() -> None:
    game = Qwixx(sides=2, needed=2, penalties=1)

    @cache
    def longest(sheet: Sheet) -> int:
        if sheet[1] == game.penalties or game.has_ended(sheet[0]):
            return 0
        ends = (game.options(sheet, roll) for roll in product((1, 2), repeat=6))
        return 1 + max(map(longest, frozenset().union(*ends)))

    assert longest(NEW) == game.turns


@needs_module
def test_what_the_sweep_cannot_do_is_refused() -> None:
    with pytest.raises(InputError, match="state"):
        Qwixx(sides=2, needed=2).values((((1, 2), (0, 0), (0, 0), (0, 0)), 0))
    with pytest.raises(InputError, match="sides"):
        Qwixx(sides=7).values(NEW)
    with pytest.raises(TooLargeError, match="needs about"):
        Qwixx().values(NEW, run=Run(memory=1000))


@needs_module
def test_a_roll_is_judged_by_the_sheets_that_it_can_make() -> None:
    game = Qwixx(sides=2, needed=2, penalties=1)
    one: Sheet = (((1, 1), (2, 2), (0, 0), (2, 1)), 0)
    two: Sheet = (((3, 3), (0, 0), (0, 0), (2, 2)), 0)
    for sheet in [NEW, one, two]:
        for roll in [(1, 1, 2, 1, 2, 2), (1, 2, 1, 2, 2, 1)]:
            state = (*sheet, roll)
            look = Lookahead(game.game(), game.around(state, Run()).at or (lambda state: None))
            assert look.regrets(state) == best(game).regret(state)


@pytest.mark.long
@needs_module
def test_both_printed_numbers_are_right_by_rules_of_their_own() -> None:
    # realead/qwixxmaster prints 115.911 since 2017, and 115.4831 since 2020 with reference to
    # bmhowe34/qwixx-gen-single-opt; the commit after that ends the game at the second lock
    answer = load("qwixx").answer()
    assert [p.verdict(answer.value) for p in load("qwixx").numbers] == [
        "confirmed",
        "of other rules: plays-on",
    ]
    late = Qwixx(plays_on=True)
    sheet: Sheet = (((10, 6), (10, 5), (9, 3), (10, 2)), 3)
    [start, end], _ = late.values(NEW, sheet)
    assert decimal(start, 3) == "115.911"
    assert end == optimum(late.game(sheet)).value
