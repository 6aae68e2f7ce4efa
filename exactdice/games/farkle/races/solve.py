r"""Races of two, solved by the method that fits: rationals where they are short, or intervals.

The exact chances of a long race have more digits than anyone reads, and take minutes. So a race is
solved by `win_exactly` up to `EXACT_BITS` of the chance from the beginning, by its estimate, and by
`intervals` beyond; exactly too where the C++ solvers are not built. Where busts in a row cost
points, it is enclosed at any length. The last four races are kept: whoever plays one asks about it
after every roll, and of two players each may play to win or for points.

The exact method has one pair of unknowns a pair of scores, and iterates policies. With :math:`x =
f(1-y)` and :math:`y = g(1-x)` as in `chances`: fix the way to play of the first player, a line
:math:`x = A + B(1-y)`. Then :math:`y = g(1 - A - B + By)` is the fixed point of a convex function
of slope below 1, which Newton's steps reach from below in finitely many, each with the line of a
best turn. Then improve the first player's line at that :math:`y`, and so on (Hoffman and Karp): the
value of the first player rises with each improvement, and there are finitely many lines. All
numbers are rationals; the loop ends where both equations hold.

The numbers grow with the product of both targets, as every pair of scores brings a determinant of
its own into the denominators.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
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
    """Estimate the bits of the chance to win from the beginning.

    Each pair of scores adds the bits of its determinant: those of the longest turns of both.
    """
    pairs = first.levels * second.levels // (2 if first == second else 1)
    each = sum(
        player.levels * int(player.dice.denominator).bit_length() // 2 for player in (first, second)
    )
    return pairs * each


def _liner(
    player: Contender, for_points: TargetPlayer | None, own: int, banked: list[mpq]
) -> Callable[[mpq], _Line]:
    """Return the function from what adding nothing is worth to the line of a player's turn."""
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
    """Find the chances to win a race of two as rationals.

    The same player twice takes half the time. Raises TooLargeError if the numbers would not fit
    into memory; `intervals` encloses them.

    Six fair dice: 0.5 s to 500 points, 4 s to 1000 (a denominator of 3701 bits), 35 s to 1500, and
    some six times as long for every half as many points again.
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


#: Estimated bits of a chance beyond which it is enclosed: six fair dice each, to 1000 points.
EXACT_BITS = 1 << 16


@dataclass(frozen=True)
class RaceToWin:
    """The chance to win from a pair of scores, and what looking at the opponent adds to it.

    Scores and busts in a row are those of the first player, who is to move, first; `looking` is how
    much more the chance is than if that player played for points, None if they do.
    """

    chances: WinChances
    own: int
    other: int
    looking: Enclosure | None
    busts: Busts = (0, 0)

    @property
    def value(self) -> Enclosure:
        """Chance that the first player, who is to move, wins."""
        return self.chances.chance(self.own, self.other, busts=self.busts)


def win_chances(
    first: Contender, second: Contender, run: Run = DEFAULT, *, exact: bool = False
) -> WinChances:
    """Find the chances to win a race of two, exactly where that is short.

    Parameters
    ----------
    first, second
        The players.
    run
        Limits, workers, and hears of progress.
    exact
        Exact chances, however long they are.

    Examples
    --------
    >>> from exactdice.games.farkle import KCD, contender
    >>> player = contender(rules=KCD.varied(target=50))
    >>> win_chances(player, player).value
    Enclosure(lower=mpq(162,167), upper=mpq(162,167))

    Notes
    -----
    Six fair dice each: 4 s to 1000 points, 1 s to 4000; minutes where busts in a row cost points.
    """
    has_streaks = bool(first.rules.streak_penalty or second.rules.streak_penalty)
    if has_streaks and exact:
        wanted = "none: where busts in a row cost points, chances to win are enclosed"
        raise InputError("exact", Unquoted("exact"), wanted)
    is_short = exact or (not has_streaks and exact_bits(first, second) <= EXACT_BITS)
    is_exact = is_short or not (has_streaks or are_built())
    chances = _SOLVED.get((first, second, is_exact))
    if chances is None:
        if is_exact:
            chances = win_exactly(first, second, run)
        else:
            chances = enclosed_chances(first, second, run)
        if len(_SOLVED) == 4:
            del _SOLVED[next(iter(_SOLVED))]
        _SOLVED[first, second, is_exact] = chances
    return chances


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
    """Find the chance to win from a pair of scores, and what looking at the opponent is worth.

    The first player is to move; the rest is as for `win_chances`.
    """
    chances = win_chances(first, second, run, exact=exact)
    looking = None
    if first.aim is Aim.WIN:
        blind = win_chances(replace(first, aim=Aim.POINTS), second, run, exact=exact)
        seeing, unseeing = (each.chance(own, other, busts=busts) for each in (chances, blind))
        looking = seeing - unseeing
    return RaceToWin(chances, own, other, looking, busts)
