"""Check a claim about stop_or_roll.py: stopping is optimal exactly from 20 on.

python3 stop_or_roll_claim.py CERTIFICATE

The certificate must have been accepted by certificate_check.py, which proves the values in it.
"""

import ast
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path


def values(lines: list[str]) -> dict[object, Fraction]:
    """Return the values of a certificate by the names of the states."""
    words = dict(line.split(maxsplit=1) for line in lines if line.startswith("scale"))
    places = [lines.index(word) for word in ("bounds", "moves", "done")]
    bounds, moves = (lines[a + 1 : b] for a, b in pairwise(places))
    names = [ast.literal_eval(line.partition("# ")[2].partition(": ")[0]) for line in moves]
    scaled = [Fraction(line.split()[0]) for line in bounds]
    return {name: n / int(words["scale"]) for name, n in zip(names, scaled, strict=True)}


if __name__ == "__main__":
    found = values(Path(sys.argv[1]).read_text(encoding="ascii").splitlines())
    totals = [state for state in found if isinstance(state, int)]
    stops = sorted(total for total in totals if found[total] == total)
    is_right = stops == [total for total in sorted(totals) if total >= 20]
    print("right" if is_right else f"wrong: stopping is optimal at {stops}")
    sys.exit(not is_right)
