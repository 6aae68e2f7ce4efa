"""The answer of a sheet, with its values between turns, and the law of the score by best play.

Of several best keeps the one of more dice is kept, and of those the first in the order of the dice;
of several best boxes the first on the sheet is filled. Where values are known in 64 bits alone, all
choices that these do not tell apart are taken as equally good. The law goes forward from the empty
sheet. The chances of all scores in a state are one integer, a slot of bits a score, as wide as the
last denominator: to add points is to shift, and to add chances is to add.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations
from math import isqrt
from typing import Any, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.book.page import PageAnswer
from exactdice.book.sheet import Boxes, Sheet, SheetValues
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.report.model import Report, Table, enclosed, exact, text_column, whole
from exactdice.run import DEFAULT, Run

_ROWS = 32  # of chances in a report
State: TypeAlias = tuple[Boxes, bool, int]  # open boxes, holding and upper points


def solved(sheet: Sheet, run: Run, width: mpq | None = None) -> PageAnswer:
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
    answer = PageAnswer(value, how, states, at=at, listed=listed, law=law)
    return replace(answer, ties=values.ties, proof=values.written) if values.is_exact else answer


def score_law(values: SheetValues, run: Run = DEFAULT) -> Distribution[int]:
    """Go through all states that best play comes to, a level of open boxes after another."""
    sheet, size = values.sheet, len(values.sheet.boxes)
    total = sheet.turns.per_roll**sheet.turns.rolls
    slot = int(total**size).bit_length()
    most = sum(max(way[1] for way, _ in sheet.columns[box, False]) for box in sheet.boxes)
    most += sheet.bonus + size * (max(sheet.jokers.values(), default=0) + sheet.extra)
    run.expect(sheet.states() * 1_000_000, "the law of the score")
    # Measured: at most so many states at once, and a part of their slots, are full.
    run.require(sheet.states() * (500 + slot * most // 400), "the law of the score")
    reached = {(sheet.boxes, False, 0): mpz(1)}
    for number in range(size, 0, -1):
        after: dict[State, mpz] = {}
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
    """Report mean, variance and chances of so many points or more."""
    law = score_law(values, run)
    reached, variance = list(law), law.variance()
    step = 10 * max(1, -(-(reached[-1] - reached[0]) // (10 * _ROWS)))
    scores = range(reached[0] // step * step, reached[-1] + 1, step)
    rows = [(least, law.probability_that(lambda score: score >= least)) for least in scores]  # noqa: B023
    columns = [whole("score", "points"), exact("at_least", "chance of so many points or more")]
    low = isqrt(int(10**24 * variance))
    deviation = Enclosure(mpq(low, 10**12), mpq(low + 1, 10**12))
    play = "best play" if values.is_exact else "play that is best as far as 64 bits tell"
    return Report.of(
        "Law of the score",
        {},
        text_column("play", "what the law is of")(play),
        exact("mean", "mean score")(law.mean()),
        exact("variance", "variance of the score")(variance),
        enclosed("deviation", "standard deviation of the score")(deviation),
        whole("median", "median of the score", "points")(law.quantile("1/2")),
        Table.of("law", "Chances", rows, *columns),
    )


def _turn(
    values: SheetValues, boxes: Boxes, holds: bool, at: list[int]
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
