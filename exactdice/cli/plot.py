"""`exactdice plot NAME`: one figure, with a CSV file of its exact numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from exactdice.cli.presenting import click_option, quiet_option, shown_progress, write_files
from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.jobs.plots import FIGURES, figure_named
from exactdice.jobs.plots.figure import KINDS, Figure
from exactdice.question.domains import File, Flag, Whole
from exactdice.question.words import Command
from exactdice.report.model import Report
from exactdice.report.readers import read
from exactdice.report.writers import Format
from exactdice.storage import check_writable, write_whole


def _run(**options: Any) -> None:
    size, stored, words = options["size"], options["report"], options["options"]
    if options["all"]:
        if options["name"] or words or (size, stored) != (None, None):
            raise ConflictError("all", "draws all figures; omit NAME, --size and --report")
        folder = File().read(options["output"] or "figures", "output")
        if not folder.is_dir():
            raise InputError("output", str(folder), "an existing folder")
        for figure in FIGURES:
            _draw(figure, folder / f"{figure.name}.pdf", figure.data)
        return
    if options["name"] is None:
        raise InputError("name", Unquoted("nothing"), "the name of a figure, or --all")
    figure = figure_named(options["name"])
    path = File().read(options["output"] or f"{figure.name}.pdf", "output")
    if stored is None:
        _draw(figure, path, lambda: figure.data(size, words))
        return
    if words or size is not None:
        raise ConflictError("report", "cannot be combined with --size or options of the command")
    file = File().read(stored, "report")
    try:
        _draw(figure, path, lambda: read(file))
    except (ValueError, KeyError, TypeError) as problem:
        if getattr(problem, "argument", "") in ("path", "document", "output", f"{file}:"):
            raise
        wanted = f'a saved answer of "exactdice {figure.question(figure.sizes[1])}"'
        raise InputError("report", str(file), wanted) from problem


def _draw(figure: Figure, path: Path, data: Callable[[], Report]) -> None:
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise InputError("output", str(path), f"a file name that ends in .{' or .'.join(KINDS)}")
    check_writable(path)
    with shown_progress():
        report = data()
        drawn = figure.picture(report, kind)
    numbers = write_files(report, Format.CSV, path.with_suffix(".csv"), is_named=False)
    write_whole(path, drawn)
    click.echo(f"Wrote {path} and its exact numbers, {', '.join(map(str, numbers))}.")


_WIDTH = max(len(figure.name) for figure in FIGURES)

command = Command(
    "plot",
    help="Draw one figure, and write its exact numbers as CSV.\n\n"
    "Arguments after NAME are passed to the command whose answer is drawn.\n\n"
    "\b\nExamples:\n  exactdice plot risk-survivors --defender-dice 3 -o capital.png\n"
    "  exactdice plot dice-distribution '4d6 keep highest 3' -o abilities.svg\n\n"
    "\b\nThe figures:\n"
    + "\n".join(f"  {figure.name:{_WIDTH}}  {figure.caption}" for figure in FIGURES),
    callback=_run,
    context_settings={"ignore_unknown_options": True},
    params=[
        click.Argument(["name"], required=False, metavar="[NAME]"),
        click.Argument(["options"], nargs=-1, metavar="[ARGS OF THE COMMAND]"),
        click_option("output", File(), "A .pdf, .png or .svg file. Default: NAME.pdf.", short="-o"),
        click_option("size", Whole(), "Size of the figure; its unit depends on the figure."),
        click_option("report", File(), "Draw an answer saved by --output."),
        click_option("all", Flag(), "Draw all figures, into the folder of --output."),
        quiet_option(),
    ],
)
