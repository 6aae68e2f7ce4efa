"""What can be asked about dice that no game rolls, and a distribution as a report."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.dice.endless import Endless
from exactdice.dice.expressions import Expression, Expressions, law, parsed
from exactdice.dice.nodes import COMPARISONS, Binary, Counted, Dice, Node, Number, numbers, wrong
from exactdice.dice.weighted import Root
from exactdice.enclosure import Enclosure
from exactdice.question import Question, argument
from exactdice.report.eyes import bytes_of_rationals
from exactdice.report.model import (
    Column,
    Kind,
    Quantity,
    Report,
    Table,
    column_for,
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
_ENDLESS = (
    "outcomes are followed until fewer than one die in 10^12 goes on; mean and variance of a sum, "
    "and its chance to reach a number, are those without an end"
)


@dataclass(frozen=True)
class Law(
    Question,
    command="dice law",
    example="dice law '4d6 keep highest 3'",
    takes="a moment; seconds for 200 dice of 100 sides of which half are kept",
):
    """Exact law of an expression over dice, as 3d6 + 2, 4d6kh3 or 2d10 > d12."""

    expression: str = argument(
        Expression(), "Dice as 3d6 + 2, 4d6kh3, 'd8 > d6', '2d6!'; exactdice help dice lists all."
    )

    def report(self, run: Run) -> Report:
        """Find the law."""
        distribution, node = law(self.expression, run), parsed(self.expression)
        written = bytes_of_rationals(3 * len(distribution), distribution.denominator.bit_length())
        run.require(written, f"writing the law of {self.expression}")
        missed = node.missed(run)
        if any(isinstance(outcome, bool) for outcome in distribution):
            quantities, tables = _of_event(node, distribution, run)
            tables += _counted(node, run)
        else:
            quantities, tables = _of_numbers(distribution, node.endless(run) if missed else None)
        return _report(f"Dice: {self.expression}", quantities, tables, missed)


@dataclass(frozen=True)
class Chance(
    Question,
    command="dice chance",
    example="dice chance '2d20 keep highest + 5 >= 15'",
    takes="as long as dice law",
):
    """Exact chance that a comparison of dice holds, as 3d6 >= 10 or d8 > d6."""

    expression: str = argument(
        Expression(), "A comparison in quotation marks, as '3d6 >= 10' or 'd8 > d6'."
    )

    def check(self) -> None:
        """Refuse what is no comparison."""
        node = parsed(self.expression)
        if not (isinstance(node, Binary) and node.sign in COMPARISONS):
            wanted = "a comparison in quotation marks, as '3d6 >= 10'"
            raise wrong(self.expression, wanted, self.expression, len(self.expression))

    def report(self, run: Run) -> Report:
        """Find the chance."""
        distribution, node = law(self.expression, run), parsed(self.expression)
        quantities, _ = _of_event(node, distribution, run)
        missed = node.missed(run)
        yes, no = distribution.get(True, 0), distribution.get(False, 0)
        if not missed:
            quantities += [
                Quantity(text_column("odds", "rolls that hold to those that do not"), f"{yes}:{no}")
            ]
        return _report(f"Chance: {self.expression}", quantities, [], missed)


@dataclass(frozen=True)
class Compare(
    Question,
    command="dice compare",
    example="dice compare '4d6 keep highest 3 vs 3d6'",
    takes="as long as dice law of each",
):
    """Which of two or more rolls is the highest, with what chance, and their laws side by side."""

    expressions: tuple[str, ...] = argument(
        Expressions(), "Rolls with vs between, or each in quotation marks; equal ones tie."
    )

    def report(self, run: Run) -> Report:
        """Roll them against each other."""
        laws = [numbers(law(text, run)) for text in self.expressions]
        missed = sum((parsed(text).missed(run) for text in self.expressions), mpq(0))
        bits = sum(each.denominator.bit_length() for each in laws)
        run.require(bytes_of_rationals(2 * sum(map(len, laws)), bits), "comparing the laws")
        highest = _highest(laws)
        names = [f"{place}: {text}" for place, text in enumerate(self.expressions, 1)]
        rolls = Table(
            "rolls",
            "The rolls",
            [
                text_column("roll", "its place and expression"),
                exact("mean", "its mean"),
                exact("wins", "chance that it is higher than all others"),
                exact("ties", "chance that it is the highest together with others"),
            ],
            [
                (name, law.mean(), *chances)
                for name, law, chances in zip(names, laws, highest, strict=True)
            ],
        )
        outcomes = Table(
            "outcomes",
            "Their outcomes",
            [
                text_column("roll", "its place and expression"),
                whole("outcome", "what the dice show"),
                exact("probability", "its probability"),
                exact("at_least", "probability of so much or more"),
            ],
            [
                (name, x, p, up)
                for name, law in zip(names, laws, strict=True)
                for x, p, up, _ in _tails(law)
            ],
        )
        tied = Quantity(
            exact("tie", "chance that several are the highest"), 1 - sum(w for w, _ in highest)
        )
        first = Quantity(exact("value", "chance that the first is the highest"), highest[0][0])
        title = f"Dice: {' vs '.join(self.expressions)}"
        return _report(title, [first, tied], [rolls, outcomes], missed)


def _highest(laws: Sequence[Distribution[Any]]) -> list[tuple[mpq, mpq]]:
    """Chance of each of several rolls to be the highest alone, and together with others."""
    total = prod(law.denominator for law in laws)
    below, alone, together = [0] * len(laws), [0] * len(laws), [0] * len(laws)
    for outcome in sorted(set().union(*laws)):
        here = [law.get(outcome, 0) for law in laws]
        upto = [b + h for b, h in zip(below, here, strict=True)]
        for i, weight in enumerate(here):
            if weight:
                alone[i] += weight * prod(below[:i] + below[i + 1 :])
                together[i] += weight * prod(upto[:i] + upto[i + 1 :])
        below = upto
    return [(mpq(a, total), mpq(t - a, total)) for a, t in zip(alone, together, strict=True)]


def _report(title: str, quantities: list[Quantity], tables: list[Table], missed: mpq) -> Report:
    """Report what is known, and by how much a law that does not end falls short."""
    conventions = _CONVENTIONS
    if missed:
        conventions = conventions | {"explode": _ENDLESS}
        meaning = "chance, or more than that, of a roll that the law leaves out"
        quantities = [*quantities, Quantity(exact("left_out", meaning), missed)]
    return Report(title, quantities, tables, Provenance(conventions=conventions))


def _counted(node: Node, run: Run) -> list[Table]:
    """Table of how many dice meet a bound, where others read ``5d10>=8`` so."""
    if not (isinstance(node, Binary) and isinstance(node.right, Number)):
        return []
    dice = node.left
    if not isinstance(dice, Dice) or (dice.number_of_dice or 0) < 2:
        return []
    counted = Counted(dice, node.sign, node.right.value)
    columns = [
        whole("dice", "how many of the dice do so by themselves"),
        exact("probability", "its probability"),
    ]
    title = f"Not the total, but each die: {counted}, which Roll20 asks so"
    return [Table("dice", title, columns, counted.law(run).probabilities().items())]


def _of_event(
    node: Node, distribution: Distribution[Any], run: Run
) -> tuple[list[Quantity], list[Table]]:
    yes, missed = distribution.probability_that(bool), node.missed(run)
    chance = Enclosure(max(yes - missed, mpq(0)), min(yes + missed, mpq(1)))
    if missed and isinstance(node, Binary):
        exactly = node.chance_without_end(run)
        chance = chance if exactly is None else Enclosure.of(exactly)
    value = Quantity(column_for([chance])("value", "probability of yes"), chance)
    table = Table(
        "outcomes",
        "Outcomes",
        [flag("outcome", "whether the comparison holds"), exact("probability", "its probability")],
        distribution.probabilities().items(),
    )
    return [value], [table]


def _of_numbers(
    distribution: Distribution[Any], without_end: Endless | None
) -> tuple[list[Quantity], list[Table]]:
    law = without_end or distribution
    root = Root(law.variance())
    quantities = [
        Quantity(exact("value", "mean"), law.mean()),
        Quantity(exact("variance", "variance"), law.variance()),
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
    return quantities, [table]


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


#: The questions of this room.
QUESTIONS = (Law, Chance, Compare)
