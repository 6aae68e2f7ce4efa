"""What players asked in public, each in one expression or two lines of Python.

Every expected value is counted over all rolls, unless its source is named.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq

from exactdice.dice import (
    Distribution,
    d,
    d4,
    d6,
    d8,
    d10,
    d20,
    highest,
    largest_set,
    pool,
    repeat,
    sorted_roll,
)
from exactdice.rooms import ask

D4, D6, D8, D10, D20 = (range(1, sides + 1) for sides in (4, 6, 8, 10, 20))
HIT = range(5, 7)


def share(dice, event):
    rolls = [event(roll) for roll in product(*dice)]
    return mpq(Fraction(sum(rolls)) / len(rolls))


def wild_hits(faces):
    wild, *others = faces
    others = [face for face in others if not (wild == 1 and face == 5)]
    return 3 * (wild >= 5) + sum(face >= 5 for face in others)


def fourth_edition(event):
    return share([D6] * 6, lambda r: r.count(1) >= 3 and event(sum(f in HIT for f in r)))


CHANCES = {
    # Savage Worlds: 1 − 7/8 · 31/36
    "max(1d8!, 1d6!) >= 8": mpq(71, 288), "{1d8!, 1d6!}kh1 >= 8": mpq(71, 288),
    # Shadowrun, sixth edition: the wild die
    "(d6: 3 + 4d6 count >= 5 if total >= 5 else 4d6 count 6 if total = 1 else 4d6 count >= 5) >= 4":
        share([D6] * 5, lambda r: wild_hits(r) >= 4),
    # Shadowrun, fourth edition: glitch and critical glitch
    "6d6: count 1 >= 3 and count >= 5 >= 1": fourth_edition(lambda hits: hits >= 1),
    "6d6: count 1 >= 3 and count >= 5 = 0": fourth_edition(lambda hits: hits == 0),
    "4d6: count>=5 >= 2 and count==1 < 2":
        share([D6] * 4, lambda r: sum(f >= 5 for f in r) >= 2 and r.count(1) < 2),
    # World of Darkness: botch
    "4d10: count >= 6 = 0 and count 1 >= 1":
        share([D10] * 4, lambda r: max(r) < 6 and 1 in r),
    # Year Zero, pushed: all except sixes roll again
    "(3d6 reroll 1..5 once count 6) >= 2": share([range(36)] * 3,
        lambda r: sum(f // 6 == 5 or f % 6 == 5 for f in r) >= 2),
    # Blades in the Dark
    "4d6: count 6 >= 2": share([D6] * 4, lambda r: r.count(6) >= 2),
    "4d6: count 6 = 1": share([D6] * 4, lambda r: r.count(6) == 1),
    "4d6: highest >= 4 and count 6 = 0": share([D6] * 4, lambda r: 4 <= max(r) < 6),
    # EZD6: the highest, but nothing with a 1; The One Ring: a favoured die
    "(4d6: 0 if count 1 > 0 else highest) = 0": share([D6] * 4, lambda r: 1 in r),
    "max(d12, d12) = 12": mpq(23, 144),
    # Ironsworn: a strong hit, with the action score limited to ten
    "(min(d6 + 3, 10): (d10 < total) + (d10 < total)) = 2":
        share([D6, D10, D10], lambda r: max(r[1:]) < r[0] + 3),
    # Roll and keep, tens explode. Source: up to three tens per die, which is enough for 25.
    "5d10!!k3 >= 25": pool(5, d(10).explode(3)).keep_highest(3).sf(24),
    # Neon City Overdrive: a six that the danger dice do not cancel
    "(d6 > 2) and (d8 > 3)": mpq(4, 6) * mpq(5, 8)
}  # fmt: skip

MEANS = {
    # D6 System: a wild 1 drops itself and the highest, a wild 6 explodes. 4.2 is the mean of d6!.
    "d6: 3d6 drop highest if total = 1 else 3d6 + 6 + d6! if total = 6 else 3d6 + total":
        (share([D6] * 3, lambda r: sum(r) - max(r)) + 4 * (mpq(21, 2) + mpq(7, 2))
         + mpq(21, 2) + 6 + mpq(21, 5)) / 6,
    # Warhammer 40,000: hit on 3+, reroll non-criticals, lethal hits, wound on 5+
    "36d(d6 reroll 1..5 once: 1 if total = 6 else (d6 >= 5 if total >= 3 else 0))":
        36 * share([D6] * 3, lambda r: (f := r[0] if r[0] == 6 else r[1]) and
                   (1 if f == 6 else f >= 3 and r[2] >= 5)),
    # Overwatch: hits on sixes, lethal and sustained
    "36d(d6: 1 + (d6 >= 5) if total = 6 else 0)":
        36 * share([D6] * 2, lambda r: (1 + (r[1] >= 5)) * (r[0] == 6)),
    # Exalted: tens twice, and five automatic successes
    "13d10 count {7..10,10} + 5": 13 * mpq(5, 10) + 5,
    # ten again: every roll counts
    "6d10>=8!>=9": 6 * mpq(3, 10) / (1 - mpq(2, 10)), "6d10xo10": 6 * mpq(605, 100),
    # a hit on 9 with advantage, critical on 19 and 20, halved
    "adv: (4d6 + 4 if total >= 19 else 2d6 + 4 if total + 7 >= 16 else 0) // 2":
        sum(share([D20] * 2, hit) * share([D6] * dice, lambda r: (sum(r) + 4) // 2)
            for dice, hit in ((4, lambda r: max(r) >= 19), (2, lambda r: 9 <= max(r) < 19))),
    # Great Weapon Fighting of Baldur's Gate 3
    "max(d4ro<=1, d4)": share([D4] * 3, lambda r: max(r[1] if r[0] < 2 else r[0], r[2])),
    "5d{-1, 0:6, 1:3}": mpq(1), "1d6+1d4[fire]": mpq(6), "[highest of 2d6 and 10]":
        share([D6] * 2, lambda r: max(sum(r), 10)),
    "1@4d6": share([D6] * 4, max), "{1..3}@4d6": share([D6] * 4, lambda r: sum(r) - min(r)),
    "1d6x3=6": mpq(7, 2) * (1 + mpq(1, 6) + mpq(1, 36) + mpq(1, 216)),
    "2d6!!=4": 2 * mpq(7, 2) / (1 - mpq(1, 6)),
    "5d6!p": 5 * (mpq(7, 2) + mpq(1, 6) * mpq(5, 2) / (1 - mpq(1, 6))),
    "{4d6+2d8, 3d20+3, 5d10+1} count > 40": (
        (4 @ d6 + 2 @ d8).sf(40) + (3 @ d20 + 3).sf(40) + (5 @ d10 + 1).sf(40)),
    # Project Euler 389 asks for its variance.
    "((((d4)d6)d8)d12)d20": mpq(5, 2) * mpq(7, 2) * mpq(9, 2) * mpq(13, 2) * mpq(21, 2)
}  # fmt: skip


@pytest.mark.parametrize("text", CHANCES)
def test_chances_in_one_command(text):
    assert ask(f"dice chance -- '{text}'").value("value") == CHANCES[text]


@pytest.mark.parametrize("text", MEANS)
def test_means_in_one_command(text):
    assert ask(f"dice mean -- '{text}'").value("value") == MEANS[text]
    if "d20" not in text:
        assert ask(f"dice distribution -- '{text}'").value("value") == MEANS[text]


def test_project_euler_389():
    # Source: projecteuler.net/problem=389, the published answer 2406376.3623.
    variance = ask("dice mean '((((d4)d6)d8)d12)d20'").value("variance")
    assert round(variance * 10**4) == 24063763623


def law(outcomes):
    return Distribution.from_faces(outcomes)


def test_infinity_face_to_face():
    """Criticals beat all other successes; a success beats lower ones."""

    def hits(faces, aim):
        return tuple(21 if face == aim else face for face in faces if face <= aim)

    def left(mine, theirs):
        beaten = [max(dice, default=0) for dice in (theirs, mine)]
        return sum(x > beaten[0] for x in mine), sum(x > beaten[1] for x in theirs)

    first, second = (sorted_roll(pool(n, d8)).map(lambda roll, aim=aim: hits(roll, aim))
                     for n, aim in ((3, 6), (2, 5)))  # fmt: skip
    listed = (left(hits(r[:3], 6), hits(r[3:], 5)) for r in product(*[D8] * 5))
    assert first.with_other(second, left) == law(listed)


def test_sorcerous_burst_adds_four_dice_at_most():
    def step(s):
        return d8.map(lambda f: (s[0] - 1 + (m := f == 8 and s[1] > 0), s[1] - m, s[2] + f))

    burst = repeat((2, 4, 0), step, lambda s: s[0] == 0).law.map(lambda s: s[2])

    def rolled(dice, more):  # every path
        if not dice:
            return {0: Fraction(1)}
        found = Counter()
        for face in D8:
            again = face == 8 and more
            for total, chance in rolled(dice - 1 + bool(again), more - bool(again)).items():
                found[total + face] += chance / 8
        return found

    assert burst.probabilities() == {x: mpq(p) for x, p in rolled(2, 4).items()}


def test_death_saves():
    def save(s):
        return d20.map(lambda f: (s[0] + (f > 9), s[1] + (f < 10) + (f == 1)) if f < 20 else (f, 0))

    def end(s):
        return "up" if s[0] == 20 else "dead" if s[1] > 2 else "stable"

    ends = repeat((0, 0), save, lambda s: max(s) >= 3).law.map(end)

    def after(good, bad):
        if good >= 3 or bad >= 3:
            return Counter({"dead" if bad >= 3 else "stable": Fraction(1)})
        found = Counter({"up": Fraction(1, 20)})
        for chance, more in ((Fraction(1, 20), (0, 2)), (Fraction(8, 20), (0, 1)),
                             (Fraction(10, 20), (1, 0))):  # fmt: skip
            for end, p in after(good + more[0], bad + more[1]).items():
                found[end] += chance * p
        return found

    assert ends.probabilities() == {end: mpq(p) for end, p in after(0, 0).items()}


def test_wounds_that_do_not_spill():
    def shot(s):
        return (
            (d(9) > 5)
            .with_other(d6, lambda hit, f: (s[0] + 1, s[1], s[2] - f * hit))
            .map(lambda s: s if s[2] > 0 else (s[0], s[1] + 1, 2))
        )

    killed = repeat((0, 0, 2), shot, lambda s: s[0] == 3).law.map(lambda s: s[1])

    def kills(roll):
        dead, wounds = 0, 2
        for hit, damage in zip(roll[::2], roll[1::2], strict=True):
            wounds -= damage * (hit < 4)
            dead, wounds = (dead + 1, 2) if wounds <= 0 else (dead, wounds)
        return dead

    assert killed == law(
        [kills(roll) for roll in product(range(9), D6, range(9), D6, range(9), D6)]
    )


def test_cortex_best_two_and_the_effect_die():
    def best(roll):
        good = [(face, size) for face, size in roll if face > 1]
        return sum(face for face, _ in good[:2]), max([size for _, size in good[2:]], default=4)

    mine = sorted_roll(pool(d4, d6, d8), by_die=True).map(best)

    def listed(faces):
        good = sorted(zip(faces, (4, 6, 8), strict=True), key=lambda x: (-x[0], x[1]))
        good = [pair for pair in good if pair[0] > 1]
        return sum(face for face, _ in good[:2]), max([size for _, size in good[2:]], default=4)

    assert mine == law([listed(faces) for faces in product(D4, D6, D8)])
    theirs = sorted_roll(pool(3, d8)).map(lambda r: sum([f for f in r if f > 1][:2]))
    wins = mine.with_other(theirs, lambda a, b: a[1] if a[0] > b else 0)
    # Source: the same, over all rolls of both.
    totals = Counter(sum(sorted([f for f in r if f > 1])[-2:]) for r in product(*[D8] * 3))
    won = Counter()
    for faces in product(D4, D6, D8):
        total, effect = listed(faces)
        won[effect] += sum(n for other, n in totals.items() if total > other)
    assert {x: wins.probability(x) for x in (4, 6, 8)} == {
        x: mpq(won[x], 192 * 512) for x in (4, 6, 8)
    }


def test_width_and_height_of_the_one_roll_engine():
    def width_height(roll):
        return max((roll.count(face), face) for face in roll)

    assert sorted_roll(pool(4, d10)).map(width_height) == law(
        [width_height(r) for r in product(*[D10] * 4)]
    )
    assert largest_set(pool(4, d10)).sf(2) == share([D10] * 4, lambda r: max(map(r.count, r)) > 2)


def test_tunnels_and_trolls_doubles():
    roll = sorted_roll(pool(2, d6)).exploding([(face, face) for face in D6], sum)
    # Source: m = 7 + m/6; for the square s = E(x²) + 2 m E(x; doubles) + s/6.
    square = (share([D6] * 2, lambda r: sum(r) ** 2) + 2 * mpq(42, 5) * mpq(7, 6)) / (1 - mpq(1, 6))
    assert (roll.mean(), roll.variance()) == (mpq(42, 5), square - mpq(42, 5) ** 2)


def test_booleans_count_as_numbers():
    assert (2 @ (d20 + 5 >= 15)).mean() == mpq(11, 10)
    assert (d6 >= 4).mean() == mpq(1, 2)
    assert (highest(d(8).exploding(), d(6).exploding()) >= 8).probability_that(bool) == mpq(71, 288)
