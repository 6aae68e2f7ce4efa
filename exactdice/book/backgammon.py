"""Backgammon with one or two checkers each, on the whole board, and the bear-off.

The checkers begin on the highest points, the 24-point first, as in hypergammon, and either player
may begin with a double. A checker moves by one die after the other in either order, four times in a
double, and as many dice are played as can be; of two that exclude each other the higher one. From
the bar, 25 away, a checker enters before others move; a point with two of the other's is blocked,
and one there is hit. Once all are in the home board they are borne off, by a die too high only from
the highest point. A loser who has borne off none loses a gammon, and a backgammon with a checker on
the bar or in the winner's home.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Moves, Other, point_mass

Side = tuple[int, ...]  # how far each checker has to go, the last one first
Pair = tuple[Side, Side]
State = tuple[Side, Side, tuple[int, ...]]  # mine, theirs, and the roll if it is cast

ROLLS = {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(a, 7)}


def stepped(pair: Pair, die: int, board: int) -> Iterator[Pair]:
    """Go through what one die makes of both sides; of a game that is won, the same."""
    mine, theirs = pair
    if not mine[0]:
        yield pair
    bar, is_home = board + 1, mine[0] <= board // 4
    for checker in {mine[0]} if mine[0] == bar else {*mine} - {0}:
        to = max(0, checker - die)
        if not to and not (is_home and checker in (die, mine[0])):
            continue
        if to and theirs.count(bar - to) > 1:
            continue
        left = list(mine)
        left[left.index(checker)] = to
        sent = [bar if to and other == bar - to else other for other in theirs]
        yield tuple(sorted(left, reverse=True)), tuple(sorted(sent, reverse=True))


def played(pair: Pair, roll: tuple[int, ...], board: int = 24) -> tuple[Pair, ...]:
    """List what a roll can make of both sides, the lower die being written first."""
    most, ends = 0, {pair}
    for order in [roll[:1] * 4] if roll[0] == roll[1] else [roll[::-1], roll]:
        reached, count = {pair}, 0
        for die in order:
            after = {q for p in reached for q in stepped(p, die, board)}
            if not after:
                break
            reached, count = after, count + 1
        if count > most:
            most, ends = count, reached
        elif count == most == 2:
            ends |= reached
    return tuple(sorted(ends))


def checkers(
    number: int, *, counts_gammons: bool = False, board: int = 24, sides: int = 6
) -> Game[State]:
    """So many checkers each; a win is worth 1, or what gammons and backgammons count."""
    rolls = {roll: ways for roll, ways in ROLLS.items() if roll[1] <= sides}

    def moves(state: State) -> Moves:
        mine, theirs, roll = state
        if not mine[0]:
            is_gammon = counts_gammons and theirs[-1] > 0
            return End(1 + is_gammon + (is_gammon and theirs[0] > board - board // 4))
        if not roll:
            return Distribution({(mine, theirs, cast): ways for cast, ways in rolls.items()})
        return [
            Choice(end, 0, point_mass(Other((*end[::-1], ())) if end[0][0] else (*end, ())))
            for end in played((mine, theirs), roll, board)
        ]

    start = tuple(range(board, board - number, -1))
    return Game((start, start, ()), moves)


#: My position, theirs, the roll if it is cast, the cube, the stake, and what is due: "", "roll" or
#: an answer to a "double".
Ending = tuple[Side, Side, tuple[int, ...], str, int, str]

ACROSS = {"none": "none", "centre": "centre", "mine": "theirs", "theirs": "mine"}


@cache
def borne(side: Side, roll: tuple[int, ...]) -> tuple[Side, ...]:
    """List what a roll can make of a side that meets nobody any more."""
    return tuple(mine for mine, _ in played((side, ()), roll))


def bear_off(mine: Side, theirs: Side, cube: str = "none", due: str = "") -> Game[Ending]:
    """The end of a game for a stake of 1, by the rules that `exactdice.book.bear_off` says."""

    def moves(state: Ending) -> Moves:
        mine, theirs, roll, cube, stake, due = state

        def turned(action: Any, after: Side, cube: str, stake: int, due: str) -> Choice[Any]:
            return Choice(action, 0, point_mass(Other((theirs, after, (), cube, stake, due))))

        if not any(theirs):
            return End(-stake)
        if roll:
            return [turned(to, to, ACROSS[cube], stake, "") for to in borne(mine, roll)]
        if due == "double":
            passed = (mine, (0,) * len(theirs), (), cube, stake, "")
            take = turned("take", mine, "theirs", 2 * stake, "")
            return [take, Choice("pass", 0, point_mass(passed))]
        rolled = Distribution({(mine, theirs, r, cube, stake, ""): n for r, n in ROLLS.items()})
        if due == "roll" or cube in ("none", "theirs"):
            return rolled
        return [Choice("roll", 0, rolled), turned("double", mine, cube, stake, "double")]

    return Game((mine, theirs, (), cube, 1, due), moves)


_CHANCE = "chance that the one who begins wins"
_EQUITY = "what the one who begins wins on average, a gammon counting 2 and a backgammon 3"
_SLOW = "5 minutes and 3 GB"
_VARIANTS = {
    "one-checker": Variant("one checker each", partial(checkers, 1), wins=True),
    "one-checker-equity": Variant(
        "one checker each, for points", partial(checkers, 1, counts_gammons=True), asks=_EQUITY
    ),
    "two-checkers": Variant(
        "two checkers each", partial(checkers, 2), _SLOW, width="1e-12", wins=True
    ),
}
_TITLE = "Backgammon with one or two checkers each"
PAGE = Page("backgammon", _TITLE, "two", _CHANCE, _VARIANTS)
