"""The sheet that figures are drawn on: one style, and files that do not change by themselves.

The colours are those of Okabe and Ito, which people with any common kind of colour blindness can
tell apart, and the map *cividis*, which also orders by lightness, so that a print in grey still
reads. Widths are those of a column of text. Files carry no date: drawn twice with one version of
matplotlib they are equal byte for byte.
"""

import io
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import nearest_double
from exactdice.errors import MissingExtraError, OutputError
from exactdice.report.model import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BLACK = "#000000"
BLUE = "#0072B2"
ORANGE = "#E69F00"
SKY = "#56B4E9"
VERMILION = "#D55E00"
YELLOW = "#F0E442"
GREY = "#BBBBBB"

_SIGNED, _POINTS_AN_INCH = 7, 72  # the height of a line below a figure, in points

#: The colour map of heat maps.
HEAT = "cividis"

#: The typeface of all words in figures; it is shipped with matplotlib.
FONT = "DejaVu Sans"

_STYLE: Any = {
    "font.family": FONT,
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
    "svg.hashsalt": "exactdice",
}


def number(cell: Any) -> float:
    """Nearest double of an exact cell.

    >>> from exactdice.arithmetic import mpq
    >>> number(mpq(1, 4))
    0.25
    """
    double = nearest_double(cell)
    if double is None:
        raise OverflowError(f"{cell} is too large to be drawn")
    return double


def column(table: Table, name: str) -> list[Any]:
    """Cells of one column, for drawing: whoever draws a report knows of what kind they are."""
    return table.cells(name)


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    """Rows of a table, for drawing."""
    return [tuple(row) for row in table.rows]


def numbers(cells: list[Any]) -> list[float]:
    """Nearest doubles of a column."""
    return [number(cell) for cell in cells]


def sheet(
    width: float, height: float, *, rows: int = 1, panels: int = 1, **options: Any
) -> "tuple[Canvas, Any]":
    """Make an empty figure with its axes, sizes in inches."""
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(width, height), layout="constrained")
    return canvas, canvas.subplots(rows, panels, **options)


def sign(canvas: "Canvas", words: str) -> None:
    """Write lines of words below a figure, in small letters, and make room for them."""
    width, height = canvas.get_size_inches()
    a_line = int(width * 20)  # characters of 5.5 points
    lines = [part for line in words.splitlines() for part in textwrap.wrap(line, a_line)]
    room = (len(lines) + 1) * _SIGNED / _POINTS_AN_INCH
    canvas.set_size_inches(width, height + room)
    below = room / (height + room)
    engine: Any = canvas.get_layout_engine()
    engine.set(rect=(0, below, 1, 1 - below))
    canvas.text(
        0.01,
        _SIGNED / 2 / _POINTS_AN_INCH / (height + room),
        "\n".join(lines),
        fontsize=_SIGNED * 0.8,
        color="#555555",
        va="bottom",
        in_layout=False,
    )


@contextmanager
def style() -> Iterator[None]:
    """Draw and write within this context, so that every part has the same style.

    Raises MissingExtraError if matplotlib is not installed, or has lost its typeface.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.font_manager import findfont
    except ImportError as problem:
        raise MissingExtraError("figures need matplotlib: pip install matplotlib") from problem
    try:
        findfont(FONT, fallback_to_default=False)
    except ValueError as problem:
        raise MissingExtraError(
            f"figures need the font {FONT}, which comes with matplotlib: "
            "pip install --force-reinstall matplotlib"
        ) from problem
    with rc_context(_STYLE):
        yield


#: What is written into a file about itself; None leaves out what matplotlib would write.
#: The kinds of files that are written, by their suffixes.
KINDS = ("pdf", "png", "svg")

_METADATA = {
    "pdf": {"Creator": "exactdice", "Producer": "matplotlib", "CreationDate": None},
    "png": {"Software": "exactdice"},
    "svg": {"Creator": "exactdice", "Date": None},
}


def picture(canvas: "Canvas", kind: str) -> bytes:
    """Write a drawn figure as ``pdf``, ``png`` or ``svg``.

    Raises OutputError if it has characters that the typeface lacks.
    """
    stream = io.BytesIO()
    with style(), warnings.catch_warnings():
        warnings.filterwarnings("error", message="Glyph .* missing")
        try:
            canvas.savefig(stream, format=kind, metadata=_METADATA[kind])
        except UserWarning as problem:
            raise OutputError(f"figure: the font {FONT} lacks a character: {problem}") from problem
    return stream.getvalue()
