"""Presentation of the games: other names, rules in a few lines, forms for states.

The data are in ``shelf.toml``, which explains its entries; a game may have none. The cells of its
pictures are in ``pictures.csv``, which ``tools/pictures.py`` computes.
"""

import csv
import re
import tomllib
from ast import literal_eval
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from exactdice.arithmetic import rational
from exactdice.book import PAGES, Page
from exactdice.enclosure import Enclosure

WHOLE = re.compile(r"-?\d{1,6}")


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


def in_words(declared: Mapping[str, Any], action: str) -> str:
    """Write an action as a board declares it, by its numbers."""
    numbers = WHOLE.findall(action)
    if "acts" in declared and action.isdecimal():
        return f"announce {declared['acts'][int(action)]}"
    if not (action.startswith("(") or action.isdecimal()) or "does" not in declared:
        return action
    return str(declared["does"].format(*numbers, all=" ".join(numbers) or "nothing"))


def choices_in_words(declared: Mapping[str, Any], text: str) -> str:
    """Write first choices, "STATE: ACTION; …", by the only number in which the states differ."""
    pairs = [each.rpartition(": ")[::2] for each in text.split("; ")]
    states = [literal_eval(state) for state, _ in pairs if state]
    fields = re.findall(r"{(\w+)}", declared["state"])
    if " with " in text or any(not isinstance(s, tuple) or len(s) != len(fields) for s in states):
        return text
    varied = [n for n in range(len(fields)) if len({state[n] for state in states}) > 1]
    if len(varied) != 1 or not all(isinstance(state[varied[0]], int) for state in states):
        return text
    [label] = [label for name, label, *_ in declared["fields"] if name == fields[varied[0]]]
    numbers = [f"{state[varied[0]]}: " for state in states] + [""] * (len(pairs) - len(states))
    does = [" or ".join(in_words(declared, one) for one in do.split(" | ")) for _, do in pairs]
    said = [f"{number}{what}" for number, what in zip(numbers, does, strict=True)]
    return f"{label.partition(';')[0]} {'; '.join(said)}"
