"""Every table of the main job: a page to sort and search, and the files to download.

The files are those of `exactdice tables`, kept in a folder that knows what they were made by.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from exactdice.jobs.catalogue import CATALOGUE, Entry
from exactdice.report.readers import read_json
from exactdice.report.writers import Format, render
from exactdice.storage import OutputFolder, source_identity
from exactdice_docs.browser import table

__all__ = ["made", "pages"]

_DIGITS = 10


def made(folder: Path) -> dict[str, Path]:
    """Make the files of every table; name in the site, and where each is."""
    kept = OutputFolder(folder)
    source = source_identity()
    names: dict[str, Path] = {}
    kept.keep_only({name for entry in CATALOGUE for name in _names(entry)})
    for entry in CATALOGUE:
        made_by = f"{entry.question}, {source}" if source else ""
        if not all(kept.is_current(name, made_by) for name in _names(entry)):
            files = dict(entry.files(_DIGITS))
            report = read_json(files[entry.name + Format.JSON.suffix])
            page = render(report, Format.HTML, _DIGITS)
            kept.write(files | {f"{entry.name}.html": page}, made_by)
        names |= {f"tables/{name}": folder / name for name in _names(entry)}
    return names


def _names(entry: Entry) -> tuple[str, ...]:
    return (*entry.file_names, f"{entry.name}{Format.HTML.suffix}")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the one page, which lists all tables."""
    rows = [
        (_link(entry), escape(f"exactdice {entry.question}"), _files(entry)) for entry in CATALOGUE
    ]
    listed = table(("table", "command", "files"), rows)
    yield (
        "tables/index.md",
        f"""# Tables

The {len(CATALOGUE)} tables that `make tables` writes. Each opens as a page of its own, whose
columns are sorted when their heading is activated and whose rows can be searched. CSV and JSON hold
every rational whole; [loading them](../how-to/dataframes.md) says how to read them.

```{{html-table}}
{listed}
```
""",
    )


def _link(entry: Entry) -> str:
    return f'<a href="{entry.name}.html">{entry.name}</a>'


def _files(entry: Entry) -> str:
    return " ".join(f'<a href="{name}">{name.rpartition(".")[2]}</a>' for name in entry.file_names)
