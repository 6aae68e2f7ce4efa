"""Sheets of turns of dice against the rules as moves; the words and numbers of every page."""

import csv
import random
import re
import runpy
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import combinations, permutations, product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from gmpy2 import mpq

from exactdice import ask, book
from exactdice.arithmetic import nearest_double, rational
from exactdice.book import _MODULES, PAGES, load, ten_thousand, turns
from exactdice.book.page import Page, _published
from exactdice.book.sheet import Sheet, SheetValues, score_law, solved
from exactdice.dice import Distribution, fair
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle.rules.tables import ZILCH
from exactdice.models import FreeRerolls, optimum
from exactdice.run import Run
from exactdice.solve.play import Lookahead

SMALL = {"alike": lambda roll: 50 * (len(set(roll)) == 1), "chance": sum,
         "house": lambda roll: 25 * (len(set(roll)) == 2)}  # fmt: skip


def random_sheet(number):
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
def test_all_values_and_ties_are_those_of_the_moves(number):
    sheet = random_sheet(number)
    best, values = optimum(sheet.game()), sheet.values()
    enclosed = solved(sheet, Run(), mpq(1, 10**6)).value
    assert best.value in enclosed
    assert enclosed.width <= mpq(1, 10**6)
    between = [state for state in best.model.states if state[3:] == ((), sheet.turns.rolls - 1)]
    for boxes, upper, holds, *_ in between:
        value = best.value_of((boxes, upper, holds, (), sheet.turns.rolls - 1))
        assert values.between(boxes, upper, holds=holds).point == value
    assert (values.ties, sheet.states()) == (len(best.several), len(between))
    read = SheetValues.read(sheet, values.numbers[(), False], values.written())
    assert read.ties == values.ties
    written = {at: list(each) for at, each in values.numbers.items()}
    assert {at: list(each) for at, each in read.numbers.items()} == written


@pytest.mark.parametrize("number", range(12))
def test_the_law_of_the_score_is_that_of_play_by_advice(number):
    sheet = random_sheet(number)
    answer, law, turns = solved(sheet, Run()), score_law(sheet.values()), sheet.turns
    look = Lookahead(sheet.game(), answer.at or (lambda state: None))
    told = []
    assert score_law(sheet.values(), Run(progress=lambda *what: told.append(what))) == law
    size = len(sheet.boxes)
    assert told == [("boxes filled", number, size) for number in range(1, size + 1)]

    @cache
    def scores(boxes, upper, holds, kept, left):
        """Chances of points to come, by enumeration of ordered throws."""
        if not boxes:
            return {0: Fraction(1)}
        total = {}
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
                now = {o[0]: o for o in sheet.options(boxes, roll, holds=holds)}[first]
                points = int(sheet.reward(now, np.array([upper]))[0])
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


def test_values_and_laws_are_exact_or_refused_as_64_bits_and_memory_allow():
    sheet = random_sheet(2)
    width = sheet.values(width=mpq(1)).between(sheet.boxes).width
    assert sheet.values().is_exact
    assert sheet.values(width=width * mpq(999, 1000)).is_exact
    assert not sheet.values(width=width).is_exact
    # a slot for each score that can be, and there are more of these than that are not reached
    sheet = random_sheet(1)
    values = sheet.values()
    most = max(score_law(values))
    slot = ((sheet.turns.per_roll**sheet.turns.rolls) ** len(sheet.boxes)).bit_length()
    needed = sheet.states() * slot * most // 400  # at once, as measured
    for memory in (0, needed):
        with pytest.raises(TooLargeError, match="the distribution of the score needs about"):
            score_law(values, Run(memory=memory))
    score_law(values, Run(memory=2 * (needed + 500 * sheet.states())))


@pytest.mark.parametrize(("width", "size"), [(None, 200), (mpq(1), 8)])
def test_values_need_so_many_bytes_a_state(width, size):
    # a number of 64 bits, and a long one, of which what it takes was measured
    sheet = random_sheet(2)
    needed = sheet.states() * size
    values = sheet.values(Run(memory=needed), width)
    assert repr(values) == f"SheetValues(ties={values.ties})"
    with pytest.raises(TooLargeError, match="the values of all states needs about"):
        sheet.values(Run(memory=needed - 1), width)


