#!/usr/bin/env python3
"""Look for exceptions to the conjecture below theorem 29, for all d up to a size.

    python3 proofs/theorems/even_line.py D

Chances are kept between bounds, in whole numbers of 10^-24, a row of defenders at a time. Prints the (a, d)
at which the chance is at least 1/2 and 2797·a − 2387·d is below the bound for the parity of a + d, or the
other way round; exit status 1 if there is one besides (168, 196).
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

from stepping.risk_play import lost_units

UNIT = 10**24
ROUNDS = {(a, d): (*lost_units(a, d, 6), 6 ** (a + d)) for a in (1, 2, 3) for d in (1, 2)}


def rows(defenders, attackers):
    """Yield d and bounds of V(0, d), …, V(attackers, d), rounded down and up."""
    before = [[[UNIT] * (attackers + 1)] * 2 for _ in range(2)]  # d − 2 and d − 1, by rounding
    for d in range(1, defenders + 1):
        now = []
        for up, (two_less, one_less) in enumerate(before):
            row = [0]
            for a in range(1, attackers + 1):
                *counts, dice = ROUNDS[min(a, 3), min(d, 2)]
                if len(counts) == 2:
                    total = counts[0] * one_less[a] + counts[1] * row[a - 1]
                else:
                    total = counts[0] * two_less[a] + counts[1] * one_less[a - 1]
                    total += counts[2] * row[a - 2]
                row.append(-(-total // dice) if up else total // dice)
            now.append(row)
        yield d, *now
        before = [[one_less, row] for (_, one_less), row in zip(before, now, strict=True)]


def exceptions(defenders):
    """Yield the exceptions, and (a, d) where the bounds do not say."""
    for d, low, high in rows(defenders, defenders + 10):
        for a in range(1, defenders + 11):
            said = 2797 * a - 2387 * d >= (1935 if (a + d) % 2 else 2046)
            if (2 * low[a] < UNIT) if said else (2 * high[a] >= UNIT):
                yield a, d


def main(words):
    if len(words) != 1 or not words[0].isdecimal() or int(words[0]) < 1:
        print("even_line.py: give the most defenders, at least 1", file=sys.stderr)
        return 2
    there = list(exceptions(int(words[0])))
    print(f"exceptions with at most {words[0]} defenders: {there}")
    return int(not set(there) <= {(168, 196)})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
