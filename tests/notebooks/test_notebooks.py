import json
from pathlib import Path

import pytest
from notebook import executed

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_an_example_notebook_gives_the_outputs_that_it_shows(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["nbformat"] == 4
    assert executed(document) == document


def test_there_is_an_example():
    assert list(EXAMPLES.glob("*.ipynb"))
