"""A page for each game of the book: its values, then verdicts, then the rules.

Quick variants are solved when the manual is built. The answers of the others are stored in
``answers.csv`` of the book, in the format of the index of ``exactdice project tables --book``. A
stored answer is omitted if the rules of its variant have changed.
"""

import csv
import re
import sys
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from html import escape
from importlib.resources import files
from pathlib import Path

from exactdice import book
from exactdice.arithmetic import rational
from exactdice.book import PAGES, Page
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.jobs.catalogue import BOOK
from exactdice.report.readers import read_json
from exactdice.rooms import question
from exactdice_docs import tables
from exactdice_docs.browser import table

__all__ = ["made", "pages", "played"]

_STORED = files("exactdice.book").joinpath("answers.csv")
_QUICK = [entry for entry in BOOK if book.load(*entry.name.split("/")).takes == "a second"]
_DIGITS = 10

Told = Mapping[str, tuple[str, str]]  # value and verdict by variant, GAME/NAME


def made(folder: Path) -> dict[str, Path]:
    """Make the files of every quick variant; return their paths by name in the site."""
    return tables.made(folder, _QUICK, "book")


def pages(names: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yield name and text of every page, the index first."""
    told = _stored() | {
        entry.name: _told(names[f"book/{entry.name}.json"])
        for entry in _QUICK
        if f"book/{entry.name}.json" in names
    }
    yield "book/index.md", _index(told)
    for page in PAGES.values():
        yield f"book/{page.name}.md", "\n".join(_lines(page, told, names)) + "\n"


def _told(path: Path) -> tuple[str, str]:
    report = read_json(path.read_text(encoding="utf-8"))
    value = Enclosure.of(report.value("value"))  # type: ignore[arg-type]
    return _value(value), str(report.value("verdict"))


def _stored() -> dict[str, tuple[str, str]]:
    with _STORED.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    known = {entry.name for entry in BOOK}
    return {
        name: (_value(Enclosure(rational(row["lower"]), rational(row["upper"]))), row["verdict"])
        for row in rows
        if (name := f"{row['game']}/{row['variant']}") in known
        and book.load(row["game"], row["variant"]).rules == row["rules"]
    }


def _value(value: Enclosure) -> str:
    if value.point is not None and len(str(value.point)) <= 24:
        whole = value.point.denominator == 1
        return str(value.point) if whole else f"{value.decimal(_DIGITS)} = {value.point}"
    return value.decimal(_DIGITS)


def _cell(answer: str) -> str:
    """Write an answer as HTML without line breaks in its decimal."""
    number, *others = answer.split(" ", 1)
    return " ".join([f'<span class="number">{escape(number)}</span>', *map(escape, others)])


def _shortened(verdict: str) -> str:
    """Shorten long fractions, which the page of the game shows completely."""
    return re.sub(r"\b(\d{8})\d{9,}(\d{6})\b", r"\1…\2", verdict)


def _index(told: Told) -> str:
    rows = []
    for page in PAGES.values():
        first = next(iter(page.variants))
        value, verdict = told.get(f"{page.name}/{first}", ("", ""))
        link = f'<a href="{page.name}.html">{escape(page.title)}</a>'
        rows.append((link, _cell(value), escape(page.asks), escape(_shortened(verdict))))
    listed = table(("game", "value", "meaning of the value", "published values"), rows)
    names = "\n".join(PAGES)
    return f"""# The book of dice

Famous games with their values, and a verdict on published numbers. The value is that of the first
variant. [How to look up a game](../how-to/book.md) explains the options.

```{{html-table}}
{listed}
```

```{{toctree}}
:hidden:

{names}
```
"""


def _lines(page: Page, told: Told, made_files: Container[str]) -> Iterator[str]:
    yield f"# {page.title}"
    yield ""
    first = next(iter(page.variants))
    if value := told.get(f"{page.name}/{first}"):
        yield f"**{value[0]}**: {page.asks}; {page.variant().rules}."
        yield ""
    yield f"Players: {page.players}. Select a variant by its name:"
    yield f"`exactdice book {page.name} --variant {first}`."
    yield ""
    rows = []
    for name, variant in page.variants.items():
        answer, verdict = told.get(f"{page.name}/{name}", (f"takes {variant.takes}", ""))
        rules = ": ".join(filter(None, (variant.rules, variant.asks)))
        address, shown = f"{page.name}/{name}.html", f"<code>{name}</code>"
        if f"book/{address}" in made_files:
            shown = f'<a href="{address}">{shown}</a>'
        rows.append((shown, escape(rules), _cell(answer), escape(_shortened(verdict))))
    yield "```{html-table}"
    yield table(("variant", "rules", "value", "published values"), rows)
    yield "```"
    yield ""
    printed = [
        (name, each.number, each.source)
        for name, variant in page.variants.items()
        for each in variant.numbers
    ]
    if printed:
        yield "## Published values"
        yield ""
        yield "```{html-table}"
        cells = [tuple(map(escape, row)) for row in printed]
        yield table(("variant", "number", "source"), cells)
        yield "```"
        yield ""
    yield "## Rules"
    yield ""
    yield "```{eval-rst}"
    yield _rules(page)
    yield "```"
    if command := next(played(page), ""):
        yield from ("", "## Play it", "", "```sh", f"exactdice {command}", "```")


def played(page: Page) -> Iterator[str]:
    """Yield a command for each variant that can be played."""
    for name in page.variants:
        command = f"book {page.name} --variant {name} --play 1"
        with suppress(InputError):
            question(command)
            yield command


def _rules(page: Page) -> str:
    """Return the docstring of the module of a page."""
    named = (module for name, module in sys.modules.items() if name.startswith("exactdice.book."))
    held = ((module, value) for module in named for value in vars(module).values())
    is_it = (m for m, value in held if isinstance(value, Page) and value.name == page.name)
    return str(next(is_it).__doc__)
