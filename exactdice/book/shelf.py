"""Presentation of the games: other names, rules in a few lines, forms for states.

The data are in ``shelf.toml``, which explains its entries; a game may have none. The cells of its
pictures are in ``pictures.csv``, which ``tools/pictures.py`` computes.
"""

import csv
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from exactdice.arithmetic import rational
from exactdice.book import PAGES, Page
from exactdice.enclosure import Enclosure


@cache
def shelf() -> Mapping[str, Mapping[str, Any]]:
    """Return the entries by name, in the order of the book."""
    entries = tomllib.loads(files("exactdice.book").joinpath("shelf.toml").read_text("utf-8"))
    return {name: entries.get(name, {}) for name in PAGES}


def key(name: str) -> str:
    """Return a name without capitals, signs and "the", as in `names`."""
    plain = name.lower().replace("ü", "u").replace("'s ", "s ")
    return re.sub(r"[^a-z0-9]|^the ", "", plain)


@cache
def names() -> Mapping[str, tuple[str, ...]]:
    """Return the arguments of ``exactdice book`` by the `key` of every name of a game."""
    known: dict[str, tuple[str, ...]] = {key(name): (name,) for name in PAGES}
    for name, entry in shelf().items():
        for other in entry.get("also", ()):
            other, _, variant = other.partition("=")
            known[key(other)] = (name, "--variant", variant) if variant else (name,)
    return known


@cache
def _answers() -> Mapping[tuple[str, str, str], Enclosure]:
    with files("exactdice.book").joinpath("answers.csv").open(encoding="utf-8") as lines:
        return {(row["game"], row["variant"], row["rules"]):
                Enclosure(rational(row["lower"]), rational(row["upper"]))
                for row in csv.DictReader(lines)}  # fmt: skip


@cache
def _tables() -> Mapping[tuple[str, ...], list[list[str]]]:
    kept: dict[tuple[str, ...], list[list[str]]] = {}
    with files("exactdice.book").joinpath("pictures.csv").open(encoding="utf-8") as lines:
        for game, variant, number, *row in csv.reader(lines):
            kept.setdefault((game, variant, number), []).append(row)
    return kept


def pictures(name: str, variant: str) -> list[tuple[Mapping[str, Any], list[list[str]]]]:
    """Return the declared pictures of a variant with their tables.

    The first row of a table has the places of columns, and each other row its place before its
    cells; a place is a value, or LABEL=VALUE.
    """
    declared = enumerate(shelf()[name].get("pictures", ()))
    found = [(picture, _tables().get((name, variant, str(n)), [])) for n, picture in declared]
    return [(picture, table) for picture, table in found if table]


def stored(page: Page, name: str) -> Enclosure | None:
    """Return the stored answer of a variant, unless its rules have changed or it has none."""
    return _answers().get((page.name, name, page.variants[name].rules))
