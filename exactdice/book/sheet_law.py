"""The answer of a sheet, with its values between turns, and the law of the score by best play.

Of several best keeps the one of more dice is kept, and of those the first in the order of the dice;
of several best boxes the first on the sheet is filled. Where values are known in 64 bits alone, all
choices that these do not tell apart are taken as equally good. The law goes forward from the empty
sheet, and with it what a state adds to the mean of the score and of its square, which are exact.
The chances of all scores in a state are one integer, a slot of bits a score: to add points is to
shift, and to add chances is to add. A slot holds the last denominator where values are exact. Else
it has 128 bits, and each step rounds down, so that what is missing from 1 in the end bounds all
errors.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import combinations
from math import isqrt
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.book.page import Answer
from exactdice.book.sheet import Boxes, Sheet, Values
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.report.model import Quantity, Report, Table, column_for, enclosed, exact, whole
from exactdice.run import DEFAULT, Run

_ROWS = 32  # of chances in a report
_SLOT, _MASS, _STEP = 128, 70, 57  # bits: of a slot, of a chance, and of a chance within a turn
State: TypeAlias = tuple[Boxes, bool, int]  # open boxes, holding and upper points
#: Of each state its scores, and its chance times 1, the mean score and the mean of its square.
Reached: TypeAlias = dict[State, list[mpz]]


def solved(sheet: Sheet, run: Run, width: mpq | None = None) -> Answer:
    """Solve a sheet box by box; exactly, or in 64 bits where a width asks for no more."""
    values = sheet.values(run, width)
    how = f"turns of dice, box by box, {'exactly' if values.is_exact else 'in 64 bits'}"
    start = (), sheet.turns.rolls - 1

    def at(state: Any) -> Enclosure | None:
        boxes, upper, holds, dice, left = state
        if not set(dice) <= set(sheet.turns.face) or len(dice) > sheet.turns.dice:
            raise InputError("dice", dice, f"at most {sheet.turns.dice} faces")
        if (boxes, holds) not in values.numbers or upper not in sheet.reached(boxes):
            raise InputError("state", state, "boxes in their order, and points that they leave")
        return None if (dice, left) != start else values.between(boxes, upper, holds=holds)

    def listed() -> Iterator[Any]:
        for boxes, holds in values.numbers:
            for upper in sheet.reached(boxes).tolist() if boxes else ():
                yield boxes, upper, holds, *start

    law = partial(_law_report, values)
    value, states = values.between(sheet.boxes), sheet.states()
    answer = Answer(value, how, states, at=at, listed=listed, law=law)
    return replace(answer, ties=values.ties, proof=values.written) if values.is_exact else answer


@dataclass(frozen=True)
class ScoreLaw:
    """The law of the score: its moments exactly, and chances too small by `missing` at most."""

    chances: dict[int, mpq]  # lower bounds by score
    mean: mpq
    variance: mpq

    @property
    def missing(self) -> mpq:
        """What all chances are short of 1."""
        return 1 - sum(self.chances.values(), mpq(0))

    def at_least(self, score: int) -> Enclosure:
        """The chance of a score or more."""
        low = sum((chance for s, chance in self.chances.items() if s >= score), mpq(0))
        return Enclosure(low, low + self.missing)

    @property
    def median(self) -> int:
        """The least score that is exceeded with a chance of at most a half, by lower bounds."""
        return next(s for s in self.chances if self.at_least(s + 1).lower <= mpq(1, 2))


def score_law(values: Values, run: Run = DEFAULT) -> ScoreLaw:
    """Go through all states that best play comes to, a level of open boxes after another."""
    sheet, size, is_exact = values.sheet, len(values.sheet.boxes), values.is_exact
    total = sheet.turns.per_roll**sheet.turns.rolls
    certain = total**size if is_exact else mpz(1) << _MASS  # what a chance of 1 is in the end
    slot, unit = (certain.bit_length(), total) if is_exact else (_SLOT, mpz(1) << _STEP)
    run.expect(sheet.states() * 1_000_000, "the law of the score")
    # Measured: at most so many states at once, and a part of their slots, are full.
    run.require(sheet.states() * (500 + slot * _most(values) // 400), "the law of the score")
    keep = sum(((mpz(1) << _MASS + 1) - 1) << slot * place for place in range(_most(values) + 1))
    one, zero = mpz(1), mpz(0)
    reached: Reached = {(sheet.boxes, False, 0): [one if is_exact else certain, one, zero, zero]}
    for number in range(size, 0, -1):
        after: Reached = {}
        for boxes in combinations(sheet.boxes, number):
            for holds in sheet.holding(boxes):
                at = [u for u in sheet.reached(boxes).tolist() if (boxes, holds, u) in reached]
                before = [reached.pop((boxes, holds, upper)) for upper in at]
                for column, left, law in _turn(values, boxes, holds, at) if at else ():
                    mass, ways, first, second = before[column]
                    sums = after.setdefault(left, [zero] * 4)
                    w, wp, wpp = (sum(w * p**power for p, w in law.items()) for power in range(3))
                    sums[0] += mass * sum(w * unit // total << slot * p for p, w in law.items())
                    sums[1] += w * ways
                    sums[2] += w * first + wp * ways
                    sums[3] += w * second + 2 * wp * first + wpp * ways
        reached = after
        for sums in reached.values() if not is_exact else ():
            sums[0] = sums[0] >> _STEP & keep
        run.tell("boxes filled", size - number + 1, size)
    chances: dict[int, mpq] = {}
    for mass, *_ in reached.values():
        for score in range(-(-mass.bit_length() // slot)):
            part = mass >> slot * score & (1 << slot) - 1
            if part:
                chances[score] = chances.get(score, mpq(0)) + mpq(part, certain)
    mean, square = (
        mpq(sum(sums[power] for sums in reached.values()), total**size) for power in (2, 3)
    )
    return ScoreLaw(dict(sorted(chances.items())), mean, square - mean**2)


def _law_report(values: Values, run: Run) -> Report:
    """Report mean, variance and chances of so many points or more."""
    law = score_law(values, run)
    reached = list(law.chances)
    step = 10 * max(1, -(-(reached[-1] - reached[0]) // (10 * _ROWS)))
    scores = range(reached[0] // step * step, reached[-1] + 1, step)
    rows = [(score, law.at_least(score)) for score in scores]
    column = column_for([chance for _, chance in rows])
    columns = [whole("score", "points"), column("at_least", "chance of so many points or more")]
    low = isqrt(int(10**24 * law.variance))
    deviation = Enclosure(mpq(low, 10**12), mpq(low + 1, 10**12))
    quantities = [
        Quantity(exact("mean", "mean score"), law.mean),
        Quantity(exact("variance", "variance of the score"), law.variance),
        Quantity(enclosed("deviation", "standard deviation of the score"), deviation),
        Quantity(whole("median", "median of the score", "points"), law.median),
    ]
    return Report("Law of the score", quantities, [Table("law", "Chances", columns, rows)])


def _most(values: Values) -> int:
    """A score that is not exceeded."""
    sheet = values.sheet
    highest = [max(way[1] for way, _ in sheet.columns[box, False]) for box in sheet.boxes]
    more = max(sheet.jokers.values(), default=0) + sheet.extra
    return sum(highest) + sheet.bonus + more * len(sheet.boxes)


def _turn(
    values: Values, boxes: Boxes, holds: bool, at: list[int]
) -> Iterator[tuple[int, State, dict[int, int]]]:
    """Where a turn leads: number in `at`, state after it, weights by points."""
    sheet, upper = values.sheet, np.array(at)
    first, groups = sheet.alike_totals(boxes, upper)
    columns = list(sheet.by_box(boxes, holds, upper[first], values))
    worths = reduce(np.maximum, [column for _, column, _ in columns])
    slack = 0 if values.is_exact else sheet.turns.rolls * (len(boxes) + 1)  # how far values err
    weights = sheet.turns.laws(worths, slack)
    is_open = np.ones(worths.shape, bool)
    laws: dict[tuple[int, State], dict[int, int]] = {}
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
