"""Hog: both players say at once how many dice they roll; a 1 among them makes the round worthless.

Both add what they rolled; from the target on the higher score wins, and equal ones draw. A round in
which both get nothing leaves everything as it was, so play can come back to the same choice and the
values need not be rational: they are enclosed. A win is worth 1, a loss −1.
"""

from exactdice.dice import Distribution, fair
from exactdice.models import Both, End, Game, optimum, win_draw_loss


def score_of(dice):
    """Law of what a number of dice is worth: their sum, or 0 where one of them shows a 1."""
    face = fair(6).map(lambda shown: None if shown == 1 else shown)
    total = Distribution({0: 1})
    for _ in range(dice):
        both = {}
        for x, v in total.items():
            for y, w in face.items():
                after = None if x is None or y is None else x + y
                both[after] = both.get(after, 0) + v * w
        total = Distribution(both)
    return total.map(lambda points: points or 0)


def hog(target, most_dice):
    scores = {dice: score_of(dice) for dice in range(1, most_dice + 1)}

    def after(state, x, y):
        mine, theirs = state[0] + x, state[1] + y
        over = max(mine, theirs) >= target
        return (mine > theirs) - (mine < theirs) if over else (mine, theirs)

    def moves(state):
        if isinstance(state, int):
            return End(state)
        outcomes = {}
        for a, first in scores.items():
            for b, second in scores.items():
                law = {}
                for x, v in first.items():
                    for y, w in second.items():
                        reached = after(state, x, y)
                        law[reached] = law.get(reached, 0) + v * w
                outcomes[a, b] = Distribution(law)
        return Both(outcomes)

    return Game((0, 0), moves)


if __name__ == "__main__":
    model = hog(15, 4).explored()
    best = optimum(model)
    print("value:", best.enclosure().decimal(20), best.method)
    print("dice at the start:", {n: str(p)[:6] for n, p in best.action((0, 0))[0].items()})
    print("value when 5 ahead:", best.enclosure((10, 5)).decimal(20))
    print("a draw:", win_draw_loss(model, best, width="1e-20").draw.decimal(15))
