"""The pages of games of the book: the value, the rules, the best choice where you are, a picture.

``book/shelf.toml`` declares the fields of a board, which make a state, and the coordinates of the
picture. A stored answer needs no computation; a choice and another picture are solved on request.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from exactdice.arithmetic import mpq, rational, significant
from exactdice.book import PAGES
from exactdice.book.page import Variant, big_number, said_of
from exactdice.book.shelf import WHOLE, in_words, pictures, shelf, stored
from exactdice.enclosure import Enclosure, amount, percent
from exactdice.errors import InputError, one_named
from exactdice.models import Game
from exactdice.question import Question
from exactdice.report.eyes import Headline
from exactdice.report.model import Report
from exactdice.web.desk import Job
from exactdice.web.play.model import asked, played, value_in
from exactdice.web.views import asked_by, given_in, problem_answer, waiting
from exactdice.web.workers import Problem

_PATIENCE = 30  # seconds that a download waits
_LONG = 24  # characters of a number that are shown at once
_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


@cache
def cards() -> tuple[dict[str, Any], ...]:
    """Return what a card of each game shows on the first page."""
    made = []
    for name, entry in shelf().items():
        page, variant = PAGES[name], PAGES[name].variant()
        value = stored(page, next(iter(page.variants)))
        made.append({"address": entry.get("page", f"/games/{name}"), "title": page.title,
                     "icon": entry.get("icon", "?").split(),
                     "asks": f"{page.asks}; {variant.rules}",
                     "big": value and big_number(variant, page.asks, value)})  # fmt: skip
    return tuple(made)


def board_of(
    given: Mapping[str, Any], declared: Mapping[str, Any], variant: str
) -> list[dict[str, Any]]:
    """Return the fields of a board with the values of a request, or their first values."""
    starts = declared.get("starts", {}).items()
    own: dict[str, Any] = next((one for begin, one in starts if variant.startswith(begin)), {})
    fields = []
    for name, label, kind, first in declared["fields"]:
        first = own.get(name, first)
        of = first if isinstance(first, list) else []
        words = {one.rpartition("=")[2]: one.partition("=")[0] for one in of}
        usual = [*words] if kind == "tiles" else [next(iter(words), first)]
        value = given.get(name, [] if kind == "tiles" and "look" in given else usual)
        fields.append({"name": name, "label": label, "kind": kind, "of": words, "value": value})
    return fields


def state_of(declared: Mapping[str, Any], fields: list[dict[str, Any]]) -> str:
    """Return a state in the form of a policy; raises InputError for an unreadable field."""
    return str(declared["state"].format(**{field["name"]: _written(**field) for field in fields}))


def _written(name: str, label: str, kind: str, of: Mapping[str, str], value: list[str]) -> str:
    text = " ".join(value).replace("−", "-").strip()
    if kind in ("word", "tiles"):
        chosen = [one for one in of if one in value]
        if len(chosen) != len(value) or (kind == "word" and len(chosen) != 1):
            raise InputError(name, text, f"one of {', '.join(of.values())}")
        if kind == "word":
            return chosen[0]
        return repr(tuple(int(one) if one.isdecimal() else one for one in chosen))
    numbers = list(map(int, WHOLE.findall(text if kind != "faces" else " ".join(text))))
    if re.sub(r"[-\d,\s]", "", text) or (kind == "number" and len(numbers) != 1):
        raise InputError(name, text, "whole numbers" if kind != "number" else "a whole number")
    if kind == "number":
        return str(numbers[0])
    if kind == "pairs":
        if len(numbers) % 2:
            raise InputError(name, text, "pairs of whole numbers")
        return repr(tuple(zip(numbers[::2], numbers[1::2], strict=True)))
    return repr(tuple(numbers if kind == "places" else sorted(numbers, reverse=kind == "falling")))


async def show_game(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in PAGES:
        raise HTTPException(404)
    page, entry = PAGES[name], shelf()[name]
    first = next(iter(page.variants))
    chosen = value_in(request, "variant", first)
    variant = page.variants.get(chosen, page.variants[first])
    asks, board, fields, is_asked = variant.asks or page.asks, entry.get("board", {}), [], False
    if board and chosen.startswith(tuple(board["variants"])):
        fields = board_of(given_in(request), board, chosen)
        is_asked = "look" in given_in(request)
    value = stored(page, chosen) if chosen in page.variants else None

    def ask() -> list[Question]:
        one_named(page.variants, chosen, "variant")
        rules = {"name": name, "variant": chosen}
        questions = [] if value is not None else [asked("book", **rules)]
        if is_asked:
            questions.append(asked("book", **rules, state=state_of(board, fields)))
        return questions

    def show(*reports: Report) -> dict[str, Any]:
        left = iter(reports)
        known = _value(next(left)) if value is None else value
        advice = _advised(variant, asks, board, next(left)) if is_asked else None
        return {"headline": Headline(*said_of(page, variant, asks, known)),
                "advice": advice, "pictures": _pictures(name, chosen, fields),
                "printed": [(each, each.verdict(known), _near(each.number))
                            for each in variant.numbers]}  # fmt: skip

    labels = {field["name"]: field["label"] for field in fields}
    return await played(request, "game.html", ask, show, labels, game=page, entry=entry,
                        chosen=chosen, variant=variant, board=fields, wins=variant.wins,
                        checker=_checker(variant, chosen))  # fmt: skip


def _near(printed: str) -> str:
    """Return a long published number to six digits, a short one as it is."""
    return printed if len(printed) <= _LONG else f"≈ {significant(rational(printed), 6)}"


def _checker(variant: Variant, name: str) -> str:
    """Return the program in ``proofs`` that checks the certificate of a variant, if it has one."""
    if variant.solve:
        return f"sheet_check.py {name}" if "certificate" in variant.solve_writes else ""
    is_open = isinstance(variant.game(), Game)
    return "certificate_check.py" if is_open else "equilibrium_check.py"


def proof_of(_report: Report, name: str, variant: str) -> str:
    proof: Any = PAGES[name].variants[variant].answer().proof
    return str(proof())


async def certificate_of(request: Request) -> Response:
    """Send the certificate of a variant that is solved in a second, as a file."""
    name, chosen = request.path_params["name"], value_in(request, "variant")
    variant = PAGES[name].variants.get(chosen) if name in PAGES else None
    if variant is None or variant.takes != "a second" or not _checker(variant, chosen):
        raise HTTPException(404)
    question, address = asked("book", name=name, variant=chosen), str(request.url.path)
    made = await asked_by(request, question, (proof_of, name, chosen), address, _PATIENCE)
    if isinstance(made, Problem):
        return problem_answer(request, made)
    if isinstance(made, Job):
        return waiting(request, made, as_json=True)
    headers = {"content-disposition": f'attachment; filename="{name}-{chosen}.txt"'}
    return PlainTextResponse(made, headers=headers)


def _value(report: Report) -> Enclosure:
    value: Any = report.value("value")
    return Enclosure.of(value)


def _advised(variant: Variant, asks: str, board: Any, advice: Report) -> dict[str, Any]:
    """Return the choices, best first; with mixed strategies, most likely first."""
    cost = percent if variant.wins or "probability" in asks else amount
    rows, big, is_mixed = list[Any](), big_number(variant, asks, _value(advice)), False
    cells: Any
    for table in advice.tables[:1]:
        names = [column.name for column in table.columns]
        for cells in table.rows:
            row: dict[str, Any] = dict(zip(names, cells, strict=True))
            chance = row.get("probability", row.get("chance"))
            lost = Enclosure.of(row.get("regret", row.get("loss", 0)))
            is_mixed = "probability" in row or "chance" in row
            if row.get("player", 1) == 1:
                words = in_words(board, str(row["action"]))
                rows.append((words, cost(lost, 2) if lost.lower else "0",
                             bool(chance) if is_mixed else not lost.lower, chance))  # fmt: skip
    if is_mixed:
        rows.sort(key=lambda row: -(row[3] or 0))
    return {"value": big, "is_mixed": is_mixed,
            "rows": [(*row[:3], percent(row[3] or 0, 1)) for row in rows]}  # fmt: skip


def _pictures(name: str, variant: str, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the pictures of a variant: lists, or tables shaded by numbers or words."""
    made = []
    for picture, ((_, *columns), *table) in pictures(name, variant):
        words = [cell for _, *line in table for cell in line if cell not in ("-", "", "·")]
        shades, address = _shades(words), partial(_address, picture, name, variant, fields)
        rows = [
            (x.partition("=")[0], [
                {"words": cell if cell != "-" else "", "shade": shades.get(cell, ""),
                 "address": address(x.rpartition("=")[2], y.rpartition("=")[2], cell)}
                for y, cell in zip(columns, line, strict=True)])
            for x, *line in table
        ]  # fmt: skip
        made.append({"names": picture["names"], "rows": rows,
                     "is_wide": any(len(word) > 3 for word in words),
                     "columns": [y.partition("=")[0] for y in columns if y]})  # fmt: skip
    return made


