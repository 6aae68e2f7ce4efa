r"""Advice for a player who plays to win, and when to bank with an opponent in sight.

What a choice is worth is the chance to win after it, both players going on as the race was solved
for; its *regret* is how much less that is than with the best choice. Where the race was solved
exactly all of these are points, and equal choices are ties. Where it was enclosed they are
intervals: a choice is *best* for certain if no other can be better, certainly not if another one is
better, and open otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.selections import Selection, parse_roll, rolled_dice, selections
from exactdice.games.farkle.two_players import Busts, TurnToWin, WinChances

__all__ = ["ChoiceToWin", "ThresholdToWin", "Way", "advise_to_win", "ways_on", "win_thresholds"]


@dataclass(frozen=True)
class Way:
    """A way on after a roll.

    Attributes
    ----------
    selection
        What is kept.
    then
        ``bank`` or ``roll``.
    rolled
        Number of the set of dice rolled next; of those left where ``then`` is ``bank``.
    """

    selection: Selection
    then: Literal["bank", "roll"]
    rolled: int


@dataclass(frozen=True)
class ChoiceToWin:
    """A way on, judged.

    Attributes
    ----------
    way
        What is kept, and whether to bank.
    chance
        Chance to win after it.
    regret
        How much less that is than the best chance.
    best
        Whether no choice is better; None where the enclosures leave that open.
    """

    way: Way
    chance: Enclosure
    regret: Enclosure
    best: bool | None


@dataclass(frozen=True)
class ThresholdToWin:
    """When to roll a set of dice and when to bank, at one pair of scores.

    Attributes
    ----------
    left
        Number of the set of dice left.
    roll
        Maximal ranges of points, both ends included, in which rolling is strictly better, or
        banking is not allowed.
    ties, unsettled
        Points at which both are equal, and at which the enclosures do not tell.
    bank_from
        The points from which on banking is never worse, and below which rolling is better: a single
        threshold says it all. None where there is no single one or it is not settled, and where
        rolling is better up to the last points below the end of the turn.
    """

    left: int
    roll: tuple[tuple[int, int], ...]
    ties: tuple[int, ...]
    unsettled: tuple[int, ...]
    bank_from: int | None


def ways_on(turn: TurnToWin, points: int, offered: Sequence[Selection]) -> Iterator[Way]:
    """List the ways on after a roll with some points at stake, in canonical order.

    Banking first, then higher scores, then larger numbers of the set of dice left.
    """
    ordered = sorted(offered, key=lambda found: (-found.score, -found.left))
    least = turn.player.rules.least_to_bank(turn.own)
    for found in ordered:
        if points + found.score >= least:
            yield Way(found, "bank", found.left)
    for found in ordered:
        rolled = turn.player.menus.next_state(found.left)
        if rolled and points + found.score < turn.end:
            yield Way(found, "roll", rolled)
        elif points + found.score < least:
            yield Way(found, "bank", found.left)  # nothing to roll, nothing to bank


def _chance(turn: TurnToWin, points: int, way: Way) -> Enclosure:
    reached = points + way.selection.score
    if way.then == "roll":
        return turn.rolling(reached, way.rolled)
    return turn.banking(reached) or turn.nothing


def advise_to_win(
    chances: WinChances,
    roll: Sequence[int] | str,
    own: RationalLike = 0,
    other: RationalLike = 0,
    points: RationalLike = 0,
    left: str | int | None = None,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[ChoiceToWin]:
    """List every choice after a roll, the best first.

    Parameters
    ----------
    chances
        The race, solved.
    roll
        The face of each die rolled, in the order of `left`; or their text.
    own, other
        The scores, that of the player who rolled first.
    points
        Points of the turn before this roll.
    left
        The dice rolled, as text; may be left out where all dice were rolled or all are equal.
    mover
        Which player rolled: 0 or 1.
    busts
        Busts in a row before this turn, those of the player who rolled first.

    Returns
    -------
    list of ChoiceToWin
        Empty for a bust. By the lower bound of the chance; equal ones banking first, then higher
        scores.

    Raises
    ------
    InputError
        If a score or the points do not fit the race, the faces are impossible, or the player does
        not play to win.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> from exactdice.games.farkle.two_players_exact import win_exactly
    >>> player = contender("fair*2", KCD.varied(target=200))
    >>> best, *others = advise_to_win(win_exactly(player, player), "1,5", 0, 150)
    >>> best.way.selection.keep, best.way.then, best.best, [c.best for c in others]
    ((1, 5), 'roll', True, [False, False, False, False, False])

    Notes
    -----
    One or two sweeps of the turn, and the exact values behind the choices.
    """
    turn = chances.turn(own, other, mover, busts)
    at = turn.points(points)
    faces = parse_roll(roll) if isinstance(roll, str) else tuple(roll)
    player = turn.player
    dice = rolled_dice(player.dice, faces, left)
    ways = list(ways_on(turn, at, selections(player.rules, player.dice, faces, dice)))
    judged = [(way, _chance(turn, at, way)) for way in ways]
    if not judged:
        return []
    best = Enclosure(max(c.lower for _, c in judged), max(c.upper for _, c in judged))

    def choice(place: int) -> ChoiceToWin:
        way, chance = judged[place]
        beyond = max((c.upper for i, (_, c) in enumerate(judged) if i != place), default=mpq(0))
        verdict = True if chance.lower >= beyond else False if chance.upper < best.lower else None
        lower = mpq(0) if verdict else max(mpq(0), best.lower - chance.upper)
        upper = mpq(0) if verdict else best.upper - chance.lower
        return ChoiceToWin(way, chance, Enclosure(lower, upper), verdict)

    order = sorted(range(len(judged)), key=lambda place: (-judged[place][1].lower, place))
    return [choice(place) for place in order]


def win_thresholds(
    chances: WinChances,
    own: RationalLike = 0,
    other: RationalLike = 0,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[ThresholdToWin]:
    """Say for each set of dice left from how many points on to bank, at one pair of scores.

    Parameters
    ----------
    chances
        The race, solved.
    own, other, mover, busts
        As for `WinChances.turn`.

    Returns
    -------
    list of ThresholdToWin
        One for each set of dice left, ascending.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> from exactdice.games.farkle.two_players_exact import win_exactly
    >>> player = contender("fair*2", KCD.varied(target=500))
    >>> for found in win_thresholds(win_exactly(player, player), 0, 450):
    ...     print(found.left, found.roll, found.bank_from)
    1 ((50, 200), (350, 450)) None
    2 ((50, 450),) None

    Notes
    -----
    Exact values of every set of dice at every number of points: 0.1 s for six fair dice and 4000
    points to go.
    """
    turn = chances.turn(own, other, mover, busts)
    return [_threshold(turn, state) for state in turn.player.dice.proper_states()]


def _threshold(turn: TurnToWin, state: int) -> ThresholdToWin:
    unit, least = turn.player.rules.unit, turn.player.rules.least_to_bank(turn.own)
    ranges: list[tuple[int, int]] = []
    ties, unsettled = [], []
    for points in range(unit, turn.end, unit):
        banked = turn.banking(points)
        rolled = turn.rolling(points, state)
        if points < least or banked is None or rolled.lower > banked.upper:
            if ranges and ranges[-1][1] == points - unit:
                ranges[-1] = ranges[-1][0], points
            else:
                ranges.append((points, points))
        elif rolled.point is not None and rolled == banked:
            ties.append(points)
        elif rolled.upper >= banked.lower:
            unsettled.append(points)
    last = ranges[-1][1] if ranges else 0
    is_single = not ranges or (len(ranges) == 1 and ranges[0][0] == unit)
    settled = is_single and not unsettled and last + unit < turn.end
    return ThresholdToWin(
        state, tuple(ranges), tuple(ties), tuple(unsettled), last + unit if settled else None
    )
