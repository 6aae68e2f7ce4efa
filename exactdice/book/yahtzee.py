"""Yahtzee for one, and Yatzy: thirteen or fifteen turns of dice on a sheet (`book.sheet`).

The value 254.5896, published since 1999, belongs to the *free* joker; with the *forced* joker of
Hasbro's leaflet it is 0.0019 less. The 248.63 published for Yatzy is the value if one pair counts
in the box of two pairs: variant ``yatzy-2012``. The 245.904728 published for play without extra
points is neither with nor without jokers: five alike count as a full house there, variant
``house``. The fraction that Liese and Kelly found in 2017 was not available; it is quoted as
254.58937, of 139 digits over 137. Variant ``own`` has that value, the only one of some twenty rules
tried. Yahtzee is a trademark of Hasbro.
"""

from collections.abc import Callable, Mapping
from functools import partial

from exactdice.book.page import Page, Variant
from exactdice.book.sheet import Roll, Sheet, solved

FIVE = "five alike"


def alike(roll: Roll, count: int) -> int:
    """Return the highest face shown by at least `count` dice; 0 if there is none."""
    return max((face for face in roll if roll.count(face) >= count), default=0)


def in_a_row(roll: Roll, length: int) -> bool:
    return any(set(range(low, low + length)) <= set(roll) for low in range(1, 8 - length))


def is_house(roll: Roll) -> bool:
    return sorted(map(roll.count, set(roll))) == [2, 3]


def pairs(roll: Roll) -> list[int]:
    return [face for face in sorted(set(roll)) if roll.count(face) >= 2]


YAHTZEE: Mapping[str, Callable[[Roll], int]] = {
    "three alike": lambda roll: sum(roll) if alike(roll, 3) else 0,
    "four alike": lambda roll: sum(roll) if alike(roll, 4) else 0,
    "full house": lambda roll: 25 * is_house(roll),
    "small straight": lambda roll: 30 * in_a_row(roll, 4),
    "large straight": lambda roll: 40 * in_a_row(roll, 5),
    FIVE: lambda roll: 50 * bool(alike(roll, 5)),
    "chance": sum,
}
YATZY: Mapping[str, Callable[[Roll], int]] = {
    "pair": lambda roll: 2 * alike(roll, 2),
    "two pairs": lambda roll: 2 * sum(pairs(roll)) if len(pairs(roll)) == 2 else 0,
    "three alike": lambda roll: 3 * alike(roll, 3),
    "four alike": lambda roll: 4 * alike(roll, 4),
    "small straight": lambda roll: 15 * (set(roll) == {1, 2, 3, 4, 5}),
    "large straight": lambda roll: 20 * (set(roll) == {2, 3, 4, 5, 6}),
    "full house": lambda roll: sum(roll) if is_house(roll) else 0,
    "chance": sum,
    FIVE: lambda roll: 50 * bool(alike(roll, 5)),
}
JOKERS = {"full house": 25, "small straight": 30, "large straight": 40}


def yahtzee(joker: str, extra: int) -> Sheet:
    return Sheet(lower=YAHTZEE, alike=FIVE, extra=extra, joker=joker, jokers=JOKERS)


_HOUSE = dict(YAHTZEE) | {"full house": lambda roll: 25 * (is_house(roll) or len(set(roll)) == 1)}
_YATZY_2012 = dict(YATZY) | {"two pairs": lambda roll: 2 * sum(pairs(roll)[-2:])}

_TAKES = {
    6: "a second",
    13: "3 minutes exactly, 20 s within 10⁻⁹",
    15: "8 minutes exactly, 40 s within 10⁻⁹",
}


def _variant(sheet: Sheet, rules: str) -> Variant:
    files, takes = ("policy", "certificate", "law"), _TAKES[len(sheet.boxes)]
    solve = partial(solved, sheet)
    return Variant(rules, sheet.game, takes, solve=solve, solve_writes=files)


_VARIANTS = {
    "free": _variant(yahtzee("free", 100), "free joker, 100 for each further Yahtzee"),
    "forced": _variant(yahtzee("forced", 100),
                       "forced joker, 100 for each further Yahtzee: Hasbro's leaflet"),
    "own": _variant(yahtzee("own", 100),
                    "free joker, but a further Yahtzee of 100 in its upper box first"),
    "no-joker": _variant(yahtzee("none", 100), "100 for each further Yahtzee, without jokers"),
    "plain": _variant(yahtzee("none", 0), "neither joker nor further Yahtzees"),
    "house": _variant(Sheet(lower=_HOUSE, alike=FIVE),
                      "neither joker nor further Yahtzees; five alike are a full house"),
    "yatzy": _variant(Sheet(lower=YATZY, bonus=50), "Yatzy: fifteen boxes, a bonus of 50"),
    "yatzy-2012": _variant(Sheet(lower=_YATZY_2012, bonus=50),
                           "Yatzy; one pair counts as two pairs"),
    "upper": _variant(Sheet(), "the upper boxes with their bonus"),
}  # fmt: skip
PAGE = Page("yahtzee", "Yahtzee", "one", "expected score under optimal play", _VARIANTS)
