#!/usr/bin/env python3
"""Check the computational steps of THEOREMS.md with only the standard library.

    python3 proofs/theorems/steps.py [NUMBER ...]

Checks all theorems, or those with the given numbers. Theorems 28 (d), 32 (b), 34 and 36 also name C++
programs, which are not run here. Prints one line for each theorem; exit status 1 if a step
fails. The steps are in the folder `stepping`.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

from stepping import (
    book,
    farkle,
    fatestones,
    reroll,
    risk,
    risk_fewest,
    risk_line,
    risk_seen,
    risk_sides,
    swe,
    swe_four,
)
from stepping.step import StepError

THEOREMS = (
    swe.telescoping,
    swe.convexity,
    swe.blocks,
    risk.power_sums,
    risk.reciprocity,
    swe.reachable,
    risk.monotone,
    risk.limit,
    swe.skipping,
    risk.most_dice,
    risk.polynomials,
    farkle.horizon,
    farkle.thresholds,
    reroll.scores_so_far,
    reroll.sweeps,
    fatestones.scratches,
    fatestones.opposites,
    swe.bounded,
    swe.repairs,
    risk.equal_armies,
    risk.even_chances,
    swe.near_the_end,
    risk.rising,
    risk.least_army,
    swe.sooner,
    swe.greatest_score,
    risk_sides.any_sides,
    risk_seen.who_sees,
    risk_line.even_line,
    swe.limit,
    swe_four.four_dice,
    swe_four.few_rounds,
    book.liars_dice,
    book.left_center_right,
    risk_fewest.fewest_sides,
    book.spread,
)


def main(words):
    failures = 0
    for number, theorem in enumerate(THEOREMS, 1):
        if words and str(number) not in words:
            continue
        try:
            print(f"theorem {number}: {theorem()}")
        except StepError as problem:
            failures += 1
            print(f"FAILED: theorem {number}: step {problem}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
