"""The whole folder: files beside the checker, compiled files, Python versions, all of CLAIMS.md."""

import ast
import importlib.util
import os
import py_compile
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from checker import FOLDER, PATHS, ROOT, check, document_of, raw, run

from exactdice.claims.certificates import trusted
from exactdice.jobs.claims import CLAIMS

OLD = [Path.home() / f".pyenv/versions/{version}/bin/python" for version in ("3.8.18", "3.10.13")]


@pytest.fixture
def folder(tmp_path):
    """A copy of proofs and of CLAIMS.md that a test may change."""
    shutil.copytree(ROOT / "proofs", tmp_path / "proofs", ignore=shutil.ignore_patterns("*.vo"))
    shutil.rmtree(tmp_path / "proofs" / "__pycache__", ignore_errors=True)
    shutil.copy(ROOT / "CLAIMS.md", tmp_path)
    return tmp_path


def checked(folder, *words, **environment):
    return run(folder / "proofs" / "check.py", *words, env=os.environ | environment)


STATES = "proofs/certificates/reroll.states.json"


def test_trust_md_is_the_generated_one():
    status, printed, errors = run("-B", ROOT / "proofs" / "trust.py")
    assert (status, errors) == (0, "")
    assert printed == (ROOT / "proofs" / "TRUST.md").read_text("utf-8")
    assert {claim.id for claim in CLAIMS if trusted(claim)} == check.TABLE.keys()
    lines = re.search(r"about ([0-9,]+ lines) of Python", printed)[1]
    page = (ROOT / "docs" / "explanation" / "trust.md").read_text("utf-8")
    assert f"with the files that it runs about\n{lines}." in page


def test_a_compiled_file_is_not_read(folder):
    # need() accepts everything, compiled so that Python would not look at its source.
    source = folder / "proofs" / "reading.py"
    true = source.read_text("utf-8")
    source.write_text(true.replace("if not condition:", "if condition is None:"), "utf-8")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compiled = importlib.util.cache_from_source(str(source))
    py_compile.compile(str(source), compiled, invalidation_mode=mode)
    source.write_text(true, "utf-8")
    certificate = folder / STATES
    certificate.write_text(certificate.read_text("ascii").replace(": 56", ": 57"), "ascii")
    status, printed, _ = checked(folder, certificate, PYTHONDONTWRITEBYTECODE="")
    assert (status, printed.startswith("REJECTED")) == (1, True)


@pytest.mark.parametrize(
    "name",
    [
        "fractions.py",
        "json.py",
        "theorems/itertools.py",
        "reading.so",
        "kinds/__init__.py",
        "x.pth",
    ],
)
def test_an_unknown_file_stops_the_check(folder, name):
    path = folder / "proofs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('loaded')\n", "ascii")
    first = name.split("/__")[0]
    why = f"check.py: unknown file {first}: remove it, then run check.py again\n"
    assert checked(folder, folder / STATES) == (1, "", why)


def test_installed_packages_are_not_loaded(folder, tmp_path):
    place = tmp_path / "site-packages"
    place.mkdir()
    (place / "kinds.py").write_text("raise SystemExit('loaded')\n", "ascii")
    assert checked(folder, folder / STATES, PYTHONPATH=str(place))[0] == 0


def test_a_missing_register_is_reported_before_the_certificates_are_checked(
    folder, tmp_path, monkeypatch
):
    (folder / "CLAIMS.md").unlink()
    status, printed, errors = checked(folder, folder / STATES)
    assert (status, errors) == (1, "")
    assert printed.splitlines() == [check.NO_REGISTER, "proved: reroll.states (search)"]
    monkeypatch.setattr(check, "REGISTER", (tmp_path / "CLAIMS.md",))
    monkeypatch.setattr(check, "in_parallel", lambda _: pytest.fail("too late"))
    assert next(check.lines_of([])) == check.NO_REGISTER


def test_lines_are_printed_at_once(tmp_path, monkeypatch):
    """The first line of a process is passed on while the process still runs."""
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('proved: x', flush=True)\ntime.sleep(60)\n", "ascii")
    monkeypatch.setattr(check, "__file__", str(slow))
    started, processes = check.subprocess.Popen, []

    def start(*words, **more):
        processes.append(started(*words, **more))
        return processes[0]

    monkeypatch.setattr(check.subprocess, "Popen", start)
    lines = check.in_parallel([Path("x.json")])
    assert next(lines) == "proved: x"
    (process,) = processes
    assert process.poll() is None
    process.kill()
    assert [*lines] == []


def test_an_older_python_gets_an_error_in_one_line():
    # With the grammar of Python 3.6; lines after the test of the version are not run.
    ast.parse((ROOT / "proofs" / "check.py").read_text("utf-8"), feature_version=(3, 6))
    for python in filter(Path.exists, OLD):
        status, printed, errors = run(ROOT / "proofs" / "check.py", python=str(python))
        assert (status, printed, errors.count("\n")) == (1, "", 1)
        assert errors.startswith("check.py: needs Python 3.11 or later, and this is 3.")


def test_a_claim_that_rests_on_itself_is_rejected(monkeypatch, derived_once):
    play = check.TABLE["reroll.optimal-play"]
    assert "reroll.states" in play.rests
    circle = replace(check.TABLE["reroll.states"], rests=("reroll.optimal-play",))
    monkeypatch.setitem(check.TABLE, "reroll.states", circle)
    for claim in ("reroll.states", "reroll.optimal-play"):
        with pytest.raises(check.Rejected, match="rests on itself"):
            check.check(raw(document_of(claim)))


