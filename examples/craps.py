"""Craps: the pass line. Nobody chooses anything; a chain with a loop in each point.

Source: every textbook; the pass line wins with probability 244/495.
"""

from exactdice.dice import fair
from exactdice.models import End, Game, optimum, reach, time_law

TWO_DICE = fair(6).sum_of(2)


def moves(state):
    """A state is None before the first roll, then the point, then "win" or "lose"."""
    if state in ("win", "lose"):
        return End(1 if state == "win" else 0)
    if state is None:
        wins, loses = {7, 11}, {2, 3, 12}
    else:
        wins, loses = {state}, {7}

    def after(total):
        if total in wins:
            return "win"
        return "lose" if total in loses else (state or total)

    return TWO_DICE.map(after)


if __name__ == "__main__":
    model = Game(None, moves).explored()
    print("the shooter wins with", optimum(model).value)
    print("comes to a point of 4 with", reach(model, lambda state: state == 4).value)
    law = time_law(model, {})
    print("rolls: mean", law.mean, "variance", law.variance, "median", law.quantile("1/2"))
