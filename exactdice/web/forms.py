"""Questions as forms and addresses: a request of a browser becomes a question, and back.

The address of a question is ``/ask/ROOM/VERB?field=value&…``, with the field names of Python and
JSON and without defaults; several values of a field are separated by spaces, or each has the field
name. `canonical` returns the one address of a question. Empty fields, which browsers send with
forms, are ignored. An address without a query is the empty form; ``ask`` is in the query if all
fields have defaults. `address_for` reads the short notation of the search box.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from exactdice.book.shelf import shelf
from exactdice.errors import ConflictError, InputError, Unquoted, one_named
from exactdice.question import Question
from exactdice.question.domains import Flag, Listed, OneOf, Text, Whole
from exactdice.question.model import Parameter
from exactdice.rooms import ROOMS, classes, question, question_class
from exactdice.typed import words_of

_PERSON = "human"  # name of an interactive player
OTHERS = ("ask", "digits", "table")  # names in a query that are not fields


def is_offered(asked: type[Question]) -> bool:
    """Whether a question is available in a browser: without files, and not interactive."""
    if asked.has_files or any(p.domain.is_file and p.is_required for p in asked.parameters()):
        return False
    return not question(asked.example).is_interactive


@cache
def offered(room: str) -> tuple[type[Question], ...]:
    return tuple(asked for asked in classes(room) if is_offered(asked))


def heading_of(room: str) -> tuple[str, str]:
    """Return the name of a room and its description."""
    name, colon, about = ROOMS[room].description.partition(": ")
    return (name, about) if colon else (room.capitalize(), name)


def path_of(asked: type[Question]) -> str:
    return "/ask/" + "/".join(map(quote, asked.command.split()))


def query_of(asked: Question) -> list[tuple[str, str]]:
    pairs = []
    for parameter in asked.parameters():
        value = getattr(asked, parameter.field)
        if not (parameter.is_required or parameter.is_drawn) and value == parameter.default:
            continue
        several = value if parameter.is_many else (value,)
        pairs.append((parameter.field, " ".join(map(parameter.domain.write, several))))
    return pairs


def canonical(asked: Question, digits: int = 10, suffix: str = "") -> str:
    """Return the address of a question."""
    pairs = query_of(asked) + ([("digits", str(digits))] if digits != 10 else [])
    return f"{path_of(type(asked))}{suffix}?{urlencode(pairs or [('ask', 'all defaults')])}"


def question_from(asked: type[Question], query: Mapping[str, Sequence[str]]) -> Question:
    """Read a question from the fields of a query."""
    known = {p.field: p for p in asked.parameters() if not p.domain.is_file}
    fields: dict[str, Any] = {}
    for name, values in query.items():
        kept = [value for value in values if value.strip()]
        if name in OTHERS:
            continue
        parameter = one_named(known, name, "field")
        if kept:
            fields[name] = _value(parameter, kept)
    for parameter in known.values():
        if parameter.is_required and parameter.field not in fields:
            raise InputError(parameter.name, Unquoted("nothing"), parameter.help.rstrip("."))
    for parameter in known.values():  # nobody plays at the server
        if _is_played(parameter):
            fields.setdefault(parameter.field, example_of(asked)[parameter.field])
    made = asked(**fields)
    if made.is_interactive:
        raise ConflictError(asked.command, "is interactive with these fields; use the command line")
    return made


def _is_played(parameter: Parameter) -> bool:
    return isinstance(parameter.default, tuple) and _PERSON in parameter.default


def _value(parameter: Parameter, values: list[str]) -> Any:
    if not parameter.is_many and len(values) > 1:
        raise InputError(parameter.name, Unquoted(f"{len(values)} values"), "one")
    several = [word for value in values for word in value.split()] if parameter.is_many else values
    for value in several:
        if parameter.domain.names_file(value):
            raise InputError(parameter.name, value, "a value, not the name of a file")
    return several if parameter.is_many else several[0]


@dataclass(frozen=True)
class Field:
    name: str  # in the query
    label: str
    help: str
    hint: str  # bounds, default and an example
    kind: str  # ``text``, ``choice`` or ``flag``
    value: str
    words: tuple[str, ...]  # choices or suggestions
    numeric: bool  # whether a numeric keyboard suffices
    is_required: bool
    problem: str = ""  # error message about the value


def fields_of(
    asked: type[Question], query: Mapping[str, Sequence[str]], argument: str = "", problem: str = ""
) -> list[Field]:
    return [
        _field(p, " ".join(query.get(p.field, ())), example_of(asked).get(p.field, ""),
               problem if argument == p.name else "")
        for p in asked.parameters()
        if not p.domain.is_file
    ]  # fmt: skip


def example_of(asked: type[Question]) -> dict[str, str]:
    return _example(asked.example)


@cache
def _example(command: str) -> dict[str, str]:
    return dict(query_of(question(command)))


def _field(parameter: Parameter, value: str, example: str, problem: str) -> Field:
    domain = parameter.domain
    default = example if _is_played(parameter) else ""
    if not (default or parameter.is_flag or parameter.is_drawn or parameter.default in (None, ())):
        several = parameter.default if parameter.is_many else (parameter.default,)
        default = " ".join(map(domain.write, several))
    kind = "text"
    if isinstance(domain, Flag):
        kind = "flag"
    elif isinstance(domain, OneOf) or (type(domain) is Text and domain.words):
        kind = "choice"
    if kind == "choice" and not parameter.is_many:
        value = value or default
    return Field(name=parameter.field, label=parameter.name.replace("-", " "),
                 help=parameter.help, hint="; ".join(_hints(parameter, kind, default, example)),
                 kind="text" if parameter.is_many else kind, value=value,
                 words=tuple(map(str, domain.words)),
                 numeric=isinstance(domain, Whole) and not parameter.is_many,
                 is_required=parameter.is_required, problem=problem)  # fmt: skip


def _hints(parameter: Parameter, kind: str, default: str, example: str) -> Iterator[str]:
    if kind == "flag":
        return
    if bounds := parameter.domain.describe():
        yield bounds.replace(f", {_PERSON}", "")
    if parameter.is_many:
        yield "several, separated by spaces"
    elif isinstance(parameter.domain, Listed):
        yield f"format: {parameter.domain.metavar}"
    if parameter.is_drawn:
        yield "random if empty"
    elif default:
        yield f"default: {default}"
    if example and example != default:
        yield f"for example {example}"


def find(path: str) -> type[Question] | None:
    """Return the available question with the address ``/ask/`` and that path, or None."""
    room = path.split("/")[0]
    if room not in ROOMS:
        return None
    try:
        asked = question_class(path.replace("/", " "))
    except InputError:
        return None
    return asked if is_offered(asked) else None


def address_for(text: str) -> str:
    """Return the page that answers a text, or an empty text."""
    if (plain := text.lower().removeprefix("play ").strip()) in ("dice", "anydice"):
        return f"/play/{plain}"
    match words_of(text):
        case ["anydice", program]:
            return _address("anydice", program=program)
        case ["risk", _, attackers, first, *later]:
            then = {"then": " ".join(later)} if later else {}
            return _address("risk", attackers=attackers, defenders=first, **then)
        case ["farkle", "advise", _, roll, *left]:
            hand = {"left": str(len(roll) // 2 + 1)} if left else {}
            return _address("farkle", roll=roll, **hand)
        case ["reroll", *_]:
            return _address("reroll", roll="".join(re.findall(r"\d", text)))
        case ["book", name, *variant]:
            query = f"?{urlencode({'variant': variant[1]})}" if variant else ""
            return str(shelf()[name].get("page") or f"/games/{name}{query}")
        case ["dice", _, expression]:
            rolls = rolls_in(" ".join(expression.split()))
            if len(rolls) <= 2:
                other = {"other": rolls[1]} if len(rolls) > 1 else {}
                return _address("dice", expression=rolls[0], **other)
            return canonical(question(shlex.join(["dice", "compare", expression])))
    return ""


def rolls_in(text: str) -> list[str]:
    domain = question_class("dice compare").parameters()[0].domain
    return domain.apart(text)  # type: ignore[attr-defined, no-any-return] # of Expressions


def _address(path: str, **fields: str) -> str:
    return f"/play/{path}?{urlencode(fields)}"
