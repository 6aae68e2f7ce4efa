"""Write exactdice/book/pictures.csv: the cells of the pictures that shelf.toml declares.

    python tools/pictures.py [GAME ...]

Only the pictures of the named games are computed anew; the others keep their cells.
"""

import csv
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

from exactdice.arithmetic import decimal, mpq
from exactdice.book import PAGES, questions
from exactdice.book.questions import ADVICE, advice_report, lookahead, read_state
from exactdice.book.shelf import shelf
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Game
from exactdice.rooms import ask
from exactdice.solve.turns import named
from exactdice.web.play.games import board_of, in_words, state_of

FILE = Path(__file__).parents[1] / "exactdice" / "book" / "pictures.csv"

_KEPT = {}


def _once(make, answer):
    """Return what `make` returns for an answer, which stays alive so that its id is its own."""
    if id(answer) not in _KEPT:
        _KEPT[id(answer)] = answer, make()
    return _KEPT[id(answer)][1]


# the states of a picture have most later states in common
questions.lookahead = lambda variant, answer: _once(lambda: lookahead(variant, answer), answer)


def _strategies(answer):
    """Return the mixed strategies of both players by their knowledge, without blanks."""
    known = [item for player in (1, 2) for item in answer.bracket.strategy(player).items()]
    return {
        named(knows).replace(" ", ""): {named(a).replace(" ", ""): p for a, p in mixed.items()}
        for knows, mixed in known
    }


def axis(declared):
    """Return the places of an axis of a picture.

    >>> axis("0..10..5"), axis("1..0..-1"), axis("2 of 1 2")
    (['0', '5', '10'], ['1', '0'], ['1 1', '1 2', '2 2'])
    """
    if isinstance(declared, list):
        return declared
    if " of " in declared:
        count, faces = declared.split(" of ")
        return list(map(" ".join, combinations_with_replacement(faces.split(), int(count))))
    first, last, step = (*map(int, declared.split("..")), 1)[:3]
    return [str(n) for n in range(first, last + (1 if step > 0 else -1), step)]


def places(picture, name, which) -> list[tuple[str, str]]:
    """Return the labels and values of an axis."""
    variants = PAGES[name].variants
    if picture.get("of") == "variants" and which == "x":
        return [(variants[one].rules.replace("=", ""), one) for one in picture["x"]]
    declared = axis(picture.get(which, [""]))
    return [(one.partition("=")[0], one.rpartition("=")[2]) for one in declared]


def _place(place: tuple[str, str]) -> str:
    return place[0] if place[0] == place[1] else "=".join(place)


def table(name, variant, picture) -> list[list[str]]:
    """Return the table of a picture, without rows and columns that have no states."""
    xs, ys = (places(picture, name, which) for which in "xy")
    return complete(xs, ys, [*lines(name, variant, picture)], picture)


def complete(xs, ys, cells, picture):
    shows = picture.get("shows")
    if shows in ("kept", "place", "aside"):
        cells = [[_marked(x[1], row[0], shows)] for x, row in zip(xs, cells, strict=True)]
    full = [n for n in range(len(ys)) if any(row[n] != "-" for row in cells)]
    rows = [[_place(x), *(row[n] for n in full)] for x, row in zip(xs, cells, strict=True)]
    return [["", *(_place(ys[n]) for n in full)], *(row for row in rows if {*row[1:]} != {"-"})]


def _marked(roll, action, shows) -> str:
    """Write a roll with brackets around the dice that are kept."""
    numbers, dice = re.findall(r"\d+", action), []
    for place, face in enumerate(roll.split()):
        wanted = str(place) if shows == "place" else face
        dice.append(f"[{face}]" if wanted in numbers else face)
        if wanted in numbers:
            numbers.remove(wanted)
    return " ".join(dice)


