"""What may be kept of a roll, with the dice that show it.

A *selection* is a set of the dice rolled in which every die scores. Two selections that show the
same faces and leave the same dice are one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.combinations import JOKER
from exactdice.games.farkle.rules.dice_sets import DiceSet, Die, parse_dice
from exactdice.games.farkle.rules.rule_set import RuleSet


@dataclass(frozen=True)
class Selection:
    """Dice that are kept: their faces, ascending, `JOKER` for a joker, and the dice that show them.

    `left` numbers the set of dice left.
    """

    keep: tuple[int, ...]
    kept: tuple[Die, ...]
    score: int
    left: int


def roll_text(faces: Iterable[int]) -> str:
    """Write faces between commas, J for a joker.

    >>> roll_text((1, 5, JOKER))
    '1,5,J'
    """
    return ",".join("J" if face == JOKER else str(face) for face in faces)


def parse_roll(text: str, argument: str = "roll") -> tuple[int, ...]:
    """Read the faces of a roll: numbers from 1 to 6, and J for a joker, between commas.

    >>> parse_roll("1, 5,J")
    (1, 5, 7)
    >>> parse_roll("1,7")
    Traceback (most recent call last):
    exactdice.errors.InputError: roll: got '7'; give faces from 1 to 6, or J for a joker
    """
    faces = []
    for item in text.split(","):
        face = item.strip().upper()
        if face not in {"1", "2", "3", "4", "5", "6", "J"}:
            raise InputError(argument, item.strip(), "faces from 1 to 6, or J for a joker")
        faces.append(JOKER if face == "J" else int(face))
    return tuple(faces)


def rolled_dice(
    dice: DiceSet, roll: Sequence[int], left: str | int | None = None
) -> tuple[Die, ...]:
    """Find which die shows each face of a roll, and check that it can.

    The dice rolled are given as text, or as a number where all dice are equal; they may be left out
    where all dice were rolled or all are equal.

    >>> from exactdice.games.farkle.rules.dice_sets import parse_dice
    >>> [str(die) for die in rolled_dice(parse_dice("fair*3,odd"), (1, 5), "fair,odd")]
    ['fair', 'odd']
    """
    if left is not None:
        dice.parse_state(str(left), "left")  # refuses dice that are not in the game
        written = str(left).strip()
        rolled = (
            dice.dice[: int(written)]
            if written.isdecimal()
            else parse_dice(written, "left", most=len(dice.dice)).dice
        )
    elif len(dice.kinds) == 1 or len(roll) == len(dice.dice):
        rolled = dice.dice[: len(roll)]
    else:
        raise InputError(
            "left", Unquoted("nothing"), "the dice rolled: not all are equal, nor all rolled"
        )
    if len(roll) != len(rolled):
        raise InputError(
            "roll", Unquoted(roll_text(roll)), f"{len(rolled)} faces, one for each die"
        )
    for face, die in zip(roll, rolled, strict=True):
        if face not in die.distribution():
            wanted = roll_text(sorted(die.distribution()))
            raise InputError(
                "roll", Unquoted(roll_text([face])), f"one of {wanted} for the die {die}"
            )
    return rolled


def selections(
    rules: RuleSet, all_dice: DiceSet, faces: Sequence[int], dice: Sequence[Die]
) -> list[Selection]:
    """List every selection from a roll, fewer dice first.

    >>> from exactdice.games.farkle.turn.exact import SIX_FAIR
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> [each.keep for each in selections(KCD, SIX_FAIR, (1, 5, 2), SIX_FAIR.dice[:3])]
    [(1,), (5,), (1, 5)]
    """
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
