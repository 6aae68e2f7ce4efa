"""Craps: the pass line, its opposite, and the bets at the side.

The first roll of two dice wins with 7 or 11 and loses with 2, 3 or 12; any other total is the
point, and is rolled for until it comes up (a win) or 7 does. "Don't pass" wins where the pass line
loses, but for a 12 on the first roll, at which the stake is handed back. Of the other bets some are
settled by the next roll; a *place* or *big* total is rolled for before 7, and a total the *hard
way*, by a double, before 7 and before it comes otherwise.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair, pool, sorted_roll
from exactdice.models import End, Game

Roll = tuple[int, ...]
Paid = Fraction | int | None
Pays = Callable[[Roll], Paid]


def wager(dice: int, pays: Pays) -> Game[Paid]:
    """A stake of 1 on some dice: what a roll, the lowest die first, brings; None rolls again."""
    rolled = sorted_roll(pool(dice, fair(6))).map(lambda roll: pays(roll[::-1]))
    return Game(None, lambda paid: rolled if paid is None else End(paid))


def before_seven(total: int, odds: Paid, *, hard: bool = False) -> Pays:
    """A total, hard where wanted, before 7 or an easy one."""

    def pays(roll: Roll) -> Paid:
        if sum(roll) == total and (not hard or roll[0] == roll[1]):
            return odds
        return -1 if sum(roll) in ((7, total) if hard else (7,)) else None

    return pays


def at_once(odds: dict[int, int]) -> Pays:
    """Totals of the next roll."""
    return lambda roll: odds.get(sum(roll), -1)


def bet(win: int, lose: int, twelve: int) -> Game[int | str | None]:
    """The shooter's game: a state is None, the point or how it ended; what the ends pay."""
    payoffs = {"win": win, "lose": lose, "twelve": twelve}

    def moves(state: int | str | None) -> Distribution[int | str] | End:
        if isinstance(state, str):
            return End(payoffs[state])

        def after(total: int) -> int | str:
            if state is None and total == 12:
                return "twelve"
            if total == state or (state is None and total in (7, 11)):
                return "win"
            loses = (2, 3) if state is None else (7,)
            return "lose" if total in loses else state or total

        return fair(6).sum_of(2).map(after)

    return Game(None, moves)


def _line(rules: str, number: str, source: str, *pays: int) -> Variant:
    return Variant(rules, lambda: bet(*pays), printed={number: source})


def _side(rules: str, pays: Pays, printed: Mapping[str, str] = {}) -> Variant:
    return Variant(rules, lambda: wager(2, pays), printed=printed)


_PILARSKI = "Mark Pilarski, casinocitytimes.com, 23 June 2006"
_CRAPPER = "Crazy Crapper, pokeronlineguru.com"
_FIELD = {2: 2, 12: 2} | dict.fromkeys((3, 4, 9, 10, 11), 1)
_ON = "a stake of 1 on the pass line, at even money"
_DONT = "a stake of 1 against the shooter, at even money; 12 at once hands it back"
_VARIANTS = {
    "pass": _line(
        "the chance that the shooter wins", "244/495", "textbooks of probability", 1, 0, 0
    ),
    "pass-line": _line(_ON, "-0.0141", "the house's 1.41 % of casino guides", 1, -1, -1),
    "dont-pass": _line(_DONT, "-0.0136", "the house's 1.36 % of casino guides", -1, 1, 0),
    "field": _side("2 and 12 pay 2 to 1; 3, 4, 9, 10, 11 even money", at_once(_FIELD)),
    "field-triple": _side(
        "as field, 12 paying 3 to 1", at_once(_FIELD | {12: 3}), {"-0.0254": _CRAPPER}
    ),
    "any-seven": _side("7, 4 to 1", at_once({7: 4}), {"-0.1667": _PILARSKI}),
    "any-craps": _side("2, 3, 12, 7 to 1", at_once({2: 7, 3: 7, 12: 7}), {"-0.111": _PILARSKI}),
    "eleven": _side("11, 15 to 1", at_once({11: 15}), {"-0.139": _PILARSKI, "-0.1111": _CRAPPER}),
    "twelve": _side("12, 30 to 1", at_once({12: 30})),
    "hard-4": _side("4 or 10, 7 to 1", before_seven(4, 7, hard=True), {"-0.111": _PILARSKI}),
    "hard-6": _side("6 or 8, 9 to 1", before_seven(6, 9, hard=True), {"-0.0909": _PILARSKI}),
    "place-4": _side("4 or 10, 9 to 5", before_seven(4, Fraction(9, 5))),
    "place-5": _side("5 or 9, 7 to 5", before_seven(5, Fraction(7, 5))),
    "place-6": _side("6 or 8, 7 to 6", before_seven(6, Fraction(7, 6)), {"-0.0152": _CRAPPER}),
    "big-6": _side("6 or 8, even money", before_seven(6, 1), {"-0.0909": _CRAPPER}),
    "odds": _side("what is added to the pass line, point 4, 2 to 1", before_seven(4, 2)),
}
_PLAYERS = "the shooter, who chooses nothing"
PAGE = Page("craps", "Craps", _PLAYERS, "chance to win, or what a stake of 1 brings", _VARIANTS)
