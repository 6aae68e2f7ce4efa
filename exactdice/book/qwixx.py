"""Qwixx for one: two rows that ascend and two that descend are crossed from left to right.

Two white dice and four coloured ones are rolled. First the sum of the white dice may be crossed in
any row, then the sum of a white and a coloured die in the row of that colour, each to the right of
all crosses of its row; a player who crosses nothing takes a penalty of 5 points. The last box of a
row requires five crosses before it, locks the row, and counts as an additional cross; n crosses
score 1 + 2 + … + n. The fourth penalty ends the game, and so does the second lock, even before a
coloured die is used. Variant ``plays-on`` has the rules of a program of 2017. Qwixx is a trademark
of Nürnberger-Spielkarten-Verlag.
"""

from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import TypeAlias

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.models import Choice, End, Game, Moves, point_mass
from exactdice.native import qwixx as native
from exactdice.run import DEFAULT, Run

Rows: TypeAlias = tuple[tuple[int, int], ...]  # place of the last cross, and number of crosses
Sheet: TypeAlias = tuple[Rows, int]  # and the penalties
State: TypeAlias = tuple[Rows, int, tuple[int, ...]]  # and the roll, if there is one

NEW: Sheet = (((0, 0),) * 4, 0)


@dataclass(frozen=True)
class Qwixx:
    sides: int = 6
    needed: int = 5  # crosses before the last box
    penalties: int = 4  # that end the game
    plays_on: bool = False  # whether a coloured die still counts when the white ones ended the game

    @property
    def boxes(self) -> int:
        return 2 * self.sides - 1

    @property
    def turns(self) -> int:
        """The largest number of turns: each makes a cross or a penalty, and one row may lock."""
        return 4 * self.boxes - 3 + self.penalties

    def crossed(self, rows: Rows, row: int, total: int) -> Rows | None:
        """Return the rows after crossing a sum in one of them; None if that is not allowed."""
        box = total - 1 if row < 2 else 2 * self.sides + 1 - total
        last, crosses = rows[row]
        if box <= last or (box == self.boxes and crosses < self.needed):
            return None
        return (*rows[:row], (box, crosses + 1), *rows[row + 1 :])

    def has_ended(self, rows: Rows) -> bool:
        return sum(last == self.boxes for last, _ in rows) >= 2

    def score(self, sheet: Sheet) -> int:
        rows, penalties = sheet
        counted = [crosses + (last == self.boxes) for last, crosses in rows]
        return sum(n * (n + 1) // 2 for n in counted) - 5 * penalties

    def options(self, sheet: Sheet, roll: tuple[int, ...]) -> frozenset[Sheet]:
        rows, penalties = sheet
        white = [self.crossed(rows, row, roll[0] + roll[1]) for row in range(4)]
        whites = [after for after in white if after]
        begun = [rows, *(after for after in whites if self.plays_on or not self.has_ended(after))]
        coloured = [
            self.crossed(before, row, roll[2 + row] + die)
            for before in begun
            for row in range(4)
            for die in roll[:2]
        ]
        ends = {(after, penalties) for after in (*whites, *coloured) if after}
        return frozenset({(rows, penalties + 1), *ends})

    def game(self, start: Sheet = NEW) -> Game[State]:
        """Return the rules as moves: for small dice, or sheets that are nearly full."""

        def moves(state: State) -> Moves:
            rows, penalties, roll = state
            if penalties == self.penalties or self.has_ended(rows):
                return End(self.score((rows, penalties)))
            if roll:
                ends = sorted(self.options((rows, penalties), roll))
                return [Choice(sheet, 0, point_mass((*sheet, ()))) for sheet in ends]
            faces = range(1, self.sides + 1)
            return Distribution({(rows, penalties, r): 1 for r in product(faces, repeat=6)})

        return Game((*start, ()), moves)

    def values(self, *sheets: Sheet, run: Run = DEFAULT) -> tuple[list[mpq], int]:
        """Return the greatest expected scores of some sheets, and the number of sheets solved."""
        if self.sides == 6:
            run.expect(7_242_648 * 10_000, "the game")
        return native.values(
            (self.sides, self.needed, self.penalties, self.plays_on),
            self.turns,
            [[*chain(*rows), penalties] for rows, penalties in sheets],
            run.memory,
            lambda part: run.tell("sheets, in percent", int(100 * part), 100),
        )

    def solve(self, run: Run, _width: mpq | None) -> PageAnswer:
        return self.around((*NEW, ()), run)

    def around(self, state: State, run: Run) -> PageAnswer:
        rows, penalties, roll = state
        sheets = sorted(self.options((rows, penalties), roll)) if roll else [(rows, penalties)]
        values, solved = self.values(*sheets, run=run)
        known = {(*s, ()): Enclosure.of(v) for s, v in zip(sheets, values, strict=True)}
        method = "sheet by sheet, most crosses first"
        return PageAnswer(largest(known.values()), method, solved, at=known.get)


def _variant(rules: str, game: Qwixx) -> Variant:
    solved = partial(Variant, rules, game.game, "two minutes, in C++", solve=game.solve)
    return solved(around=game.around, large=_LARGE)


_LARGE = "the values of 7,242,648 sheets need more than a gigabyte"
_RULES = "the second lock ends the game at once"
_LONGER = "a coloured die still counts when the white ones have ended the game"
_VARIANTS = {
    "rules": _variant(_RULES, Qwixx()),
    "plays-on": _variant(_LONGER, Qwixx(plays_on=True)),
}
PAGE = Page("qwixx", "Qwixx", "one", "expected score under optimal play", _VARIANTS)
