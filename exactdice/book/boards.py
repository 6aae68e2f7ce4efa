"""Board games moved by dice: the Royal Game of Ur, and EinStein würfelt nicht.

**Ur** by Irving Finkel's rules, with one to three pieces a side: four two-sided dice give a roll of
0 to 4. A piece walks fourteen squares, of which both players share the fifth to the twelfth, and is
borne off by an exact roll. A piece may not land on another of the same side, nor on the central
rosette if the opponent occupies it; elsewhere on the shared squares it sends an opposing piece
back. A rosette (squares 4, 8, 14) gives another roll. A player passes only if no move is possible.
These are the rules in the README of danaugrs/royal-ur on GitHub.

**EinStein würfelt nicht**: the players place their stones, as many as the die has sides, in a
triangle in their own corners, choosing the arrangement simultaneously. The die selects the stone of
its number or, if that is gone, the next higher or next lower one. A stone steps one square across,
down or diagonally and captures any stone there, including its own side's. A player wins by reaching
the opposite corner or capturing all opposing stones. The game is Ingo Althöfer's; Bonnet and
Viennot (Advances in Computer Games, 2017) solve boards of up to 4×4 and the equilibrium of set-ups.
"""

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Both, Choice, End, Game, Moves, Other, point_mass

Side = tuple[int, tuple[int, ...]]  # waiting pieces, and the squares of those on the board
State = tuple[Side, Side, int | None]  # mine, theirs, and the roll or None

ROLLS = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
ROSETTES = {4, 8, 14}
SHARED = range(5, 13)
_HOME = 15


def royal_game(pieces: int) -> Game[State]:
    """Return the game; states are from the view of the player to roll or move, and a win pays 1."""

    def moves(state: State) -> Moves:
        mine, theirs, roll = state
        if mine == (0, ()):
            return End(1)
        if roll is None:
            return Distribution({(mine, theirs, cast): ways for cast, ways in ROLLS.items()})
        choices = [Choice(square, 0, point_mass(to)) for square, to in steps(mine, theirs, roll)]
        return choices or [Choice("pass", 0, point_mass(Other((theirs, mine, None))))]

    start: Side = (pieces, ())
    return Game((start, start, None), moves)


def steps(mine: Side, theirs: Side, roll: int) -> list[tuple[int, State | Other[State]]]:
    """Return the moves of a roll: the square left (0 from outside), and the new state."""
    waiting, board = mine
    ways: list[tuple[int, State | Other[State]]] = []
    for square in ([0] if waiting else []) + list(board):
        target = square + roll
        if not roll or target > _HOME or target in board:
            continue
        against = theirs
        if target in SHARED and target in theirs[1]:
            if target in ROSETTES:
                continue
            against = (theirs[0] + 1, tuple(other for other in theirs[1] if other != target))
        left = [other for other in board if other != square]
        left += [target] if target < _HOME else []
        after = (waiting - (square == 0), tuple(sorted(left)))
        again = target in ROSETTES or after == (0, ())
        ways.append((square, (after, against, None) if again else Other((against, after, None))))
    return ways


_ONE, _TWO, _THREE = (partial(royal_game, pieces) for pieces in (1, 2, 3))
_SLOW = "2 minutes and 1.4 GB"
_VARIANTS = {
    "one": Variant("one piece a side", _ONE, wins=True),
    "two": Variant("two pieces a side", _TWO, "10 s", width="1e-12", wins=True),
    "three": Variant("three pieces a side", _THREE, _SLOW, width="1e-12", wins=True),
}
PAGE = Page(
    "ur", "The Royal Game of Ur", "two", "probability that the starting player wins", _VARIANTS
)


Squares: TypeAlias = tuple[int, ...]  # the square of each stone, counted from its own corner; or −1
Stones: TypeAlias = tuple[
    Squares, Squares, Squares
]  # mine, theirs, and the stones that the die lets me move

GONE = -1


def movable(side: Squares, number: int) -> Squares:
    if side[number] != GONE:
        return (number,)
    left = [stone for stone, square in enumerate(side) if square != GONE]
    lower = [stone for stone in left if stone < number][-1:]
    return (*lower, *[stone for stone in left if stone > number][:1])


def einstein(size: int, stones: int, setups: tuple[Squares, Squares] | None = None) -> Game[Stones]:
    """Return the game from two set-ups, or from their choice; a win pays 1, a loss −1."""
    last = size * size - 1
    corner = sorted(range(last), key=lambda square: (sum(divmod(square, size)), square))[:stones]

    def moves(state: Stones) -> Moves:
        mine, theirs, stones_to_move = state
        if not mine:
            sides = list(permutations(corner))
            return Both({(a, b): point_mass((a, b, ())) for a in sides for b in sides})
        if max(theirs) == last or max(mine) == GONE:
            return End(-1)
        if not stones_to_move:
            return Distribution.from_faces(
                [(mine, theirs, movable(mine, number)) for number in range(stones)]
            )
        return [
            Choice((stone, square), 0, point_mass(Other((against, after, ()))))
            for stone in stones_to_move
            for square, after, against in walks(mine, theirs, stone)
        ]

    def walks(mine: Squares, theirs: Squares, stone: int) -> Iterator[tuple[int, Squares, Squares]]:
        row, column = divmod(mine[stone], size)
        for r, c in ((row, column + 1), (row + 1, column), (row + 1, column + 1)):
            square = r * size + c
            if r < size and c < size:
                after = [GONE if at == square else at for at in mine]
                after[stone] = square
                left = tuple(GONE if at == last - square else at for at in theirs)
                yield square, tuple(after), left

    return Game((*(setups or ((), ())), ()), moves)


_EINSTEIN_ASKS = "probability that the starting player wins; set-ups are chosen simultaneously"
_EINSTEIN = {"3x3": Variant("three stones on 3×3", partial(einstein, 3, 3), "15 s", wins=True)}
EINSTEIN = Page("einstein", "EinStein würfelt nicht", "two", _EINSTEIN_ASKS, _EINSTEIN)
