"""`docs/make.py` and the page of play: what they need, overwrite and replace."""

import importlib.util
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from exactdice.report.html import html_tables
from exactdice.report.writers import Format, render
from exactdice.rooms import ask

MAKER = Path(__file__).parents[2] / "docs" / "make.py"
spec = importlib.util.spec_from_file_location("site_maker", MAKER)
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)
main = site.main


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A site that is already built."""
    made = tmp_path / "built"
    made.mkdir()
    (made / "index.html").write_text("first")
    (made / ".exactdice-site").touch()
    monkeypatch.setattr(site, "_NEEDED", ())
    monkeypatch.setattr(site, "_build", lambda _: made)
    return made


def complaint(capsys, *words):
    assert main(words) in (1, 2)
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    return captured.err


def test_a_missing_extra_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(site, "_NEEDED", ("json", "no_such_module", "no_such.module"))
    line = complaint(capsys, "--output", str(tmp_path / "site"))
    assert "no_such_module is missing" in line
    assert "pip install --editable . --group docs" in line
    assert not list(tmp_path.iterdir())


def test_a_site_is_written_and_replaced(built, tmp_path):
    output = tmp_path / "a" / "site"
    assert main(["--output", str(output)]) == 0
    assert (output / "index.html").read_text() == "first"
    (built / "index.html").write_text("second")
    (output / "old.html").touch()
    assert main(["-o", str(output)]) == 0
    assert sorted(path.name for path in output.iterdir()) == [".exactdice-site", "index.html"]
    assert (output / "index.html").read_text() == "second"
    assert [path.name for path in output.parent.iterdir()] == ["site"]


@pytest.mark.usefixtures("built")
def test_a_folder_that_cannot_be_replaced_or_written_is_reported(tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    assert "holds other files" in complaint(capsys, "--output", str(other))
    assert [path.name for path in other.iterdir()] == ["mine.txt"]
    assert "is a file" in complaint(capsys, "--output", str(other / "mine.txt"))
    (tmp_path / "file").touch()
    assert "output: " in complaint(capsys, "--output", str(tmp_path / "file" / "site"))


@pytest.mark.parametrize("is_built", [False, True])
def test_a_built_site_is_marked_and_a_failed_build_keeps_the_old_output(
    tmp_path, monkeypatch, capsys, is_built
):
    def run(words, **_):
        assert words[1:3] == ["-m", "sphinx"]
        (tmp_path / "kept" / "html").mkdir(parents=True)
        return subprocess.CompletedProcess(words, 0 if is_built else 1)

    monkeypatch.setattr(site, "_NEEDED", ())
    monkeypatch.setattr(site.subprocess, "run", run)
    monkeypatch.setattr(site, "_kept", lambda: tmp_path / "kept")
    words = "--output", str(tmp_path / "site")
    if is_built:
        assert main(words) == 0
    else:
        assert "cannot be built" in complaint(capsys, *words)
    assert (tmp_path / "site" / ".exactdice-site").exists() == is_built
    assert (tmp_path / "site").exists() == is_built


PLAY = Path(__file__).parents[2] / "docs" / "play"
arrays = SimpleNamespace(**runpy.run_path(str(PLAY / "arrays.py")))

WHOLE = st.integers(-50, 50)


@pytest.mark.slow
@given(st.lists(WHOLE, min_size=2, max_size=12), st.data())
def test_arrays_agree_with_numpy(numbers, data):
    ours, theirs = arrays.Array(numbers), np.array(numbers)
    places = st.integers(0, len(numbers) - 1)
    starts = sorted(data.draw(st.sets(places, min_size=1)))
    picked = data.draw(st.lists(places))
    for mine, other in (
        (ours + 3, theirs + 3),
        (ours * ours - 2, theirs * theirs - 2),
        (ours[1:], theirs[1:]),
        (ours[arrays.Array(picked)], theirs[np.array(picked, int)]),
        (ours[ours > 0], theirs[theirs > 0]),
        ((ours >= 1) & (ours < 9), (theirs >= 1) & (theirs < 9)),
        (ours.nonzero()[0], theirs.nonzero()[0]),
        (arrays._Folded(max, max).reduceat(ours, starts), np.maximum.reduceat(theirs, starts)),
        (arrays._where(ours > 0, ours, -1), np.where(theirs > 0, theirs, -1)),
    ):
        assert mine.tolist() == other.tolist()


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_matrices_agree_with_numpy(rows, width, data):
    ours, theirs = arrays._full((rows, width), 7), np.full((rows, width), 7)
    places = st.integers(0, rows - 1), st.integers(0, width - 1)
    row, column, value = data.draw(st.tuples(*places, WHOLE))
    ours[row, column] = theirs[row, column] = value
    ours[[row], :] = theirs[[row], :] = value - 1
    assert ours[row, column] == theirs[row, column]
    assert [list(one) for one in ours] == theirs.tolist()
    assert ours[:, column].tolist() == theirs[:, column].tolist()
    assert ours[: rows - 1].ravel().tolist() == theirs[: rows - 1].ravel().tolist()


@given(st.lists(st.integers(1, 9), min_size=9, max_size=9))
def test_the_inverse_solves_linear_systems(numbers):
    matrix = arrays.Array([n + 30 * (place % 4 == 0) for place, n in enumerate(numbers)], 3)
    inverse = arrays._inverse(matrix)
    for number in range(3):
        unit = matrix @ (inverse @ arrays._eye(3)[number])
        assert unit.tolist() == pytest.approx(arrays._eye(3)[number].tolist())


WholePolynomial = runpy.run_path(str(PLAY / "algebra.py"))["WholePolynomial"]
COEFFICIENTS = st.lists(st.one_of(st.just(0), WHOLE), max_size=7)


@given(st.tuples(COEFFICIENTS, COEFFICIENTS, COEFFICIENTS))
def test_whole_polynomials_agree_with_flint(numbers):
    (a, b, c), (x, y, z) = map(WholePolynomial, numbers), map(fmpz_poly, numbers)
    for ours, theirs in (
        (a + b, x + y),
        (5 - a * b, 5 - x * y),
        (3 * a - b, 3 * x - y),
        (a**5, x**5),
        ((a * c).gcd(b * c), (x * z).gcd(y * z)),
        ((a * b**3 // b, x * y**2) if b.degree() >= 0 else (b, y)),
        (a.left_shift(2).derivative(), x.left_shift(2).derivative()),
        (a.right_shift(2).inflate(3), x.right_shift(2).inflate(3)),
        (a.truncate(3), x.truncate(3)),
    ):
        assert ours.coeffs() == [int(number) for number in theirs.coeffs()]
        assert (ours.degree(), ours[2], ours(-3)) == (theirs.degree(), theirs[2], theirs(-3))


@pytest.mark.parametrize(
    "does", [lambda a: a.sort(), lambda a: -a, lambda a: a + arrays.Array([1])]
)
def test_missing_operations_raise_an_error(does):
    with pytest.raises(ModuleNotFoundError) as said:
        does(arrays.Array([1, 2]))
    assert said.value.name == "numpy"


def test_the_page_allows_all_elements_and_attributes_of_tables():
    script = (PLAY / "asking.js").read_text(encoding="utf-8")
    listed = re.search(r'const TEXT = \("(.*?)"\)\.split', script, re.S)[1]
    elements = set(re.findall(r"\w+", listed))
    attributes = re.compile(
        re.search(r'RegExp\("(.*?)"\);', script, re.S)[1].replace('"\n  + "', "")
    )
    assert not {"script", "style", "img", "a", "iframe", "form", "input"} & elements
    assert not any(
        map(attributes.match, ("onclick", "style", "href", "src", "srcdoc", "formaction"))
    )
    for words in ("risk table 4 3", "dice distribution 3d6", "risk win 4 2", "swe sizes 6"):
        for table in html_tables(ask(words), 10):
            made = table.html(table.kind, caption="A title")
            assert {*re.findall(r"<(\w+)", made)} <= elements
            assert all(map(attributes.match, re.findall(r' ([\w-]+)="', made)))


PROGRAM = """
import json, sys
sys.path.insert(0, {play!r})
import make
from pathlib import Path
make.put_into_manual(Path({site!r}) / "play")
print(json.dumps([json.loads(make.answer(words, lambda *_: None)) for words in {asked!r}]))
"""
ASKED = ["farkle advise --roll 1,1,5,3,4,6", "book snakes-and-ladders", "swe value 6"]


@pytest.mark.slow
def test_answers_without_numpy_are_equal_and_examples_get_their_script(tmp_path):
    """In a separate process, as in the page; tests/browser compares many more in a browser."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.html").write_text('<body><div data-run="risk win 4 2"></div></body>')
    (tmp_path / "y.html").write_text("<body></body>")
    program = PROGRAM.format(play=str(PLAY), site=str(tmp_path), asked=ASKED)
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    for words, answer in zip(ASKED, json.loads(done.stdout), strict=True):
        own, there = json.loads(render(ask(words), Format.JSON)), json.loads(answer["json"])
        del own["provenance"]["producer"], there["provenance"]["producer"]
        assert there == own
    assert '<script type="module" src="../play/here.js">' in (tmp_path / "a" / "x.html").read_text()
    assert "script" not in (tmp_path / "y.html").read_text()