@pytest.mark.parametrize("bonus", [3, 200, 315, 1000])
def test_a_law_is_reported_in_steps_of_tens_that_make_at_most_32(bonus):
    upper, turns = ("ones", "twos"), FreeRerolls(2, fair(3), 2)
    sheet = Sheet(upper=upper, lower={"chance": sum}, bonus=bonus, full=4, turns=turns)
    values = sheet.values()
    law = score_law(values).probabilities()
    answer = solved(sheet, Run())
    report = answer.law(Run())
    step = next(s for s in range(10, 10**4, 10) if 32 * s >= max(law) - min(law))
    least = range(min(law) // step * step, max(law) + 1, step)
    above = [sum((p for s, p in law.items() if s >= score), mpq(0)) for score in least]
    assert list(report.table("law").rows) == [*zip(least, above, strict=True)]
    mean = sum(s * p for s, p in law.items())
    variance = sum((s - mean) ** 2 * p for s, p in law.items())
    deviation, median = report.value("deviation"), report.value("median")
    assert (report.value("mean"), report.value("variance")) == (mean, variance)
    assert isinstance(deviation, Enclosure)
    assert deviation.lower**2 <= variance <= deviation.upper**2
    assert deviation.width == mpq(1, 10**12)
    assert median == min(m for m in law if 2 * sum(p for s, p in law.items() if s <= m) >= 1)
    assert report.value("play") == "optimal play"
    rounded = solved(sheet, Run(), mpq(1, 100)).law(Run())
    assert rounded.value("play") == "play that is optimal up to rounding in 64 bits"


@pytest.mark.parametrize(("change", "message"), [
    ({3: (1, 2, 3)}, r"dice: got \(1, 2, 3\); expected at most 2 faces"),
    ({3: (1, 4)}, r"dice: got \(1, 4\); expected at most 2 faces"),
    ({0: ("twos", "ones")}, "expected boxes in their order, and points possible with them"),
    ({1: 5}, "expected boxes in their order, and points possible with them"),
])  # fmt: skip
def test_a_state_that_a_sheet_has_not_is_refused(change, message):
    turns = FreeRerolls(2, fair(3), 2)
    sheet = Sheet(upper=("ones", "twos"), lower={}, bonus=5, full=4, turns=turns)
    answer = solved(sheet, Run())
    state = [("ones", "twos"), 0, False, (), 1]
    assert answer.at(tuple(state)) == answer.value
    assert answer.at((*state[:3], (1, 3), 1)) is None  # within a turn
    for place, wrong in change.items():
        state[place] = wrong
    with pytest.raises(InputError, match=message):
        answer.at(tuple(state))


# The checker, which knows the rules by itself.

CHECKER = Path(__file__).parents[2] / "proofs" / "sheet_check.py"


def checker():
    module = ModuleType("sheet_check")
    exec(compile(CHECKER.read_text(), "sheet_check", "exec"), module.__dict__)  # noqa: S102
    return module


@pytest.mark.parametrize("rules", [name for name in PAGES["yahtzee"].variants if name != "upper"])
def test_checker_and_book_write_rolls_into_the_same_boxes(rules):
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
def test_the_checker_accepts_all_values_and_no_other(tmp_path):
    proof, policy = tmp_path / "values", tmp_path / "policy"
    ask(f"book yahtzee --variant upper --certificate {proof} --policy {policy}")
    written = proof.read_text()
    check = checker().check
    # one box, from ones without points: by hand 5 · (1 − (5/6)³)
    rows = dict(row.rsplit(",,,,,", 1) for row in policy.read_text().splitlines()[1:])
    assert len(rows) == Sheet().states() - 64
    ones = rows["\"(('ones',), 0, False, (), 2)\""]
    assert mpq(ones.split(",")[0]) == 5 * (1 - mpq(5, 6) ** 3)
    lines = written.splitlines()
    value, boxes, number, computed = check("upper", iter(lines), 50)
    assert mpq(value, 6 ** (15 * boxes)) == load("yahtzee", "upper").answer().value.point
    assert (number, computed) == (Sheet().states() - 64, 54)
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


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_threes_is_what_ordered_throws_say(dice):
    @cache
    def least(count):
        total = Fraction(0)
        if not count:
            return total
        for throw in product((0, 1, 2, 4, 5, 6), repeat=count):
            kept = (part for n in range(1, count + 1) for part in combinations(throw, n))
            total += min(sum(part) + least(count - len(part)) for part in kept)
        return total / 6**count

    assert optimum(turns.threes(dice), least=True).value == mpq(least(dice))


@pytest.mark.parametrize(("variant", "each"), [("both", False), ("each", True)])
def test_ship_captain_and_crew_is_what_ordered_throws_say(variant, each):
    @cache
    def voyage(left, aboard, cargo):
        """With so many rolls left; the cargo that is kept, 0 where none is."""
        total, count = Fraction(0), 5 - aboard - (cargo > 0)
        for throw in product(range(1, 7), repeat=count):
            dice, n = list(throw), aboard
            while n < 3 and 6 - n in dice:
                dice.remove(6 - n)
                n += 1
            if n < 3:
                total += voyage(left - 1, n, 0) if left > 1 else 0
                continue
            dice += [cargo] if cargo else []
            more = [0, *(dice if each else [])] if left > 1 else []
            total += max([Fraction(sum(dice)), *(voyage(left - 1, 3, kept) for kept in more)])
        return total / 6**count

    # what may be set aside is, as nothing is won by leaving a six, five or four
    assert load("ship-captain-crew", variant).answer().value.point == mpq(voyage(3, 0, 0))


def test_ship_captain_and_crew_come_aboard_as_often_as_ordered_throws_say():
    mass = {0: Fraction(1)}
    for _ in range(3):
        after = {}
        for aboard, chance in mass.items():
            for throw in product(range(1, 7), repeat=5 - aboard):
                n = aboard
                while n < 3 and 6 - n in throw:
                    n += 1
                after[n] = after.get(n, Fraction(0)) + chance / 6 ** (5 - aboard)
        mass = after
    assert load("ship-captain-crew", "aboard").answer().value.point == mpq(mass[3])


FACES = {"g": "bbbsff", "y": "bbssff", "r": "bsssff"}


@pytest.mark.parametrize("cup", [(3, 0, 0), (2, 1, 1), (1, 2, 2)])
def test_zombie_dice_is_what_single_dice_say(cup):
    @cache
    def best(left, feet, brains, shots):
        need = 3 - len(feet)
        if need > len(left):
            return brains
        draws = list(permutations(range(len(left)), need))
        total, same = 0.0, 0
        for drawn in draws:
            hand = feet + "".join(left[i] for i in drawn)
            rest = "".join(die for i, die in enumerate(left) if i not in drawn)
            for faces in product(*(FACES[die] for die in hand)):
                walked = "".join(sorted(d for d, f in zip(hand, faces, strict=True) if f == "f"))
                hit = shots + faces.count("s")
                if hit >= 3:
                    continue
                after = rest, walked, brains + faces.count("b"), hit
                if after == (left, feet, brains, shots):
                    same += 1
                else:
                    total += best(*after)
        return max(brains, total / (len(draws) * 6**3 - same))

    exact = optimum(turns.turn(cup).game(lambda end: turns.brains(end, cup))).value
    dice = "".join(colour * count for colour, count in zip("gyr", cup, strict=True))
    assert abs(float(exact) - best(dice, "", 0, 0)) < 1e-12


@pytest.mark.parametrize(("target", "cup"), [(2, (2, 1, 1)), (3, (3, 0, 1)), (1, (6, 4, 3))])
def test_a_race_of_zombies_is_won_as_often_as_its_moves_say(target, cup):
    race = turns.race(target, cup)
    best = optimum(race.game(), width="1e-25").value
    chance = race.enclosed("1e-20").chance(0, 0)
    assert chance.lower <= (1 + best.upper) / 2
    assert (1 + best.lower) / 2 <= chance.upper


def test_a_race_of_zombies_is_a_geometric_series_and_answered_within_what_is_asked():
    # A turn is over with a brain, which seven rolls in eight show, or with a shot and none, as
    # there are no dice to draw; three pairs of feet are one in 27. So a turn wins with p, and who
    # begins with 1 / (2 − p).
    p = (1 - mpq(1, 8)) / (1 - mpq(1, 27))
    chance = turns.race(1, (3, 0, 0)).enclosed("1e-20").chance(0, 0)
    assert 1 / (2 - p) in chance
    assert chance.width <= mpq(1, 10**20)
    # the chance of who begins, by the race itself; a state is what both have
    wanted = turns.race(1).enclosed("1e-20").chance(0, 0)
    variant = turns._race(1, "a second")
    answer = variant.answer()
    assert answer.value.lower <= wanted.upper
    assert wanted.lower <= answer.value.upper
    assert answer.value.width <= mpq(1, 10**12)
    assert answer.states == 1
    assert variant.asks == "probability that the first player is first to 1 brains"


def zilch_options(throw):
    """Points and dice left after each choice, by parts of the throw that score as one."""

    @cache
    def score(part):
        """The points of a part in which each die scores; 0 where one does not."""
        counts = sorted(part.count(f) for f in set(part))
        found = 0
        if len(part) == 6 and (counts in ([1] * 6, [2, 2, 2], [2, 4])):
            found = 1500
        if len(part) == 6 and not found and counts == [1, 1, 2, 2] and not {1, 5} & set(part):
            return 500
        total = 0
        for face in set(part):
            n, single = part.count(face), {1: 100, 5: 50}.get(face, 0)
            kind = (1000 if face == 1 else 100 * face) << (n - 3) if n >= 3 else 0
            if not max(kind, single):
                return found
            total += max(kind, n * single)
        return max(found, total)

    parts = {p for n in range(1, len(throw) + 1) for p in combinations(sorted(throw), n)}
    return {(score(part), len(throw) - len(part)) for part in parts if score(part)}


@pytest.mark.slow
def test_zilch_is_worth_what_ordered_throws_say():
    laws = {}
    for dice in range(1, 7):
        law = laws[dice] = {}
        throws = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=dice))
        for throw, ways in throws.items():
            offered = frozenset(zilch_options(throw))
            law[offered] = law.get(offered, 0) + ways

    def value(zilch):
        """Value iteration is not needed: points rise; from 6000 on six dice bring 470."""
        best = {}
        for points in range(14_000, -50, -50):
            for dice in range(1, 7):
                bank = points if points >= 300 else -1e9
                if points >= 6000:
                    best[points, dice] = points + (free if dice == 6 else 0)
                    continue
                roll = 0.0
                for options, ways in laws[dice].items():
                    after = (best[points + s, left or 6] for s, left in options)
                    roll += ways * max(after, default=zilch)
                best[points, dice] = max(bank, roll / 6**dice)
        return best[0, 6]

    free = 0.0
    for _ in range(200):
        best = ((n, max(s + (0 if left else free) for s, left in options))
                for options, n in laws[6].items())  # fmt: skip
        free = sum(n * most for n, most in best) / 6**6
    assert abs(free - nearest_double(ten_thousand.free_roll(ten_thousand.PAIRS))) < 1e-9
    one = load("ten-thousand", "turn").answer().value.point
    assert abs(value(0.0) - nearest_double(one)) < 1e-9
    # ends of a turn after none, one and two zilches
    ends = ten_thousand.turn(ten_thousand.PAIRS).ends
    assert load("ten-thousand", "zilch").answer().states == 3 * len(ends)
    mean = nearest_double(load("ten-thousand", "zilch").answer().value.point)
    assert abs(value(value(value(-500.0) - mean) - mean) - mean) < 1e-8


