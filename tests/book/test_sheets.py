"""Sheets of turns of dice: all states, ties and laws of scores, against the rules as moves."""

import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice import ask
from exactdice.book import PAGES, load
from exactdice.book.sheet import Sheet, SheetValues
from exactdice.book.sheet_law import score_law, solved
from exactdice.dice import Distribution, fair
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import FreeRerolls, optimum
from exactdice.run import Run
from exactdice.solve.play import Lookahead

SMALL = {
    "alike": lambda roll: 50 if len(set(roll)) == 1 else 0,
    "house": lambda roll: 25 if len(set(roll)) == 2 else 0,
    "chance": sum,
}


def random_sheet(number: int) -> Sheet:
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    lower = {box: SMALL[box] for box in sorted(dice.sample(sorted(SMALL), dice.randint(1, 2)))}
    return Sheet(
        upper=("ones", "twos", "threes")[: dice.randint(1, 3)],
        lower=lower,
        alike="alike" if "alike" in lower else "",
        bonus=dice.randint(0, 9),
        full=dice.randint(2, 7),
        extra=dice.choice([0, 100]),
        joker=("none", "free", "forced", "own")[number % 4],
        jokers={"house": 25},
        turns=FreeRerolls(2, fair(3), dice.randint(1, 3)),
    )


@pytest.mark.parametrize("number", range(24))
def test_all_values_and_ties_are_those_of_the_moves(number: int) -> None:
    sheet = random_sheet(number)
    best, values = optimum(sheet.game()), sheet.values()
    enclosed = solved(sheet, Run(), mpq(1, 10**6)).value
    assert best.value in enclosed
    assert enclosed.width <= mpq(1, 10**6)
    between = [state for state in best.model.states if state[3:] == ((), sheet.turns.rolls - 1)]
    for boxes, upper, holds, *_ in between:
        value = best.value_of((boxes, upper, holds, (), sheet.turns.rolls - 1))
        assert values.between(boxes, upper, holds=holds).point == value
    assert values.ties == len(best.several)
    assert sheet.states() == len(between)


@pytest.mark.parametrize("number", range(12))
def test_the_law_of_the_score_is_that_of_play_by_advice(number: int) -> None:
    sheet = random_sheet(number)
    answer, law, turns = solved(sheet, Run()), score_law(sheet.values()), sheet.turns
    look = Lookahead(sheet.game(), answer.at or (lambda state: None))
    told: list[tuple[str, int, int | None]] = []
    assert score_law(sheet.values(), Run(progress=lambda *what: told.append(what))) == law
    size = len(sheet.boxes)
    assert told == [("boxes filled", number, size) for number in range(1, size + 1)]

    @cache
    def scores(boxes: Any, upper: int, holds: bool, kept: Any, left: int) -> dict[int, Any]:
        """Chances of points to come, by enumeration of ordered throws."""
        if not boxes:
            return {0: Fraction(1)}
        total: dict[int, Any] = {}
        for more in product(turns.face, repeat=turns.dice - len(kept)):
            roll = tuple(sorted((*kept, *more)))
            advice = look.regrets((boxes, upper, holds, roll, left))
            first = max(
                (action for action, loss in advice.items() if not loss.upper),
                key=(lambda keep: (len(keep), tuple(-face for face in keep))) if left else
                    (lambda box: -sheet.boxes.index(box)),
            )  # fmt: skip
            if left:
                points, after = 0, scores(boxes, upper, holds, first, left - 1)
            else:
                options = {o[0]: o for o in sheet.options(boxes, roll, holds=holds)}
                points, now = (
                    int(sheet.reward(options[first], np.array([upper]))[0]),
                    options[first],
                )
                counted = min(sheet.full, upper + now[2])
                rest = tuple(box for box in boxes if box != first)
                after = scores(rest, counted, holds or now[3], (), turns.rolls - 1)
            for score, chance in after.items():
                share = chance / len(turns.face) ** (turns.dice - len(kept))
                total[score + points] = total.get(score + points, 0) + share
        return total

    exact = scores(sheet.boxes, 0, False, (), turns.rolls - 1)
    assert law == Distribution.from_probabilities({s: mpq(c) for s, c in exact.items()})
    assert law.mean() == answer.value.point
    # values in 64 bits tell choices apart that are not equally good, as these by much
    assert score_law(sheet.values(width=mpq(1, 10**6))) == law


