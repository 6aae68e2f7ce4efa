"""Games of one turn: Threes; Ship, Captain and Crew; and Zombie Dice.

**Threes** (algomath.wordpress.com, 25 July 2012, and question 4482277 at math.stackexchange.com):
five dice; a three counts 0, and the smallest sum is best. After each roll at least one die is set
aside for good and the others are rolled again.

**Ship, Captain and Crew** (dice.toys; "Dice Games For All" of Duet Games rerolls both dice): five
dice are rolled, three times at most. A six is the ship and may be set aside; then a five, the
captain; then a four, the crew. With all three aboard the other two dice are cargo, and their sum is
the score; they may be rolled again while rolls are left. Without the three the score is 0. Some
rules let either die of cargo be kept ("each").

**Zombie Dice**: the cup contains 13 dice: six green with three brains, one shotgun and two
footprints; four yellow with two of each; three red with one brain, three shotguns and two
footprints. Three dice are rolled: brains and shotguns are set aside, footprints stay in hand, and
dice are drawn at random to make three again. Three shotguns end the turn with 0; a player who stops
before scores the brains. If the cup has too few dice the turn ends, as in "So I Felt Like Solving
Zombie Dice" at smallperturbation.com (2013); the leaflet returns brains to the cup instead. A
trademark of Steve Jackson Games.
"""

from collections import Counter
from functools import cache, partial, reduce
from itertools import combinations, product
from math import comb
from operator import add
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.book.page import Page, PageAnswer, Variant
from exactdice.dice import Distribution, fair, pool, sorted_roll
from exactdice.models import Game, LockedTurns, Race
from exactdice.run import Run

State = tuple[int, int, tuple[int, ...]]  # rolls left, number aboard, cargo kept
Roll = tuple[int, ...]
CREW = (6, 5, 4)


def voyage(rolls: int = 3, *, each: bool = False) -> LockedTurns[State]:
    """Return a turn; with `each`, one die of cargo may be kept and the other rolled."""

    def keep(state: State, roll: Roll) -> list[State]:
        left, aboard, cargo = state
        shown = [*cargo, *roll]
        states: list[State] = [] if aboard == 3 else [(left - 1, aboard, ())]
        while aboard < 3 and CREW[aboard] in shown:
            shown.remove(CREW[aboard])
            aboard += 1
            if aboard < 3:
                states.append((left - 1, aboard, ()))
        if aboard == 3:
            states.append((0, 3, tuple(shown)))
            if left > 1:
                parts = {(), *((die,) for die in shown if each)}
                states += [(left - 1, 3, part) for part in sorted(parts)]
        return states[::-1]  # those with most aboard first

    def roll(state: State) -> Distribution[Roll] | None:
        left, aboard, cargo = state
        return sorted_roll(pool(5 - aboard - len(cargo), fair(6))) if left else None

    return LockedTurns((rolls, 0, ()), roll, keep, lambda state: False)


def cargo(end: State | None) -> int:
    return sum(end[2]) if end else 0


_VARIANTS = {
    "both": Variant("both dice of cargo are rolled again", lambda: voyage().game(cargo)),
    "each": Variant("either die of cargo may stay", lambda: voyage(each=True).game(cargo)),
    "aboard": Variant(
        "only ship, captain and crew count",
        lambda: voyage().game(lambda end: int(end is not None and end[1] == 3)),
        asks="greatest probability of ship, captain and crew",
    ),
}
_PLAYERS = "any number"
_TITLE = "Ship, Captain and Crew"
PAGE = Page("ship-captain-crew", _TITLE, _PLAYERS, "greatest expected cargo", _VARIANTS)


Kept = tuple[int, int]  # dice to roll, points of those set aside
DIE = Distribution(dict.fromkeys((0, 1, 2, 4, 5, 6), 1))


