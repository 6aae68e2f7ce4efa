"""Races of two at Farkle, solved exactly if the numbers are short, otherwise by intervals.

Exact probabilities of a long race have huge denominators, and take minutes. So `win_chances` is
exact up to an estimated `EXACT_BITS`, or if the C++ solvers are not built, and encloses beyond, or
if busts in a row cost points. The last four races are cached, because players query them often.

**Exactly.** With :math:`x = f(1-y)` and :math:`y = g(1-x)` as in `chances`, fix the first player's
policy, a line :math:`x = A + B(1-y)`. Then :math:`y = g(1 - A - B + By)` is the fixed point of a
convex function of slope below 1, which finitely many Newton steps reach from below, each with the
line of a best turn. Then improve the first player's line at that :math:`y`, and so on (Hoffman and
Karp): its value rises with each improvement, and there are finitely many lines. All numbers are
rational; the loop ends when both equations hold. Every pair of scores adds a determinant of its own
to the denominators.

**Intervals.** The C++ solver gets the exact menus with the doubles that enclose their
probabilities, visits all pairs of scores with outward rounding, and checks its bounds. If every
third bust in a row costs points, the busts in a row of both belong to the state, nine times the
states, and the equations of all pairs of scores are coupled, as scores can fall: with
:math:`V(a, b, i, j)` for scores :math:`a, b` and :math:`i, j` busts in a row, a bust has the value
:math:`1 - V'(b, a, j, i + 1)` for :math:`i < 2` and :math:`1 - V'(b, a - c, j, 0)` for
:math:`i = 2`, where :math:`c` is the penalty, or its remainder above the floor; banking ends the
row. Bounds of all states are swept repeatedly, highest scores first, from 0 and 1. By induction
they stay bounds. They converge: under any policies each turn banks something with a probability
bounded away from 0, and enough such turns in a row end the race.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.races.chances import Aim, Busts, Contender, WinChances, turn_payoff
from exactdice.games.farkle.rules.menus import Menus, layout_of
from exactdice.games.farkle.rules.rule_set import STREAK, require_no_streaks
from exactdice.games.farkle.turn.forward import masses
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.native import MAX_THREADS, are_built, call, enclosed, enclosing, solvers
from exactdice.run import DEFAULT, Run

_STEP = 5  # ns for a menu, two scores and the points of a turn; six different dice to 4000


def threads_of(run: Run) -> int:
    return min(run.workers, MAX_THREADS)


def _ends_of(numbers: Iterable[mpq]) -> tuple[list[Any], list[Any]]:
    pairs = [enclosing(number)[1:] for number in numbers]
    return [below for below, _ in pairs], [above for _, above in pairs]


@lru_cache(maxsize=8)
def rolls_of(menus: Menus) -> Any:
    """The rolls of a player for the solvers of races.

    The first menu of each set of dice and the first option of each menu, both with one past the
    last; score (in units) and next dice of each option; probabilities of menus, and of busts.
    """
    layout = layout_of(menus)
    weights = [mpq(w, of.denominator) for of in menus.by_state for w in of.menus.values()]
    busts = [menus.bust_chance(state) for state in range(len(menus.by_state))]
    start = [*layout.start.tolist(), len(layout.score)]
    flat = list(layout.first_menu), start, layout.score.tolist(), layout.next_state.tolist()
    return call(solvers().FarkleRolls, *flat, _ends_of(weights), _ends_of(busts))


@lru_cache(maxsize=4)
def gains_of_turns(player: Contender, busts: int = 0) -> list[tuple[list[Any], list[Any]]]:
    """Distributions of the units that a turn adds, from each score; none for play to win."""
    if player.aim == "win":
        return []
    target_player, unit = TargetPlayer(player.dice, player.rules), player.rules.unit
    of_scores = []
    for own in range(player.floor * unit, player.target, unit):
        needed = player.target - own
        chances = target_player.needed_after(needed, busts)
        added = [chances.get(after, mpq(0)) for after in range(needed - unit, -unit, -unit)]
        of_scores.append(_ends_of([1 - sum(added, mpq(0)), *added]))
    return of_scores


def _player(player: Contender, gains: Any) -> Any:
    unit, rules = player.rules.unit, player.rules
    least = rules.minimum_bank // unit, rules.entry_minimum // unit
    return call(solvers().FarklePlayer, rolls_of(player.menus), player.levels, *least, gains)


def _streak_player(player: Contender) -> Any:
    if entry := player.rules.entry_minimum:
        raise InputError("entry_minimum", entry, "0 if busts in a row cost points")
    if not player.rules.hot_dice:
        wanted = "hot dice if busts in a row cost points"
        raise InputError("hot_dice", player.rules.hot_dice, wanted)
    unit, rules = player.rules.unit, player.rules
    of_rules = rules.minimum_bank // unit, rules.streak_penalty // unit, -player.floor
    gains = gains_of_turns(player), gains_of_turns(player, STREAK - 1)
    solver = solvers().FarkleStreakPlayer
    return call(solver, rolls_of(player.menus), player.levels, *of_rules, *gains)


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
    mine = _player(first, gains_of_turns(first))
    other = None if first == second else _player(second, gains_of_turns(second))
    ends = call(solvers().farkle_race, mine, other, threads_of(run), run.tell_part)

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
    narrowest = enclosing(rational(width, "width"))[0]
    how = narrowest, natural(passes, "passes", least=1, most=10_000), threads_of(run)
    solved = call(solvers().farkle_streak_race, ours, other, *how, run.tell_part)
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
    lower, upper = call(solvers().farkle_least_turns, _player(player, []), run.tell_part)
    return enclosed((lower[at], upper[at]))


_Line = tuple[mpq, mpq]


def exact_bits(first: Contender, second: Contender) -> int:
    """Estimate the bits of the probability to win: each pair of scores adds its determinant."""
    pairs = first.levels * second.levels // (2 if first == second else 1)
    return pairs * sum(p.levels * p.dice.denominator.bit_length() // 2 for p in (first, second))


def _liner(
    player: Contender, for_points: TargetPlayer | None, own: int, banked: list[mpq]
) -> Callable[[mpq], _Line]:
    if for_points is None:
        return _BestLines(player, own, banked)
    unit, needed = player.rules.unit, player.target - own
    constant = slope = mpq(0)
    for after, chance in for_points.needed_after(needed).items():
        if after == needed:
            slope += chance
        else:
            constant += chance * (banked[(needed - after) // unit - 1] if after else 1)
    return lambda nothing: (constant, slope)


class _BestLines:
    """The lines of the best turns from one pair of scores; each policy is followed once."""

    def __init__(self, player: Contender, own: int, banked: list[mpq]) -> None:
        self.player, self.own, self.banked = player, own, banked
        self.known: list[tuple[NDArray[np.int32], _Line]] = []

    def __call__(self, nothing: mpq) -> _Line:
        player = self.player
        sweep = TurnSweep(player.menus, turn_payoff(player, self.own, self.banked, nothing))
        for choice, line in self.known:
            if np.array_equal(choice, sweep.choice):
                return line
        ends = masses(sweep, 0, player.dice.full)
        base, needed = ends.base, (player.target - self.own) // player.rules.unit
        constant = mpq(0)
        for units, mass in ends.banked.items():
            worth = self.banked[units - 1] if units < needed else mpq(1)
            constant += base.rational(mass) * worth
        line = constant, base.rational(ends.bust) + base.rational(ends.stranded)
        self.known.append((sweep.choice, line))
        return line


def _crossing(first: Callable[[mpq], _Line], second: Callable[[mpq], _Line]) -> tuple[mpq, mpq]:
    """Solve x = f(1 − y), y = g(1 − x) for the upper envelopes of lines."""
    y = mpq(1, 2)
    line = first(1 - y)
    while True:
        constant, slope = line
        while True:
            nothing = 1 - constant - slope + slope * y
            rise, other_slope = second(nothing)
            if y == rise + other_slope * nothing:
                break
            y = (rise + other_slope * (1 - constant - slope)) / (1 - other_slope * slope)
        x = constant + slope * (1 - y)
        line = first(1 - y)
        if x == line[0] + line[1] * (1 - y):
            return x, y


def win_exactly(first: Contender, second: Contender, run: Run = DEFAULT) -> WinChances:
    """Find the probabilities to win a race of two as rational numbers.

    Raises TooLargeError if they would not fit into memory. Six fair dice: 0.5 s to 500 points, 4 s
    to 1000 (a denominator of 3701 bits), 35 s to 1500; half as many points more take some six times
    as long, and equal players half the time.
    """
    for player in {first, second}:
        require_no_streaks(player.rules)
    bits = exact_bits(first, second)
    run.require(first.levels * second.levels * bits // 16, "the exact chances of this race")
    sizes = first.levels, second.levels
    plays = [
        None if player.aim is Aim.WIN else TargetPlayer(player.dice, player.rules)
        for player in (first, second)
    ]
    solved: tuple[dict[tuple[int, int], mpq], ...] = ({}, {})
    done, same = 0, first == second

    def banked(who: int, own: int, other: int) -> list[mpq]:
        return [1 - solved[1 - who][other, more] for more in range(own + 1, sizes[who])]

    for total in reversed(range(sum(sizes) - 1)):
        for mine in range(max(0, total - sizes[1] + 1), min(total + 1, sizes[0])):
            yours = total - mine
            done += 1
            if same and mine > yours:
                solved[0][mine, yours] = solved[1][mine, yours]
                solved[1][yours, mine] = solved[0][yours, mine]
                continue
            x, y = _crossing(
                _liner(first, plays[0], mine * first.rules.unit, banked(0, mine, yours)),
                _liner(second, plays[1], yours * second.rules.unit, banked(1, yours, mine)),
            )
            solved[0][mine, yours], solved[1][yours, mine] = x, y
            if same:
                solved[1][mine, yours], solved[0][yours, mine] = x, y
            run.tell("pairs of scores", done, sizes[0] * sizes[1])

    def chance(who: int, own: int, other: int, busts: Busts) -> Enclosure:
        return Enclosure.of(solved[who][own, other])

    return WinChances(first, second, chance)


EXACT_BITS = 1 << 16  #: up to six fair dice each, to 1000 points
_SOLVED: dict[tuple[Contender, Contender, bool], WinChances] = {}


@dataclass(frozen=True)
class RaceToWin:
    """The probability to win from a pair of scores; the first player, who is to move, comes first.

    `looking` is the gain over playing for points, None for a player for points.
    """

    chances: WinChances
    own: int
    other: int
    looking: Enclosure | None
    busts: Busts = (0, 0)

    @property
    def value(self) -> Enclosure:
        return self.chances.chance(self.own, self.other, busts=self.busts)


def win_chances(
    first: Contender, second: Contender, run: Run = DEFAULT, *, exact: bool = False
) -> WinChances:
    """Find the probabilities to win a race of two, exactly if they are short or with `exact`.

    `run` has limits and workers, and reports progress. Six fair dice each: 4 s to 1000 points, 1 s
    to 4000; minutes if busts in a row cost points.

    >>> from exactdice.games.farkle import KCD, contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> win_chances(player, player).value
    Enclosure(mpq(162,167))
    """
    has_streaks = bool(first.rules.streak_penalty or second.rules.streak_penalty)
    if has_streaks and exact:
        raise ConflictError("exact", "does not apply if busts in a row cost points")
    is_short = exact or (not has_streaks and exact_bits(first, second) <= EXACT_BITS)
    is_exact = is_short or not (has_streaks or are_built())
    key = first, second, is_exact
    if key not in _SOLVED:
        chances = (win_exactly if is_exact else enclosed_chances)(first, second, run)
        if len(_SOLVED) == 4:
            del _SOLVED[next(iter(_SOLVED))]
        _SOLVED[key] = chances
    return _SOLVED[key]


def race_to_win(
    first: Contender,
    second: Contender,
    own: int,
    other: int,
    run: Run = DEFAULT,
    *,
    busts: Busts = (0, 0),
    exact: bool = False,
) -> RaceToWin:
    """Find the probability that the first player, to move, wins, and the gain from looking."""
    chances = win_chances(first, second, run, exact=exact)
    looking = None
    if first.aim is Aim.WIN:
        blind = win_chances(replace(first, aim=Aim.POINTS), second, run, exact=exact)
        seeing, unseeing = (each.chance(own, other, busts=busts) for each in (chances, blind))
        looking = seeing - unseeing
    return RaceToWin(chances, own, other, looking, busts)
