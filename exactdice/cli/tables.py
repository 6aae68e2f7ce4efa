"""`exactdice tables`: the main job, every exact table of every game."""

import fnmatch
from collections.abc import Mapping, Sequence
from typing import Any

import click

from exactdice.cli.presenting import click_option, read_digits, read_run, run_options
from exactdice.cli.progress import shown_progress
from exactdice.errors import InputError
from exactdice.jobs.catalogue import CATALOGUE, FORMATS, LONG, Entry
from exactdice.question.domains import File, Flag, Words
from exactdice.question.words import Command
from exactdice.storage import MANIFEST, OutputFolder, source_identity


class _Wanted:
    """The names that files of the catalogue have: those just made, and those others may have."""

    def __init__(self, made: Mapping[Entry, Sequence[str]]) -> None:
        self._made = {name for names in made.values() for name in names}
        self._others = [entry for entry in (*CATALOGUE, *LONG) if entry not in made]

    def __contains__(self, name: object) -> bool:
        return name in self._made or any(entry.may_have(str(name)) for entry in self._others)


def _run(**options: Any) -> None:
    precision = read_digits(options)
    offered = LONG if options["long"] else CATALOGUE
    only = options["only"] or "*"
    entries = [entry for entry in offered if fnmatch.fnmatch(entry.name, only)]
    if not entries:
        games = ", ".join(sorted({f"{entry.name.split('/')[0]}/*" for entry in offered}))
        raise InputError("only", only, f"a pattern that matches a table, such as {games}")
    if options["list"]:
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            click.echo(f"{entry.name:{width}}  exactdice {entry.question}")
        return
    output = File().read(options["output"] or "out", "output")
    folder = OutputFolder(output)
    run = read_run(options)
    source, kept = source_identity(), 0
    names: dict[Entry, list[str]] = {}
    with shown_progress() as tell:
        for done, entry in enumerate(entries):
            tell(entry.name, done, len(entries))
            # Nothing counts as current where the sources cannot be told.
            made_by = f"{entry.question} --digits {precision}, {source}" if source else ""
            names[entry] = folder.current(made_by)
            if names[entry]:
                kept += 1
            else:
                files = dict(entry.files(precision, run))
                folder.write(files, made_by)
                names[entry] = list(files)
    folder.keep_only(_Wanted(names))
    written = sum(map(len, names.values()))
    formats = ", ".join(FORMATS)
    click.echo(
        f"Wrote {len(entries) - kept} exact tables and kept {kept} that are current, each as "
        f"{formats}, in {output}/ ({written} files, listed in "
        f"{output}/{MANIFEST})."
    )


command = Command(
    "tables",
    help="Write every exact table of every game as text, CSV, JSON and LaTeX.\n\n"
    "Takes a minute; the long ones a quarter of an hour or more.",
    callback=_run,
    params=[
        click_option("output", File(), "Folder to write into; out by default.", short="-o"),
        click_option("only", Words(metavar="PATTERN"), "Tables whose name matches, as risk/*."),
        click_option("long", Flag(), "The tables that take minutes each, instead."),
        click_option("list", Flag(), "List the tables and their questions, and write nothing."),
        *run_options(),
    ],
)
