"""What a solver of arenas answers: values or bounds of every state, with moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.solve.arena import Mixed


@dataclass(frozen=True, eq=False)
class Solved:
    """Values or bounds of an arena, with moves that achieve them."""

    # lower, upper: bounds of the values by number of state; one list twice where they are exact
    lower: Sequence[Any] = field(repr=False)
    upper: Sequence[Any] = field(repr=False)
    # the number of a best move of each state, −1 where there is none
    chosen: Sequence[int] = field(repr=False)
    # all best moves of the states that have several, or that may have for all the bounds tell
    several: Mapping[int, tuple[int, ...]] = field(repr=False)
    # none where `lower` holds rationals that are the values; otherwise `lower` and `upper` hold
    # integers, to be divided by 2 to the power of `bits`
    bits: int | None = field(repr=False, default=None)
    # the strategies, one of each side, of states in which both choose at once
    mixed: Mapping[int, Mixed] = field(repr=False, default_factory=dict)
    method: str = "exact"  # how it was found, and whether exactly

    @property
    def values(self) -> Sequence[mpq]:
        """The values, where they are exact."""
        return self.lower

    def between(self, number: int) -> Enclosure:
        """Bounds of the value of a state; equal where it is exact."""
        lower, upper = self.lower[number], self.upper[number]
        if self.bits is None:
            return Enclosure(lower, upper)
        return Enclosure(mpq(lower, 1 << self.bits), mpq(upper, 1 << self.bits))
