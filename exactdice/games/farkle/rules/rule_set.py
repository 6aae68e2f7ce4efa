"""Rules of Farkle: scores, conditions to bank, and the cost of a bust.

A turn begins with all dice. The player rolls, keeps some of the dice that score, adds their points
to the points of the turn, and then either banks those points or rolls the remaining dice. A roll in
which nothing scores is a *bust*: the turn ends and its points are lost.

A *combination* is a multiset of faces with a score. A multiset is packed into an integer, four bits
a face (`pack`); the seventh nibble counts jokers. The score of a selection of dice is its highest
total as a disjoint union of combinations that uses every die; a selection without such a union may
not be kept. A *joker* stands for any face in a combination of at least two dice that includes a
natural face; it never scores without one. The rules of known games are in `rules.tables`.
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

MAX_DICE: Final = 7  # counts below 8 leave the top bit of a nibble free


def pack(faces: Iterable[int]) -> int:
    """Pack a multiset of faces (1 to 6, 7 a joker) into an integer, four bits a face."""
    shown = [natural(face, "face", least=1, most=JOKER) for face in faces]
    if len(shown) > MAX_DICE:
        raise InputError("faces", Unquoted(f"{len(shown)} dice"), f"at most {MAX_DICE}")
    return sum(1 << 4 * (face - 1) for face in shown)


def unpack(packed: int) -> tuple[int, ...]:
    """Return the sorted faces of a packed multiset."""
    return tuple(face for face in (*FACES, JOKER) for _ in range((packed >> 4 * (face - 1)) & 0xF))


@dataclass(frozen=True)
class Combination:
    """Dice that score together: faces from 1 to 6 in any order, and points."""

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
    """The rules of one game. Points are multiples of `unit`; of equal faces the best score counts.

    Entry minimum, streak penalty and floor depend on the score or on earlier turns, so they do not
    affect a single turn.
    """

    name: str
    combinations: tuple[Combination, ...]
    dice: int = 6  #: most dice of a player, at most 7
    minimum_bank: int = 0  #: points below which a turn may not be banked
    hot_dice: bool = True  #: after all dice have scored, roll them again, or bank (false)
    penalty: int = 0  #: points that a bust costs beyond the points of the turn
    target: int | None = None  #: points at which a turn ends
    entry_minimum: int = 0  #: points below which a player with a score of 0 may not bank
    streak_penalty: int = 0  #: points that every third bust in a row costs; it ends the row
    floor: int = 0  #: furthest that the streak penalty can take the score below 0

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
        shown = ((each, getattr(self, each.name)) for each in fields(self)[2:])
        changed = (f"{each.name}={value!r}" for each, value in shown if value != each.default)
        return f"RuleSet({', '.join([repr(self.name), *changed])})"

    @property
    def required_target(self) -> int:
        if self.target is None:
            raise InputError("target", Unquoted("none"), "a number of points")
        return self.target

    @property
    def unit(self) -> int:
        """The greatest common divisor of all scores; all points are multiples of it."""
        return gcd(*(combination.score for combination in self.combinations))

    @property
    def highest_score(self) -> int:
        return max(selection_scores(self, 0).values())

    def conventions(self) -> dict[str, str]:
        again = "all may be rolled again" if self.hot_dice else "the turn has to be banked"
        of_the_score = {}
        if self.entry_minimum:
            words = f"{self.entry_minimum} to bank with a score of 0; ignored for single turns"
            of_the_score["entry minimum"] = words
        if self.streak_penalty:
            words = f"{self.streak_penalty} off the score with every third bust in a row"
            of_the_score["streak penalty"] = f"{words}, down to {-self.floor}"
        return {
            "rules": f"{self.name}, up to {self.dice} dice",
            "target": "none" if self.target is None else str(self.target),
            "hot dice": f"after all dice have scored, {again}",
            "minimum bank": str(self.minimum_bank),
            "penalty of a bust": f"{self.penalty} beyond the points of the turn",
            "joker": "completes any combination with a natural face; never scores alone",
            **of_the_score,
        }

    def other_conventions(self, second: "RuleSet") -> dict[str, str]:
        ours = self.conventions()
        return {
            f"{name} of the second": what
            for name, what in second.conventions().items()
            if ours.get(name) != what
        }

    def least_to_bank(self, score: int) -> int:
        return max(self.minimum_bank, self.entry_minimum) if score == 0 else self.minimum_bank

    def fall(self, score: int, busts: int) -> int:
        """Return the points that a bust takes off a score after 0 to 2 busts in a row."""
        if busts < STREAK - 1:
            return self.penalty
        return self.penalty + max(min(self.streak_penalty, score + self.floor), 0)

    def whole_points(self, points: RationalLike, name: str, *, least: int = 0) -> int:
        """Read a number of points, a multiple of `unit`; nothing is rounded."""
        wanted = f"a multiple of {self.unit}, of at least {least}"
        try:
            exact = rational(points, name)
        except InputError as error:
            raise InputError(name, points, wanted) from error
        if exact < least or exact % self.unit:
            raise InputError(name, points, wanted)
        return int(exact)

    def score(self, faces: Iterable[int]) -> int:
        """Points of a selection, 0 if some die of it does not score; a joker is 7, `JOKER`."""
        packed = pack(faces)
        shown = unpack(packed)
        if len(shown) > self.dice:
            raise InputError("faces", Unquoted(f"{len(shown)} dice"), f"at most {self.dice}")
        return selection_scores(self, shown.count(JOKER)).get(packed, 0)

    def varied(self, **changes: object) -> "RuleSet":
        try:
            return replace(self, **changes)  # type: ignore[arg-type]
        except InputError as error:
            least = {"minimum_bank": "minimum bank", "entry_minimum": "entry minimum"}
            blamed = {error.argument, "combinations"} & set(changes)
            if error.argument in least and not blamed:
                wanted = f"at least {getattr(self, error.argument)}, the {least[error.argument]}"
                raise InputError("target", changes["target"], wanted) from error
            raise


def require_no_streaks(rules: RuleSet) -> None:
    if rules.streak_penalty:
        wanted = "0: busts in a row are not counted here"
        raise InputError("streak_penalty", rules.streak_penalty, wanted)


@cache
def selection_scores(rules: RuleSet, jokers: int) -> Mapping[int, int]:
    """Score every selection in which each die scores, with at most some jokers; some hundred.

    Keys are packed. Combinations are added to the empty selection in a fixed order, so that every
    selection is reached; the best split determines its score.
    """
    patterns: dict[int, tuple[int, int]] = {}
    for combination in rules.combinations:
        sized = len(combination.faces), combination.score
        for packed in _with_jokers(combination.faces, jokers):
            patterns[packed] = max(patterns.get(packed, (0, 0)), sized)
    best: dict[int, int] = {0: 0}
    sizes = {0: 0}
    for packed, (size, score) in patterns.items():
        # The queue lets one pattern be used repeatedly.
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
                queue.append(joined)  # a better split must be extended
            best[joined] = max(best.get(joined, 0), best[selection] + score)
    del best[0]
    return best


def _with_jokers(faces: tuple[int, ...], jokers: int) -> set[int]:
    most = min(jokers, len(faces) - 1)
    return {
        pack(natural_faces) + pack([JOKER] * replaced)
        for replaced in range(most + 1)
        for natural_faces in combinations(faces, len(faces) - replaced)
    }


@cache
def scoring_selections(rules: RuleSet, roll: int, jokers: int) -> tuple[tuple[int, int], ...]:
    """List the scoring (selection, score) of a roll; `jokers` is the largest number in any roll."""
    guarded = roll | _HIGH_BITS
    return tuple(
        (selection, score)
        for selection, score in selection_scores(rules, jokers).items()
        # No nibble borrows from its guard bit exactly where the roll holds the selection.
        if (guarded - selection) & _HIGH_BITS == _HIGH_BITS
    )
