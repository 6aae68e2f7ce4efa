#!/usr/bin/env python3
"""Print or check the numbers of sides from which d + 1 dice beat d: fewest_sides.py FILE | MOST

Let d + 1 dice attack d dice with s sides in a round of Risk, ties to the defender. The least s for which the attacker loses
less than the defender on average is s_d. With MOST prints d and s_d for each d up to MOST. With FILE compares the file with
that; exit status 1 if it differs. The program takes s_1 = 4 and increases s from the last result. It also checks that s − 1
sides are not enough, and so finds the least s if fewer sides never favour the attacker, which is proved for d ≤ 20 (theorem
35). It compares whole numbers.
"""

import sys
from math import comb
from pathlib import Path


def at_least(dice, high, sides):
    """Return, for k = 0, …, dice + 1, in how many rolls at least k dice show one of `high` faces."""
    counts = [comb(dice, i) * high**i * (sides - high) ** (dice - i) for i in range(dice + 1)]
    of = [0] * (dice + 2)
    for i in range(dice, -1, -1):
        of[i] = of[i + 1] + counts[i]
    return of


def advantage(d, sides):
    """Return sides^(2d + 1) times the mean units that the attacker wins, less those it loses."""
    won, rolls, before = 0, sides**d, at_least(d + 1, 0, sides)
    for high in range(1, sides + 1):  # the k-th die shows the lowest of the `high` highest faces
        now, theirs = at_least(d + 1, high, sides), at_least(d, high, sides)
        won += sum((now[k] - before[k]) * (rolls - theirs[k]) for k in range(1, d + 1))
        before = now
    return 2 * won - d * sides ** (2 * d + 1)


def fewest(most):
    """Yield d and s_d."""
    sides = 3
    for d in range(1, most + 1):
        if advantage(d, sides) > 0:
            raise SystemExit(f"fewest_sides.py: s_{d} is not above the one before")
        while advantage(d, sides) <= 0:
            sides += 1
        yield d, sides


def main(word):
    if word.isdigit():
        for line in fewest(int(word)):
            print(*line, flush=True)
        return 0
    lines = Path(word).read_text("ascii").splitlines()
    made = [f"{d} {sides}" for d, sides in fewest(len(lines))]
    print(f"{len(made)} numbers of sides: {'the same' if made == lines else 'another'}")
    return made != lines


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
