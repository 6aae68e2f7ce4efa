"""Every table of the main job: a page to sort and search, and the files to download.

The files are those of `exactdice project tables`, kept in a folder that knows by what they
were made.
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
    """Make the files of every table; name in the site below a place, and where each is."""
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
    """Yield the one page, which lists all tables with links to the files that were made."""
    there = sorted(name.removeprefix("tables/") for name in names)
    rows = [
        (_link(entry), escape(f"exactdice {entry.question}"), _files(entry, there))
        for entry in CATALOGUE
    ]
    listed = table(("table", "command", "files"), rows)
    yield (
        "tables/index.md",
        f"""# Tables

The {len(CATALOGUE)} tables that `make tables` writes. Each opens as a page of its own, whose
columns are sorted when their heading is activated and whose rows can be searched. JSON holds every
rational whole, and so does CSV, which is beside it under the same name, or under NAME-TABLE where a
report has several tables; [loading them](../how-to/dataframes.md) says how to read them.

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
    """The table that a file belongs to: of those whose name it begins with, the longest."""
    owners = [entry for entry in CATALOGUE if entry.may_have(name)]
    return max(owners, key=lambda entry: len(entry.name), default=None)
