"""Board games moved by dice: the Royal Game of Ur, EinStein würfelt nicht, and Can't Stop.

**Ur** by Irving Finkel's rules, as in the README of danaugrs/royal-ur on GitHub, with one to three
pieces a side: four two-sided dice give a roll of 0 to 4. A piece walks fourteen squares and is
borne off by an exact roll; both players share the fifth to the twelfth square. A piece may not land
on its own side's, nor on the central rosette if the opponent is there; elsewhere on the shared
squares it sends an opponent back. A rosette (squares 4, 8, 14) gives another roll. A player passes
only if no move is possible.

**EinStein würfelt nicht**: the players simultaneously place their stones, as many as the die has
sides, in a triangle in their own corners. The die selects the stone of its number or, if that is
gone, the next higher or lower one. A stone steps one square across, down or diagonally and captures
any stone there, even its own side's. A player wins by reaching the opposite corner or capturing all
opposing stones. The game is Ingo Althöfer's; Bonnet and Viennot (Advances in Computer Games, 2017)
solve boards of up to 4×4 and the equilibrium of set-ups.

**Can't Stop** for one player, on small boards: finish three columns in the fewest turns. There is a
column for each sum of two dice; the first and the last are `lowest` steps high, and each next one
two more, up to the middle. In a turn four dice are split into two pairs. The sum of each pair
climbs one step if its column is unfinished and one of three runners is on it or free. If only one
runner is left for two columns, the player chooses. If no pairing gives a step, the turn ends and
its steps are lost; otherwise the player rolls again, or stops and keeps them. Glenn, Fang and
Kruskal (2006) solve such small boards by Newton's method; the published board has six sides and
lowest columns of three. Can't Stop is a game of Sid Sackson.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from operator import eq
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Both, Chance, Choice, End, Game, Moves, Other, point_mass

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


Climbed: TypeAlias = tuple[int, ...]  # by column
Turn: TypeAlias = tuple[Climbed, Climbed]  # kept steps, and the runners' steps in this turn
Offer: TypeAlias = "Turn | frozenset[Turn]"

RUNNERS, COLUMNS = 3, 3  # in a turn; finished columns that end the game


def climbed(height: Climbed, turn: Turn, sums: tuple[int, int]) -> frozenset[Climbed]:
    """Return the possible steps of the runners after a pairing, given as two columns."""
    kept, run = turn

    def step(run: Climbed, column: int) -> Climbed | None:
        is_free = run[column] or sum(map(bool, run)) < RUNNERS
        if not is_free or kept[column] + run[column] >= height[column]:
            return None
        return (*run[:column], run[column] + 1, *run[column + 1 :])

    ends = set[Climbed]()
    for first, second in (sums, sums[::-1]):
        once = step(run, first)
        if once is not None:
            ends.add(step(once, second) or once)
    return frozenset(ends)


def cant_stop(sides: int, lowest: int) -> Game[Offer]:
    """Return the game; a state is a turn so far, or the options after a roll."""
    middle = sides - 1
    height = tuple(lowest + 2 * (middle - abs(middle - place)) for place in range(2 * sides - 1))
    nothing = (0,) * len(height)
    rolls = Counter(
        frozenset((roll[0] + other - 2, sum(roll) - roll[0] - other - 2) for other in roll[1:])
        for roll in product(range(1, sides + 1), repeat=4)
    )

    def rolled(turn: Turn) -> Distribution[Offer]:
        law = Counter[Offer]()
        for pairings, ways in rolls.items():
            ends = frozenset[Climbed]().union(*(climbed(height, turn, sums) for sums in pairings))
            law[frozenset((turn[0], end) for end in ends) or (turn[0], nothing)] += ways
        return Distribution(law)

    def moves(state: Offer) -> Moves:
        if isinstance(state, frozenset):
            return [Choice(turn[1], 0, point_mass(turn)) for turn in sorted(state)]
        kept, run = state
        if run == nothing:
            return Chance(1, rolled(state))
        after = tuple(map(sum, zip(kept, run, strict=True)))
        if sum(map(eq, after, height)) >= COLUMNS:
            return None
        stopped = (min(after, after[::-1]), nothing)  # a mirror image has the same value
        return [Choice("stop", 0, point_mass(stopped)), Choice("roll", 0, rolled(state))]

    return Game((nothing, nothing), moves)


def _cant_stop(
    sides: int, lowest: int, takes: str = "a second", width: str | None = None
) -> Variant:
    rules = f"dice of {sides} sides, lowest columns of {lowest}"
    return Variant(rules, partial(cant_stop, sides, lowest), takes, width=width, least=True)


_CANT_STOP = {
    "2-1": _cant_stop(2, 1),
    "2-2": _cant_stop(2, 2),
    "2-3": _cant_stop(2, 3),
    "3-1": _cant_stop(3, 1, "3 s"),
    "3-2": _cant_stop(3, 2, "half a minute", width="1e-30"),
}
CANT_STOP = Page("cant-stop", "Can't Stop", "one", "smallest expected number of turns", _CANT_STOP)
