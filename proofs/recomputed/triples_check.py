"""Count cyclic triples of proper dice again: python3 triples_check.py FILE [MOST].

A proper die with n sides has n numbers from 1 to n with the sum n (n + 1) / 2. A die beats another
if its roll is more often higher than lower. FILE is a b-file: each line contains n and the number of
sets of three proper dice with n sides that beat each other in a cycle.

The program lists all dice and compares all pairs, in integers, up to MOST sides (default 9). For
each die the bits of one integer are the dice that it beats, and those of another the dice that beat
it; the cycles through a pair are the common bits of two such integers. Needs Python 3.11 with the
standard library, and not exactdice. 9 sides take a second, 10 five seconds, 11 a minute and a half.

Exit status: 0 accepted, 1 rejected, 2 if the file cannot be read.
"""

import sys
from itertools import accumulate
from pathlib import Path


def proper(sides):
    """List the dice by their numbers of faces 1, 2, …"""
    dice = [((), 0, 0)]
    for face in range(1, sides + 1):
        dice = [
            ((*counts, more), faces + more, total + face * more)
            for counts, faces, total in dice
            for more in range(sides - faces + 1)
            if total + face * more <= sides * (sides + 1) // 2
        ]
    return [c for c, faces, total in dice if (faces, total) == (sides, sides * (sides + 1) // 2)]


def circles(sides):
    """Count the sets of three dice that beat each other in a cycle."""
    dice = proper(sides)
    # for each face: the number of lower faces of a die minus the number of higher ones
    leads = []
    for counts in dice:
        upto = list(accumulate(counts))
        leads.append([2 * n - c - sides for n, c in zip(upto, counts, strict=True)])
    beats, beaten = [0] * len(dice), [0] * len(dice)
    for one, counts in enumerate(dice):
        shown = [(face, n) for face, n in enumerate(counts) if n]
        for other in range(one):
            lead = leads[other]
            ahead = sum([n * lead[face] for face, n in shown])
            if ahead:
                winner, loser = (one, other) if ahead > 0 else (other, one)
                beats[winner] |= 1 << loser
                beaten[loser] |= 1 << winner
    through = 0
    for one, row in enumerate(beats):
        while row:
            other = row & -row
            through += (beats[other.bit_length() - 1] & beaten[one]).bit_count()
            row ^= other
    return through // 3


def main(words):
    """Check a file and print the result."""
    try:
        most = int(words[1]) if words[1:] else 9
        with Path(words[0]).open(encoding="ascii") as file:
            rows = [line.split() for line in file.read(10**6).splitlines()]  # limited for devices
        counts = {int(sides): int(count) for sides, count in rows}
    except (IndexError, OSError, ValueError) as problem:
        print(f"usage: triples_check.py FILE [MOST]: {problem}")
        return 2
    if not rows or list(counts) != list(range(1, len(rows) + 1)):
        print("rejected: the sides are not 1, 2, …")
        return 1
    for sides, count in counts.items():
        if sides <= most and circles(sides) != count:
            print(f"rejected: {count} for {sides} sides is wrong")
            return 1
    print(f"accepted: the counts up to {min(most, len(counts))} sides")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
