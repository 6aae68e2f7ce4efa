"""Check values of Yahtzee or Yatzy: python3 sheet_check.py RULES FILE [EVERY].

For each set of open boxes FILE contains the expected number of points still to come under optimal
play, as integers divided by 6^15 to the power of the number of open boxes. CERTIFICATES.md in the
same folder defines the lines. This program implements the rules (RULES) independently. It computes
each value from those with one open box fewer, in integers, as the mean over all rolls of the best
choices, and compares it. If all values agree, they are optimal by backward induction. With EVERY
only each EVERY-th value is computed, which proves only these steps. Needs Python 3.11 with the
standard library, and not exactdice. A value takes a millisecond, all of Yahtzee about ten minutes.

Exit status: 0 accepted, 1 rejected, 2 if the file or the rules cannot be read.
"""

import re
import sys
from functools import partial
from itertools import combinations_with_replacement as multisets
from pathlib import Path

# Yahtzee: joker rule, points of further Yahtzees; Yatzy: whether one pair scores as two pairs
YAHTZEE = {"free": ("free", 100), "forced": ("forced", 100), "own": ("own", 100), "no-joker": ("", 100),
           "plain": ("", 0), "house": ("", 0)}  # fmt: skip
YATZY = {"yatzy": False, "yatzy-2012": True}
SHEETS = {"upper": (35, 6)}  # bonus and number of boxes
SHEETS |= {**dict.fromkeys(YAHTZEE, (35, 13)), **dict.fromkeys(YATZY, (50, 15))}
FACES = range(1, 7)
TURN = 6**15
MOST_LINE = 10**5  # characters of a line
SET, VALUE = re.compile("[0-9a-f]{1,4}"), re.compile("[0-9a-f]{1,200}")  # 6^225 has 146 digits
LATTICE = [kept for size in range(6) for kept in multisets(FACES, size)]
PLACE = {kept: place for place, kept in enumerate(LATTICE)}
MORE = [[PLACE[tuple(sorted((*kept, f)))] for f in FACES] for kept in LATTICE if len(kept) < 5]
LESS = [{PLACE[kept[:i] + kept[i + 1 :]] for i in range(len(kept))} for kept in LATTICE]
ROLLS = LATTICE[len(MORE) :]


def lower_boxes(rules, roll):
    """Return the points of a roll in each lower box without a joker."""
    count = sorted((roll.count(f), f) for f in set(roll))
    if rules == "upper":
        return []
    most, face = count[-1]
    pairs = sorted((f for n, f in count if n > 1), reverse=True)
    row = max(b - a for a in FACES for b in range(1, 8) if set(range(a, b)) <= set(roll))
    house = sorted(n for n, _ in count) == [2, 3]
    if rules in YAHTZEE:
        house = house or (rules == "house" and most == 5)
        return [sum(roll) * (most >= 3), sum(roll) * (most >= 4), 25 * house, 30 * (row >= 4),
                40 * (row >= 5), 50 * (most == 5), sum(roll)]  # fmt: skip
    two = 2 * sum(pairs[:2]) if len(pairs) > 1 or YATZY[rules] else 0
    return [2 * max(pairs, default=0), two, 3 * face * (most >= 3), 4 * face * (most >= 4),
            15 * (roll == (1, 2, 3, 4, 5)), 20 * (roll == (2, 3, 4, 5, 6)), sum(roll) * house,
            sum(roll), 50 * (most == 5)]  # fmt: skip


def written(rules, mask, holds, roll):
    """Yield the allowed boxes, with points, upper points and whether 50 are scored by then."""
    joker, extra = YAHTZEE.get(rules, ("", 0))
    points = [f * roll.count(f) for f in FACES] + lower_boxes(rules, roll)
    boxes = [box for box in range(len(points)) if mask >> box & 1]
    if rules in YAHTZEE and len(set(roll)) == 1 and not mask >> 11 & 1:
        own = roll[0] - 1
        if own in boxes and (joker == "forced" or (joker == "own" and holds)):
            boxes = [own]
        elif joker == "forced":
            boxes = [b for b in boxes if b > 5] or boxes
        if joker and not mask >> own & 1:
            points[8:11] = 25, 30, 40
        points = [p + extra * holds for p in points]
    for box in boxes:
        upper = (box + 1) * roll.count(box + 1) if box < 6 else 0
        yield box, points[box], upper, holds or (extra > 0 and box == 11 and points[box] > 0)


