"""What a number of a question may be, and what it is unless it is given, over all commands."""

from collections.abc import Iterator
from typing import Any

import pytest

from exactdice.errors import ExactDiceError
from exactdice.question.domains import Whole
from exactdice.rooms import ROOMS, ask, classes, question

#: Whole numbers in arguments and options of all commands, from and up to; one name may be of
#: several ranges. Dice of a battle: at most 20 a side, of which the rules of no edition roll more
#: than five; dice, sides and bonuses are bounded where the enumeration of a roll would be endless.
#: Players of symbolic battles: 100 units, for polynomials of more take hours. Busts of Farkle: the
#: third in a row costs points, so that at most two are behind a player. Dice of FateStones: of two
#: faces or more, up to seven or eight where all are listed. A game that is enclosed has at most 200
#: rounds, and the tables of sizes end at 10000.
RANGES = """
attacker-bonus 0..100, attacker-dice 1..20, attacker-mix 1..1000000, attacker-sides 1..1000000
defender-bonus 0..100, defender-dice 1..20, defender-mix 1..1000000, defender-sides 1..1000000
attackers 0..100, attackers 1..20, attackers 1.., attackers 2.., defenders 1..100, defenders 1..20
defenders 1.., leave 1.., stop-below 1.., dice 1..1000, dice 1.., sides 1..1000, sides 1..100000
sides 1..1000000, sides 1.., faces 1.., faces 2..8, faces 3..7, faces 5..6, values 1.., total 3..
first 0.., last 0.., games 1..1000000000, games 1.., sample 1..18123840, seed 0.., bank-from 0..
busts 0..2, count 0.., count 1.., entry-minimum 0.., floor 0.., minimum-bank 0.., penalty 0..
streak-penalty 0.., points 0.., rolls 1.., turns 1.., size 1.., step 0.., scores -1000000..
play 0.., legacy 0.., revenue 0.., revenue 0..1000000, round 1.., rounds 0.., rounds 1..
rounds 0..200, rounds 1..200, rounds 0..10000, score 0.., target 0.., weights 1.., work 1..
"""
#: What is taken unless it is given. The printed rules of Risk: three dice against two, of six
#: sides, one unit stays behind. The coursework of rerolls: three dice. FateStones: six faces.
#: Farkle: six dice, no points yet. The README of the game of software engineering: 10,000 games.
DEFAULTS = """
attacker-dice 3, defender-dice 2, sides 6, leave 1, dice 3, faces 6, size 6, count 1, points 0
busts 0, turns 1, turns 20, games 10000, seed 0, seed 1, score 0, revenue 0, rounds 10, sides 4
work 20000000000
"""


def fields() -> Iterator[Any]:
    return (field for room in ROOMS for asked in classes(room) for field in asked.parameters())


def wholes(domain: Any) -> Iterator[Whole]:
    """The domains of whole numbers in a domain, as those of the items of a list."""
    if isinstance(domain, Whole):
        yield domain
    for part in vars(domain).values():
        if hasattr(part, "read"):
            yield from wholes(part)


def entries(text: str) -> set[str]:
    return {entry.strip() for entry in text.replace("\n", ",").split(",") if entry.strip()}


def test_whole_numbers_are_taken_within_their_ranges() -> None:
    ranges = {
        f"{field.name} {whole.least}..{'' if whole.most is None else whole.most}"
        for field in fields()
        for whole in wholes(field.domain)
    }
    assert ranges == entries(RANGES)


def test_numbers_that_are_not_given_are_those_of_the_games() -> None:
    numbers = [field for field in fields() if type(field.default) is int]
    assert {f"{field.name} {field.default}" for field in numbers} == entries(DEFAULTS)


def test_a_flag_is_off_unless_it_is_given() -> None:
    flags = [field for field in fields() if field.is_flag]
    assert len(flags) > 10
    assert all(field.default is False for field in flags)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("dice law 100001d1", "give at most 100000 dice"),
        ("dice law d100001", "faces a die has, from 1 to 100000"),
        (f"dice law {'+'.join(['1'] * 201)}", "401 characters; give at most 400"),
        (f"dice compare {' vs '.join(['d2'] * 21)}", "give from 2 to 20 expressions"),
        ("farkle best --own fair*101", "give at most 100 dice"),
        ("symbolic ehrhart 500009,2", "more than the limit of 1000000"),
        ("farkle distribution --target 1000050", "20001 different .* of points, more than 20000"),
    ],
)
def test_what_is_too_large_is_refused_with_the_limit(asked: str, message: str) -> None:
    with pytest.raises(ExactDiceError, match=message):
        ask(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "dice law 100000d1",
        "dice law d100000",
        f"dice compare {' vs '.join(['d2'] * 20)}",
        "farkle best --own fair*100",
    ],
)
def test_the_largest_is_taken(asked: str) -> None:
    assert str(question(asked)).startswith(" ".join(asked.split()[:2]))
