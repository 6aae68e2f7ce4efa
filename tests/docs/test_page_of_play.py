"""The static page that computes: its replacement for numpy arrays, and example buttons."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.report.html import html_tables
from exactdice.report.writers import Format, render
from exactdice.rooms import ask

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
    row, column, value = data.draw(
        st.tuples(st.integers(0, rows - 1), st.integers(0, width - 1), WHOLE)
    )
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


@pytest.mark.parametrize(
    "does", [lambda a: a.sort(), lambda a: -a, lambda a: a + arrays.Array([1])]
)
def test_missing_operations_raise_an_error(does):
    with pytest.raises(ModuleNotFoundError) as said:
        does(arrays.Array([1, 2]))
    assert said.value.name == "numpy"


def test_the_page_allows_all_elements_and_attributes_of_tables():
    script = (PLAY / "asking.js").read_text(encoding="utf-8")
    elements = re.search(r'const TEXT = "([^"]*)"', script)[1].split()
    attributes = re.findall(r'"([^"]*)"', re.search(r"const KEPT = \[(.*?)\]", script)[1])
    assert not {"script", "style", "img", "a", "svg", "iframe", "form", "input"} & {*elements}
    assert attributes == ["class", "data-l", "scope"]
    for words in ("risk table 4 3", "dice law 3d6", "risk win 4 2", "swe sizes 6"):
        for table in html_tables(ask(words), 10):
            made = table.html(table.kind, caption="A title")
            assert {*re.findall(r"<(\w+)", made)} <= {*elements}
            # data-sort is for sortable tables; the tables of this page are not sortable
            assert {*re.findall(r' ([\w-]+)="', made)} <= {*attributes, "data-sort"}


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
