"""Rules of FateStones: dice, hands from one bag, and a duel of simultaneous choices.

A die is the nondecreasing tuple of its faces; its encoding writes them as digits, for example
``123456``. A hand is one to three dice. A deal gives each player a hand out of one bag, without
replacement. In a duel both players see both hands, choose a die in secret and roll; the higher face
wins. After a tie both rolled dice are out and the duel continues with the rest. If no dice are left
the game is a scratch, and starts again with a new deal.

Conventions: row and column are players 1 and 2 of the README. An outcome is +1 if row wins, −1 if
column wins, 0 for a tie or a scratch. The bag of the game has each six-face die with faces 1 to 6
and mean 7/2 once.

There are C(N + n − 1, n) dice with n faces and values 1 to N. A balanced die has N = n and the mean
(n + 1)/2 of the ordinary die (proper in Conrey, Gabbard, Grant, Liu and Morrison, Intransitive
Dice, 2016). The balanced dice are counted by OEIS A076822: subtracting 1, 2, … from the sorted
faces gives a partition inside a box, so their number is the middle coefficient of a Gaussian
binomial.

Files have one die per line, in the two forms of the FateStones files: ``txt`` with spaces between
the faces, ``csv`` with commas.

Source: the FateStones README.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from exactdice.arithmetic import natural
from exactdice.errors import ConflictError, InputError, Unquoted, one_named
from exactdice.question.domains import Domain

Die: TypeAlias = tuple[int, ...]
Hand: TypeAlias = tuple[Die, ...]

FACES = 6
HAND_SIZE = 3


def decode_die(encoding: str, name: str = "die", *, faces: int = FACES, highest: int = 6) -> Die:
    """Read a die from its encoding."""
    highest = natural(highest, "highest", least=1, most=9)
    if not isinstance(encoding, str) or len(encoding) != faces:
        raise InputError(name, encoding, f"{faces} digits, one per face, such as '123456'")
    if any(digit not in "123456789"[:highest] for digit in encoding):
        raise InputError(name, encoding, f"faces from 1 to {highest}")
    ordered = "".join(sorted(encoding))
    if encoding != ordered:
        raise InputError(name, encoding, f"faces in nondecreasing order, here '{ordered}'")
    return tuple(map(int, encoding))


def encode_die(die: Die) -> str:
    """Return the encoding of a die: one digit per face, or numbers separated by points."""
    return ("" if max(die) <= 9 else ".").join(map(str, die))


def decode_hand(encodings: str | Sequence[str], name: str = "hand") -> Hand:
    """Read one to three six-face dice: encodings separated by commas, or a sequence."""
    parts = encodings.split(",") if isinstance(encodings, str) else list(encodings)
    parts = [part.strip() if isinstance(part, str) else part for part in parts]
    if not any(parts):
        raise InputError(name, Unquoted("no dice"), "one to three dice such as '111666,123456'")
    if len(parts) > HAND_SIZE:
        raise InputError(name, Unquoted(f"{len(parts)} dice"), "one to three dice")
    return tuple(decode_die(part, name) for part in parts)


def encode_hand(hand: Hand) -> str:
    return ",".join(map(encode_die, hand))


@cache
def bag() -> tuple[Die, ...]:
    """Return the dice of the game in the order of their encodings."""
    return tuple(balanced_dice(FACES))


def check_hands(row: Hand, column: Hand, dice: Sequence[Die] | None = None) -> None:
    """Raise InputError if two hands cannot meet in a duel, or are not out of a bag of `dice`."""
    for name, hand in (("row hand", row), ("column hand", column)):
        if not 1 <= len(hand) <= HAND_SIZE:
            raise InputError(name, Unquoted(f"{len(hand)} dice"), "one to three dice")
    if len(row) != len(column):
        sizes = Unquoted(f"{len(row)} dice against {len(column)}")
        raise InputError("hands", sizes, "two hands of equal size")
    if dice is None:
        return
    held = Counter(dice)
    for die, count in Counter(row + column).items():
        if die not in held:
            raise InputError("hands", encode_die(die), "six faces of mean 7/2, or --bag any")
        if count > held[die]:
            times = Unquoted(f"{encode_die(die)} {'twice' if count == 2 else f'{count} times'}")
            raise InputError("hands", times, f"at most {held[die]} of this die, as in the bag")


def deal(
    random: Random, dice: Sequence[Die] | None = None, size: int = HAND_SIZE
) -> tuple[Hand, Hand]:
    """Deal a hand to each player from one bag without replacement, uniformly."""
    held = bag() if dice is None else dice
    size = natural(size, "size", least=1, most=min(HAND_SIZE, len(held) // 2))
    drawn = tuple(random.sample(held, 2 * size))
    return drawn[:size], drawn[size:]


def without(hand: Hand, choice: int) -> Hand:
    return hand[:choice] + hand[choice + 1 :]


def outcome(row_face: int, column_face: int) -> int:
    return (row_face > column_face) - (row_face < column_face)


_SEPARATORS = {"txt": " ", "csv": ","}


class DiceCollection(StrEnum):
    ALL = "all"  #: values from 1 to the number of faces
    AVERAGE = "average"  #: those with the mean of the ordinary die


class Bag(StrEnum):
    """Dice allowed in a duel: those of the game's bag, or any."""

    AVERAGE = "average"
    ANY = "any"


