"""Backgammon with one checker each, on the whole board, without the doubling cube.

Both checkers begin on their 24-points, and either player may begin with a double. A checker moves
by both dice in either order, four times by one number in a double; it is borne off by what reaches
or passes 0. It hits the other where they meet, which then starts from the bar, 25 away. With one
checker nothing blocks. A loser has borne off none, so that each game is a gammon at least, and a
backgammon where the loser stands on the bar or in the winner's home.
"""

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Other, point_mass
from exactdice.solve.turns import Moves

State = tuple[int, int, tuple[int, ...]]  # my distance, theirs, and the roll if it is cast

ROLLS = {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(a, 7)}
_BAR = 25


def moved(mine: int, theirs: int, dice: tuple[int, ...]) -> tuple[int, int]:
    """Where the checkers stand after steps by these numbers."""
    for die in dice:
        mine = max(0, mine - die)
        if mine == 0:
            break
        if mine == _BAR - theirs:
            theirs = _BAR
    return mine, theirs


def one_checker(*, counts_gammons: bool) -> Game[State]:
    """Both from the 24-point; a win is worth 1, or what gammons and backgammons count."""

    def moves(state: State) -> Moves:
        mine, theirs, roll = state
        if mine == 0:
            return End((3 if theirs >= 19 else 2) if counts_gammons else 1)
        if not roll:
            return Distribution({(mine, theirs, cast): ways for cast, ways in ROLLS.items()})
        a, b = roll
        orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
        ends = sorted({moved(mine, theirs, order) for order in orders})
        return [Choice(end, 0, point_mass(_after(*end))) for end in ends]

    return Game((24, 24, ()), moves)


def _after(mine: int, theirs: int) -> State | Other[State]:
    return Other((theirs, mine, ())) if mine else (0, theirs, ())


PAGE = Page(
    "backgammon",
    "Backgammon with one checker each",
    "two",
    "chance that the one who begins wins, or the equity",
    {
        "one-checker": Variant(
            "the chance that the one who begins wins",
            lambda: one_checker(counts_gammons=False),
            wins=True,
        ),
        "one-checker-equity": Variant(
            "what the one who begins wins on average, a gammon counting 2 and a backgammon 3",
            lambda: one_checker(counts_gammons=True),
        ),
    },
)
