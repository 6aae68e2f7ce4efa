"""Games for one player in which each turn of dice is scored in a box of a sheet.

A turn is a number of rolls with free rerolls (`exactdice.solve.keeping`). An upper box scores the
sum of the dice that show its face; 63 points in all of them bring a bonus. Between turns only the
open boxes, the upper points up to 63, and whether the box of all alike *holds* points matter. All
alike again, with that box filled, bring extra points if it holds some, and may be a joker:

* ``free``: into any open box, in full if the upper box of the face is filled.
* ``forced``: into the upper box of the face; else into a lower box, in full; else into an upper
  box for 0.
* ``own``: as ``free``, but into the upper box of the face, if it is open and extra points come.
* ``none``: all alike have no special meaning.

A sheet is solved box by box: with n boxes open, every value is an integer over the n-th power of
the factor by which a turn multiplies denominators. `Sheet.game` states the same rules as moves.

The distribution of the score is that of one optimal policy: among optimal keeps it takes the most
dice, then the first, and among optimal boxes the first. If values are known only in 64 bits,
choices that these do not distinguish count as equally good. The probabilities of all scores in a
state are one integer with a slot of bits for each score, as wide as the last denominator: adding
points is a shift, and adding probabilities is an addition.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from itertools import combinations, compress, product
from math import isqrt
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.book.page import PageAnswer
from exactdice.dice import Distribution, fair, pool, sorted_roll
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Choice, Game, Moves, point_mass
from exactdice.report.model import Report, Table, enclosed, exact, text_column, whole
from exactdice.run import DEFAULT, Run, run_levels
from exactdice.solve.keeping import Array, FreeRerolls

Roll: TypeAlias = tuple[int, ...]
Boxes: TypeAlias = tuple[str, ...]
Option: TypeAlias = tuple[str, int, int, bool]  # box, points, upper points, whether alike hold

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
_BITS = 38  # fractional bits of values that are rounded down


@dataclass(frozen=True)
class Sheet:
    """The boxes of a game and their rules.

    `alike` is the lower box of all alike, if there is one; `jokers` gives a joker's points by box.
    """

    upper: Boxes = UPPER
    lower: Mapping[str, Callable[[Roll], int]] = field(default_factory=dict)
    alike: str = ""
    bonus: int = 35
    full: int = 63  # upper points that bring the bonus
    extra: int = 0
    joker: str = "none"
    jokers: Mapping[str, int] = field(default_factory=dict)
    turns: FreeRerolls[int] = field(default_factory=lambda: FreeRerolls(5, fair(6), 3))

    @property
    def boxes(self) -> Boxes:
        return (*self.upper, *self.lower)

    def written(self, box: str, roll: Roll, *, holds: bool) -> Option:
        """Return the option of a roll in a box, where no joker counts."""
        if box in UPPER:
            face = UPPER.index(box) + 1
            return box, face * roll.count(face), face * roll.count(face), holds
        points = self.lower[box](roll)
        return box, points, 0, holds or (box == self.alike and points > 0 and self.extra > 0)

    def options(self, boxes: Boxes, roll: Roll, *, holds: bool) -> Iterator[Option]:
        if not self.alike or self.alike in boxes or len(set(roll)) > 1:
            yield from (self.written(box, roll, holds=holds) for box in boxes)
            return
        own = UPPER[roll[0] - 1]
        is_joker = self.joker != "none" and own not in boxes
        allowed: Boxes = boxes
        if not is_joker and (self.joker == "forced" or (self.joker == "own" and holds)):
            allowed = (own,)
        elif self.joker == "forced":
            allowed = tuple(box for box in boxes if box not in UPPER) or boxes
        for box in allowed:
            _, points, counted, now = self.written(box, roll, holds=holds)
            if is_joker:
                points = self.jokers.get(box, points)
            yield box, points + (self.extra if holds else 0), counted, now

    def game(self) -> Game[Any]:
        """Return the rules as moves: (open boxes, upper points, holds, dice, rolls left)."""
        start = (), self.turns.rolls - 1  # no dice, and the rolls after the first

        def filled(boxes: Boxes, upper: int, option: Option) -> Choice[Any]:
            box, _, counted, now = option
            left, total = tuple(b for b in boxes if b != box), min(self.full, upper + counted)
            reward = int(self.reward(option, upper))
            return Choice(box, reward, point_mass((left, total, now, *start)))

        def moves(state: Any) -> Moves:
            boxes, upper, holds, dice, left = state
            if not boxes:
                return None
            if missing := self.turns.dice - len(dice):
                return sorted_roll(pool(missing, self.turns.face)).map(
                    lambda more: (boxes, upper, holds, tuple(sorted((*dice, *more))), left)
                )
            if left:
                sizes = range(len(dice))
                kept = sorted({keep for size in sizes for keep in combinations(dice, size)})
                after = {keep: (boxes, upper, holds, keep, left - 1) for keep in kept}
                after[dice] = (boxes, upper, holds, dice, 0)
                return [Choice(keep, 0, point_mass(state)) for keep, state in after.items()]
            options = self.options(boxes, dice, holds=holds)
            return [filled(boxes, upper, option) for option in options]

        return Game((self.boxes, 0, False, *start), moves)

    def values(self, run: Run = DEFAULT, width: mpq | None = None) -> "SheetValues":
        """Return values of all states between turns, in 64 bits if that suffices for the width."""
        turns, boxes = self.turns, self.boxes
        is_exact = width is None or width < self._error(len(boxes))
        states = self.states()
        run.expect(states * (350_000 if is_exact else 40_000), "the game")
        run.require(states * (200 if is_exact else 8), "the values of all states")
        zero = np.array([mpz(0)] * (self.full + 1), object if is_exact else np.int64)

        def level(number: int, after: SheetValues) -> SheetValues:
            numbers, ties = dict(after.numbers), after.ties
            for chosen in combinations(boxes, number + 1):
                upper = self.reached(chosen)
                first, groups = self.alike_totals(chosen, upper)
                for holds in self.holding(chosen):
                    columns = [w for _, w, _ in self.by_box(chosen, holds, upper[first], after)]
                    worths = reduce(np.maximum, columns)
                    several = (sum((w == worths).astype(int) for w in columns) > 1).sum(axis=0)
                    best = turns.values(worths, ties=several) if is_exact else turns.floors(worths)
                    ties += int(several[groups].sum())
                    numbers[chosen, holds] = zero.copy()
                    numbers[chosen, holds][upper] = best[groups]
            run.tell("open boxes", number + 1, len(boxes))
            return SheetValues(self, numbers, ties)

        start = SheetValues(self, {((), False): zero, ((), True): zero}, 0)
        name = f"sheet-{self._key()}-{'exact' if is_exact else 'enclosed'}"
        read = partial(SheetValues.read, self, zero)
        return run_levels(
            run.kept, name, len(boxes), level, start, write=SheetValues.written, read=read
        )

    def _error(self, open_boxes: int) -> mpq:
        """Return how far values in 64 bits may be below the exact ones."""
        return mpq(self.turns.rolls * open_boxes, 1 << _BITS)

    def _key(self) -> str:
        rules = (self.alike, self.bonus, self.full, self.extra, self.joker, dict(self.jokers))
        turns = (self.turns.dice, dict(self.turns.face), self.turns.rolls)
        return hashlib.sha256(repr((self.columns, rules, turns)).encode()).hexdigest()[:16]

    def holding(self, boxes: Boxes) -> tuple[bool, ...]:
        """Return the values of whether the box of all alike may hold points that matter."""
        return (False, True) if self.alike and self.extra and self.alike not in boxes else (False,)

    def reached(self, boxes: Boxes) -> Array:
        totals = {0}
        for face, box in enumerate(UPPER, 1):
            if box in self.upper and box not in boxes:
                counts = range(self.turns.dice + 1)
                totals = {min(self.full, total + face * n) for total in totals for n in counts}
        return np.array(sorted(totals))

    def alike_totals(self, boxes: Boxes, upper: Array) -> tuple[Array, Array]:
        """Group upper points by the totals that still bring the bonus: first places, and groups."""
        more = self.reached(tuple(box for box in self.upper if box not in boxes))
        missed = np.searchsorted(more, self.full - upper) % len(more)
        return np.unique(missed, return_index=True, return_inverse=True)[1:]

    def states(self) -> int:
        upper, lower = (
            [chosen for size in range(len(boxes) + 1) for chosen in combinations(boxes, size)]
            for boxes in (self.upper, tuple(self.lower))
        )
        totals = sum(len(self.reached(chosen)) for chosen in upper)
        return totals * sum(len(self.holding(chosen)) for chosen in lower)

    @cached_property
    def columns(self) -> dict[tuple[str, bool], list[tuple[Option, list[int]]]]:
        columns = {}
        for box, is_over in product(self.boxes, (False, True)):
            ways: dict[Option, list[int]] = {}
            for place, roll in enumerate(self.turns.results):
                if not is_over or len(set(roll)) > 1:
                    ways.setdefault(self.written(box, roll, holds=False), []).append(place)
            columns[box, is_over] = list(ways.items())
        return columns

    def by_box(
        self, boxes: Boxes, holds: bool, upper: Array, after: "SheetValues"
    ) -> Iterator[tuple[str, Array, list[tuple[Option, list[int]]]]]:
        """Iterate over the open boxes.

        Yields a box, the value of each last roll in it for each number of upper points, −1 if it is
        not allowed, and options with the numbers of their rolls.
        """
        unit, zero = after.unit(len(boxes) - 1), after.numbers[(), False]
        is_over = bool(self.alike) and self.alike not in boxes
        jokers = {
            place: {option[0]: option for option in self.options(boxes, roll, holds=holds)}
            for place, roll in enumerate(self.turns.results)
            if is_over and len(set(roll)) == 1
        }
        for box in boxes:
            own = [(ways[box], [place]) for place, ways in jokers.items() if box in ways]
            options = [*self.columns[box, is_over], *own]
            worths = np.full((len(self.turns.results), len(upper)), -unit, zero.dtype)
            for option, places in options:
                left = after.numbers[tuple(b for b in boxes if b != box), holds or option[3]]
                reward = self.reward(option, upper).astype(zero.dtype)
                worths[places] = left[np.minimum(self.full, upper + option[2])] + reward * unit
            yield box, worths, options

    def reward(self, option: Option, upper: Array) -> Array:
        """Return the immediate points of an option, for one or several numbers of upper points."""
        total = np.minimum(self.full, upper + option[2])
        return option[1] + self.bonus * ((upper < self.full) & (total == self.full))


@dataclass(frozen=True)
class SheetValues:
    """Values between turns: by open boxes and whether all alike hold, then by upper points.

    Integers over ``unit(number of open boxes)``. `ties` counts rolls, with the rolls left, that
    have several optimal actions.
    """

    sheet: Sheet = field(repr=False)
    numbers: dict[tuple[Boxes, bool], Array] = field(repr=False)
    ties: int

    @property
    def is_exact(self) -> bool:
        return bool(self.numbers[(), False].dtype == object)

    def unit(self, open_boxes: int) -> mpz | int:
        turns = self.sheet.turns
        return turns.per_roll ** (turns.rolls * open_boxes) if self.is_exact else 1 << _BITS

    def between(self, boxes: Boxes, upper: int = 0, *, holds: bool = False) -> Enclosure:
        low = mpq(int(self.numbers[boxes, holds][upper]), self.unit(len(boxes)))
        return Enclosure(low, low if self.is_exact else low + self.sheet._error(len(boxes)))

    def written(self) -> bytes:
        """Return all values as lines of text, described in proofs/CERTIFICATES.md."""
        sheet, lines = self.sheet, ["exactdice-sheet 1", f"ties {self.ties}"]
        for (boxes, holds), numbers in self.numbers.items():
            mask = sum(1 << sheet.boxes.index(box) for box in boxes)
            shown = [f"{int(n):x}" for n in numbers[sheet.reached(boxes)]]
            lines.append(f"{mask:x} {holds:d} {' '.join(shown)}")
        return ("\n".join(lines) + "\n").encode()

    @classmethod
    def read(cls, sheet: Sheet, zero: Array, content: bytes) -> "SheetValues":
        _, ties, *lines = content.decode().splitlines()
        numbers = {}
        for line in lines:
            mask, holds, *shown = line.split()
            is_open = [int(mask, 16) >> place & 1 for place in range(len(sheet.boxes))]
            boxes = tuple(compress(sheet.boxes, is_open))
            values = numbers[boxes, holds == "1"] = zero.copy()
            values[sheet.reached(boxes)] = [mpz(n, 16) for n in shown]
        return cls(sheet, numbers, int(ties.split()[1]))


_ROWS = 32  # of probabilities in a report
ScoreState: TypeAlias = tuple[Boxes, bool, int]  # open boxes, holding and upper points


def solved(sheet: Sheet, run: Run, width: mpq | None = None) -> PageAnswer:
    """Solve a sheet box by box: exactly, or in 64 bits if that suffices for the width."""
    values = sheet.values(run, width)
    how = f"turns of dice, box by box, {'exactly' if values.is_exact else 'in 64 bits'}"
    start = (), sheet.turns.rolls - 1

    def at(state: Any) -> Enclosure | None:
        boxes, upper, holds, dice, left = state
        if not set(dice) <= set(sheet.turns.face) or len(dice) > sheet.turns.dice:
            raise InputError("dice", dice, f"at most {sheet.turns.dice} faces")
        if (boxes, holds) not in values.numbers or upper not in sheet.reached(boxes):
            raise InputError("state", state, "boxes in their order, and points possible with them")
        return None if (dice, left) != start else values.between(boxes, upper, holds=holds)

    def listed() -> Iterator[Any]:
        for boxes, holds in values.numbers:
            for upper in sheet.reached(boxes).tolist() if boxes else ():
                yield boxes, upper, holds, *start

    law = partial(_law_report, values)
    value, states = values.between(sheet.boxes), sheet.states()
    answer = PageAnswer(value, how, states, at=at, listed=listed, law=law)
    return replace(answer, ties=values.ties, proof=values.written) if values.is_exact else answer


def score_law(values: SheetValues, run: Run = DEFAULT) -> Distribution[int]:
    sheet, size = values.sheet, len(values.sheet.boxes)
    total = sheet.turns.per_roll**sheet.turns.rolls
    slot = int(total**size).bit_length()
    most = sum(max(way[1] for way, _ in sheet.columns[box, False]) for box in sheet.boxes)
    most += sheet.bonus + size * (max(sheet.jokers.values(), default=0) + sheet.extra)
    run.expect(sheet.states() * 1_000_000, "the distribution of the score")
    # Measured: the states kept simultaneously, and the part of their slots that is used.
    run.require(sheet.states() * (500 + slot * most // 400), "the distribution of the score")
    reached = {(sheet.boxes, False, 0): mpz(1)}
    for number in range(size, 0, -1):
        after: dict[ScoreState, mpz] = {}
        for boxes in combinations(sheet.boxes, number):
            for holds in sheet.holding(boxes):
                at = [u for u in sheet.reached(boxes).tolist() if (boxes, holds, u) in reached]
                before = [reached.pop((boxes, holds, upper)) for upper in at]
                for column, left, law in _turn(values, boxes, holds, at) if at else ():
                    by_points = sum(mpz(ways) << slot * points for points, ways in law.items())
                    after[left] = after.get(left, mpz(0)) + before[column] * by_points
        reached = after
        run.tell("boxes filled", size - number + 1, size)
    scores = sum(reached.values())
    places, mask = range(-(-scores.bit_length() // slot)), (mpz(1) << slot) - 1
    return Distribution({score: int(scores >> slot * score & mask) for score in places})


def _law_report(values: SheetValues, run: Run) -> Report:
    law = score_law(values, run)
    reached, variance = list(law), law.variance()
    step = 10 * max(1, -(-(reached[-1] - reached[0]) // (10 * _ROWS)))
    scores = range(reached[0] // step * step, reached[-1] + 1, step)
    rows = [(least, law.probability_that(lambda score: score >= least)) for least in scores]  # noqa: B023
    columns = [whole("score", "points"), exact("at_least", "probability of at least this score")]
    low = isqrt(int(10**24 * variance))
    deviation = Enclosure(mpq(low, 10**12), mpq(low + 1, 10**12))
    play = "optimal play" if values.is_exact else "play that is optimal up to rounding in 64 bits"
    return Report.of(
        "Distribution of the score",
        {},
        text_column("play", "policy of this distribution")(play),
        exact("mean", "expected score")(law.mean()),
        exact("variance", "variance of the score")(variance),
        enclosed("deviation", "standard deviation of the score")(deviation),
        whole("median", "median of the score", "points")(law.quantile("1/2")),
        Table.of("law", "Distribution", rows, *columns),
    )


def _turn(
    values: SheetValues, boxes: Boxes, holds: bool, at: list[int]
) -> Iterator[tuple[int, ScoreState, dict[int, int]]]:
    """Yield the results of a turn: place in `at`, state after it, weights by points."""
    sheet, upper = values.sheet, np.array(at)
    first, groups = sheet.alike_totals(boxes, upper)
    columns = list(sheet.by_box(boxes, holds, upper[first], values))
    worths = reduce(np.maximum, [column for _, column, _ in columns])
    slack = 0 if values.is_exact else sheet.turns.rolls * (len(boxes) + 1)  # how far values err
    weights = sheet.turns.laws(worths, slack)
    is_open = np.ones(worths.shape, bool)
    laws: dict[tuple[int, ScoreState], dict[int, int]] = {}
    for box, column, options in columns:
        is_chosen = is_open & (column >= worths - slack)
        is_open &= ~is_chosen
        left = tuple(other for other in boxes if other != box)
        for option, places in options:
            mass = np.where(is_chosen[places], weights[places], 0).sum(axis=0)[groups]
            rewards = sheet.reward(option, upper)
            for number in np.flatnonzero(mass).tolist():
                counted = min(sheet.full, at[number] + option[2])
                law = laws.setdefault((number, (left, holds or option[3], counted)), {})
                points = int(rewards[number])
                law[points] = law.get(points, 0) + int(mass[number])
    for (number, key), law in laws.items():
        yield number, key, law
