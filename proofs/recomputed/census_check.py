"""Check the census of FateStones: python3 census_check.py FILE [EVERY n] [WORKERS n].

The bag contains the 32 dice with six faces from 1 to 6 and mean 7/2, once each. Two players have
three of them each. Both secretly choose a die and roll it; the higher roll wins. After a tie these
two dice are discarded, and the players choose again. Without dice the game is even, with value 0. So
the value of a deal (probability of a win minus that of a loss, for the first player) is that of a
3 × 3 matrix game; after a tie it is that of a 2 × 2 game, and then that of two single dice.

FILE has a head with totals over all 18,123,840 deals, and a line for each first hand, about all
second hands: the number of deals without a saddle point in the first choices, the number of deals
with value 0, and the sum of the absolute values, each times 10^30 and rounded down.

    exactdice-census 1
    deals N
    mixed N
    even N
    sum N
    largest P/Q HAND HAND       the largest value, and a deal that has it
    hands                       then a line for each hand: places of its dice in the bag, and numbers
    0 1 2 MIXED EVEN SUM
    …
    done

The program adds up the lines, compares the totals with the head, and computes each line from the
rules; with EVERY n only each n-th line, which proves only those. Values are fractions of integers. A
value is that of a saddle point, or of a square submatrix whose equalizing strategies are optimal in
the whole game; both are checked in integers (by Shapley and Snow such a submatrix exists). Needs
Python 3.11 with the standard library, and not exactdice. All lines take about 10 minutes of
processor time.

--write instead of FILE prints such a file. Exit status: 0 accepted, 1 rejected, 2 no file.
"""

import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import lcm
from multiprocessing import Pool
from pathlib import Path

BAG = [die for die in combinations_with_replacement(range(1, 7), 6) if sum(die) == 21]
HANDS = list(combinations(range(len(BAG)), 3))
AGAINST = sum(set(hand).isdisjoint(HANDS[0]) for hand in HANDS)  # second hands against each
BUT = (1, 2), (0, 2), (0, 1)  # the other two of three
PARTS = [(BUT[row], BUT[column], row, column) for row in range(3) for column in range(3)]
UNIT = 10**30
WINS = [[sum((x > y) - (x < y) for x in a for y in b) for b in BAG] for a in BAG]  # of 36 rolls
TIES = [[sum(x == y for x in a for y in b) for b in BAG] for a in BAG]


class RejectedError(Exception):
    """The file does not follow from the rules."""


def need(holds, reason):
    """Reject the file if a condition does not hold."""
    if not holds:
        raise RejectedError(reason)


def saddle(game):
    """Return the maximin and the minimax over pure strategies."""
    return max(map(min, game)), min(map(max, zip(*game, strict=True)))


def value_of_two(game):
    """Return the value of a 2 × 2 game, as a numerator and a positive denominator."""
    least, most = saddle(game)
    if least == most:
        return least, 1
    (a, b), (c, d) = game  # no saddle point: each mixed strategy makes the other player indifferent
    above, below = a * d - b * c, a + d - b - c
    return (above, below) if below > 0 else (-above, -below)


def value_of_three(m):
    """Return the value of a 3 × 3 game without a saddle point, in the same form."""
    (a, b, c), (d, e, f), (g, h, i) = m
    cofactors = ((e * i - f * h, f * g - d * i, d * h - e * g),
                 (c * h - b * i, a * i - c * g, b * g - a * h),
                 (b * f - c * e, c * d - a * f, a * e - b * d))  # fmt: skip
    rows, columns = (list(map(sum, x)) for x in (cofactors, zip(*cofactors, strict=True)))
    below = sum(rows)
    sign = 1 if below > 0 else -1
    if below and min(sign * x for x in rows) >= 0 and min(sign * y for y in columns) >= 0:
        above = a * cofactors[0][0] + b * cofactors[0][1] + c * cofactors[0][2]
        return sign * above, sign * below
    for (i, j), (k, n), row, column in PARTS:
        (a, b), (c, d) = (m[i][k], m[i][n]), (m[j][k], m[j][n])
        sign = 1 if a + d > b + c else -1
        x, y = (sign * (d - c), sign * (a - b)), (sign * (d - b), sign * (a - c))
        above, below = sign * (a * d - b * c), sum(x)  # x / below and y / below are probabilities
        if below > 0 and min(*x, *y) >= 0:
            earns = x[0] * m[i][column] + x[1] * m[j][column]
            if earns >= above >= y[0] * m[row][k] + y[1] * m[row][n]:
                return above, below
    raise RejectedError("a game without a kernel, which is impossible")


@cache
def values_of_pairs():
    """Return the values of two dice against two others, as P and Q of P/(1296·Q)."""
    pairs = list(combinations(range(len(BAG)), 2))
    values = {}
    for a in pairs:
        for b in pairs:
            (w, x), (y, z) = ((WINS[i][b[0]], WINS[i][b[1]]) for i in a)
            (s, t), (u, v) = ((TIES[i][b[0]], TIES[i][b[1]]) for i in a)
            game = (36 * w + s * z, 36 * x + t * y), (36 * y + u * x, 36 * z + v * w)
            values[a + b] = value_of_two(game)
    return values


