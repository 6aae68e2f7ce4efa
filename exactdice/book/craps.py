"""Craps, Sic Bo and chuck-a-luck: the shooter's game, and bets on two or three dice.

The shooter of craps wins at once with 7 or 11 and loses with 2, 3 or 12. Any other total is the
point, which has to come again before a 7. A bet on *don't pass* wins if the shooter loses, except
that a 12 on the first roll returns the stake. Of the other bets, some are settled by the next roll
and others by one total coming before 7. In chuck-a-luck, and in Sic Bo on a single number, the
payout is the number of dice that show it. Small is 4 to 10 and big 11 to 17, without triples.
Casinos pay differently; each variant states its payout.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from exactdice.arithmetic import RationalLike
from exactdice.book.page import Page, Variant
from exactdice.dice import fair, pool, sorted_roll
from exactdice.models import End, Game, Moves

Roll = tuple[int, ...]
Paid: TypeAlias = "RationalLike | None"
Pays = Callable[[Roll], Paid]


def wager(dice: int, pays: Pays) -> Game[Paid]:
    """Return a bet of 1 on dice; `pays` maps a sorted roll to the payoff, or None to roll again."""
    rolled = sorted_roll(pool(dice, fair(6))).map(lambda roll: pays(roll[::-1]))
    return Game(None, lambda paid: rolled if paid is None else End(paid))


def before_seven(total: int, odds: Paid, seven: Paid = -1, *, hard: bool = False) -> Pays:
    """Return the payoff of a bet that a total (a *hard* one: a double) comes before 7."""

    def pays(roll: Roll) -> Paid:
        if sum(roll) == total and (not hard or roll[0] == roll[1]):
            return odds
        return seven if sum(roll) in ((7, total) if hard else (7,)) else None

    return pays


def at_once(odds: Mapping[int, RationalLike]) -> Pays:
    return lambda roll: odds.get(sum(roll), -1)


def bet(win: int, lose: int, twelve: int) -> Game[tuple[int, int | None]]:
    """Return the shooter's game; a state is the point (0 before) and the payoff of an end."""
    first = {7: win, 11: win, 2: lose, 3: lose, 12: twelve}

    def moves(state: tuple[int, int | None]) -> Moves:
        point, paid = state
        if paid is not None:
            return End(paid)
        ends = {7: lose, point: win} if point else first
        return fair(6).sum_of(2).map(lambda total: (point or total, ends.get(total)))

    return Game((0, None), moves)


_FIELD = {2: 2, 12: 2} | dict.fromkeys((3, 4, 9, 10, 11), 1)
_HORN: Mapping[int, RationalLike] = {2: "27/4", 12: "27/4", 3: 3, 11: 3}
_WHIRL: Mapping[int, RationalLike] = {2: "26/5", 12: "26/5", 3: "11/5", 11: "11/5", 7: 0}
_STAKE = "expected gain on a stake of 1"


def _line(rules: str, win: int, lose: int, twelve: int, asks: str = _STAKE) -> Variant:
    return Variant(rules, partial(bet, win, lose, twelve), asks=asks)


def _side(rules: str, pays: Pays) -> Variant:
    return Variant(rules, partial(wager, 2, pays), asks=_STAKE)


