"""Can't Stop for one player, on small boards: finish three columns in the fewest turns.

There is a column for each sum of two dice. The columns of the smallest and the largest sum are
`lowest` steps high, and each next column is two steps higher, up to the middle. In a turn four dice
are rolled and split into two pairs. The sum of each pair climbs one step if its column is
unfinished and one of three runners is on it or free. If only one runner is left for two columns,
the player chooses one. If no pairing gives a step, the turn ends and its steps are lost; otherwise
the player rolls again, or stops and keeps them. Glenn, Fang and Kruskal (2006) solve such small
boards by Newton's method; the published board has six sides and lowest columns of three. Can't Stop
is a game of Sid Sackson.
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
Turn: TypeAlias = tuple[Steps, Steps]  # kept steps, and the runners' steps in this turn
State: TypeAlias = "Turn | frozenset[Turn]"

RUNNERS, COLUMNS = 3, 3  # in a turn; finished columns that end the game


def climbed(height: Steps, turn: Turn, sums: tuple[int, int]) -> frozenset[Steps]:
    """Return the possible steps of the runners after a pairing, given as two columns."""
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
    """Return the game; a state is a turn so far, or the options after a roll."""
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
        stopped = (min(after, after[::-1]), nothing)  # a mirror image has the same value
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
PAGE = Page("cant-stop", "Can't Stop", "one", "smallest expected number of turns", _VARIANTS)
