"""Every main table: a page to sort and search, and files to download.

The files are those of `exactdice project tables`. They are kept between builds.
"""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from exactdice.jobs.catalogue import CATALOGUE, Entry
from exactdice.report.readers import read_json
from exactdice.report.writers import Format, render
from exactdice.storage import OutputFolder, source_identity
from exactdice_docs.browser import table

__all__ = ["made", "pages"]

_DIGITS = 10


def made(
    folder: Path, entries: Iterable[Entry] = CATALOGUE, place: str = "tables"
) -> dict[str, Path]:
    """Make the files of every table; return their paths by name in the site."""
    kept = OutputFolder(folder)
    source = source_identity()
    names: dict[str, Path] = {}
    for entry in entries:
        made_by = f"{entry.question}, {source}" if source else ""
        there = kept.current(made_by)
        if not there:
            files = dict(entry.files(_DIGITS))
            report = read_json(str(files[entry.name + Format.JSON.suffix]))
            files[entry.name + Format.HTML.suffix] = render(report, Format.HTML, _DIGITS)
            kept.write(files, made_by)
            there = list(files)
        names |= {f"{place}/{name}": folder / name for name in there}
    kept.keep_only({name.removeprefix(f"{place}/") for name in names})
    return names


def pages(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the page that lists all tables with links to their files."""
    there = sorted(name.removeprefix("tables/") for name in names)
    rows = [
        (_link(entry), escape(f"exactdice {entry.question}"), _files(entry, there))
        for entry in CATALOGUE
    ]
    listed = table(("table", "command", "files"), rows)
    yield (
        "tables/index.md",
        f"""# Tables

These are the {len(CATALOGUE)} tables that `make tables` writes. Each opens as a page with sortable
columns and a search box. JSON and CSV keep fractions exactly. If a report has several tables, there
is one CSV file for each, NAME-TABLE. [Loading tables](../how-to/dataframes.md) explains how to read
the files.

```{{html-table}}
{listed}
```
""",
    )


def _link(entry: Entry) -> str:
    return f'<a href="{entry.name}.html">{entry.name}</a>'


def _files(entry: Entry, there: Iterable[str]) -> str:
    mine = [name for name in there if _owner(name) is entry and not name.endswith(".html")]
    return " ".join(
        f'<a href="{name}">{escape(name.removeprefix(entry.name).lstrip("-."))}</a>'
        for name in mine
    )


def _owner(name: str) -> Entry | None:
    """Return the table of a file: the one with the longest name that the file name begins with."""
    owners = [entry for entry in CATALOGUE if entry.may_have(name)]
    return max(owners, key=lambda entry: len(entry.name), default=None)
