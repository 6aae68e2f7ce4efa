"""Figures: a report, a function that draws it, and the sizes that stay readable; dice figures.

The colours are those of Okabe and Ito, which people with common kinds of colour blindness can
distinguish, and the map *cividis*, which also orders by lightness for prints in grey. Files contain
no date: two drawings with one version of matplotlib are equal byte for byte.
"""

import io
import shlex
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.arithmetic import mpq, natural, nearest_double
from exactdice.dice import Distribution
from exactdice.errors import ConflictError, InputError, MissingExtraError, OutputError
from exactdice.report.model import Grid, Report, Table
from exactdice.rooms import ask

if TYPE_CHECKING:
    import matplotlib.figure

#: A figure of matplotlib, which is imported only for drawing.
Canvas: TypeAlias = "matplotlib.figure.Figure"

BLACK = "#000000"
BLUE = "#0072B2"
ORANGE = "#E69F00"
SKY = "#56B4E9"
VERMILION = "#D55E00"
YELLOW = "#F0E442"
GREY = "#BBBBBB"

_SIGNED, _POINTS_AN_INCH = 7, 72  # the height of a line below a figure in points

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
    double = nearest_double(cell)
    if double is None:
        raise OverflowError(f"{cell} is too large to be drawn")
    return double


def column(table: Table, name: str) -> list[Any]:
    return table.cells(name)


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.rows]


def numbers(cells: list[Any]) -> list[float]:
    return [number(cell) for cell in cells]


def sheet(width: float, height: float, panels: int = 1, **options: Any) -> tuple[Canvas, Any]:
    from matplotlib.figure import Figure as Sheet

    canvas = Sheet(figsize=(width, height), layout="constrained")
    return canvas, canvas.subplots(1, panels, **options)


def frame(axes: Any, x: str, y: str, grid: str = "", *, whole: bool = False) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if grid:
        axes.grid(axis=grid, linewidth=0.4)
    if whole:
        axes.xaxis.get_major_locator().set_params(integer=True)


def heat(
    axes: Any, grid: list[list[float]], least: tuple[float, float], step: float = 1, **look: Any
) -> Any:
    """Draw the rows of a grid as coloured cells; the first cell is at the `least` coordinates."""
    half = step / 2
    extent = [edge for at in least for edge in (at - half, at + half)]
    extent[1] += step * (len(grid[0]) - 1)
    extent[3] += step * (len(grid) - 1)
    look = {"cmap": HEAT, "aspect": "equal"} | look
    return axes.imshow(grid, origin="lower", extent=extent, **look)


def upright(axes: Any, x: float, words: str, y: float, shift: tuple[int, int], **look: Any) -> None:
    axes.axvline(x, **({"linestyle": "--"} | look))
    note(axes, words, (x, y), shift)


def note(axes: Any, words: str, at: tuple[Any, Any], shift: tuple[int, int], **look: Any) -> None:
    """Write words near a place, shifted right and up by `shift` points."""
    axes.annotate(words, at, xytext=shift, textcoords="offset points", **look)


def sign(canvas: Canvas, words: str) -> None:
    """Write small lines below a figure, and enlarge it for them."""
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
        "\n".join(lines).replace("$", r"\$"),
        fontsize=_SIGNED * 0.8,
        color="#555555",
        va="bottom",
        in_layout=False,
    )


@contextmanager
def style() -> Iterator[None]:
    """Draw and write within this context; then all parts have the same style."""
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


# Metadata of files; None omits an entry that matplotlib would write.
_METADATA = {
    "pdf": {"Creator": "exactdice", "Producer": "matplotlib", "CreationDate": None},
    "png": {"Software": "exactdice"},
    "svg": {"Creator": "exactdice", "Date": None},
}

KINDS = tuple(_METADATA)


