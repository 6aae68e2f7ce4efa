"""Each row of `refusals/*.txt`: a call that is refused, and the error that it raises.

A section of a file begins with its name in brackets and with imports and definitions. In a row,
``CALL raises ERROR: LINE``, ``…`` stands for any characters. An error is one line.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from cases import fits

from exactdice.native import are_built

FILES = sorted((Path(__file__).parent / "refusals").glob("*.txt"))
_ROW = re.compile(r"(.*) raises (\w+): (.*)")


def refusals():
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                begun, lacking = [], "needs the C++ solvers" in line and not are_built()
                skip = pytest.mark.skipif(lacking, reason="the C++ solvers are not built")
            elif row := _ROW.fullmatch(line):
                yield pytest.param("\n".join(begun), *row.groups(), id=row[1], marks=skip)
            elif not line.startswith("#"):
                begun.append(line)


@cache
def names(begun):
    known = {}
    exec(begun, known)  # noqa: S102 - our own
    return known


@pytest.mark.parametrize(("begun", "call", "error", "pattern"), list(refusals()))
def test_a_call_is_refused_in_one_line(begun, call, error, pattern):
    with pytest.raises(Exception) as problem:  # noqa: PT011 - its type is in the row
        eval(call, names(begun))  # noqa: S307 - our own
    assert type(problem.value).__name__ == error
    assert fits(pattern, str(problem.value))
