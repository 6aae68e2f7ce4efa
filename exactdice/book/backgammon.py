r"""Backgammon with one or two checkers each, and the bear-off of up to six.

The checkers begin on the highest points, the 24-point first, as in hypergammon; either player may
begin with a double. Each die moves one checker, in either order, and a double counts four times. A
player must use as many dice as possible, and the higher die if only one can be used. A checker on
the bar (25) must enter before others move. A point with two opposing checkers is blocked; a single
one is hit. Once all checkers are in the home board they are borne off; a die that is too high bears
off only from the highest point. The loser loses a gammon without having borne off a checker, and a
backgammon if a checker is also on the bar or in the winner's home.

**The bear-off**: up to six checkers each in the home boards, 853,776 pairs of positions. The first
to bear off all checkers wins. The cube is in the *centre*, *mine* or *theirs*. Its owner, or both
players if it is in the centre, may double before rolling; the opponent passes and pays the stake,
or takes and owns the cube at twice the stake. With R the mean over rolls of the best move, the
values for the player to move are

.. math:: V_{theirs} = R_{theirs}, \quad V_{mine} = \max(R_{mine}, \min(2 R_{theirs}, 1)), \quad
          V_{centre} = \max(R_{centre}, \min(2 R_{theirs}, 1)),

and V = R without a cube. Every roll reduces the pips, so one sweep by their number solves all
pairs, in integers over one power of 36. GNU Backgammon's two-sided table contains V for no cube and
R for the others, in 16 bits each.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Choice, End, Game, Moves, Other, point_mass
from exactdice.run import Run
from exactdice.solve.play import Lookahead

Side = tuple[int, ...]  # how far each checker has to go, the last one first
Pair = tuple[Side, Side]
State = tuple[Side, Side, tuple[int, ...]]  # mine, theirs, and the roll if it is cast

ROLLS = {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(a, 7)}


def stepped(pair: Pair, die: int, board: int) -> Iterator[Pair]:
    """Yield what one die makes of both sides; a won game does not change."""
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
    """Return all results of a roll (lower die first) for both sides."""
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
    """Return the game of `number` checkers each; a win pays 1, or more with gammons."""
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


#: My position, theirs, the roll or (), the cube, the stake, and what is due: "", "roll", "double".
Ending = tuple[Side, Side, tuple[int, ...], str, int, str]

ACROSS = {"none": "none", "centre": "centre", "mine": "theirs", "theirs": "mine"}


@cache
def borne(side: Side, roll: tuple[int, ...]) -> tuple[Side, ...]:
    return tuple(mine for mine, _ in played((side, ()), roll))


def bear_off(mine: Side, theirs: Side, cube: str = "none", due: str = "") -> Game[Ending]:
    """Return the end of a game for a stake of 1; `due` is "roll" if the player may not double."""

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


_CHANCE = "probability that the starting player wins"
_EQUITY = "expected points of the starting player (gammon 2, backgammon 3)"
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


Rules = Callable[[], Game[Ending]]


class EquityTable:
    """Equities of all pairs, the mover first, as integers over `unit`; 10 µs a pair and cube."""

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
        def mean(after: Any) -> Any:
            worst = ((n, np.minimum.reduce([after[there, e] for e in ends])) for n, ends in ways)
            return -sum(n * least for n, least in worst) // 36

        rolled = {cube: mean(self.values[ACROSS[cube]]) for cube in self.values}
        for cube, value in rolled.items():
            if cube in ("centre", "mine"):
                value = np.maximum(value, np.minimum(2 * rolled["theirs"], self.unit))
            self.values[cube][mine, there] = value

    def at(self, state: Ending) -> Enclosure | None:
        mine, theirs, roll, cube, stake, due = state
        if cube not in self.values or not {mine, theirs} <= self.place.keys():
            raise InputError("state", state, "six checkers each, and a cube of this table")
        if roll and roll not in ROLLS:
            raise InputError("roll", roll, "two dice, the lower one first")
        if roll or due:
            return None
        value = self.values[cube][self.place[mine], self.place[theirs]]
        return Enclosure.of(stake * mpq(int(value), self.unit))


def solved(rules: Rules, cubes: tuple[str, ...], run: Run, _width: mpq | None) -> PageAnswer:
    game, table = rules(), EquityTable(6, cubes, run)
    value = Lookahead(game, table.at).worth(game.initial)

    def listed() -> Iterator[Ending]:
        for mine, theirs in product(table.positions[1:], repeat=2):
            yield mine, theirs, (), cubes[0], 1, ""

    states = len(cubes) * len(table.positions) ** 2
    return PageAnswer(value, "one sweep by pips", states, at=table.at, listed=listed)


def _variant(rules: str, mine: Side, theirs: Side, cube: str, due: str = "") -> Variant:
    game = partial(bear_off, mine, theirs, cube, due)
    if cube == "none":
        solve = partial(solved, game, (cube,))
        return Variant(rules, game, "10 s", solve=solve, solve_writes=("policy",))
    solve = partial(solved, game, ("centre", "mine", "theirs"))
    return Variant(rules, game, "a minute", solve=solve, large=_LARGE)


_LARGE = "listing 2,561,328 pairs with a cube takes most of an hour"
_X, _O = (6, 6, 5, 3, 2, 1), (6, 6, 6, 6, 4, 1)  # the position of that letter, X to roll
_CLOSED = (6, 5, 4, 3, 2, 1)
_LETTER = "1, 2, 3, 5, 6, 6 against 1, 4, 6, 6, 6, 6"
_ENDINGS = {
    "closed": _variant("a checker on each point, no cube", _CLOSED, _CLOSED, "none"),
    "closed-cube": _variant("a checker on each point, with a cube", _CLOSED, _CLOSED, "centre"),
    "letter": _variant(f"{_LETTER}, no cube", _X, _O, "none"),
    "letter-mine": _variant(f"{_LETTER}, not doubling with own cube", _X, _O, "mine", "roll"),
    "letter-centre": _variant(f"{_LETTER}, not doubling", _X, _O, "centre", "roll"),
    "letter-theirs": _variant(f"{_LETTER}, the opponent's cube", _X, _O, "theirs"),
}
_ASKS = "stakes won per game by the player to roll, on average"
BEAR_OFF = Page("bear-off", "The bear-off of backgammon", "two", _ASKS, _ENDINGS)
