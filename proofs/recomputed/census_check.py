"""Check the census of FateStones: python3 census_check.py FILE [EVERY n] [WORKERS n].

The bag holds the 32 dice with six faces from 1 to 6 and of mean 7/2, once each. Two players hold
three of them each. Both choose a die, unseen; both are rolled; the higher roll wins, and with a tie
these two dice are gone and the others go on. With no dice left nobody wins, which is worth 0. So a
deal is worth the value of a game of 3 rows and 3 columns, what follows a tie that of a game of 2
and 2, and below that of two single dice: wins less losses, for the first player.

FILE has a head, what is said of all 18,123,840 deals, and a line for each first hand, of all second
hands against it: how many deals have no saddle point in the first choices, how many are worth 0,
and the sum of what they are worth, without sign, each times 10^30 and rounded down.

    exactdice-census 1
    deals N
    mixed N
    even N
    sum N
    largest P/Q HAND HAND       no deal is worth more, and this one is worth as much
    hands                       then a line for each hand: places of its dice in the bag, and numbers
    0 1 2 MIXED EVEN SUM
    …
    done

Lines are added up and compared with the head, and each is computed again from the rules: with EVERY
n each n-th one, which proves those lines and no more. Values are fractions of whole numbers. A
value is that of a saddle point, or of a part of the game with as many rows as columns, of which
the equalizing strategies are strategies of the whole game that meet every row and column; both are
looked at in whole numbers (Shapley and Snow: some part will do). Python 3.11, its standard library,
and nothing of exactdice: all lines take about 10 minutes of processor time.

--write in the place of FILE prints such a file. Exit status: 0 accepted, 1 rejected, 2 no file.
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
BUT = (1, 2), (0, 2), (0, 1)  # the others of three
PARTS = [(BUT[row], BUT[column], row, column) for row in range(3) for column in range(3)]
UNIT = 10**30
WINS = [[sum((x > y) - (x < y) for x in a for y in b) for b in BAG] for a in BAG]  # of 36 rolls
TIES = [[sum(x == y for x in a for y in b) for b in BAG] for a in BAG]


class RejectedError(Exception):
    """The file is not what the rules give."""


def need(holds, reason):
    """Reject the file where something does not hold."""
    if not holds:
        raise RejectedError(reason)


def saddle(game):
    """The least that the best row earns for sure, and the most that the best column gives."""
    return max(map(min, game)), min(map(max, zip(*game, strict=True)))


def value_of_two(game):
    """The value of a game of 2 rows and 2 columns, as a numerator and a denominator above 0."""
    least, most = saddle(game)
    if least == most:
        return least, 1
    (a, b), (c, d) = game  # no saddle point: both mix, each making the other indifferent
    above, below = a * d - b * c, a + d - b - c
    return (above, below) if below > 0 else (-above, -below)


def value_of_three(m):
    """The value of a game of 3 rows and 3 columns without a saddle point, in the same form."""
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
        above, below = sign * (a * d - b * c), sum(x)  # x and y, divided by below, are chances
        if below > 0 and min(*x, *y) >= 0:
            earns = x[0] * m[i][column] + x[1] * m[j][column]
            if earns >= above >= y[0] * m[row][k] + y[1] * m[row][n]:
                return above, below
    raise RejectedError("a game without a kernel, which cannot be")


@cache
def values_of_pairs():
    """What two dice are worth against two others: P and Q, of P/(1296·Q)."""
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
    """Yield each second hand, whether the deal is mixed, and what it is worth: P and Q, Q > 0."""
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
    """The numbers of a hand, how many deals are mixed and even and the sum; and its best deal."""
    mixed = even = total = 0
    most = 0, 1, hand
    for other, is_mixed, above, below in deals(hand):
        mixed, even = mixed + is_mixed, even + (not above)
        total += abs(above) * UNIT // below
        if above * most[1] > most[0] * below:
            most = above, below, other
    return (mixed, even, total), (Fraction(*most[:2]), hand, most[2])


def named(hand):
    """A hand as the head names it."""
    return ",".join("".join(map(str, BAG[die])) for die in hand)


def head(lines, name, count):
    """Give the words behind the name that begins the next line."""
    words = next(lines, "").split()
    need(words[:1] == [name] and len(words) == count + 1, f"no line of {name!r}")
    return words[1:]


def whole(word):
    """Read a whole number of at least 0."""
    need(word.isdecimal() and word.isascii(), f"{word[:40]!r} is no whole number")
    return int(word)


def read(lines):
    """Read a file, and hold its head against the sum of its lines."""
    need(next(lines, "") == "exactdice-census 1", "should begin with 'exactdice-census 1'")
    said = [whole(head(lines, name, 1)[0]) for name in ("deals", "mixed", "even", "sum")]
    worth, *hands = head(lines, "largest", 3)
    need(worth.count("/") == 1, "the largest value is no fraction")
    largest = Fraction(*map(whole, worth.split("/")))
    head(lines, "hands", 0)
    numbers = {}
    for hand in HANDS:
        words = list(map(whole, next(lines, "").split()))
        need(len(words) == 6 and (*words[:3],) == hand, f"no line of the hand {hand}")
        numbers[hand] = (*words[3:],)
    need([*lines] == ["done"], "should end with 'done'")
    need(said[0] == len(HANDS) * AGAINST, "another number of deals")
    need(said[1:] == list(map(sum, zip(*numbers.values(), strict=True))), "lines do not add up")
    pair = [next((hand for hand in HANDS if named(hand) == name), None) for name in hands]
    need(None not in pair and set(pair[0]).isdisjoint(pair[1]), "no deal is the largest")
    return said, largest, pair, numbers


def check(lines, every, workers):
    """Check a file, or each n-th of its lines, and say what that proves."""
    said, largest, (hand, other), numbers = read(iter(lines))
    need(line_of(hand)[1] == (largest, hand, other), "the largest deal is another")
    chosen = HANDS[::every]
    with Pool(workers) as pool:  # of processes that have the values of pairs already
        found = pool.imap(line_of, chosen) if workers > 1 else map(line_of, chosen)
        for done, (line, most) in enumerate(found, 1):
            first = most[1]
            need(line == numbers[first], f"the line of {first} should hold {line}")
            need(most[0] <= largest, f"a deal of {named(first)} is worth {most[0]}")
            if sys.stderr.isatty():
                print(f"\r{done} of {len(chosen)} hands", end="", file=sys.stderr)
    part = "" if every == 1 else f" by {len(chosen)} of {len(HANDS)} lines, and if the others are"
    mean = Fraction(said[3], said[0] * UNIT)
    return (f"accepted{part}: {said[1]} of {said[0]} deals are mixed, {said[2]} even, none is worth "
            f"more than {largest}, the mean without sign is {float(mean):.15f}")  # fmt: skip


def write():
    """Print a file that is right."""
    lines, most = zip(*map(line_of, HANDS), strict=True)
    largest, *hands = max(most, key=lambda deal: deal[0])
    sums = map("{} {}".format, ("mixed", "even", "sum"), map(sum, zip(*lines, strict=True)))
    print("exactdice-census 1", f"deals {len(HANDS) * AGAINST}", *sums, sep="\n")
    print(f"largest {largest} {' '.join(map(named, hands))}\nhands")
    for hand, line in zip(HANDS, lines, strict=True):
        print(*hand, *line)
    print("done")


def main(words):
    """Check the file that is named."""
    if words == ["--write"]:
        return write()
    path, *more = words or [""]
    options = dict(zip(more[::2], more[1::2], strict=False))
    if len(more) % 2 or not options.keys() <= {"EVERY", "WORKERS"} or not path:
        print("census_check: give FILE, and perhaps EVERY n and WORKERS n", file=sys.stderr)
        return 2
    try:
        with Path(path).open(encoding="ascii") as file:
            lines = file.read(10**7).split("\n")  # no more: a device may have no end
        every, workers = (max(1, int(options.get(name, 1))) for name in ("EVERY", "WORKERS"))
        need(lines.pop() == "", "should end with a line feed")
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
