"""The steps of the written proofs hold, and every theorem has one."""

import re
import subprocess
import sys

from checker import ROOT

FOLDER = ROOT / "proofs" / "theorems"


def test_every_step_holds_without_any_installed_package():
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(FOLDER / "steps.py")],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (run.returncode, run.stderr) == (0, "")
    titles = re.findall(r"^## (Theorem \d+):", (FOLDER / "THEOREMS.md").read_text("utf-8"), re.M)
    checked = [line.split(":")[0].capitalize() for line in run.stdout.splitlines()]
    assert checked == titles
    assert len(titles) == 21


def test_every_theorem_ends_and_names_its_step():
    text = (FOLDER / "THEOREMS.md").read_text(encoding="utf-8")
    for theorem in text.split("\n## ")[1:]:
        assert "∎" in theorem
        assert "*Step:*" in theorem
