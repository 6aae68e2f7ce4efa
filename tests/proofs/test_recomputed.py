"""The C++ programs for the software-engineering game, Risk and Qwixx, compared with fractions."""

import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from checker import FOLDER, ROOT, check, run

from exactdice.arithmetic import nearest_double
from exactdice.book.luck import seat, turns
from exactdice.book.qwixx import Qwixx
from exactdice.games.risk import dice_game
from exactdice.games.swe.optimum.interval_search import enclose
from exactdice.games.swe.rules import STANDARD
from exactdice.models import optimum

pytestmark = pytest.mark.skipif(not shutil.which("c++"), reason="no compiler")
FACES = (3, 4, 40)  # so that the highest promotion is optimal at high scores


def outcomes(up, down, score):
    """Yield the outcomes of rolling the revenue dice `up`, with their probabilities."""
    for kept in product(*(range(n + 1) for n in up)):
        chance = Fraction(1)
        for n, k, sides in zip(up, kept, FACES, strict=True):
            chance *= comb(n, k) * Fraction((sides - 1) ** k, sides**n)
        broken = tuple(d + n - k for d, n, k in zip(down, up, kept, strict=True))
        yield chance, kept, broken, score + sum(kept) if any(kept) else 0


@cache
def rolled(left, up, down, score):
    """The expected value before the revenue dice `up` are rolled, with `left` rounds afterwards."""
    return sum(chance * value(left, *after) for chance, *after in outcomes(up, down, score))


@cache
def value(left, up, down, score):
    """The expected final score under optimal play."""
    return max(worths(left, up, down, score)) if left else Fraction(score)


def worths(left, up, down, score):
    """The value of each move."""
    return [rolled(left - 1, *table, score) for table in tables_after(up, down)]


def tables_after(up, down):
    """The tables after each move: fixes, or a new die and then promotions from the lowest."""

    def moved(dice, rung, by):
        return (*dice[:rung], dice[rung] + by, *dice[rung + 1 :])

    rungs = range(len(up))
    tables = [(moved(up, i, 1), moved(down, i, -1)) for i in rungs if down[i]]
    if not tables:
        lifted = [moved(moved(up, i, -1), i + 1, 1) for i in rungs[:-1] if up[i]]
        tables = [(table, down) for table in (moved(up, 0, 1), *lifted)]
    return tables


def answer(name, *words):
    """Run a program; return exit status, output and error output."""
    listed = (",".join(map(str, w)) if isinstance(w, tuple) else str(w) for w in words)
    return run(*listed, python=check.compiled(name))


def both_ends(text):
    return [tuple(map(Fraction, ends)) for ends in re.findall(r"from ([0-9.]+) to ([0-9.]+)", text)]


@pytest.mark.slow
def test_bounds_contain_the_listed_values():
    seen = set()
    for left, score, dice in product((1, 2, 4), (0, 60), ((1, 1, 0), (0, 2, 0), (2, 1, 1))):
        right = worths(left, dice, (0, 0, 0), score)
        lost = max(right) - right[1]
        is_other = right.index(max(right)) > 1 and right.count(max(right)) == 1
        for loss in (lost - Fraction(1, 10**6), lost + Fraction(1, 10**6)):
            status, printed, _ = answer("swe_bounds", FACES, left, score, dice, loss)
            for (low, high), exact in zip(both_ends(printed), right, strict=True):
                # 10 decimals are printed
                assert low - Fraction(1, 10**10) <= exact <= high + Fraction(1, 10**10)
                assert high - low < Fraction(1, 10**9)
            assert (status == 0) == (is_other and loss < lost)
            seen.add(status)
        ends = [max(right) + k * Fraction(1, 10**9) for k in (-2, -1, 1, 2)]
        for status, pair in ((0, ends[1:3]), (1, ends[:2]), (1, ends[2:])):
            assert answer("swe_bounds", FACES, left, score, dice, *pair)[0] == status
    assert seen == {0, 1}


def both_bounds(faces, rounds, *ends):
    least, most = ends or (0, 10**6)
    words = faces, rounds, f"{float(least):.12f}", f"{float(most):.12f}"
    status, printed, _ = answer("swe_value", *words)
    (ends,) = both_ends(printed)
    return *ends, status


