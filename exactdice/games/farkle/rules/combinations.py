"""Multisets of faces, and the combinations of them that score.

A multiset of faces is packed into an integer, four bits a face: `pack`. The seventh nibble counts
jokers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted

FACES: Final = (1, 2, 3, 4, 5, 6)
JOKER: Final = 7
"""The slot of a joker among the faces; written ``J``."""

MAX_DICE: Final = 7  # counts stay below 8, so that a nibble neither carries nor meets its top bit


def pack(faces: Iterable[int]) -> int:
    """Pack a multiset of faces (1 to 6, 7 a joker) into an integer, four bits a face.

    >>> hex(pack([1, 1, 5])), hex(pack([JOKER]))
    ('0x10002', '0x1000000')
    """
    shown = [natural(face, "face", least=1, most=JOKER) for face in faces]
    if len(shown) > MAX_DICE:
        raise InputError("faces", Unquoted(f"{len(shown)} dice"), f"at most {MAX_DICE}")
    return sum(1 << 4 * (face - 1) for face in shown)


def unpack(packed: int) -> tuple[int, ...]:
    """Return the sorted faces of a packed multiset.

    >>> unpack(pack([5, 1, 1]))
    (1, 1, 5)
    """
    return tuple(face for face in (*FACES, JOKER) for _ in range((packed >> 4 * (face - 1)) & 0xF))


@dataclass(frozen=True)
class Combination:
    """Dice that score together: faces from 1 to 6, whose order does not matter, and points.

    >>> Combination((1, 1, 1), 1000)
    Combination(faces=(1, 1, 1), score=1000)
    """

    faces: tuple[int, ...]
    score: int

    def __post_init__(self) -> None:
        if not self.faces:
            raise InputError("combination", self.faces, "at least one face")
        faces = tuple(sorted(natural(f, "face", least=1, most=6) for f in self.faces))
        if len(faces) > MAX_DICE:
            raise InputError("combination", self.faces, f"at most {MAX_DICE} dice")
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "score", natural(self.score, "score", least=1))

    @property
    def packed(self) -> int:
        """The faces as a packed multiset."""
        return pack(self.faces)