def deals(hand):
    """Yield each second hand, whether the deal is mixed, and its value P/Q as P and Q > 0."""
    pairs, rest = values_of_pairs(), (hand[1:], hand[::2], hand[:2])
    for other in HANDS:
        if not set(hand).isdisjoint(other):
            continue
        left = other[1:], other[::2], other[:2]
        after = [[pairs[a + b] for b in left] for a in rest]
        scale = lcm(*[q for row in after for _, q in row])
        game = [[1296 * scale * WINS[i][j] + TIES[i][j] * (scale // q) * p
                 for j, (p, q) in zip(other, row, strict=True)]
                for i, row in zip(hand, after, strict=True)]  # fmt: skip
        least, most = saddle(game)
        above, below = (least, 1) if least == most else value_of_three(game)
        yield other, least < most, above, 46656 * scale * below


def line_of(hand):
    """Return the numbers of mixed and of even deals of a hand, the sum, and its best deal."""
    mixed = even = total = 0
    most = 0, 1, hand
    for other, is_mixed, above, below in deals(hand):
        mixed, even = mixed + is_mixed, even + (not above)
        total += abs(above) * UNIT // below
        if above * most[1] > most[0] * below:
            most = above, below, other
    return (mixed, even, total), (Fraction(*most[:2]), hand, most[2])


def named(hand):
    """Return a hand in the notation of the head."""
    return ",".join("".join(map(str, BAG[die])) for die in hand)


def head(lines, name, count):
    """Return the words after the given name, which must begin the next line."""
    words = next(lines, "").split()
    need(words[:1] == [name] and len(words) == count + 1, f"expected {name!r} and {count} words")
    return words[1:]


def whole(word):
    """Read a nonnegative integer."""
    need(word.isdecimal() and word.isascii(), f"{word[:40]!r} is not a nonnegative integer")
    return int(word)


def read(lines):
    """Read a file, and compare its head with the sums of its lines."""
    need(next(lines, "") == "exactdice-census 1", "expected 'exactdice-census 1' in the first line")
    said = [whole(head(lines, name, 1)[0]) for name in ("deals", "mixed", "even", "sum")]
    worth, *hands = head(lines, "largest", 3)
    need(worth.count("/") == 1, "the largest value is not a fraction P/Q")
    largest = Fraction(*map(whole, worth.split("/")))
    head(lines, "hands", 0)
    numbers = {}
    for hand in HANDS:
        words = list(map(whole, next(lines, "").split()))
        need(len(words) == 6 and (*words[:3],) == hand, f"expected the line of hand {hand}")
        numbers[hand] = (*words[3:],)
    need([*lines] == ["done"], "expected 'done' in the last line")
    need(said[0] == len(HANDS) * AGAINST, "the number of deals is wrong")
    totals = list(map(sum, zip(*numbers.values(), strict=True)))
    need(said[1:] == totals, "the head differs from the sums of the lines")
    pair = [next((hand for hand in HANDS if named(hand) == name), None) for name in hands]
    is_deal = None not in pair and set(pair[0]).isdisjoint(pair[1])
    need(is_deal, "the hands of the largest value are not a deal")
    return said, largest, pair, numbers


def check(lines, every, workers):
    """Check a file, or each n-th of its lines; return the proved statement."""
    said, largest, (hand, other), numbers = read(iter(lines))
    need(line_of(hand)[1] == (largest, hand, other), "the largest value is not that of its deal")
    chosen = HANDS[::every]
    with Pool(workers) as pool:  # its processes inherit the values of pairs
        found = pool.imap(line_of, chosen) if workers > 1 else map(line_of, chosen)
        for done, (line, most) in enumerate(found, 1):
            first = most[1]
            need(line == numbers[first], f"the line of {first} should be {line}")
            need(most[0] <= largest, f"a deal of {named(first)} has the value {most[0]}")
            if sys.stderr.isatty():
                print(f"\r{done} of {len(chosen)} hands", end="", file=sys.stderr)
    part = "" if every == 1 else f" by {len(chosen)} of {len(HANDS)} lines, and if the others are"
    mean = Fraction(said[3], said[0] * UNIT)
    return (f"accepted{part}: {said[1]} of {said[0]} deals are mixed, {said[2]} even; the largest "
            f"value is {largest}, the mean absolute value {float(mean):.15f}")  # fmt: skip


def write():
    """Print a correct file."""
    lines, most = zip(*map(line_of, HANDS), strict=True)
    largest, *hands = max(most, key=lambda deal: deal[0])
    sums = map("{} {}".format, ("mixed", "even", "sum"), map(sum, zip(*lines, strict=True)))
    print("exactdice-census 1", f"deals {len(HANDS) * AGAINST}", *sums, sep="\n")
    print(f"largest {largest} {' '.join(map(named, hands))}\nhands")
    for hand, line in zip(HANDS, lines, strict=True):
        print(*hand, *line)
    print("done")


def main(words):
    """Check one file."""
    if words == ["--write"]:
        return write()
    path, *more = words or [""]
    options = dict(zip(more[::2], more[1::2], strict=False))
    if len(more) % 2 or not options.keys() <= {"EVERY", "WORKERS"} or not path:
        print("usage: census_check.py FILE [EVERY n] [WORKERS n]", file=sys.stderr)
        return 2
    try:
        with Path(path).open(encoding="ascii") as file:
            lines = file.read(10**7).split("\n")  # limited, as a device may be infinite
        every, workers = (max(1, int(options.get(name, 1))) for name in ("EVERY", "WORKERS"))
        need(lines.pop() == "", "expected a line feed at the end")
        print(check(lines, every, workers))
    except (OSError, ValueError) as problem:
        print(f"census_check: {problem}", file=sys.stderr)
        return 2
    except RejectedError as problem:
        print(f"rejected: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
