"""Races of two at Farkle in C++: chances to win, enclosed.

The menus of both players come from the exact package, with their chances as the doubles that
enclose them; the C++ solver goes over all pairs of scores with every operation rounded outwards,
and checks its bounds. What comes back is a `WinChances` of intervals that hold the chances to win.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.contenders import Contender
from exactdice.games.farkle.layout import layout_of
from exactdice.games.farkle.menus import Menu, Menus
from exactdice.games.farkle.rules import require_no_streaks
from exactdice.games.farkle.turns import TargetPlayer
from exactdice.games.farkle.two_players import Busts, WinChances
from exactdice.native import MAX_THREADS, Progress, call, enclosed, enclosing, solvers
from exactdice.run import DEFAULT, Run

__all__ = [
    "EnclosedRace",
    "OpenDecision",
    "enclose_wins",
    "heard",
    "laws_of",
    "least_turns",
    "rolls_of",
    "threads_of",
]

_STEP = 5  # ns for a menu, two scores and the points of a turn; six different dice to 4000
_NAMED = 1000  # open decisions that are named


@dataclass(frozen=True)
class OpenDecision:
    """A decision that the enclosures leave open: a tie, or nearly one.

    Parameters
    ----------
    mover
        0 or 1: whose turn.
    own, other
        The scores, that of the mover first.
    points, state
        Points of the turn and number of the set of dice: left, where it is open whether to roll it;
        rolled, where it is open what to keep.
    menu
        What the roll offers; None where it is open whether to roll.
    """

    mover: int
    own: int
    other: int
    points: int
    state: int
    menu: Menu | None


@dataclass(frozen=True)
class EnclosedRace:
    """A race of two, enclosed.

    Parameters
    ----------
    chances
        What the package makes of it: chances, turns, advice.
    width
        The largest width of an enclosure.
    sweeps
        Sweeps over a turn that it took.
    decisions, open
        Decisions that a turn can come to, over all pairs of scores, and how many of them the
        enclosures leave open; the others are proved. None where that was not asked for.
    open_decisions
        The first thousand of those left open.
    """

    chances: WinChances
    width: mpq
    sweeps: int
    decisions: int | None
    open: int | None
    open_decisions: tuple[OpenDecision, ...]


def threads_of(run: Run) -> int:
    """Give the threads that a run may take."""
    return min(run.workers, MAX_THREADS)


def heard(run: Run) -> Progress | None:
    """Turn the part that is done into thousandths."""
    if run.progress is None:
        return None
    return lambda part: run.tell("thousandths", int(part * 1000), 1000)


def _ends(numbers: Iterable[mpq]) -> tuple[list[Any], list[Any]]:
    """Return the doubles below and above each number."""
    pairs = [enclosing(number)[1:] for number in numbers]
    return [below for below, _ in pairs], [above for _, above in pairs]


@lru_cache(maxsize=8)
def rolls_of(menus: Menus) -> Any:
    """Hand the menus of a player to the solver."""
    layout = layout_of(menus)
    weights = [
        mpq(weight, of_state.denominator)
        for of_state in menus.by_state
        for weight in of_state.menus.values()
    ]
    busts = [mpq(*menus.bust_weight(state)) for state in range(len(menus.by_state))]
    return call(
        solvers().FarkleRolls,
        list(layout.first_menu),
        [*layout.start.tolist(), len(layout.score)],
        layout.score.tolist(),
        layout.next_state.tolist(),
        _ends(weights),
        _ends(busts),
    )


@lru_cache(maxsize=4)
def laws_of(player: Contender, busts: int = 0) -> list[tuple[list[Any], list[Any]]]:
    """Give the laws of the units that turns add, from each score; none for a player to win."""
    if player.aim == "win":
        return []
    target_player, unit = TargetPlayer(player.dice, player.rules), player.rules.unit
    found = []
    for own in range(player.floor * unit, player.target, unit):
        needed = player.target - own
        law = target_player.needed_after(needed, busts)
        added = [law.get(after, mpq(0)) for after in range(needed - unit, -unit, -unit)]
        found.append(_ends([1 - sum(added, mpq(0)), *added]))
    return found


def _player(player: Contender) -> Any:
    unit = player.rules.unit
    return call(
        solvers().FarklePlayer,
        rolls_of(player.menus),
        player.levels,
        player.rules.minimum_bank // unit,
        player.rules.entry_minimum // unit,
        laws_of(player),
    )


def enclose_wins(
    first: Contender,
    second: Contender,
    run: Run = DEFAULT,
    *,
    settle: bool = False,
) -> EnclosedRace:
    """Enclose the chances to win a race of two, from every pair of scores.

    Parameters
    ----------
    first, second
        The players; the same twice takes half the time.
    settle
        Look at every decision that a turn can come to, and say which ones are not proved.
    run
        Workers are threads; hears of progress in thousandths.

    Raises
    ------
    InputError
        If busts in a row cost points.
    MissingExtraError
        If the C++ solvers are not built.
    TooLargeError
        If the chances would not fit into memory.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> mpq(162, 167) in enclose_wins(player, player).chances.chance()
    True

    Notes
    -----
    Time grows with the number of pairs of scores times the levels of a turn times the options on
    all menus. Six fair dice to 4000 points take 0.2 s of processor time, 1.3 with `settle`; six
    different ones 30 s, shared by threads.
    """
    for player in {first, second}:
        require_no_streaks(player.rules)
    run.require(64 * first.levels * second.levels, "the chances of this race")
    menus = max(sum(len(s.menus) for s in player.menus.by_state) for player in (first, second))
    steps = menus * first.levels * second.levels * max(first.levels, second.levels)
    run.expect(_STEP * steps // run.workers, "this race")
    mine = _player(first)
    other = None if first == second else _player(second)
    found = call(solvers().farkle_race, mine, other, threads_of(run), settle, _NAMED, heard(run))
    ends = found["chances"]

    def chance(who: int, own: int, other: int, busts: Busts) -> Enclosure:
        lower, upper = ends[who]
        return enclosed((lower[own, other], upper[own, other]))

    players = first, second

    def decision(named: tuple[int, ...]) -> OpenDecision:
        who, own, other, units, state, place = named
        unit, theirs = players[who].rules.unit, players[1 - who].rules.unit
        offered = list(players[who].menus.by_state[state].menus)
        return OpenDecision(
            who,
            own * unit,
            other * theirs,
            units * unit,
            state,
            None if place < 0 else offered[place],
        )

    return EnclosedRace(
        WinChances(first, second, chance),
        mpq(max((upper - lower).max() for lower, upper in ends)),
        found["sweeps"],
        found["decisions"] if settle else None,
        found["open"] if settle else None,
        tuple(decision(named) for named in found["named"]),
    )


def least_turns(player: Contender, score: RationalLike = 0, run: Run = DEFAULT) -> Enclosure:
    """Enclose the least expected number of turns to the target, for a player alone.

    Parameters
    ----------
    player
        Dice and rules; the aim does not matter, as the play is that of the fewest turns.
    score
        Points banked already, below the target.
    run
        Hears of progress in thousandths.

    Raises
    ------
    InputError
        If some score needs a thousand million turns or more, or busts in a row cost points.

    Examples
    --------
    Six fair dice score in 157 of 162 rolls.

    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> mpq(162, 157) in least_turns(contender(rules=KCD.varied(target=50)))
    True

    Notes
    -----
    Some six sweeps over a turn for each score: 0.02 s for six fair dice to 4000 points.
    """
    require_no_streaks(player.rules)
    at = player.score(score, "score") // player.rules.unit
    unit = player.rules.unit
    handed = call(
        solvers().FarklePlayer,
        rolls_of(player.menus),
        player.levels,
        player.rules.minimum_bank // unit,
        player.rules.entry_minimum // unit,
        [],
    )
    lower, upper = call(solvers().farkle_least_turns, handed, heard(run))
    return enclosed((lower[at], upper[at]))
