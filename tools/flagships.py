"""Write the bounds of Farkle's race for its checker: python tools/flagships.py TARGET > FILE.

The bounds of the C++ solver, in doubles, are widened by an amount that grows with the points left.
Then one rounded sweep in integers proves them. `proofs/recomputed/race_check.cpp` checks the file.
"""

import sys

from exactdice.games.farkle import KCD, contender
from exactdice.games.farkle.races.solve import enclose_wins

UNIT = 1 << 62
APART = 1 << 12  # units for each step of 50 points left


def lines(target: int) -> list[str]:
    """Give the lines of the file."""
    player = contender(rules=KCD.varied(target=target))
    chances = enclose_wins(player, player).chances
    size = player.levels
    found = ["exactdice-race 1", f"target {target}"]
    for own in range(size):
        numbers = []
        for other in range(size):
            chance = chances.chance(own * 50, other * 50)
            apart = APART * (2 * size - own - other)
            low = max(0, int(chance.lower * UNIT) - apart)
            high = min(UNIT, int(chance.upper * UNIT) + 1 + apart)
            numbers += [f"{low:x} {high - low:x}"]
        found.append(" ".join(numbers))
    return [*found, "done"]


if __name__ == "__main__":
    print(*lines(int(sys.argv[1])), sep="\n")
