"""Notation of other programs, form by form: how it is read here, or what the error suggests.

Sources of the meanings: Roll20's dice reference, Foundry's article on dice modifiers and its API
documentation, the guide of rpg-dice-roller, the documentation of AnyDice. Each meaning is a program
that rolls the dice as they say; its distribution is found by following every path of faces.
"""

import re
from collections import defaultdict
from operator import ge, gt

import pytest
from gmpy2 import mpq

from exactdice.dice.expressions import law, read_expression
from exactdice.errors import InputError
from exactdice.rooms import ask

_LEAST = mpq(1, 10**6)  # less likely paths are omitted


class _MoreError(Exception):
    pass


def enumerated(play, least=_LEAST):
    chances, left_out, paths = defaultdict(mpq), mpq(0), [((), mpq(1))]
    while paths:
        path, chance = paths.pop()
        faces = iter(path)

        def roll(sides, faces=faces):
            for face in faces:
                return face
            raise _MoreError(sides)

        try:
            chances[play(roll)] += chance
        except _MoreError as more:
            [sides] = more.args
            if chance < least:
                left_out += chance
            else:
                paths += [((*path, face), chance / sides) for face in range(1, sides + 1)]
    return chances, left_out


def several(roll, number, sides):
    return [roll(sides) for _ in range(number)]


def exploded(roll, number, sides, on, times=None):
    dice = []
    for _ in range(number):
        rolls = [roll(sides)]
        while on(rolls[-1]) and (times is None or len(rolls) <= times):
            rolls.append(roll(sides))
        dice.append(sum(rolls))
    return dice


def rerolled(roll, number, sides, on, times=None):
    dice = []
    for _ in range(number):
        face, left = roll(sides), times
        while on(face) and left != 0:
            face, left = roll(sides), None if left is None else left - 1
        dice.append(face)
    return dice


def penetrating(roll, number, sides, on, times=None):
    """Every roll after the first counts one less (HackMaster)."""
    dice = []
    for _ in range(number):
        rolls = [roll(sides)]
        while on(rolls[-1]) and (times is None or len(rolls) <= times):
            rolls.append(roll(sides))
        dice.append(sum(rolls) - len(rolls) + 1)
    return dice


def each(roll, number, sides, on, worth):
    """Count all rolls, those that follow others too."""
    total = 0
    for _ in range(number):
        face = roll(sides)
        total += worth(face)
        while on(face):
            face = roll(sides)
            total += worth(face)
    return total


def six(face):
    return face == 6


def agrees(text, play):
    found, (chances, left_out) = law(text).probabilities(), enumerated(play)
    assert left_out < mpq(1, 1000)
    assert all(abs(found.get(x, 0) - p) <= left_out for x, p in chances.items()), text
    assert sum(chances.values()) + left_out == 1


