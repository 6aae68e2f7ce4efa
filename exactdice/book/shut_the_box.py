"""Shut the Box: shut tiles that add up to the roll, until none fit or all are shut.

Tiles from 1 up stand open. Each roll's total is made of open tiles, which are shut. The variants
differ in when one die may be rolled instead of two: if all tiles from 7 on are shut, as on
reference.com; if the open tiles add up to at most 6, when it *must* be rolled (``six``, from the
README of AhmadSarwarSSG/Shut-the-Box on GitHub); or never (``two``). Two players take a turn each:
the smaller sum left open wins, and equal sums draw.

**Double Shutter** has a second row of tiles, each behind a tile of the first. The front row is
numbered from 1 up to 9, the back row in reverse, so a front tile and the one behind it make 10. A
back tile is free as soon as its front tile is shut, even within the same roll. If the free tiles
add up to at most 6, one die may be rolled instead of two. When a total cannot be made, the player
pays the open tiles: the back row once, the front row twice. A trademark of Blue Orange Games.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import fair
from exactdice.enclosure import Enclosure
from exactdice.models import Choice, End, Game, LockedTurns, Moves, Other, point_mass
from exactdice.run import Run

Tiles = tuple[int, ...]
#: Open tiles, the roll to be made or 0, and the sum left by the first of two players or −1.
State = tuple[Tiles, int, int]

ROLLS = {"two dice": fair(6).sum_of(2), "one die": fair(6)}


def parts(tiles: Tiles, total: int) -> Iterator[Tiles]:
    if not total:
        yield ()
    for place, tile in enumerate(tiles):
        if tile <= total:
            for rest in parts(tiles[place + 1 :], total - tile):
                yield (tile, *rest)


def box(
    highest: int, one_die: str, *, shutting: bool = True, most: int = 12, players: int = 1
) -> Game[State]:
    """Return the game; with two players a state ends with the first player's sum, or −1."""
    start = (tuple(range(1, highest + 1)), 0, -1)

    def over(tiles: Tiles, rival: int) -> Moves:
        left = sum(tiles)
        if players == 1:
            return End(int(not tiles) if shutting else left)
        if rival < 0:
            return point_mass(Other((*start[:2], left)))
        return End((left < rival) - (left > rival))

    def moves(state: State) -> Moves:
        tiles, total, rival = state
        if total:
            ways = (shut for shut in parts(tiles, total) if len(shut) <= most)
            ends = {shut: (tuple(t for t in tiles if t not in shut), 0, rival) for shut in ways}
            choices = [Choice(shut, 0, point_mass(after)) for shut, after in ends.items()]
        else:
            choices = [
                Choice(dice, 0, ROLLS[dice].map(lambda rolled: (tiles, rolled, rival)))
                for dice in may_roll(tiles, one_die)
            ]
        return choices or over(tiles, rival)

    return Game(start, moves)


def may_roll(tiles: Tiles, one_die: str) -> list[str]:
    if one_die == "six" and sum(tiles) <= 6:
        return ["one die"] if tiles else []
    is_choice = one_die == "choice" and max(tiles, default=7) < 7
    return ["two dice"] * bool(tiles) + ["one die"] * is_choice


def match(highest: int, one_die: str, _run: Run, _width: mpq | None) -> PageAnswer:
    """Solve two players: the first optimises the second's value of each sum."""

    def keep(state: tuple[Tiles, str], total: int) -> list[tuple[Tiles, str]]:
        left = [tuple(t for t in state[0] if t not in shut) for shut in parts(state[0], total)]
        return [(tiles, dice) for tiles in left for dice in may_roll(tiles, one_die) or [""]] or [
            (state[0], "")
        ]

    start = tuple(range(1, highest + 1)), "two dice"
    turns = LockedTurns(start, lambda state: ROLLS.get(state[1]), keep, lambda state: False)
    sums = np.array([sum(end[0]) for end in turns.ends if end])
    rivals = np.arange(max(sums) + 1)
    second = turns.values(np.sign(rivals - sums[:, None]).astype(object))
    value = mpq(int(turns.values(-second[sums][:, None])[0]), turns.denominator**2)
    method = "a turn for each sum of the opponent, box by box"
    return PageAnswer(Enclosure.of((1 + value) / 2), method, len(turns.ends) * len(rivals))


