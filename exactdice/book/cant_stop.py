"""Can't Stop for one, on small boards: climb to the top of three columns in the fewest turns.

There is a column for each sum of two dice: that of the smallest and that of the largest sum are so
many steps high, and each next to it two steps higher, up to the middle one. In a turn four dice
are rolled and put into two pairs, whose sums climb a step each where they can: the column is not
finished, and one of three runners is on it or free. Some step must be made; of two columns one is
chosen where a single runner is left. If no pairing gives a step the turn ends and the runners'
steps are lost. Else roll again, or stop and keep them. Glenn, Fang and Kruskal (2006) solve such
small boards by Newton's method; the board of the box has six sides and lowest columns of three.
Can't Stop is a game of Sid Sackson.
"""

from collections import Counter
from functools import partial
from itertools import product
from operator import eq
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Chance, Choice, Game, Moves, point_mass

Steps: TypeAlias = tuple[int, ...]  # by column
Turn: TypeAlias = tuple[Steps, Steps]  # steps that are kept, and those that the runners made
State: TypeAlias = "Turn | frozenset[Turn]"

RUNNERS, COLUMNS = 3, 3  # runners of a turn, and finished columns that end the game


def climbed(height: Steps, turn: Turn, sums: tuple[int, int]) -> frozenset[Steps]:
    """What the runners can have climbed after a pairing, by the places of the columns."""
    kept, run = turn

    def step(run: Steps, column: int) -> Steps | None:
        is_free = run[column] or sum(map(bool, run)) < RUNNERS
        if not is_free or kept[column] + run[column] >= height[column]:
            return None
        return (*run[:column], run[column] + 1, *run[column + 1 :])

    ends = set[Steps]()
    for first, second in (sums, sums[::-1]):
        once = step(run, first)
        if once is not None:
            ends.add(step(once, second) or once)
    return frozenset(ends)


def solitaire(sides: int, lowest: int) -> Game[State]:
    """The turns until the end: a state is a turn so far, or what a roll offers."""
    middle = sides - 1
    height = tuple(lowest + 2 * (middle - abs(middle - place)) for place in range(2 * sides - 1))
    nothing = (0,) * len(height)
    rolls = Counter(
        frozenset((roll[0] + other - 2, sum(roll) - roll[0] - other - 2) for other in roll[1:])
        for roll in product(range(1, sides + 1), repeat=4)
    )

    def rolled(turn: Turn) -> Distribution[State]:
        law = Counter[State]()
        for pairings, ways in rolls.items():
            ends = frozenset[Steps]().union(*(climbed(height, turn, sums) for sums in pairings))
            law[frozenset((turn[0], end) for end in ends) or (turn[0], nothing)] += ways
        return Distribution(law)

    def moves(state: State) -> Moves:
        if isinstance(state, frozenset):
            return [Choice(turn[1], 0, point_mass(turn)) for turn in sorted(state)]
        kept, run = state
        if run == nothing:
            return Chance(1, rolled(state))
        after = tuple(map(sum, zip(kept, run, strict=True)))
        if sum(map(eq, after, height)) >= COLUMNS:
            return None
        stopped = (min(after, after[::-1]), nothing)  # a mirror image is worth the same
        return [Choice("stop", 0, point_mass(stopped)), Choice("roll", 0, rolled(state))]

    return Game((nothing, nothing), moves)


def _variant(sides: int, lowest: int, takes: str = "a second", width: str | None = None) -> Variant:
    rules = f"dice of {sides} sides, lowest columns of {lowest}"
    return Variant(rules, partial(solitaire, sides, lowest), takes, width=width, least=True)


_VARIANTS = {
    "2-1": _variant(2, 1),
    "2-2": _variant(2, 2),
    "2-3": _variant(2, 3),
    "3-1": _variant(3, 1, "3 s"),
    "3-2": _variant(3, 2, "half a minute", width="1e-30"),
}
PAGE = Page("cant-stop", "Can't Stop", "one", "fewest turns on average", _VARIANTS)
