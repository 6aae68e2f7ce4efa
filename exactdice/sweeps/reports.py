"""Reports about sweeps: answers combined by a reducer, progress, and verification of a sample.

Reducers: ``rows`` gives a row a question, in the order of the sweep; ``greatest NAME`` and ``least
NAME`` sort the rows by that quantity, intervals by the lower bound, equal ones in that order.

A row has the fields in which the questions differ, if all are of one command, otherwise the
question; then every quantity of any answer, in order of appearance. A name that is exact in some
answers and an interval in others has a column for each. Answers are read one by one, and only their
rows are kept.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted, choices
from exactdice.question.model import Parameter
from exactdice.report.model import (
    Cell,
    CellKind,
    Column,
    Provenance,
    Report,
    Table,
    flag,
    text_column,
    whole,
)
from exactdice.rooms import ask, question
from exactdice.run import DEFAULT, Run
from exactdice.sweeps.engine import Ask, Workforce, run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, UnitStatus

#: Makes one report of a sweep whose answers are in the store.
Reducer: TypeAlias = Callable[[Sweep, Store], Report]

#: A quantity by its name and kind.
_Named: TypeAlias = tuple[str, CellKind]

_SHOWN = 20  # problems that a report lists

_PROBLEM = text_column("problem", "its error or failure")


@dataclass(frozen=True)
class _Row:
    fields: tuple[Cell, ...]
    quantities: dict[_Named, Cell]
    outcome: UnitStatus
    problem: str


def stored_reports(asked: Sweep, store: Store) -> Iterator[Report]:
    for unit in asked.units:
        outcome = store.outcome(unit)
        if outcome is None or not outcome.is_answer:
            raise InputError("sweep", unit, "a sweep without unanswered questions")
        yield store.report(unit)


def exporting(asked: Sweep) -> str:
    """Name the command that exports the report of a sweep."""
    is_word = shlex.quote(asked.name) == asked.name
    return f"exactdice sweep export {asked.name if is_word else asked.key[:12]}"


def read_reducer(name: str) -> Reducer:
    kind, _, quantity = name.partition(" ")
    if kind == "rows" and not quantity:
        return rows
    if kind in ("greatest", "least") and quantity:
        return lambda asked, store: _sorted(rows(asked, store), quantity, kind)
    raise InputError("reduce", name, "rows, greatest NAME or least NAME")


def rows(asked: Sweep, store: Store) -> Report:
    fields, cells = _fields(asked.units)
    named: dict[_Named, Column] = {}
    shared: dict[str, str] | None = None
    unit_rows: list[_Row] = []
    for unit, own in zip(asked.units, cells, strict=True):
        outcome = store.outcome(unit)
        if outcome is None:
            continue
        if not outcome.is_answer:
            unit_rows.append(_Row(own, {}, outcome, _problem(store, unit)))
            continue
        report = store.report(unit)
        values = {(q.column.name, q.column.kind): q for q in report.quantities}
        for name, quantity in values.items():
            named.setdefault(name, quantity.column)
        conventions = report.provenance.conventions
        known = conventions if shared is None else shared
        shared = {name: word for name, word in known.items() if conventions.get(name) == word}
        numbers = {name: quantity.value for name, quantity in values.items()}
        unit_rows.append(_Row(own, numbers, outcome, report.failure))
    return _report(asked, fields, named, unit_rows, shared or {})


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
        columns.append(replace(column, name=next(h for h in free if h not in taken)))
        taken.add(columns[-1].name)
    ending = any(row.outcome is not UnitStatus.ANSWERED for row in unit_rows)
    last = [text_column("outcome", "status of the question"), _PROBLEM] if ending else []
    cells = []
    for row in unit_rows:
        ended = (str(row.outcome), row.problem) if ending else ()
        cells.append((*row.fields, *map(row.quantities.get, named), *ended))
    conventions = {name: words for name, words in shared.items() if words} | {
        "order": "that of the sweep",
        "answers": f"{len(unit_rows)} of {len(asked.units)} questions",
    }
    table = Table("answers", "Answers", [*fields, *columns, *last], cells)
    return Report(f"Sweep: {asked.name}", [], [table], Provenance(exporting(asked), conventions))


def _fields(units: Sequence[str]) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """Columns for the fields in which the questions differ, and their cells."""
    questions = [question(unit) for unit in units]
    if len({type(asked) for asked in questions}) > 1 or len(questions) == 1:
        return [text_column("question", "the question")], [(unit,) for unit in units]
    columns: list[Column] = []
    cells: list[list[Cell]] = []
    for parameter in type(questions[0]).parameters():
        values = [getattr(asked, parameter.field) for asked in questions]
        if all(value == values[0] for value in values):
            continue
        is_whole = all(type(value) is int for value in values)
        make = whole if is_whole else text_column
        columns.append(make(parameter.field.rstrip("_"), parameter.help.rstrip(".")))
        cells.append(values if is_whole else [_written(parameter, value) for value in values])
    return columns, list(zip(*cells, strict=True))


def _written(parameter: Parameter, value: Any) -> str:
    if value is None:
        return ""
    several = value if parameter.is_many else (value,)
    return " ".join(parameter.domain.write(item) for item in several)


def _sorted(report: Report, name: str, kind: str) -> Report:
    (table,) = report.tables
    kinds = (CellKind.EXACT, CellKind.WHOLE, CellKind.ENCLOSURE)
    known = [column.name for column in table.columns if column.kind in kinds]
    if name not in known:
        wanted = f"{kind} and then {choices(known, name)}"
        raise InputError("reduce", Unquoted(f"{kind} {name}"), wanted)
    place = [column.name for column in table.columns].index(name)
    there = [row for row in table.rows if row[place] is not None]
    there.sort(key=lambda row: _sort_key(row[place]), reverse=kind == "greatest")
    lacking = [row for row in table.rows if row[place] is None]
    words = {"order": f"by {name}, the {kind} first; equal ones in the order of the sweep"}
    made = report.provenance
    made = replace(made, conventions={**made.conventions, **words})
    return replace(report, tables=[replace(table, rows=[*there, *lacking])], provenance=made)


def _sort_key(cell: Any) -> Any:
    return (cell.lower, cell.upper) if isinstance(cell, Enclosure) else cell


@dataclass(frozen=True)
class Standing:
    """How many questions of a sweep are stored, by status."""

    units: int
    outcomes: dict[UnitStatus, int]
    took: int  # milliseconds of all of them

    @property
    def stored(self) -> int:
        return sum(self.outcomes.values())

    @property
    def problem(self) -> str:
        bad = [
            f"{self.outcomes[outcome]} {outcome}"
            for outcome in (UnitStatus.FAILED, UnitStatus.RAISED, UnitStatus.DIED)
            if self.outcomes[outcome]
        ]
        return f"of {self.units} questions {', '.join(bad)}" if bad else ""


def standing_of(asked: Sweep, store: Store) -> Standing:
    outcomes = dict.fromkeys(UnitStatus, 0)
    took = 0
    for unit in asked.units:
        outcome = store.outcome(unit)
        if outcome is not None:
            outcomes[outcome] += 1
            took += store.took(unit)
    return Standing(len(asked.units), outcomes, took)


_MEANINGS = {
    UnitStatus.ANSWERED: "questions answered",
    UnitStatus.FAILED: "checks that failed",
    UnitStatus.RAISED: "questions that raised an error",
    UnitStatus.DIED: "questions whose worker ended",
}

_COUNTS = (
    whole("missing", "questions not yet computed"),
    whole("took", "total time of all questions", "ms"),
)


def progress_report(asked: Sweep, store: Store) -> Report:
    standing = standing_of(asked, store)
    wrong = [
        (unit, str(outcome), _problem(store, unit))
        for unit in asked.units
        if (outcome := store.outcome(unit)) not in (None, UnitStatus.ANSWERED)
    ]
    columns = text_column("question", "the question"), text_column("outcome", "its status")
    title = "Problems" + (f": the first {_SHOWN}" if len(wrong) > _SHOWN else "")
    missing, took = _COUNTS
    return Report.of(
        f"Sweep: {asked.name}",
        {"key": asked.key, "code": store.made_by},
        whole("questions", "questions of the sweep")(standing.units),
        *(
            whole(outcome.value, meaning)(standing.outcomes[outcome])
            for outcome, meaning in _MEANINGS.items()
        ),
        missing(standing.units - standing.stored),
        took(standing.took),
        Table.of("problems", title, wrong[:_SHOWN], *columns, _PROBLEM) if wrong else None,
        failure=standing.problem,
    )


def _problem(store: Store, unit: str) -> str:
    answer = store.answer(unit)
    return store.report(unit).failure if answer.outcome.is_answer else answer.document.decode()


def status_report(store: Store) -> Report:
    rows = []
    for asked in store.sweeps():
        standing = standing_of(asked, store)
        answered = standing.outcomes[UnitStatus.ANSWERED]
        counts = answered, standing.stored - answered, standing.units - standing.stored
        words = asked.key[:12], asked.name, asked.reducer
        rows.append((*words, standing.units, *counts, standing.took))
    return Report.of(
        f"Store: {store.folder}",
        {},
        Table.of(
            "sweeps",
            "Sweeps",
            rows,
            text_column("key", "the beginning of its key"),
            text_column("sweep", "its name"),
            text_column("reducer", "how its answers are combined"),
            whole("questions", "questions"),
            whole("answered", "questions answered"),
            whole("wrong", "checks that failed, errors, and workers that ended"),
            *_COUNTS,
        ),
        Table.of(
            "code",
            "Code that computed the answers",
            [(code, count, code == store.made_by) for code, count in store.makers().items()],
            text_column("code", "version and SHA-256 of the files of the package"),
            whole("answers", "answers in the store"),
            flag("at_hand", "whether this package has that code"),
        ),
    )


def verify_sweep(
    asked: Sweep,
    store: Store,
    workforce: Workforce,
    sample: int,
    seed: int,
    run: Run = DEFAULT,
    *,
    asking: Ask = ask,
) -> Report:
    """Compute a sample of the answers again, in other processes and another store, and compare."""
    outcomes = {unit: store.outcome(unit) for unit in asked.units}
    answered = [unit for unit, outcome in outcomes.items() if outcome and outcome.is_answer]
    if not answered:
        raise InputError("sweep", Unquoted(f"{asked.name} without answers"), "a sweep with answers")
    count = min(natural(sample, "sample", least=1), len(answered))
    drawn = Random(seed).sample(answered, count)  # noqa: S311 - a reproducible draw, no secret
    with TemporaryDirectory() as home:
        other = Store(Path(home) / "store")
        run_sweep(Sweep(asked.name, tuple(drawn)), other, workforce, run, asking=asking)
        compared = list(_compared(drawn, store, other))
    wrong = [unit for unit, problem in compared if problem]
    return Report.of(
        f"Verification of the sweep {asked.name}",
        {"seed": str(seed)},
        whole("stored", "answers in the store")(len(answered)),
        whole("compared", "answers computed again")(len(compared)),
        whole("different", "answers that differ")(len(wrong)),
        Table.of(
            "answers",
            "Answers computed again",
            ((unit, not problem, problem) for unit, problem in compared),
            text_column("question", "the question"),
            flag("same", "whether both answers are the same bytes"),
            text_column("problem", "how they differ"),
        ),
        failure=f"{len(wrong)} of {len(compared)} answers differ; the first: {wrong[0]}"
        if wrong
        else "",
    )


def _compared(units: list[str], store: Store, other: Store) -> Iterator[tuple[str, str]]:
    for unit in units:
        ours, theirs = store.answer(unit), other.answer(unit)
        if ours.outcome is not theirs.outcome:
            yield unit, f"{ours.outcome} and now {theirs.outcome}"
            continue
        pairs = enumerate(zip(ours.document, theirs.document, strict=False))
        first = min(len(ours.document), len(theirs.document))
        place = next((i for i, (a, b) in pairs if a != b), first)
        same = ours.document == theirs.document
        yield unit, "" if same else f"the bytes differ from byte {place} on"
