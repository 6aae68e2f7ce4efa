"""The write-up kit: its commands work as printed, its LaTeX is well-formed, and it is whole."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from cases import text_of

from exactdice import ask
from exactdice.cli import main
from exactdice.errors import ExactDiceError, InputError, OutputError
from exactdice.report.writers import Format, render

BESIDE = "from exactdice.dice import fair\nODDS = fair(2)\n"

#: Three coin tosses; each that is taken adds its side, and 4 % of the name is for LaTeX to escape.
TUPLES = text_of("book/pages/tuples.txt")

NAMES = text_of("book/pages/names.txt")

MEANS = '''"""Three and a half on average"""
from exactdice.models import Choice, Game, point_mass
mean = Game("start", lambda state: [Choice("die", "7/2", point_mass(0))] if state else None)
'''

SEATS = text_of("book/pages/seats.txt")

HIDDEN = '''"""Pennies"""
from exactdice.models import Both, End, HiddenGame
pennies = HiddenGame(0, lambda s: Both({(a, b): End(int(a == b)) for a in "ht" for b in "ht"}),
                     lambda s: ("", ""))
'''

AVERAGE = text_of("book/pages/average.txt")


def made(folder, text, more=""):
    (folder / "beside.py").write_text(BESIDE)
    (folder / "own.py").write_text(text)
    ask(f"book {folder / 'own.py'} {more} --kit {folder / 'kit'}")
    sys.modules.pop("beside", None)
    return folder / "kit"


def well_formed(text):
    """Check the nesting of environments and braces, and the cells of each row of a table."""
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    plain = re.sub(r"\\[\\{}%&$#_]", "", "\n".join(lines))
    opened, depth = [], 0
    for mark, name in re.findall(r"\\(begin|end)\{(\w+)\}", plain):
        assert mark == "begin" or opened.pop() == name
        opened += [name] * (mark == "begin")
    assert not opened
    for one in re.findall("[{}]", plain):
        depth += 1 if one == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert plain.count("$") % 2 == 0
    assert not re.findall(r"[%#~]", plain)
    assert plain.isascii()
    for kinds, body in re.findall(
        r"begin\{(?:tabular|longtable)\}\{([^\n]*)\}\n(.*?)\\end\{", text, re.S
    ):
        width = len(re.findall("[lrp]", re.sub(r">\{.*?\}(?=p)|\{[^{}]*\}", "", kinds)))
        rows = [line for line in body.splitlines() if line.endswith(r" \\")]
        assert rows
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {width}


def commands(kit):
    return re.findall(r"`(exactdice [^`]*)` \|$", (kit / "README.md").read_text("utf-8"), re.M)


def proved(kit):
    words = re.findall("^python3 (.*)$", (kit / "README.md").read_text("utf-8"), re.M)
    run = [sys.executable, *words[0].split()]
    return subprocess.run(run, cwd=kit, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("text", [TUPLES, NAMES])
def test_the_commands_of_the_readme_write_the_same_files(text, tmp_path, monkeypatch):
    kit = made(tmp_path, text)
    again = tmp_path / "again"
    copytree(kit, again)
    monkeypatch.chdir(again)
    listed = commands(kit)
    assert len(listed) == 7
    names = {word for line in listed for word in shlex.split(line) if (kit / word).is_file()}
    for name in names - {"own.py"}:
        (again / name).unlink()
    for line in listed:
        sys.modules.pop("beside", None)
        assert main(shlex.split(line)[1:]) == 0
    assert {path.name: path.read_bytes() for path in again.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in kit.iterdir()
    }


@pytest.mark.slow
def test_a_kit_of_tuples_has_a_chart_of_the_policy_and_its_rules(tmp_path):
    kit = made(tmp_path, TUPLES)
    for path in kit.glob("*.tex"):
        well_formed(path.read_text("utf-8"))
    assert (kit / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert (kit / "beside.py").read_text() == BESIDE
    # By hand: 2 with one toss of two; else the last toss, whose mean is 3/2.
    assert "reward from state 0 is 7/4 " in proved(kit)
    shown = (kit / "policy.tex").read_text()
    assert r"a\_b" in shown
    assert "1.75" in shown
    assert "/" not in shown.partition("begin{tabular}")[2]
    assert "plot policy own.py --x 0 --y 1" in "".join(commands(kit))
    assert "own.py; SHA-256 of the file with the rules " in (kit / "cite.bib").read_text()
    with pytest.raises(InputError, match=r"^kit: got .*expected the name of a new folder"):
        made(tmp_path, TUPLES)
    with pytest.raises(InputError, match=r"^y: got 7; expected below 2"):
        ask(f"book {tmp_path / 'own.py'} --x 0 --y 7 --kit {tmp_path / 'other'}")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name[0] != "_") == [
        "beside.py", "kit", "own.py"
    ]  # fmt: skip


def test_a_kit_of_other_states_has_the_distribution_and_says_when_fractions_are_cut(tmp_path):
    kit = made(tmp_path, NAMES)
    assert "plot total own.py --distribution" in "".join(commands(kit))
    value = (kit / "value.tex").read_text()
    well_formed(value)
    assert "(long fractions shortened)" not in value  # 7/2
    value = render(ask(f"book {tmp_path / 'own.py'} --least"), Format.LATEX)
    well_formed(value)
    assert f"{7**30}/{2 * 7**30 + 1}" in value.replace("\\allowbreak{}", "")
    (tmp_path / "own.py").write_text(NAMES.replace("30", "3000"))  # longer than a page
    value = render(ask(f"book {tmp_path / 'own.py'} --least"), Format.LATEX)
    well_formed(value)
    assert "(long fractions shortened)}" in value
    assert "digits)" in value


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (SEATS, "", "accepted: "),
        (HIDDEN, "", "VERIFIED"),
        (MEANS, "", "reward from state 0 is 7/2 "),
        (AVERAGE, "--ask average", "accepted: the average is 2 from state 0"),
    ],
)
def test_other_games_have_their_own_checkers(text, more, said, tmp_path):
    kit = made(tmp_path, text, more)
    assert said in proved(kit)
    for path in kit.glob("*.tex"):
        well_formed(path.read_text("utf-8"))
    assert bool(list(kit.glob("figure*"))) == (text == HIDDEN)  # of its distribution
    has_none = "| no figure: " in (kit / "README.md").read_text("utf-8")
    assert has_none == (not more and text != HIDDEN)


def test_nothing_is_left_of_a_kit_that_cannot_be_written(tmp_path, monkeypatch):
    write = Path.write_bytes

    def full(path, content):
        if path.name == "value.cert":
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="kit cannot be written: No space left"):
        made(tmp_path, AVERAGE, "--ask average")
    assert not [path for path in tmp_path.iterdir() if "kit" in path.name or path.name[0] == "."]
    for words in ("yahtzee --variant upper", "pig --variant piglet --state '(0, 0, 0)'"):
        with pytest.raises(ExactDiceError, match=r"kit|state"):
            ask(f"book {words} --kit {tmp_path / 'kit'}")
        assert not (tmp_path / "kit").exists()
