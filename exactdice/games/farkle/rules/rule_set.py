r"""Rules of Farkle: what scores, what may be banked, what a bust costs.

A turn begins with all dice. The player rolls, keeps some of the dice that score, adds their points
to the points of the turn, and then either banks those points or rolls the dice that are left. A
roll in which nothing scores is a *bust*: the turn ends and its points are lost.

A `RuleSet` is data. A *combination* is a multiset of faces with a score; a multiset is packed into
an integer, four bits a face (`pack`), of which the seventh nibble counts jokers. The score of a
selection of dice is the most that it is worth as a disjoint union of combinations that uses every
die of it, and a selection that is no such union may not be kept. The conventions are fields:

``minimum_bank``
    Points below which a turn may not be banked.
``hot_dice``
    When every die has scored, the player may roll all of them again (true), or must bank (false).
``penalty``
    Points that a bust costs beyond the points of the turn.
``target``
    Points at which a turn ends, or None.
``entry_minimum``
    Points below which a player whose score is 0 may not bank: what it takes to open the account.
``streak_penalty``
    Points that the score loses with every third bust in a row; banking ends a row, and so does the
    loss.
``floor``
    How far below 0 that can bring a score; further losses stop there.

The last three need the score or the turns before, so that they mean nothing within a single turn.

A *joker* stands for any face inside a combination of two or more dice of which at least one is a
natural face; it never scores on its own, and neither do several jokers without a natural face.

The rules of known tables are in `rules.tables`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from math import gcd
from typing import Final

from exactdice.arithmetic import RationalLike, natural, rational
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
    """Dice that score together: faces from 1 to 6, whose order does not matter, and points."""

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


STREAK: Final = 3
"""Busts in a row that cost the streak penalty."""

_HIGH_BITS: Final = 0x8888888  # the top bit of each nibble


@dataclass(frozen=True)
class RuleSet:
    """The rules of one game, as data; the module says what they mean.

    Points are whole multiples of `unit`. A player has at most seven dice, and where the same faces
    are listed twice the higher score counts.

    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> KCD.varied(target=4000)
    RuleSet('kcd', target=4000)
    """

    name: str
    combinations: tuple[Combination, ...]
    dice: int = 6
    minimum_bank: int = 0
    hot_dice: bool = True
    penalty: int = 0
    target: int | None = None
    entry_minimum: int = 0
    streak_penalty: int = 0
    floor: int = 0

    def __post_init__(self) -> None:
        if not self.combinations:
            raise InputError("combinations", self.combinations, "at least one combination")
        read = {"dice": natural(self.dice, "dice", least=1, most=MAX_DICE)}
        for field in ("minimum_bank", "penalty", "entry_minimum", "streak_penalty", "floor"):
            read[field] = self.whole_points(getattr(self, field), field)
        if self.target is not None:
            read["target"] = self.whole_points(self.target, "target", least=self.unit)
        for field, number in read.items():
            object.__setattr__(self, field, number)
        for field in ("minimum_bank", "entry_minimum"):
            if self.target is not None and read[field] > self.target:
                raise InputError(field, read[field], "at most the target")

    def __repr__(self) -> str:
        """Show the name and what differs from the defaults, so that signatures stay short."""
        shown = ((each, getattr(self, each.name)) for each in fields(self)[2:])
        changed = (f"{each.name}={value!r}" for each, value in shown if value != each.default)
        return f"RuleSet({', '.join([repr(self.name), *changed])})"

    @property
    def unit(self) -> int:
        """The greatest common divisor of all scores: points always are a multiple of it."""
        return gcd(*(combination.score for combination in self.combinations))

    @property
    def highest_score(self) -> int:
        """The most that one roll can score."""
        return max(selection_scores(self, 0).values())

    def conventions(self) -> dict[str, str]:
        """Name and meaning of every convention in force, for the provenance of a result."""
        again = "all may be rolled again" if self.hot_dice else "the turn has to be banked"
        of_the_score = {
            "entry minimum": (
                self.entry_minimum,
                "to bank with a score of 0; a turn by itself is one with a score above 0",
            ),
            "streak penalty": (
                self.streak_penalty,
                f"off the score with every third bust in a row, down to {-self.floor}",
            ),
        }
        return {
            "rules": f"{self.name}, up to {self.dice} dice",
            "target": "none" if self.target is None else str(self.target),
            "hot dice": f"after all dice have scored, {again}",
            "minimum bank": str(self.minimum_bank),
            "penalty of a bust": f"{self.penalty} beyond the points of the turn",
            "joker": "completes any combination with a natural face; never scores alone",
            **{name: f"{points} {what}" for name, (points, what) in of_the_score.items() if points},
        }

    def other_conventions(self, second: "RuleSet") -> dict[str, str]:
        """Name and meaning of every convention of a second player that differs from these."""
        ours = self.conventions()
        return {
            f"{name} of the second": what
            for name, what in second.conventions().items()
            if ours.get(name) != what
        }

    def least_to_bank(self, score: int) -> int:
        """Points that a turn needs to be banked by a player with a score."""
        return max(self.minimum_bank, self.entry_minimum) if score == 0 else self.minimum_bank

    def fall(self, score: int, busts: int) -> int:
        """Points that a bust takes off a score, beyond those of the turn, after 0 to 2 busts."""
        if busts < STREAK - 1:
            return self.penalty
        return self.penalty + max(min(self.streak_penalty, score + self.floor), 0)

    def whole_points(self, points: RationalLike, name: str, *, least: int = 0) -> int:
        """Read a number of points and refuse what is no multiple of `unit`; nothing is rounded.

        Any exact number or its text is read, as `exactdice.arithmetic.rational` does.

        >>> from exactdice.games.farkle import KCD
        >>> KCD.whole_points("6000", "target")
        6000
        >>> KCD.whole_points(6010, "target")
        Traceback (most recent call last):
        exactdice.errors.InputError: target: got 6010; expected a multiple of 50, of at least 0
        """
        wanted = f"a multiple of {self.unit}, of at least {least}"
        try:
            exact = rational(points, name)
        except InputError as error:
            raise InputError(name, points, wanted) from error
        if exact < least or exact % self.unit:
            raise InputError(name, points, wanted)
        return int(exact)

    def score(self, faces: Iterable[int]) -> int:
        """Points of a selection, 0 where some die of it does not score; a joker is 7, `JOKER`."""
        packed = pack(faces)
        shown = unpack(packed)
        if len(shown) > self.dice:
            raise InputError("faces", Unquoted(f"{len(shown)} dice"), f"at most {self.dice}")
        return selection_scores(self, shown.count(JOKER)).get(packed, 0)

    def varied(self, **changes: object) -> "RuleSet":
        """Return the same rules with some fields changed."""
        try:
            return replace(self, **changes)  # type: ignore[arg-type]
        except InputError as error:
            # What does not fit together is the fault of what was changed.
            least = {"minimum_bank": "minimum bank", "entry_minimum": "entry minimum"}
            blamed = {error.argument, "combinations"} & set(changes)
            if error.argument in least and not blamed:
                wanted = f"at least {getattr(self, error.argument)}, the {least[error.argument]}"
                raise InputError("target", changes["target"], wanted) from error
            raise


def require_no_streaks(rules: RuleSet) -> None:
    """Refuse rules under which busts in a row cost points, where they are not counted."""
    if rules.streak_penalty:
        wanted = "0: busts in a row are not counted here"
        raise InputError("streak_penalty", rules.streak_penalty, wanted)


@cache
def selection_scores(rules: RuleSet, jokers: int) -> Mapping[int, int]:
    """Score of every selection in which each die scores, at most `jokers` of them jokers.

    Keys are packed multisets of at most `rules.dice` faces. Every selection is built up from the
    empty one by adding combinations in a fixed order, so that each is reached, and the best way to
    split it wins. Some hundred selections; milliseconds.
    """
    patterns: dict[int, tuple[int, int]] = {}
    for combination in rules.combinations:
        for packed in _with_jokers(combination.faces, jokers):
            size, score = len(combination.faces), combination.score
            patterns[packed] = max(patterns.get(packed, (size, 0)), (size, score))
    best: dict[int, int] = {0: 0}
    sizes = {0: 0}
    for packed, (size, score) in patterns.items():
        # Ascending sizes would miss nothing either; a queue lets one pattern be used repeatedly.
        queue = list(best)
        for selection in queue:
            if sizes[selection] + size > rules.dice:
                continue
            joined = selection + packed
            if (joined >> 24) > jokers:
                continue
            if joined not in sizes:
                sizes[joined] = sizes[selection] + size
                queue.append(joined)
            elif best[joined] < best[selection] + score:
                queue.append(joined)  # a better split must be carried on
            best[joined] = max(best.get(joined, 0), best[selection] + score)
    del best[0]
    return best


def _with_jokers(faces: tuple[int, ...], jokers: int) -> set[int]:
    """Pack the faces in every way in which jokers replace some of them, but not all."""
    most = min(jokers, len(faces) - 1)
    return {
        pack(natural_faces) + pack([JOKER] * replaced)
        for replaced in range(most + 1)
        for natural_faces in combinations(faces, len(faces) - replaced)
    }


@cache
def scoring_selections(rules: RuleSet, roll: int, jokers: int) -> tuple[tuple[int, int], ...]:
    """List the selections from a roll, packed, that score, as (packed selection, score).

    `jokers` are the most that any roll can show.
    """
    guarded = roll | _HIGH_BITS
    return tuple(
        (selection, score)
        for selection, score in selection_scores(rules, jokers).items()
        # No nibble borrows from its guard bit exactly where the roll holds the selection.
        if (guarded - selection) & _HIGH_BITS == _HIGH_BITS
    )
