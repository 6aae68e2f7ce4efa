"""Pig and its family: roll as often as you like and hold what you have, but a 1 takes it all.

Who first holds the target wins. In Pig a turn gathers what one die shows until it is held, and a 1
ends the turn with nothing. In Piglet a coin is tossed, a head being one point and a tail the end.
In Two-dice Pig, which is also called Skunk, both dice count; one 1 among them ends the turn with
nothing, and two take all that was held before, too. In Big Pig two 1s are worth 25, and other
doubles twice their points. In Hog a turn is one roll of as many dice as one likes, a 1 among them
being worth nothing. Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25
(2004), solved Pig and Piglet.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import TypeAlias

from exactdice.book.page import NOTHING, Page, Sources, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import Both, Choice, End, Game, Moves, Other, point_mass

Scores: TypeAlias = "tuple[int, int] | int"


def score_of(dice: int) -> Distribution[int]:
    """Law of what a number of dice is worth: their sum, or 0 where one of them shows a 1."""
    without = fair(6).given(lambda face: face > 1).sum_of(dice)
    return Distribution({0: 6**dice - 5**dice, **without})


def hog_game(target: int, most_dice: int) -> Game[Scores]:
    """A state is both scores, and in the end who won."""
    laws = {dice: score_of(dice) for dice in range(1, most_dice + 1)}

    def moves(state: Scores) -> Both[Scores] | End:
        if isinstance(state, int):
            return End(state)

        def after(x: int, y: int) -> Scores:
            mine, theirs = state[0] + x, state[1] + y
            over = max(mine, theirs) >= target
            return (mine > theirs) - (mine < theirs) if over else (mine, theirs)

        pairs = product(laws, repeat=2)
        return Both({(a, b): laws[a].with_other(laws[b], after) for a, b in pairs})

    return Game((0, 0), moves)


_RULES = "to 15 points, with at most four dice"
_HOG_VARIANT = Variant(_RULES, partial(hog_game, 15, 4), width="1e-20")
_HOG_ASKS = "value, a win being worth 1 and a loss −1"
HOG = Page("hog", "Hog", "two, at once", _HOG_ASKS, {"to-15": _HOG_VARIANT})


State = tuple[int, int, int]
OVER: State = (-1, -1, -1)

#: How many ways each roll has by the points that it brings; 0 ends a turn, −1 takes all points.
DIE = {0: 1} | dict.fromkeys(range(2, 7), 1)
COIN = {0: 1, 1: 1}
PAIRS = [*product(range(1, 7), repeat=2)]
TWO_DICE = Counter(-1 if a == b == 1 else 0 if 1 in (a, b) else a + b for a, b in PAIRS)
BIG = Counter(
    25 if a == b == 1 else 0 if 1 in (a, b) else (a + b) * (2 if a == b else 1) for a, b in PAIRS
)


def race(target: int, rolls: Mapping[int, int]) -> Game[State]:
    """Two players to a target: (mine, theirs, points of this turn), as the player to roll sees it.

    A win is worth 1 and a loss −1.
    """
    law = Distribution(rolls)

    def moves(state: State) -> Moves:
        if state == OVER:
            return End(1)
        mine, theirs, points = state

        def rolled(shown: int) -> State | Other[State]:
            if shown <= 0:
                return Other((theirs, 0 if shown else mine, 0))
            return OVER if mine + points + shown >= target else (mine, theirs, points + shown)

        roll = Choice("roll", 0, law.map(rolled))
        hold = Choice("hold", 0, point_mass(Other((theirs, mine + points, 0))))
        return [roll, hold] if points else [roll]

    return Game((0, 0, 0), moves)


def turn(points: int) -> list[Choice[int]] | End:
    """One turn of Pig, for points: a state is what the turn has brought, or −1 when it is over."""
    if points < 0:
        return End(0)
    hold = Choice("hold", points, point_mass(-1))
    rolled = Distribution(DIE).map(lambda shown: points + shown if shown else -1)
    return [hold] if points >= 100 else [hold, Choice("roll", 0, rolled)]


def hog(target: int, most_dice: int) -> Game[tuple[int, int]]:
    """Hog in turn: (mine, theirs), as the player to roll sees it, or who has won."""
    scores = {dice: score_of(dice) for dice in range(1, most_dice + 1)}

    def moves(state: tuple[int, int]) -> Moves:
        mine, theirs = state
        if theirs >= target:
            return End(-1)
        return [
            Choice(dice, 0, law.map(lambda points: Other((theirs, min(target, mine + points)))))
            for dice, law in scores.items()
        ]

    return Game((0, 0), moves)


def solitaire(
    target: int, rolls: Mapping[int, int] = DIE, within: int | None = None
) -> Game[tuple[int, int, int]]:
    """Turns to a target; or the chance to come there within so many.

    A state is (points held, points of this turn, turns left or −1).
    """
    law = Distribution(rolls)

    def moves(state: tuple[int, int, int]) -> Moves:
        held, points, left = state
        if held + points >= target or not left:
            return End(int(within is not None and held + points >= target))
        later = left - 1 if left > 0 else left

        def rolled(shown: int) -> tuple[int, int, int]:
            return (held, points + shown, left) if shown > 0 else (0 if shown else held, 0, later)

        cost = 1 if points == 0 and within is None else 0  # a turn begins
        roll = Choice("roll", cost, law.map(rolled))
        hold = Choice("hold", 0, point_mass((held + points, 0, later)))
        return [roll, hold] if points else [roll]

    return Game((0, 0, -1 if within is None else within), moves)


def _race(rules: str, target: int, rolls: Mapping[int, int], printed: Sources = NOTHING) -> Variant:
    """Exact where small, else within 10⁻³⁰."""
    takes, width = ("a minute", "1e-30") if target == 100 else ("a second", None)
    return Variant(rules, partial(race, target, rolls), takes, printed, width, wins=True)


def _alone(rules: str, within: int, rolls: Mapping[int, int] = DIE) -> Variant:
    asks = f"chance to come to 100 within {within} turns"
    return Variant(rules, partial(solitaire, 100, rolls, within), "10 s", asks=asks)


def _fewest(target: int, width: str | None = None) -> Variant:
    rules, asks = f"alone, to {target}", "fewest turns on average"
    return Variant(rules, partial(solitaire, target), width=width, least=True, asks=asks)


_NELLER, _MARLIN = "Neller and Presser 2004", "Marlin, saybro.com/gottahack, 1998"
_SKUNK = "to 100 with two dice, which is Two-dice Pig"
_VARIANTS = {
    "pig": _race("to 100 with one die", 100, DIE, {"0.5306": _NELLER}),
    "piglet": _race("to 2 with a coin", 2, COIN, {"4/7": f"{_NELLER}, of P(0, 0, 0)"}),
    "piglet-10": _race("to 10 with a coin", 10, COIN),
    "pig-20": _race("to 20 with one die", 20, DIE),
    "two-dice-15": _race("to 15 with two dice", 15, TWO_DICE),
    "turn": Variant(
        "one turn", lambda: Game(0, turn), asks="most points that it brings on average"
    ),
    "skunk": _race(_SKUNK, 100, TWO_DICE, {"0.5195594": _MARLIN}),
    "big-pig": _race("Big Pig, to 100", 100, BIG),
    "hog-30": Variant("Hog in turn, to 30 with at most eight dice", partial(hog, 30, 8), wins=True),
    "alone-30": _fewest(30),
    "alone": _fewest(100, "1e-30"),
    "alone-within-10": _alone("alone, with one die", 10),
    "skunk-within-6": _alone("alone, with two dice", 6, TWO_DICE),
}
_WHO = "two, or one against the clock"
PAGE = Page("pig", "Pig", _WHO, "chance that the first player wins", _VARIANTS)
