r"""Races of two at Farkle in which every third bust in a row costs points, in C++.

The busts in a row of both belong to the state, nine times the states of a race without. As scores
can fall, the equations of all pairs of scores hang together: with :math:`V(a, b, i, j)` the chance
to win of a player to move, with the scores :math:`a, b` and :math:`i, j` busts in a row, a bust is
worth :math:`1 - V'(b, a, j, i + 1)` for :math:`i < 2` and :math:`1 - V'(b, a - c, j, 0)` for
:math:`i = 2`, where :math:`c` is the penalty, or what is left of it down to the floor. Banking ends
the row.

Bounds of every state are swept again and again, highest scores first, from 0 and 1. By induction
they stay bounds. They close in: whatever both do, each turn banks something with a chance that does
not vanish, and enough of those turns in a row end the race.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.farkle.contenders import Contender
from exactdice.games.farkle.rules import STREAK
from exactdice.games.farkle.two_players import Busts, WinChances
from exactdice.games.farkle.two_players_enclosed import (
    heard,
    laws_of,
    rolls_of,
    threads_of,
)
from exactdice.native import call, enclosed, enclosing, solvers
from exactdice.run import DEFAULT, Run

__all__ = ["StreakRace", "enclose_streaks"]


@dataclass(frozen=True)
class StreakRace:
    """A race of two in which busts in a row cost points, enclosed.

    Parameters
    ----------
    chances
        What the package makes of it: chances, turns, advice.
    widths
        The largest width of an enclosure after each pass over all states.
    states
        Scores and busts in a row of both.
    """

    chances: WinChances
    widths: tuple[mpq, ...]
    states: int


def _player(player: Contender) -> Any:
    if entry := player.rules.entry_minimum:
        raise InputError("entry_minimum", entry, "0 where busts in a row cost points")
    if not player.rules.hot_dice:
        wanted = "hot dice where busts in a row cost points"
        raise InputError("hot_dice", player.rules.hot_dice, wanted)
    unit = player.rules.unit
    return call(
        solvers().FarkleStreakPlayer,
        rolls_of(player.menus),
        player.levels,
        player.rules.minimum_bank // unit,
        player.rules.streak_penalty // unit,
        -player.floor,
        laws_of(player),
        laws_of(player, STREAK - 1),
    )


def enclose_streaks(
    first: Contender,
    second: Contender,
    run: Run = DEFAULT,
    *,
    width: RationalLike = "1/1000000",
    passes: int = 50,
) -> StreakRace:
    """Enclose the chances to win of two players, from every pair of scores and busts in a row.

    Parameters
    ----------
    first, second
        The players; the same twice takes half the time.
    run
        Workers are threads; hears of progress in thousandths.
    width
        The passes end when no enclosure is wider.
    passes
        At most so many passes.

    Raises
    ------
    InputError
        If the rules of a player have no hot dice, or an entry minimum.
    MissingExtraError
        If the C++ solvers are not built.
    TooLargeError
        If the chances would not fit into memory.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> from exactdice.games.farkle.contenders import contender
    >>> player = contender("fair*2", KCD.varied(target=50, streak_penalty=50, floor=50))
    >>> race = enclose_streaks(player, player)
    >>> race.chances.value.width <= mpq(1, 10**6), len(race.widths) > 1, race.states
    (True, True, 36)

    Notes
    -----
    A pass takes two sweeps a state, eight states at a time, and narrows the bounds five- to
    fifteenfold.
    """
    ours = _player(first)
    other = None if first == second else _player(second)
    sizes = [player.levels - player.floor for player in (first, second)]
    run.require(2 * 9 * 32 * sizes[0] * sizes[1], "the chances of this race")
    found = call(
        solvers().farkle_streak_race,
        ours,
        other,
        enclosing(rational(width, "width"))[0],
        natural(passes, "passes", least=1, most=10_000),
        threads_of(run),
        heard(run),
    )
    ends = [
        [np.reshape(end, (sizes[who], sizes[1 - who], STREAK, STREAK)) for end in both]
        for who, both in enumerate(found["chances"])
        if other is not None or who == 0
    ]
    floors = first.floor, second.floor

    def chance(who: int, own: int, other: int, busts: Busts) -> Enclosure:
        place = own - floors[who], other - floors[1 - who], *busts
        lower, upper = ends[who if len(ends) == 2 else 0]
        return enclosed((lower[place], upper[place]))

    return StreakRace(
        WinChances(first, second, chance),
        tuple(mpq(each) for each in found["widths"]),
        found["states"],
    )
