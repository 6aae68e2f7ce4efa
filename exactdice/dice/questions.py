"""What can be asked about dice that no game rolls, and a distribution as a report."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.dice.expressions import Expression, law
from exactdice.question import Question, argument
from exactdice.report.eyes import bytes_of_rationals
from exactdice.report.model import (
    Column,
    Kind,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.run import Run

_CONVENTIONS = {
    "dice": "fair and independent; every mention of dice is a roll of its own",
    "arithmetic": "// rounds down, % is the rest of that; yes counts as 1 and no as 0",
}


@dataclass(frozen=True)
class Law(
    Question,
    command="dice law",
    example="dice law '4d6 keep highest 3'",
    takes="a moment; seconds for 200 dice of 100 sides of which half are kept",
):
    """Exact law of an expression over dice, as 3d6 + 2 or 2d10 > d12."""

    expression: str = argument(
        Expression(), "Dice as 3d6 + 2, 4d6 keep highest 3, d8 > d6, 2d6 explode 3 times."
    )

    def report(self, run: Run) -> Report:
        """Find the law."""
        distribution = law(self.expression, run)
        written = bytes_of_rationals(3 * len(distribution), distribution.denominator.bit_length())
        run.require(written, f"writing the law of {self.expression}")
        is_event = any(isinstance(outcome, bool) for outcome in distribution)
        quantities, table = _of_event(distribution) if is_event else _of_numbers(distribution)
        return Report(
            f"Dice: {self.expression}", quantities, [table], Provenance(conventions=_CONVENTIONS)
        )


def _of_event(distribution: Distribution[Any]) -> tuple[list[Quantity], Table]:
    chance = Quantity(exact("value", "probability of yes"), distribution.probability_that(bool))
    table = Table(
        "outcomes",
        "Outcomes",
        [flag("outcome", "whether the comparison holds"), exact("probability", "its probability")],
        distribution.probabilities().items(),
    )
    return [chance], table


def _of_numbers(distribution: Distribution[Any]) -> tuple[list[Quantity], Table]:
    root = distribution.standard_deviation()
    quantities = [
        Quantity(exact("value", "mean"), distribution.mean()),
        Quantity(exact("variance", "variance"), distribution.variance()),
        Quantity(
            text_column("standard_deviation", "its root, the standard deviation"),
            f"{root} ≈ {root.decimal(10)}",
        ),
        Quantity(
            whole("median", "smallest outcome that is reached in half of all rolls"),
            distribution.quantile("1/2"),
        ),
    ]
    table = Table(
        "outcomes",
        "Outcomes",
        [
            whole("outcome", "what the dice show"),
            exact("probability", "its probability"),
            exact("at_least", "probability of so much or more"),
            exact("at_most", "probability of so much or less"),
        ],
        _tails(distribution),
    )
    return quantities, table


def _tails(distribution: Distribution[Any]) -> Iterator[tuple[int, mpq, mpq, mpq]]:
    before = mpq(0)
    for outcome, chance in distribution.probabilities().items():
        yield outcome, chance, 1 - before, before + chance
        before += chance


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


#: The question of this room.
QUESTIONS = (Law,)