@pytest.mark.slow
@pytest.mark.parametrize(
    "faces", [(3, 4, 40), (2,), (1, 2), (4, 4, 5, 9), (2, 3, 30, 31, 32), (1, 6, 7)]
)
def test_lines_contain_the_listed_values(faces, monkeypatch):
    none, printed = (0,) * len(faces), Fraction(1, 10**12)
    monkeypatch.setitem(globals(), "FACES", faces)
    for rounds in range(1, 6 if len(faces) < 4 else 5):
        value.cache_clear(), rolled.cache_clear()
        exact = value(rounds, none, none, 0)
        low, high, _ = both_bounds(faces, rounds)
        assert low - printed <= exact <= high + printed
        assert high - low < Fraction(1, 100)  # chords and guesses if a move depends on the score
        least, most = exact - Fraction(1, 50), exact + Fraction(1, 50)
        assert both_bounds(faces, rounds, least, most)[2] == 0
        assert both_bounds(faces, rounds, least, exact - Fraction(1, 10**11))[2] == 1
        assert both_bounds(faces, rounds, exact + Fraction(1, 10**11), most)[2] == 1
    value.cache_clear(), rolled.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rounds", "ends", "width"),
    [
        (10, ("20.483601957243238", "20.483601957243239"), "1e-12"),  # printed by the README
        (30, ("94.8978118742971", "94.8978118742999"), "1e-3"),  # program extracted from Coq
    ],
)
def test_lines_contain_the_optimum_found_by_others(rounds, ends, width):
    low, high, _ = both_bounds(STANDARD, rounds)
    assert low - Fraction(1, 10**12) <= Fraction(ends[0])
    assert Fraction(ends[1]) <= high + Fraction(1, 10**12)
    # In 30 rounds a move near the start depends on the score.
    assert high - low <= Fraction(width)


@pytest.mark.slow
def test_lines_and_interval_search_contain_the_same_optimum():
    low, high, _ = both_bounds(STANDARD, 40)
    other = enclose(40).value
    assert low <= Fraction(str(other.upper))
    assert Fraction(str(other.lower)) <= high


@pytest.mark.slow
def test_creating_is_less_safe_from_fourteen_rounds_on_where_weight_and_rounds_are_at_most_32():
    # 422 tables, the first six d8 with 14 rounds left and four d4 with 19: a program in fractions
    # by a reader of the paper.
    status, printed, errors = answer("swe_safer", 32)
    lines = re.findall(r"(\d+) rounds left, (\d+) tables: (.*)", printed)
    assert (status, errors) == (0, "")
    assert [int(left) for left, _, _ in lines] == list(range(14, 29))
    assert sum(int(tables) for _, tables, _ in lines) == 422
    assert "0,0,6,0,0" in lines[0][2].split()
    first = [left for left, _, dice in lines if "4,0,0,0,0" in dice.split()]
    assert first[0] == "19"
    assert answer("swe_safer", 80)[0] == 2


@pytest.mark.slow
def test_a_fifth_d4_is_less_safe_from_nineteen_rounds_on():
    # A program in fractions by a reader of the paper: 0.1200654149 after rolling with 19 rounds
    # left, 0.1208382469 after creating; with 18 creating is safer.
    status, printed, errors = answer("swe_four", 14, 11, 60, 250, 19, 4)
    ends = re.search("19 rounds: at most (.*) after rolling, at least (.*) after", printed)
    assert ends is not None
    assert 0.1200654149 <= float(ends[1]) < 0.1210654149
    assert 0.1208382469 >= float(ends[2]) > 0.1198382469
    assert (status, errors) == (0, "")
    assert answer("swe_four", 14, 11, 60, 250, 18, 4)[0] == 1
    assert answer("swe_four", 14, 11, 60, 59, 19, 4)[0] == 2


@pytest.mark.slow
def test_creating_is_always_less_safe_at_four_dice_and_safer_at_fewer():
    # The step of theorem 31, in integers. There are 41 tables of weight up to 7, as many as
    # partitions into parts up to 5: 27 of at most three dice, 7 of four, 7 of more.
    status, printed, _ = answer("swe_four", 14, 16, 300, 1000, 19, 7)
    said = "creating is less safe at 14 tables, safer at 27, not shown at 0"
    assert f"weight up to 7, 300 rounds or more: {said}" in printed.splitlines()
    few_status, few, _ = answer("swe_four", 14, 11, 60, 250, 19, 7)
    assert re.findall("not shown: (.*)", few) == ["5,1,0,0,0", "6,0,0,0,0", "7,0,0,0,0"]
    assert (status, few_status) == (0, 1)