_VARIANTS = {
    "pass": _line("the shooter's throws", 1, 0, 0, ""),
    "pass-line": _line("on the pass line, or on come, at even money", 1, -1, -1),
    "dont-pass": _line("against the shooter, at even money; 12 on the first roll returns the stake",
                       -1, 1, 0),
    "field": _side("2 and 12 pay 2 to 1; 3, 4, 9, 10, 11 even money", at_once(_FIELD)),
    "field-triple": _side("2 pays 2 to 1, 12 pays 3 to 1; 3, 4, 9, 10, 11 even money",
                          at_once(_FIELD | {12: 3})),
    "any-seven": _side("7 on the next roll, at 4 to 1", at_once({7: 4})),
    "any-craps": _side("2, 3 or 12 on the next roll, at 7 to 1", at_once({2: 7, 3: 7, 12: 7})),
    "eleven": _side("3, or 11, or a hop of two numbers, at 15 to 1", at_once({11: 15})),
    "twelve": _side("2, or 12, or a hop of a double, at 30 to 1", at_once({12: 30})),
    "c-and-e": _side("half on any craps, half on 11", at_once({2: 3, 3: 3, 12: 3, 11: 7})),
    "horn": _side("a quarter each on 2, 3, 11, 12", at_once(_HORN)),
    "whirl": _side("a fifth each on 2, 3, 7, 11, 12", at_once(_WHIRL)),
    "hard-4": _side("4, or 10, the hard way, at 7 to 1", before_seven(4, 7, hard=True)),
    "hard-6": _side("6, or 8, the hard way, at 9 to 1", before_seven(6, 9, hard=True)),
    "place-4": _side("4, or 10, before 7, at 9 to 5", before_seven(4, "9/5")),
    "place-5": _side("5, or 9, before 7, at 7 to 5", before_seven(5, "7/5")),
    "place-6": _side("6, or 8, before 7, at 7 to 6", before_seven(6, "7/6")),
    "buy-4": _side("4, or 10, before 7, at 2 to 1, 5 % of the bet kept", before_seven(4, "39/21")),
    "lay-4": _side("7 before 4, or 10, 1 to 2, 5 % of the win kept",
                   before_seven(4, -1, "19/41")),
    "big-6": _side("6, or 8, before 7, at even money", before_seven(6, 1)),
    "odds": _side("odds on a pass line of the point 4 or 10, at 2 to 1", before_seven(4, 2)),
    "odds-5": _side("odds on a pass line of the point 5 or 9, at 3 to 2", before_seven(5, "3/2")),
    "odds-6": _side("odds on a pass line of the point 6 or 8, at 6 to 5", before_seven(6, "6/5")),
}  # fmt: skip
_PLAYERS = "one, without choices"
PAGE = Page("craps", "Craps", _PLAYERS, "probability that the shooter wins", _VARIANTS)


Wins = Callable[[tuple[int, ...]], bool]


def _bet(rules: str, odds: int, wins: Wins) -> Variant:
    game = partial(wager, 3, lambda roll: odds if wins(roll) else -1)
    return Variant(f"{rules}, {odds} to 1", game)


def _total(total: int, odds: int) -> Variant:
    return _bet(f"a total of {total} or {21 - total}", odds, lambda r: sum(r) == total)


# The edges of gamblegnome.com belong to a table that pays 50, 18, 14, 12, 8, 6 and 6 to 1:
# at 50 to 1 a total of 4 has 21/72 = 0.2916…, which it cuts off.
_LUCK = partial(wager, 3, lambda roll: roll.count(6) or -1)
_SIC_BO = {
    "chuck-a-luck": Variant("a number; 1, 2 or 3 to 1", _LUCK),
    "small": _bet("small or big", 1, lambda r: 4 <= sum(r) <= 10 and r[0] < r[2]),
    "pair": _bet("two numbers", 5, {1, 2}.issubset),
    "pair-6": _bet("two numbers", 6, {1, 2}.issubset),
    "double": _bet("a number twice", 10, lambda r: r.count(6) > 1),
    "triple": _bet("a number thrice", 180, lambda r: r.count(6) == 3),
    "any-triple": _bet("any triple", 30, lambda r: r[0] == r[2]),
    "4": _total(4, 60),
    "4-50": _total(4, 50),
    "5": _total(5, 18),
    "6": _total(6, 14),
    "7": _total(7, 12),
    "8": _total(8, 8),
    "9": _total(9, 6),
    "10": _total(10, 6),
}
_BETTOR = "one against the house, without choices"
SIC_BO = Page("sic-bo", "Sic Bo and chuck-a-luck", _BETTOR, _STAKE, _SIC_BO)