def picture(canvas: Canvas, kind: str) -> bytes:
    """Return a drawn figure as ``pdf``, ``png`` or ``svg``."""
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

    name: str  # ``game-subject``, for `exactdice plot`
    caption: str
    question: Callable[[int], str]  # returns the question of a size
    draw: Callable[[Report], Canvas]
    size_means: str  # the unit of the size
    sizes: tuple[int, int, int]  # the smallest, the usual and the largest that is readable in print

    def data(self, size: object = None, options: Sequence[str] = ()) -> Report:
        """Return the exact numbers for the figure of a size.

        Arguments before the options, for example ``4d6``, replace those set by the size; an option
        replaces the same option of the figure's question.
        """
        smallest, usual, largest = self.sizes
        chosen = usual if size is None else natural(size, "size", least=smallest)
        if chosen > largest:
            wanted = f"at most {largest} ({self.size_means}), to be readable"
            raise InputError("size", chosen, wanted)
        asked = shlex.split(self.question(chosen))
        if asked[0] == "book" and options and not options[0].startswith("--"):
            more = [] if {"--x", "--distribution"} & {*options} else asked[4:]
            return ask(shlex.join(["book", *options, *more]))  # another game
        if options and not options[0].startswith("--"):
            if size is not None:
                problem = f"cannot be combined with {options[0]}; omit one of them"
                raise ConflictError("size", problem)
            is_option = [word.startswith("--") for word in (*asked, "--")]
            asked = asked[: 2 - (asked[0] == "anydice")] + asked[is_option.index(True) :]
        for name in {option.partition("=")[0] for option in options} & {*asked}:
            if name.startswith("--"):
                place = asked.index(name)
                has_value = not "".join(asked[place + 1 : place + 2]).startswith("--")
                del asked[place : place + 1 + has_value]
        return ask(shlex.join([*asked, *options]))

    def picture(self, report: Report, kind: str) -> bytes:
        """Draw a report that `data` made, in one of `KINDS`.

        The title and the command of the report are printed below the picture.
        """
        with style():
            drawn = self.draw(report)
            sign(drawn, f"{report.title}\n{report.provenance.command}")
            return picture(drawn, kind)


def figure(
    question: Callable[[int], str], size_means: str, sizes: tuple[int, int, int]
) -> Callable[[Callable[[Report], Canvas]], Figure]:
    """Make a figure of a drawing function: its name, and its docstring as the caption."""

    def named(draw: Callable[[Report], Canvas]) -> Figure:
        name, caption = draw.__name__.strip("_").replace("_", "-"), (draw.__doc__ or "").rstrip(".")
        return Figure(name, caption, question, draw, size_means, sizes)

    return named


@figure(lambda n: f"book pig --set target={n} --x 0 --y 1", "points to win", (20, 60, 100))
def _policy(report: Report) -> Canvas:
    """Any game whose states are tuples: the optimal actions, or their first change."""
    rows = rows_of(report.table("grid"))
    names = list(dict.fromkeys(words for *_, words, _ in rows))
    first = names[0].partition(";")[0]
    changes = any(change is not None for *_, change in rows)
    cells = {(x, y): change if changes else names.index(words) for x, y, words, change in rows}
    xs, ys = ([*range(min(at), max(at) + 1)] for at in zip(*cells, strict=True))
    known = {at: number(cell) for at, cell in cells.items() if cell is not None}
    grid = [[known.get((x, y), nan) for x in xs] for y in ys]
    canvas, axes = sheet(4.6, 3.8)
    image = heat(axes, grid, (xs[0], ys[0]), aspect="auto")
    frame(axes, *(f"coordinate {report.provenance.command.split(f'--{c} ')[1][0]}" for c in "xy"))
    if changes:
        canvas.colorbar(image, ax=axes, label=f"{first} ends here (white: nowhere)")
    else:
        bar = canvas.colorbar(image, ax=axes, ticks=range(len(names)))
        bar.ax.set_yticklabels(names)
    return canvas


_MOST_BARS = 120


@figure(lambda n: f"book threes --set dice={n} --distribution", "dice", (1, 5, 5))
def _total(report: Report) -> Canvas:
    """Any game whose totals can be listed: their distribution under optimal play."""
    return _bars(report, "total", "mean")


@figure(lambda n: f"dice distribution {n}d6", "dice", (1, 3, 100))
def _dice_distribution(report: Report) -> Canvas:
    """Dice: the probability distribution of a sum."""
    return _bars(report, "outcome", "value")


