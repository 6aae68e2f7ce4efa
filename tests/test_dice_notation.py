"""Notation of other programs, form by form: how it is read here, or what the error suggests.

Sources of the meanings: Roll20's dice reference, Foundry's article on dice modifiers and its API
documentation, the guide of rpg-dice-roller, the documentation of AnyDice. Each meaning is a program
that rolls the dice as they say; its distribution is found by following every path of faces.
"""

import re
from collections import defaultdict

import pytest
from cases import rows_of
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


def play_of(meaning):
    """A play by its rolls: `r` of a number of faces rolls one die."""
    return eval(f"lambda r: {meaning}", globals())  # noqa: S307 - our own


@pytest.mark.parametrize(("text", "meaning", "programs"), rows_of("tables/notation"))
def test_common_notation_means_the_same_as_in_other_programs(text, meaning, programs):
    agrees(text, play_of(meaning))


# Texts that programs read differently, and the spellings in the error with their meanings.
@pytest.mark.parametrize(
    ("text", "spelling", "meaning", "programs"), rows_of("tables/notation_differs")
)
def test_ambiguous_notation_is_rejected_with_a_spelling_of_each_meaning(
    text, spelling, meaning, programs
):
    with pytest.raises(InputError) as problem:
        read_expression(text)
    line, *_ = str(problem.value).split("\n")
    assert re.search(f"{re.escape(spelling)}[, ;]", line)
    agrees(spelling, play_of(meaning))


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
