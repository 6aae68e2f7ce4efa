"""One round of Liar's dice: values, and the first bids of optimal strategies.

The rules are in `exactdice/book/liars_dice.py`.
"""

from exactdice.book.liars_dice import liars_dice
from exactdice.models import all_equilibria, equilibrium

if __name__ == "__main__":
    for sizes in [(1, 1, 3), (1, 1, 4), (1, 1, 5), (2, 1, 3), (1, 2, 3)]:
        for wild in (False, True):
            found = equilibrium(liars_dice(*sizes, wild=wild))
            print(*sizes, "with wild ones:" if wild else "without:", found.value)
    every = all_equilibria(equilibrium(liars_dice(1, 1, 3)))
    for (roll, said), chances in every.strategy(1).items():
        if not said:
            print(roll, "may bid", [bid for bid, chance in chances.items() if chance])
