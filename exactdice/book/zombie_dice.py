"""Zombie Dice: three dice at a time from a cup, for brains, until three shotguns take them.

The cup holds 13 dice: six green with three brains, one shotgun and two footprints; four yellow with
two of each; three red with one brain, three shotguns and two footprints. Three dice are rolled:
brains and shotguns are set aside, footprints stay in hand, and dice are drawn at random to make
three again. Three shotguns end the turn with nothing; who stops before has the brains. Where the
cup has too few dice to make three the turn ends, as "So I Felt Like Solving Zombie Dice" at
smallperturbation.com (2013) plays it; the leaflet then puts brains back into the cup instead. A
trademark of Steve Jackson Games.
"""

from collections import Counter
from functools import cache, reduce
from itertools import product
from math import comb
from operator import add

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import Distribution
from exactdice.models import LockedTurns, Race
from exactdice.run import Run

Dice = tuple[int, int, int]  # green, yellow, red
State = tuple[Dice, Dice, int]  # in the cup, footprints in hand, shotguns
CUP: Dice = (6, 4, 3)
BRAINS, SHOTGUNS, FEET = (3, 2, 1), (1, 2, 3), 2  # faces of each colour
HAND, DEADLY = 3, 3


def brains(state: State | None, cup: Dice = CUP) -> int:
    """Dice that are neither in the cup nor in hand nor shotguns; nothing of a turn that is over."""
    return 0 if state is None else sum(cup) - sum(state[0]) - sum(state[1]) - state[2]


#: What a die of each colour shows: a step of its own colour, a shotgun, or a brain.
DIE = [
    Distribution(
        {(*(int(c == colour) for c in range(3)), 0): FEET, (0, 0, 0, 1): shots, (0,) * 4: n}
    )
    for colour, (n, shots) in enumerate(zip(BRAINS, SHOTGUNS, strict=True))
]


@cache
def shown(hand: Dice) -> Distribution[tuple[int, ...]]:
    """The law of footprints by colour, and shotguns, of a hand."""
    dice = [DIE[colour] for colour, count in enumerate(hand) for _ in range(count)]
    return reduce(lambda law, die: law.with_other(die, lambda a, b: tuple(map(add, a, b))), dice)


def turn(cup: Dice = CUP, most: int = sum(CUP)) -> LockedTurns[State]:
    """A turn with these dice, until so many brains; a roll is the next state, or None: shot."""

    def roll(state: State) -> Distribution[State | None] | None:
        left, feet, shots = state
        drawn = HAND - sum(feet)
        if drawn > sum(left) or brains(state, cup) >= most:
            return None
        ways = Counter[State | None]()
        for more in product(*(range(min(drawn, count) + 1) for count in left)):
            if sum(more) != drawn:
                continue
            draws = comb(left[0], more[0]) * comb(left[1], more[1]) * comb(left[2], more[2])
            rest = (left[0] - more[0], left[1] - more[1], left[2] - more[2])
            law = shown((feet[0] + more[0], feet[1] + more[1], feet[2] + more[2]))
            for (green, yellow, red, hit), n in law.items():
                walked = green, yellow, red
                after = None if shots + hit >= DEADLY else (rest, walked, shots + hit)
                ways[after] += draws * n * (6**HAND // law.denominator)
        del ways[state]  # three footprints again: nothing has changed, and it is rolled again
        return Distribution(ways)

    def keep(state: State, after: State | None) -> list[State]:
        return [] if after is None else [after]

    return LockedTurns((cup, (0, 0, 0), 0), roll, keep, lambda state: brains(state, cup) > 0)


def race(target: int, cup: Dice = CUP) -> Race[State]:
    """Two players; who first has the target wins at once, without a last round for the other."""
    return Race(turn(cup, target), lambda end: min(target, brains(end, cup)), target)


def _race(target: int, takes: str) -> Variant:
    def solve(run: Run, width: mpq | None) -> PageAnswer:
        chance = race(target).enclosed(width or "1e-12", run).chance(0, 0)
        return PageAnswer(chance, "bounds of a race, turn by turn", target**2)

    asks = f"chance that the first player has {target} brains first"
    rules = f"two players, to {target} brains"
    return Variant(rules, lambda: race(target).game(), takes, wins=True, solve=solve, asks=asks)


_VARIANTS = {
    "turn": Variant("13 dice", lambda: turn().game(brains), takes="2 s"),
    "race": _race(13, "3 minutes"),
    "race-3": _race(3, "2 s"),
    "green": Variant(
        "the six green dice alone", lambda: turn((6, 0, 0)).game(lambda s: brains(s, (6, 0, 0)))
    ),
}
_ASKS = "most brains that one turn brings on average"
PAGE = Page("zombie-dice", "Zombie Dice", "any number, each for brains", _ASKS, _VARIANTS)
