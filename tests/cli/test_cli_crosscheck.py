"""`exactdice project crosscheck` from the command line."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.cli import main
from exactdice.jobs import crosscheck
from exactdice.native import farkle as fast
from exactdice.rooms import ask
from exactdice.run import Run

SIZES = ["fair*3 to 1000", "fair,2:1:1:1:1:1,1:1:1:1:2:1 to 600"]
needs_compiler = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@needs_compiler
def test_a_passed_check_shows_its_table_and_ends_with_status_0(capsys):
    assert main(["project", "crosscheck", "farkle", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["checks_failed"] == 0
    assert [row["size"] for row in report["checks"]] == SIZES
    assert all(row["passed"] for row in report["checks"])
    assert "problems" not in report


@needs_compiler
def test_a_failed_check_shows_its_report_and_ends_with_status_1(monkeypatch, capsys):
    genuine = fast.farkle_turn

    def wrong(*arguments, **options):
        turn = genuine(*arguments, **options)
        lower, upper = turn.worth
        return replace(turn, worth=(lower * 0.999, upper * 0.999))

    monkeypatch.setattr(fast, "farkle_turn", wrong)
    assert main(["project", "crosscheck", "farkle"]) == 1
    shown = capsys.readouterr()
    assert "Failures" in shown.out
    assert shown.err.startswith(
        "exactdice: 2 of 2 cross-checks failed; the first: farkle, fair*3 to 1000: "
    )
    assert shown.err.count("\n") == 1
    main(["project", "crosscheck", "farkle", "--format", "json"])
    shown = capsys.readouterr()
    first = json.loads(shown.out)["problems"][0]["problem"]
    assert shown.err.endswith(f"; the first: farkle, {SIZES[0]}: {first}\n")


def test_the_report_counts_failures_and_names_the_first(monkeypatch):
    def checked(game, size, wrong, *, enclosed=False):
        """Of three values so many are missed by the double, and by an interval if there is one."""
        check = crosscheck.Check(game, size)
        for place in range(3):
            double = 1.0 + (place < wrong)
            interval = (double, double) if enclosed else None
            check.number(f"{size} {place}", mpq(1), double, interval, mpq(1, 4))
        return check

    made = [
        checked("risk", "fine", 0),
        checked("reroll", "one", 1),
        checked("farkle", "two", 2, enclosed=True),
    ]
    listed = [SimpleNamespace(run=lambda found=found: found) for found in made]
    monkeypatch.setattr(crosscheck, "cases", lambda *_, **__: listed)
    monkeypatch.setattr(crosscheck, "solvers", lambda: None)
    told = []
    report = ask("project crosscheck", Run(progress=lambda *news: told.append(news)))
    assert told == [("cross-checks", done, 3) for done in range(3)]
    assert report.table("checks").select("game", "numbers", "outside", "passed") == [
        ("risk", 3, 0, True), ("reroll", 3, 1, False), ("farkle", 3, 4, False)
    ]  # fmt: skip
    assert (report.value("checks_run"), report.value("checks_failed")) == (3, 2)
    first = "2 of 3 cross-checks failed; the first: reroll, one: one 0: the double is off by"
    assert report.failure.startswith(first)


def test_an_unknown_game_is_rejected(capsys):
    assert main(["project", "crosscheck", "chess"]) == 2
    assert "games: got 'chess'; expected one of risk" in capsys.readouterr().err


def test_without_the_solvers_one_line_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "exactdice.native._solvers", None)
    monkeypatch.setattr(crosscheck, "cases", lambda *_, **__: [])  # it is missed before the first
    assert main(["project", "crosscheck", "farkle"]) == 2
    complaint = capsys.readouterr().err
    assert "the C++ solvers are not built" in complaint
    assert complaint.count("\n") == 1
