"""Claims read from the table of a game: what they say is data, and only what finds it is code.

A table is a file in TOML. ``[risk.table]`` begins the claim of that id, and below it stand the
fields of `Claim` that have something to say; texts may be broken into lines anywhere. What stands
before the first claim holds of every claim that does not say otherwise.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from exactdice.claims.model import Claim, Content, Finding
from exactdice.errors import InputError, Unquoted

_NEEDED = {"statement", "source", "domain", "method"}
_FIELDS = Claim.__dataclass_fields__.keys() - {"id", "title", "find"}


def read_claims(
    table: Path, title: str, finders: Mapping[str, Callable[[], Finding]]
) -> tuple[Claim, ...]:
    """Read the claims of a table, and bind what computes their findings to them by their ids.

    Sentences call the game by the title.

    >>> from exactdice.studies.risk.claims import CLAIMS  # made by it
    >>> CLAIMS[0].id, CLAIMS[0].source, CLAIMS[0].find().evidence["attacker_loses"]
    ('risk.one-against-one', 'the Risk post', 21)
    """
    try:
        content = tomllib.loads(table.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise InputError(table.name, Unquoted(problem), "claims written in TOML") from problem
    shared = {name: value for name, value in content.items() if not isinstance(value, dict)}
    claims = {
        f"{game}.{name}": row
        for game, rows in content.items()
        if isinstance(rows, dict)
        for name, row in rows.items()
    }
    if strangers := finders.keys() - claims.keys():
        raise InputError("finders", min(strangers), f"ids of claims in {table.name}")
    return tuple(
        Claim(id=name, title=title, find=find, **_fields(name, shared, row, find))
        for name, row in claims.items()
        for find in [finders.get(name)]
    )


def _fields(
    name: str, shared: Mapping[str, Content], row: Content, find: Callable[[], Finding] | None
) -> dict[str, Content]:
    if not isinstance(row, dict):
        raise InputError(name, row, "the fields of a claim below its id, [game.name]")
    fields = {**shared, **row}
    if strange := (fields.keys() - _FIELDS) | (_NEEDED - fields.keys()):
        wanted = f"{', '.join(sorted(_NEEDED))}, and of the others {', '.join(sorted(_FIELDS))}"
        raise InputError(name, min(strange), wanted)
    if bool(find) != ("kind" in fields):
        raise InputError(name, fields.get("kind"), "both a kind and a finder, or neither")
    return {field: _said(value) for field, value in fields.items()}


def _said(value: Content) -> Content:
    if isinstance(value, str):
        return " ".join(value.split())
    return tuple(value) if isinstance(value, list) else value