_SUM = "smallest expected sum left open"
_MATCH = "probability that the first player wins (a draw counts 1/2)"
_ONE_DIE = {
    "": ("one die may be rolled when all tiles from 7 are shut", "choice"),
    "-six": ("one die where they add up to at most 6", "six"),
    "-two": ("always two dice", "two"),
}


def _variant(rules: str, highest: int, one_die: str, **how: Any) -> Variant:
    wins, is_large = how.get("players") == 2, highest > 10
    takes = "10 s" if is_large else "a minute" if wins else "a second"
    solve = partial(match, highest, one_die) if wins and is_large else None
    game = partial(box, highest, one_die, **how)
    least = not how.get("shutting", True)
    asks = _SUM if least else _MATCH if wins else ""
    return Variant(rules, game, takes, wins=wins, solve=solve, least=least, asks=asks)


def _variants(players: int) -> Iterator[tuple[str, Variant]]:
    for highest, (name, (words, one_die)) in product((9, 10, 12), _ONE_DIE.items()):
        rules, full = f"{highest} tiles; {words}", f"{highest}{name}"
        if players == 2:
            rules, full = f"two players, {rules}", f"{full}-match"
        yield full, _variant(rules, highest, one_die, players=players)


_PAIRS = f"at most two a roll; {_ONE_DIE['-six'][0]}"
_LOW = f"for a small sum; {_ONE_DIE[''][0]}"
_SMALL = {"9-pairs": _variant(f"9 tiles, {_PAIRS}", 9, "six", most=2)} | {
    f"{n}-sum": _variant(f"{n} tiles, {_LOW}", n, "choice", shutting=False) for n in (9, 10, 12)
}
_ASKS = "probability of shutting all tiles"
_ALL = dict(_variants(1)) | _SMALL | dict(_variants(2))
PAGE = Page("shut-the-box", "Shut the Box", "one, or two with a turn each", _ASKS, _ALL)


Columns: TypeAlias = tuple[tuple[int, ...], ...]  # open tiles in each, the free one first
Columns2: TypeAlias = tuple[Columns, int]  # and the roll to be made, or 0


def shut(stand: Columns, total: int) -> Iterator[Columns]:
    """Yield the tiles left in each column after shutting tiles of a given sum."""
    if not stand:
        yield from [] if total else [()]
        return
    for taken in range(len(stand[0]) + 1):
        if sum(stand[0][:taken]) <= total:
            for rest in shut(stand[1:], total - sum(stand[0][:taken])):
                yield (stand[0][taken:], *rest)


def _shutting(stand: Columns, after: Columns) -> str:
    """Describe a move by the tiles that it shuts."""
    tiles = [
        f"back {tile}" if left == 1 else str(tile)
        for before, kept in zip(stand, after, strict=True)
        for left, tile in zip(range(len(before), len(kept), -1), before, strict=False)
    ]
    return f"shut {', '.join(tiles)}"


def double_shutter(columns: int) -> Game[Columns2]:
    """Return the game whose payoff is the payment for the open tiles."""

    def moves(state: Columns2) -> Moves:
        stand, total = state
        if total:
            choices = [
                Choice(_shutting(stand, after), 0, point_mass((after, 0)))
                for after in shut(stand, total)
            ]
            return choices or End(
                sum(sum(column) + column[0] * (len(column) - 1) for column in stand if column)
            )
        if not any(stand):
            return End(0)
        free = sum(column[0] for column in stand if column)
        return [
            Choice(dice, 0, law.map(lambda rolled: (stand, rolled)))
            for dice, law in ROLLS.items()
            if dice == "two dice" or free <= 6
        ]

    return Game((tuple((n, columns + 1 - n) for n in range(1, columns + 1)), 0), moves)


_NINE, _FIVE = partial(double_shutter, 9), partial(double_shutter, 5)
_SHUTTERS = {
    "9": Variant("two rows of nine tiles", _NINE, "15 s", least=True),
    "5": Variant("two rows of five tiles", _FIVE, least=True),
}
_PAYMENT = "smallest expected payment"
DOUBLE_SHUTTER = Page("double-shutter", "Double Shutter", "one", _PAYMENT, _SHUTTERS)
