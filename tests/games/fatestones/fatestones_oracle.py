"""Oracles for FateStones."""

from itertools import combinations, permutations, product

from exactdice.arithmetic import mpq


def reverse(die):
    """The die with face 7 − f for each face f."""
    return tuple(7 - face for face in reversed(die))


def deals(dice):
    """All pairs of hands of three dice each."""
    return [
        (row, column)
        for row in combinations(dice, 3)
        for column in combinations([die for die in dice if die not in row], 3)
    ]


def odds(first, second):
    """Probability to win minus that to lose, and probability of a tie, by listing all rolls."""
    rolls = list(product(first, second))
    margin = sum((a > b) - (a < b) for a, b in rolls)
    return mpq(margin, len(rolls)), mpq(sum(a == b for a, b in rolls), len(rolls))


def random_by_orders(row, column, scratch):
    """Mean over all pairs of permutations of the hands."""
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