# Texts, and what they mean in each program that reads them.
READ = {
    "3d6 + 2": lambda r: sum(several(r, 3, 6)) + 2,  # all
    "d6*d4-1": lambda r: r(6) * r(4) - 1,
    "9-d6-d4": lambda r: 9 - r(6) - r(4),  # from left to right
    "-d6+2*d4": lambda r: -r(6) + 2 * r(4), "2-d6*3": lambda r: 2 - r(6) * 3,
    "d6%4": lambda r: r(6) % 4,  # Roll20, Foundry, rpg-dice-roller, if not negative
    "d%": lambda r: r(100), "2dF": lambda r: r(3) + r(3) - 4,
    "3d6kh2": lambda r: sum(sorted(several(r, 3, 6))[1:]),  # Roll20, Foundry, rpg-dice-roller
    "3d6k2": lambda r: sum(sorted(several(r, 3, 6))[1:]),
    "3d6k": lambda r: max(several(r, 3, 6)),  # Foundry: one by default
    "3d6kl1": lambda r: min(several(r, 3, 6)),
    "3d6dl1": lambda r: sum(sorted(several(r, 3, 6))[1:]),
    "3d6dh1": lambda r: sum(sorted(several(r, 3, 6))[:2]),
    "{2d4,d6}kh1": lambda r: max(r(4) + r(4), r(6)),  # the higher of two totals
    "{d4,d6,d8}dl1": lambda r: sum(sorted([r(4), r(6), r(8)])[1:]),
    "2d6!": lambda r: sum(exploded(r, 2, 6, six)),  # Roll20, rpg-dice-roller
    "2d6!!": lambda r: sum(exploded(r, 2, 6, six)),
    "2d6x": lambda r: sum(exploded(r, 2, 6, six)),  # Foundry
    "2d6!5": lambda r: sum(exploded(r, 2, 6, lambda f: f == 5)),  # Roll20
    "2d6!!=4": lambda r: sum(exploded(r, 2, 6, lambda f: f == 4)),  # rpg-dice-roller
    "d6!>=5": lambda r: sum(exploded(r, 1, 6, lambda f: f >= 5)),
    "d6!<=2": lambda r: sum(exploded(r, 1, 6, lambda f: f <= 2)),
    "2d6x5": lambda r: sum(exploded(r, 2, 6, lambda f: f == 5)),  # Foundry
    "d6x>4": lambda r: sum(exploded(r, 1, 6, lambda f: f > 4)),
    "d6x<3": lambda r: sum(exploded(r, 1, 6, lambda f: f < 3)),
    "2d6xo6": lambda r: sum(exploded(r, 2, 6, six, 1)),
    "d6xo>=5": lambda r: sum(exploded(r, 1, 6, lambda f: f >= 5, 1)),
    "1d6x3=6": lambda r: sum(exploded(r, 1, 6, six, 3)),  # Foundry: at most three times
    "d6x3>4": lambda r: sum(exploded(r, 1, 6, lambda f: f > 4, 3)),
    "1d10x2>8": lambda r: sum(exploded(r, 1, 10, lambda f: f > 8, 2)),
    "d6xo2>=5": lambda r: sum(exploded(r, 1, 6, lambda f: f >= 5, 1)),
    "d6rr2<3": lambda r: sum(rerolled(r, 1, 6, lambda f: f < 3, 2)),
    "2d6!!kh1": lambda r: max(exploded(r, 2, 6, six)),  # Roll20, rpg-dice-roller
    "2d6ro1": lambda r: sum(rerolled(r, 2, 6, lambda f: f == 1, 1)),  # Roll20
    "2d6ro=1": lambda r: sum(rerolled(r, 2, 6, lambda f: f == 1, 1)),  # rpg-dice-roller
    "2d6ro<=2": lambda r: sum(rerolled(r, 2, 6, lambda f: f <= 2, 1)),
    "d6rr1": lambda r: sum(rerolled(r, 1, 6, lambda f: f == 1)),  # Foundry
    "d6rr<3": lambda r: sum(rerolled(r, 1, 6, lambda f: f < 3)),
    "max(d6,d4)": lambda r: max(r(6), r(4)), "min(d6,2)": lambda r: min(r(6), 2),
    "abs(d6-d6)": lambda r: abs(r(6) - r(6)),
    "d20>=15": lambda r: r(20) >= 15,  # yes or no, like a count of one die
    "d20=20": lambda r: r(20) == 20, "2d6kh1>=5": lambda r: max(several(r, 2, 6)) >= 5,
    "2d20kh1+5>=15": lambda r: max(several(r, 2, 20)) + 5 >= 15,  # the number is the last term
    "2d{1,1,2}": lambda r: (1, 1, 1, 2)[r(3)] + (1, 1, 1, 2)[r(3)],  # AnyDice
    "d{2..5}": lambda r: r(4) + 1, "2d(2d2)": lambda r: sum(several(r, 4, 2)),
    "(d3)d4": lambda r: sum(several(r, r(3), 4)),
    "[highest 2 of 3d6]": lambda r: sum(sorted(several(r, 3, 6))[1:]),
    "[middle 1 of 3d6]": lambda r: sorted(several(r, 3, 6))[1],
    "[count {5,6} in 3d6]": lambda r: sum(f >= 5 for f in several(r, 3, 6)),
    "[explode d6]": lambda r: sum(exploded(r, 1, 6, six, 2)),  # AnyDice: twice
    "[absolute d6 - d6]": lambda r: abs(r(6) - r(6)),
    "2d6 != 7": lambda r: r(6) + r(6) != 7,  # blanks mean totals
    "2d6 != 3": lambda r: r(6) + r(6) != 3, "2d6 >= 7": lambda r: r(6) + r(6) >= 7,
    "2d6 + 3 > d4 * 2": lambda r: r(6) + r(6) + 3 > r(4) * 2,
    "2d6>2d4": lambda r: r(6) + r(6) > r(4) + r(4),
    "2d6!p": lambda r: sum(penetrating(r, 2, 6, six)),  # Roll20, rpg-dice-roller
    "d6!p>=5": lambda r: sum(penetrating(r, 1, 6, lambda f: f >= 5)),
    "d6!!p5": lambda r: sum(penetrating(r, 1, 6, lambda f: f == 5)),
    "d6 penetrate 2 times": lambda r: sum(penetrating(r, 1, 6, six, 2)),
    "2d10cs>=8x>=9": lambda r: each(r, 2, 10, lambda f: f >= 9, lambda f: f >= 8),  # Foundry
    "2d10x10cs>=8": lambda r: each(r, 2, 10, lambda f: f == 10, lambda f: f >= 8),
    "2d10x10cs>7": lambda r: each(r, 2, 10, lambda f: f == 10, lambda f: f > 7),
    "2d10>=8!>=9": lambda r: each(r, 2, 10, lambda f: f >= 9, lambda f: f >= 8),  # Roll20
    "2d6=5!": lambda r: each(r, 2, 6, six, lambda f: f == 5),
    "2d6 count {5,6,6} again": lambda r: each(r, 2, 6, six, lambda f: (f == 5) + 2 * (f == 6)),
    "1@3d6": lambda r: max(several(r, 3, 6)),  # AnyDice: positions from the highest
    "2@3d6": lambda r: sorted(several(r, 3, 6))[1],
    "{1..2}@3d6": lambda r: sum(sorted(several(r, 3, 6))[1:]),
    "{1,3}@(2d6,d4)": lambda r: (x := sorted([r(6), r(6), r(4)])) and x[0] + x[2],
    "[highest of 2d6 and 7]": lambda r: max(r(6) + r(6), 7),  # AnyDice
    "[lowest of d6 and d4 and 3]": lambda r: min(r(6), r(4), 3),
    "2d{-1, 0:3, 1..2:2}": lambda r: (s := (-1, 0, 0, 0, 1, 1, 2, 2)) and s[r(8) - 1] + s[r(8) - 1],
    "1d6+1d4[fire]": lambda r: r(6) + r(4),  # Roll20, Foundry
    "{2d4, d6}>=5": lambda r: (r(4) + r(4) >= 5) + (r(6) >= 5),  # Roll20, rpg-dice-roller
    "{2d6}>=5": lambda r: sum(f >= 5 for f in several(r, 2, 6)),
    "4d4kh3dl1": lambda r: sum(sorted(several(r, 4, 4))[2:]),
    "4d4 drop lowest 1 drop highest 1": lambda r: sum(sorted(several(r, 4, 4))[1:3]),
    "max(d6 reroll 1,2, 2d2)": lambda r: max(*rerolled(r, 1, 6, lambda f: f < 3), r(2) + r(2)),
    "max(d6 ro1, 3)": lambda r: max(*rerolled(r, 1, 6, lambda f: f == 1, 1), 3),
    "d4 explode on 2,3 once: total * 2": lambda r: 2 * sum(
        exploded(r, 1, 4, lambda f: f in (2, 3), 1)
    ),
    "d6 > 2 and d4 > 3": lambda r: r(6) > 2 and r(4) > 3,
    "d6 > 4 or not d4 > 1": lambda r: r(6) > 4 or r(4) == 1,
    "2d6 if d4 > 1 else 7": lambda r: r(6) + r(6) if r(4) > 1 else 7
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_common_notation_means_the_same_as_in_other_programs(text):
    agrees(text, READ[text])


def _shown(least, compare=ge):
    return lambda r: sum(compare(face, least) for face in several(r, 3, 6))


# Texts that programs read differently, and the spellings in the error with their meanings.
DIFFERENT = {
    # Roll20, rpg-dice-roller; AnyDice
    "2d6!=3": {"2d6 explode on 3": lambda r: sum(exploded(r, 2, 6, lambda f: f == 3)),
               "2d6 != 3": lambda r: r(6) + r(6) != 3},
    "d6!=3": {"d6 explode on 3": lambda r: sum(exploded(r, 1, 6, lambda f: f == 3)),
              "d6 != 3": lambda r: r(6) != 3},
    "2d6!=7": {"2d6 != 7": lambda r: r(6) + r(6) != 7},  # which no die shows
    "2d6≠3": {"2d6 count != 3": lambda r: sum(f != 3 for f in several(r, 2, 6)),
              "2d6 != 3": lambda r: r(6) + r(6) != 3},
    # Roll20, rpg-dice-roller; AnyDice
    "3d6>=5": {"3d6 count >= 5": _shown(5), "3d6 >= 5": lambda r: sum(several(r, 3, 6)) >= 5},
    "3d6=5": {"3d6 count = 5": lambda r: several(r, 3, 6).count(5),
              "3d6 = 5": lambda r: sum(several(r, 3, 6)) == 5},
    "3d6>4": {"3d6 count >= 4": _shown(4), "3d6 count > 4": _shown(4, gt),  # Roll20 counts 4 too
              "3d6 > 4": lambda r: sum(several(r, 3, 6)) > 4},
    "d20>15": {"d20 count >= 15": lambda r: int(r(20) >= 15),
               "d20 count > 15": lambda r: int(r(20) > 15), "d20 > 15": lambda r: r(20) > 15},
    "2+3d6>=5": {"3d6 count >= 5": _shown(5),
                 "2 + 3d6 >= 5": lambda r: 2 + sum(several(r, 3, 6)) >= 5},
    "3d6>=5+2": {"3d6 count >= 5": _shown(5)}, "max(3d6>=5,1)": {"3d6 count >= 5": _shown(5)},
    "5+d20>=15": {"5 + d20 >= 15": lambda r: 5 + r(20) >= 15},
    "2dF>=-1": {"2d{-1..1} >= -1": lambda r: r(3) + r(3) - 4 >= -1},
    "3d6kh2>=5": {"3d6 keep highest 2 >= 5": lambda r: sum(sorted(several(r, 3, 6))[1:]) >= 5},
    "(d2)d6>=3": {"(d2)d6 >= 3": lambda r: sum(several(r, r(2), 6)) >= 3},
    # one exploding die is two rolls elsewhere
    "d6!6>=8": {"d6 explode on 6 count >= 8": lambda r: int(sum(exploded(r, 1, 6, six)) >= 8),
                "d6 explode on 6 >= 8": lambda r: sum(exploded(r, 1, 6, six)) >= 8},
    # Roll20; rpg-dice-roller
    "d20!>18": {"d20!>=18": lambda r: sum(exploded(r, 1, 20, lambda f: f >= 18)),
                "d20!>=19": lambda r: sum(exploded(r, 1, 20, lambda f: f > 18))},
    "2d20!!<2": {"2d20!<=2": lambda r: sum(exploded(r, 2, 20, lambda f: f <= 2)),
                 "2d20!<=1": lambda r: sum(exploded(r, 2, 20, lambda f: f < 2))},
    "2d6ro<3": {"2d6ro<=3": lambda r: sum(rerolled(r, 2, 6, lambda f: f <= 3, 1)),
                "2d6ro<=2": lambda r: sum(rerolled(r, 2, 6, lambda f: f < 3, 1))},
    # Foundry: three times for both dice together
    "2d8x3=8": {"2d8 explode on 8 3 times": lambda r: sum(exploded(r, 2, 8, lambda f: f == 8, 3))},
    "2d6rr1>=5": {"2d6 reroll 5,6 once": lambda r: sum(rerolled(r, 2, 6, lambda f: f >= 5, 1))},
    "2d6!k1": {"2d6 explode keep highest": lambda r: max(exploded(r, 2, 6, six))},
    "2d6xo6dl1": {"2d6 explode on 6 once drop lowest": lambda r: max(exploded(r, 2, 6, six, 1))},
    "2d6x count >= 5": {
        "2d6 explode count >= 5": lambda r: sum(x >= 5 for x in exploded(r, 2, 6, six)),
        "2d6 count >= 5 again": lambda r: each(r, 2, 6, six, lambda f: f >= 5)},
    "{2d4, d6}>4": {
        "{2d4, d6} count > 4": lambda r: (r(4) + r(4) > 4) + (r(6) > 4),  # rpg-dice-roller
        "{2d4, d6} count >= 4": lambda r: (r(4) + r(4) >= 4) + (r(6) >= 4)},  # Roll20
    "{2d6!!}>8": {
        "2d6 explode count > 8": lambda r: sum(x > 8 for x in exploded(r, 2, 6, six)),
        "2d6 explode count >= 8": lambda r: sum(x >= 8 for x in exploded(r, 2, 6, six))},
}  # fmt: skip


@pytest.mark.parametrize("text", DIFFERENT)
def test_ambiguous_notation_is_rejected_with_a_spelling_of_each_meaning(text):
    with pytest.raises(InputError) as problem:
        read_expression(text)
    line, *_ = str(problem.value).split("\n")
    for spelling, play in DIFFERENT[text].items():
        assert re.search(f"{re.escape(spelling)}[, ;]", line), spelling
        agrees(spelling, play)


# Unsupported texts, the hint in the error, and a complete spelling with it.
HINTS = {
    "2d6r1": ("ro1", "2d6ro1"),  # Foundry once; Roll20 and rpg-dice-roller until it is another
    "2d6r<2": ("rr1", "2d6rr1"), "4d6d1": ("dl1", "4d6dl1"),
    "d4d6": ("(d4)d6", "(d4)d6"),  # AnyDice
    "5d4x10": ("* 10", "5d4 * 10"),  # ten times as much, because no die shows 10
    "5d10cs>=8": ("count >= 8", "5d10 count >= 8"),  # Foundry counts; elsewhere it only marks
    "1d20cs>19+5": ("count >= 8", "d20 count >= 8"),
    "{4d6}kh1": ("(2d6, d8)", "(2d6, d8) keep highest"),  # Roll20: the dice; Foundry: the total
    "6d6even": ("count {2,4,6}", "6d6 count {2,4,6}"),
    "6d6odd": ("count {1,3,5}", "6d6 count {1,3,5}"), "3d6ms>12": ("- 12", "3d6 - 12"),
    # Source: github.com/foundryvtt/foundryvtt/issues/14581; the documentation has the highest face
    # for cs and 1 for df.
    "1000d4cs": ("1000d4 count 4", "1000d4 count 4"), "6d6df": ("6d{-1,2..6}", "6d{-1,2..6}"),
    "1d20+5cs>=6": (">= 8 for the total", "1d20+5 >= 6"),  # a number has no dice to count
    **dict.fromkeys(("5d10df<2", "5d10cf1", "5d10sf1", "5d10f1"),
        ("5d{-1,0..0,1}", "5d{-1,0..0,1}")),
    "d20min10": ("max(10, d20)", "max(10, d20)"), "d20max10": ("min(10, d20)", "min(10, d20)"),
    "8d6/2": ("//", "8d6 // 2"),  # AnyDice rounds towards 0, others do not round
    "floor(8d6/2)": ("//", "8d6 // 2"), "2d6^2": ("2 * 2", "2 * 2")
}  # fmt: skip


@pytest.mark.parametrize("text", HINTS)
def test_unsupported_notation_is_rejected_with_the_nearest_alternative(text):
    hint, spelling = HINTS[text]
    with pytest.raises(InputError) as problem:
        read_expression(text)
    assert hint in str(problem.value).split("\n")[0]
    assert read_expression(spelling)


@pytest.mark.parametrize(
    "text",
    # Roll20, Foundry and rpg-dice-roller
    [*("3d6!!p>4", "5d10>=8f1", "3d6mt", "3d6sa", "3d6sd", "3d6u", "1d20cs20cs10"),
     *("4dF.1", "2d6**2", "@{str}", "?{x}", "3d6#x", "d20mi10"),
     *("1d6 > 2 ? 1 : 2", "round(d6)", "2d6<>3", "2d6!<>3", "2d6r", "2d6ro", "{3d6}", "d6ro7"),
     # AnyDice
     *("5@4d6", "{0..3}@4d6", "1@7", "#3d6", "!d6", "d{1:0}", "3d6 & 4", "d6 | d8", "output 3d6",
       "1 < d6 < 3", "[highest of 2d6]", "[middle of d6 and d4]"),
     *("d6 and d4", "2d6 if d4 else 3", "not d6", "2d6 if d4 > 1", "total > 3", "d6: count",
       "3d6: (d6, d4)", "d6: highest 2", "highest 2", "3d6: sum")],
)  # fmt: skip
def test_other_notation_is_rejected(text):
    with pytest.raises(InputError):
        read_expression(text)


def test_reports_state_that_dice_of_rolls_are_read_like_anydice():
    die = ask("dice distribution '2d(3d4)'").provenance.conventions["die"]
    assert "(AnyDice)" in die
    assert "Foundry" in die
    assert "die" not in ask("dice distribution 2d12").provenance.conventions
