"""EinStein würfelt nicht: stones walk to the corner across, and the die says which.

Each player's stones, as many as the die has sides, begin in a triangle in the player's corner,
where they stand as the player likes; both choose that at once. The die moves the stone of its
number, or, where that is gone, the next higher or the next lower one that is left. A stone steps
across or down or both, and takes what stands there, of one's own as well. Who comes to the corner
across, or takes the last stone of the other, wins. The game is Ingo Althöfer's; Bonnet and Viennot
(Advances in Computer Games, 2017) solve boards of up to 4×4 and the equilibrium of set-ups.
"""

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Both, Choice, End, Game, Moves, Other, point_mass

Side: TypeAlias = tuple[int, ...]  # the square of each stone, counted from one's own corner; or −1
State: TypeAlias = tuple[Side, Side, Side]  # mine, theirs, and the stones that the die lets me move

GONE = -1


def movable(side: Side, number: int) -> Side:
    """The stones that a number of the die can move, counted from 0."""
    if side[number] != GONE:
        return (number,)
    left = [stone for stone, square in enumerate(side) if square != GONE]
    lower = [stone for stone in left if stone < number][-1:]
    return (*lower, *[stone for stone in left if stone > number][:1])


def game(size: int, stones: int, setups: tuple[Side, Side] | None = None) -> Game[State]:
    """The game from two set-ups, or from the choice of them; a win is worth 1 and a loss −1."""
    last = size * size - 1
    corner = sorted(range(last), key=lambda square: (sum(divmod(square, size)), square))[:stones]

    def moves(state: State) -> Moves:
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
            for square, after, against in steps(mine, theirs, stone)
        ]

    def steps(mine: Side, theirs: Side, stone: int) -> Iterator[tuple[int, Side, Side]]:
        row, column = divmod(mine[stone], size)
        for r, c in ((row, column + 1), (row + 1, column), (row + 1, column + 1)):
            square = r * size + c
            if r < size and c < size:
                after = [GONE if at == square else at for at in mine]
                after[stone] = square
                left = tuple(GONE if at == last - square else at for at in theirs)
                yield square, tuple(after), left

    return Game((*(setups or ((), ())), ()), moves)


_ASKS = "chance that the one who begins wins, set-ups being chosen at once"
_VARIANTS = {"3x3": Variant("three stones on 3×3", partial(game, 3, 3), "15 s", wins=True)}
PAGE = Page("einstein", "EinStein würfelt nicht", "two", _ASKS, _VARIANTS)