@pytest.mark.parametrize("number", range(8))
def test_values_are_read_as_they_were_written(number: int) -> None:
    sheet = random_sheet(number)
    values = sheet.values()
    read = SheetValues.read(sheet, values.numbers[(), False], values.written())
    assert read.ties == values.ties
    assert {at: list(each) for at, each in read.numbers.items()} == {
        at: list(each) for at, each in values.numbers.items()
    }


def test_values_are_exact_where_64_bits_do_not_come_within_what_is_asked() -> None:
    sheet = random_sheet(2)
    width = sheet.values(width=mpq(1)).between(sheet.boxes).width
    assert sheet.values().is_exact
    assert sheet.values(width=width * mpq(999, 1000)).is_exact
    assert not sheet.values(width=width).is_exact


@pytest.mark.parametrize(("width", "size"), [(None, 200), (mpq(1), 8)])
def test_values_need_so_many_bytes_a_state(width: mpq | None, size: int) -> None:
    # a number of 64 bits, and a long one, of which what it takes was measured
    sheet = random_sheet(2)
    needed = sheet.states() * size
    values = sheet.values(Run(memory=needed), width)
    assert repr(values) == f"SheetValues(ties={values.ties})"
    with pytest.raises(TooLargeError, match="the values of all states needs about"):
        sheet.values(Run(memory=needed - 1), width)


def test_a_law_is_refused_where_its_chances_need_more_than_may_be_kept() -> None:
    # a slot for each score that can be, and there are more of these than that are not reached
    sheet = random_sheet(1)
    values = sheet.values()
    most = max(score_law(values))
    slot = ((sheet.turns.per_roll**sheet.turns.rolls) ** len(sheet.boxes)).bit_length()
    needed = sheet.states() * slot * most // 400  # at once, as measured
    for memory in (0, needed):
        with pytest.raises(TooLargeError, match="the law of the score needs about"):
            score_law(values, Run(memory=memory))
    score_law(values, Run(memory=2 * (needed + 500 * sheet.states())))


@pytest.mark.parametrize("bonus", [3, 200, 315, 1000])
def test_a_law_is_reported_in_steps_of_tens_that_make_at_most_32(bonus: int) -> None:
    sheet = Sheet(
        upper=("ones", "twos"),
        lower={"chance": sum},
        bonus=bonus,
        full=4,
        turns=FreeRerolls(2, fair(3), 2),
    )
    values = sheet.values()
    law = score_law(values).probabilities()
    answer = solved(sheet, Run())
    assert answer.law is not None
    report = answer.law(Run())
    step = next(s for s in range(10, 10**4, 10) if 32 * s >= max(law) - min(law))
    least = range(min(law) // step * step, max(law) + 1, step)
    assert list(report.table("law").rows) == [
        (score, sum((p for s, p in law.items() if s >= score), mpq(0))) for score in least
    ]
    mean = sum(s * p for s, p in law.items())
    variance = sum((s - mean) ** 2 * p for s, p in law.items())
    deviation, median = report.value("deviation"), report.value("median")
    assert (report.value("mean"), report.value("variance")) == (mean, variance)
    assert isinstance(deviation, Enclosure)
    assert deviation.lower**2 <= variance <= deviation.upper**2
    assert deviation.width == mpq(1, 10**12)
    assert median == min(m for m in law if 2 * sum(p for s, p in law.items() if s <= m) >= 1)
    assert report.value("play") == "best play"
    assert solved(sheet, Run(), mpq(1, 100)).law(Run()).value("play") == (  # type: ignore[misc]
        "play that is best as far as 64 bits tell"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({3: (1, 2, 3)}, r"dice: got \(1, 2, 3\); expected at most 2 faces"),
        ({3: (1, 4)}, r"dice: got \(1, 4\); expected at most 2 faces"),
        ({0: ("twos", "ones")}, "give boxes in their order, and points that they leave"),
        ({1: 5}, "give boxes in their order, and points that they leave"),
    ],
)
def test_a_state_that_a_sheet_has_not_is_refused(change: dict[int, Any], message: str) -> None:
    sheet = Sheet(
        upper=("ones", "twos"), lower={}, bonus=5, full=4, turns=FreeRerolls(2, fair(3), 2)
    )
    answer = solved(sheet, Run())
    state: list[Any] = [("ones", "twos"), 0, False, (), 1]
    assert answer.at is not None
    assert answer.at(tuple(state)) == answer.value
    assert answer.at((*state[:3], (1, 3), 1)) is None  # within a turn
    for place, wrong in change.items():
        state[place] = wrong
    with pytest.raises(InputError, match=message):
        answer.at(tuple(state))


