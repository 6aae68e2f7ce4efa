"""A sixth game needs one folder and one line: `examples/games/pig` in a copy of the package."""

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from exactdice import __file__ as installed
from exactdice.games.record import GameRecord

ROOT = Path(__file__).resolve().parents[2]
NAMES = 'NAMES_OF_GAMES = ("risk", "swe", "reroll", "farkle", "fatestones"'


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a copy of the package, including the sixth game."""
    home = tmp_path_factory.mktemp("house")
    shutil.copytree(Path(installed).parent, home / "exactdice")
    shutil.copytree(ROOT / "examples/games/pig", home / "exactdice/games/pig")
    package = home / "exactdice/__init__.py"
    before = package.read_text()
    assert before.count(NAMES) == 1
    package.write_text(before.replace(NAMES, f'{NAMES}, "pig"'))
    return home


@pytest.fixture
def python(home):
    """Run Python with the copy and return its output."""

    def run(*words, **variables):
        command, given = [sys.executable, *words], {**os.environ, **variables}
        done = subprocess.run(
            command, cwd=home, env=given, capture_output=True, text=True, check=False
        )
        assert not done.stderr
        return done.stdout

    return run


@pytest.fixture
def exactdice(python):
    return lambda line, **variables: python("-m", "exactdice", *line.split(), **variables)


def best_turn(target, points=0):
    """Value and optimal actions of a turn, by listing all 36 rolls."""

    @cache
    def value(points):
        return Fraction(points) if points >= target else max(worths(points).values())

    def worths(points):
        rolls = [(a, b) for a, b in product(range(1, 7), repeat=2) if 1 not in (a, b)]
        rolling = sum(value(points + a + b) for a, b in rolls) / 36
        return {"hold": Fraction(points), "roll": rolling}

    if points >= target:
        return value(points), []
    return value(points), [way for way, worth in worths(points).items() if worth == value(points)]


@pytest.mark.parametrize(
    "line", ["value", "value --target 30", "value --target 7", "advise 18", "advise 19 --target 25"]
)
def test_its_answers_are_those_of_a_recursion_in_fractions(exactdice, line):
    document = json.loads(exactdice(f"pig {line} --format json"))
    words = line.split()
    points = int(words[1]) if words[0] == "advise" else 0
    target = int(words[-1]) if "--target" in words else 100
    assert (Fraction(document["value"]), document["best"]) == best_turn(target, points)


@pytest.mark.slow
def test_it_has_help_and_error_messages(exactdice, home):
    assert "pig         Two-dice Pig: the best turn, and when to hold." in exactdice("--help")
    assert "advise  Whether to hold" in exactdice("pig --help")
    assert "Points that the turn has brought so far." in exactdice("pig advise --help")
    command = [sys.executable, "-m", "exactdice", "pig", "advise", "1.5"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    line = "exactdice: points: got '1.5'; expected a whole number from 0 to 1000\n"
    assert (done.stdout, done.stderr) == ("", line)


def test_a_shell_completes_its_commands(exactdice):
    words = {"COMP_WORDS": "exactdice pig ad", "COMP_CWORD": "2"}
    assert exactdice("", _EXACTDICE_COMPLETE="bash_complete", **words) == "plain,advise\n"


IN_PYTHON = """
import exactdice as xd
from exactdice.games import GAMES
from exactdice.rooms import question

assert xd.pig.GAME is GAMES["pig"] and "pig" in xd.__all__
asked = question("pig advise 19 --target 30")
assert question(asked.to_json()) == asked == question(str(asked))
print(xd.ask(asked).value("value"), xd.ask(asked).value("best"))
"""


def test_questions_in_python_by_text_and_json(python):
    value, best = best_turn(30, 19)
    assert python("-c", IN_PYTHON) == f"{value} {tuple(best)}\n"


IN_A_BROWSER = """
if __name__ == "__main__":
    import contextlib
    import time
    from starlette.testclient import TestClient
    from exactdice.web.application import application
    from exactdice.web.desk import Desk
    from exactdice.web.workers import Limits

    pages = application(Desk(Limits(workers=1, seconds=60)), ["127.0.0.1"])
    with contextlib.closing(TestClient(pages, "http://127.0.0.1:8000")) as client, client:
        assert '<a href="/rooms/pig">Two-dice Pig</a>' in client.get("/").text
        assert 'id="f-points"' in client.get("/ask/pig/advise").text
        answer = client.get("/ask?q=pig value --target 30")
        while answer.status_code != 200 or "data-job" in answer.text:
            time.sleep(0.1)
            answer = client.get("/ask/pig/value?target=30")
        print(client.get("/ask/pig/value.json?target=30").json()["value"])
"""


@pytest.mark.slow
def test_it_has_a_form_and_an_address_in_the_browser(python, home):
    for extra in ("starlette", "jinja2", "httpx2"):
        pytest.importorskip(extra, reason="the extra web or test is not installed")
    (home / "browse.py").write_text(IN_A_BROWSER)
    assert python("browse.py") == f"{best_turn(30)[0]}\n"


def test_a_record_names_the_modules_of_each_room():
    record = GameRecord("x.games.home", "a title", "words", ("first",), ("next",))
    assert record.modules() == ("x.games.home.first", "x.studies.home.next")
