"""The whole folder: what lies beside the checker, what is compiled, and all of CLAIMS.md."""

import ast
import importlib.util
import os
import py_compile
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from checker import FOLDER, ROOT, check, document_of, without_deriving
from test_words import documents_paths

from exactdice.claims.certificates import trusted
from exactdice.jobs.claims import CLAIMS

OLD = [Path.home() / f".pyenv/versions/{version}/bin/python" for version in ("3.8.18", "3.10.13")]


@pytest.fixture
def folder(tmp_path):
    """A copy of proofs and of CLAIMS.md that may be changed."""
    shutil.copytree(ROOT / "proofs", tmp_path / "proofs", ignore=shutil.ignore_patterns("*.vo"))
    shutil.rmtree(tmp_path / "proofs" / "__pycache__", ignore_errors=True)
    shutil.copy(ROOT / "CLAIMS.md", tmp_path)
    return tmp_path


def run(folder, *words, python=sys.executable, **environment):
    command = [python, str(folder / "proofs" / "check.py"), *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", env=os.environ | environment
    )
    return done.returncode, done.stdout, done.stderr


STATES = "proofs/certificates/reroll.states.json"


def test_the_table_of_what_is_trusted_is_that_of_the_claims():
    command = [sys.executable, "-B", str(ROOT / "proofs" / "trust.py")]
    printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    assert printed == (ROOT / "proofs" / "TRUST.md").read_text("utf-8")
    assert {claim.id for claim in CLAIMS if trusted(claim)} == check.TABLE.keys()
    lines = re.search(r"about ([0-9,]+ lines) of Python with those that it runs", printed)[1]
    page = (ROOT / "docs" / "explanation" / "trust.md").read_text("utf-8")
    assert f"with the files that it runs about\n{lines}." in page


def test_a_compiled_file_is_not_read(folder):
    # need() that lets everything pass, compiled so that Python would not look at its source.
    source = folder / "proofs" / "reading.py"
    true = source.read_text("utf-8")
    source.write_text(true.replace("if not condition:", "if condition is None:"), "utf-8")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(
        str(source), importlib.util.cache_from_source(str(source)), invalidation_mode=mode
    )
    source.write_text(true, "utf-8")
    certificate = folder / STATES
    certificate.write_text(certificate.read_text("ascii").replace(": 56", ": 57"), "ascii")
    status, told, _ = run(folder, certificate, PYTHONDONTWRITEBYTECODE="")
    assert (status, told.startswith("REJECTED")) == (1, True)


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
def test_a_file_that_is_not_known_stops_the_check(folder, name):
    path = folder / "proofs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('loaded')\n", "ascii")
    status, told, why = run(folder, folder / STATES)
    first = name.split("/__")[0]
    assert (status, told) == (1, "")
    assert why == f"check.py: an unknown file: {first}; nothing is checked beside it\n"


def test_installed_packages_are_not_loaded(folder, tmp_path):
    place = tmp_path / "site-packages"
    place.mkdir()
    (place / "kinds.py").write_text("raise SystemExit('loaded')\n", "ascii")
    assert run(folder, folder / STATES, PYTHONPATH=str(place))[0] == 0


def test_a_missing_register_is_said_first(folder):
    (folder / "CLAIMS.md").unlink()
    status, told, why = run(folder, folder / STATES)
    assert (status, why) == (1, "")
    assert told.splitlines() == [check.NO_REGISTER, "proved: reroll.states (search)"]


def test_a_missing_register_is_said_before_the_certificates_are_checked(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "REGISTER", tmp_path / "CLAIMS.md")
    monkeypatch.setattr(check, "in_parallel", lambda _: pytest.fail("too late"))
    assert next(check.lines_of([])) == check.NO_REGISTER


def test_lines_are_printed_as_they_come(tmp_path, monkeypatch):
    """A process that never ends is waited for after its first line has been handed on."""
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('proved: x', flush=True)\ntime.sleep(60)\n", "ascii")
    monkeypatch.setattr(check, "__file__", str(slow))
    started, processes = check.subprocess.Popen, []
    monkeypatch.setattr(
        check.subprocess,
        "Popen",
        lambda *words, **more: processes.append(started(*words, **more)) or processes[-1],
    )
    lines = check.in_parallel([Path("x.json")])
    assert next(lines) == "proved: x"
    (process,) = processes
    assert process.poll() is None
    process.kill()
    assert [*lines] == []


@pytest.mark.parametrize("python", [path for path in OLD if path.exists()], ids=str)
def test_an_older_python_is_told_so_in_one_line(python):
    status, told, why = run(ROOT, python=str(python))
    assert (status, told, why.count("\n")) == (1, "", 1)
    assert why.startswith("check.py: needs Python 3.11 or later, and this is 3.")


def test_the_program_itself_can_be_read_by_old_pythons():
    # By the grammar of Python 3.6; what comes after the line about versions is not run.
    ast.parse((ROOT / "proofs" / "check.py").read_text("utf-8"), feature_version=(3, 6))


def test_a_claim_that_rests_on_itself_is_rejected(monkeypatch):
    without_deriving(monkeypatch)
    play = check.TABLE["reroll.optimal-play"]
    assert "reroll.states" in play.rests
    circle = replace(check.TABLE["reroll.states"], rests=("reroll.optimal-play",))
    monkeypatch.setitem(check.TABLE, "reroll.states", circle)
    for claim in ("reroll.states", "reroll.optimal-play"):
        with pytest.raises(check.Rejected, match="rests on itself"):
            check.check(check.canonical(document_of(claim)).encode())


