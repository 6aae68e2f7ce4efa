"""The checker accepts every certificate without installed packages, and knows the claims."""

import ast
import json
import sys
from fractions import Fraction as Q

import pytest
from checker import FOLDER, PATHS, ROOT, check, document_of, documents, run
from derivations import swe as swe_derivations
from derivations.swe_play import STANDARD, Game, solved
from kinds import KINDS, interpolated, shifted
from printed import POSTS_ROUND, POSTS_WIN, README_DICE, SWE_OPTIMUM
from reading import Rejected

from exactdice.jobs.claims import CLAIMS
from exactdice.studies.farkle import readme as farkle
from exactdice.studies.reroll import sources as reroll

PROGRAM = ROOT / "proofs" / "check.py"


def test_it_imports_only_the_standard_library():
    here = {"derivations", "incoq", "kinds", "reading", "register", "statements"}  # its own modules
    here |= {"check", "steps", "stepping"}
    places = ("*", "derivations/*", "theorems/s*/*")
    files = [path for place in places for path in PROGRAM.parent.glob(f"{place}.py")]
    assert len(files) > 15
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names | here


@pytest.mark.slow
def test_it_needs_no_installed_package_accepts_every_certificate_and_knows_the_claims():
    # -I -S: no site-packages, no environment variables, nothing from the working folder.
    status, printed, errors = run("-I", "-S", PROGRAM)
    assert printed.count("REJECTED") == 0
    assert (status, errors) == (0, "")
    assert len(printed.splitlines()) == len(documents())
    known = {claim.id for claim in CLAIMS if claim.kind}
    assert known == documents().keys() == {name for name, of in check.TABLE.items() if of.derive}
    assert check.TABLE.keys() == {claim.id for claim in CLAIMS}
    assert {json.loads(path.read_bytes())["kind"] for path in PATHS} == {*KINDS}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 5_000_000


def test_it_prints_the_theorems_that_a_verdict_rests_on(capsys):
    assert check.main([str(FOLDER / "risk.power-sums.json")]) == 0
    assert capsys.readouterr().out == ("proved, resting on theorem 4: risk.power-sums (identity)\n")


def test_a_changed_or_missing_theorem_is_detected(tmp_path, monkeypatch):
    raw = (FOLDER / "risk.power-sums.json").read_bytes()
    proofs = tmp_path / "theorems"
    proofs.mkdir()
    text = (ROOT / "proofs" / "theorems" / "THEOREMS.md").read_text("utf-8")
    theorem = text.split("\n## Theorem 4:")[1].split("\n## ")[0]
    monkeypatch.setattr(check.statements, "PROOFS", tmp_path)
    for changed in (text.replace(theorem, f"{theorem}x"), text.split("## Theorem 4")[0]):
        (proofs / "THEOREMS.md").write_text(changed, "utf-8")
        check.statements.theorems.cache_clear()
        with pytest.raises(check.Rejected, match=r"rests_on|malformed: KeyError"):
            check.check(raw)
    check.statements.theorems.cache_clear()


def test_a_step_that_fails_rejects_the_claims_that_rest_on_it(monkeypatch):
    def fails(_):
        raise check.statements.StepError("4: no rotation")

    monkeypatch.setattr(check.statements, "step", fails)
    with pytest.raises(check.Rejected, match="a step of a theorem fails: 4: no rotation"):
        check.check((FOLDER / "risk.power-sums.json").read_bytes())


def test_a_missing_certificate_is_detected(tmp_path, monkeypatch, capsys):
    assert check.main([str(tmp_path / "none.json")]) == 1
    assert "not a regular file" in capsys.readouterr().out
    (tmp_path / "reroll.states.json").write_bytes((FOLDER / "reroll.states.json").read_bytes())
    monkeypatch.setattr(check.reading, "FOLDER", tmp_path)
    assert check.main([]) == 1
    printed = capsys.readouterr().out
    assert "proved: reroll.states (search)" in printed
    assert "REJECTED: risk.table: no certificate" in printed


@pytest.mark.parametrize("name", ["swe.convex.evil", "swe.convex", "x.json", "swe.bounded.json"])
def test_a_certificate_under_another_name_is_rejected(name, tmp_path, capsys, derived_once):
    path = tmp_path / name
    path.write_bytes((FOLDER / "swe.convex.json").read_bytes())
    assert check.main([str(path)]) == 1
    assert "must be named swe.convex.json" in capsys.readouterr().out


def test_certificates_of_two_versions_are_rejected(tmp_path, capsys, derived_once):
    for claim, version in (("reroll.states", "0.1.0"), ("reroll.best-score", "0.1.1")):
        document = document_of(claim) | {"package": f"exactdice {version}"}
        (tmp_path / f"{claim}.json").write_text(check.canonical(document), encoding="ascii")
    assert check.main([str(path) for path in sorted(tmp_path.iterdir())]) == 1
    assert "several versions" in capsys.readouterr().out


def test_its_help_is_printed_in_ascii():
    status, printed, _ = run(PROGRAM, "--help", env={"PYTHONIOENCODING": "ascii"})
    assert status == 0
    assert "CLAIMS.md" in printed


def test_published_numbers_are_found():
    found = {name: document["evidence"] for name, document in documents().items()}
    printed = POSTS_ROUND["attacker"]  # of the 36 rolls with one die a side
    assert f"{found['risk.one-against-one']['attacker_loses']}/36" == printed
    assert found["risk.four-against-two"]["win"] == POSTS_WIN
    ten = check.reading.rational(found["swe.ten-rounds"]["value"])
    assert abs(ten - Q(str(SWE_OPTIMUM[10]))) < Q("0.00000000000001")  # printed as doubles
    assert [*found["fatestones.dice"].values()] == [*README_DICE.values()]
    assert found["reroll.states"]["states"] == reroll.COURSEWORK["states"]
    assert str(found["farkle.optimal-1"]["whole_part"]) == farkle.README["Optimal_1"]


def test_results_by_hand():
    # 1 + 2x + 3x² at 0, 1, 2 is 1, 6, 17, and at x + 1 it is 6 + 8x + 3x².
    assert interpolated([1, 6, 17]) == [1, 2, 3]
    assert shifted([1, 2, 3], 1) == [6, 8, 3]
    # One d4 after the first round, if it survives (3/4, score 1); then two d4, otherwise one again:
    # 3/4 · (15/16 + 3/2) + 1/4 · 3/4 = 129/64.
    assert Game(2, STANDARD).starts == [0, Q(3, 4), Q(129, 64)]


def test_a_counterexample_at_a_score_that_play_cannot_reach_is_rejected():
    # A d6 and a d8 take five rounds without failures: 7, 8 or 9 points, as the second die is
    # created in round 4, 3 or 2.
    game, table = solved(6, STANDARD), ((0, 1, 1, 0, 0), (0,) * 5)
    for score in (7, 8, 9):
        assert swe_derivations.looked_up(game, (28, 5, *table, score), "1")
    for score in (6, 10):
        with pytest.raises(Rejected, match="cannot reach"):
            swe_derivations.looked_up(game, (28, 5, *table, score), "1")