def _shades(words: list[str]) -> dict[str, str]:
    """Return classes of cells: by numbers, by words, or by how many words there are."""
    kinds = [*dict.fromkeys(words)]
    if not all(map(_DECIMAL.fullmatch, kinds)):
        return {cell: f"c{n if len(kinds) < 7 else len(cell.split()) % 6}"
                for n, cell in enumerate(kinds)}  # fmt: skip
    numbers = {cell: mpq(cell) for cell in kinds}
    low, high = min(numbers.values(), default=mpq(0)), max(numbers.values(), default=mpq(1))
    return {cell: f"s{int((number - low) * 20 / max(high - low, mpq(1, 100)))}"
            for cell, number in numbers.items()}  # fmt: skip


def _address(
    picture: Mapping[str, Any], name: str, variant: str, fields: Any, x: str, y: str, cell: str
) -> str:
    filled = {"x": x, "y": y, "cell": cell if cell.isdecimal() else "0"}
    if "to" in picture or picture.get("of") == "variants":
        return str(picture.get("to", f"/games/{name}?variant={{x}}").format(**filled))
    if not fields:
        return ""
    at = {field: value.format(**filled) for field, value in picture["at"].items()}
    query: list[Any] = [("variant", variant), ("look", "1")]
    for field in fields:
        value = at.get(field["name"])
        tiles = value.split() if value and field["kind"] == "tiles" else [value]
        query += [(field["name"], one) for one in (field["value"] if value is None else tiles)]
    return f"/games/{name}?{'&'.join(_encoded(*pair) for pair in query)}#board"


@lru_cache(maxsize=4096)  # a picture repeats its numbers in hundreds of addresses
def _encoded(name: str, value: str) -> str:
    return urlencode([(name, value)])
