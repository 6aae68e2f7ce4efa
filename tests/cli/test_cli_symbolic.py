"""`exactdice symbolic …` as a user types it."""

import shutil
import subprocess

import pytest
from gmpy2 import mpq

from exactdice.claims.certificates import read_certificate
from exactdice.claims.sentences import checkout
from exactdice.games.swe.optimum.reachable import count_reachable
from exactdice.games.swe.sources import OPTIMUM
from exactdice.report.readers import read, read_json
from exactdice.run import Run
from exactdice.studies.risk.closed_forms import COMPARED
from exactdice.studies.risk.sources import POSTS_WIN
from exactdice.studies.swe.closed_forms.long_run import LongRun
from exactdice.symbolic import reports
from exactdice.symbolic.ehrhart import ehrhart
from exactdice.symbolic.polynomial import SignRun, favoured


def test_ehrhart_has_its_fields(answer):
    document = answer("symbolic ehrhart 1,2,3,4,5 --count 100")
    # Sources: theory for degree, period and volume; Normaliz, LattE and barvinok for the count.
    assert (document["degree"], document["period"]) == (5, 60)
    assert document["leading_coefficient"] == "1/14400"
    assert document["value"] == 1016288
    assert len(document["residues"]) == 60
    assert all(len(row) == 6 for row in document["residues"])


@pytest.mark.parametrize("n", [0, 1, 10, 22, 59, 60, 100])
def test_residues_evaluate_to_the_count(answer, n):
    document = answer(f"symbolic ehrhart 1,1,2,2,3,3,4,4,5,5 --count {n}")
    row = document["residues"][n % document["period"]]
    assert sum(mpq(c) * n**power for power, c in enumerate(row)) == document["value"]
    assert document["value"] == count_reachable(n) + (n > 0)


def test_ehrhart_without_a_count_has_no_value(answer):
    document = answer("symbolic ehrhart 2,1")
    assert "value" not in document
    # By hand: (n + 2)²/4 for even n, ((n + 2)² − 1)/4 for odd n.
    assert document["residues"] == [["1", "1", "1/4"], ["3/4", "1", "1/4"]]


def test_ehrhart_tells_its_progress_to_the_end():
    told = []
    reports.ehrhart_report(ehrhart(1, 6), run=Run(progress=lambda *news: told.append(news[1:])))
    # A step for each of the waves of orders 1, 2, 3 and 6, and four more.
    assert told == [(done, 8) for done in range(1, 9)]


def test_counts_come_with_what_is_proved_of_them(answer):
    names = [s["name"] for s in answer("symbolic ehrhart 1,2,1,2")["statements"]]
    assert names == ["count", "reciprocity"]


def test_risk_round_gives_factored_counts(answer):
    document = answer("symbolic risk-round 3 2")
    counts = {o["attacker_losses"]: o["count"] for o in document["outcomes"]}
    # The sum of the fourth powers 1 … s, factored in every table of power sums.
    assert counts[2] == "s*(s + 1)*(2*s + 1)*(3*s**2 + 3*s - 1)/30"
    assert document["favoured"] == "s ≥ 5"
    names = [s["name"] for s in document["statements"]]
    assert names == ["power sums", "reciprocity"]


@pytest.mark.parametrize(("dice", "most"), [("1 1", 6), ("2 1", 6), ("3 2", 6), ("7 7", 7)])
def test_grounds_of_a_theorem_are_not_those_of_one_round(answer, dice, most):
    for statement in answer(f"symbolic risk-round {dice}")["statements"]:
        assert statement["status"] == "proved"
        assert ", for all " in statement["grounds"]
        # Wherever it is stated, it is compared for at least the rounds of up to 6 dice a side, so
        # for those of the certificates.
        assert statement["grounds"].endswith(f"≤ {most}")


def test_certificates_compare_no_more_rounds_than_the_statements():
    for name in ("risk.power-sums", "risk.reciprocity"):
        path = checkout() / "proofs" / "certificates" / f"{name}.json"
        bounds = read_certificate(path.read_bytes())["parameters"]
        dice = bounds.get("most_dice") or max(bounds["defender_dice"])
        assert dice <= COMPARED


