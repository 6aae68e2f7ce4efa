"""Advice for a player who plays to win, and when to bank with an opponent in sight.

A way on is worth the chance to win after it, both players going on as the race was solved for. It
is judged as in `turn.advice`: by points where the race was solved exactly, else by intervals.
"""

from collections.abc import Sequence

from exactdice.arithmetic import RationalLike
from exactdice.games.farkle.races.chances import Busts, TurnToWin, WinChances
from exactdice.games.farkle.turn.advice import Choice, judged, ways_after
from exactdice.games.farkle.turn.thresholds import Threshold, ranges


def advise_to_win(
    chances: WinChances,
    roll: Sequence[int] | str,
    own: RationalLike = 0,
    other: RationalLike = 0,
    points: RationalLike = 0,
    left: str | int | None = None,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[Choice]:
    """List every choice after a roll of the mover, 0 or 1, the best first; none for a bust.

    Scores and busts in a row are those before the turn, the mover's own first; `points` and `left`
    are as for `advise`. Choices are in the order of the lower bounds of the chances; equal ones
    banking first, then higher scores.

    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> from exactdice.games.farkle.races.contenders import contender
    >>> from exactdice.games.farkle.races.exact import win_exactly
    >>> player = contender("fair*2", KCD.varied(target=200))
    >>> best, *others = advise_to_win(win_exactly(player, player), "1,5", 0, 150)
    >>> best.keep, best.then, best.best, [c.best for c in others]
    ((1, 5), 'roll', True, [False, False, False, False, False])

    One or two sweeps of the turn, and the exact values behind the choices.
    """
    turn = chances.turn(own, other, mover, busts)
    at = turn.points(points)
    ways = ways_after(turn, turn.player, roll, at, left)
    worths = [
        turn.rolling(at + way.score, way.left)
        if way.then == "roll"
        else turn.banking(at + way.score) or turn.nothing
        for way in ways
    ]
    return judged(ways, worths)


def win_thresholds(
    chances: WinChances,
    own: RationalLike = 0,
    other: RationalLike = 0,
    mover: int = 0,
    busts: Busts = (0, 0),
) -> list[Threshold]:
    """Say for each set of dice left from how many points on to bank, at one pair of scores.

    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> from exactdice.games.farkle.races.contenders import contender
    >>> from exactdice.games.farkle.races.exact import win_exactly
    >>> player = contender("fair*2", KCD.varied(target=500))
    >>> for each in win_thresholds(win_exactly(player, player), 0, 450):
    ...     print(each.left, each.roll, each.bank_from)
    1 ((50, 200), (350, 450)) None
    2 ((50, 450),) None

    Exact values of every set of dice at every number of points: 0.1 s for six fair dice and 4000
    points to go.
    """
    turn = chances.turn(own, other, mover, busts)
    return [_threshold(turn, state) for state in turn.player.dice.proper_states()]


def _threshold(turn: TurnToWin, state: int) -> Threshold:
    unit = turn.player.rules.unit
    better, ties, unsettled = [], [], []
    for points in range(unit, turn.end, unit):
        banked = turn.banking(points)
        rolled = turn.rolling(points, state)
        if banked is None or banked.at_least(rolled) is False:
            better.append(points)
        elif rolled.point is not None and rolled == banked:
            ties.append(points)
        elif rolled.at_least(banked) is not False:
            unsettled.append(points)
    rolls = ranges(better, unit)
    last = better[-1] if better else 0
    is_single = not rolls or (len(rolls) == 1 and rolls[0][0] == unit)
    settled = is_single and not unsettled and last + unit < turn.end
    bank_from = last + unit if settled else None
    return Threshold(state, rolls, bank_from, tuple(ties), tuple(unsettled))