def _bars(report: Report, what: str, mean_name: str) -> Canvas:
    table = report.table("outcomes")
    outcomes, chances = column(table, what), numbers(column(table, "probability"))
    mean = number(report.value(mean_name))
    canvas, axes = sheet(5.2, 2.6)
    if all(isinstance(outcome, bool) for outcome in outcomes):
        frame(axes, "", "probability", "y")
        bars = axes.bar(["yes" if outcome else "no" for outcome in outcomes], chances, color=BLUE)
        axes.bar_label(bars, [f"{chance:.1%}" for chance in chances])
        axes.set_ylim(0, 1.1)
        return canvas
    if len(outcomes) > _MOST_BARS:
        axes.fill_between(outcomes, chances, color=BLUE, step="mid", linewidth=0)
        axes.set_ylim(bottom=0)
    else:
        axes.bar(outcomes, chances, color=BLUE, width=0.8)
    look = {"color": ORANGE, "linewidth": 1.2}
    upright(axes, mean, f"mean {mean:.4g}", max(chances), (4, 3), **look)
    frame(axes, what, "probability", "y", whole=True)
    return canvas


def draw_laws(rolls: Sequence[Any], names: Sequence[str]) -> Canvas:
    laws: list[Mapping[Any, mpq]] = [
        roll.cut("1/1000").chances if hasattr(roll, "cut") else roll.probabilities()
        for roll in rolls
    ]
    if len(names) not in (0, len(laws)):
        raise InputError("names", names, f"{len(laws)} names, one per distribution")
    with style():
        canvas, axes = sheet(5.2, 2.6)
        frame(axes, "outcome", "probability", "y")
        labels = [*names] or [""]
        places = list(dict.fromkeys(outcome for law in laws for outcome in law))
        are_whole = all(type(outcome) is int for outcome in places)
        are_numbers = are_whole or all(type(x) in (int, type(mpq(0))) for x in places)
        for index, law in enumerate(laws):
            chances = numbers(list(law.values()))
            label, colour = labels[index % len(labels)], f"C{index}"
            if are_numbers and len(law) == 1 and len(laws) > 1:  # its bar would flatten the others
                axes.axvline(number(next(iter(law))), label=label, color=colour, linestyle="--")
                continue
            if are_numbers and (len(laws) > 1 or not are_whole):
                axes.plot(numbers(list(law)), chances, marker=".", label=label)
                continue
            width = 0.8 / len(laws)
            shift = (index - (len(laws) - 1) / 2) * width
            at = numbers(list(law)) if are_numbers else [places.index(x) + shift for x in law]
            axes.bar(at, chances, width=width, label=label)
        if not are_numbers:
            axes.set_xticks(range(len(places)), [str(outcome) for outcome in places])
        axes.set_ylim(bottom=0)
        if names:
            axes.legend()
    return canvas


@figure(lambda n: f"dice compare '{n}d6 keep highest 3 vs 3d6'", "dice", (3, 4, 100))
def _dice_compare(report: Report) -> Canvas:
    """Dice: several rolls compared."""
    table = report.table("outcomes")
    outcomes, names = column(table, "outcome"), column(report.table("rolls"), "roll")
    laws = [
        {x: p for x, p in zip(outcomes, column(table, f"probability_{place}"), strict=True) if p}
        for place in range(1, len(names) + 1)
    ]
    rolls = map(Distribution.from_probabilities, laws)
    return draw_laws([*rolls], [str(name) for name in names])


@figure(lambda n: f"anydice 'output {n}d6 output [highest 3 of {n}d6]'", "dice", (3, 4, 100))
def _anydice(report: Report) -> Canvas:
    """AnyDice: all outputs of a program, in the view of the command."""
    table, (canvas, axes) = report.table("outcomes"), sheet(5.2, 2.6)
    grid = table.grid or Grid("outcome", "output", "probability")
    cells = table.select(grid.down, grid.across, grid.cell)
    for name in (names := list(dict.fromkeys(name for _, name, _ in cells))):
        at = [(x if type(x) is str else number(x), number(p)) for x, of, p in cells if of == name]
        axes.plot(*zip(*at, strict=True), marker=".", label=str(name).replace("$", r"\$"))
    frame(axes, grid.down, grid.cell.replace("_", " "), "y")
    axes.set_ylim(bottom=0)
    if len(names) <= 12:
        axes.legend()
    return canvas
