"""Races of two at Farkle in C++: chances to win, enclosed, and busts in a row.

The menus of both players come from the exact package, with their chances as the doubles that
enclose them; the C++ solver goes over all pairs of scores with every operation rounded outwards,
and checks its bounds. What comes back is a `WinChances` of intervals that hold the chances to win.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.layout import layout_of
from exactdice.games.farkle.menus import Menu, Menus, menus_of
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.turns import TargetPlayer
from exactdice.games.farkle.two_players import Contender, WinChances
from exactdice.native import MAX_THREADS, Progress, call, enclosed, enclosing, solvers
from exactdice.run import DEFAULT, Run

__all__ = [
    "EnclosedRace",
    "OpenDecision",
    "StreakRace",
    "enclose_wins",
    "least_turns",
    "streak_race",
]

_STEP = 18  # ns for a menu, two scores and the points of a turn; six fair dice to 4000 and 6000
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


def _threads(run: Run) -> int:
    return min(run.workers, MAX_THREADS)


def _heard(run: Run) -> Progress | None:
    """Turn the part that is done into thousandths."""
    if run.progress is None:
        return None
    return lambda part: run.tell("thousandths", int(part * 1000), 1000)


def _ends(numbers: Iterable[mpq]) -> tuple[list[Any], list[Any]]:
    """Return the doubles below and above each number."""
    pairs = [enclosing(number)[1:] for number in numbers]
    return [below for below, _ in pairs], [above for _, above in pairs]


@lru_cache(maxsize=8)
def _rolls(menus: Menus) -> Any:
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


def _laws(player: Contender) -> Iterator[tuple[list[Any], list[Any]]]:
    """Give the law of the units that a turn adds, from each score, for a player for points."""
    target_player, unit = TargetPlayer(player.dice, player.rules), player.rules.unit
    for own in range(0, player.target, unit):
        needed = player.target - own
        law = target_player.needed_after(needed)
        yield _ends(law.get(after, mpq(0)) for after in range(needed, -unit, -unit))


def _player(player: Contender) -> Any:
    unit = player.rules.unit
    return call(
        solvers().FarklePlayer,
        _rolls(player.menus),
        player.levels,
        player.rules.minimum_bank // unit,
        player.rules.entry_minimum // unit,
        list(_laws(player)) if player.aim == "points" else [],
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
    MissingExtraError
        If the C++ solvers are not built.
    TooLargeError
        If the chances would not fit into memory.

    Examples
    --------
    >>> from exactdice.games.farkle.rules import KCD
    >>> from exactdice.games.farkle.two_players import contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> mpq(162, 167) in enclose_wins(player, player).chances.chance()
    True

    Notes
    -----
    Time grows with the number of pairs of scores times the levels of a turn times the options on
    all menus. Six fair dice to 4000 points take one second of processor time, 1.5 with `settle`.
    """
    run.require(64 * first.levels * second.levels, "the chances of this race")
    menus = max(sum(len(s.menus) for s in player.menus.by_state) for player in (first, second))
    steps = menus * first.levels * second.levels * max(first.levels, second.levels)
    run.expect(_STEP * steps // run.workers, "this race")
    mine = _player(first)
    other = None if first == second else _player(second)
    found = call(solvers().farkle_race, mine, other, _threads(run), settle, _NAMED, _heard(run))
    ends = found["chances"]

    def chance(who: int, own: int, other: int) -> Enclosure:
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


def least_turns(player: Contender, score: object = 0, run: Run = DEFAULT) -> Enclosure:
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
        If some score needs a thousand million turns or more.

    Examples
    --------
    Six fair dice score in 157 of 162 rolls.

    >>> from exactdice.games.farkle.rules import KCD
    >>> from exactdice.games.farkle.two_players import contender
    >>> mpq(162, 157) in least_turns(contender(rules=KCD.varied(target=50)))
    True

    Notes
    -----
    Some six sweeps over a turn for each score: 0.02 s for six fair dice to 4000 points.
    """
    at = player.score(score, "score") // player.rules.unit
    unit = player.rules.unit
    handed = call(
        solvers().FarklePlayer,
        _rolls(player.menus),
        player.levels,
        player.rules.minimum_bank // unit,
        player.rules.entry_minimum // unit,
        [],
    )
    lower, upper = call(solvers().farkle_least_turns, handed, _heard(run))
    return enclosed((lower[at], upper[at]))


@dataclass(frozen=True)
class StreakRace:
    """A race of two equal players in which every third bust in a row costs points.

    Parameters
    ----------
    chance
        Encloses the chance that the player to move wins from the beginning.
    passes
        The same after each pass over all states.
    states
        Scores and busts in a row of both.
    """

    chance: Enclosure
    passes: tuple[Enclosure, ...]
    states: int


def streak_race(
    dice: DiceSet | str,
    rules: RuleSet,
    *,
    floor: object,
    width: object = "1/1000000",
    passes: int = 50,
    run: Run = DEFAULT,
) -> StreakRace:
    """Enclose the chance to win of the first of two equal players who play to win.

    As scores can fall, the equations of all pairs of scores hang together. Bounds of every state
    are swept again and again, highest scores first, from 0 and 1; each pass keeps them bounds.

    Parameters
    ----------
    dice, rules
        The game of both players, with a streak penalty.
    floor
        How many points below 0 a score can fall: further penalties stop there.
    width
        The passes end when the enclosure is as narrow as this.
    passes
        At most so many passes.
    run
        As for `enclose_wins`.

    Raises
    ------
    InputError
        If the rules have no target, no hot dice, a penalty of a bust, or an entry minimum.

    Examples
    --------
    >>> from exactdice.games.farkle.rules import KCD
    >>> race = streak_race("fair*2", KCD.varied(target=50, streak_penalty=50), floor=50)
    >>> race.chance.width < mpq(1, 10**6), len(race.passes) > 1
    (True, True)

    Notes
    -----
    Nine times the states of a race without streaks; a pass takes two sweeps a state, and narrows
    the bounds five- to fifteenfold.
    """
    dice = parse_dice(dice, most=rules.dice) if isinstance(dice, str) else dice
    if rules.target is None:
        raise InputError("target", Unquoted("none"), "the points to reach")
    for field in ("penalty", "entry_minimum"):
        if points := getattr(rules, field):
            raise InputError(field, points, "none in a race with streaks")
    if not rules.hot_dice:
        raise InputError("hot_dice", rules.hot_dice, "hot dice in a race with streaks")
    unit = rules.unit
    found = call(
        solvers().farkle_streak_race,
        _rolls(menus_of(rules, dice, prune=True)),
        rules.target // unit,
        rules.minimum_bank // unit,
        rules.streak_penalty // unit,
        rules.whole_points(floor, "floor") // unit,
        enclosing(rational(width, "width"))[0],
        natural(passes, "passes", least=1, most=10_000),
        _threads(run),
        _heard(run),
    )
    return StreakRace(
        enclosed(found["chance"]),
        tuple(enclosed(each) for each in found["passes"]),
        found["states"],
    )