@pytest.mark.parametrize("rules", [ZILCH, ten_thousand.PAIRS], ids=lambda rules: rules.name)
def test_no_roll_beyond_the_cap_pays(rules):
    cap = ten_thousand.CAP
    for dice in range(1, 6):  # what a roll brings where all is banked after it, a zilch nothing
        law = ten_thousand.rolled(dice, rules).map(
            lambda menu: max(
                (ten_thousand.worth(end, 0, rules) for end in ten_thousand.kept((cap, 6), menu)),
                default=mpq(0),
            )
        )
        assert law.mean() < cap


#: Answers to what takes longer than a second, as `make book` writes them.
STORED = Path(book.__file__).with_name("answers.csv")
_HOMES = {name: import_module(f"exactdice.book.{module}").__file__
          for name, module in _MODULES.items()}  # fmt: skip


def test_every_page_is_listed_and_every_published_value_belongs_to_a_variant():
    folder = Path(_HOMES["craps"]).parent
    made = [
        page.name
        for module in folder.glob("*.py")
        for page in vars(import_module(f"exactdice.book.{module.stem}")).values()
        if isinstance(page, Page)
    ]
    assert sorted(made) == sorted(PAGES)
    assert all(PAGES[name].name == name for name in PAGES)
    assert "chess" not in PAGES
    for page, variant in _published():
        assert variant in PAGES[page].variants
    for page in PAGES.values():
        for variant in page.variants.values():
            assert all(n.belongs in ("", *page.variants) for n in variant.numbers)


