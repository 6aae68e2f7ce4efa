"""`exactdice tables`: the main job, every exact table of every game."""

import fnmatch
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from exactdice.arithmetic import natural
from exactdice.errors import InputError
from exactdice.storage import MANIFEST, OutputFolder, source_identity
from exactdice.tables.catalogue import CATALOGUE, FORMATS, LONG

__all__ = ["run"]


def run(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write into.")
    ] = "out",
    only: Annotated[
        str, typer.Option(metavar="PATTERN", help="Only tables whose name matches, as risk/*.")
    ] = "*",
    long: Annotated[
        bool, typer.Option("--long", help="The tables that take minutes each, instead.")
    ] = False,
    digits: Annotated[
        str, typer.Option("--digits", metavar="N", help="Significant digits of decimals.")
    ] = "10",
) -> None:
    """Write every exact table of every game as text, CSV, JSON and LaTeX."""
    precision = natural(digits, "digits", least=1, most=100_000)
    offered = LONG if long else CATALOGUE
    entries = [entry for entry in offered if fnmatch.fnmatch(entry.name, only)]
    if not entries:
        games = ", ".join(sorted({f"{entry.name.split('/')[0]}/*" for entry in offered}))
        raise InputError("only", only, f"a pattern that matches a table, such as {games}")
    folder = OutputFolder(Path(output))
    folder.keep_only({name for entry in (*CATALOGUE, *LONG) for name in entry.file_names})
    source = source_identity()
    kept = 0
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("tables", total=len(entries))
        for entry in entries:
            progress.update(task, description=entry.name)
            # Nothing counts as current where the sources cannot be told.
            made_by = f"{entry.command} --digits {precision}, {source}" if source else ""
            if all(folder.is_current(name, made_by) for name in entry.file_names):
                kept += 1
            else:
                folder.write(dict(entry.files(precision)), made_by)
            progress.advance(task)
    formats = ", ".join(FORMATS)
    print(
        f"Wrote {len(entries) - kept} exact tables and kept {kept} that are current, each as "
        f"{formats}, in {output}/ ({len(entries) * len(FORMATS)} files, listed in "
        f"{output}/{MANIFEST})."
    )
