r"""The bear-off of backgammon: up to six checkers each in the home boards, 853,776 pairs.

A position is how far each checker has to go, the last one first; rolls are played as on the whole
board (`exactdice.book.backgammon`), where these meet nobody. Who has borne off all first wins.

A cube is in the *centre*, *mine* or *theirs*; who may double does so before rolling, and the other
one passes and pays the stake, or takes and owns the cube of twice the stake. With R the mean over
rolls of the best move, the values of the player to move are

.. math:: V_{theirs} = R_{theirs}, \quad V_{mine} = \max(R_{mine}, \min(2 R_{theirs}, 1)), \quad
          V_{centre} = \max(R_{centre}, \min(2 R_{theirs}, 1)),

and V = R without a cube. A roll brings fewer pips, so that one sweep by their number solves all
pairs, in integers over one power of 36.

GNU Backgammon's table of two sides holds V of no cube and R of the others, in 16 bits each.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.book.backgammon import ACROSS, ROLLS, Ending, Side, bear_off, borne
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Game
from exactdice.run import Run
from exactdice.solve.play import Lookahead

Rules = Callable[[], Game[Ending]]


class EquityTable:
    """Equities of all pairs of positions of at most so many checkers, the mover's first.

    `values`: for each cube an array of integers over `unit`. 10 µs a pair and cube.
    """

    def __init__(self, checkers: int, cubes: tuple[str, ...], run: Run) -> None:
        self.positions = sorted(combinations_with_replacement(range(6, -1, -1), checkers), key=sum)
        self.place = {position: place for place, position in enumerate(self.positions)}
        n, pips = len(self.positions), [sum(position) for position in self.positions]
        run.expect(n * n * len(cubes) * 10_000, "the table")
        run.require(n * n * len(cubes) * 64, "the table")
        ways = [
            [(weight, [self.place[q] for q in borne(p, roll)]) for roll, weight in ROLLS.items()]
            for p in self.positions
        ]
        turns = [0] * n
        for place in range(1, n):
            turns[place] = 1 + max(turns[end] for _, ends in ways[place] for end in ends)
        self.unit: Any = mpz(36) ** (2 * max(turns))  # as many rolls at most
        self.values = {cube: np.full((n, n), self.unit, object) for cube in cubes}
        for array in self.values.values():
            array[:, 0] = -self.unit
        for total in range(2, 2 * pips[-1] + 1):
            for place in range(1, n):
                if 0 < (left := total - pips[place]) <= pips[-1]:
                    there = slice(pips.index(left), n - pips[::-1].index(left))
                    self._fill(place, ways[place], there)
            run.tell("pips", total, 2 * pips[-1])

    def _fill(self, mine: int, ways: list[tuple[int, list[int]]], there: slice) -> None:
        """Solve a position against those at some places."""

        def mean(after: Any) -> Any:
            worst = (
                (n, np.minimum.reduce([after[there, end] for end in ends])) for n, ends in ways
            )
            return -sum(n * least for n, least in worst) // 36

        rolled = {cube: mean(self.values[ACROSS[cube]]) for cube in self.values}
        for cube, value in rolled.items():
            if cube in ("centre", "mine"):
                value = np.maximum(value, np.minimum(2 * rolled["theirs"], self.unit))
            self.values[cube][mine, there] = value

    def at(self, state: Ending) -> Enclosure | None:
        """The equity of a state where a turn begins; None within one."""
        mine, theirs, roll, cube, stake, due = state
        if cube not in self.values or not {mine, theirs} <= self.place.keys():
            raise InputError("state", state, "six checkers each, and a cube of these")
        if roll and roll not in ROLLS:
            raise InputError("roll", roll, "two dice, the lower one first")
        if roll or due:
            return None
        value = self.values[cube][self.place[mine], self.place[theirs]]
        return Enclosure.of(stake * mpq(int(value), self.unit))


def solved(rules: Rules, cubes: tuple[str, ...], run: Run, _width: mpq | None) -> PageAnswer:
    """Solve all pairs for one of them."""
    game, table = rules(), EquityTable(6, cubes, run)
    value = Lookahead(game, table.at).worth(game.initial)

    def listed() -> Iterator[Ending]:
        for mine, theirs in product(table.positions[1:], repeat=2):
            yield mine, theirs, (), cubes[0], 1, ""

    states = len(cubes) * len(table.positions) ** 2
    return PageAnswer(value, "one sweep by pips", states, at=table.at, listed=listed)


def _variant(rules: str, mine: Side, theirs: Side, cube: str, printed: str) -> Variant:
    """A variant whose table is that of all pairs; without a double where the roller may."""
    due = "roll" if printed and cube in ("mine", "centre") else ""
    game = partial(bear_off, mine, theirs, cube, due)
    numbers = {printed: _ROBINS} if printed else {}
    if cube == "none":
        solve = partial(solved, game, (cube,))
        return Variant(rules, game, "10 s", numbers, solve=solve, solve_writes=("policy",))
    solve = partial(solved, game, ("centre", "mine", "theirs"))
    return Variant(rules, game, "a minute", numbers, solve=solve, large=_LARGE)


_LARGE = "2,561,328 pairs with a cube would take most of an hour to look through"
_ROBINS = "GNU Backgammon's table, as Neil Robins quotes it on bug-gnubg, 7 September 2009"
_X, _O = (6, 6, 5, 3, 2, 1), (6, 6, 6, 6, 4, 1)  # the position of that letter, X to roll
_CLOSED = (6, 5, 4, 3, 2, 1)
_LETTER = "1, 2, 3, 5, 6, 6 against 1, 4, 6, 6, 6, 6"
_VARIANTS = {
    "closed": _variant("a checker on each point, no cube", _CLOSED, _CLOSED, "none", ""),
    "closed-cube": _variant("the same, cube in the centre", _CLOSED, _CLOSED, "centre", ""),
    "letter": _variant(f"{_LETTER}, no cube", _X, _O, "none", "0.7554"),
    "letter-mine": _variant(f"{_LETTER}, not doubling one's cube", _X, _O, "mine", "0.9339"),
    "letter-centre": _variant(f"{_LETTER}, not doubling", _X, _O, "centre", "0.9303"),
    "letter-theirs": _variant(f"{_LETTER}, the other one's cube", _X, _O, "theirs", "0.7441"),
}
_ASKS = "equity of the player to roll: a win less a loss, times the stake"
PAGE = Page("bear-off", "The bear-off of backgammon", "two", _ASKS, _VARIANTS)
