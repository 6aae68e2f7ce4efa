"""The rules of FateStones: dice of chosen faces, hands from one bag, a duel of secret choices.

A die is the nondecreasing tuple of its faces; its encoding writes them as digits, so ``123456`` is
the ordinary die. A hand holds one to three dice. A deal gives each player a hand out of one bag,
without replacement. In a duel both players see both hands, choose a die in secret and roll; the
higher face wins. After a tie both rolled dice are out and the rest go on. When no dice are left the
game is a scratch, and starts again with a new deal.

Conventions: players are called row and column after the matrix game of their choices, row being
player 1 of the README; an outcome is +1 when row wins, −1 when column wins, 0 for a tie or a
scratch. The bag of the game holds each six-face die with faces 1 to 6 and mean 7/2 once.

Sets of dice are all with given faces and values, and the balanced ones. A die with n faces is a
multiset of n values from 1 to N, kept as a nondecreasing tuple; there are C(N + n − 1, n) of them.
A balanced die has N = n and the mean of the ordinary n-face die, (n + 1)/2. (Conrey, Gabbard,
Grant, Liu and Morrison, Intransitive Dice, 2016, call it proper.) The balanced dice are counted by
OEIS A076822: subtracting 1, 2, … from the sorted faces would turn each into a partition inside a
box, so their number is the middle coefficient of a Gaussian binomial.

Files hold one die a line, in the two forms of the FateStones files: ``txt`` has spaces between the
faces, ``csv`` commas.

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

from flint import fmpz_poly

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.question.domains import Domain

Die: TypeAlias = tuple[int, ...]
Hand: TypeAlias = tuple[Die, ...]

FACES = 6
HAND_SIZE = 3


def decode_die(encoding: str, name: str = "die", *, faces: int = FACES, highest: int = 6) -> Die:
    """Read a die from its encoding.

    >>> decode_die("113355")
    (1, 1, 3, 3, 5, 5)
    >>> decode_die("654321")
    Traceback (most recent call last):
    exactdice.errors.InputError: die: got '654321'; expected faces in nondecreasing order, here '123456'
    """
    highest = natural(highest, "highest", least=1, most=9)
    if not isinstance(encoding, str):
        raise InputError(name, encoding, f"text of {faces} digits such as '123456'")
    if len(encoding) != faces:
        raise InputError(name, encoding, f"{faces} digits, one a face, such as '123456'")
    if any(digit not in "123456789"[:highest] for digit in encoding):
        raise InputError(name, encoding, f"faces from 1 to {highest}")
    ordered = "".join(sorted(encoding))
    if encoding != ordered:
        raise InputError(name, encoding, f"faces in nondecreasing order, here '{ordered}'")
    return tuple(int(digit) for digit in encoding)


def encode_die(die: Die) -> str:
    """Write a die: one digit a face; with points between the faces where one has more digits."""
    return ("" if max(die) <= 9 else ".").join(map(str, die))


def decode_hand(encodings: str | Sequence[str], name: str = "hand") -> Hand:
    """Read a hand of one to three six-face dice: encodings with commas between, or a sequence."""
    parts = encodings.split(",") if isinstance(encodings, str) else list(encodings)
    parts = [part.strip() if isinstance(part, str) else part for part in parts]
    if not any(parts):
        raise InputError(name, Unquoted("no dice"), "one to three dice, as '111666,123456'")
    if len(parts) > HAND_SIZE:
        raise InputError(name, Unquoted(f"{len(parts)} dice"), "one to three dice")
    return tuple(decode_die(part, name) for part in parts)


def encode_hand(hand: Hand) -> str:
    """Write a hand: its dice's encodings with commas between them."""
    return ",".join(map(encode_die, hand))


@cache
def bag() -> tuple[Die, ...]:
    """The dice of the game, in the order of their encodings: six faces, 1 to 6, of mean 7/2."""
    dice = combinations_with_replacement(range(1, 7), FACES)
    return tuple(die for die in dice if 2 * sum(die) == 7 * FACES)


def check_hands(row: Hand, column: Hand, dice: Sequence[Die] | None = None) -> None:
    """Refuse two hands that cannot meet in a duel."""
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
            raise InputError("hands", encode_die(die), "dice of the bag: six faces of mean 7/2")
        if count > held[die]:
            times = Unquoted(f"{encode_die(die)} {'twice' if count == 2 else f'{count} times'}")
            raise InputError("hands", times, f"dice of which the bag holds {held[die]} each")