@pytest.mark.slow
def test_with_eleven_rounds_left_creating_is_less_safe_at_three_tables_only():
    worse = [f"0,0,0,{n},0" for n in (9, 10, 11)]
    # Count the tables whose dice all survive a roll with a probability above 1/4.
    survive = [[Fraction(f - 1, f) ** n for n in range(28)] for f in STANDARD]
    some = [Fraction(1)]
    for powers in survive:
        some = [chance * q for chance in some for q in powers if chance * q > Fraction(1, 4)]
    status, printed, _ = answer("swe_short", 11, 4, *worse)
    *first, tables, last = printed.splitlines()
    assert (status, tables, last) == (0, f"{len(some) - 1} tables; not shown: 0", "accepted")
    assert all(line.endswith("left, 0 tables:") for line in first[:10])
    assert answer("swe_short", 11, 4, *worse[:2])[0] == 1
    assert answer("swe_short", 11, 1)[0] == 2
    # Six d8 with 14 rounds left: a program by a reader of the paper.
    assert "0,0,6,0,0" in answer("swe_short", 14, 4)[1].splitlines()[13].split()


@pytest.mark.slow
def test_integers_find_the_tables_that_rounded_doubles_find():
    worse = [f"0,0,0,{n},0" for n in (9, 10, 11)]
    for part, (less_safe, left) in {4: (3, 0), 3: (1, 2)}.items():
        doubles = answer("swe_short", 11, part, *worse)
        integers = answer("short_integers", 11, part, *worse)
        tables = re.search(rf"(\d+) tables; not shown: {left}\n", doubles[1])[1]
        first = f"less safe with 11 rounds left at {less_safe}, with fewer at 0; open: {left}"
        assert integers[1].startswith(f"{tables} tables; {first}\n")
        assert integers[0] == doubles[0] == (left > 0)
    assert answer("short_integers", 11, 1)[0] == 2


def test_exact_fractions_of_three_players_are_accepted_and_others_are_not():
    name = "left-center-right-3.txt"
    lines = (ROOT / "proofs/recomputed" / name).read_text("ascii").split()
    below, above = ([int.from_bytes(b64decode(x)) for x in lines[at : at + 3]] for at in (0, 3))
    # The package solves the linear equations exactly.
    chances = [optimum(seat(3, at)).value.exact for at in range(3)]
    off = [sum(below[j - i] * chances[i] for i in range(3)) - above[j] for j in range(3)]
    assert len(set(off)) == 1
    mean, under = (int.from_bytes(b64decode(x)) for x in (lines[7], lines[6]))
    assert optimum(turns(3)).value.exact == Fraction(mean, under)
    assert answer("lcr_exact", 3, name)[0] == answer("lcr_exact", 3, *lines)[0] == 0
    wrong = b64encode((mean + 1).to_bytes(len(lines[7]) * 3 // 4)).decode()
    for others in (
        [*lines[:3], lines[4], lines[3], *lines[5:]],
        [lines[1], lines[0], *lines[2:]],
        [*lines[:7], wrong],
    ):
        assert answer("lcr_exact", 3, *others)[0] == 1
    for words in (lines[:7], [*lines[:7], "A="], ["no-such-file"]):
        assert answer("lcr_exact", 3, *words)[0] == 2


def test_bounds_with_integers_contain_the_exact_solutions_of_three_players():
    lows = ["0.306843014", "0.328018729", "0.365138256", "18.863028485"]
    status, printed, _ = answer("lcr_check", 3, 300, "0.000000001", *lows)
    assert status == 0
    exact = [optimum(seat(3, at)).value.exact for at in range(3)] + [optimum(turns(3)).value.exact]
    for (low, high), value in zip(both_ends(printed), exact, strict=True):
        assert low <= value <= high
        assert high - low < Fraction(1, 10**9)
    assert answer("lcr_check", 3, 300, "0.000000001", "0.306843013", *lows[1:])[0] == 1
    assert answer("lcr_check", 3, 100, "0.000000001", *lows)[0] == 1
    assert answer("lcr_check", 3, 300, "1e-9", *lows)[0] == 2


@pytest.mark.slow
def test_the_line_of_even_chances_is_that_of_the_theorem_and_not_two_units_higher(tmp_path):
    status, printed, errors = answer("risk_line", 3000)
    assert (status, errors) == (0, "")
    assert printed.splitlines()[-1] == "up to 3000 defenders: 0 wrong"
    assert answer("risk_line", 0)[0] == 2
    # With 1937 instead of 1935 the armies at 1935 with odd a + d are on the wrong side.
    at_it = [d for d in range(1, 3001) if (2387 * d + 1935) % 2797 == 0]
    text = (ROOT / "proofs" / "recomputed" / "risk_line.cpp").read_text(encoding="utf-8")
    (tmp_path / "risk_line.cpp").write_text(text.replace("1935 : 2046", "1937 : 2046"))
    words = "c++", "-std=c++17", "-O2", "-o", tmp_path / "line", tmp_path / "risk_line.cpp"
    subprocess.run(words, check=True)
    printed = run(3000, python=tmp_path / "line")[1]
    assert printed.splitlines()[-1] == f"up to 3000 defenders: {len(at_it)} wrong"


@pytest.mark.slow
def test_equal_armies_against_a_defender_who_sees_the_dice_win_less_than_half():
    # 526 and 0.487396: proofs/theorems/seen_dice.py 800, another program.
    status, printed, errors = answer("risk_seen", 700)
    assert (status, errors) == (0, "")
    said = "up to 700 units: W(n, n) is not below 1/2 for 0 n; greatest at 526, 0.487396"
    assert printed.startswith(said)
    # The package solves the game in rational numbers.
    chance = dice_game(24, 24, "after", "fighting").value
    assert f"greatest at 24, {float(chance):.9f}" in answer("risk_seen", 24)[1]
    assert answer("risk_seen", 9)[0] == 2


def drawn(left, create, up, down, score):
    """The mean score and its mean square under the policy that creates with a probability."""
    if not left:
        return Fraction(score), Fraction(score) ** 2
    tables = tables_after(up, down)
    if any(down) or len(tables) == 1:
        shares = [(tables[-1], Fraction(1))]  # the die with the most faces is last
    else:
        shares = [(tables[0], create), (tables[1], 1 - create)]
    mean = square = Fraction(0)
    for table, share in shares:
        for chance, *after in outcomes(*table, score):
            more = drawn(left - 1, create, *after)
            mean, square = mean + share * chance * more[0], square + share * chance * more[1]
    return mean, square


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "create"), [(1, "1/2"), (3, "0"), (3, "3/10"), (4, "4/5")])
def test_moments_of_random_policies_equal_the_listed_ones(rounds, create):
    mean, square = drawn(rounds, Fraction(create), (0,) * 3, (0,) * 3, 0)
    variance, off = square - mean**2, Fraction(1, 10**7)
    for a, b in product((0, off, -off), repeat=2):
        words = FACES, rounds, create, mean + a, variance + b, Fraction(1, 10**8)
        assert (answer("swe_means", *words)[0] == 0) == (a == b == 0)