def dice_in(which: DiceCollection, faces: int = 6) -> tuple[Die, ...]:
    return tuple(all_dice(faces, faces) if which is DiceCollection.ALL else balanced_dice(faces))


def all_dice(faces: int = 6, values: int = 6) -> Iterator[Die]:
    faces = natural(faces, "faces", least=1)
    values = natural(values, "values", least=1)
    return combinations_with_replacement(range(1, values + 1), faces)


def balanced_dice(faces: int = 6) -> Iterator[Die]:
    """Return all balanced dice with `faces` faces, in order; the cost is linear in their number."""
    faces = natural(faces, "faces", least=1)
    return _completions((), faces, faces * (faces + 1) // 2, faces)


def _completions(start: Die, more: int, total: int, highest: int) -> Iterator[Die]:
    if more == 0:
        yield start  # the bounds below leave a total of 0
        return
    lowest = max(start[-1] if start else 1, total - (more - 1) * highest)
    for face in range(lowest, total // more + 1):
        yield from _completions((*start, face), more - 1, total - face, highest)


def count_balanced_dice(faces: int) -> int:
    """Return the middle coefficient of the Gaussian binomial (OEIS A076822); about faces³ steps."""
    n = natural(faces, "faces", least=1)
    middle = n * (n - 1) // 2
    from flint import fmpz_poly  # has 7 MB in a browser, for this count only

    product = fmpz_poly([1])
    for i in range(1, n):
        product *= fmpz_poly([1, *[0] * (n + i - 1), -1])
        # Exact at each step: the partial products are Gaussian binomials themselves.
        product, _ = divmod(product, fmpz_poly([1, *[0] * (i - 1), -1]))
    return int(product[middle])


def dice_text(dice: Iterable[Die], form: str = "txt") -> str:
    separator = _separator(form)
    return "".join(separator.join(map(str, die)) + "\n" for die in dice)


def dice_from_text(text: str, form: str = "txt") -> list[Die]:
    separator = _separator(form)
    dice = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            parts = [part for part in line.strip().split(separator) if part.strip()]
            faces = (natural(part, f"line {number}", least=1) for part in parts)
            dice.append(tuple(sorted(faces)))
    return dice


def read_dice(path: Path) -> tuple[Die, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConflictError(f"{path}:", "file not found") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError("dice", str(path), "a readable file of dice") from problem
    listed = dice_from_text(text, path.suffix[1:])
    dice = tuple(tuple(map(int, sorted(str(*d)))) if len(d) == 1 else d for d in listed)
    for die in dice:
        if len(die) != 6 or die[0] < 1 or die[-1] > 6:
            raise InputError("dice", die, "six faces from 1 to 6 per line")
    if len(dice) < 2 * HAND_SIZE:
        raise InputError("dice", Unquoted(f"{len(dice)} dice"), f"at least {2 * HAND_SIZE} dice")
    if len(set().union(*dice)) == 1:
        raise InputError("dice", Unquoted("one value on all faces"), "dice that do not always tie")
    return dice


def _separator(form: str) -> str:
    return one_named(_SEPARATORS, form, "form")


class HandOfDice(Domain[Hand]):
    metavar = "DIE,…"

    def read(self, value: Any, name: str) -> Hand:
        if isinstance(value, str):
            return decode_hand(value, name)
        if not isinstance(value, tuple | list):
            raise InputError(name, value, "one to three dice such as '111666,123456'")
        encodings = []
        for die in value:
            if isinstance(die, tuple | list) and die:
                die = encode_die(tuple(natural(face, name, least=1) for face in die))
            encodings.append(die)
        return decode_hand(encodings, name)

    def write(self, value: Hand) -> str:
        return encode_hand(value)