def test_risk_round_with_ties_to_the_attacker(answer):
    document = answer("symbolic risk-round 1 1 --ties attacker")
    # By hand: of s² rolls s(s + 1)/2 have the attacker's die at least as high.
    assert [o["count"] for o in document["outcomes"]] == ["s*(s + 1)/2", "s*(s - 1)/2"]
    assert document["favoured"] == "s ≥ 1"
    assert "statements" not in document
    assert answer("symbolic risk-round 1 1")["favoured"] == "never"


def test_signs_are_written_as_ranges():
    runs = [SignRun(1, 1, 1), SignRun(2, 4, 0), SignRun(5, 7, 1)]
    assert favoured(runs) == "s = 1, 5 ≤ s ≤ 7"


def test_risk_battle_gives_the_published_value(answer):
    assert answer("symbolic risk-battle 4 2")["value"] == POSTS_WIN
    assert answer("symbolic risk-battle 3 2 --units fighting")["value"] == POSTS_WIN
    # By hand: one die each, four sides, ties to the attacker: 10 of 16.
    line = "symbolic risk-battle 2 1 --sides 4 --ties attacker"
    document = answer(line)
    assert (document["value"], document["chance"]) == ("5/8", "(s + 1)/2 / s")


def test_catastrophe_reports_new_only_play(answer):
    document = answer("symbolic catastrophe")
    # New-only play is optimal for 10 rounds, of which the README of the game prints the optimum.
    assert abs(mpq(document["expected_score"]) - OPTIMUM[10]) < mpq(1, 10**13)
    rounds = document["rounds"]
    # By hand: one die fails in round 1 with 1/4; round 2 needs dice of ages 1 and 2 to fail.
    assert [row["round"] for row in rounds] == list(range(1, 11))  # by default ten
    assert [rounds[i]["catastrophe"] for i in (0, 1)] == ["1/4", "7/64"]
    assert rounds[0]["all_failed"] == rounds[0]["catastrophe"]
    for row in rounds[1:]:
        assert mpq(row["all_failed"]) > 1 - mpq(row["none_so_far"])
    assert {s["status"] for s in document["statements"]} == {"proved"}


def test_limits_with_many_digits_before_the_point_are_proved_to_the_last(answer):
    # Oracle: the limits to 300 places, from more terms. 1/Q has 70 digits before the point.
    document = answer("symbolic catastrophe --sides 100 --rounds 1 --revenue 2")
    limits = LongRun(100, 300)
    assert document["rounds_between"] == limits.rounds_between().decimal(20)
    assert document["rounds_to_first"] == limits.rounds_to_first(2).decimal(20)
    assert document["limit_score"] == limits.expected_score().decimal(20)


def test_catastrophe_of_given_dice(answer):
    document = answer("symbolic catastrophe --dice 4,4,6 --rounds 2 --revenue 1 --score 3")
    assert document["all_failed"] == "(1 - (3/4)**t)**2*(1 - (5/6)**t)"
    # By hand: (7/16)²·11/36.
    assert [mpq(r["all_failed"]) for r in document["rolls"]] == [mpq(1, 96), mpq(539, 9216)]
    assert document["provenance"]["conventions"]["start"] == "1 revenue dice, score 3"


