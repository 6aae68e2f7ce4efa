#!/usr/bin/env python3
"""Look for exceptions to the conjecture below theorem 28, for all armies of at most N units.

    python3 proofs/theorems/seen_dice.py N

The defender sees the attacker's dice. Probabilities have lower and upper bounds, in integer multiples
of 10^-24; by theorem 28 the attacker rolls the most dice. Prints where W(n, n) is greatest, exceptions
to the conjectured rise and fall, and the defender's answers if the armies differ by at most a tenth.
Exit status 1 if W(n, n) is not below 1/2.
"""

import sys
from collections import Counter
from itertools import product

UNIT = 10**24


def rolls_of(dice):
    """Yield the two highest dice, their number of rolls, and the defender's rolls by losses."""
    faces = Counter(
        tuple(sorted(roll, reverse=True)[:2]) for roll in product(range(1, 7), repeat=dice)
    )
    for shown, ways in sorted(faces.items()):
        lost = [0] * 3
        for answer in product(range(1, 7), repeat=2):
            pairs = zip(shown, sorted(answer, reverse=True), strict=False)
            lost[sum(x <= y for x, y in pairs)] += 1
        yield shown, ways, 6 * (shown[0] - 1), lost


ROLLS = [list(rolls_of(dice)) for dice in (1, 2, 3)]


def seen(most):
    """Return bounds of W and, for a ≥ 3 and d ≥ 2, the dice against which one die is better."""
    both = [[[UNIT] + [0] * most] for _ in range(2)]
    answers = {}
    for a in range(1, most + 1):
        for win in both:
            win.append([UNIT] + [0] * most)
        rolls, all_rolls = ROLLS[min(a, 3) - 1], 36 * 6 ** min(a, 3)
        for d in range(1, most + 1):
            better, clear, worth = [], True, []
            for win in both:
                one, less = win[a][d - 1], win[a - 1][d]
                two = (win[a][d - 2], win[a - 1][d - 1]) if a > 1 else (one, less)
                last = win[a - 2][d] if a > 1 else 0
                worth.append(
                    [
                        (
                            c * one + (36 - c) * less,
                            lost[0] * two[0] + lost[1] * two[1] + lost[2] * last if d > 1 else None,
                        )
                        for _, _, c, lost in rolls
                    ]
                )
            for up, (win, of) in enumerate(zip(both, worth, strict=True)):
                total = sum(
                    ways * (x if y is None or x < y else y)
                    for (_, ways, *_), (x, y) in zip(rolls, of, strict=True)
                )
                win[a][d] = -(-total // all_rolls) if up else total // all_rolls
            if a >= 3 and d >= 2:
                for (shown, *_), low, high in zip(rolls, *worth, strict=True):
                    if high[0] < low[1]:
                        better.append(shown)
                    elif low[0] < high[1]:
                        clear = False
                answers[a, d] = tuple(better) if clear else None
    return *both, answers


def main(words):
    if len(words) != 1 or not words[0].isdecimal() or int(words[0]) < 6:
        print("usage: seen_dice.py N, where N is at least 6", file=sys.stderr)
        return 2
    most = int(words[0])
    low, high, answers = seen(most)
    equal = range(1, most + 1)
    top = max(equal, key=lambda n: low[n][n])
    print(f"W(n, n) is greatest at n = {top}: {low[top][top] * 10**9 // UNIT} parts of 10^9")
    falls = [n for n in range(1, top) if high[n + 1][n + 1] < low[n][n]]
    rises = [n for n in range(top, most) if low[n + 1][n + 1] > high[n][n]]
    print(f"before that it falls after n in {falls}; afterwards it rises after n in {rises}")
    near = Counter(
        answer for (a, d), answer in answers.items() if min(a, d) >= 20 and 10 * abs(a - d) <= a
    )
    for answer, count in near.most_common():
        said = ", ".join(f"{x}{y}" for x, y in answer) if answer is not None else "not clear"
        print(f"{count} pairs of armies of at least 20 units, one die against: {said}")
    return int(any(2 * high[n][n] >= UNIT for n in equal))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
