"""The rules: the number of throws and the die."""

from dataclasses import dataclass

from exactdice.arithmetic import natural
from exactdice.dice import Distribution, fair


@dataclass(frozen=True)
class Rules:
    """A game of at most `throws` throws of a fair die.

    Parameters
    ----------
    throws
        At least 1.
    sides
        Sides of the die, numbered from 1.
    """

    throws: int
    sides: int = 6

    def __post_init__(self) -> None:
        natural(self.throws, "throws", least=1)
        natural(self.sides, "sides", least=1)

    @property
    def die(self) -> Distribution[int]:
        """The die."""
        return fair(self.sides)
