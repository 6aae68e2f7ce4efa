"""Liar's dice of one round: everybody rolls under a cup, and bids rise until one is not believed.

A bid (count, face) says that among all dice at least so many show the face. It has to be higher
than the last, by count, then by face. Instead of bidding a player may call the other a liar: all
dice are shown, and who made the bid wins 1 if it holds and else loses 1. With wild ones a 1 counts
as every face. The player who begins has the first dice. Source of values to compare with: the
README of thomasahle/snyd, whose fractions are guessed from a linear program in doubles.
"""

from itertools import product

from exactdice.dice import Distribution
from exactdice.models import Choice, DealtGame, Shown, Turn, equilibrium, point_mass

LIAR = "liar"


def rolls(dice, sides):
    """The law of what is under a cup, in ascending order."""
    faces = product(range(1, sides + 1), repeat=dice)
    return Distribution.from_faces([tuple(sorted(roll)) for roll in faces])


def liars_dice(first, second, sides, *, wild=False):
    """The game of so many dice each."""
    bids = [(count, face) for count in range(1, first + second + 1) for face in range(1, sides + 1)]
    higher = {None: bids} | {bid: bids[place + 1 :] for place, bid in enumerate(bids)}

    def moves(said):
        player = 1 + len(said) % 2
        if said and said[-1] == LIAR:
            return Shown((said[-2], player))
        last = said[-1] if said else None
        actions = higher[last] + ([LIAR] if said else [])
        return Turn(player, [Choice(a, 0, point_mass((*said, a))) for a in actions])

    def payoff(shown, one, two):
        (count, face), bidder = shown
        dice = one + two
        number = dice.count(face) + (dice.count(1) if wild and face != 1 else 0)
        return 1 if (number >= count) == (bidder == 1) else -1

    mine, theirs = rolls(first, sides), rolls(second, sides)
    deals = {(a, b): w * v for a, w in mine.items() for b, v in theirs.items()}
    return DealtGame(Distribution(deals), (), moves, payoff)


if __name__ == "__main__":
    for sizes in [(1, 1, 3), (1, 1, 4), (1, 1, 5), (2, 1, 3), (1, 2, 3)]:
        for wild in (False, True):
            found = equilibrium(liars_dice(*sizes, wild=wild))
            print(*sizes, "with wild ones:" if wild else "without:", found.value)
    strategy = equilibrium(liars_dice(1, 1, 4)).strategy(1)
    for (roll, said), chances in strategy.items():
        if not said:
            print(roll, {bid: str(chance) for bid, chance in chances.items() if chance})
