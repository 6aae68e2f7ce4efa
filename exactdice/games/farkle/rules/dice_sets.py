r"""Dice of a Farkle player: named or weighted dice, and sets of them.

A `Die` has six faces with integer weights; a *joker* die has a devil's head in place of face 1. As
text, a `DiceSet` is a list of items between commas, in the order in which rolls show their faces.
Each is a name or six weights between colons, with an optional count:
``fair*3,368:105:105:105:105:212*2,odd``. A ``J`` after the first weight marks a joker.

Dice with the same weights form one kind. The dice left in a turn are numbered in mixed radix:
:math:`\sum_k r_k \prod_{j<k}(c_j + 1)` for :math:`r_k \le c_k` dice of kind :math:`k`. For six
different dice this is the bit mask of the KCD Farkle README's :math:`\delta \subseteq D`.

Source of the named dice: the comment at the head of ``named_dice.csv``.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import accumulate, groupby
from math import gcd, prod
from operator import mul

from exactdice.arithmetic import natural, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, choices
from exactdice.games.farkle.rules.rule_set import FACES, JOKER

MAX_OWNED = 100  #: dice of a player's collection

_ITEM = re.compile(r"([^*]*+)(?:\*\s*+([0-9]++)\s*+)?", re.ASCII)


@dataclass(frozen=True)
class Die:
    """One die: integer weights of its six faces, in lowest terms; a joker may replace face 1."""

    weights: tuple[int, ...]
    joker: bool = False

    def __post_init__(self) -> None:
        if len(self.weights) != len(FACES):
            raise InputError("weights", self.weights, "six weights, one for each face")
        weights = [natural(weight, "weight") for weight in self.weights]
        if not any(weights):
            raise InputError("weights", self.weights, "at least one positive weight")
        common = gcd(*weights)
        object.__setattr__(self, "weights", tuple(weight // common for weight in weights))

    @property
    def denominator(self) -> int:
        return sum(self.weights)

    @property
    def faces(self) -> tuple[int, ...]:
        return (JOKER, *FACES[1:]) if self.joker else FACES

    def distribution(self) -> Distribution[int]:
        return Distribution(dict(zip(self.faces, self.weights, strict=True)))

    def __str__(self) -> str:
        for name, die in named_dice().items():
            if die == self:
                return name
        first, *others = map(text, self.weights)
        return ":".join([first + "J" * self.joker, *others])


FAIR = Die((1,) * 6)


@cache
def named_dice() -> Mapping[str, Die]:
    source = resources.files("exactdice.games.farkle").joinpath("named_dice.csv")
    lines = source.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {
        row["name"]: Die(tuple(int(row[str(face)]) for face in FACES), row["joker"] == "1")
        for row in rows
    }


def _parse_die(item: str, argument: str) -> Die:
    if ":" in item:
        weights = item.split(":")
        if len(weights) != len(FACES):
            raise InputError(argument, item, "six weights between colons, for faces 1 to 6")
        joker = weights[0].strip().upper().endswith("J")
        weights[0] = weights[0].strip()[: -1 if joker else None]
        return Die(tuple(natural(weight, f"{argument}: weight") for weight in weights), joker)
    if item not in named_dice():
        raise InputError(
            argument,
            item,
            f"six weights a:…:f, or {choices(list(named_dice()), item, 'exactdice farkle dice')}",
        )
    return named_dice()[item]


def parse_dice(text: str, argument: str = "dice", *, most: int = 6) -> "DiceSet":
    """Read a set of dice from its text, a list of items between commas, as in the module.

    Errors call it `argument`. Raises InputError for an unreadable item, an unknown die, no dice, or
    more than `most`, the limit of the rules.

    Examples
    --------
    >>> print(parse_dice("fair*3, 368:105:105:105:105:212*2, odd"))
    fair*3,368:105:105:105:105:212*2,odd
    >>> parse_dice("fair*7")
    Traceback (most recent call last):
    exactdice.errors.InputError: dice: got 7; expected at most 6 dice
    """
    dice: list[Die] = []
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        name = match[1].strip() if match else ""
        if match is None or not name:
            raise InputError(argument, item, "a die and an optional count, such as 'odd*2'")
        die = _parse_die(name, argument)
        count = natural(match[2] or 1, f"{argument}: count", least=1)
        if len(dice) + count > most:
            raise InputError(argument, len(dice) + count, f"at most {most} dice")
        dice.extend([die] * count)
    return DiceSet(dice)


def _counted(die: Die, number: int) -> str:
    return str(die) if number == 1 else f"{die}*{number}"


class DiceSet:
    """Dice in their written order; for solving, equal ones are grouped into kinds."""

    def __init__(self, dice: Iterable[Die]) -> None:
        self.dice = tuple(dice)
        if not self.dice:
            raise InputError("dice", self.dice, "at least one die")
        self.kinds: tuple[Die, ...] = tuple(dict.fromkeys(self.dice))
        self.counts: tuple[int, ...] = tuple(self.dice.count(kind) for kind in self.kinds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiceSet) and self.dice == other.dice

    def __hash__(self) -> int:
        return hash(self.dice)

    def __repr__(self) -> str:
        return f"parse_dice({str(self)!r})"

    def __str__(self) -> str:
        runs = ((die, len(list(equal))) for die, equal in groupby(self.dice))
        return ",".join(_counted(die, number) for die, number in runs)

    @cached_property
    def radices(self) -> tuple[int, ...]:
        """Place value of each kind in the number of a set of dice left."""
        return tuple(accumulate((count + 1 for count in self.counts[:-1]), mul, initial=1))

    @property
    def states(self) -> int:
        """Number of sub-multisets, including the empty one; the last is the whole set."""
        return prod(count + 1 for count in self.counts)

    @property
    def full(self) -> int:
        return self.states - 1

    @property
    def jokers(self) -> int:
        return sum(die.joker for die in self.dice)

    @property
    def denominator(self) -> int:
        return prod(die.denominator for die in self.dice)

    def left(self, state: int) -> tuple[int, ...]:
        return tuple(
            state // value % (count + 1)
            for value, count in zip(self.radices, self.counts, strict=True)
        )

    def state(self, left: Iterable[int]) -> int:
        return sum(r * value for r, value in zip(left, self.radices, strict=True))

    def size(self, state: int) -> int:
        return sum(self.left(state))

    def state_of(self, dice: Iterable[Die], argument: str = "left") -> int:
        chosen = list(dice)
        left = [chosen.count(kind) for kind in self.kinds]
        excess = any(r > count for r, count in zip(left, self.counts, strict=True))
        if excess or sum(left) != len(chosen):
            raise InputError(argument, ",".join(map(str, chosen)), f"dice that are among {self}")
        return self.state(left)

    def parse_state(self, text: str, argument: str = "left") -> int:
        """Read dice left from text; a number suffices if all dice are equal."""
        if len(self.kinds) == 1 and text.strip().isdecimal():
            return natural(text, argument, least=1, most=len(self.dice))
        return self.state_of(parse_dice(text, argument, most=len(self.dice)).dice, argument)

    def describe(self, state: int) -> str:
        left = zip(self.kinds, self.left(state), strict=True)
        return ",".join(_counted(kind, number) for kind, number in left if number) or "-"

    def proper_states(self) -> Iterator[int]:
        return iter(range(1, self.states))
