r"""Lists, comments and special rows in CSV, which has no form for them.

A *list* is written with spaces between its entries: whole numbers and words as they are, a nested
list in parentheses, and any word that would be misread in quotation marks, doubled inside: ``3 hold
(1 2) "a ""b"" c"``. A word in the form of a whole number, such as ``17``, is read as that number,
here and in JSON; lists of rationals contain their texts.

A *comment* is a line that begins with ``#``. Line breaks, other control characters and halves of
surrogate pairs are written as ``\u000a``, so that no argument can end a comment. If the first cell
of a row begins with ``#``, it is in quotation marks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from exactdice import arithmetic
from exactdice.arithmetic import mpz

_WHOLE = re.compile(r"0|-?[1-9][0-9]*")
_TOKEN = re.compile(r'\s*(?:"((?:[^"]|"")*+)"(?=[\s()]|\Z)|([()])|([^\s"()]+))')

_CELL = re.compile(r'(?:"((?:[^"]|"")*+)"|([^",\r\n]*))(,|\r?\n|\Z)')


def written_list(items: Sequence[Any]) -> str:
    """Write a list into a cell."""
    return " ".join(map(_item, items))


def _item(item: Any) -> str:
    if isinstance(item, tuple | list):
        return f"({written_list(item)})"
    if isinstance(item, bool):
        return "true" if item else "false"
    if not isinstance(item, str):
        return arithmetic.text(item)
    if item and not re.search(r'[\s"()]', item):
        return item
    return '"' + item.replace('"', '""') + '"'


def read_list(cell: str) -> tuple[Any, ...]:
    """Read a list from a cell."""
    open_lists: list[list[Any]] = [[]]
    place, end = 0, len(cell.rstrip())
    while place < end:
        token = _TOKEN.match(cell, place)
        if token is None:
            raise ValueError(cell)
        place = token.end()
        quoted, bracket, bare = token.groups()
        if bracket == "(":
            open_lists.append([])
        elif bracket:
            closed = tuple(open_lists.pop())
            if not open_lists:
                raise ValueError(cell)
            open_lists[-1].append(closed)
        elif quoted is not None:
            open_lists[-1].append(quoted.replace('""', '"'))
        else:
            open_lists[-1].append(read_item(bare))
    if len(open_lists) > 1:
        raise ValueError(cell)
    return tuple(open_lists[0])


def read_item(word: str) -> int | str:
    """Read an entry of a list: a whole number, or else a word."""
    return int(mpz(word)) if _WHOLE.fullmatch(word) else word


def row_text(cells: Sequence[str]) -> str:
    r"""Write a row of CSV with its line end."""
    if list(cells) == [""]:
        return '""\n'  # told from an empty line
    quoted = [
        '"' + cell.replace('"', '""') + '"'
        if re.search(r'[,"\r\n]', cell) or (place == 0 and cell.startswith("#"))
        else cell
        for place, cell in enumerate(cells)
    ]
    return ",".join(quoted) + "\n"


def records(document: str) -> Iterator[str | list[str]]:
    """Yield the comments of a document, as lines, and its rows, as lists of cells, in order.

    Cells may have any length, which the csv module allows only by a global setting. Raises
    ValueError with the line in which an invalid row begins.
    """
    place = 0
    while place < len(document):
        if document.startswith("#", place):
            end = document.find("\n", place)
            end = len(document) if end < 0 else end
            yield document[place:end].removesuffix("\r")
            place = end + 1
            continue
        start, cells, separator = place, [], ","
        while separator == ",":
            cell = _CELL.match(document, place)
            if cell is None:
                raise ValueError(document[start:].split("\n", 1)[0])
            cells.append(cell[2] if cell[1] is None else cell[1].replace('""', '"'))
            place, separator = cell.end(), cell[3]
        yield cells
