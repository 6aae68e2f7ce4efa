"""The code of the tutorial "Your own claim": it runs, and its claim is right."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from shutil import copyfile, copytree

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "examples"))
from keep_last import claims  # noqa: E402
from keep_last.exact import least_kept, values  # noqa: E402
from keep_last.questions import Value  # noqa: E402
from keep_last.rules import Rules  # noqa: E402

from exactdice import rooms  # noqa: E402


def mean_of(kept, sides):
    """Expected result of a rule: the least face to keep, by the number of throws left."""
    value = Fraction(sides + 1, 2)
    for least in kept:
        stop = [face for face in range(1, sides + 1) if face >= least]
        value = Fraction(sum(stop), sides) + Fraction(sides - len(stop), sides) * value
    return value


def every_rule(throws, sides):
    """Greatest mean of all rules "keep at least this face with this many throws left"."""
    rules = product(range(1, sides + 2), repeat=throws - 1)
    return max(mean_of(kept, sides) for kept in rules)


@pytest.mark.parametrize(("throws", "sides"), [(1, 6), (2, 6), (3, 6), (4, 6), (5, 4), (3, 10)])
def test_the_value_is_that_of_the_best_rule(throws, sides):
    assert values(Rules(throws, sides))[-1] == every_rule(throws, sides)


def test_the_value_of_three_throws_is_the_textbook_value():
    # Source: the game of up to three throws is a standard exercise in optimal stopping; 14/3.
    assert Value(3).answer().value("value") == Fraction(14, 3)
    assert least_kept(Rules(3)) == [4, 5]


def test_an_entry_in_rooms_makes_it_a_command(monkeypatch):
    room = rooms.Room("Keep the last throw.", ("keep_last.questions",))
    monkeypatch.setitem(rooms.ROOMS, "keep", room)
    assert rooms.ask("keep value 3").value("value") == Fraction(14, 3)


@pytest.mark.slow
def test_the_commands_of_the_tutorial_work_as_printed(tmp_path):
    """In a copy of the folders that they name, with this environment first on the path."""
    page = (ROOT / "docs" / "tutorials" / "own-claim.md").read_text(encoding="utf-8")
    for folder in ("examples", "proofs"):
        (tmp_path / folder).mkdir()
    copytree(ROOT / "examples" / "keep_last", tmp_path / "examples" / "keep_last")
    for name in ("stop_or_roll.py", "stop_or_roll_claim.py"):
        copyfile(ROOT / "examples" / name, tmp_path / "examples" / name)
    copyfile(ROOT / "proofs" / "certificate_check.py", tmp_path / "proofs" / "certificate_check.py")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = [
        subprocess.run(  # noqa: S602 - the tutorial's own commands
            block, shell=True, check=True, cwd=tmp_path / "examples", text=True,
            capture_output=True, env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        ).stdout
        for block in re.findall("```sh\n(.*?)```", page, re.DOTALL)
    ]  # fmt: skip
    assert [text.splitlines()[-1] for text in said] == ["right", "right"]
    assert "accepted: the total reward from state 0 is 492303203/60466176 " in said[1]
    claim = tmp_path / "examples" / "stop_or_roll_claim.py"
    claim.write_text(claim.read_text().replace(">= 20", ">= 21"))
    words = [sys.executable, str(claim), str(claim.with_name("stop_or_roll.cert"))]
    wrong = subprocess.run(words, capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert wrong.stdout.startswith("wrong: stopping is optimal at [20, 21, ")


@pytest.fixture
def certificate():
    return claims.certificate()


def check(path, content):
    path.write_bytes(content)
    command = [sys.executable, "-I", "-S", str(ROOT / "examples/keep_last/check.py"), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_certificate_is_checked_without_the_package(certificate, tmp_path):
    content = json.loads(certificate)
    assert content["verdict"] == "proved"
    assert content["statement"]["sentence"] == (
        "In keep the last throw, for a fair die with six sides and at most 12 throws left: "
        "a five is kept exactly with at most 4 throws left."
    )
    done = check(tmp_path / "keep.fives.json", certificate)
    assert (done.returncode, done.stdout) == (0, "right\n")


@pytest.mark.parametrize("place", range(claims.MOST))
def test_a_changed_value_is_rejected(certificate, tmp_path, place):
    content = json.loads(certificate)
    numerator, _, denominator = content["evidence"]["values"][place].partition("/")
    content["evidence"]["values"][place] = f"{int(numerator) + 1}/{denominator}"
    done = check(tmp_path / "keep.fives.json", json.dumps(content).encode())
    assert done.returncode == 1
    assert "a value" in done.stdout
