"""The programs that check single large results, compared with the package and on forged files."""

import csv
import json
import random
import re
import shutil
import sys
from fractions import Fraction
from itertools import pairwise, product
from math import gcd
from pathlib import Path

import pytest
from checker import ROOT, check, run

from exactdice.games import farkle
from exactdice.games.farkle import KCD, contender, parse_dice
from exactdice.games.farkle import solve as best_turn
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.fatestones.exact import solve as solved_duel
from exactdice.games.fatestones.rules import count_balanced_dice
from exactdice.studies.fatestones.counting import balanced_three_cycles

PLACE = ROOT / "proofs" / "recomputed"
sys.path.append(str(PLACE))
import census_check  # noqa: E402
import triples_check  # noqa: E402

needs_compiler = pytest.mark.skipif(not shutil.which("c++"), reason="no compiler")


def accepts(name, text, tmp_path):
    """Whether a program accepts a file with the given text."""
    path = tmp_path / f"{name}.cert"
    path.write_text(text, encoding="ascii")
    status, printed, errors = run(path, python=check.compiled(name))
    assert printed.startswith("rejected" if status else "accepted"), errors
    return status == 0


# Farkle's race --------------------------------------------------------------------------------

UNIT = 2**62


def race_text(target, bounds):
    """A file of the race, from bounds by the scores of the player to move and the other player."""
    places = range(target // 50)
    rows = [[(low, high - low) for low, high in (bounds[a, b] for b in places)] for a in places]
    lines = [" ".join(f"{low:x} {above:x}" for low, above in row) for row in rows]
    return "\n".join(["exactdice-race 1", f"target {target}", *lines, "done", ""])


@pytest.fixture(scope="module")
def race():
    """The exact probabilities of winning a race to 250 points, and consistent bounds."""
    player = contender(rules=KCD.varied(target=250))
    chances = win_exactly(player, player)
    exact, bounds = {}, {}
    for a, b in product(range(5), repeat=2):
        exact[a, b] = chances.chance(50 * a, 50 * b).point
        apart = 2**20 * (10 - a - b)  # grows with the points to go
        value = int(exact[a, b] * UNIT)
        bounds[a, b] = max(0, value - apart), min(UNIT, value + 1 + apart)
    return exact, bounds


@pytest.mark.slow
@needs_compiler
def test_correct_bounds_of_a_race_are_accepted_and_no_bound_on_the_wrong_side(race, tmp_path):
    exact, bounds = race
    assert accepts("race_check", race_text(250, bounds), tmp_path)
    for (place, (low, high)), is_low in product(bounds.items(), (True, False)):
        value = exact[place] * UNIT
        wrong = (int(value) + 2**10, high) if is_low else (low, int(value) - 2**10)
        if low <= wrong[0] <= wrong[1] <= high:
            assert not accepts("race_check", race_text(250, bounds | {place: wrong}), tmp_path)


@pytest.mark.slow
@needs_compiler
def test_random_bounds_of_a_race_are_accepted_only_if_they_contain_the_values(race, tmp_path):
    exact, bounds = race
    draw, seen = random.Random(1), set()  # noqa: S311 - the same cases each time
    for _ in range(60):
        size = 2 ** draw.randrange(10, 24)
        forged = {}
        for place, (low, high) in bounds.items():
            moved = low + draw.randrange(-size, size), high + draw.randrange(-size, size)
            forged[place] = max(0, min(moved)), min(UNIT, max(moved))
        is_accepted = accepts("race_check", race_text(250, forged), tmp_path)
        is_right = all(low <= exact[p] * UNIT <= high for p, (low, high) in forged.items())
        assert is_right or not is_accepted
        seen.add((is_right, is_accepted))
    assert {(True, True), (False, False)} <= seen


@pytest.mark.slow
@needs_compiler
def test_a_race_that_is_cut_off_or_extended_or_another_is_rejected(race, tmp_path):
    text = race_text(250, race[1])
    changes = ("250", "300"), ("race 1", "race 2"), ("250\n", "250\ng")
    changed = [text.replace(*change) for change in changes]
    for forged in (text[:-5], text[:200], f"{text}1\n", "", *changed):
        assert not accepts("race_check", forged, tmp_path)


@pytest.mark.slow
@needs_compiler
def test_the_race_to_4000_is_accepted(tmp_path):
    text = (PLACE / "farkle-race-4000.cert").read_text("ascii")
    assert accepts("race_check", text, tmp_path)


# The best sets of dice ------------------------------------------------------------------------

KINDS = {"weighted": (10, 1, 1, 1, 1, 1, 0), "pie": (6, 1, 3, 3, 0, 0, 0),
         "devils-head": (0, 1, 1, 1, 1, 1, 1), "odd": (4, 1, 4, 1, 4, 1, 0)}  # fmt: skip


def sets_text(least, tmp_path):
    """A file with all sets of three dice of these kinds, written by the program."""
    kinds = [f"{name} {' '.join(map(str, weights))}" for name, weights in KINDS.items()]
    head = ["exactdice-best-sets 1", "target 2000", "dice 3", f"least {least}"]
    text = "\n".join([*head, f"kinds {len(KINDS)}", *kinds, "sets", ""])
    (tmp_path / "head").write_text(text, encoding="ascii")
    return text + run(tmp_path / "head", "--write", python=check.compiled("sets_check"))[1]


def lines_of(text):
    """Return the names of the kinds, and for each line the numbers of dice and the bounds."""
    head, _, tail = text.partition("\nsets\n")
    names = [line.split()[0] for line in head.splitlines()[5:]]
    rows = [line.split() for line in tail.splitlines()[:-1]]
    return names, [
        (tuple(map(int, p.split(","))), [Fraction(int(x), 2**16) for x in b]) for p, *b in rows
    ]


@pytest.mark.slow
@needs_compiler
def test_bounds_of_sets_are_close_to_the_exact_values(tmp_path):
    names, lines = lines_of(sets_text(1, tmp_path))
    assert len(lines) == 20  # sets of three among four kinds
    for counts, (low, high) in lines:
        dice = ",".join(f"{n}*{k}" for n, k in zip(names, counts, strict=False) if k)
        exact = best_turn(parse_dice(dice), KCD.varied(target=2000)).value
        assert low <= exact <= high < low + Fraction(1, 100)


@needs_compiler
@pytest.mark.slow
def test_forged_lists_of_best_sets_are_rejected(tmp_path):
    text = sets_text(700, tmp_path)
    _, lines = lines_of(text)
    assert {len(bounds) for _, bounds in lines} == {1, 2}  # sets, and common bounds for several
    assert accepts("sets_check", text, tmp_path)
    rows = text.partition("\nsets\n")[2].splitlines()[:-1]
    for row in rows:
        place, *bounds = row.split()
        rows = ["", f"{row}\n{row}\n", f"{place}\n", f"{place} {bounds[0]} {bounds[-1]} 1\n"]
        changed = [(0, -(2**10))] if len(bounds) == 1 else [(0, 2**10), (1, -(2**10))]
        for which, by in changed:  # a bound on the wrong side of the value
            wrong = [int(b) + by * (which == i) for i, b in enumerate(bounds)]
            rows.append(f"{place} {' '.join(map(str, wrong))}\n")
        forged = [text.replace(f"\n{row}\n", f"\n{line}") for line in rows]
        assert not any(accepts("sets_check", each, tmp_path) for each in forged)
    changes = [("least 700", "least 500"), ("done\n", ""), ("kinds 4", "kinds 3")]
    changes += [("dice 3", "dice 2"), ("weighted 10", "weighted 11"), ("sets 1", "sets 2")]
    for old, new in changes:
        assert not accepts("sets_check", text.replace(old, new), tmp_path)


def test_the_hundred_best_sets_are_those_of_the_paper_and_of_the_named_dice():
    text = (PLACE / "farkle-best-sets.cert").read_text("ascii")
    names, lines = lines_of(text)
    listed = sorted(((b, c) for c, b in lines if len(b) == 2), reverse=True)
    assert all(high < low for ((low, _), _), ((_, high), _) in pairwise(listed))
    printed = json.loads((ROOT / "papers" / "data" / "farkle-best-sets.json").read_text("utf-8"))
    assert len(listed) == len(printed["sets"])
    for ((low, high), counts), one in zip(listed, printed["sets"], strict=True):
        dice = {n: k for n, k in zip(names, counts, strict=False) if k}
        said = [part.partition("*") for part in one["dice"].split(",")]
        assert dice == {name: int(k or 1) for name, _, k in said}
        assert low <= Fraction(one["value"]["upper"])
        assert Fraction(one["value"]["lower"]) <= high
    head = text.partition("\nsets\n")[0].splitlines()
    table = Path(farkle.__file__).with_name("named_dice.csv").read_text("utf-8")
    rows = csv.reader(line for line in table.splitlines() if not line.startswith(("#", "name")))
    weights = {"devils-head": (0, 1, 1, 1, 1, 1, 1)}
    for name, *faces, joker, _ in rows:
        common = gcd(*map(int, faces))
        if joker == "0":
            weights[name] = (*(int(face) // common for face in faces), 0)
    kinds = {line.split()[0]: (*map(int, line.split()[1:]),) for line in head[5:]}
    assert kinds.items() <= weights.items()
    assert {*kinds.values()} == {*weights.values()}


@needs_compiler
@pytest.mark.long  # a quarter of a minute
def test_the_hundred_best_sets_are_accepted(tmp_path):
    assert accepts("sets_check", (PLACE / "farkle-best-sets.cert").read_text("ascii"), tmp_path)


# The census of FateStones ---------------------------------------------------------------------

CENSUS = (PLACE / "fatestones-census.cert").read_text("ascii")


@pytest.mark.slow
def test_values_of_the_census_equal_those_of_the_exact_solver():
    hands = random.Random(2).sample(census_check.HANDS, 3)  # noqa: S311
    for hand in hands:
        for other, _, above, below in [*census_check.deals(hand)][::700]:
            both = [tuple(census_check.BAG[die] for die in one) for one in (hand, other)]
            assert Fraction(above, below) == Fraction(str(solved_duel(*both).value))


def test_games_have_a_kernel_and_its_value():
    # Fictitious play bounds the value: by each pure choice against the average strategies.
    draw = random.Random(3)  # noqa: S311 - the same cases each time
    for _ in range(100):
        game = [[draw.randrange(-3, 4) for _ in range(3)] for _ in range(3)]
        least, most = census_check.saddle(game)
        if least == most:
            continue
        value = Fraction(*census_check.value_of_three(game))
        rows, columns, earned, given = [0] * 3, [0] * 3, [0] * 3, [0] * 3
        for _ in range(2000):
            i, j = earned.index(max(earned)), given.index(min(given))
            rows[i], columns[j] = rows[i] + 1, columns[j] + 1
            earned = [e + line[j] for e, line in zip(earned, game, strict=True)]
            given = [g + x for g, x in zip(given, game[i], strict=True)]
        assert Fraction(min(given), 2000) <= value <= Fraction(max(earned), 2000)


def test_the_census_is_that_of_the_paper():
    said, largest, _, _ = census_check.read(iter(CENSUS.splitlines()))
    printed = json.loads((ROOT / "papers" / "data" / "fatestones-census.json").read_text("utf-8"))
    assert said[:3] == [printed["pairs"], printed["mixed"], printed["even"]]
    assert Fraction(said[3], said[0] * 10**30) == Fraction(printed["mean_absolute_value"])
    assert largest == Fraction(printed["largest_value"])


@pytest.mark.slow
def test_some_lines_of_the_census_are_right_and_forged_ones_are_rejected(tmp_path, capsys):
    def says(text, *more):
        (tmp_path / "census").write_text(text, encoding="ascii")
        census_check.main([str(tmp_path / "census"), *more])
        return capsys.readouterr().out.partition(" ")[0]

    assert says(CENSUS, "EVERY", "1000") == "accepted"
    lines = CENSUS.splitlines(keepends=True)
    first, second = (list(map(int, line.split())) for line in lines[7:9])
    for place in (3, 4, 5):  # one less here, one more there: only the rules can detect it
        one, other = list(first), list(second)
        one[place], other[place] = one[place] - 1, other[place] + 1
        forged = [" ".join(map(str, line)) + "\n" for line in (one, other)]
        assert says("".join([*lines[:7], *forged, *lines[9:]]), "EVERY", "4960") == "rejected:"
    for old, new in (("41/144", "42/144"), ("41/144", "40/144"), ("mixed 1", "mixed 2"),
                     ("deals 18123840", "deals 18123841"), ("done", ""), ("\n0 1 3", "\n0 1 4"),
                     ("144444,234444 ", "144444,234445 "), ("census 1", "census 2")):  # fmt: skip
        assert says(CENSUS.replace(old, new, 1), "EVERY", "4960") == "rejected:"
    assert re.match("0 1 2 [0-9]+ [0-9]+ [0-9]+$", lines[7])


# Triples of proper dice ------------------------------------------------------------------------


def test_triples_are_counted_alike_by_the_package_and_by_the_program_without_it():
    lines = (PLACE / "proper-triples.txt").read_text(encoding="ascii").splitlines()
    assert len(lines) == 11
    for sides, line in enumerate(lines[:8], 1):
        assert line == f"{sides} {balanced_three_cycles(sides)}"
        assert len(triples_check.proper(sides)) == count_balanced_dice(sides)


def test_triples_that_are_wrong_are_rejected(tmp_path, capsys):
    text = (PLACE / "proper-triples.txt").read_text(encoding="ascii")
    forgeries = {text: 0, text.replace("6 577", "6 578"): 1, text.replace("2 0\n", "", 1): 1}
    for forged, status in (forgeries | {"1 x\n": 2, "": 1}).items():
        (tmp_path / "b").write_text(forged, encoding="ascii")
        assert triples_check.main([str(tmp_path / "b"), "7"]) == status
    assert "577" not in capsys.readouterr().out
