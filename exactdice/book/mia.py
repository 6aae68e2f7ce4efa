"""Mia (Mäxchen), of one round: announce more than was announced before, and be believed or not.

A player rolls two dice under a cup, looks, and announces what lies there, truly or not, but more
than was announced before: 31 is the least, then 32, 41 and so on up to 65, then the doubles, and 21
the most. The other does not believe it, and the cup is lifted: who announced wins if there lies as
much or more, and else loses. Or the other believes it, takes the cup and rolls without looking
before; what lay there is never known. Nothing is more than 21, so that is never believed. A win is
worth 1 and a loss −1 to the player who begins. Board Game Arena's help on Mia has these rules but
for lives, and for a cup passed on without a roll, which is left out here.

What was announced last is all that matters when the cup passes. So each turn is a game by itself,
with what is left worth what it is from there on, from the most back to the least.
"""

from functools import partial
from itertools import product
from typing import Any

from exactdice.arithmetic import RationalLike, mpq
from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.enclosure import point_of
from exactdice.models import Choice, DealtGame, Showdown, Turn, equilibrium, point_mass


def ranks(sides: int) -> Distribution[int]:
    """The law of a roll by its place among all, 0 being the least."""
    rolled = [max((a, b), (b, a)) for a, b in product(range(1, sides + 1), repeat=2)]
    order = sorted(set(rolled), key=lambda roll: (roll == (2, 1), roll[0] == roll[1], roll))
    return Distribution.from_faces([order.index(roll) for roll in rolled])


def turn(law: Distribution[int], last: int, worth: dict[int, mpq]) -> DealtGame[Any]:
    """The game of who takes the cup after an announcement, for what later ones are worth."""
    most = max(law)

    def moves(seen: tuple[Any, ...]) -> Turn[Any] | Showdown:
        if len(seen) == 2:
            return Showdown(seen)
        replies = ("liar", "believe") if seen != (most,) else ("liar",)
        actions = replies if seen else range(last + 1, most + 1)
        return Turn(1 + len(seen), [Choice(a, 0, point_mass((*seen, a))) for a in actions])

    def payoff(seen: Any, roll: int, _: None) -> RationalLike:
        announced, reply = seen
        return -worth[announced] if reply == "believe" else 1 if roll >= announced else -1

    return DealtGame(law.map(lambda roll: (roll, None)), (), moves, payoff)


def mia(law: Distribution[int]) -> DealtGame[Any]:
    """The first turn, of any law of what lies under the cup."""
    worth: dict[int, mpq] = {}
    for last in range(max(law) - 1, -1, -1):
        worth[last] = point_of(equilibrium(turn(law, last, worth)).value)
    return turn(law, -1, worth)


def _mia(sides: int) -> DealtGame[Any]:
    return mia(ranks(sides))


_VARIANTS = {
    str(sides): Variant(f"two dice of {sides} sides", partial(_mia, sides)) for sides in (6, 4, 3)
}
_ASKS = "value to the player who begins, a win being worth 1 and a loss −1"
PAGE = Page("mia", "Mia", "two", _ASKS, _VARIANTS)
