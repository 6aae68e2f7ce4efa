"""Count cyclic triples of proper dice again: python3 triples_check.py FILE [MOST].

A proper die of n sides has n numbers from 1 to n, with the sum n (n + 1) / 2. A die beats another
that it exceeds more often than it is exceeded. FILE is a b-file: in each line n, and how many sets
of three proper dice of n sides there are of which each beats the next, round a circle.

All dice are listed and all pairs are compared, in whole numbers, up to MOST sides, 9 where left out.
With the dice that each die beats as one long number, and those that beat it as another, the circles
through a pair are the dice in both. This needs Python 3.11, its standard library, nothing of
exactdice; 9 sides take a second, 10 five and 11 a minute and a half.

Exit status: 0 accepted, 1 rejected, 2 where the file cannot be read.
"""

import sys
from itertools import accumulate
from pathlib import Path


def proper(sides):
    """List the dice by how often they show 1, 2, …."""
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
    """Number of sets of three dice of which each beats the next."""
    dice = proper(sides)
    # a face exceeds so many faces of a die as are below it, and is exceeded by those above
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
    """Check a file, and say what holds."""
    try:
        most = int(words[1]) if words[1:] else 9
        with Path(words[0]).open(encoding="ascii") as file:
            rows = [line.split() for line in file.read(10**6).splitlines()]  # of a device, no more
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
