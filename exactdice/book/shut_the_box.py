"""Shut the Box: shut tiles that add up to the roll, until none fit or all are shut.

Tiles from 1 up stand open. Each roll's total is made of open tiles, which are shut. The variants
say when one die may be rolled instead of two: where the highest tiles, from 7 on, are shut
(``choice``), or where the open tiles add up to at most 6 (``six``, where one die *must* be rolled).
"""

from collections.abc import Iterator

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import Choice, End, Game, point_mass
from exactdice.solve.turns import Moves

Tiles = tuple[int, ...]
State = tuple[Tiles, int]  # open tiles, and the roll that is to be made of them, or 0

ONE, TWO = fair(6), fair(6).sum_of(2)


def parts(tiles: Tiles, total: int) -> Iterator[Tiles]:
    """Go through the sets of tiles that add up to a total."""
    if not total:
        yield ()
    for place, tile in enumerate(tiles):
        if tile <= total:
            for rest in parts(tiles[place + 1 :], total - tile):
                yield (tile, *rest)


def box(highest: int, one_die: str, *, shutting: bool = True) -> Game[State]:
    """Shut tiles up to the highest: for a win of 1, or for what is left, counted below 0."""

    def moves(state: State) -> Moves:
        tiles, total = state
        if not tiles:
            return End(int(shutting))
        if total:
            choices = [
                Choice(shut, 0, point_mass((tuple(t for t in tiles if t not in shut), 0)))
                for shut in parts(tiles, total)
            ]
            return choices or End(0 if shutting else -sum(tiles))
        rolls = {
            dice: Distribution({(tiles, rolled): ways for rolled, ways in law.items()})
            for dice, law in (("two dice", TWO), ("one die", ONE))
        }
        if one_die == "six":
            return rolls["one die" if sum(tiles) <= 6 else "two dice"]
        may = one_die == "choice" and tiles[-1] < 7
        return [Choice(dice, 0, rolls[dice]) for dice in (rolls if may else ["two dice"])]

    return Game((tuple(range(1, highest + 1)), 0), moves)


def _variant(rules: str, highest: int, one_die: str, *, shutting: bool = True) -> Variant:
    takes = "10 s" if highest > 10 else "a second"
    return Variant(rules, lambda: box(highest, one_die, shutting=shutting), takes)


PAGE = Page(
    "shut-the-box",
    "Shut the Box",
    "one",
    "chance to shut all tiles, or the sum of those left open, counted below 0",
    {
        "9": _variant("nine tiles; one die may be rolled when 7, 8 and 9 are shut", 9, "choice"),
        "9-six": _variant("nine tiles; one die where they add up to at most 6", 9, "six"),
        "9-two": _variant("nine tiles; always two dice", 9, "two"),
        "9-sum": _variant("as 9, for a small sum", 9, "choice", shutting=False),
        "10": _variant("ten tiles, else as 9", 10, "choice"),
        "12": _variant("twelve tiles, else as 9", 12, "choice"),
    },
)
