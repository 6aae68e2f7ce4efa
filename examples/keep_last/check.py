"""Check the certificate with only Python's standard library, without importing exactdice.

python3 examples/keep_last/check.py FILE
"""

import json
import sys
from fractions import Fraction


def checked(content):
    """Return the first problem of a certificate, or an empty text if there is none."""
    if content["claim"] != "keep.fives" or content["verdict"] != "proved":
        return "another claim, or another verdict"
    expected = [Fraction(sum(range(1, 7)), 6)]
    while len(expected) < content["parameters"]["most"]:
        expected.append(sum(max(Fraction(face), expected[-1]) for face in range(1, 7)) / 6)
    if [Fraction(value) for value in content["evidence"]["values"]] != expected:
        return "a value is not what the rules give"
    if [n for n, value in enumerate(expected, start=1) if value <= 5] != [1, 2, 3, 4]:
        return "a five is kept with other numbers of throws left"
    return ""


if __name__ == "__main__":
    with open(sys.argv[1], encoding="ascii") as stream:  # noqa: PTH123 - no more is needed
        problem = checked(json.load(stream))
    print(problem or "right")
    sys.exit(bool(problem))
