"""`exactdice symbolic …` from the command line."""

import pytest
from gmpy2 import mpq
from measured import needs_pdflatex, set_by_pdflatex
from printed import SWE_OPTIMUM

from exactdice.claims.certificates import checkout, read_certificate
from exactdice.games.swe.optimum.reachable import split_weights
from exactdice.run import Run
from exactdice.studies.risk.closed_forms import COMPARED
from exactdice.studies.swe.closed_forms import LongRun
from exactdice.symbolic import count_points, questions
from exactdice.symbolic.ehrhart import ehrhart
from exactdice.symbolic.polynomial import SignRun, favoured


@pytest.mark.parametrize("n", [0, 1, 10, 22, 59, 60, 100])
def test_residues_evaluate_to_the_count(answer, n):
    document = answer(f"symbolic ehrhart 1,1,2,2,3,3,4,4,5,5 --count {n}")
    row = document["residues"][n % document["period"]]
    assert sum(mpq(c) * n**power for power, c in enumerate(row)) == document["value"]
    assert document["value"] == count_points(split_weights(), n)


def test_ehrhart_reports_its_progress():
    told = []
    questions.ehrhart_report(ehrhart(1, 6), run=Run(progress=lambda *news: told.append(news[1:])))
    # A step for each of the waves of orders 1, 2, 3 and 6, and four more.
    assert told == [(done, 8) for done in range(1, 9)]


@pytest.mark.parametrize(("dice", "most"), [("1 1", 6), ("2 1", 6), ("3 2", 6), ("7 7", 7)])
def test_grounds_of_a_theorem_are_not_those_of_one_round(answer, dice, most):
    for statement in answer(f"symbolic risk-round {dice}")["statements"]:
        assert statement["status"] == "proved"
        assert ", for all " in statement["grounds"]
        # It is compared for all rounds of up to 6 dice a side, including those of the certificates.
        assert statement["grounds"].endswith(f"≤ {most}")


def test_certificates_compare_no_more_rounds_than_the_statements():
    for name in ("risk.power-sums", "risk.reciprocity"):
        path = checkout() / "proofs" / "certificates" / f"{name}.json"
        bounds = read_certificate(path.read_bytes())["parameters"]
        dice = bounds.get("most_dice") or max(bounds["defender_dice"])
        assert dice <= COMPARED


def test_signs_are_written_as_ranges():
    runs = [SignRun(1, 1, 1), SignRun(2, 4, 0), SignRun(5, 7, 1)]
    assert favoured(runs) == "s = 1, 5 ≤ s ≤ 7"


def test_catastrophe_reports_new_only_play(answer):
    document = answer("symbolic catastrophe")
    # New-only play is optimal for 10 rounds, of which the README of the game prints the optimum.
    assert abs(mpq(document["expected_score"]) - SWE_OPTIMUM[10]) < mpq(1, 10**13)
    rounds = document["rounds"]
    # By hand: one die fails in round 1 with 1/4; round 2 needs dice of ages 1 and 2 to fail.
    assert [row["round"] for row in rounds] == list(range(1, 11))  # by default ten
    assert [rounds[i]["catastrophe"] for i in (0, 1)] == ["1/4", "7/64"]
    assert rounds[0]["all_failed"] == rounds[0]["catastrophe"]
    for row in rounds[1:]:
        assert mpq(row["all_failed"]) > 1 - mpq(row["none_so_far"])
    assert {s["status"] for s in document["statements"]} == {"proved"}


@pytest.mark.slow
def test_limits_with_many_digits_before_the_point_are_proved_to_the_last(answer):
    # Oracle: the limits to 300 places, from more terms. 1/Q has 70 digits before the point.
    document = answer("symbolic catastrophe --sides 100 --rounds 1 --revenue 2")
    limits = LongRun(100, 300)
    assert document["rounds_between"] == limits.rounds_between().decimal(20)
    assert document["rounds_to_first"] == limits.rounds_to_first(2).decimal(20)
    assert document["limit_score"] == limits.expected_score().decimal(20)


@needs_pdflatex
def test_latex_of_every_closed_form_compiles(run, tmp_path):
    lines = [
        "symbolic ehrhart 1,2,3,4,5", "symbolic ehrhart 1,1,2,2", "symbolic risk-round 3 2",
        "symbolic risk-battle 4 2", "symbolic catastrophe --rounds 3 --dice 1,4,4"
    ]  # fmt: skip
    body = "".join(run(line + " --format latex")[1] for line in lines)
    set_by_pdflatex(body, tmp_path)


@pytest.mark.parametrize(("line", "of_risk"), [
    ("symbolic risk-round 0 2", "risk round 0 2"), ("symbolic risk-round 3 21", "risk round 3 21"),
    ("symbolic risk-round 3 2 --ties us", "risk round 3 2 --ties us"),
    ("symbolic risk-battle 1 2", "risk win 1 2"),
    ("symbolic risk-battle 3 2 --units x", "risk win 3 2 --units x")
])  # fmt: skip
def test_bad_armies_and_rules_give_the_errors_of_risk(run, line, of_risk):
    """`refusals.csv` has their texts."""
    refused = run(line)
    assert refused == run(of_risk)
    assert refused[:2] == (2, "")