def anew(name):
    """A page, by running what makes it once more."""
    made = runpy.run_path(_HOMES[name]).values()
    page = next(page for page in made if isinstance(page, Page) and page.name == name)
    return page.with_published()


def variants():
    return [(page, name, v) for page in map(anew, PAGES) for name, v in page.variants.items()]


def stored():
    with STORED.open(encoding="utf-8", newline="") as lines:
        return {(row["game"], row["variant"]): row for row in csv.DictReader(lines)}


def test_what_takes_a_second_is_kept_nowhere_and_other_answers_have_the_words_of_their_variants():
    rows = stored()
    # of a second, with values that need not be rational, or are of many digits
    enclosed = {("pig", "alone"), ("hog", "to-15")}
    for page, name, variant in variants():
        if variant.takes == "a second":
            assert (page.name, name) not in rows or name == next(iter(page.variants))
            assert (variant.width is None) == ((page.name, name) not in enclosed)
        if (row := rows.get((page.name, name))) is None:
            continue
        value = Enclosure(mpq(row["lower"]), mpq(row["upper"]))
        said = [f"{printed.number}: {printed.verdict(value)}" for printed in variant.numbers]
        assert row["verdict"] == ("; ".join(said) or "no published value is known")
        assert row["rules"] == variant.rules
        # a race of zombies finds its own bounds
        is_enclosed = variant.width is not None or (page.name, name) == ("zombie-dice", "race")
        assert (value.point is None) == is_enclosed
        assert value.width <= rational(variant.width or "1e-12")


