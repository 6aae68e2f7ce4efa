"""Defaults of options over all commands, and upper limits."""

import pytest

from exactdice.errors import ExactDiceError
from exactdice.rooms import ROOMS, ask, classes, question

#: Defaults with a source. The printed rules of Risk: three dice against two, of six sides, one unit
#: stays behind. The coursework of rerolls: three dice. The README of FateStones: dice of six faces,
#: 10,000 games. Farkle: six dice, as in KCD.
DEFAULTS = {
    "risk": {"attacker-dice": 3, "defender-dice": 2, "sides": 6, "leave": 1},
    "reroll": {"dice": 3},
    "fatestones": {"faces": 6, "games": 10_000},
    "farkle": {"size": 6},
}


def fields():
    return (field for room in ROOMS for asked in classes(room) for field in asked.parameters())


def test_default_numbers_are_those_of_the_games():
    met = set()
    for asked in (asked for room in ROOMS for asked in classes(room)):
        game = asked.command.split()[0]
        for field in asked.parameters():
            if type(field.default) is int and field.name in DEFAULTS.get(game, {}):
                assert field.default == DEFAULTS[game][field.name], asked.command
                met.add((game, field.name))
    assert met == {(game, name) for game, values in DEFAULTS.items() for name in values}


def test_a_flag_is_off_unless_it_is_given():
    flags = [field for field in fields() if field.is_flag]
    assert len(flags) > 10
    assert all(field.default is False for field in flags)


@pytest.mark.parametrize(("asked", "message"), [
    ("dice distribution 100001d1", "at most 100000 dice"),
    ("dice distribution d100001", "number of faces of a die, from 1 to 100000"),
    (f"dice distribution {'+'.join(['1'] * 201)}", "401 characters; expected at most 400"),
    (f"dice compare {' vs '.join(['d2'] * 21)}", "expected 2 to 20 expressions"),
    ("farkle best --own fair*101", "at most 100 dice"),
    ("symbolic ehrhart 500009,2", "more than the limit of 1000000"),
    ("farkle distribution --target 1000050", "20001 different .* of points, more than 20000")
])  # fmt: skip
def test_too_large_numbers_are_rejected_with_the_limit(asked, message):
    with pytest.raises(ExactDiceError, match=message):
        ask(asked)


@pytest.mark.parametrize("asked", [
    "dice distribution 100000d1", "dice distribution d100000",
    f"dice compare {' vs '.join(['d2'] * 20)}", "farkle best --own fair*100"
])  # fmt: skip
def test_the_largest_numbers_are_accepted(asked):
    assert str(question(asked)).startswith(" ".join(asked.split()[:2]))