def lines(name, variant, picture) -> Iterator[list[str]]:
    """Yield the cells of each row of a picture."""
    xs, ys = places(picture, name, "x"), places(picture, name, "y")
    if "of" in picture:
        for x in xs:
            yield [_read(name, variant, picture, x[1], y[1]) for y in ys]
        return
    solved = PAGES[name].variants[picture.get("solved", variant)]
    board, answer = shelf()[name].get("board"), None
    if not solved.around:
        answer = solved.answer(width=ADVICE if solved.solve else None)
    sheets = [[_state(picture, board, variant, x[1], y[1]) for y in ys] for x in xs]
    if solved.around:  # all sheets in one sweep
        known = [read_state(solved, state)[:2] for row in sheets for state in row]
        values = iter(game_values(solved, known))
        yield from ([_number(next(values), picture) for _ in row] for row in sheets)
        return
    for x, row in zip(xs, sheets, strict=True):
        yield [_cell(solved, answer, picture, board or {}, state, x[1], y[1])
               for y, state in zip(ys, row, strict=True)]  # fmt: skip


def game_values(solved, sheets):
    return solved.around.__self__.values(*sheets)[0]


def _state(picture, board, variant, x, y) -> str:
    if "state" in picture:
        return picture["state"].format(x=x, y=y)
    given = {field: value.format(x=x, y=y, cell="0") for field, value in picture["at"].items()}
    fields = board_of({}, board, variant)
    for field in fields:
        if (value := given.get(field["name"])) is not None:
            field["value"] = value.split() if field["kind"] == "tiles" else [value]
    return state_of(board, fields)


def _number(value, picture) -> str:
    scale = 1 if picture.get("unit") == "points" else 100
    return decimal(Enclosure.of(value).middle * scale, picture.get("places", 0))


def _cell(solved, answer, picture, board, state, x, y) -> str:
    shows = picture["shows"]
    if not isinstance(solved.game(), Game):
        wanted = shows.removeprefix("chance ").format(x=x, y=y).replace(" ", "")
        mixed = _once(lambda: _strategies(answer), answer).get(state.replace(" ", ""), {})
        chance = mixed.get(wanted)
        return "-" if chance is None else decimal(chance * 100, 0)
    try:
        report = advice_report(solved, answer, read_state(solved, state), "", board)
    except InputError:
        return "-"  # no such state
    if shows == "value":
        return _number(report.value("value"), picture)
    if not report.tables:
        return "-"
    table = report.tables[0]
    rows = [dict(zip((c.name for c in table.columns), row, strict=True)) for row in table.rows]
    if "probability" in rows[0]:
        best = max((row for row in rows if row["player"] == 1), key=lambda row: row["probability"])
    else:
        best = rows[0]
    action = str(best["action"])
    if shows == "aside":  # the choice is how many dice are left, and the sum of the others
        left, total = map(int, re.findall(r"\d+", action))
        dice = list(map(int, x.split()))
        aside = (part for part in combinations(dice, len(dice) - left) if sum(part) == total)
        return " ".join(map(str, next(aside)))
    for begin, words in picture.get("words", {}).items():
        if action.startswith(begin):
            return in_words({"does": words}, action)
    return action


@cache
def _asked(command):
    return ask(command).tables[0]


def _read(name, variant, picture, x, y) -> str:
    if picture["of"] == "variants":
        one = PAGES[name].variants[x]
        return decimal(one.answer().value.middle * 100, picture.get("places", 0))
    table = _asked(picture["of"].format(variant=variant, x=x, y=y))
    down, across, cell = picture["read"]
    by_row = {across: down}  # if each answer has one row of the picture
    wanted = by_row if down.isdecimal() else {down: x} | ({across: y} if across else {})
    columns = {column.name: table.cells(column.name) for column in table.columns}
    for at, shown in enumerate(columns[cell]):
        if all(str(columns[column][at]) == value for column, value in wanted.items()):
            is_chance = isinstance(shown, mpq)
            return "·" if shown is None else decimal(shown * 100, 0) if is_chance else str(shown)
    return "-"


def main(names: list[str]) -> None:
    for name in names or PAGES:
        made = []
        for number, picture in enumerate(shelf()[name].get("pictures", ())):
            for variant in picture.get("variants", [next(iter(PAGES[name].variants))]):
                begin = [name, variant, str(number)]
                made += [begin + row for row in table(name, variant, picture)]
        with FILE.open(encoding="utf-8") as file:  # others may be running
            kept = [row for row in csv.reader(file) if row[0] != name] + made
        kept.sort(key=lambda row: list(PAGES).index(row[0]))
        with FILE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(kept)
        print(name, len(made), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
