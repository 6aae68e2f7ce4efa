from pathlib import Path

import nbformat
import pytest
from notebook import executed

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))
assert EXAMPLES


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_notebook_gives_the_outputs_that_it_shows(path):
    assert executed(path) == nbformat.read(path, as_version=4)
