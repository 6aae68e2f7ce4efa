r"""Advice on a roll: every way on, with what it is worth.

A *choice* keeps some of the dice rolled, all of which score, and then banks or rolls on. Its value
is the expected gain from now to the end of the turn: the score kept for banking, and the score plus
:math:`\mathrm{Optimal}` of what follows for rolling on. Its *regret* is how much less that is than
the value of the best choice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.dice_sets import Die
from exactdice.games.farkle.exact import BestTurn
from exactdice.games.farkle.selections import parse_roll, rolled_dice, selections

__all__ = ["Choice", "EnclosedChoice", "Way", "advise", "advise_enclosed"]


@dataclass(frozen=True)
class Way:
    """A way on after a roll: what to keep of it, and whether to bank.

    Attributes
    ----------
    keep
        Faces kept, ascending, `rules.JOKER` for a joker.
    kept
        The dice that show them, in the same order.
    score
        Points gained by keeping them.
    then
        ``bank`` or ``roll``.
    left
        Number of the set of dice left; of those rolled next where ``then`` is ``roll``.
    """

    keep: tuple[int, ...]
    kept: tuple[Die, ...]
    score: int
    then: Literal["bank", "roll"]
    left: int

    def canonical(self) -> tuple[bool, int, int]:
        """Key of the order of equals: banking first, higher scores first, more dice left first."""
        return self.then != "bank", -self.score, -self.left


@dataclass(frozen=True)
class Choice(Way):
    """A way on and its worth.

    Attributes
    ----------
    value, regret
        Expected gain from now on, and how much less that is than the best.
    """

    value: mpq
    regret: mpq


@dataclass(frozen=True)
class EnclosedChoice(Way):
    """A way on and bounds on its worth, for turns too long for exact values.

    Attributes
    ----------
    value, regret
        As those of a `Choice`; where bounds on two values meet, either may be the better one.
    """

    value: Enclosure
    regret: Enclosure


def advise(
    turn: BestTurn,
    roll: Sequence[int] | str,
    points: RationalLike = 0,
    left: str | int | None = None,
) -> list[Choice]:
    """List every choice after a roll, the best first.

    Parameters
    ----------
    turn
        The game, solved.
    roll
        The face of each die rolled, in the order of `left`; or their text.
    points
        Points of the turn before this roll.
    left
        The dice rolled, as for `BestTurn.optimal`; may be left out where all dice were rolled or
        all are equal.

    Returns
    -------
    list of Choice
        Empty for a bust. Equal values in canonical order: banking first, higher scores first.

    Raises
    ------
    InputError
        If the faces are impossible, or not one for each die.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> best, *others = advise(solve(), "1,1,5,3,4,6", 300)
    >>> best.keep, best.then, best.score, len(others)
    ((1,), 'roll', 100, 9)
    """
    found = [
        (way, worth - turn.points(points))
        for way, reached in _ways(turn, roll, points, left)
        for worth in [_worth(turn, way, reached)]
    ]
    found.sort(key=lambda pair: (-pair[1], pair[0].canonical()))
    return [Choice(**vars(way), value=gain, regret=found[0][1] - gain) for way, gain in found]


def advise_enclosed(
    turn: BestTurn,
    roll: Sequence[int] | str,
    points: RationalLike = 0,
    left: str | int | None = None,
) -> list[EnclosedChoice]:
    """List every choice after a roll with bounds on its worth, which take no exact values.

    Parameters, order and errors are those of `advise`; of choices whose bounds meet, the one with
    the higher lower bound comes first.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> turn = solve()
    >>> pairs = zip(advise_enclosed(turn, "1,5,2"), advise(turn, "1,5,2"), strict=True)
    >>> all(one.keep == other.keep and other.value in one.value for one, other in pairs)
    True
    """
    at = turn.points(points)
    found = []
    for way, reached in _ways(turn, roll, points, left):
        if way.then == "roll":
            final = turn.rolling_bounds(reached, way.left)
        else:
            banked = _worth(turn, way, reached)
            final = Enclosure(banked, banked)
        found.append((way, Enclosure(final.lower - at, final.upper - at)))
    found.sort(key=lambda pair: (-pair[1].lower, pair[0].canonical()))
    gains = [gain for _, gain in found]
    regrets = []
    for i, gain in enumerate(gains):
        others = gains[:i] + gains[i + 1 :]
        least = max((other.lower - gain.upper for other in others), default=mpq(0))
        most = max((other.upper - gain.lower for other in others), default=mpq(0))
        regrets.append(Enclosure(max(least, mpq(0)), max(most, mpq(0))))
    return [
        EnclosedChoice(**vars(way), value=gain, regret=regret)
        for (way, gain), regret in zip(found, regrets, strict=True)
    ]


def _ways(
    turn: BestTurn, roll: Sequence[int] | str, points: RationalLike, left: str | int | None
) -> Iterable[tuple[Way, int]]:
    """Every way on after a roll, with the points that the turn then has."""
    faces = parse_roll(roll) if isinstance(roll, str) else tuple(roll)
    at = turn.points(points)
    dice = rolled_dice(turn.dice, faces, left)
    for found in selections(turn.rules, turn.dice, faces, dice):
        reached, kept = at + found.score, (found.keep, found.kept, found.score)
        may_bank = turn.banking_worth(reached) is not None
        rolled = turn.menus.next_state(found.left)
        may_roll = rolled and (turn.rules.target is None or reached < turn.end)
        if may_bank or not may_roll:  # where neither: the turn is worth nothing
            yield Way(*kept, "bank", found.left), reached
        if may_roll:
            yield Way(*kept, "roll", rolled), reached


def _worth(turn: BestTurn, way: Way, reached: int) -> mpq:
    """Expected final points of a way on."""
    if way.then == "roll":
        return turn.rolling_worth(reached, way.left)
    return turn.banking_worth(reached) or mpq(0)
