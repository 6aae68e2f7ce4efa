"""Pig and its family: roll as often as you like and hold what you have, but a 1 takes it all.

Who first holds the target wins. In Pig a turn gathers what one die shows until it is held, and a 1
ends the turn with nothing. In Piglet a coin is tossed, a head being one point and a tail the end.
In Two-dice Pig both dice count; one 1 among them ends the turn with nothing, and two take all that
was held before, too. Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25
(2004), solved Pig and Piglet.
"""

from collections.abc import Mapping

from exactdice.book.page import Page, Printed, Variant
from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Other, point_mass
from exactdice.solve.turns import Moves

State = tuple[int, int, int]
OVER: State = (-1, -1, -1)

#: How many ways each roll has by the points that it brings; 0 ends a turn, −1 takes all points.
DIE = {0: 1} | dict.fromkeys(range(2, 7), 1)
COIN = {0: 1, 1: 1}
TWO_DICE = {-1: 1, 0: 10} | {
    total: sum(2 <= total - face <= 6 for face in range(2, 7)) for total in range(4, 13)
}


def race(target: int, rolls: Mapping[int, int]) -> Game[State]:
    """Two players to a target: (mine, theirs, points of this turn), as the player to roll sees it.

    A win is worth 1 and a loss −1.
    """

    def moves(state: State) -> Moves:
        if state == OVER:
            return End(1)
        mine, theirs, points = state
        rolled: dict[State | Other[State], int] = {}
        for shown, ways in rolls.items():
            if shown <= 0:
                rolled[Other((theirs, 0 if shown else mine, 0))] = ways
            elif mine + points + shown >= target:
                rolled[OVER] = rolled.get(OVER, 0) + ways
            else:
                rolled[mine, theirs, points + shown] = ways
        roll = Choice("roll", 0, Distribution(rolled))
        if not points:
            return [roll]
        return [roll, Choice("hold", 0, point_mass(Other((theirs, mine + points, 0))))]

    return Game((0, 0, 0), moves)


def turn(points: int) -> list[Choice[int]] | End:
    """One turn of Pig, for points: a state is what the turn has brought, or −1 when it is over."""
    if points < 0:
        return End(0)
    hold = Choice("hold", points, point_mass(-1))
    rolled = {-1 if shown == 0 else points + shown: ways for shown, ways in DIE.items()}
    return [hold] if points >= 100 else [hold, Choice("roll", 0, Distribution(rolled))]


def solitaire(target: int) -> Game[tuple[int, int]]:
    """Turns to a target, counted as losses: a state is (points held, points of this turn)."""

    def moves(state: tuple[int, int]) -> Moves:
        held, points = state
        if held + points >= target:
            return End(0)
        rolled = {(held, points + shown if shown else 0): ways for shown, ways in DIE.items()}
        roll = Choice("roll", -1 if points == 0 else 0, Distribution(rolled))  # a turn begins
        return [roll, Choice("hold", 0, point_mass((held + points, 0)))] if points else [roll]

    return Game((0, 0), moves)


def _race(rules: str, target: int, rolls: Mapping[int, int], *numbers: Printed) -> Variant:
    return Variant(rules, lambda: race(target, rolls), printed=numbers, wins=True)


PAGE = Page(
    "pig",
    "Pig",
    "two, or one against the clock",
    "chance that the first player wins; of a turn its points, alone minus the turns taken",
    {
        "pig": Variant(
            "to 100 with one die",
            lambda: race(100, DIE),
            takes="a minute",
            width="1e-30",
            wins=True,
            printed=(Printed("0.5306", "Neller and Presser 2004"),),
        ),
        "piglet": _race(
            "to 2 with a coin", 2, COIN, Printed("4/7", "Neller and Presser 2004, of P(0, 0, 0)")
        ),
        "piglet-10": _race("to 10 with a coin", 10, COIN),
        "pig-20": _race("to 20 with one die", 20, DIE),
        "two-dice-15": _race("to 15 with two dice", 15, TWO_DICE),
        "turn": Variant("most points that one turn brings on average", lambda: Game(0, turn)),
        "alone-30": Variant("fewest turns to 30, counted below 0", lambda: solitaire(30)),
    },
)
