"""Advice after a roll: every way on, what it is worth, and what taking it would cost.

A *way on* is what is kept of a roll, and whether to bank or to roll on. Its *regret* is how much
less it is worth than the best way. Where worths are known exactly regrets are points, and equal
ways are ties. Where they are enclosed, a way is *best* for certain if no other can be better,
certainly not if another one is better, and open otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from exactdice.arithmetic import RationalLike
from exactdice.enclosure import Enclosure, largest
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import Menus
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.selections import Selection, parse_roll, rolled_dice, selections
from exactdice.games.farkle.turn.exact import BestTurn


class Player(Protocol):
    """Whoever rolls, by dice and rules."""

    @property
    def rules(self) -> RuleSet:
        """What scores."""

    @property
    def dice(self) -> DiceSet:
        """All dice."""

    @property
    def menus(self) -> Menus:
        """What each roll offers."""


class Turn(Protocol):
    """A turn that goes on, by the points that it has come to."""

    def may_bank(self, points: int) -> bool:
        """Whether so many points may be banked."""

    def may_roll(self, points: int) -> bool:
        """Whether dice may be rolled with so many points at stake."""


@dataclass(frozen=True)
class Way(Selection):
    """A way on after a roll: what to keep of it, and whether to bank.

    `left` numbers the set of dice left; of those rolled next where ``then`` is ``roll``.
    """

    then: Literal["bank", "roll"]


@dataclass(frozen=True)
class Choice(Way):
    """A way on, judged.

    `value` is the expected gain from now on, or the chance to win; `regret` how much less that is
    than the best. `best` says whether no choice is better; None where the enclosures leave it open.
    """

    value: Enclosure
    regret: Enclosure
    best: bool | None

    @property
    def way(self) -> Way:
        """What is judged."""
        return Way(self.keep, self.kept, self.score, self.left, self.then)


def ways_on(turn: Turn, player: Player, points: int, offered: Sequence[Selection]) -> Iterator[Way]:
    """List the ways on after a roll with some points at stake, in canonical order.

    Banking first, then higher scores, then larger numbers of the set of dice left.
    """
    ordered = sorted(offered, key=lambda one: (-one.score, -one.left))
    for one in ordered:
        if turn.may_bank(points + one.score):
            yield Way(**vars(one), then="bank")
    for one in ordered:
        rolled = player.menus.next_state(one.left)
        if rolled and turn.may_roll(points + one.score):
            yield Way(one.keep, one.kept, one.score, rolled, "roll")
        elif not turn.may_bank(points + one.score):
            yield Way(**vars(one), then="bank")  # nothing to roll, nothing to bank


def ways_after(
    turn: Turn, player: Player, roll: Sequence[int] | str, points: int, left: str | int | None
) -> list[Way]:
    """List the ways on after a roll that is written down, of the dice left."""
    faces = parse_roll(roll) if isinstance(roll, str) else tuple(roll)
    dice = rolled_dice(player.dice, faces, left)
    return list(ways_on(turn, player, points, selections(player.rules, player.dice, faces, dice)))


def judged(ways: Sequence[Way], worths: Sequence[Enclosure]) -> list[Choice]:
    """Judge ways by what they are worth: by the lower bounds, equal ones in canonical order."""
    choices = []
    for place, (way, worth) in enumerate(zip(ways, worths, strict=True)):
        others = [*worths[:place], *worths[place + 1 :]]
        beyond = largest(others) if others else worth
        best = worth.at_least(beyond) if others else True
        regret = largest([beyond - worth, 0]) if others else Enclosure.of(0)
        choices.append(Choice(**vars(way), value=worth, regret=regret, best=best))
    return sorted(choices, key=lambda choice: -choice.value.lower)


def advise(
    turn: BestTurn,
    roll: Sequence[int] | str,
    points: RationalLike = 0,
    left: str | int | None = None,
    *,
    exact: bool = True,
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
    exact
        Whether worths are exact; if not they are enclosed, for turns too long for exact values.

    Returns
    -------
    list of Choice
        Empty for a bust. By the lower bounds of their values; equal ones in canonical order:
        banking first, then higher scores. Where bounds of two meet, either may be the better one.

    Raises
    ------
    InputError
        If the faces are impossible, or not one for each die.

    Examples
    --------
    >>> from exactdice.games.farkle.turn.exact import solve
    >>> turn = solve()
    >>> best, *others = advise(turn, "1,1,5,3,4,6", 300)
    >>> best.keep, best.then, best.score, len(others)
    ((1,), 'roll', 100, 9)
    >>> bounds = advise(turn, "1,1,5,3,4,6", 300, exact=False)[0]
    >>> best.value.point in bounds.value, bounds.value.point, bounds.best
    (True, None, True)
    """
    at = turn.points(points)
    rolling = turn.rolling_worth if exact else turn.rolling_bounds
    ways = ways_after(turn, turn, roll, at, left)
    finals = [
        rolling(at + way.score, way.left)
        if way.then == "roll"
        else turn.banking_worth(at + way.score) or 0
        for way in ways
    ]
    return judged(ways, [Enclosure.of(final) - at for final in finals])
