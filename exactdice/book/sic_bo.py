"""Sic Bo and chuck-a-luck: bets on three dice, settled by one roll.

In chuck-a-luck, and in Sic Bo on a single number, the stake comes back as often again as dice show
the number. Small is 4 to 10 and big 11 to 17, no triple among them. Casinos pay differently; what a
variant pays is said.
"""

from collections.abc import Callable
from functools import partial

from exactdice.book.craps import wager
from exactdice.book.page import NOTHING, Page, Sources, Variant

Wins = Callable[[tuple[int, ...]], bool]


def _bet(rules: str, odds: int, wins: Wins, printed: Sources = NOTHING) -> Variant:
    game = partial(wager, 3, lambda roll: odds if wins(roll) else -1)
    return Variant(f"{rules}, {odds} to 1", game, printed=printed)


def _total(total: int, odds: int, printed: Sources) -> Variant:
    return _bet(f"a total of {total} or {21 - total}", odds, lambda r: sum(r) == total, printed)


_GNOME, _ROLLERS = "gamblegnome.com/sicbo", "high-rollercasinos.com/sic-bo"
_PLAY, _DUCKY = "playsicbo.com.au", "duckyluck-casino.net/sic-bo-calculator"
# The edges of the first are those of a table that pays 50, 18, 14, 12, 8, 6 and 6 to 1: at 50 to 1
# a total of 4 has 21/72 = 0.2916…, which it cuts off.
_LUCK = partial(wager, 3, lambda roll: roll.count(6) or -1)
_PRINTED = {"-0.0787": _ROLLERS, "-0.07780": _PLAY}
_PAIRS: Sources = {"-0.1667": _ROLLERS, "-0.0278": (_DUCKY, "pair-6")}
_VARIANTS = {
    "chuck-a-luck": Variant("a number; 1, 2 or 3 to 1", _LUCK, printed=_PRINTED),
    "small": _bet(
        "small or big", 1, lambda r: 4 <= sum(r) <= 10 and r[0] < r[2], {"-0.0278": _PLAY}
    ),
    "pair": _bet("two numbers", 5, {1, 2}.issubset, _PAIRS),
    "pair-6": _bet("two numbers", 6, {1, 2}.issubset),
    "double": _bet("a number twice", 10, lambda r: r.count(6) > 1, {"-0.1852": _DUCKY}),
    "triple": _bet("a number thrice", 180, lambda r: r.count(6) == 3, {"-0.1620": _DUCKY}),
    "any-triple": _bet("any triple", 30, lambda r: r[0] == r[2], {"-0.1389": _DUCKY}),
    "4": _total(4, 60, {"-0.15278": _PLAY, "-0.291": (_GNOME, "4-50")}),
    "4-50": _total(4, 50, {"-0.291": _GNOME}),
    "5": _total(5, 18, {"-0.472": _GNOME}),
    "6": _total(6, 14, {"-0.305": _GNOME}),
    "7": _total(7, 12, {"-0.097": _GNOME}),
    "8": _total(8, 8, {"-0.125": _GNOME}),
    "9": _total(9, 6, {"-0.189": _GNOME}),
    "10": _total(10, 6, {"-0.125": _GNOME}),
}
_PLAYERS = "one against the house, who chooses nothing"
PAGE = Page("sic-bo", "Sic Bo and chuck-a-luck", _PLAYERS, "what a stake of 1 brings", _VARIANTS)
