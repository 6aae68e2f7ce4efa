"""Domains that FateStones alone knows: hands of dice, pairs of players, chances between bounds."""

from enum import StrEnum
from typing import Any

from exactdice.arithmetic import mpq, natural, text
from exactdice.errors import InputError
from exactdice.games.fatestones.players import player_name
from exactdice.games.fatestones.rules import Hand, decode_hand, encode_die, encode_hand
from exactdice.question.domains import Domain, Rational


class HandOfDice(Domain[Hand]):
    """Hands of one to three six-face dice.

    >>> HandOfDice().read("111666,123456", "row")
    ((1, 1, 1, 6, 6, 6), (1, 2, 3, 4, 5, 6))
    >>> HandOfDice().read("111667", "row")
    Traceback (most recent call last):
    exactdice.errors.InputError: row: got '111667'; give faces from 1 to 6
    """

    metavar = "DIE,…"

    def read(self, value: Any, name: str) -> Hand:
        """Read the encodings of dice with commas between, or a sequence of dice."""
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
        """Write the encodings with commas between."""
        return encode_hand(value)


class TwoPlayers(Domain[tuple[str, str]]):
    """Names of player 1 and player 2.

    >>> TwoPlayers().read("mcts:050, random", "players")
    ('mcts:50', 'random')
    """

    metavar = "P,Q"

    def read(self, value: Any, name: str) -> tuple[str, str]:
        """Read two names with a comma between, or a pair of names."""
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, tuple | list) or len(names) != 2:
            raise InputError(name, value, "two players with a comma between, as mcts:50,random")
        first, second = (player_name(player, name) for player in names)
        return first, second

    def write(self, value: tuple[str, str]) -> str:
        """Write the names with a comma between."""
        return ",".join(value)

    def describe(self) -> str:
        """Name the players that there are."""
        return "two of random, best, equilibrium, mcts:N, human"


class Between(Rational):
    """Exact numbers above `low` and below `high`.

    >>> Between(mpq(1, 2), mpq(1)).read(2, "confidence")
    Traceback (most recent call last):
    exactdice.errors.InputError: confidence: got 2; give a number above 1/2 and below 1
    """

    metavar = "C"

    def __init__(self, low: mpq, high: mpq) -> None:
        self.low, self.high = low, high

    def read(self, value: Any, name: str) -> mpq:
        """Read an exact number between the bounds."""
        number = super().read(value, name)
        if not self.low < number < self.high:
            raise InputError(name, value, f"a number {self.describe()}")
        return number

    def describe(self) -> str:
        """Name the bounds."""
        return f"above {text(self.low)} and below {text(self.high)}"


class Bag(StrEnum):
    """Whether the dice of a duel come out of the game's bag."""

    AVERAGE = "average"
    ANY = "any"


class Scratch(StrEnum):
    """What happens when all dice have tied."""

    AGAIN = "again"  #: the game starts again with a new deal
    ENDS = "ends"  #: the game is over without a winner


#: How confident an interval is, and by default.
CONFIDENCE = Between(mpq(0), mpq(1))
CONFIDENT = mpq(95, 100)