def threes(dice: int) -> Game[Any]:
    def keep(state: Kept, roll: tuple[int, ...]) -> list[Kept]:
        left, points = state
        kept = {part for size in range(1, left + 1) for part in combinations(roll, size)}
        return sorted({(left - len(part), points + sum(part)) for part in kept})

    def roll(state: Kept) -> Distribution[tuple[int, ...]] | None:
        return sorted_roll(pool(state[0], DIE)) if state[0] else None

    turns = LockedTurns((dice, 0), roll, keep, lambda state: False)
    return turns.game(lambda end: end[1] if end else 0)


_THREES = {
    "five": Variant("five dice", partial(threes, 5), least=True),
    "two": Variant("two dice", partial(threes, 2), least=True),
    "one": Variant("one die", partial(threes, 1), least=True),
}
_WHO, _LEAST = "any number", "smallest expected sum of the dice"
THREES = Page("threes", "Threes", _WHO, _LEAST, _THREES)


Dice = tuple[int, int, int]  # green, yellow, red
InCup = tuple[Dice, Dice, int]  # in the cup, footprints in hand, shotguns
CUP: Dice = (6, 4, 3)
BRAINS, SHOTGUNS, FEET = (3, 2, 1), (1, 2, 3), 2  # faces of each colour
HAND, DEADLY = 3, 3


def brains(state: InCup | None, cup: Dice = CUP) -> int:
    """Number of brains: dice outside cup, hand and shotguns; 0 after the turn has ended."""
    return 0 if state is None else sum(cup) - sum(state[0]) - sum(state[1]) - state[2]


#: A die of each colour: footprints of its colour, a shotgun, or a brain.
ZOMBIE_DIE = [
    Distribution(
        {(*(int(c == colour) for c in range(3)), 0): FEET, (0, 0, 0, 1): shots, (0,) * 4: n}
    )
    for colour, (n, shots) in enumerate(zip(BRAINS, SHOTGUNS, strict=True))
]


@cache
def shown(hand: Dice) -> Distribution[tuple[int, ...]]:
    dice = [ZOMBIE_DIE[colour] for colour, count in enumerate(hand) for _ in range(count)]
    return reduce(lambda law, die: law.with_other(die, lambda a, b: tuple(map(add, a, b))), dice)


def turn(cup: Dice = CUP, most: int = sum(CUP)) -> LockedTurns[InCup]:
    """Return a turn that ends at `most` brains; a roll is the next state, or None: shot."""

    def roll(state: InCup) -> Distribution[InCup | None] | None:
        left, feet, shots = state
        drawn = HAND - sum(feet)
        if drawn > sum(left) or brains(state, cup) >= most:
            return None
        ways = Counter[InCup | None]()
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
        del ways[state]  # three footprints again change nothing, and are rolled again
        return Distribution(ways)

    def keep(state: InCup, after: InCup | None) -> list[InCup]:
        return [] if after is None else [after]

    return LockedTurns((cup, (0, 0, 0), 0), roll, keep, lambda state: brains(state, cup) > 0)


def race(target: int, cup: Dice = CUP) -> Race[InCup]:
    return Race(turn(cup, target), lambda end: min(target, brains(end, cup)), target)


def _race(target: int, takes: str) -> Variant:
    def solve(run: Run, width: mpq | None) -> PageAnswer:
        chance = race(target).enclosed(width or "1e-12", run).chance(0, 0)
        return PageAnswer(chance, "bounds of a race, turn by turn", target**2)

    asks = f"probability that the first player is first to {target} brains"
    rules = f"two players, to {target} brains"
    return Variant(rules, lambda: race(target).game(), takes, wins=True, solve=solve, asks=asks)


_ZOMBIES = {
    "turn": Variant("13 dice", lambda: turn().game(brains), takes="2 s"),
    "race": _race(13, "3 minutes"),
    "race-3": _race(3, "2 s"),
    "green": Variant(
        "only the six green dice", lambda: turn((6, 0, 0)).game(lambda s: brains(s, (6, 0, 0)))
    ),
}
_BRAINS = "greatest expected brains of a turn"
ZOMBIE_DICE = Page("zombie-dice", "Zombie Dice", "any number", _BRAINS, _ZOMBIES)
