"""A distribution as a report: every outcome with its probability."""

from collections.abc import Iterable
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.report.model import Column, Kind, Report, Table, exact


def law_report(law: Distribution[Any]) -> Report:
    """Report every outcome with its probability."""
    kind = _kind_of(law)
    outcomes: Iterable[Any] = law
    if kind is Kind.TEXT:
        outcomes = map(str, law)
    elif kind is Kind.LIST:
        outcomes = (tuple(map(_entry, outcome)) for outcome in outcomes)
    table = Table(
        "outcomes",
        f"{len(law)} outcomes",
        [Column("outcome", "outcome", kind=kind), exact("probability", "its probability")],
        list(zip(outcomes, law.probabilities().values(), strict=True)),
    )
    return Report("A distribution", (), [table])


def _kind_of(outcomes: Iterable[Any]) -> Kind:
    """The kind of a column that holds these outcomes."""
    kinds = {type(outcome) for outcome in outcomes}
    if kinds == {bool}:
        return Kind.FLAG
    if kinds == {int}:
        return Kind.WHOLE
    if kinds <= {int, mpq}:
        return Kind.EXACT
    return Kind.LIST if kinds == {tuple} else Kind.TEXT


def _entry(entry: Any) -> Any:
    return entry if isinstance(entry, int | str) and not isinstance(entry, bool) else str(entry)
