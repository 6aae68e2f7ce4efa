"""Examples of internal functions: in the files, each under the name of its function."""

import doctest
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from exactdice import native
from exactdice.linked import linked

FILES = sorted((Path(__file__).parent / "examples").glob("*.txt"))
_NAME = re.compile(r"^(exactdice\.\S+:\S+)( # needs the C\+\+ solvers)?$", re.MULTILINE)


def sections():
    for path in FILES:
        _, *parts = _NAME.split(path.read_text(encoding="utf-8"))
        for name, needs_solvers, examples in zip(*[iter(parts)] * 3, strict=True):
            lacking = bool(needs_solvers) and not native.are_built()
            lacking |= path.stem == "web" and not find_spec("starlette")
            skip = pytest.mark.skipif(lacking, reason="needs C++ solvers or the extra web")
            yield pytest.param(name, examples, id=name, marks=skip)


@pytest.mark.parametrize(("name", "examples"), list(sections()))
def test_examples(name, examples):
    module, _, function = name.partition(":")
    known = vars(linked(module)).copy()
    linked(f"{module}:{function.partition('.')[0]}")  # the function exists
    test = doctest.DocTestParser().get_doctest(examples, known, name, None, None)
    said = []
    assert test.examples
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)
