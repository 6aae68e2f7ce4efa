"""`exactdice plot NAME`: one figure, with its exact numbers beside it."""

from pathlib import Path
from typing import Annotated

import typer

from exactdice.errors import InputError, OutputError
from exactdice.storage import check_writable, read_text, write_whole
from exactdice.tables.plots import FIGURES, figure_named
from exactdice.tables.writers import Format, render

__all__ = ["run"]

_KINDS = {".pdf": "pdf", ".png": "png"}
_OURS = "# producer: exactdice "
_NAMES = ", ".join(figure.name for figure in FIGURES)


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {_NAMES}.")],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A .pdf or .png; NAME.pdf if not said."
        ),
    ] = "",
    size: Annotated[
        str, typer.Option("--size", metavar="N", help="How much to show; each figure has its own.")
    ] = "",
) -> None:
    """Draw one figure, and write the exact numbers that it shows beside it as CSV."""
    figure = figure_named(name)
    path = Path(output or f"{name}.pdf")
    if path.suffix not in _KINDS:
        raise InputError("output", output, "a file name that ends in .pdf or .png")
    beside = path.with_suffix(".csv")
    for file in (path, beside):
        check_writable(file)
    _check_ours(beside)
    report = figure.data(size or None)
    drawn = figure.picture(report, _KINDS[path.suffix])
    write_whole(beside, render(report, Format.CSV))
    write_whole(path, drawn)
    print(f"Wrote {path} and its exact numbers, {beside}.")


def _check_ours(beside: Path) -> None:
    """Leave alone a file that nobody named, unless it holds the numbers of an earlier figure."""
    content = read_text(beside)
    if content and _OURS not in content:
        raise OutputError(
            f"output: the numbers go into {beside}, which holds something else; name another file"
        )
