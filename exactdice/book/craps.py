"""Craps: the pass line and its opposite, a chain with a loop in each point.

The first roll of two dice wins with 7 or 11 and loses with 2, 3 or 12; any other total is the
point, and is rolled for until it comes up (a win) or 7 does. "Don't pass" wins where the pass line
loses, but for a 12 on the first roll, at which the stake is handed back.
"""

from exactdice.book.page import Page, Printed, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import End, Game

TWO_DICE = fair(6).sum_of(2)


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

        return TWO_DICE.map(after)

    return Game(None, moves)


PAGE = Page(
    "craps",
    "Craps",
    "the shooter, who chooses nothing",
    "chance to win, or what a stake of 1 brings",
    {
        "pass": Variant(
            "the chance that the shooter wins",
            lambda: bet(1, 0, 0),
            printed=(Printed("244/495", "textbooks of probability"),),
        ),
        "pass-line": Variant(
            "a stake of 1 on the pass line, at even money",
            lambda: bet(1, -1, -1),
            printed=(Printed("-0.0141", "the house's 1.41 % of casino guides"),),
        ),
        "dont-pass": Variant(
            "a stake of 1 against the shooter, at even money; 12 at once hands it back",
            lambda: bet(-1, 1, 0),
            printed=(Printed("-0.0136", "the house's 1.36 % of casino guides"),),
        ),
    },
)