# The checker, which knows the rules by itself.

CHECKER = Path(__file__).parents[2] / "proofs" / "sheet_check.py"


def checker() -> ModuleType:
    module = ModuleType("sheet_check")
    exec(compile(CHECKER.read_text(), "sheet_check", "exec"), module.__dict__)  # noqa: S102
    return module


@pytest.mark.parametrize("rules", [name for name in PAGES["yahtzee"].variants if name != "upper"])
def test_checker_and_book_write_rolls_into_the_same_boxes(rules: str) -> None:
    sheet, check, dice = load("yahtzee", rules).game.__self__, checker(), random.Random(rules)  # noqa: S311
    full = (1 << len(sheet.boxes)) - 1
    for roll in check.ROLLS:
        listed = [(sheet.boxes[b], *more) for b, *more in check.written(rules, full, False, roll)]
        assert listed == list(sheet.options(sheet.boxes, roll, holds=False))
    for _ in range(300):
        mask = dice.randrange(1, 1 << len(sheet.boxes))
        if dice.random() < 0.5:
            mask &= ~(1 << 11)  # with the box of five alike filled
        boxes = tuple(box for place, box in enumerate(sheet.boxes) if mask >> place & 1)
        holds = dice.random() < 0.5 and True in sheet.holding(boxes)
        roll = (dice.randint(1, 6),) * 5 if dice.random() < 0.3 else dice.choice(check.ROLLS)
        listed = [(sheet.boxes[b], *more) for b, *more in check.written(rules, mask, holds, roll)]
        assert listed == list(sheet.options(boxes, roll, holds=holds))
        assert check.totals(mask) == sheet.reached(boxes).tolist()


@pytest.mark.slow
def test_the_checker_accepts_all_values_and_no_other(tmp_path: Path) -> None:
    proof, policy = tmp_path / "values", tmp_path / "policy"
    ask(f"book yahtzee --variant upper --certificate {proof} --policy {policy}")
    written = proof.read_text()
    check = checker().check
    # one box, from ones without points: by hand 5 · (1 − (5/6)³)
    rows = dict(row.rsplit(",,,,,", 1) for row in policy.read_text().splitlines()[1:])
    assert len(rows) == Sheet().states() - 64
    assert mpq(rows["\"(('ones',), 0, False, (), 2)\""]) == 5 * (1 - mpq(5, 6) ** 3)
    value, boxes, number, computed = check("upper", iter(written.splitlines()), 50)
    assert mpq(value, 6 ** (15 * boxes)) == load("yahtzee", "upper").answer().value.point
    assert (number, computed) == (Sheet().states() - 64, 54)
    lines = written.splitlines()
    last = lines[-1].split()
    lines[-1] = " ".join([*last[:-1], f"{int(last[-1], 16) + 1:x}"])
    with pytest.raises(ValueError, match="the value of 3f 0 at 0 is wrong"):
        check("upper", iter(lines), number)
    with pytest.raises(ValueError, match=r"no value was computed; EVERY must be at most \d+"):
        check("upper", iter(written.splitlines()), number + 1)
    for word in ("0x3f", "-1", "1_0", "٣", "f" * 5000):
        with pytest.raises(ValueError, match="is not a number in base 16, or too long"):
            check("upper", iter([*lines[:-1], " ".join([*last[:-1], word])]), number + 1)
    words = [sys.executable, "-I", CHECKER, "upper", proof]
    part = subprocess.run([*words, "2000"], capture_output=True, text=True, check=True)
    assert part.stdout == "accepted: 1 of 2730 values computed; the others are not checked\n"
    none = subprocess.run([*words, "1000000000"], capture_output=True, text=True, check=False)
    assert (none.returncode, none.stdout[:32]) == (1, "rejected: no value was computed;")
    with pytest.raises(ValueError, match="missing"):
        check("upper", iter(lines[:-1]), number)
    with pytest.raises(ValueError, match="twice"):
        check("upper", iter([*lines[:-1], lines[-2]]), number)