@pytest.mark.slow
def test_a_number_of_other_rules_is_right_for_the_variant_that_is_named():
    kept = stored()
    for page, name, variant in variants():
        for printed in variant.numbers:
            if printed.belongs:
                row, other = kept.get((page.name, printed.belongs)), page.variants[printed.belongs]
                assert printed.belongs != name
                if not row and other.takes != "a second":
                    continue  # a slow test of the game looks at it
                stored_value = row and Enclosure(mpq(row["lower"]), mpq(row["upper"]))
                verdict = replace(printed, belongs="").verdict(stored_value or other.answer().value)
                assert verdict.startswith("confirmed")


def test_the_least_is_looked_for_and_a_win_is_a_chance_where_the_words_say_so():
    begins = "probability that the (first|starting) player"
    for page, _, variant in variants():
        assert variant.least == bool(re.search("smallest", variant.asks or page.asks))
        assert variant.wins == bool(re.match(begins, variant.asks or page.asks))


def test_variants_of_shut_the_box_are_those_of_their_names():
    page = anew("shut-the-box")
    rules = ("", "-six", "-two")
    assert set(page.variants) == {"9-pairs"} | {
        f"{tiles}{more}"
        for tiles in (9, 10, 12)
        for more in ("-sum", *rules, *(f"{rule}-match" for rule in rules))
    }
    for name, variant in page.variants.items():
        tiles, *rest = name.split("-")
        is_match, is_sum = "match" in rest, "sum" in rest
        one_die = "six" if {"six", "pairs"} & {*rest} else "two" if "two" in rest else "choice"
        assert variant.options == {
            "highest": int(tiles), "one_die": one_die, "shutting": not is_sum,
            "most": 2 if "pairs" in rest else 12, "players": 1 + is_match,
        }  # fmt: skip
        wanted = "sum left open" if is_sum else "the first player wins" if is_match else ""
        assert wanted in variant.asks
        assert bool(variant.asks) == bool(wanted)
        # a match of twelve tiles is too large to be listed
        assert (variant.solve is not None) == (is_match and tiles == "12")
        assert (variant.takes == "a minute") == (is_match and tiles != "12")
        assert (variant.takes == "10 s") == (tiles == "12")


def test_the_bear_off_has_a_cube_or_none_as_its_words_say():
    for name, variant in anew("bear-off").variants.items():
        mine, theirs, _, cube, _, due = variant.game().initial
        sides = variant.rules.split("against")
        points = [sorted(map(int, re.findall(r"\d", side))) for side in sides]
        expected = points if name.startswith("letter") else [[1, 2, 3, 4, 5, 6]] * 2
        assert [sorted(mine), sorted(theirs)] == expected
        said = {"no cube": "none", "the opponent's cube": "theirs", "own cube": "mine"}
        fitting = [which for words, which in said.items() if words in variant.rules]
        assert cube == (*fitting, "centre")[0]
        # the table that a value was printed of says what it is to roll
        assert due == ("roll" if "not doubling" in variant.rules else "")
        assert variant.solve_writes == (("policy",) if cube == "none" else ())
        assert bool(variant.large) == (cube != "none")
        assert variant.takes == ("10 s" if cube == "none" else "a minute")  # three tables for one


def test_left_center_right_takes_longer_with_each_player():
    takes = {}
    for name, variant in anew("left-center-right").variants.items():
        takes.setdefault(name[0], []).append(variant.takes)
        assert (variant.width is None) == (name[0] == "3")
    assert {name: len(each) for name, each in takes.items()} == {str(n): n + 1 for n in range(3, 7)}
    named = ["a second", "10 s", "a minute", "2 minutes and 1 GB"]
    assert [set(each) for each in takes.values()] == [{each} for each in named]
