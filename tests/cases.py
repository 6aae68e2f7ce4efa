"""Answers whose numbers have a source: the table `cases.csv`, and how a row of it is compared.

Each row is a command, a path in its JSON, the value there, and where the value is from.

A path is names with dots between: ``[2]`` is the third row of a table, ``[name=Promo]`` the rows
with such a cell, ``[*]`` every row, and ``.length`` the length of a list.

A value is JSON or a text: ``5/8`` is an exact number, ``3`` a whole one and ``"3"`` an exact one.
``absent`` is what is not there, ``1.23…`` a number whose digits are cut off and ``1.23±0.01`` one
that is at most so far away. An enclosure has a value if it contains it.
"""

import csv
import json
import re
from functools import cache
from pathlib import Path

import pytest

from exactdice import native
from exactdice.arithmetic import mpq
from exactdice.report.writers import Format, render
from exactdice.rooms import ask


def text_of(path):
    return (Path(__file__).parent / path).read_text(encoding="utf-8")


def rows_of(table):
    """The rows of a table in CSV, without its header; of one column the cells."""
    with (Path(__file__).parent / f"{table}.csv").open(encoding="utf-8", newline="") as lines:
        names, *cells = csv.reader(lines)
    return [row[0] if len(names) == 1 else tuple(row) for row in cells]


_ROWS = rows_of("cases")

#: By each command the paths, values and sources, as they are written.
CASES = {of: [list(row[1:]) for row in _ROWS if row[0] == of] for of, *_ in _ROWS}

#: Commands that need the C++ solvers.
_NATIVE = ("farkle best", "swe enclosure", "swe value 100 --memory")


def needs_solvers(command):
    if command.startswith(_NATIVE) and not native.are_built():
        pytest.skip("no C++ compiler at install")


@cache
def reported(command):
    needs_solvers(command)
    return ask(command)


def written(command):
    return render(reported(command), Format.JSON)


def _step(place, step):
    name, equal, cell = step.strip("[]").partition("=")
    if equal:
        return _Rows(row for row in place if cell in (row[name], _typed(row[name])))
    if isinstance(place, _Rows):
        return _Rows(_step(row, step) for row in place)
    if step == "length":
        return len(place)
    if step.startswith("["):
        return _Rows(place) if name == "*" else place[int(name)]
    return place.get(step, "absent")


class _Rows(list):
    """Rows of a table that a path goes on from together."""


def _is(actual, value):
    if isinstance(actual, dict):
        return mpq(actual["lower"]) <= mpq(value) <= mpq(actual["upper"])
    if value.endswith("…"):
        places = len(value.partition(".")[2]) - 1
        return int(mpq(actual) * 10**places) == int(mpq(value[:-1]) * 10**places)
    if "±" in value:
        middle, off = map(mpq, value.split("±"))
        return abs(mpq(actual) - middle) <= off
    try:
        return _typed(actual) == _typed(json.loads(value))
    except json.JSONDecodeError:
        return actual == value


def _typed(value):
    """Distinguish true from 1, which are equal in Python."""
    return json.dumps(value)


def check(document, path, value):
    place = document
    for step in re.findall(r"\[[^]]*\]|[^.[]+", path):
        place = _step(place, step)
    if isinstance(place, _Rows) and "=" in path:
        assert place, path
        assert all(_is(cell, value) for cell in place), (path, list(place), value)
    else:
        assert _is(place, value), (path, place, value)


def check_decimals(document):
    """Assert that each decimal is the double nearest to its exact number."""
    for name, value in document.items() if isinstance(document, dict) else ():
        if isinstance(document.get(f"{name}_float"), float) and isinstance(value, str):
            exact = mpq(value)
            assert document[f"{name}_float"] == int(exact.numerator) / int(exact.denominator)
    for part in document.values() if isinstance(document, dict) else document:
        if isinstance(part, dict | list):
            check_decimals(part)


def fits(pattern, line):
    """Whether a line is as a pattern, in which ``…`` stands for any characters."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), line)
