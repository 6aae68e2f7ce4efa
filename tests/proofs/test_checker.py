"""The checker stands alone, accepts every certificate, and knows the claims of the package."""

import ast
import json
import subprocess
import sys
from fractions import Fraction as Q

import pytest
from checker import FOLDER, ROOT, check, document_of, documents, without_deriving
from derivations import swe as swe_derivations
from derivations.swe_play import STANDARD, Game, solved
from kinds import KINDS, interpolated, shifted
from reading import Rejected

from exactdice.games.fatestones import sources as fatestones
from exactdice.games.swe import sources as swe
from exactdice.jobs.claims import CLAIMS
from exactdice.studies.farkle import readme as farkle
from exactdice.studies.reroll import sources as reroll
from exactdice.studies.risk import sources as risk

PROGRAM = ROOT / "proofs" / "check.py"


def test_it_imports_the_standard_library_alone():
    here = {"derivations", "incoq", "kinds", "reading", "register", "statements"}  # beside it
    here |= {"check", "steps", "stepping"}
    files = [
        path
        for place in ("*", "derivations/*", "theorems/s*/*")
        for path in PROGRAM.parent.glob(f"{place}.py")
    ]
    assert len(files) > 15
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names | here


@pytest.mark.slow
def test_it_needs_no_installed_package_accepts_every_certificate_and_knows_the_claims():
    # -I -S: no site-packages, no environment, nothing of the working folder.
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM)],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert run.stdout.count("REJECTED") == 0
    assert (run.returncode, run.stderr) == (0, "")
    assert len(run.stdout.splitlines()) == len(documents())
    known = {claim.id for claim in CLAIMS if claim.kind}
    assert known == documents().keys() == {name for name, of in check.TABLE.items() if of.derive}
    assert check.TABLE.keys() == {claim.id for claim in CLAIMS}
    assert {json.loads(path.read_bytes())["kind"] for path in FOLDER.glob("*.json")} == {*KINDS}


def test_it_names_the_theorems_that_a_verdict_rests_on(capsys):
    assert check.main([str(FOLDER / "risk.power-sums.json")]) == 0
    assert capsys.readouterr().out == ("proved, resting on theorem 4: risk.power-sums (identity)\n")


def test_a_changed_or_missing_theorem_is_noticed(tmp_path, monkeypatch):
    raw = (FOLDER / "risk.power-sums.json").read_bytes()
    proofs = tmp_path / "theorems"
    proofs.mkdir()
    text = (ROOT / "proofs" / "theorems" / "THEOREMS.md").read_text("utf-8")
    monkeypatch.setattr(check.statements, "PROOFS", tmp_path)
    for changed in (text.replace("Sum over L", "Add over L"), text.split("## Theorem 4")[0]):
        (proofs / "THEOREMS.md").write_text(changed, "utf-8")
        check.statements.theorems.cache_clear()
        with pytest.raises(check.Rejected, match=r"rests_on|malformed: KeyError"):
            check.check(raw)
    check.statements.theorems.cache_clear()


def test_a_step_that_fails_rejects_what_rests_on_it(monkeypatch):
    def fails(_):
        raise check.statements.StepError("4: no rotation")

    monkeypatch.setattr(check.statements, "step", fails)
    with pytest.raises(check.Rejected, match="a step of a theorem fails: 4: no rotation"):
        check.check((FOLDER / "risk.power-sums.json").read_bytes())


def test_a_forged_verdict_on_good_play_is_rejected(monkeypatch):
    without_deriving(monkeypatch)
    document = document_of("fatestones.good-play")
    evidence = document["evidence"] | {"edge": "1/50"}
    forged = document | {"evidence": evidence, "verdict": "proved"}
    with pytest.raises(check.Rejected, match="not what is found here"):
        check.check(check.canonical(forged).encode())


def test_a_missing_certificate_is_noticed(tmp_path, monkeypatch, capsys):
    (tmp_path / "reroll.states.json").write_bytes((FOLDER / "reroll.states.json").read_bytes())
    monkeypatch.setattr(check.reading, "FOLDER", tmp_path)
    assert check.main([]) == 1
    printed = capsys.readouterr().out
    assert "proved: reroll.states (search)" in printed
    assert "REJECTED: risk.table: no certificate" in printed


def test_a_certificate_under_another_name_is_rejected(tmp_path, capsys):
    path = tmp_path / "reroll.best-score.json"
    path.write_bytes((FOLDER / "reroll.states.json").read_bytes())
    assert check.main([str(path)]) == 1
    assert "has another name" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["swe.convex.evil", "swe.convex", "x.json"])
def test_the_name_of_a_file_is_the_claim_and_json(name, tmp_path, capsys, monkeypatch):
    without_deriving(monkeypatch)
    path = tmp_path / name
    path.write_bytes((FOLDER / "swe.convex.json").read_bytes())
    assert check.main([str(path)]) == 1
    assert "has another name" in capsys.readouterr().out


def test_its_help_is_printed_in_ascii():
    run = subprocess.run(
        [sys.executable, str(PROGRAM), "--help"],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert b"CLAIMS.md" in run.stdout


def test_a_missing_file_is_rejected(tmp_path, capsys):
    assert check.main([str(tmp_path / "none.json")]) == 1
    assert "no plain file" in capsys.readouterr().out


def test_the_folder_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 5_000_000


def test_published_figures_come_out():
    found = {name: document["evidence"] for name, document in documents().items()}
    printed = risk.POSTS_ROUND["attacker"]  # of the 36 rolls of one die a side
    assert f"{found['risk.one-against-one']['attacker_loses']}/36" == printed
    assert found["risk.four-against-two"]["win"] == risk.POSTS_WIN
    ten = check.reading.rational(found["swe.ten-rounds"]["value"])
    assert abs(ten - Q(str(swe.OPTIMUM[10]))) < Q("0.00000000000001")  # of doubles
    assert [*found["fatestones.dice"].values()] == [*fatestones.README.values()]
    assert found["reroll.states"]["states"] == reroll.COURSEWORK["states"]
    assert str(found["farkle.optimal-1"]["whole_part"]) == farkle.README["Optimal_1"]


def test_interpolation_and_shift():
    # By hand: 1 + 2x + 3x² at 0, 1, 2 is 1, 6, 17, and at x + 1 it is 6 + 8x + 3x².
    assert interpolated([1, 6, 17]) == [1, 2, 3]
    assert shifted([1, 2, 3], 1) == [6, 8, 3]


def test_a_counterexample_at_a_score_that_play_cannot_reach_is_refused():
    # A d6 and a d8 take five rounds in which nothing fails: 7, 8 or 9 points, as the second die is
    # created in round 4, 3 or 2.
    game, table = solved(6, STANDARD), ((0, 1, 1, 0, 0), (0,) * 5)
    for score in (7, 8, 9):
        assert swe_derivations.looked_up(game, (28, 5, *table, score), "1")
    for score in (6, 10):
        with pytest.raises(Rejected, match="cannot reach"):
            swe_derivations.looked_up(game, (28, 5, *table, score), "1")


def test_game_of_two_rounds_by_hand():
    # One d4 after the first round, if it survives (3/4, score 1); then two d4, else one again:
    # 3/4 · (15/16 + 3/2) + 1/4 · 3/4 = 129/64.
    assert Game(2, STANDARD).starts == [0, Q(3, 4), Q(129, 64)]
