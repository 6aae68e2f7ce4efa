"""Tables in a given width: columns narrowed and folded, or set in blocks below each other.

Where a table is too wide its widest columns are narrowed to one common width, as wide as fits, and
their cells are folded at spaces. Where that would break words and numbers, the table is set in
blocks, each with the first columns again: as many as tell its rows apart.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LONGEST_WORD = 26  # characters of a word that is kept in one line
_BETWEEN = 2  # spaces between columns


@dataclass(frozen=True)
class Block:
    """Some columns of a table, by their places, with the width of each in characters."""

    places: tuple[int, ...]
    widths: tuple[int, ...]


def leading(rows: Sequence[Sequence[str]]) -> int:
    """How many columns, from the first, tell the rows apart as well as all of them do.

    >>> leading([["1", "1", "a"], ["1", "2", "a"]]), leading([["1", "a"], ["1", "a"]]), leading([])
    (2, 1, 1)
    """
    several = len({tuple(row) for row in rows})
    count = 1
    while len({tuple(row[:count]) for row in rows}) < several:
        count += 1
    return count


def blocks(
    natural: Sequence[int],
    least: Sequence[int],
    width: int,
    between: int = _BETWEEN,
    repeated: int = 1,
) -> list[Block]:
    """Divide columns into blocks that fit a width.

    >>> blocks([5, 90], [5, 12], 80)
    [Block(places=(0, 1), widths=(5, 73))]
    >>> [block.places for block in blocks([9] * 12, [9] * 12, 80)]
    [(0, 1, 2, 3, 4, 5, 6), (0, 7, 8, 9, 10, 11)]
    """
    while repeated > 1 and (
        sum(least[:repeated]) + max(least[repeated:], default=0) + between * repeated > width
    ):
        repeated -= 1
    finished: list[Block] = []
    waiting = list(range(len(natural)))
    while waiting:
        places = list(range(repeated)) if finished else []
        kept = len(places)
        while waiting:
            needed = sum(least[i] for i in [*places, waiting[0]]) + between * len(places)
            if len(places) > kept and needed > width:
                break
            places.append(waiting.pop(0))
        finished.append(Block(tuple(places), _narrowed(places, natural, least, width, between)))
    return finished


def _narrowed(
    places: Sequence[int], natural: Sequence[int], least: Sequence[int], width: int, between: int
) -> tuple[int, ...]:
    """Narrow the wider columns to one common width, but none below what it needs."""
    available = width - between * (len(places) - 1)

    def widths(common: int) -> list[int]:
        return [max(min(natural[i], common), min(least[i], natural[i])) for i in places]

    common = max((natural[i] for i in places), default=0)
    while common > 1 and sum(widths(common)) > available:
        common -= 1
    return tuple(min(w, available) for w in widths(common))


def needed_width(cells: Sequence[str]) -> int:
    """The least width of a column: that of its longest word, if it is not too long."""
    longest = max((len(word) for cell in cells for word in cell.split()), default=1)
    return min(longest, _LONGEST_WORD)


def folded(text: str, width: int) -> list[str]:
    """Fold a text at its spaces, or within a word that is too long.

    >>> folded("one two three", 8), folded("123456789", 4), folded("", 4)
    (['one two', 'three'], ['1234', '5678', '9'], [''])
    """
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def aligned(
    headings: Sequence[str], rows: Sequence[Sequence[str]], sides: str, width: int
) -> Iterator[str]:
    r"""Write a table in lines of at most a width, numbers to the right.

    >>> print(*aligned(["n", "word"], [["1", "one"], ["20", "twenty"]], "rl", 80), sep="\n")
     n  word
    --  ------
     1  one
    20  twenty
    """
    columns = list(zip(headings, *rows, strict=True))
    natural = [max(map(len, cells)) for cells in columns]
    least = list(map(needed_width, columns))
    set_below = blocks(natural, least, width, repeated=leading(rows))
    for number, block in enumerate(set_below):
        if number:
            yield ""
        rule = ["-" * w for w in block.widths]
        for row in (headings, None, *rows):
            cells = rule if row is None else [row[place] for place in block.places]
            parts = [folded(cell, w) for cell, w in zip(cells, block.widths, strict=True)]
            for line in range(max(map(len, parts))):
                padded = (
                    (part[line] if line < len(part) else "").rjust(w)
                    if sides[place] == "r"
                    else (part[line] if line < len(part) else "").ljust(w)
                    for part, w, place in zip(parts, block.widths, block.places, strict=True)
                )
                yield (" " * _BETWEEN).join(padded).rstrip()
