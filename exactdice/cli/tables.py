"""`exactdice project tables`: every exact table of every game."""

import fnmatch
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from exactdice.cli.presenting import (
    click_option,
    digits_option,
    limit_options,
    quiet_option,
    read_digits,
    read_run,
    shown_progress,
)
from exactdice.errors import CheckFailedError, InputError, TooLargeError
from exactdice.jobs.catalogue import BOOK, CATALOGUE, FORMATS, INDEX, LONG, Entry, index
from exactdice.question.domains import File, Flag, Text
from exactdice.question.words import Command
from exactdice.storage import MANIFEST, OutputFolder
from exactdice.storage.files import Levels, source_identity, telling


class _Wanted:
    """Names of the files of the catalogue: those just made, and possible ones of other entries."""

    def __init__(self, made: Mapping[Entry, Sequence[str]]) -> None:
        self._made = {name for names in made.values() for name in names}
        self._others = [entry for entry in (*CATALOGUE, *LONG, *BOOK) if entry not in made]

    def __contains__(self, name: object) -> bool:
        others = (entry.may_have(str(name)) for entry in self._others)
        return name in (*self._made, INDEX) or any(others)


def _run(**options: Any) -> None:
    is_book = options["book"]
    precision = read_digits(options)
    offered = BOOK if is_book else LONG if options["long"] else CATALOGUE
    only = options["only"] or "*"
    entries = [entry for entry in offered if fnmatch.fnmatch(entry.name, only)]
    if not entries:
        games = ", ".join(sorted({f"{entry.name.split('/')[0]}/*" for entry in offered})[:8])
        raise InputError("only", only, f"a pattern that matches a table, such as {games}")
    if options["list"]:
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            click.echo(f"{entry.name:{width}}  exactdice {entry.question}")
        return
    output = File().read(options["output"] or ("book" if is_book else "out"), "output")
    folder = OutputFolder(output)
    source, kept = source_identity(), 0
    levels = output.with_name(f"{output.name}.levels")
    names: dict[Entry, list[str]] = {}
    failed: list[str] = []
    with shown_progress() as tell:

        def told(what: str, part: int, total: int | None, /) -> None:
            tell(f"{done + 1} of {len(entries)}, {entry.name}: {what}", part, total)

        run = replace(read_run(options), progress=told)
        for done, entry in enumerate(entries):
            tell(entry.name, done, len(entries))
            # Without the hash of the sources no file counts as current.
            made_by = f"{entry.question} --digits {precision}, {source}" if source else ""
            names[entry] = folder.current(made_by)
            if names[entry]:
                kept += 1
                continue
            home = levels / entry.name
            if is_book:
                run = replace(run, kept=Levels(home, source))
            try:
                files = dict(entry.files(precision, run))
            except TooLargeError as problem:
                failed.append(f"{entry.name}: {problem}")
                del names[entry]  # its earlier files stay
                continue
            folder.write(files, made_by)
            names[entry] = list(files)
            if home.exists():
                with telling(home, "removed"):
                    shutil.rmtree(home)
    if is_book:
        folder.write({INDEX: index(output, BOOK)}, "index of the book")
    folder.keep_only(_Wanted(names))
    what = "variants of the book" if is_book else "exact tables"
    each = "" if is_book else f", each as {', '.join(FORMATS)}"
    click.echo(
        f"Wrote {len(names) - kept} {what} and kept {kept} current ones{each}, in {output}/ "
        f"({sum(map(len, names.values()))} files, listed in {output}/{MANIFEST})."
    )
    if failed:
        raise CheckFailedError("; ".join(failed))


command = Command(
    "tables",
    help="Write all exact tables of all games as text, CSV, JSON and LaTeX.\n\n"
    "Takes a minute; --long takes a quarter of an hour or more.",
    callback=_run,
    params=[
        click_option("output", File("FOLDER"), "Folder for the tables. Default: out.", short="-o"),
        click_option(
            "only", Text(metavar="PATTERN"), "Only tables whose name matches, for example risk/*."
        ),
        click_option("long", Flag(), "The tables that take minutes each, instead."),
        click_option("book", Flag(), "The book of dice as a data set. Default folder: book."),
        click_option("list", Flag(), "List the tables and their questions; write nothing."),
        digits_option(),
        *limit_options(),
        quiet_option(),
    ],
)
