"""The bear-off: the table by pips against the rules as moves, and GNU Backgammon's table."""

import random
from functools import cache, partial
from itertools import product
from typing import Any

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import nearest_double
from exactdice.book import backgammon as module
from exactdice.book import load
from exactdice.book.backgammon import ROLLS, EquityTable, bear_off, borne
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import optimum
from exactdice.run import Run

CUBES = ("centre", "mine", "theirs")


def at(table: EquityTable, mine: tuple[int, ...], theirs: tuple[int, ...], cube: str) -> mpq:
    value = table.at((mine, theirs, (), cube, 1, ""))
    assert value is not None
    assert value.point is not None
    return value.point


def test_the_checkers_stand_where_the_rules_say() -> None:
    for name in ("letter", "letter-mine", "letter-centre", "letter-theirs"):
        variant = load("bear-off", name)
        mine, theirs = variant.game().initial[:2]
        sides = (", ".join(map(str, sorted(side))) for side in (mine, theirs))
        assert variant.rules.startswith(" against ".join(sides))


@pytest.mark.slow
def test_two_checkers_are_worth_what_their_moves_are() -> None:
    tables = {
        **dict.fromkeys(CUBES, EquityTable(2, CUBES, Run())),
        "none": EquityTable(2, ("none",), Run()),
    }
    low = [position for position in tables["none"].positions if 0 < sum(position) < 7]
    pairs = random.Random(3).sample([*product(low, repeat=2)], 12)  # noqa: S311
    for mine, theirs in pairs:
        for cube, table in tables.items():
            assert at(table, mine, theirs, cube) == optimum(bear_off(mine, theirs, cube)).value


def test_chances_to_bear_off_two_checkers_at_once_are_those_of_all_36_rolls() -> None:
    # the opponent, with one checker on the 1-point, is off next turn: by enumeration of the rolls
    table = EquityTable(2, ("none",), Run())
    last = (1, 0)
    for a, b in product(range(1, 7), repeat=2):
        mine = max(a, b), min(a, b)
        wins = 0
        for x, y in product(range(1, 7), repeat=2):
            if x == y:
                wins += -(-a // x) + -(-b // x) <= 4
            else:  # each die one checker, or both one and then none is left over
                wins += (x >= a and y >= b) or (x >= b and y >= a)
        assert at(table, mine, last, "none") == mpq(2 * wins, 36) - 1


def test_three_checkers_are_worth_what_a_recursion_in_doubles_says() -> None:
    table = EquityTable(3, ("none",), Run())

    @cache
    def equity(mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        total = 0.0
        for (a, b), ways in ROLLS.items():
            orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
            total += ways * max(worth(mine, theirs, order) for order in orders)
        return total / 36

    def worth(mine: tuple[int, ...], theirs: tuple[int, ...], dice: tuple[int, ...]) -> float:
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
        assert abs(exact - equity(*counts)) < 1e-12  # type: ignore[operator]


def test_rolls_are_played_as_the_rules_say() -> None:
    # 6-1 from 5 and 2: the six bears off the highest; the one is played before it, or after
    assert borne((5, 2), (1, 6)) == ((1, 0), (2, 0))
    # four ones from the 4-point
    assert borne((4, 0), (1, 1)) == ((0, 0),)
    assert len(EquityTable(2, ("none",), Run()).positions) == 28  # C(8, 2)


def test_a_table_of_one_checker_is_what_pips_say() -> None:
    """By hand: a checker is off by both dice together, of a double four times over."""
    told: list[tuple[str, int, int | None]] = []
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


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (((1,), (1,), (6, 1), "mine", 1, ""), "roll: got .* expected two dice, the lower one first"),
        (((1,), (1,), (0, 1), "mine", 1, ""), "roll: got"),
        (((1,), (1,), (), "none", 1, ""), "state: got .* expected six checkers each, and a cube of"),
        (((7,), (1,), (), "mine", 1, ""), "state: got"),
        (((1,), (1, 0), (), "mine", 1, ""), "state: got"),
    ],
)
def test_what_a_table_has_not_is_refused(state: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        EquityTable(1, CUBES, Run()).at(state)


@pytest.mark.long
def test_the_table_of_gnu_backgammon_is_confirmed_by_every_pair_of_six() -> None:
    # bug-gnubg, 7 September 2009: cubeless, owned, centred, and the opponent's cube
    verdicts = {
        name: [printed.verdict(variant.answer().value) for printed in variant.numbers]
        for name in ("letter", "letter-mine", "letter-centre", "letter-theirs")
        for variant in [load("bear-off", name)]
    }
    assert all(verdict.startswith("confirmed") for (verdict,) in verdicts.values())


def test_an_answer_looks_through_all_pairs_once_for_each_cube(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # with two checkers in the place of six, which take 10 s
    asked = []

    def table(checkers: int, cubes: tuple[str, ...], run: Run) -> EquityTable:
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