def totals(mask):
    """Return the possible sums of upper points, cut off at 63."""
    reached = {0}
    for face in FACES:
        if not mask >> (face - 1) & 1:
            reached = {min(63, total + face * n) for total in reached for n in range(6)}
    return sorted(reached)


def rolled(worths):
    """Return the mean value after each set of kept dice, times 6 to the number of rolled dice."""
    sums = [0] * len(MORE) + worths
    for place in range(len(MORE) - 1, -1, -1):
        sums[place] = sum([sums[above] for above in MORE[place]])
    return sums


def turn(worths):
    """Return the value of a turn times 6^15, from the values of its last rolls."""
    for _ in range(2):
        best = []
        for number, kept, less in zip(rolled(worths), LATTICE, LESS, strict=True):
            best.append(max([number * 6 ** len(kept), *[best[place] for place in less]]))
        worths = best[len(MORE) :]
    return rolled(worths)[0]


def whole(form, word):
    """Read a number in base 16 of bounded length."""
    if not form.fullmatch(word):
        raise ValueError(f"{word[:20]!r} is not a number in base 16, or too long")
    return int(word, 16)


def check(rules, lines, every):
    """Check all lines; return the value, the number of boxes, of values and of computed values."""
    bonus, boxes = SHEETS[rules]
    extra = YAHTZEE.get(rules, ("", 0))[1]
    head = next(lines, "").strip(), next(lines, "").split(maxsplit=1)[:1]
    if head != ("exactdice-sheet 1", ["ties"]):
        raise ValueError("expected 'exactdice-sheet 1' and 'ties N' in the first two lines")
    value = {(0, holds, upper): 0 for holds in (False, True) for upper in range(64)}
    seen, number, computed = set(), 0, 0
    for line in lines:
        words = line.split()
        if len(words) < 2 or words[1] not in ("0", "1"):
            raise ValueError(f"{line[:20]!r} is not a line MASK HOLDS V V V …")
        mask, holds = whole(SET, words[0]), words[1] == "1"
        if mask == 0:
            continue
        if (mask, holds) in seen or (holds and (mask >> 11 & 1 or not extra)) or mask >> boxes:
            raise ValueError(f"{line[:20]!r} is there twice, or is not a state")
        seen.add((mask, holds))
        options = [list(written(rules, mask, holds, roll)) for roll in ROLLS]
        unit = TURN ** (mask.bit_count() - 1)
        for upper, word in zip(totals(mask), words[2:], strict=True):
            value[mask, holds, upper] = whole(VALUE, word)
            number += 1
            if number % every:
                continue
            worths = []
            for listed in options:
                best = 0
                for box, points, more, now in listed:
                    after = min(63, upper + more)
                    points += bonus if upper < 63 == after else 0
                    best = max(best, points * unit + value[mask & ~(1 << box), now, after])
                worths.append(best)
            if turn(worths) != value[mask, holds, upper]:
                raise ValueError(f"the value of {words[0]} {words[1]} at {upper} is wrong")
            computed += 1
    if len(seen) != 2**boxes - 1 + (2 ** (boxes - 1) - 1 if extra else 0):
        raise ValueError("sets of open boxes are missing")
    if not computed:
        raise ValueError(f"no value was computed; EVERY must be at most {number}")
    return value[2**boxes - 1, False, 0], boxes, number, computed


def main(words):
    """Check a file and print the result."""
    try:
        rules, path, every = words[0], words[1], int(words[2]) if words[2:] else 1
        file = Path(path).open(encoding="ascii")  # noqa: SIM115 - until the end
    except (IndexError, OSError, ValueError) as problem:
        print(f"usage: sheet_check.py RULES FILE [EVERY]: {problem}")
        return 2
    if rules not in SHEETS or every < 1:
        print(f"RULES must be one of {', '.join(SHEETS)}, and EVERY at least 1")
        return 2
    try:
        lines = iter(partial(file.readline, MOST_LINE), "")
        value, boxes, number, computed = check(rules, lines, every)
    except (KeyError, OSError, ValueError) as problem:
        print(f"rejected: {problem}")
        return 1
    worth = f"{value} / 6^{15 * boxes}, about {value * 10**4 // TURN**boxes / 10**4}"
    said = f"the value of the game is\n{worth}" if every == 1 else "the others are not checked"
    print(f"accepted: {computed} of {number} values computed; {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
