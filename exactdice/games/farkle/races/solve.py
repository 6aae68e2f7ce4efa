"""Races of two, solved exactly if the numbers are short, otherwise by intervals.

The exact probabilities of a long race have huge denominators, and take minutes. So `win_chances`
uses `win_exactly` up to an estimated `EXACT_BITS` of the probability from the beginning, or if the
C++ solvers are not built, and `intervals` beyond. With a streak penalty, it always encloses. The
last four races are cached, because players of a race query it after every roll.

The exact method has one pair of unknowns for each pair of scores, and iterates policies. With
:math:`x = f(1-y)` and :math:`y = g(1-x)` as in `chances`: fix the first player's policy, a line
:math:`x = A + B(1-y)`. Then :math:`y = g(1 - A - B + By)` is the fixed point of a convex function
of slope below 1, which Newton steps reach from below in finitely many steps, each with the line of
a best turn. Then improve the first player's line at that :math:`y`, and so on (Hoffman and Karp):
the first player's value rises with each improvement, and there are finitely many lines. All numbers
are rational; the loop ends when both equations hold. Numbers grow with the product of both targets,
because every pair of scores adds a determinant of its own to the denominators.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.races.chances import Aim, Busts, Contender, WinChances, turn_payoff
from exactdice.games.farkle.races.intervals import enclosed_chances
from exactdice.games.farkle.rules.rule_set import require_no_streaks
from exactdice.games.farkle.turn.forward import masses
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.native import are_built
from exactdice.run import DEFAULT, Run

_Line = tuple[mpq, mpq]


def exact_bits(first: Contender, second: Contender) -> int:
    """Estimate the bits of the probability to win: each pair of scores adds its determinant."""
    pairs = first.levels * second.levels // (2 if first == second else 1)
    return pairs * sum(p.levels * p.dice.denominator.bit_length() // 2 for p in (first, second))


def _liner(
    player: Contender, for_points: TargetPlayer | None, own: int, banked: list[mpq]
) -> Callable[[mpq], _Line]:
    """Return the function from the value of adding nothing to the line of a player's turn."""
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

    Raises TooLargeError if they would not fit into memory; `intervals` encloses them. Six fair
    dice: 0.5 s to 500 points, 4 s to 1000 (a denominator of 3701 bits), 35 s to 1500; half as many
    points more take some six times as long, and equal players half the time.
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

    Examples
    --------
    >>> from exactdice.games.farkle import KCD, contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> win_chances(player, player).value
    Enclosure(lower=mpq(162,167), upper=mpq(162,167))
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


_SOLVED: dict[tuple[Contender, Contender, bool], WinChances] = {}


def race_to_win(
    first: Contender,
    second: Contender,
    own: int = 0,
    other: int = 0,
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
