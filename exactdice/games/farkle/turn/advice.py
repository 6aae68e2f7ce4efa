"""Advice after a roll: every choice, its value, and its regret.

A *selection* is a set of the dice rolled in which every die scores. Selections that show the same
faces and leave the same dice are one. A *way* is a selection together with the decision to bank or
to roll on. Its *regret* is its distance from the value of the best way. If values are exact,
regrets are points, and equal ways are ties. If values are enclosed, a way is certainly *best* if no
other can be better, certainly not if another one is better, and open otherwise.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias

from exactdice.arithmetic import RationalLike
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, parse_dice
from exactdice.games.farkle.rules.menus import Menus
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet
from exactdice.games.farkle.turn.exact import TurnOptimum

if TYPE_CHECKING:
    from exactdice.games.farkle.races.chances import TurnToWin

OngoingTurn: TypeAlias = "TurnOptimum | TurnToWin"


@dataclass(frozen=True)
class Selection:
    """Dice that are kept: their ascending faces, and which dice; `left` numbers those left."""

    keep: tuple[int, ...]
    kept: tuple[Die, ...]
    score: int
    left: int


def roll_text(faces: Iterable[int]) -> str:
    return ",".join("J" if face == JOKER else str(face) for face in faces)


def parse_roll(text: str, argument: str = "roll") -> tuple[int, ...]:
    faces = []
    for item in text.split(",") if "," in text else "".join(text.split()) or [text]:
        face = item.strip().upper()
        if face not in {"1", "2", "3", "4", "5", "6", "J"}:
            raise InputError(argument, item.strip(), "faces from 1 to 6, or J for a joker")
        faces.append(JOKER if face == "J" else int(face))
    return tuple(faces)


def rolled_dice(
    dice: DiceSet, roll: Sequence[int], left: str | int | None = None
) -> tuple[Die, ...]:
    """Return the die that shows each face of a roll; the dice rolled are text or a number.

    They are optional if all dice were rolled or all are equal.
    """
    if left is not None:
        dice.parse_state(str(left), "left")  # rejects dice that are not in the game
        written = str(left).strip()
        rolled = dice.dice[: int(written)] if written.isdecimal() else ()
        rolled = rolled or parse_dice(written, "left", most=len(dice.dice)).dice
    elif len(dice.kinds) == 1 or len(roll) == len(dice.dice):
        rolled = dice.dice[: len(roll)]
    else:
        wanted = "the dice rolled, because they differ and not all were"
        raise InputError("left", Unquoted("nothing"), wanted)
    if len(roll) != len(rolled):
        wanted = f"{len(rolled)} faces, one for each die"
        raise InputError("roll", Unquoted(roll_text(roll)), wanted)
    for face, die in zip(roll, rolled, strict=True):
        if face not in die.distribution():
            wanted = f"one of {roll_text(sorted(die.distribution()))} for the die {die}"
            raise InputError("roll", Unquoted(roll_text([face])), wanted)
    return rolled


def selections(
    rules: RuleSet, all_dice: DiceSet, faces: Sequence[int], dice: Sequence[Die]
) -> list[Selection]:
    """List every selection from a roll, fewer dice first."""
    by_faces: dict[tuple[tuple[int, ...], int], Selection] = {}
    for size in range(1, len(faces) + 1):
        for places in combinations(range(len(faces)), size):
            kept = sorted(places, key=lambda place: faces[place])
            keep = tuple(faces[place] for place in kept)
            if score := rules.score(keep):
                others = [die for place, die in enumerate(dice) if place not in places]
                left = all_dice.state_of(others)
                shown = Selection(keep, tuple(dice[place] for place in kept), score, left)
                by_faces.setdefault((keep, left), shown)
    return list(by_faces.values())


@dataclass(frozen=True)
class Way(Selection):
    """A selection, and whether to bank; `left` numbers the dice left, or those rolled next."""

    then: Literal["bank", "roll"]


@dataclass(frozen=True)
class RatedOption(Way):
    """A way with its value.

    `value` is the expected gain from now on, or the probability to win; `regret` is its distance
    from the best. `best` is whether no choice is better; None if the enclosures do not decide.
    """

    value: Enclosure
    regret: Enclosure
    best: bool | None

    @property
    def way(self) -> Way:
        return Way(self.keep, self.kept, self.score, self.left, self.then)


def ways_on(
    turn: OngoingTurn, menus: Menus, points: int, offered: Sequence[Selection]
) -> Iterator[Way]:
    """List the ways after a roll, banking first, then higher scores, then higher `left`."""
    ordered = sorted(offered, key=lambda one: (-one.score, -one.left))
    for one in ordered:
        if turn.may_bank(points + one.score):
            yield Way(**vars(one), then="bank")
    for one in ordered:
        rolled = menus.next_state(one.left)
        if rolled and turn.may_roll(points + one.score):
            yield Way(one.keep, one.kept, one.score, rolled, "roll")
        elif not turn.may_bank(points + one.score):
            yield Way(**vars(one), then="bank")  # nothing to roll, nothing to bank


def ways_after(
    turn: OngoingTurn, menus: Menus, roll: Sequence[int] | str, points: int, left: str | int | None
) -> list[Way]:
    faces = parse_roll(roll) if isinstance(roll, str) else tuple(roll)
    dice = rolled_dice(menus.dice, faces, left)
    return list(ways_on(turn, menus, points, selections(menus.rules, menus.dice, faces, dice)))


def judged(ways: Sequence[Way], worths: Sequence[Enclosure]) -> list[RatedOption]:
    """Rate ways by their values: by lower bounds, equal ones in canonical order."""
    choices = []
    for place, (way, worth) in enumerate(zip(ways, worths, strict=True)):
        others = [*worths[:place], *worths[place + 1 :]]
        beyond = largest(others) if others else worth
        best = worth.at_least(beyond) if others else True
        regret = largest([beyond - worth, 0]) if others else Enclosure.of(0)
        choices.append(RatedOption(**vars(way), value=worth, regret=regret, best=best))
    return sorted(choices, key=lambda choice: -choice.value.lower)


def advise(
    turn: TurnOptimum,
    roll: Sequence[int] | str,
    points: RationalLike = 0,
    left: str | int | None = None,
    *,
    exact: bool = True,
) -> list[RatedOption]:
    """List every choice after a roll, the best first; none for a bust.

    `roll` are the faces in the order of `left`, or their text; `points` those of the turn before
    this roll; `left` the dice rolled, as in `TurnOptimum.optimal`, optional if all dice were rolled
    or all are equal. Values are exact, or enclosed without `exact`, for very long turns. Choices
    are sorted by the lower bounds of their values; equal ones banking first, then higher scores.
    Raises InputError for impossible faces, or not one for each die.

    >>> from exactdice.games.farkle import solve
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
    ways = ways_after(turn, turn.menus, roll, at, left)
    finals = [
        rolling(at + way.score, way.left)
        if way.then == "roll"
        else turn.banking_worth(at + way.score) or 0
        for way in ways
    ]
    return judged(ways, [Enclosure.of(final) - at for final in finals])
