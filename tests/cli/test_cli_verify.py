"""`exactdice verify`, from the words of a command line to the exit status."""

import errno
import json
import os
import shutil
from dataclasses import replace

import pytest

from exactdice.claims.sentences import checkout
from exactdice.cli import main
from exactdice.jobs.claims import CLAIMS, claim_named

ROOT = checkout()


@pytest.fixture
def root(tmp_path):
    shutil.copytree(ROOT / "proofs" / "certificates", tmp_path / "proofs" / "certificates")
    shutil.copy(ROOT / "CLAIMS.md", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (": there are 56 states.", ": there are 57 states."),
        ("| reroll.states | proved", "| reroll.states | refuted"),
        ("for the whole stated domain", "for part of the stated domain"),
        ("Annalen 100 (1928)", "Annalen 101 (1928)"),
        # characters that end no line of Markdown, or not in all programs
        ("\n| reroll.states | proved", "\u2028| reroll.states | proved"),
        ("\n| reroll.states | proved", "\r| reroll.states | proved"),
    ],
)
def test_a_changed_line_of_the_register_fails(root, capsys, old, new):
    path = root / "CLAIMS.md"
    text = path.read_text("utf-8")
    assert old in text
    changed = text.replace(old, new)
    pairs = zip(text.split("\n"), changed.split("\n"), strict=False)
    number = next(k for k, (line, other) in enumerate(pairs, 1) if line != other)
    path.write_text(changed, "utf-8")
    assert main(["verify", "risk.table", "--root", str(root), "--format", "json"]) == 1
    captured = capsys.readouterr()
    why = f"CLAIMS.md: line {number} is not what the claims and certificates say"
    assert captured.err.endswith(f"{why}\n")
    printed = json.loads(captured.out)
    assert (printed["verified"], printed["failed"], printed["register"]) == (1, 0, False)


def test_a_missing_register_fails(root, capsys):
    (root / "CLAIMS.md").unlink()
    assert main(["verify", "reroll.states", "--root", str(root)]) == 1
    assert "CLAIMS.md: No such file or directory" in capsys.readouterr().err


def test_it_says_that_it_runs_the_program_that_makes_the_certificates(capsys):
    assert main(["verify", "reroll.states", "--format", "json"]) == 0
    conventions = json.loads(capsys.readouterr().out)["provenance"]["conventions"]
    assert "proofs/derive.py makes" in conventions["certificates"]


def test_named_claims_are_verified(capsys):
    assert main(["verify", "reroll.states", "risk.table", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["verified"], printed["failed"]) == (2, 0)
    assert [row["verdict"] for row in printed["claims"]] == ["proved", "proved"]


def test_long_and_open_claims_are_said_not_to_be_recomputed(monkeypatch, capsys):
    names = ["fatestones.good-play", "fatestones.ranking-criteria"]
    monkeypatch.setattr("exactdice.jobs.verification.CLAIMS", tuple(map(claim_named, names)))
    assert main(["verify", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(row["verdict"], row["recomputed"]) for row in printed["claims"]] == [
        ("refuted", False),
        ("open", False),
    ]
    # An open claim has no certificate that could be computed again.
    assert (printed["verified"], printed["not_recomputed"]) == (0, 1)
    convention = printed["provenance"]["conventions"]["certificates"]
    assert "those that take long only where they are named" in convention


def test_a_long_claim_that_is_named_is_recomputed(root, monkeypatch, capsys):
    # A quick claim that is called long, and a certificate that says another number of states.
    long = replace(claim_named("reroll.states"), is_long=True)
    monkeypatch.setattr("exactdice.jobs.verification.claim_named", lambda _: long)
    path = root / "proofs" / "certificates" / "reroll.states.json"
    path.write_bytes(path.read_bytes().replace(b"56", b"57"))
    assert main(["verify", "reroll.states", "--root", str(root), "--format", "json"]) == 1
    captured = capsys.readouterr()
    assert "differs from what is found at byte" in captured.err
    printed = json.loads(captured.out)
    assert (printed["failed"], printed["not_recomputed"]) == (1, 0)


def test_from_scratch_recomputes(capsys):
    command = ["verify", "reroll.states", "--from-scratch", "--format", "csv", "--table", "claims"]
    assert main(command) == 0
    assert "reroll.states,proved,true" in capsys.readouterr().out


def test_a_difference_ends_with_status_one_and_one_line(root, capsys):
    path = root / "proofs" / "certificates" / "reroll.states.json"
    path.write_bytes(path.read_bytes().replace(b"proved", b"refuted"))
    assert main(["verify", "reroll.states", "--root", str(root)]) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "differs from what is found at byte" in captured.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["reroll.chess"], "claim: got 'reroll.chess'"),
        (["--root", "/nowhere"], "root: got '/nowhere'"),
        (["reroll.states", "--write"], "write: got other arguments"),
        (["--output", "/nowhere/x"], "no folder /nowhere"),
    ],
)
def test_bad_usage_is_one_line(words, why, capsys):
    assert main(["verify", *words]) == 2
    captured = capsys.readouterr()
    assert why in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_write_makes_certificates_and_the_register(root, monkeypatch, capsys):
    few = (claim_named("reroll.states"), claim_named("swe.lattice-points"))
    monkeypatch.setattr("exactdice.jobs.verification.CLAIMS", few)
    folder = root / "proofs" / "certificates"
    for path in folder.iterdir():  # the witness of one that is written is read from there
        if path.name == "reroll.states.json":
            path.unlink()
    assert main(["verify", "--write", "--root", str(root), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == 2
    for path in folder.iterdir():
        assert path.read_bytes() == (ROOT / "proofs" / "certificates" / path.name).read_bytes()
    assert len(list(folder.iterdir())) == len(list((ROOT / "proofs" / "certificates").iterdir()))
    assert (root / "CLAIMS.md").read_bytes() == (ROOT / "CLAIMS.md").read_bytes()


def test_certificates_are_whole_or_absent(root, monkeypatch, capsys):
    # A disk that fills up leaves the old one.
    monkeypatch.setattr("exactdice.jobs.verification.CLAIMS", (claim_named("reroll.states"),))
    folder = root / "proofs" / "certificates"
    earlier = folder / "reroll.states.json"
    earlier.write_bytes(b"of an earlier run")
    rename, replaced = os.rename, []

    def rename_or_fail(source, target, **folders):
        replaced.append(target)
        if target == earlier.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        rename(source, target, **folders)

    monkeypatch.setattr(os, "rename", rename_or_fail)
    assert main(["verify", "--write", "--root", str(root)]) == 2
    assert "cannot be written: No space left" in capsys.readouterr().err
    assert earlier.name in replaced
    assert earlier.read_bytes() == b"of an earlier run"
    assert not list(folder.glob(".exactdice-*"))


@pytest.mark.slow
def test_all_claims_are_the_default(monkeypatch, capsys):
    few = tuple(claim for claim in CLAIMS if claim.id.startswith("reroll."))
    monkeypatch.setattr("exactdice.jobs.verification.CLAIMS", few)
    assert main(["verify", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"] == len(few)
