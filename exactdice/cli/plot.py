"""`exactdice plot NAME`: one figure, with its exact numbers beside it."""

from typing import Any

import click

from exactdice.cli.presenting import click_option, write_files
from exactdice.cli.progress import shown_progress
from exactdice.errors import InputError
from exactdice.jobs.plots import FIGURES, figure_named
from exactdice.jobs.plots.canvas import KINDS
from exactdice.question.domains import File, Whole
from exactdice.question.words import Command
from exactdice.report.writers import Format
from exactdice.storage import check_writable, write_whole

__all__ = ["command"]


def _run(**given: Any) -> None:
    figure = figure_named(given["name"])
    path = File().read(given["output"] or f"{figure.name}.pdf", "output")
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise InputError("output", str(path), f"a file name that ends in .{' or .'.join(KINDS)}")
    beside = path.with_suffix(".csv")
    check_writable(path)
    with shown_progress():
        report = figure.data(given["size"])
        drawn = figure.picture(report, kind)
    numbers = write_files(report, Format.CSV, beside, is_named=False)
    write_whole(path, drawn)
    click.echo(f"Wrote {path} and its exact numbers, {', '.join(map(str, numbers))}.")


_WIDTH = max(len(figure.name) for figure in FIGURES)

command = Command(
    "plot",
    help="Draw one figure, and write the exact numbers that it shows beside it as CSV.\n\n"
    "\b\nThe figures:\n"
    + "\n".join(f"  {figure.name:{_WIDTH}}  {figure.caption}" for figure in FIGURES),
    callback=_run,
    params=[
        click.Argument(["name"], metavar="NAME"),
        click_option("output", File(), "A .pdf, .png or .svg; NAME.pdf if not said.", short="-o"),
        click_option("size", Whole(), "How much to show; each figure has its own."),
    ],
)
