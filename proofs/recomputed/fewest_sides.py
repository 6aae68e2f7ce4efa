#!/usr/bin/env python3
"""Print or check the numbers of sides from which d + 1 dice beat d: fewest_sides.py FILE | MOST

Let d + 1 dice attack d dice with s sides in a round of Risk, ties to the defender. The least s for which the attacker loses
less than the defender on average is s_d. With MOST prints d and s_d for each d up to MOST. With FILE compares the file with
that; exit status 1 if it differs. For each d the program finds the first s above s_(d − 1) that favours the attacker, and
checks that no number from half of it on does. Fewer sides do not either: k·s sides favour the attacker if s do (theorem 35),
and some multiple is in that range. So s_d rises strictly as far as the program gets. It compares whole numbers, and needs
six minutes for d up to 150.
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
        sides += 1
        while advantage(d, sides) <= 0:
            sides += 1
        if any(advantage(d, fewer) > 0 for fewer in range((sides + 1) // 2, sides)):
            raise SystemExit(f"fewest_sides.py: s_{d} is not the first above the one before")
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