@pytest.mark.slow
@pytest.mark.parametrize("plays_on", [False, True])
def test_bounds_of_small_qwixx_contain_its_value(plays_on):
    value = optimum(Qwixx(sides=2, needed=2, penalties=1, plays_on=plays_on).game()).value
    off = Fraction(1, 10**9)
    for low, high, code in ((-off, off, 0), (off, 2 * off, 1), (-2 * off, -off, 1)):
        ends = [f"{nearest_double(value + end):.12f}" for end in (low, high)]
        assert answer("qwixx_check", 2, 2, 1, int(plays_on), *ends)[0] == code
    printed = answer("qwixx_check", 2, 2, 1, int(plays_on), 0, 100)[1]
    low, high = (Fraction(int(word), 2**36) for word in re.findall(r"(\d+) (?:to|over)", printed))
    assert low <= value <= high
    assert answer("qwixx_check", 7, 5, 4, 0, 0, 100)[0] == 2


@pytest.mark.slow
def test_the_checker_runs_the_programs_that_a_certificate_names(monkeypatch):
    given = {"evidence": {"programs": ["swe_bounds 3,4,40 1 0 1,1,0 1"]}}
    assert check.programs_of(given, are_run=False) == ", if swe_bounds accepts"
    with pytest.raises(check.Rejected, match="swe_bounds rejects 3,4,40 1 0 1,1,0 1"):
        check.programs_of(given, are_run=True)
    given["evidence"]["programs"] = ["../swe_bounds 1"]
    with pytest.raises(check.Rejected, match="no program"):
        check.programs_of(given, are_run=True)


@pytest.mark.long  # 2 min of processor time
def test_the_spread_of_yahtzee_is_computed_within_250_mb():
    variances = "3553.523266 3553.558464"  # of the claim book.yahtzee-variance
    command = f"ulimit -v 250000; exec {check.compiled('yahtzee_spread')} {variances}"
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 0


@pytest.mark.long  # 20 s of processor time and 1 GB
@pytest.mark.parametrize(
    "claim", ["promote-lowest-if-any", "d10-promote-lowest-if-any", "means-30-drawn"]
)
def test_programs_accept_the_claims_that_python_does_not_compute(claim):
    assert "accepts: swe." in check.judge(FOLDER / f"swe.{claim}.json", are_run=True)
