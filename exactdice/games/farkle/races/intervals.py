"""Races of two at Farkle in C++: enclosures of the probabilities to win.

The menus of both players come from the exact package, with probabilities as the doubles that
enclose them. The C++ solver visits all pairs of scores with outward rounding, and checks its
bounds. The result is a `WinChances` of intervals that contain the probabilities to win.

If every third bust in a row costs points, the busts in a row of both players belong to the state,
nine times the states otherwise. As scores can fall, the equations of all pairs of scores are
coupled: let :math:`V(a, b, i, j)` be the probability to win of a player to move, with scores
:math:`a, b` and :math:`i, j` busts in a row. A bust has the value :math:`1 - V'(b, a, j, i + 1)`
for :math:`i < 2` and :math:`1 - V'(b, a - c, j, 0)` for :math:`i = 2`, where :math:`c` is the
penalty, or its remainder above the floor. Banking ends the row.

Bounds of all states are swept repeatedly, highest scores first, from 0 and 1. By induction they
stay bounds. They converge: under any policies each turn banks something with a probability bounded
away from 0, and enough such turns in a row end the race.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.races.chances import Busts, Contender, WinChances
from exactdice.games.farkle.rules.menus import Menus, layout_of
from exactdice.games.farkle.rules.rule_set import STREAK, require_no_streaks
from exactdice.native import MAX_THREADS, Progress, enclosed
from exactdice.native.farkle import (
    ends_of,
    fewest_turns,
    race,
    race_player,
    race_rolls,
    streak_player,
    streak_race,
)
from exactdice.run import DEFAULT, Run

_STEP = 5  # ns for a menu, two scores and the points of a turn; six different dice to 4000


def threads_of(run: Run) -> int:
    return min(run.workers, MAX_THREADS)


def heard(run: Run) -> Progress | None:
    """Report progress in thousandths."""
    if run.progress is None:
        return None
    return lambda part: run.tell("thousandths", int(part * 1000), 1000)


@lru_cache(maxsize=8)
def rolls_of(menus: Menus) -> Any:
    """Pass the menus of a player to the solver."""
    layout = layout_of(menus)
    weights = [
        mpq(weight, of_state.denominator)
        for of_state in menus.by_state
        for weight in of_state.menus.values()
    ]
    busts = [menus.bust_chance(state) for state in range(len(menus.by_state))]
    start = [*layout.start.tolist(), len(layout.score)]
    options = layout.score.tolist(), layout.next_state.tolist()
    return race_rolls(layout.first_menu, start, *options, weights, busts)


@lru_cache(maxsize=4)
def laws_of(player: Contender, busts: int = 0) -> list[tuple[list[Any], list[Any]]]:
    """Distributions of the units that a turn adds, from each score; none for play to win."""
    if player.aim == "win":
        return []
    target_player, unit = TargetPlayer(player.dice, player.rules), player.rules.unit
    laws = []
    for own in range(player.floor * unit, player.target, unit):
        needed = player.target - own
        law = target_player.needed_after(needed, busts)
        added = [law.get(after, mpq(0)) for after in range(needed - unit, -unit, -unit)]
        laws.append(ends_of([1 - sum(added, mpq(0)), *added]))
    return laws


def _player(player: Contender, laws: Any) -> Any:
    unit, rules = player.rules.unit, player.rules
    least = rules.minimum_bank // unit, rules.entry_minimum // unit
    return race_player(rolls_of(player.menus), player.levels, *least, laws)


def _streak_player(player: Contender) -> Any:
    if entry := player.rules.entry_minimum:
        raise InputError("entry_minimum", entry, "0 if busts in a row cost points")
    if not player.rules.hot_dice:
        raise InputError(
            "hot_dice", player.rules.hot_dice, "hot dice if busts in a row cost points"
        )
    unit, rules = player.rules.unit, player.rules
    of_rules = rules.minimum_bank // unit, rules.streak_penalty // unit, -player.floor
    laws = laws_of(player), laws_of(player, STREAK - 1)
    return streak_player(rolls_of(player.menus), player.levels, *of_rules, *laws)


def enclose_wins(first: Contender, second: Contender, run: Run = DEFAULT) -> WinChances:
    """Enclose the probabilities to win a race of two, from every pair of scores.

    Time grows with the pairs of scores times the levels of a turn times the options on all menus,
    and halves for equal players. Six fair dice to 4000 points: 0.2 s; six different ones: 30 s of
    processor time, shared by threads.
    """
    for player in {first, second}:
        require_no_streaks(player.rules)
    run.require(64 * first.levels * second.levels, "the chances of this race")
    menus = max(sum(len(s.menus) for s in player.menus.by_state) for player in (first, second))
    steps = menus * first.levels * second.levels * max(first.levels, second.levels)
    run.expect(_STEP * steps // run.workers, "this race")
    mine = _player(first, laws_of(first))
    other = None if first == second else _player(second, laws_of(second))
    ends = race(mine, other, threads_of(run), heard(run))

    def chance(who: int, own: int, other: int, busts: Busts) -> Enclosure:
        lower, upper = ends[who]
        return enclosed((lower[own, other], upper[own, other]))

    return WinChances(first, second, chance)


def enclose_streaks(
    first: Contender,
    second: Contender,
    run: Run = DEFAULT,
    *,
    width: RationalLike = "1/1000000",
    passes: int = 50,
) -> WinChances:
    """Enclose the probabilities to win from every pair of scores and of busts in a row.

    Passes end when no enclosure is wider than `width`. The rules need hot dice, and no entry
    minimum.

    A pass takes two sweeps a state, eight states at a time, and narrows the bounds five- to
    fifteenfold.
    """
    ours = _streak_player(first)
    other = None if first == second else _streak_player(second)
    sizes = [player.levels - player.floor for player in (first, second)]
    run.require(2 * 9 * 32 * sizes[0] * sizes[1], "the chances of this race")
    narrowest = rational(width, "width"), natural(passes, "passes", least=1, most=10_000)
    solved = streak_race(ours, other, *narrowest, threads_of(run), heard(run))
    ends = [
        [np.reshape(end, (sizes[who], sizes[1 - who], STREAK, STREAK)) for end in both]
        for who, both in enumerate(solved["chances"])
        if other is not None or who == 0
    ]
    floors = first.floor, second.floor

    def chance(who: int, own: int, other: int, busts: Busts) -> Enclosure:
        place = own - floors[who], other - floors[1 - who], *busts
        lower, upper = ends[who if len(ends) == 2 else 0]
        return enclosed((lower[place], upper[place]))

    return WinChances(first, second, chance)


def enclosed_chances(first: Contender, second: Contender, run: Run = DEFAULT) -> WinChances:
    """Enclose the probabilities to win a race of two, with or without a streak penalty."""
    if first.rules.streak_penalty or second.rules.streak_penalty:
        return enclose_streaks(first, second, run)
    return enclose_wins(first, second, run)


def least_turns(player: Contender, score: RationalLike = 0, run: Run = DEFAULT) -> Enclosure:
    """Enclose the least expected number of turns to the target, for a player without opponents.

    No score may need 10⁹ turns or more, and busts in a row may cost nothing. About six sweeps over
    a turn for each score: 0.02 s for six fair dice to 4000 points.
    """
    require_no_streaks(player.rules)
    at = player.score(score, "score") // player.rules.unit
    lower, upper = fewest_turns(_player(player, []), heard(run))
    return enclosed((lower[at], upper[at]))
