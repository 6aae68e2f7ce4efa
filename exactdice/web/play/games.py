"""The pages of games of the book: the value, the rules, the best choice where you are, a picture.

``book/shelf.toml`` declares what a page shows: the fields of its board, from which a state is
written, and the coordinates of its picture. A stored answer is shown at once; a choice or another
picture is solved when it is asked for. Addresses contain the fields.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from exactdice.book import PAGES, Page
from exactdice.book.page import Variant
from exactdice.book.shelf import shelf, stored
from exactdice.enclosure import Enclosure, amount, exactly, percent, points
from exactdice.errors import InputError, one_named
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.web.play.model import Headline, asked, played, value_in
from exactdice.web.views import given_in

_MOST_CELLS = 24  # of a picture, across and down
_WHOLE = re.compile(r"-?\d{1,6}")


def big_number(variant: Variant, asks: str, value: Enclosure) -> str:
    """Return the value as people read it: a probability in percent.

    >>> from exactdice.enclosure import exactly
    >>> big_number(PAGES["craps"].variant(), PAGES["craps"].asks, Enclosure.of(0))
    '0 %'
    """
    if 0 in value and value.point is None:
        return "≈ 0"
    return percent(value, 2) if variant.wins or "probability" in asks else points(value)


def cards() -> Iterator[dict[str, Any]]:
    """Yield what a card of each game shows on the first page."""
    for name, entry in shelf().items():
        page = PAGES[name]
        first, variant = next(iter(page.variants.items()))
        value = stored(page, first)
        yield {"address": entry.get("page", f"/games/{name}"), "title": page.title,
               "icon": entry.get("icon", "?").split(),
               "asks": f"{page.asks}; {variant.rules}",
               "big": "" if value is None else big_number(variant, page.asks, value)}  # fmt: skip


class Board:
    """The form of a state: its fields, filled in from a request or with their first values."""

    def __init__(self, request: Request, declared: Mapping[str, Any], initial: Any) -> None:
        self._declared = declared
        given = given_in(request)
        self.is_asked = "look" in given
        there = set(_leaves(initial))
        self.fields = []
        for name, label, kind, first in declared["fields"]:
            several = isinstance(first, list)
            of = [one for one in first if one in there] or first if several else []
            usual = of if kind == "tiles" else [of[0] if several else first]
            chosen = given.get(name, [] if kind == "tiles" else usual) if self.is_asked else usual
            self.fields.append(
                {"name": name, "label": label, "kind": kind, "of": of, "value": chosen}
            )

    def state(self) -> str:
        """Return the state in the form of a policy; raises InputError for an unreadable field."""
        written = {field["name"]: _written(**field) for field in self.fields}
        return str(self._declared["state"].format(**written))

    def action(self, action: str) -> str:
        """Return an action in words.

        >>> board = object.__new__(Board)
        >>> board._declared = {"does": "shut {all}"}
        >>> board.action("(1, 8)"), board.action("roll")
        ('shut 1 8', 'roll')
        """
        numbers = _WHOLE.findall(action)
        if not action.startswith("(") or "does" not in self._declared:
            return action
        return str(self._declared["does"].format(*numbers, all=" ".join(numbers) or "nothing"))


def _leaves(state: Any) -> Iterator[str]:
    if isinstance(state, tuple):
        for part in state:
            yield from _leaves(part)
    else:
        yield str(state)


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
    asks = variant.asks or page.asks
    board = None
    if chosen.startswith(tuple(entry.get("board", {}).get("variants", ["?"]))):
        board = Board(request, entry["board"], getattr(variant.game(), "initial", ()))
    picture = entry.get("picture") if board else None
    kept = picture["grid"] if picture and chosen == first and "grid" in picture else None
    is_drawn = picture is not None and kept is None and value_in(request, "picture") != ""
    value = stored(page, chosen) if chosen in page.variants else None

    def ask() -> list[Question]:
        one_named(page.variants, chosen, "variant")
        fields = {"name": name, "variant": chosen}
        questions = [] if value is not None else [asked("book", **fields)]
        if board and board.is_asked:
            questions.append(asked("book", **fields, state=board.state()))
        if is_drawn and picture:
            questions.append(asked("book", **fields, x=picture["x"], y=picture["y"]))
        return questions

    def show(*reports: Report) -> dict[str, Any]:
        left = iter(reports)
        known = _value(next(left)) if value is None else value
        said = f"{asks}. {page.title}, {variant.rules}"
        headline = Headline(big_number(variant, asks, known), said, exactly(known))
        advice = next(left) if board and board.is_asked else None
        grid = _cells(next(left)) if is_drawn else _kept(kept) if kept else {}
        return {"headline": headline, "advice": advice and _advised(variant, asks, board, advice),
                "map": _map(grid, page, chosen, entry) if grid else None,
                "printed": [(each.number, each.verdict(known), each.source)
                            for each in variant.numbers]}  # fmt: skip

    cite = _citation(request, page, chosen, variant)
    labels = {field["name"]: field["label"] for field in board.fields} if board else {}
    return await played(request, "game.html", ask, show, labels | {"state": "Board"}, game=page,
                        entry=entry, chosen=chosen, variant=variant, board=board, cite=cite,
                        is_picture=picture and not kept, wins=variant.wins)  # fmt: skip


def _value(report: Report) -> Enclosure:
    value: Any = report.value("value")
    return Enclosure.of(value)


def _advised(variant: Variant, asks: str, board: Any, advice: Report) -> dict[str, Any]:
    rows: list[Any] = [row for table in advice.tables for row in table.rows]
    is_chance = variant.wins or "probability" in asks

    def cost(regret: Enclosure) -> str:
        return "0" if not regret.lower else percent(regret, 2) if is_chance else amount(regret)

    choices = [(board.action(str(row[0])), Enclosure.of(row[1])) for row in rows]
    return {"value": big_number(variant, asks, _value(advice)),
            "rows": [(does, cost(lost), not lost.lower) for does, lost in choices]}  # fmt: skip


def _cells(report: Report) -> dict[tuple[int, int], str]:
    rows: list[Any] = list(report.table("grid").rows)
    return {(x, y): str(actions if change is None else change) for x, y, actions, change in rows}


def _kept(rows: list[str]) -> dict[tuple[int, int], str]:
    step = 5
    return {(step * x, step * y): cell for x, row in enumerate(rows)
            for y, cell in enumerate(row.split()) if cell != "-"}  # fmt: skip


def _map(
    cells: dict[tuple[int, int], str], page: Page, chosen: str, entry: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a table of at most so many rows and columns, shaded by the numbers in its cells."""
    picture, fields = entry["picture"], [field[0] for field in entry["board"]["fields"]]
    xs, ys = (_thinned({at[axis] for at in cells}) for axis in (0, 1))
    numbers = [int(cell) for cell in cells.values() if cell.isdecimal()]
    low, high = min(numbers, default=0), max(numbers, default=1)
    third = next(n for n in range(3) if n not in (picture["x"], picture["y"]))

    def cell(x: int, y: int) -> dict[str, Any]:
        words = cells.get((x, y), "")
        is_number = words.isdecimal()
        at = {fields[picture["x"]]: x, fields[picture["y"]]: y}
        at[fields[third]] = int(words) if is_number else 0
        query = urlencode({"variant": chosen, "look": 1} | at)
        return {"words": words if is_number or not words else "·",
                "shade": (int(words) - low) * 20 // max(high - low, 1) if is_number else -1,
                "address": f"/games/{page.name}?{query}#board"}  # fmt: skip

    rows = [(x, [cell(x, y) for y in ys]) for x in reversed(xs)]
    return {"rows": rows, "columns": ys, "names": picture["names"]}


def _thinned(places: set[int]) -> list[int]:
    step = -(-(max(places) + 1) // _MOST_CELLS)
    step = step if step < 3 else -(-step // 5) * 5
    return sorted(place for place in places if place % step == 0)


def _citation(request: Request, page: Page, chosen: str, variant: Variant) -> str:
    year = datetime.now(UTC).year
    command = f"exactdice book {page.name} --variant {chosen}"
    return (f"@misc{{exactdice-{page.name}-{chosen},\n  author = {{{{The exactdice authors}}}},\n"
            f"  title = {{{page.title}, {variant.rules}}},\n  year = {{{year}}},\n"
            f"  howpublished = {{{command}}},\n  url = {{{request.url}}},\n}}")  # fmt: skip
