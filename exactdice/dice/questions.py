"""What can be asked about dice that no game rolls: one class a command."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from exactdice.dice.distribution import Distribution
from exactdice.dice.expressions import Expression, law
from exactdice.question import Question, argument
from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.report.provenance import Provenance
from exactdice.run import Run

__all__ = ["QUESTIONS", "Law"]

_CONVENTIONS = {
    "dice": "fair and independent; every mention of dice is a roll of its own",
    "arithmetic": "// rounds down, % is the rest of that; yes counts as 1 and no as 0",
}


@dataclass(frozen=True)
class Law(
    Question,
    command="dice law",
    example="dice law '4d6 keep highest 3'",
    takes="a moment; seconds for hundreds of dice of which some are kept",
):
    """Exact law of an expression over dice, as 3d6 + 2 or 2d10 > d12."""

    expression: str = argument(
        Expression(), "Dice as 3d6 + 2, 4d6 keep highest 3, d8 > d6, 2d6 explode 3 times."
    )

    def report(self, run: Run) -> Report:
        """Find the law."""
        found = law(self.expression, run)
        is_event = any(isinstance(outcome, bool) for outcome in found)
        quantities, table = _of_event(found) if is_event else _of_numbers(found)
        return Report(
            f"Dice: {self.expression}", quantities, [table], Provenance(conventions=_CONVENTIONS)
        )


def _of_event(found: Distribution[Any]) -> tuple[list[Quantity], Table]:
    chance = Quantity(exact("value", "probability of yes"), found.probability_that(bool))
    table = Table(
        "outcomes",
        "Outcomes",
        [flag("outcome", "whether the comparison holds"), exact("probability", "its probability")],
        found.probabilities().items(),
    )
    return [chance], table


def _of_numbers(found: Distribution[Any]) -> tuple[list[Quantity], Table]:
    root = found.standard_deviation()
    quantities = [
        Quantity(exact("value", "mean"), found.mean()),
        Quantity(exact("variance", "variance"), found.variance()),
        Quantity(
            text_column("standard_deviation", "its root, the standard deviation"),
            f"{root} ≈ {root.decimal(10)}",
        ),
        Quantity(
            whole("median", "smallest outcome that is reached in half of all rolls"),
            found.quantile("1/2"),
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
        _tails(found),
    )
    return quantities, table


def _tails(found: Distribution[Any]) -> Iterator[tuple[int, mpq, mpq, mpq]]:
    before = mpq(0)
    for outcome, chance in found.probabilities().items():
        yield outcome, chance, 1 - before, before + chance
        before += chance


#: The question of this room.
QUESTIONS = (Law,)
