"""Zilch, a variant of Ten Thousand: the greatest expected points, in one turn and in the long run.

Six dice are rolled. After each roll the player sets aside some that score, and banks the turn, from
300 points on, or rolls the others, or all six if all have scored. Ones count 100, fives 50, and
three alike a hundred times their face (ones 1000), doubled for each further die; a straight of six
and three pairs count 1500, and six dice without a score 500. A roll without a score (impossible
with six dice) is a zilch: it loses the points of the turn, and every third in a row another 500.
The rules are those of zilch.playr.co.uk. M. Busche, "Maximizing Expected Scores in the Game of
Zilch" (mattbusche.org, 2010), prints 620.855 a turn for infinite play: that is the value if four
alike and a pair count as three pairs, which the rules do not say.

In the long run the value of a turn is its points less g, the mean of a turn, plus the effect of the
zilches in a row: with V(d) the value of a turn whose zilch counts d, g solves g = V(V(V(−500) − g)
− g). V is convex and piecewise linear, so Newton's method ends at the exact g.

From `CAP` points on turns are banked unless six dice are to be rolled: these cannot zilch, and add
the same expected points at any score. No player does better if a roll at `CAP` does not pay, since
with more points it pays less; the tests check it.
"""

from dataclasses import replace
from functools import cache, partial
from itertools import permutations

import numpy as np

from exactdice.arithmetic import RationalLike, mpq, over_common_denominator, rational
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.farkle.rules.menus import Menu, menus_of
from exactdice.games.farkle.rules.rule_set import FACES, Combination, RuleSet
from exactdice.games.farkle.rules.tables import ZILCH
from exactdice.models import Choice, Game, LockedTurns, Moves, optimum, point_mass
from exactdice.run import Run

State = tuple[int, int]  # points of the turn, dice to roll
CAP = 5000
_STEP = mpq(1, 10**12)

#: Rules in which four alike and two alike are three pairs, too.
PAIRS = replace(
    ZILCH,
    name="zilch-pairs",
    combinations=(
        *ZILCH.combinations,
        *(Combination(tuple(sorted(4 * (a,) + 2 * (b,))), 1500) for a, b in permutations(FACES, 2)),
    ),
)


@cache
def rolled(dice: int, rules: RuleSet) -> Distribution[Menu]:
    """Return the options of dice: pairs of points and dice left; () is a zilch."""
    menus = menus_of(rules, parse_dice("fair*6"), prune=True).by_state[dice]
    return Distribution({**menus.menus, (): menus.bust})


def kept(state: State, menu: Menu) -> list[State]:
    return [(state[0] + points, left or 6) for points, left in menu]


def turn(rules: RuleSet) -> LockedTurns[State]:
    return LockedTurns(
        (0, 6),
        lambda state: None if state[0] >= CAP else rolled(state[1], rules),
        kept,
        lambda state: state[0] >= ZILCH.minimum_bank,
    )


@cache
def free_roll(rules: RuleSet) -> mpq:
    """Return the expected points of rolling six dice, repeatedly, from `CAP` points on."""

    def moves(menu: Menu | str | None) -> Moves:
        if menu is None:
            return rolled(6, rules)
        ways = () if isinstance(menu, str) else menu
        return [Choice(way, way[0], point_mass("" if way[1] else None)) for way in ways] or None

    return optimum(Game(None, moves)).value.exact


def worth(end: State | None, zilch: RationalLike, rules: RuleSet) -> mpq:
    if end is None:
        return rational(zilch)
    return mpq(end[0]) + (free_roll(rules) if end[0] >= CAP and end[1] == 6 else mpq(0))


def long_run(rules: RuleSet, _run: Run, _width: mpq | None) -> PageAnswer:
    turns, mean = turn(rules), mpq(600)
    while True:
        zilch, slope = mpq(-ZILCH.streak_penalty), mpq(0)
        for _ in range(3):
            zilches = zilch, zilch + _STEP
            worths = [worth(end, z, rules) for end in turns.ends for z in zilches]
            numbers, unit = over_common_denominator(worths)
            solved = turns.values(np.array(numbers, dtype=object).reshape(-1, 2))
            value, above = (mpq(int(n), turns.denominator * unit) for n in solved)
            slope = (above - value) / _STEP * slope - 1  # of the turn, as g grows
            zilch = value - mean
        if zilch == 0:
            return PageAnswer(
                Enclosure(mean, mean), "Newton's method, exactly", 3 * len(turns.ends)
            )
        mean -= zilch / slope


def _game(rules: RuleSet) -> Game[State]:
    return turn(rules).game(lambda end: worth(end, 0, rules))


def _variant(rules: str, of: RuleSet) -> Variant:
    return Variant(rules, partial(_game, of), solve=partial(long_run, of))


_VARIANTS = {
    "zilch": _variant("infinite play; four alike and a pair are three pairs", PAIRS),
    "faces": _variant("infinite play; three pairs have three faces", ZILCH),
    "turn": Variant("one turn by itself, as in zilch", partial(_game, PAIRS)),
}
_TITLE, _ASKS = "Zilch, a variant of Ten Thousand", "greatest expected points of a turn"
PAGE = Page("ten-thousand", _TITLE, "one", _ASKS, _VARIANTS)
