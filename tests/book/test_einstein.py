"""EinStein würfelt nicht, against a recursion over absolute boards in fractions."""

from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from gmpy2 import mpq

from exactdice.book import load
from exactdice.book.boards import einstein, movable
from exactdice.models import optimum
from exactdice.solve.matrix_games import solve_matrix_game

Square = tuple[int, int]
Stones = tuple[tuple[int, Square], ...]


def chance(size: int, stones: int, first: Stones, second: Stones) -> Fraction:
    """The chance that the first player wins, who walks down and to the right."""

    @cache
    def wins(turn: int, sides: tuple[Stones, Stones]) -> Fraction:
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
                    best = max(best, 1 - wins(1 - turn, after))  # type: ignore[arg-type]
            total += best
        return total / stones

    return wins(0, (first, second))


def on_board(setup: tuple[int, ...], size: int, *, turned: bool) -> Stones:
    squares = [divmod(size * size - 1 - s if turned else s, size) for s in setup]
    return tuple(enumerate(squares))


@pytest.mark.parametrize(("size", "stones"), [(2, 1), (3, 1), (3, 2), (4, 1)])
def test_set_ups_are_worth_what_a_recursion_says(size: int, stones: int) -> None:
    corner = [0, 1, size][:stones]
    for mine in permutations(corner):
        for theirs in permutations(corner):
            value = optimum(einstein(size, stones, (mine, theirs))).value
            first = on_board(mine, size, turned=False)
            second = on_board(theirs, size, turned=True)
            assert (1 + value) / 2 == mpq(chance(size, stones, first, second))


def test_the_choice_of_set_ups_is_a_matrix_game() -> None:
    best = optimum(einstein(3, 2))
    setups = list(permutations([0, 1]))
    matrix = [[optimum(einstein(3, 2, (a, b))).value for b in setups] for a in setups]
    assert best.value == solve_matrix_game(matrix).value


@pytest.mark.long
def test_three_stones_on_nine_squares() -> None:
    setups = list(permutations([0, 1, 3]))
    matrix = [
        [
            2 * mpq(chance(3, 3, on_board(a, 3, turned=False), on_board(b, 3, turned=True))) - 1
            for b in setups
        ]
        for a in setups
    ]
    value = solve_matrix_game(matrix).value
    assert load("einstein").answer().value.point == (1 + value) / 2


def test_the_die_moves_the_stone_next_to_one_that_is_gone() -> None:
    # Bonnet and Viennot: with stones 1, 5 and 6 left, 2, 3 and 4 move either 1 or 5
    side = (0, -1, -1, -1, 1, 2)
    assert [movable(side, number) for number in range(6)] == [
        (0,),
        (0, 4),
        (0, 4),
        (0, 4),
        (4,),
        (5,),
    ]