REAL = "### reroll.states: proved"
SOURCE = "- Source: the reroll coursework"
ROW = "| risk.six-patterns | proved |"
EXPLAINED = "- Explanation: all of them listed, and the formula for multisets"
FORGED = [
    ("*Proved*: for all of the stated domain.", "*Proved*: for some of the stated domain."),
    ("which it\ndoes not check", "which it\nchecks"),
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
    # An explanation that Markdown joins with the sentence, or that is not behind all made lines.
    (f"{REAL}\n\n", f"{REAL}\n\n- Explanation: it is an error that\n"),
    (f"{REAL}\n\n", f"{REAL}\n\n- Explanation: it is an error:\n\n"),
    (f"{REAL}\n", f"- Explanation: the next line is an error\n{REAL}\n"),
    (SOURCE, f"- Explanation: not from\n{SOURCE}"),
    (EXPLAINED, f"- Certificate: none\n{EXPLAINED}"),
    (EXPLAINED, f"{EXPLAINED}\nwhich is an error"),
    # Separators that end no line of Markdown, and characters that hide or change others.
    *((f"\n{ROW}", f"{mark}{ROW}") for mark in "\r\v\f\x1c\x85\u2028\u2029"),
    *(
        (EXPLAINED, f"{EXPLAINED} {mark}")
        for mark in "\t\b\x1b\xa0\u00ad\u200b\u202e\u2066\ufeff\u0336"
    ),
    ("<!-- Generated", "\ufeff<!-- Generated"),
    # Markup that goes beyond the line of an explanation.
    *((EXPLAINED, f"{EXPLAINED} {mark}") for mark in ("<s>", "<div hidden>", "<![CDATA[", "$$")),
    # Lines that Markdown reads in another way than as they are.
    (f"{REAL}\n\n", f"{REAL}\n\n    "),
    (f"{REAL}\n\n", f"{REAL}\n\n~~"),
    (f"{REAL}\n\n", f"{REAL}\n\n[it]: # (no)\n"),
    (f"{REAL}\n\n", f"{REAL}\n\n```\n"),
    (f"{REAL}\n", f"#{REAL}\n"),
    (f"{REAL}\n\n", f"{REAL}\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n\n\n"),
    (f"{EXPLAINED}\n\n", f"{EXPLAINED}\n\n===\n\n"),
    # Rows outside of the table, twice, or in another order; parts of another game.
    (ROW, f"\n{ROW}"),
    (ROW, f"{ROW}\n{ROW}"),
    (ROW, "| risk.limit | refuted | no |\n" + ROW),
    ("## Farkle\n", "## Farkle\n\n### reroll.states: open\n\nNothing.\n"),
    ("## Farkle\n", "## The reroll game\n\n## Farkle\n"),
]


@pytest.fixture
def register(tmp_path, monkeypatch):
    path = tmp_path / "CLAIMS.md"
    path.write_bytes((ROOT / "CLAIMS.md").read_bytes())
    monkeypatch.setattr(check, "REGISTER", path)
    without_deriving(monkeypatch)
    return path


def refused():
    claims = [FOLDER / f"{claim}.json" for claim in CHECKED]
    told = [line for line in map(check.judge, claims) if line.startswith("REJECTED")]
    return [*told, *check.left_over(documents_paths())]


CHECKED = ["reroll.states", "risk.limit", "risk.power-sums"]


def test_the_true_register_is_accepted(register):
    assert refused() == []


@pytest.mark.parametrize(("old", "new"), FORGED)
def test_every_line_of_the_register_but_explanations_is_compared(register, old, new):
    text = register.read_text("utf-8")
    assert old in text
    register.write_text(text.replace(old, new), "utf-8")
    assert refused() != []


def test_explanations_are_not_checked_and_the_register_says_so(register):
    text = register.read_text("utf-8")
    register.write_text(re.sub("- Explanation: .*", "- Explanation: none", text), "utf-8")
    assert refused() == []
    assert "*explanation*, which it\ndoes not check" in text


def test_order_is_compared(register):
    """A row or part that is moved to the end, and rows or parts that change places, are refused."""
    text = register.read_text("utf-8")
    rows = re.findall(r"\| r.*\|\n", text)
    parts = ["### " + part for part in re.split("(?=\n## )|### ", text) if part[:2] in ("ri", "re")]
    assert min(len(rows), len(parts)) > 30
    for first, *_, other in (rows, parts):
        for to in ("", other):
            rest = text.replace(first, "")
            register.write_text(rest.replace(to, first + to) if to else rest + first, "utf-8")
            assert refused() != []


@pytest.mark.parametrize("parts", ["rows", "lines"])
def test_a_named_file_is_compared_with_the_register_too(register, parts):
    old = "| reroll.states | proved | there are 56" if parts == "rows" else ": there are 56 states."
    text = register.read_text("utf-8")
    assert old in text
    register.write_text(text.replace(old, old.replace("56", "57")), "utf-8")
    assert check.main([str(FOLDER / "reroll.states.json")]) == 1


def test_with_a_named_file_the_lines_of_no_claim_are_compared_too(register, capsys):
    text = register.read_text("utf-8")
    register.write_text(text.replace("# Claims\n", "# Claims, all withdrawn\n"), "utf-8")
    assert check.main([str(FOLDER / "reroll.states.json")]) == 1
    assert "another line, or in another place: # Claims, all withdrawn" in capsys.readouterr().out
