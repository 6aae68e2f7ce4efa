"""The pages of games of the book: the value, the rules, the best choice where you are, a picture.

``book/shelf.toml`` declares the fields of a board, which make a state, and the coordinates of the
picture. A stored answer needs no computation; a choice and another picture are solved on request.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from exactdice.book import PAGES
from exactdice.book.page import Variant
from exactdice.book.shelf import shelf, stored
from exactdice.enclosure import Enclosure, amount, exactly, percent, points
from exactdice.errors import InputError, one_named
from exactdice.models import Game
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.web.play.model import Headline, asked, played, value_in
from exactdice.web.views import given_in

_MOST_CELLS = 24  # of a picture, across and down
_WHOLE = re.compile(r"-?\d{1,6}")


def big_number(variant: Variant, asks: str, value: Enclosure) -> str:
    """Return the value as people read it: a probability in percent."""
    if 0 in value and value.point is None:
        return "≈ 0"
    return percent(value, 2) if variant.wins or "probability" in asks else points(value)


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


def board_of(request: Request, declared: Mapping[str, Any], initial: Any) -> list[dict[str, Any]]:
    """Return the fields of a board, filled in from a request or with their first values."""
    given, there, fields = given_in(request), {*_leaves(initial)}, []
    for name, label, kind, first in declared["fields"]:
        of = [one for one in first if one in there] or first if isinstance(first, list) else []
        value = of if kind == "tiles" else [of[0] if of else first]
        if "look" in given:
            value = given.get(name, [] if kind == "tiles" else value)
        fields.append({"name": name, "label": label, "kind": kind, "of": of, "value": value})
    return fields


def state_of(declared: Mapping[str, Any], fields: list[dict[str, Any]]) -> str:
    """Return a state in the form of a policy; raises InputError for an unreadable field."""
    return str(declared["state"].format(**{field["name"]: _written(**field) for field in fields}))


def _in_words(declared: Mapping[str, Any], action: str) -> str:
    numbers = _WHOLE.findall(action)
    if not action.startswith("(") or "does" not in declared:
        return action
    return str(declared["does"].format(*numbers, all=" ".join(numbers) or "nothing"))


def _leaves(state: Any) -> list[str]:
    nested = isinstance(state, tuple)
    return [leaf for part in state for leaf in _leaves(part)] if nested else [str(state)]


def _written(name: str, label: str, kind: str, of: list[str], value: list[str]) -> str:
    text = " ".join(value).replace("−", "-").strip()
    if kind in ("word", "tiles"):
        chosen = [one for one in of if one in value]
        if len(chosen) != len(value) or (kind == "word" and len(chosen) != 1):
            raise InputError(name, text, f"one of {', '.join(of)}")
        if kind == "word":
            return chosen[0]
        return repr(tuple(int(one) if one.isdecimal() else one for one in chosen))
    numbers = list(map(int, _WHOLE.findall(text if kind != "faces" else " ".join(text))))
    if re.sub(r"[-\d,\s]", "", text) or (kind == "number" and len(numbers) != 1):
        raise InputError(name, text, "whole numbers" if kind != "number" else "a whole number")
    if kind == "number":
        return str(numbers[0])
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
        fields = board_of(request, board, getattr(variant.game(), "initial", ()))
        is_asked = "look" in given_in(request)
    picture = entry.get("picture") if fields else None
    kept = picture.get("grid") if picture and chosen == first else None
    is_drawn = bool(picture and not kept and value_in(request, "picture"))
    value = stored(page, chosen) if chosen in page.variants else None

    def ask() -> list[Question]:
        one_named(page.variants, chosen, "variant")
        rules = {"name": name, "variant": chosen}
        questions = [] if value is not None else [asked("book", **rules)]
        if is_asked:
            questions.append(asked("book", **rules, state=state_of(board, fields)))
        if picture and is_drawn:
            questions.append(asked("book", **rules, x=picture["x"], y=picture["y"]))
        return questions

    def show(*reports: Report) -> dict[str, Any]:
        left = iter(reports)
        known = _value(next(left)) if value is None else value
        said = f"{asks}. {page.title}, {variant.rules}"
        advice = _advised(variant, asks, board, next(left)) if is_asked else None
        grid = _cells(next(left)) if is_drawn else _kept(kept or [])
        address = f"/games/{name}?variant={chosen}"
        return {"headline": Headline(big_number(variant, asks, known), said, exactly(known)),
                "advice": advice, "map": grid and _map(grid, address, entry),
                "printed": [(each.number, each.verdict(known), each.source)
                            for each in variant.numbers]}  # fmt: skip

    labels = {field["name"]: field["label"] for field in fields}
    return await played(request, "game.html", ask, show, labels, game=page, entry=entry,
                        chosen=chosen, variant=variant, board=fields, wins=variant.wins,
                        is_picture=picture and not kept,
                        checker=_checker(variant, chosen))  # fmt: skip


def _checker(variant: Variant, name: str) -> str:
    """Return the program in ``proofs`` that checks the certificate of a variant, if it has one."""
    if variant.solve:
        return f"sheet_check.py {name}" if "certificate" in variant.solve_writes else ""
    is_open = isinstance(variant.game(), Game)
    return "certificate_check.py" if is_open else "equilibrium_check.py"


def _value(report: Report) -> Enclosure:
    value: Any = report.value("value")
    return Enclosure.of(value)


def _advised(variant: Variant, asks: str, board: Any, advice: Report) -> dict[str, Any]:
    rows: list[Any] = [row for table in advice.tables for row in table.rows]
    cost = percent if variant.wins or "probability" in asks else amount
    choices = [(_in_words(board, str(row[0])), Enclosure.of(row[1])) for row in rows]
    return {"value": big_number(variant, asks, _value(advice)),
            "rows": [(does, cost(lost, 2) if lost.lower else "0", not lost.lower)
                     for does, lost in choices]}  # fmt: skip


def _cells(report: Report) -> dict[tuple[int, int], str]:
    rows: list[Any] = list(report.table("grid").rows)
    return {(x, y): str(actions if change is None else change) for x, y, actions, change in rows}


def _kept(rows: list[str]) -> dict[tuple[int, int], str]:  # of every fifth place
    cells = (
        (5 * x, 5 * y, cell) for x, row in enumerate(rows) for y, cell in enumerate(row.split())
    )
    return {(x, y): cell for x, y, cell in cells if cell != "-"}


def _map(cells: dict[tuple[int, int], str], address: str, entry: Mapping[str, Any]) -> Any:
    """Return a table of at most `_MOST_CELLS` rows and columns, shaded by its numbers."""
    picture, fields = entry["picture"], [field[0] for field in entry["board"]["fields"]]
    xs, ys = (_thinned({at[axis] for at in cells}) for axis in (0, 1))
    numbers = [int(cell) for cell in cells.values() if cell.isdecimal()]
    low, high = min(numbers, default=0), max(numbers, default=1)
    across, down = fields[picture["x"]], fields[picture["y"]]
    third = next(name for name in fields if name not in (across, down))

    def cell(x: int, y: int) -> dict[str, Any]:
        words = cells.get((x, y), "")
        number = int(words) if words.isdecimal() else None
        query = urlencode({"look": 1, across: x, down: y, third: number or 0})
        return {"words": words if number is not None or not words else "·",
                "shade": -1 if number is None else (number - low) * 20 // max(high - low, 1),
                "address": f"{address}&{query}#board"}  # fmt: skip

    rows = [(x, [cell(x, y) for y in ys]) for x in reversed(xs)]
    return {"rows": rows, "columns": ys, "names": picture["names"]}


def _thinned(places: set[int]) -> list[int]:
    step = -(-(max(places) + 1) // _MOST_CELLS)
    step = step if step < 3 else -(-step // 5) * 5
    return sorted(place for place in places if place % step == 0)
