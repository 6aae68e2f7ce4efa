"""The steps of the written proofs hold, and every theorem has one."""

import re
import subprocess
import sys

import pytest
from checker import ROOT

from exactdice.games.risk import dice_game

FOLDER = ROOT / "proofs" / "theorems"


@pytest.mark.slow
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
    assert len(titles) == 32


def test_every_theorem_ends_and_names_its_step():
    text = (FOLDER / "THEOREMS.md").read_text(encoding="utf-8")
    for theorem in text.split("\n## ")[1:]:
        assert "∎" in theorem
        assert "*Step:*" in theorem


def test_no_sign_of_a_formula_begins_a_line_where_markdown_takes_it_for_a_list_or_a_quote():
    # CommonMark 0.31, 5.1 and 5.2: these may interrupt a paragraph, and are not shown then.
    lines = (FOLDER / "THEOREMS.md").read_text(encoding="utf-8").split("\n")
    lost = [line for line in lines if re.match(r" {0,3}([-+*] |>|1[.)] )", line)]
    assert not lost


def test_the_conjecture_of_theorem_28_holds_for_armies_of_24():
    script = [sys.executable, "-I", "-S", str(FOLDER / "seen_dice.py")]
    run = subprocess.run([*script, "24"], capture_output=True, check=False, encoding="utf-8")
    assert (run.returncode, run.stderr) == (0, "")
    peak, falls, *answers = run.stdout.splitlines()
    # The package solves the game in rational numbers.
    chance = dice_game(24, 24, "after", "fighting").value
    assert peak == f"W(n, n) is greatest at n = 24: {int(chance * 10**9)} parts of 10^9"
    assert falls.endswith("after n in [1, 3]; from there on it rises after n in []")
    against = {line.split("against: ")[1] for line in answers}
    assert against == {"54, 55, 64, 65, 66", "44, 54, 55, 64, 65, 66"}
    wrong = subprocess.run([*script, "x"], capture_output=True, check=False, encoding="utf-8")
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_the_conjectures_of_theorem_22_hold_in_games_of_twelve_rounds():
    script = [sys.executable, str(FOLDER / "conjectures.py")]
    run = subprocess.run([*script, "12"], capture_output=True, check=False, encoding="utf-8")
    assert (run.returncode, run.stderr) == (0, "")
    # Claim swe.new-only-until-eleven: there creating is not the best, and with fewer rounds left
    # always creating is optimal.
    assert run.stdout.splitlines()[3:] == [
        "at a lone d4 creating is optimal with 1 to 10 rounds left",
        "at a lone d4 creating is not optimal with 11 to 11 rounds left",
    ]
    wrong = subprocess.run([*script, "x"], capture_output=True, check=False, encoding="utf-8")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr
