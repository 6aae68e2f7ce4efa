"""Games of luck: Left, Center, Right; Orchard; and Snakes and ladders.

**Left, Center, Right**: each player begins with three chips. In turn each rolls as many dice as
they have chips, three at most. Of the six faces one passes a chip to the left, one to the right,
one into the pot, and three keep it. A player without chips does not roll, but stays in. The last
player with chips wins. A trademark of George & Co. Richeson and Richeson, "What's the Best Seat in
the Game Left, Center, Right?", arXiv 2407.05069, count n (C(4n, n) − n) states that are not over.

**Orchard**: a die shows one of the trees (pick a fruit there, if it has one), a basket (pick where
you like), or the raven, which takes a step. The players win if the trees are empty before the raven
arrives. Orchard is a trademark of HABA.

**Snakes and ladders** on the board of Milton Bradley's Chutes and Ladders (a trademark of Hasbro).
Play begins outside the board; a roll past the last square leaves the piece where it is.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import Chance, Choice, End, Game, Moves, point_mass

State = tuple[int, ...]  # chips, from the player to roll on to the left

#: Distributions of the chips passed left, right and into the pot, by the number of dice.
PASSED = [
    Distribution.from_faces([tuple(map(dice.count, "lrc")) for dice in product("lrckkk", repeat=n)])
    for n in range(4)
]


def rolled(chips: State) -> Distribution[State]:
    def after(passed: tuple[int, ...]) -> State:
        left, right, _ = passed
        return (chips[1] + left, *chips[2:-1], chips[-1] + right, chips[0] - sum(passed))

    return PASSED[min(3, chips[0])].map(after)


def seat(players: int, which: int) -> Game[tuple[int, State]]:
    """Return the game of a seat, 0 being the first; a state is the player to roll, and chips."""

    def moves(state: tuple[int, State]) -> Distribution[tuple[int, State]] | End:
        at, chips = state
        if sum(map(bool, chips)) == 1:
            return End(int((at + chips.index(max(chips))) % players == which))
        return rolled(chips).map(lambda after: ((at + 1) % players, after))

    return Game((0, (3,) * players), moves)


def turns(players: int) -> Game[State]:
    def moves(chips: State) -> Chance[State] | None:
        return None if sum(map(bool, chips)) == 1 else Chance(1, rolled(chips))

    return Game((3,) * players, moves)


def _variant(players: int, which: str, asks: str, game: Callable[[], Game[Any]]) -> Variant:
    takes = {3: "a second", 4: "10 s", 5: "a minute", 6: "2 minutes and 1 GB"}[players]
    width = "1e-12" if players > 3 else None
    return Variant(f"{players} players{which}", game, takes, width=width, asks=asks)


_PLAYERS, _CHANCE = range(3, 7), "probability that seat"
_VARIANTS = {
    f"{n}-seat-{s}": _variant(n, f", seat {s}", f"{_CHANCE} {s} wins", partial(seat, n, s - 1))
    for n in _PLAYERS
    for s in range(1, n + 1)
} | {f"{n}-turns": _variant(n, "", "expected number of turns", partial(turns, n)) for n in _PLAYERS}
_TITLE, _WHO = "Left, Center, Right", "three to six, without choices"
PAGE = Page("left-center-right", _TITLE, _WHO, f"{_CHANCE} 1 wins", _VARIANTS)


Trees = tuple[tuple[int, ...], int, int]


def picked(trees: tuple[int, ...], which: int) -> tuple[int, ...]:
    """Remove a fruit from a tree, if it has one; trees are sorted, being interchangeable."""
    return tuple(sorted(max(0, n - 1) if i == which else n for i, n in enumerate(trees)))


def orchard(trees: int, fruits: int, steps: int, basket: int) -> Game[Trees]:
    """Return the game; a state is fruits by tree, the raven's steps left, and fruits to pick."""

    def moves(state: Trees) -> Moves:
        left, raven, picks = state
        if not any(left):
            return End(1)
        if not raven:
            return End(0)
        if picks:
            return [
                Choice(f"of {n}", 0, point_mass((picked(left, left.index(n)), raven, picks - 1)))
                for n in sorted(set(left) - {0})
            ]
        faces = [(picked(left, tree), raven, 0) for tree in range(trees)]
        return Distribution.from_faces([*faces, (left, raven, basket), (left, raven - 1, 0)])

    return Game(((fruits,) * trees, steps, 0), moves)


_RULES = "as in the box: four trees of ten fruits, nine steps, two fruits a basket"
_FIRST = "the first orchard: four trees of four fruits, five steps, one fruit a basket"
_ORCHARDS = {
    "box": Variant(_RULES, partial(orchard, 4, 10, 9, 2)),
    "first": Variant(_FIRST, partial(orchard, 4, 4, 5, 1)),
}
ORCHARD = Page("orchard", "Orchard", "all together", "probability of winning", _ORCHARDS)


LEAPS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100} | {
    16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78
}  # fmt: skip


def climb(square: int) -> Chance[int] | None:
    if square == 100:
        return None

    def step(roll: int) -> int:
        landed = square + roll
        return square if landed > 100 else LEAPS.get(landed, landed)

    return Chance(1, fair(6).map(step))


_BOARD = Variant("the board of Milton Bradley", lambda: Game(0, climb))
SNAKES_AND_LADDERS = Page("snakes-and-ladders", "Snakes and ladders", "one, without choices",
                          "expected number of moves", {"milton-bradley": _BOARD})  # fmt: skip
