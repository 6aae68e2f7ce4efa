"""`exactdice crosscheck` from the command line."""

import json
import sys

import pytest

from exactdice import native
from exactdice.cli import main
from exactdice.native import risk as fast

needs_compiler = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@needs_compiler
def test_a_check_that_passes_ends_with_status_0_and_shows_its_table(capsys):
    assert main(["crosscheck", "risk", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["checks_failed"] == 0
    assert [row["size"] for row in report["checks"]] == ["12 against 12", "40 against 40"]
    assert all(row["passed"] for row in report["checks"])
    assert "problems" not in report


@needs_compiler
def test_a_check_that_fails_shows_its_report_and_ends_with_status_1(monkeypatch, capsys):
    genuine = fast.grid

    def wrong(*arguments, **options):
        lower, upper = genuine(*arguments, **options)
        return lower * 0.999, upper * 0.999

    monkeypatch.setattr(fast, "grid", wrong)
    assert main(["crosscheck", "risk"]) == 1
    shown = capsys.readouterr()
    assert "What is outside" in shown.out
    assert shown.err.startswith(
        "exactdice: 2 of 2 cross-checks failed; the first: risk, 12 against"
    )
    assert shown.err.count("\n") == 1
    main(["crosscheck", "risk", "--format", "json"])
    shown = capsys.readouterr()
    first = json.loads(shown.out)["problems"][0]["problem"]
    assert shown.err.endswith(f"; the first: risk, 12 against 12: {first}\n")


def test_an_unknown_game_is_refused(capsys):
    assert main(["crosscheck", "chess"]) == 2
    assert "games: got 'chess'; give one of risk" in capsys.readouterr().err


def test_without_the_solvers_one_line_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "exactdice.native._solvers", None)
    assert main(["crosscheck", "risk"]) == 2
    complaint = capsys.readouterr().err
    assert "the C++ solvers are not built" in complaint
    assert complaint.count("\n") == 1
