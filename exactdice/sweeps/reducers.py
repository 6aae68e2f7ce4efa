"""Reducers: one report of all answers of a sweep, in an order that the reducer states.

``rows``
    a row a question, in the order of the sweep;
``greatest NAME``, ``least NAME``
    the same, sorted by the quantity of that name, the greatest or the least first; equal ones stay
    in the order of the sweep, and a number between bounds counts as its lower one.

A row has the fields in which the questions differ, where all are of one command, else the question;
then every quantity that an answer has, the first answer's first; where one name stands for an exact
number here and for bounds there, each has a column. Answers are read one after another, and only
their rows are kept.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.question import Question
from exactdice.question.model import Parameter
from exactdice.report.model import (
    Cell,
    CellKind,
    Column,
    Provenance,
    Quantity,
    Report,
    Table,
    text_column,
    whole,
)
from exactdice.rooms import question
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, UnitStatus

#: Makes one report of a sweep whose answers are in the store.
Reducer: TypeAlias = Callable[[Sweep, Store], Report]

#: A quantity by its name and kind.
_Named: TypeAlias = tuple[str, CellKind]


@dataclass(frozen=True)
class _Row:
    """One question: the cells of its fields, its quantities, and what is wrong."""

    fields: tuple[Cell, ...]
    quantities: dict[_Named, Cell]
    outcome: UnitStatus
    problem: str


def stored_reports(asked: Sweep, store: Store) -> Iterator[Report]:
    """Give the answers in the order of the sweep."""
    for unit in asked.units:
        outcome = store.outcome(unit)
        if outcome is None or not outcome.is_answer:
            raise InputError("sweep", unit, "a sweep of which every question is answered")
        yield store.report(unit)


def exporting(asked: Sweep) -> str:
    """Name the command that gives the report of a sweep, once it has run.

    >>> exporting(Sweep("risk-dice", ("risk dice 9 9",)))
    'exactdice sweep export risk-dice'
    >>> len(exporting(Sweep("'risk win {a} 2' --over a=2..9", ("risk win 2 2",))))
    35
    """
    is_word = shlex.quote(asked.name) == asked.name
    return f"exactdice sweep export {asked.name if is_word else asked.key[:12]}"


def read_reducer(name: str) -> Reducer:
    """Return the reducer with that name.

    >>> read_reducer("shortest")
    Traceback (most recent call last):
    exactdice.errors.InputError: reduce: got 'shortest'; expected rows, greatest NAME or least NAME
    """
    kind, _, quantity = name.partition(" ")
    if kind == "rows" and not quantity:
        return rows
    if kind in ("greatest", "least") and quantity:
        return lambda asked, store: _sorted(rows(asked, store), quantity, kind)
    raise InputError("reduce", name, "rows, greatest NAME or least NAME")


def rows(asked: Sweep, store: Store) -> Report:
    """Make a table of one row a question, in the order of the sweep."""
    fields, cells = _fields(asked.units)
    named: dict[_Named, Column] = {}
    shared: dict[str, str] | None = None
    unit_rows: list[_Row] = []
    for unit, own in zip(asked.units, cells, strict=True):
        outcome = store.outcome(unit)
        if outcome is None:
            continue
        if not outcome.is_answer:
            words = store.answer(unit).document.decode()
            unit_rows.append(_Row(own, {}, outcome, words))
            continue
        report = store.report(unit)
        for quantity in report.quantities:
            named.setdefault(_named(quantity), quantity.column)
        conventions = dict(report.provenance.conventions)
        known = conventions if shared is None else shared
        shared = {name: word for name, word in known.items() if conventions.get(name) == word}
        values = {_named(quantity): quantity.value for quantity in report.quantities}
        unit_rows.append(_Row(own, values, outcome, report.failure))
    order = {name: words for name, words in (shared or {}).items() if words}
    return _report(asked, fields, named, unit_rows, order)


def _named(quantity: Quantity) -> _Named:
    return quantity.column.name, quantity.column.kind


def _report(
    asked: Sweep,
    fields: Sequence[Column],
    named: dict[_Named, Column],
    unit_rows: Sequence[_Row],
    shared: dict[str, str],
) -> Report:
    taken = {column.name for column in fields} | {"outcome", "problem"}
    columns = []
    for (name, kind), column in named.items():
        free = [name, f"{name}_{kind}", f"{name}_answered", f"{name}_{kind}_answered"]
        columns.append(
            replace(column, name=next(heading for heading in free if heading not in taken))
        )
        taken.add(columns[-1].name)
    ending = any(row.outcome is not UnitStatus.ANSWERED for row in unit_rows)
    last = [
        text_column("outcome", "what became of the question"),
        text_column("problem", "the error that it raised, or how it ended"),
    ]
    table = Table(
        "answers",
        "Answers",
        [*fields, *columns, *(last if ending else ())],
        [
            (
                *row.fields,
                *(row.quantities.get(name) for name in named),
                *((str(row.outcome), row.problem) if ending else ()),
            )
            for row in unit_rows
        ],
    )
    conventions = {
        "order": "that of the sweep",
        "answers": f"{len(unit_rows)} of {len(asked.units)} questions",
    }
    provenance = Provenance(exporting(asked), shared | conventions)
    return Report(f"Sweep: {asked.name}", [], [table], provenance)


def _fields(units: Sequence[str]) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """Columns for the fields in which questions differ, and their cells."""
    questions = [question(unit) for unit in units]
    if len({type(asked) for asked in questions}) > 1 or len(questions) == 1:
        return [text_column("question", "the question")], [(unit,) for unit in units]
    differing = [
        parameter
        for parameter in type(questions[0]).parameters()
        if any(_value(asked, parameter) != _value(questions[0], parameter) for asked in questions)
    ]
    columns: list[Column] = []
    cells: list[list[Cell]] = []
    for parameter in differing:
        values = [_value(asked, parameter) for asked in questions]
        is_whole = all(type(value) is int for value in values)
        make = whole if is_whole else text_column
        columns.append(make(parameter.field.rstrip("_"), parameter.help.rstrip(".")))
        cells.append(values if is_whole else [_written(parameter, value) for value in values])
    return columns, list(zip(*cells, strict=True))


def _value(asked: Question, parameter: Parameter) -> Any:
    return getattr(asked, parameter.field)


def _written(parameter: Parameter, value: Any) -> str:
    if value is None:
        return ""
    several = value if parameter.is_many else (value,)
    return " ".join(parameter.domain.write(item) for item in several)


def _sorted(report: Report, name: str, kind: str) -> Report:
    """Sort the rows by a quantity; those that lack it come last."""
    (table,) = report.tables
    known = [
        column.name for column in table.columns if column.kind in (CellKind.EXACT, CellKind.WHOLE)
    ]
    known += [column.name for column in table.columns if column.kind is CellKind.ENCLOSURE]
    if name not in known:
        raise InputError("reduce", Unquoted(f"{kind} {name}"), f"one of {', '.join(known)}")
    place = [column.name for column in table.columns].index(name)
    rows_: Iterable[Sequence[Cell]] = table.rows
    there = [row for row in rows_ if row[place] is not None]
    lacking = [row for row in rows_ if row[place] is None]
    there.sort(key=lambda row: _sort_key(row[place]), reverse=kind == "greatest")
    provenance = report.provenance
    words = {"order": f"by {name}, the {kind} first; equal ones in the order of the sweep"}
    return replace(
        report,
        tables=[replace(table, rows=[*there, *lacking])],
        provenance=replace(provenance, conventions={**provenance.conventions, **words}),
    )


def _sort_key(cell: Any) -> Any:
    return (cell.lower, cell.upper) if isinstance(cell, Enclosure) else cell
