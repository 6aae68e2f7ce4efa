"""What the tests of FateStones hold its solvers against."""

from itertools import permutations, product

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.rules import Die, Hand


def reverse(die: Die) -> Die:
    """The die that shows 7 − f for each face f."""
    return tuple(7 - face for face in reversed(die))


def odds(first: Die, second: Die) -> tuple[mpq, mpq]:
    """Chance to win minus chance to lose, and chance to tie, by listing all rolls."""
    rolls = list(product(first, second))
    margin = sum((a > b) - (a < b) for a, b in rolls)
    return mpq(margin, len(rolls)), mpq(sum(a == b for a, b in rolls), len(rolls))


def random_by_orders(row: Hand, column: Hand, scratch: mpq) -> mpq:
    """Both orders drawn beforehand: the mean over all pairs of permutations."""
    values = []
    for ours in permutations(row):
        for theirs in permutations(column):
            value, reached = mpq(0), mpq(1)
            for die, against in zip(ours, theirs, strict=True):
                margin, tie = odds(die, against)
                value += reached * margin
                reached *= tie
            values.append(value + reached * scratch)
    return sum(values, mpq(0)) / len(values)
