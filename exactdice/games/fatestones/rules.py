"""The rules of FateStones: dice of chosen faces, hands from one bag, a duel of secret choices.

A die is the nondecreasing tuple of its faces; its encoding writes them as digits, so ``123456`` is
the ordinary die. A hand holds one to three dice. A deal gives each player a hand out of one bag,
without replacement. In a duel both players see both hands, choose a die in secret and roll; the
higher face wins. After a tie both rolled dice are out and the rest go on. When no dice are left the
game is a scratch, and starts again with a new deal.

Conventions: players are called row and column after the matrix game of their choices, row being
player 1 of the README; an outcome is +1 when row wins, −1 when column wins, 0 for a tie or a
scratch. The bag of the game holds each six-face die with faces 1 to 6 and mean 7/2 once.

Source: the FateStones README.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import TypeAlias

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted

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
    exactdice.errors.InputError: die: got '654321'; give faces in nondecreasing order, here '123456'
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
