"""`exactdice verify`, from the words of a command line to the exit status."""

import errno
import json
import os
import shutil
from dataclasses import replace

import pytest

from exactdice.claims.certificates import REGISTER, checkout
from exactdice.jobs.claims import CLAIMS, claim_named

ROOT = checkout()
STATES = "proofs/certificates/reroll.states.json"


@pytest.fixture
def root(tmp_path):
    shutil.copytree(ROOT / "proofs" / "certificates", tmp_path / "proofs" / "certificates")
    for name in REGISTER:
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def known(monkeypatch):
    return lambda claims: monkeypatch.setattr("exactdice.jobs.claims.CLAIMS", tuple(claims))


@pytest.mark.parametrize(("old", "new"), [
    (": there are 56 states.", ": there are 57 states."),
    ("| reroll.states | proved", "| reroll.states | refuted"),
    ("for the whole stated domain", "for some of the stated domain"),
    ("Annalen 100 (1928)", "Annalen 101 (1928)"),
    # characters that end no line of Markdown, or only in some programs
    ("\n| reroll.states | proved", "\u2028| reroll.states | proved"),
    ("\n| reroll.states | proved", "\r| reroll.states | proved")
])  # fmt: skip
def test_a_changed_line_of_the_register_fails(root, run, old, new):
    path = next(root / name for name in REGISTER if old in (root / name).read_text("utf-8"))
    text = path.read_text("utf-8")
    changed = text.replace(old, new)
    pairs = zip(text.split("\n"), changed.split("\n"), strict=False)
    number = next(k for k, (line, other) in enumerate(pairs, 1) if line != other)
    path.write_text(changed, "utf-8")
    status, out, err = run(f"verify risk.table --root {root} --format json")
    assert status == 1
    assert err.endswith(f"{path.name}: line {number} differs from the claims and certificates\n")
    printed = json.loads(out)
    assert (printed["verified"], printed["failed"], printed["register"]) == (1, 0, False)


def test_a_missing_register_fails(root, run):
    (root / "CLAIMS.md").unlink()
    status, _, err = run(f"verify reroll.states --root {root}")
    assert (status, "CLAIMS.md: No such file or directory" in err) == (1, True)


def test_named_claims_are_verified(answer):
    printed = answer("verify reroll.states risk.table")
    assert (printed["verified"], printed["failed"]) == (2, 0)
    assert [row["verdict"] for row in printed["claims"]] == ["proved", "proved"]
    assert "proofs/derive.py" in printed["provenance"]["conventions"]["certificates"]


def test_slow_and_open_claims_are_not_recomputed_by_default(known, answer):
    known(map(claim_named, ["fatestones.good-play", "fatestones.ranking-criteria"]))
    printed = answer("verify")
    rows = [(row["verdict"], row["recomputed"]) for row in printed["claims"]]
    assert rows == [("refuted", False), ("not checkable", False)]
    # A claim that is not checkable has no certificate to compute again.
    assert (printed["verified"], printed["not_recomputed"]) == (0, 1)
    convention = printed["provenance"]["conventions"]["certificates"]
    assert "slow claims only by name" in convention


@pytest.mark.parametrize(
    ("old", "new", "is_long"), [(b"56", b"57", True), (b"proved", b"refuted", False)]
)
def test_a_different_certificate_ends_with_status_1_and_one_line(
    root, monkeypatch, run, old, new, is_long
):
    claim = replace(claim_named("reroll.states"), is_long=is_long)
    monkeypatch.setattr("exactdice.jobs.claims.claim_named", lambda _: claim)
    (root / STATES).write_bytes((root / STATES).read_bytes().replace(old, new))
    status, out, err = run(f"verify reroll.states --root {root} --format json")
    assert (status, err.count("\n")) == (1, 1)
    assert "differs from the computed one at byte" in err
    assert (json.loads(out)["failed"], json.loads(out)["not_recomputed"]) == (1, 0)


def test_from_scratch_recomputes(run):
    out = run("verify reroll.states --from-scratch --format csv --table claims")[1]
    assert "reroll.states,proved,true" in out


def test_write_makes_certificates_and_the_register(root, known, answer):
    known(map(claim_named, ["reroll.states", "swe.lattice-points"]))
    (root / STATES).unlink()  # the other one contains its witness
    assert answer(f"verify --write --root {root}")["written"] == 2
    folder, expected = (at / "proofs" / "certificates" for at in (root, ROOT))
    for path in folder.iterdir():
        assert path.read_bytes() == (expected / path.name).read_bytes()
    assert len(list(folder.iterdir())) == len(list(expected.iterdir()))
    for name in REGISTER:
        assert (root / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_full_disk_leaves_the_earlier_certificate(root, monkeypatch, known, refused):
    known([claim_named("reroll.states")])
    earlier = root / STATES
    earlier.write_bytes(b"of an earlier run")
    rename, replaced = os.rename, []

    def rename_or_fail(source, target, **folders):
        replaced.append(target)
        if target == earlier.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        rename(source, target, **folders)

    monkeypatch.setattr(os, "rename", rename_or_fail)
    assert "cannot be written: No space left" in refused(f"verify --write --root {root}")
    assert earlier.name in replaced
    assert earlier.read_bytes() == b"of an earlier run"
    assert not list(earlier.parent.glob(".exactdice-*"))


@pytest.mark.slow
def test_all_claims_are_the_default(known, answer):
    few = [claim for claim in CLAIMS if claim.id.startswith("reroll.")]
    known(few)
    assert answer("verify")["verified"] == len(few)
