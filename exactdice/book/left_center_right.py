"""Left, Center, Right: a chain that passes chips round until one player has all that are left.

Each player begins with three chips. In turn each rolls as many dice as they have chips, three at
most: of the six faces one passes a chip to the left, one to the right, one into the pot, and three
keep it. Who has none does not roll, but stays in. The last with chips wins. Left, Center, Right is
a trademark of George & Co. Richeson and Richeson, "What's the Best Seat in the Game Left, Center,
Right?", arXiv 2407.05069, count n (C(4n, n) − n) states that are not over.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Chance, End, Game

State = tuple[int, ...]  # chips, from the player to roll on to the left

#: Laws of how many chips so many dice pass to the left, to the right and into the pot.
PASSED = [
    Distribution.from_faces([tuple(map(dice.count, "lrc")) for dice in product("lrckkk", repeat=n)])
    for n in range(4)
]


def rolled(chips: State) -> Distribution[State]:
    """The chips after one turn, from the next player on."""

    def after(passed: tuple[int, ...]) -> State:
        left, right, _ = passed
        return (chips[1] + left, *chips[2:-1], chips[-1] + right, chips[0] - sum(passed))

    return PASSED[min(3, chips[0])].map(after)


def seat(players: int, which: int) -> Game[tuple[int, State]]:
    """The chance of a seat, 0 being who begins: a state is who rolls, and the chips."""

    def moves(state: tuple[int, State]) -> Distribution[tuple[int, State]] | End:
        at, chips = state
        if sum(map(bool, chips)) == 1:
            return End(int((at + chips.index(max(chips))) % players == which))
        return rolled(chips).map(lambda after: ((at + 1) % players, after))

    return Game((0, (3,) * players), moves)


def turns(players: int) -> Game[State]:
    """How many turns a game takes, those without a roll included."""

    def moves(chips: State) -> Chance[State] | None:
        return None if sum(map(bool, chips)) == 1 else Chance(1, rolled(chips))

    return Game((3,) * players, moves)


def _variant(players: int, which: str, asks: str, game: Callable[[], Game[Any]]) -> Variant:
    takes = {3: "a second", 4: "10 s", 5: "a minute", 6: "2 minutes and 1 GB"}[players]
    width = "1e-12" if players > 3 else None
    return Variant(f"{players} players{which}", game, takes, width=width, asks=asks)


_PLAYERS, _ASKS = range(3, 7), "chance of the first seat to win"
_VARIANTS = {
    f"{n}-seat-{at + 1}": _variant(
        n, f", seat {at + 1}", "chance of the seat to win", partial(seat, n, at)
    )
    for n in _PLAYERS
    for at in range(n)
} | {f"{n}-turns": _variant(n, "", "mean number of turns", partial(turns, n)) for n in _PLAYERS}
_TITLE, _WHO = "Left, Center, Right", "three to six, who choose nothing"
PAGE = Page("left-center-right", _TITLE, _WHO, _ASKS, _VARIANTS)
