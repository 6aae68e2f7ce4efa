"""Push your luck with a bag: draw tokens until you stop, but a second skull takes everything.

The bag contains coins of 1, 2 and 3, and skulls. Drawn tokens are not put back. A state has the
tokens in the bag (the number of each coin, then of skulls), the coins in hand and the skulls drawn.
"""

from exactdice.dice import Distribution
from exactdice.models import (
    Choice,
    End,
    Game,
    optimum,
    point_mass,
    probability,
    reward_distribution,
)

COINS = (1, 2, 3)


def bag(coins, skulls, allowed=1):
    def moves(state):
        if state in ("stopped", "bust"):
            return End(0)
        inside, left, hand, drawn = state
        stop = Choice("stop", hand, point_mass("stopped"))
        if not any(inside):
            return [stop]
        draws = {}
        for i, count in enumerate(inside):
            if count:
                rest = inside[:i] + (count - 1,) + inside[i + 1 :]
                draws[rest, left, hand + COINS[i], drawn] = count
        if left:
            after = (inside, left - 1, hand, drawn + 1) if drawn < allowed else "bust"
            draws[after] = left
        return [stop, Choice("draw", 0, Distribution(draws))]

    return Game((tuple(coins), skulls, 0, 0), moves)


if __name__ == "__main__":
    model = bag((4, 4, 4), 4).explored()
    best = optimum(model)
    total = reward_distribution(model, best)
    print("optimal expected coins:", best.value)
    print("standard deviation:", total.standard_deviation.decimal(6))
    print("probability of no coins:", total.distribution().probability(0))
    print(
        "regret of the first draw or stop:",
        {a: r.point for a, r in best.regret(model.states[0]).items()},
    )
    rich = probability(model, lambda state: isinstance(state[0], tuple) and state[2] >= 18)
    print("probability of holding 18 coins, if you play only for that:", rich.value)
