"""Pig: roll as often as you like and hold what you have, but a 1 takes the points of the turn.

Three questions: the most points a turn can bring on average; the fewest turns in which one player
gets to a target; and how two players race there, the first to roll having the advantage. Source:
Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25 (2004): to 100 the
first player wins with probability 0.5306. Neller at nifty.stanford.edu/2010/neller-pig: with
about 0.5347 when both hold at 20.
"""

from exactdice.arithmetic import decimal
from exactdice.dice import Distribution, fair
from exactdice.models import Choice, End, Game, Other, chance, optimum, point_mass, policy_value

BUST, OVER = "bust", "over"


def turn(points):
    """One turn, for points: a state is what the turn has brought so far."""
    if points in (BUST, OVER):
        return End(0)
    roll = fair(6).map(lambda face: BUST if face == 1 else points + face)
    hold = Choice("hold", points, point_mass(OVER))
    return [hold] if points >= 100 else [hold, Choice("roll", 0, roll)]


def solitaire(target):
    """Fewest turns to a target: a state is (points held, points of this turn)."""

    def moves(state):
        held, points = state
        if held + points >= target:
            return End(0)
        again = {(held, 0): 1} | {(held, points + face): 1 for face in range(2, 7)}
        roll = Choice("roll", -1 if points == 0 else 0, Distribution(again))  # a turn begins
        return [roll, Choice("hold", 0, point_mass((held + points, 0)))] if points else [roll]

    return Game((0, 0), moves)


def race(target):
    """Two players to a target: (mine, theirs, points of this turn), as the player to roll sees it.

    A win is worth 1 and a loss −1, so that the chance to win is (1 + value) / 2.
    """
    won = End(1)

    def moves(state):
        if state is OVER:
            return won
        mine, theirs, points = state
        rolled = {Other((theirs, mine, 0)): 1}
        for face in range(2, 7):
            total = points + face
            after = OVER if mine + total >= target else (mine, theirs, total)
            rolled[after] = rolled.get(after, 0) + 1
        roll = Choice("roll", 0, Distribution(rolled))
        if not points:
            return [roll]
        return [roll, Choice("hold", 0, point_mass(Other((theirs, mine + points, 0))))]

    return Game((0, 0, 0), moves)


def hold_at_20(state):
    return "hold" if state[2] >= 20 else "roll"


def winning(value):
    """The chance to win, from the value of a race."""
    return decimal((1 + value) / 2, 30)


if __name__ == "__main__":
    print("most points of a turn:", optimum(Game(0, turn).explored()).value)
    print("fewest turns to 30:", -optimum(solitaire(30).explored()).value)
    print("first player wins to 20:", chance(race(20), "won").value)
    model = race(100).explored()
    best = optimum(model, width="1e-30")
    print("first player wins to 100:", winning(best.enclosure().middle), best.method)
    print("states in which two actions may be best:", len(best.unsettled))
    holding = policy_value(model, hold_at_20, width="1e-30")
    print("holding at 20 against itself:", winning(holding.enclosure().middle))