REAL = "### reroll.states: proved"
SOURCE = "- Source: the reroll coursework"
ROW = "| risk.six-patterns | proved by computation |"
EXPLAINED = "- Explanation: all of them listed, and the formula for multisets"
FORGED = [
    ("*Proved*: for the whole stated domain", "*Proved*: for part of the stated domain"),
    ("lines that begin with\n*Explanation*", "such\nlines"),
    ("at least v against every column", "at most v against every column"),
    ("Annalen 100 (1928)", "Annalen 101 (1928)"),
    ("## Cited facts", "### Also proved\n\nThe Riemann hypothesis.\n\n## Cited facts"),
    ("## Cited facts", "## Also proved\n\nThe Riemann hypothesis.\n\n## Cited facts"),
    ("| reroll.states | proved", "|reroll.states | refuted | no |\n| reroll.states | proved"),
    (REAL, f"<!--\n{REAL}"),
    ("- Explanation: all of them listed", "- Explanation: <!-- all of them listed"),
    ("## Risk\n", "## Chess\n"),
    ("In Coq: `proofs/coq/Limit.v`", "In Coq: `proofs/coq/Riemann.v`"),
    ("of any size; the bound, not that it tends to 0)", "of any size)"),
    ("- Rests on: theorem 4\n", "- Rests on: theorem 5\n"),
    # Explanations that Markdown joins with the sentence, or that precede generated lines.
    (f"{REAL}\n\n", f"{REAL}\n\n- Explanation: it is an error that\n"),
    (f"{REAL}\n\n", f"{REAL}\n\n- Explanation: it is an error:\n\n"),
    (f"{REAL}\n", f"- Explanation: the next line is an error\n{REAL}\n"),
    (SOURCE, f"- Explanation: not from\n{SOURCE}"),
    (EXPLAINED, f"- Certificate: none\n{EXPLAINED}"),
    (EXPLAINED, f"{EXPLAINED}\nwhich is an error"),
    # Separators that end no line of Markdown, and invisible or combining characters.
    *((f"\n{ROW}", f"{mark}{ROW}") for mark in "\r\v\f\x1c\x85\u2028\u2029"),
    *((EXPLAINED, f"{EXPLAINED} {x}") for x in "\t\b\x1b\xa0\u00ad\u200b\u202e\u2066\ufeff\u0336"),
    ("<!-- Generated", "\ufeff<!-- Generated"),
    # Markup that extends beyond the line of an explanation.
    *((EXPLAINED, f"{EXPLAINED} {mark}") for mark in ("<s>", "<div hidden>", "<![CDATA[", "$$")),
    # Lines whose meaning in Markdown depends on those around them.
    *((f"{REAL}\n\n", f"{REAL}\n\n{mark}") for mark in ("    ", "~~", "[it]: # (no)\n", "```\n")),
    (f"{REAL}\n", f"#{REAL}\n"),
    (f"{REAL}\n\n", f"{REAL}\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n\n\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n\n===\n\n"),
    # Rows outside the table, twice, or in another order; sections of another game.
    (ROW, f"\n{ROW}"),
    (ROW, f"{ROW}\n{ROW}"),
    (ROW, "| risk.limit | refuted | no |\n" + ROW),
    ("## Farkle\n", "## Farkle\n\n### reroll.states: open\n\nNothing.\n"),
    ("## Farkle\n", "## The reroll game\n\n## Farkle\n"),
]
CHECKED = [FOLDER / f"{claim}.json" for claim in ("reroll.states", "risk.limit", "risk.power-sums")]


def problems():
    lines = [line for line in map(check.judge, CHECKED) if line.startswith("REJECTED")]
    return [*lines, *check.left_over(PATHS)]


@pytest.mark.parametrize(("old", "new"), FORGED)
def test_every_line_of_the_register_except_explanations_is_compared(register, old, new):
    text = register.read_text("utf-8")
    assert old in text
    register.write_text(text.replace(old, new), "utf-8")
    assert problems() != []


def test_the_true_register_is_accepted_with_any_explanations(register):
    assert problems() == []
    text = register.read_text("utf-8")
    register.write_text(re.sub("- Explanation: .*", "- Explanation: none", text), "utf-8")
    assert problems() == []


def test_an_added_claim_is_rejected(register):
    register.write_text(register.read_text("utf-8") + "\n### risk.more: proved\n", "utf-8")
    problem = "register: does not contain exactly the known claims"
    assert [*check.left_over(PATHS)] == [problem]


def test_order_is_compared(register):
    """Rows and sections that are moved to the end, or change places, are rejected."""
    text = register.read_text("utf-8")
    rows = re.findall(r"\| r.*\|\n", text)
    parts = ["### " + part for part in re.split("(?=\n## )|### ", text) if part[:2] in ("ri", "re")]
    assert min(len(rows), len(parts)) > 30
    for first, *_, other in (rows, parts):
        for to in ("", other):
            rest = text.replace(first, "")
            register.write_text(rest.replace(to, first + to) if to else rest + first, "utf-8")
            assert problems() != []


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            "| reroll.states | proved in Coq | there are 56",
            "57",
            "the row of reroll.states differs",
        ),
        (": there are 56 states.", "57", "the section of reroll.states differs"),
        ("# Claims\n", "# Claims, all withdrawn\n", "missing or moved: # Claims, all withdrawn"),
    ],
)
def test_a_named_file_is_compared_with_the_register_too(register, old, new, why, capsys):
    text = register.read_text("utf-8")
    assert old in text
    register.write_text(text.replace(old, old.replace("56", new) if new == "57" else new), "utf-8")
    assert check.main([str(FOLDER / "reroll.states.json")]) == 1
    assert why in capsys.readouterr().out
