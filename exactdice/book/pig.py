"""Pig and its family: roll as often as you like, then hold; but a 1 loses the turn. And Hog.

The first player to hold the target wins. In Pig a turn adds rolls of one die until the player
holds; a 1 ends the turn without points. In Piglet a coin is tossed: heads is one point, tails ends
the turn. In Two-dice Pig, also called Skunk, both dice count; a single 1 ends the turn without
points, and two lose all held points, too. In Big Pig two 1s count 25, and other doubles twice their
points. In Hog a turn is one roll of any number of dice, and a 1 among them scores 0. Neller and
Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25 (2004), solved Pig and Piglet.

The page *Hog* has both players choose their number of dice simultaneously. From the target on the
higher score wins, and equal scores draw. A round in which both score 0 changes nothing, so play may
return to the same state and the values need not be rational: they are bounded.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import Both, Choice, End, Game, Moves, Other, point_mass

Scores: TypeAlias = "tuple[int, int] | int"


def score_of(dice: int) -> Distribution[int]:
    """Return the distribution of the sum of the dice, or 0 if one of them shows a 1."""
    without = fair(6).given(lambda face: face > 1).sum_of(dice)
    return Distribution({0: 6**dice - 5**dice, **without})


def hog_game(target: int, most_dice: int) -> Game[Scores]:
    """Return the simultaneous game; a state is both scores or, at the end, the winner."""
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
HOG = Page("hog", "Hog", "two", "wins minus losses per game, on average", {"to-15": _HOG_VARIANT})


State: TypeAlias = tuple[int, ...]
OVER: State = (-1, -1, -1)

#: Number of rolls by points; 0 ends a turn, and −1 loses all points.
DIE = {0: 1} | dict.fromkeys(range(2, 7), 1)
COIN = {0: 1, 1: 1}
PAIRS = [*product(range(1, 7), repeat=2)]
TWO_DICE = Counter(-1 if a == b == 1 else 0 if 1 in (a, b) else a + b for a, b in PAIRS)
BIG = Counter(
    25 if a == b == 1 else 0 if 1 in (a, b) else (a + b) * (2 if a == b else 1) for a, b in PAIRS
)


def race(target: int, rolls: Mapping[int, int]) -> Game[State]:
    """Return the race; a state is (mine, theirs, points of this turn) for the player to roll."""
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


def several(target: int, players: int) -> Game[State]:
    """Return Pig for more players; a state is the scores, the mover's first, and the points."""
    law, wins = Distribution(DIE), tuple(int(seat == 0) for seat in range(players))

    def moves(state: State) -> Moves:
        if state == OVER:
            return End(wins)
        mine, *others, points = state

        def rolled(shown: int) -> State | Other[State]:
            if not shown:
                return Other((*others, mine, 0))
            return OVER if mine + points + shown >= target else (mine, *others, points + shown)

        roll = Choice("roll", 0, law.map(rolled))
        hold = Choice("hold", 0, point_mass(Other((*others, mine + points, 0))))
        return [roll, hold] if points else [roll]

    return Game((0,) * (players + 1), moves, players=players)


def turn(points: int) -> list[Choice[int]] | End:
    """Return the moves of one turn of Pig; a state is its points, or −1 when it is over."""
    if points < 0:
        return End(0)
    hold = Choice("hold", points, point_mass(-1))
    rolled = Distribution(DIE).map(lambda shown: points + shown if shown else -1)
    return [hold] if points >= 100 else [hold, Choice("roll", 0, rolled)]


def hog(target: int, most_dice: int) -> Game[tuple[int, int]]:
    """Return Hog in turn; a state is (mine, theirs), from the view of the player to roll."""
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
    """Return the game of fewest turns; a state is (held, points of this turn, turns left or −1)."""
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


def _race(rules: str, target: int, rolls: Mapping[int, int]) -> Variant:
    takes, width = ("a minute", "1e-30") if target == 100 else ("a second", None)
    return Variant(rules, partial(race, target, rolls), takes, width=width, wins=True)


def _more(rules: str, target: int, takes: str) -> Variant:
    return Variant(rules, partial(several, target, 3), takes, asks="win probability of player 1")


def _alone(rules: str, within: int, rolls: Mapping[int, int] = DIE) -> Variant:
    asks = f"probability of reaching 100 within {within} turns"
    return Variant(rules, partial(solitaire, 100, rolls, within), "10 s", asks=asks)


def _fewest(target: int, width: str | None = None) -> Variant:
    rules, asks = f"alone, to {target}", "smallest expected number of turns"
    return Variant(rules, partial(solitaire, target), width=width, least=True, asks=asks)


_SKUNK = "to 100 with two dice, which is Two-dice Pig"
_VARIANTS = {
    "pig": _race("to 100 with one die", 100, DIE),
    "piglet": _race("to 2 with a coin", 2, COIN),
    "piglet-10": _race("to 10 with a coin", 10, COIN),
    "pig-20": _race("to 20 with one die", 20, DIE),
    "two-dice-15": _race("to 15 with two dice", 15, TWO_DICE),
    "turn": Variant("one turn", lambda: Game(0, turn), asks="greatest expected points of a turn"),
    "three-20": _more("to 20 with three players", 20, "two minutes"),
    "three-10": _more("to 10 with three players", 10, "10 s"),
    "skunk": _race(_SKUNK, 100, TWO_DICE),
    "big-pig": _race("Big Pig, to 100", 100, BIG),
    "hog-30": Variant("Hog in turn, to 30 with at most eight dice", partial(hog, 30, 8), wins=True),
    "alone-30": _fewest(30),
    "alone": _fewest(100, "1e-30"),
    "alone-within-10": _alone("alone, with one die", 10),
    "skunk-within-6": _alone("alone, with two dice", 6, TWO_DICE),
}
PAGE = Page("pig", "Pig", "one, two or three", "probability that the first player wins", _VARIANTS)