@pytest.mark.parametrize(
    "line",
    [
        "symbolic ehrhart 1,2,3 --count 7",
        "symbolic risk-round 2 2",
        "symbolic risk-battle 3 2",
        "symbolic catastrophe --rounds 3 --dice 2,3",
    ],
)
def test_both_data_formats_read_back_alike(run, line, tmp_path):
    from_json = read_json(run(line + " --format json")[1])
    assert run(f"{line} --output {tmp_path}/it.csv") == (0, "", "")
    assert from_json == read(tmp_path / "it.csv")
    for shown in ("text", "md"):
        assert run(f"{line} --format {shown}")[0] == 0


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_of_every_closed_form_compiles(run, tmp_path):
    lines = [
        "symbolic ehrhart 1,2,3,4,5",
        "symbolic ehrhart 1,1,2,2",
        "symbolic risk-round 3 2",
        "symbolic risk-battle 4 2",
        "symbolic catastrophe --rounds 3 --dice 1,4,4",
    ]
    body = "".join(run(line + " --format latex")[1] for line in lines)
    document = (
        "\\documentclass{article}\\usepackage{array,booktabs,longtable}\\begin{document}\n"
        f"{body}\\end{{document}}\n"
    )
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-2000:]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("symbolic ehrhart 1,0", "weights: got '0'; give a whole number of at least 1"),
        ("symbolic ehrhart 1,-2", "weights: got '-2'; give a whole number of at least 1"),
        ("symbolic ehrhart 1,x", "weights: got 'x'; give a whole number of at least 1"),
        ("symbolic ehrhart 1.5", "weights: got '1.5'; give a whole number of at least 1"),
        (
            "symbolic ehrhart 1,,2",
            "weights: got '1,,2'; give a list with commas between, as W,W,…",
        ),
        (
            "symbolic ehrhart 97,89,83,79",
            "the weights have period 56606581: 283032905 coefficients, more than the limit of "
            "1000000; ask for the count at one n",
        ),
        ("symbolic ehrhart 1,2 --count -1", "count: got '-1'; give a whole number of at least 0"),
        ("symbolic ehrhart 1,2 --count n", "count: got 'n'; give a whole number of at least 0"),
        ("symbolic ehrhart", "Missing argument 'W,W,…'."),
        ("symbolic risk-battle 5 0", "defenders: got '0'; give a whole number from 1 to 100"),
        ("symbolic risk-battle 3 2 --sides 0", "sides: got '0'; give a whole number of at least 1"),
        (
            "symbolic catastrophe --sides 0",
            "sides: got '0'; give a whole number from 1 to 1000",
        ),
        (
            "symbolic catastrophe --rounds 201",
            "rounds: got '201'; give a whole number from 0 to 200",
        ),
        (
            "symbolic catastrophe --revenue x",
            "revenue: got 'x'; give a whole number from 0 to 1000000",
        ),
        (
            # 4 fractions a round t, of 2·(10⁶·t + t(t + 1)/2)·log₁₀ 4 digits for t = 1 … 10.
            "symbolic catastrophe --revenue 1000000",
            "10 rounds from 1000000 revenue dice take about 264 million digits, more than the "
            "limit of 50 million; give fewer rounds or less revenue",
        ),
        ("symbolic catastrophe --score -1", "score: got '-1'; give a whole number of at least 0"),
        ("symbolic catastrophe --dice 4,0", "dice: got '0'; give a whole number of at least 1"),
    ],
)
def test_bad_usage_gets_one_line_and_status_two(run, line, message):
    status, out, err = run(line)
    assert (status, out) == (2, "")
    assert err == f"exactdice: {message}\n"


@pytest.mark.parametrize(
    ("line", "of_risk"),
    [
        ("symbolic risk-round 0 2", "risk round 0 2"),
        ("symbolic risk-round 3 21", "risk round 3 21"),
        ("symbolic risk-round 3 2 --ties us", "risk round 3 2 --ties us"),
        ("symbolic risk-battle 1 2", "risk win 1 2"),
        ("symbolic risk-battle 3 2 --units x", "risk win 3 2 --units x"),
    ],
)
def test_bad_armies_and_rules_get_the_line_that_risk_itself_gives(run, line, of_risk):
    """Its texts are pinned in `test_cli_risk.py`."""
    refused = run(line)
    assert refused == run(of_risk)
    assert refused[:2] == (2, "")


def test_waves_are_told_with_their_order_and_degree(answer):
    # By hand, of weights 1 and 2: (n + 2)²/4 less 1/4 where n is odd, which is the polynomial
    # (2n² + 8n + 7)/8 and 1/8 or −1/8 in turn.
    waves = answer("symbolic ehrhart 1,2")["waves"]
    assert [(wave["order"], wave["degree"]) for wave in waves] == [(1, 2), (2, 0)]
    assert [wave["wave"] for wave in waves] == ["1/4*n**2 + n + 7/8", "[1/8, -1/8]"]
