"""What can be asked about dice that no game rolls, and a distribution as a report."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.dice.expressions import law, parsed, read_expression
from exactdice.dice.nodes import COMPARISONS, Binary, Counted, Dice, Node, Number, numbers
from exactdice.dice.notation import ExpressionError
from exactdice.dice.weighted import Root
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.question import Question, argument
from exactdice.question.domains import Domain
from exactdice.report.eyes import bytes_of_rationals
from exactdice.report.model import (
    Cell,
    CellKind,
    Column,
    Quantity,
    Report,
    Table,
    column_for,
    exact,
    flag,
    text_column,
    whole,
)
from exactdice.run import Run

_CONVENTIONS = {
    "dice": "fair and independent; every mention of dice is a roll of its own",
    "arithmetic": "// rounds down, % is the rest of that; yes counts as 1 and no as 0",
}
_ENDLESS = (
    "outcomes are followed until fewer than one die in 10^12 goes on; mean and variance of a sum, "
    "and its chance to reach a number, are those without an end"
)
_ROLLED = "2d(3d4) is two rolls of 3d4, as in AnyDice; Foundry rolls 3d4 for the number of faces"
_OUTCOME = [
    whole("outcome", "what the dice show"),
    exact("probability", "its probability"),
    exact("at_least", "probability of so much or more"),
    exact("at_most", "probability of so much or less"),
]
_KINDS: dict[CellKind, set[type]] = {
    CellKind.FLAG: {bool},
    CellKind.WHOLE: {int},
    CellKind.EXACT: {int, mpq},
    CellKind.LIST: {tuple},
}

_Event = tuple[str, str, mpq, Node | None]  # a name, its meaning, its chance, what it asks

#: The most expressions that are compared.
MAX_COMPARED = 20


class Expression(Domain[str]):
    """Expressions over dice, in their one form."""

    metavar = "EXPRESSION"
    takes_words = True

    def __init__(self, *, of_totals: bool = False) -> None:
        self._of_totals = of_totals

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str):
            raise InputError(name, value, "dice such as 3d6 + 2")
        return read_expression(value, of_totals=self._of_totals)


class Expressions(Domain[tuple[str, ...]]):
    """Two or more expressions, with ``vs`` or ``v`` between.

    >>> Expressions().read("4d6kh3 v 3d6", "expressions")
    ('4d6 keep highest 3', '3d6')
    """

    metavar = "EXPRESSION vs EXPRESSION"
    takes_words = True
    _VERSUS = re.compile(r"(?<!\s)\s+(?:vs?\.?|versus)\s+|;", re.IGNORECASE)

    def apart(self, text: str) -> list[str]:
        return self._VERSUS.split(text)

    def read(self, value: Any, name: str) -> tuple[str, ...]:
        texts = self.apart(value) if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not 2 <= len(texts) <= MAX_COMPARED:
            wanted = f"from 2 to {MAX_COMPARED} expressions, as 4d6kh3 vs 3d6"
            raise InputError(name, value, wanted)
        return tuple(Expression().read(text, name) for text in texts)

    def write(self, value: tuple[str, ...]) -> str:
        return " vs ".join(value)

    def joined(self, words: Sequence[str]) -> str:
        """Put words together; without ``vs`` each is an expression."""
        text = " ".join(words)
        return text if len(self.apart(text)) > 1 else " vs ".join(words)


@dataclass(frozen=True)
class DiceDistribution(
    Question,
    command="dice distribution",
    example="dice distribution '4d6 keep highest 3'",
    takes="a moment; seconds for 200 dice of 100 sides of which half are kept",
):
    """Exact distribution of an expression over dice, as 3d6 + 2, 4d6kh3 or 2d10 > d12."""

    expression: str = argument(
        Expression(), "Dice as 3d6 + 2, 4d6kh3, 'd8 > d6', '2d6!'; exactdice help dice lists all."
    )

    def report(self, run: Run) -> Report:
        distribution, node = law(self.expression, run), parsed(self.expression)
        written = bytes_of_rationals(3 * len(distribution), distribution.denominator.bit_length())
        run.require(written, f"writing the law of {self.expression}")
        missed = node.missed(run)
        if any(isinstance(outcome, bool) for outcome in distribution):
            quantities, tables = _of_event(node, distribution, run)
            tables += _counted(node, run)
        else:
            known = node.moments(run) if missed else None
            moments = known or (distribution.mean(), distribution.variance())
            is_whole = known is not None or not missed
            quantities, tables = _of_numbers(distribution, moments, is_whole)
        return _report(f"Dice: {self.expression}", quantities, tables, missed)


@dataclass(frozen=True)
class DiceChance(
    Question,
    command="dice chance",
    example="dice chance '2d20 keep highest + 5 >= 15'",
    takes="as long as dice distribution",
):
    """Exact chance that a comparison of dice holds, as 3d6 >= 10 or d8 > d6."""

    expression: str = argument(
        Expression(of_totals=True), "A comparison in quotation marks, as '3d6 >= 10' or 'd8 > d6'."
    )

    def check(self) -> None:
        node = parsed(self.expression)
        if not (isinstance(node, Binary) and node.sign in COMPARISONS):
            wanted = "a comparison in quotation marks, as '3d6 >= 10'"
            raise ExpressionError(self.expression, wanted, self.expression, len(self.expression))

    def report(self, run: Run) -> Report:
        distribution, node = law(self.expression, run), parsed(self.expression)
        quantities, _ = _of_event(node, distribution, run)
        missed = node.missed(run)
        if not missed:
            odds = text_column("odds", "rolls that hold to those that do not")
            counts = f"{distribution.get(True, 0)}:{distribution.get(False, 0)}"
            quantities.append(odds(counts))
        return _report(f"Chance: {self.expression}", quantities, [], missed)


@dataclass(frozen=True)
class DiceCompare(
    Question,
    command="dice compare",
    example="dice compare '4d6 keep highest 3 vs 3d6'",
    takes="as long as dice distribution of each",
):
    """Which of several rolls is the highest, or whether a roll meets or beats a plain number."""

    expressions: tuple[str, ...] = argument(
        Expressions(),
        "Rolls with vs or v between, or each in quotation marks; equal ones tie. A roll vs a plain "
        "number succeeds if it meets or beats it.",
    )

    def report(self, run: Run) -> Report:
        laws = [numbers(law(text, run)) for text in self.expressions]
        missed = sum((parsed(text).missed(run) for text in self.expressions), mpq(0))
        bits = sum(each.denominator.bit_length() for each in laws)
        run.require(bytes_of_rationals(2 * sum(map(len, laws)), bits), "comparing the laws")
        chances = _highest(laws)
        names = [f"{place}: {text}" for place, text in enumerate(self.expressions, 1)]
        roll = text_column("roll", "its place and expression")
        near = [[_without_end(c, missed, None, run) for c in pair] for pair in chances]
        chance = column_for(cell for pair in near for cell in pair)
        columns = [
            roll,
            exact("mean", "its mean"),
            chance("wins", "chance that it is higher than all others"),
            chance("ties", "chance that it is the highest together with others"),
        ]
        known = [parsed(text).moments(run) for text in self.expressions] if missed else []
        mean = [m and m[0] for m in known] or [law.mean() for law in laws]
        won: Sequence[Sequence[Cell]] = near if missed else chances
        means = [(name, m, *pair) for name, m, pair in zip(names, mean, won, strict=True)]
        tails = [(n, *row[:3]) for n, law in zip(names, laws, strict=True) for row in _tails(law)]
        tables = [
            Table.of("rolls", "The rolls", means, *columns),
            Table.of("outcomes", "Their outcomes", tails, roll, *_OUTCOME[:3]),
        ]
        title = f"Dice: {' vs '.join(self.expressions)}"
        target = _target(laws)
        if target is None:
            tie = 1 - sum((wins for wins, _ in chances), mpq(0))
            events: list[_Event] = [
                ("value", "chance that the first is the highest", chances[0][0], None),
                ("tie", "chance that several are the highest", tie, None),
            ]
        else:
            [number], place = laws[target], 1 - target
            events = _meets(parsed(self.expressions[place]), number, *chances[place])
        quantities = [
            Quantity.of(name, meaning, _without_end(chance, missed, node, run))
            for name, meaning, chance, node in events
        ]
        return _report(title, quantities, tables, missed)


def _meets(roll: Node, number: int, wins: mpq, ties: mpq) -> list[_Event]:
    """List what can be asked of a roll and a number, first whether the roll succeeds."""
    asked = (
        ("value", ">=", "meets or beats the number", wins + ties),
        ("above", ">", "is above the number", wins),
        ("tie", "=", "is the number", ties),
    )
    return [
        (name, f"chance that the roll {meaning}", chance, Binary(sign, roll, Number(number)))
        for name, sign, meaning, chance in asked
    ]


def _target(laws: Sequence[Distribution[Any]]) -> int | None:
    """Place of a plain number that one roll is to meet; None if something else is compared."""
    plain = [place for place, law in enumerate(laws) if len(law) == 1]
    return plain[0] if len(laws) == 2 and len(plain) == 1 else None


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
    if "d(" in title:
        conventions = conventions | {"die": _ROLLED}
    if missed:
        conventions = conventions | {"explode": _ENDLESS}
        meaning = "chance, or more than that, of a roll that the law leaves out"
        quantities = [*quantities, exact("left_out", meaning)(missed)]
    return Report.of(title, conventions, *quantities, *tables)


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
    return [Table.of("dice", title, counted.law(run).probabilities().items(), *columns)]


def _of_event(
    node: Node, distribution: Distribution[Any], run: Run
) -> tuple[list[Quantity], list[Table]]:
    missed = node.missed(run)
    chance = _without_end(distribution.probability_that(bool), missed, node, run)
    value = Quantity.of("value", "probability of yes", chance)
    holds, chances = flag("outcome", "whether the comparison holds"), distribution.probabilities()
    return [value], [Table.of("outcomes", "Outcomes", chances.items(), holds, _OUTCOME[1])]


def _without_end(chance: mpq, missed: mpq, node: Node | None, run: Run) -> Enclosure:
    """Chance of an event in a law that is cut off: exactly if it can be, else between bounds."""
    exactly = node.chance_without_end(run) if missed and isinstance(node, Binary) else None
    if exactly is not None:
        return Enclosure.of(exactly)
    return Enclosure(max(chance - missed, mpq(0)), min(chance + missed, mpq(1)))


def _of_numbers(
    distribution: Distribution[Any], moments: tuple[mpq, mpq], is_whole: bool
) -> tuple[list[Quantity], list[Table]]:
    (mean, variance), root = moments, Root(moments[1])
    of = "" if is_whole else " of the law below, which leaves some out"
    deviation = text_column("standard_deviation", "its root, the standard deviation")
    median = whole("median", "smallest outcome that is reached in half of all rolls")
    quantities = [
        exact("value", f"mean{of}")(mean),
        exact("variance", f"variance{of}")(variance),
        deviation(f"{root} ≈ {root.decimal(10)}"),
        median(distribution.quantile("1/2")),
    ]
    return quantities, [Table.of("outcomes", "Outcomes", _tails(distribution), *_OUTCOME)]


def _tails(distribution: Distribution[Any]) -> Iterator[tuple[int, mpq, mpq, mpq]]:
    before = mpq(0)
    for outcome, chance in distribution.probabilities().items():
        yield outcome, chance, 1 - before, before + chance
        before += chance


def law_report(law: Distribution[Any]) -> Report:
    """Report every outcome with its probability."""
    types = {type(outcome) for outcome in law}
    kind = next((kind for kind, held in _KINDS.items() if types <= held), CellKind.TEXT)
    outcomes: Iterable[Any] = map(str, law) if kind is CellKind.TEXT else law
    if kind is CellKind.LIST:
        outcomes = (tuple(map(_entry, outcome)) for outcome in law)
    columns = [Column("outcome", "outcome", kind=kind), _OUTCOME[1]]
    rows = zip(outcomes, law.probabilities().values(), strict=True)
    return Report.of(
        "A distribution", {}, Table.of("outcomes", f"{len(law)} outcomes", rows, *columns)
    )


def _entry(entry: Any) -> Any:
    return entry if isinstance(entry, int | str) and not isinstance(entry, bool) else str(entry)


QUESTIONS = (DiceDistribution, DiceChance, DiceCompare)