def deal(
    random: Random, dice: Sequence[Die] | None = None, size: int = HAND_SIZE
) -> tuple[Hand, Hand]:
    """Deal a hand to each player from one bag without replacement, all deals equally likely."""
    held = bag() if dice is None else dice
    size = natural(size, "size", least=1, most=min(HAND_SIZE, len(held) // 2))
    drawn = tuple(random.sample(held, 2 * size))
    return drawn[:size], drawn[size:]


def without(hand: Hand, choice: int) -> Hand:
    """The hand after the die at position `choice` has been rolled."""
    return hand[:choice] + hand[choice + 1 :]


def outcome(row_face: int, column_face: int) -> int:
    """+1 when row's face is higher, −1 when column's is, 0 for a tie."""
    return (row_face > column_face) - (row_face < column_face)


_SEPARATORS = {"txt": " ", "csv": ","}


class DiceCollection(StrEnum):
    """Which dice with a number of faces."""

    ALL = "all"  #: values from 1 to the number of faces
    AVERAGE = "average"  #: those of them whose mean is that of the ordinary die


class Bag(StrEnum):
    """Whether the dice of a duel come out of the game's bag."""

    AVERAGE = "average"
    ANY = "any"


def dice_in(which: DiceCollection, faces: int = 6) -> tuple[Die, ...]:
    """List the dice of a set."""
    return tuple(all_dice(faces, faces) if which is DiceCollection.ALL else balanced_dice(faces))


def all_dice(faces: int = 6, values: int = 6) -> Iterator[Die]:
    """All dice with `faces` faces and values 1 to `values`, in the order of their faces."""
    faces = natural(faces, "faces", least=1)
    values = natural(values, "values", least=1)
    return combinations_with_replacement(range(1, values + 1), faces)


def balanced_dice(faces: int = 6) -> Iterator[Die]:
    """All dice with `faces` faces, values 1 to `faces` and mean (`faces` + 1)/2, in order.

    Builds only what can still reach the mean, so the cost is in proportion to the answer.
    """
    faces = natural(faces, "faces", least=1)
    return _completions((), faces, faces * (faces + 1) // 2, faces)


def _completions(start: Die, more: int, total: int, highest: int) -> Iterator[Die]:
    """Dice that begin with `start` and have `more` further faces with the given total."""
    if more == 0:
        yield start  # the bounds below leave a total of 0
        return
    lowest = max(start[-1] if start else 1, total - (more - 1) * highest)
    for face in range(lowest, total // more + 1):
        yield from _completions((*start, face), more - 1, total - face, highest)


def count_balanced_dice(faces: int) -> int:
    """Number of balanced dice with `faces` faces, OEIS A076822.

    The Gaussian binomial as a product of polynomials by FLINT: about faces³ operations.
    """
    n = natural(faces, "faces", least=1)
    middle = n * (n - 1) // 2
    product = fmpz_poly([1])
    for i in range(1, n):
        factor = [0] * (n + i + 1)
        factor[0], factor[n + i] = 1, -1
        product *= fmpz_poly(factor)
        divisor = [0] * (i + 1)
        divisor[0], divisor[i] = 1, -1
        # Exact at each step: the partial products are Gaussian binomials themselves.
        product, _ = divmod(product, fmpz_poly(divisor))
    return int(product[middle])


def dice_text(dice: Iterable[Die], form: str = "txt") -> str:
    """The contents of a file of dice, one a line."""
    separator = _separator(form)
    return "".join(separator.join(map(str, die)) + "\n" for die in dice)


def dice_from_text(text: str, form: str = "txt") -> list[Die]:
    """Read what `dice_text` writes; blank lines and the order of a line's faces do not matter."""
    separator = _separator(form)
    dice = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            parts = [part for part in line.strip().split(separator) if part.strip()]
            faces = (natural(part, f"line {number}", least=1) for part in parts)
            dice.append(tuple(sorted(faces)))
    return dice


def read_dice(path: Path) -> tuple[Die, ...]:
    """Read the dice of a bag from a file: two hands or more, of six faces from 1 to 6."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError("dice", str(path), "a file of dice that can be read") from problem
    listed = dice_from_text(text, path.suffix[1:])
    dice = tuple(tuple(map(int, sorted(str(*d)))) if len(d) == 1 else d for d in listed)
    for die in dice:
        if len(die) != 6 or die[0] < 1 or die[-1] > 6:
            raise InputError("dice", die, "six faces from 1 to 6 a line")
    if len(dice) < 2 * HAND_SIZE:
        raise InputError(
            "dice", Unquoted(f"{len(dice)} dice"), f"a file of {2 * HAND_SIZE} or more"
        )
    if len(set().union(*dice)) == 1:
        raise InputError("dice", Unquoted("one value on all faces"), "dice that do not always tie")
    return dice


def _separator(form: str) -> str:
    if form not in _SEPARATORS:
        raise InputError("form", form, "'txt' or 'csv'")
    return _SEPARATORS[form]


class HandOfDice(Domain[Hand]):
    """Hands of one to three six-face dice."""

    metavar = "DIE,…"

    def read(self, value: Any, name: str) -> Hand:
        if not isinstance(value, str | tuple | list):
            raise InputError(name, value, "one to three dice, as '111666,123456'")
        if isinstance(value, str):
            return decode_hand(value, name)
        encodings = []
        for die in value:
            if isinstance(die, tuple | list) and die:
                die = encode_die(tuple(natural(face, name, least=1) for face in die))
            encodings.append(die)
        return decode_hand(encodings, name)

    def write(self, value: Hand) -> str:
        return encode_hand(value)
