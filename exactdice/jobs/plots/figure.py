"""What a figure is: a report, a way to draw it, and the sizes at which it can be read.

The sheet that figures are drawn on has one style, and its files do not change by themselves. The
colours are those of Okabe and Ito, which people with any common kind of colour blindness can tell
apart, and the map *cividis*, which also orders by lightness, so that a print in grey still reads.
Widths are those of a column of text. Files carry no date: drawn twice with one version of
matplotlib they are equal byte for byte.
"""

import io
import shlex
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.arithmetic import natural, nearest_double
from exactdice.errors import InputError, MissingExtraError, OutputError
from exactdice.report.model import Report, Table
from exactdice.rooms import ask

if TYPE_CHECKING:
    import matplotlib.figure

#: What is drawn on; named only, so that matplotlib is not imported before something is drawn.
Canvas: TypeAlias = "matplotlib.figure.Figure"

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
    """Nearest double of an exact cell."""
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


def sheet(width: float, height: float, panels: int = 1, **options: Any) -> tuple[Canvas, Any]:
    """Make an empty figure with panels beside each other, sizes in inches."""
    from matplotlib.figure import Figure as Sheet

    canvas = Sheet(figsize=(width, height), layout="constrained")
    return canvas, canvas.subplots(1, panels, **options)


def frame(axes: Any, x: str, y: str, grid: str = "", *, whole: bool = False) -> None:
    """Name the sides of a panel: fine lines across sides, and ticks at whole numbers, if wanted."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if grid:
        axes.grid(axis=grid, linewidth=0.4)
    if whole:
        axes.xaxis.get_major_locator().set_params(integer=True)


def heat(
    axes: Any, grid: list[list[float]], least: tuple[float, float], step: float = 1, **look: Any
) -> Any:
    """Draw the rows of a grid as coloured cells, the first at the least numbers of both sides."""
    half = step / 2
    extent = [edge for at in least for edge in (at - half, at + half)]
    extent[1] += step * (len(grid[0]) - 1)
    extent[3] += step * (len(grid) - 1)
    look = {"cmap": HEAT, "aspect": "equal"} | look
    return axes.imshow(grid, origin="lower", extent=extent, **look)


def upright(axes: Any, x: float, words: str, y: float, shift: tuple[int, int], **look: Any) -> None:
    """Draw a broken line at a number, with words beside its height y."""
    axes.axvline(x, **({"linestyle": "--"} | look))
    note(axes, words, (x, y), shift)


def note(axes: Any, words: str, at: tuple[Any, Any], shift: tuple[int, int], **look: Any) -> None:
    """Write words beside a place of a panel, so many points to the right of it and above it."""
    axes.annotate(words, at, xytext=shift, textcoords="offset points", **look)


def sign(canvas: Canvas, words: str) -> None:
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
    """Draw and write within this context, so that every part has the same style."""
    try:
        from matplotlib import rc_context
        from matplotlib.font_manager import findfont
    except ImportError as problem:
        raise MissingExtraError.of("figures", "matplotlib", "plots") from problem
    try:
        findfont(FONT, fallback_to_default=False)
    except ValueError as problem:
        raise MissingExtraError(
            f"figures need the font {FONT}, which comes with matplotlib: "
            "pip install --force-reinstall matplotlib"
        ) from problem
    with rc_context(_STYLE):
        yield


# What is written into a file about itself; None leaves out what matplotlib would write.
_METADATA = {
    "pdf": {"Creator": "exactdice", "Producer": "matplotlib", "CreationDate": None},
    "png": {"Software": "exactdice"},
    "svg": {"Creator": "exactdice", "Date": None},
}

#: The kinds of files that are written, by their suffixes.
KINDS = tuple(_METADATA)


def picture(canvas: Canvas, kind: str) -> bytes:
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


@dataclass(frozen=True)
class Figure:
    """One figure."""

    name: str  # by which `exactdice plot` knows it, as ``game-subject``
    caption: str  # what it shows, in a few words
    question: Callable[[int], str]  # names the question of a size, whose answer is drawn
    draw: Callable[[Report], Canvas]  # draws such a report
    size_means: str  # what the size counts
    # the smallest and the largest at which a reader can tell its parts apart on a printed page, and
    # between them the one that is drawn unless another is asked for
    sizes: tuple[int, int, int]

    def data(self, size: object = None, options: Sequence[str] = ()) -> Report:
        """Return the exact numbers that the figure of a size is drawn from.

        What stands in front of the options, as ``4d6`` for a law of dice, takes the place of what
        the size says; and an option that of the same one in the figure's question.
        """
        smallest, usual, largest = self.sizes
        chosen = usual if size is None else natural(size, "size", least=smallest)
        if chosen > largest:
            raise InputError(
                "size",
                chosen,
                f"at most {largest} ({self.size_means}): in a larger figure the parts could "
                "not be told apart",
            )
        asked = shlex.split(self.question(chosen))
        if options and not options[0].startswith("--"):
            if size is not None:
                raise InputError("size", size, f"it or {options[0]}, not both")
            is_option = [word.startswith("--") for word in (*asked, "--")]
            asked = asked[:2] + asked[is_option.index(True) :]  # the room, the verb and the options
        for name in {option.partition("=")[0] for option in options} & {*asked}:
            if name.startswith("--"):
                place = asked.index(name)
                has_value = not "".join(asked[place + 1 : place + 2]).startswith("--")
                del asked[place : place + 1 + has_value]
        return ask(shlex.join([*asked, *options]))

    def picture(self, report: Report, kind: str) -> bytes:
        """Draw a report that `data` made, in one of `exactdice.jobs.plots.figure.KINDS`.

        Below the picture stand the title of the report and its command: what the figure is of.
        """
        with style():
            drawn = self.draw(report)
            sign(drawn, f"{report.title}\n{report.provenance.command}")
            return picture(drawn, kind)


def figure(
    question: Callable[[int], str], size_means: str, sizes: tuple[int, int, int]
) -> Callable[[Callable[[Report], Canvas]], Figure]:
    """Make a figure of a function that draws it, with its name and its docstring as a caption."""

    def named(draw: Callable[[Report], Canvas]) -> Figure:
        name, caption = draw.__name__.strip("_").replace("_", "-"), (draw.__doc__ or "").rstrip(".")
        return Figure(name, caption, question, draw, size_means, sizes)

    return named
