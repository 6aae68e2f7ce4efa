"""Questions about dice on the command line, in Python and on the web; reports of distributions."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import prod
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution
from exactdice.dice.expressions import law, parsed, read_expression
from exactdice.dice.nodes import Binary, Counted, Dice, Node, Number, numbers
from exactdice.dice.rolled import Root
from exactdice.dice.tokens import ExpressionError
from exactdice.enclosure import Enclosure, percent
from exactdice.errors import InputError
from exactdice.question import Question, argument
from exactdice.question.domains import Domain
from exactdice.report.eyes import bytes_of_rationals
from exactdice.report.model import (
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
    "dice": "fair and independent; every mention of dice is a separate roll",
    "arithmetic": "// rounds down, % is its remainder; yes counts as 1 and no as 0",
}
_ENDLESS = (
    "the table follows explosions until fewer than one die in 10^12 explodes again; single numbers "
    "are those of unlimited explosions. An interval means that only bounds are computed: exact "
    "values are computed for sums, multiples, quotients, counts, maxima, minima and kept dice, if "
    "few unlike dice explode"
)
_ROLLED = "2d(3d4) is two rolls of 3d4 (AnyDice); in Foundry 3d4 is the number of faces"
_OUTCOME = [
    whole("outcome", "result of the roll"),
    exact("probability", "probability of this outcome"),
    exact("at_least", "probability of this outcome or more"),
    exact("at_most", "probability of this outcome or less"),
]
_KINDS: dict[CellKind, set[type]] = {
    CellKind.FLAG: {bool},
    CellKind.WHOLE: {int},
    CellKind.EXACT: {int, mpq},
    CellKind.LIST: {tuple},
}

MAX_COMPARED = 20  # expressions


class Expression(Domain[str]):
    metavar = "EXPRESSION"
    takes_words = True

    def __init__(self, *, of_totals: bool = False) -> None:
        self._of_totals = of_totals

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str):
            raise InputError(name, value, "a dice expression such as 3d6 + 2")
        return read_expression(value, of_totals=self._of_totals)


class Expressions(Domain[tuple[str, ...]]):
    """Two or more expressions, with ``vs`` or ``v`` between them."""

    metavar = "EXPRESSION vs EXPRESSION"
    takes_words = True
    _VERSUS = re.compile(r"(?:^|(?<!\s)\s+)(?:vs?\.?|versus)(?:\s+|$)|;", re.IGNORECASE)

    def apart(self, text: str) -> list[str]:
        return self._VERSUS.split(text)

    def read(self, value: Any, name: str) -> tuple[str, ...]:
        texts = self.apart(value) if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not 2 <= len(texts) <= MAX_COMPARED:
            wanted = f"2 to {MAX_COMPARED} expressions, such as 4d6kh3 vs 3d6"
            raise InputError(name, value, wanted)
        if "" in texts:
            raise InputError(name, value, "a roll before and after each vs")
        return tuple(Expression().read(text, name) for text in texts)

    def write(self, value: tuple[str, ...]) -> str:
        return " vs ".join(value)

    def joined(self, words: Sequence[str]) -> str:
        """Join words; without ``vs`` each is an expression of its own."""
        text = " ".join(words)
        return text if len(self.apart(text)) > 1 else " vs ".join(words)


class DiceDistribution(
    Question,
    example="'4d6 keep highest 3'",
    takes="a moment; seconds to keep half of 200 dice of 100 sides",
):
    """Exact distribution of a dice expression, such as 3d6 + 2, 4d6kh3 or 2d10 > d12."""

    expression: str = argument(
        Expression(), "Dice, e.g. 3d6 + 2, 4d6kh3, 'd8 > d6', '2d6!'; see exactdice help dice."
    )

    def report(self, run: Run) -> Report:
        node = parsed(self.expression)
        size, bits = _size(node, run)
        run.require(bytes_of_rationals(3 * size, bits), f"the table of {node}")
        distribution = law(self.expression, run)
        written = bytes_of_rationals(3 * len(distribution), distribution.denominator.bit_length())
        run.require(written, f"the table of {self.expression}")
        missed = node.missed(run)
        if any(isinstance(outcome, bool) for outcome in distribution):
            quantities, tables = _of_event(node, distribution, run)
            tables += _counted(node, run)
            says = f"probability of {self.expression}"
        else:
            quantities, tables = _of_numbers(node, distribution, missed, run)
            says = f"on average with {self.expression}"
        return _report(f"Dice: {self.expression}", quantities, tables, missed, says)


class DiceChance(
    Question, example="'2d20 keep highest + 5 >= 15'", takes="as long as dice distribution"
):
    """Exact probability that a comparison of dice is true, such as 3d6 >= 10 or d8 > d6."""

    expression: str = argument(
        Expression(of_totals=True), "A comparison in quotation marks, e.g. '3d6 >= 10', 'd8 > d6'."
    )

    def check(self) -> None:
        node = parsed(self.expression)
        if not node.is_event:
            wanted = "a comparison in quotation marks, such as '3d6 >= 10'"
            raise ExpressionError(self.expression, wanted, self.expression, len(self.expression))

    def report(self, run: Run) -> Report:
        distribution, node = law(self.expression, run), parsed(self.expression)
        quantities, _ = _of_event(node, distribution, run)
        missed, chance = node.missed(run), quantities[0].value
        if isinstance(chance, mpq):
            odds = text_column("odds", "odds in favour")
            quantities.append(odds(f"{chance.numerator}:{chance.denominator - chance.numerator}"))
            missed = mpq(0)
        says = f"probability of {self.expression}"
        return _report(f"Chance: {self.expression}", quantities, [], missed, says)


class DiceCompare(
    Question, example="'4d6 keep highest 3 vs 3d6'", takes="as long as dice distribution for each"
):
    """Which of several rolls is the highest, or whether a roll meets or beats a number."""

    expressions: tuple[str, ...] = argument(
        Expressions(),
        "Rolls with vs or v between them, or each in quotation marks; equal rolls tie. A roll vs a "
        "plain number succeeds if it meets or beats it.",
    )

    def report(self, run: Run) -> Report:
        rolls = [numbers(law(text, run)) for text in self.expressions]
        nodes = [parsed(text) for text in self.expressions]
        missed = sum((node.missed(run) for node in nodes), mpq(0))
        bits = sum(each.denominator.bit_length() for each in rolls)
        run.require(bytes_of_rationals(2 * sum(map(len, rolls)), bits), "the comparison")
        chances = _highest(rolls)
        if missed and len(nodes) == 2:
            sides = [Number(*x) if len(x) == 1 else of for x, of in zip(rolls, nodes, strict=True)]
            signs = (_chance(Binary(sign, *sides), run) for sign in (">", "=", "<"))
            exactly = [chance for chance in signs if chance is not None]
            if len(exactly) == 3:
                wins, tie, loses = exactly
                chances, missed = [(wins, tie), (loses, tie)], mpq(0)
        names = [f"{place}: {text}" for place, text in enumerate(self.expressions, 1)]
        near = [[_bounded(chance, missed) for chance in pair] for pair in chances]
        chance = column_for(cell for pair in near for cell in pair)
        columns = [
            text_column("roll", "number and expression"),
            exact("mean", "expected value of the roll"),
            chance("wins", "probability of being higher than all others"),
            chance("ties", "probability of being the highest together with others"),
        ]
        known = (node.moments(run) for node in nodes)
        means = [(n, m and m[0], *pair) for n, m, pair in zip(names, known, near, strict=True)]
        tails = [
            exact(f"{tail.name}_{place}", f"{tail.meaning}, {name}")
            for place, name in enumerate(names, 1)
            for tail in _OUTCOME[1:]
        ]
        tables = [
            Table.of("rolls", "The rolls", means, *columns),
            Table.of("outcomes", "Their outcomes", _tails(*rolls), _OUTCOME[0], *tails),
        ]
        title = f"Dice: {' vs '.join(self.expressions)}"
        plain = [place for place, each in enumerate(rolls) if len(each) == 1]
        if len(rolls) == 2 and len(plain) == 1:  # a roll against a number
            wins, tie = chances[1 - plain[0]]
            roll, [target] = self.expressions[1 - plain[0]], rolls[plain[0]]
            says = f"{roll} meets or beats {target}; {percent(_bounded(wins, missed))} it is "
            says += f"above {target}"
            events = [
                ("value", "the roll meets or beats the number", wins + tie),
                ("above", "the roll is above the number", wins),
                ("tie", "the roll is the number", tie),
                ("lose", "the roll is below the number", 1 - wins - tie),
            ]
        else:
            several = 1 - sum((wins for wins, _ in chances), mpq(0))
            events = [("value", "the first is the highest", chances[0][0])]
            events.append(("tie", "several are the highest", several))
            events += [("lose", "the second is the highest", chances[1][0])] * (len(rolls) == 2)
            says = f"{self.expressions[0]} is higher than {' and '.join(self.expressions[1:])}"
            says += f"; {percent(_bounded(several, missed))} they are equal" * (len(rolls) == 2)
        quantities = [
            Quantity.of(name, f"probability that {meaning}", _bounded(chance, missed))
            for name, meaning, chance in events
        ]
        return _report(title, quantities, tables, missed, says)


class DiceMean(
    Question,
    example="'((((d4)d6)d8)d12)d20'",
    takes="a moment for sums, counts and products; for other parts as long as dice distribution",
):
    """Exact mean and variance of a dice expression, also of dice whose table would be too large."""

    expression: str = argument(Expression(), "Dice, e.g. '1000d1000', '(10d6)d6', '3d6! * 2'.")

    def report(self, run: Run) -> Report:
        node = parsed(self.expression)
        if (moments := node.moments(run)) is None:
            wanted = (
                "sums, quotients, counts, maxima, minima or kept dice, if few unlike dice explode"
            )
            raise InputError("expression", str(node), wanted)
        says, of = f"on average with {self.expression}", _of_moments("the roll", moments)
        return _report(f"Mean: {self.expression}", of, [], mpq(0), says)


def _tails(*rolls: Distribution[Any]) -> Iterable[tuple[Any, ...]]:
    cells: list[list[Any]] = [sorted(set().union(*rolls))]
    for roll in rolls:
        chances = [roll.probability(outcome) for outcome in cells[0]]
        reached = [*accumulate(chances)]
        least = [1 - upto + chance for upto, chance in zip(reached, chances, strict=True)]
        cells += [chances, least, reached]
    return zip(*cells, strict=True)


def _highest(rolls: Sequence[Distribution[Any]]) -> list[tuple[mpq, mpq]]:
    """Return each roll's probabilities of being the highest alone, and together with others."""
    total = prod(each.denominator for each in rolls)
    below, alone, together = ([0] * len(rolls) for _ in range(3))
    for outcome in sorted(set().union(*rolls)):
        here = [each.get(outcome, 0) for each in rolls]
        upto = [b + h for b, h in zip(below, here, strict=True)]
        for i, weight in enumerate(here):
            if weight:
                alone[i] += weight * prod(below[:i] + below[i + 1 :])
                together[i] += weight * prod(upto[:i] + upto[i + 1 :])
        below = upto
    return [(mpq(a, total), mpq(t - a, total)) for a, t in zip(alone, together, strict=True)]


def _report(
    title: str, quantities: list[Quantity], tables: list[Table], missed: mpq, says: str
) -> Report:
    conventions = _CONVENTIONS
    if "d(" in title:
        conventions = conventions | {"die": _ROLLED}
    if missed:
        conventions = conventions | {"explode": _ENDLESS}
        meaning = "upper bound on the probability omitted from the table"
        quantities = [*quantities, exact("left_out", meaning)(missed)]
    return Report.of(title, conventions, *quantities, *tables, says=says)


def _counted(node: Node, run: Run) -> list[Table]:
    if not (isinstance(node, Binary) and isinstance(node.right, Number)):
        return []
    dice = node.left
    if not isinstance(dice, Dice) or (dice.number_of_dice or 0) < 2:
        return []
    counted = Counted(dice, node.sign, node.right.value)
    satisfying = whole("dice", "number of dice that satisfy it themselves")
    chance = exact("probability", "probability of this number")
    rows = counted.law(run).probabilities().items()
    title = f"Each die instead of the total: {counted} (Roll20)"
    return [Table.of("dice", title, rows, satisfying, chance)]


def _of_event(
    node: Node, distribution: Distribution[Any], run: Run
) -> tuple[list[Quantity], list[Table]]:
    missed = node.missed(run)
    exactly = _chance(node, run) if missed else None
    bounded = _bounded(distribution.probability_that(bool), missed)
    chance = bounded if exactly is None else exactly
    value = Quantity.of("value", "probability that the comparison holds", chance)
    holds, chances = flag("outcome", "whether the comparison holds"), distribution.probabilities()
    return [value], [Table.of("outcomes", "Outcomes", chances.items(), holds, _OUTCOME[1])]


def _chance(event: Node, run: Run) -> mpq | None:
    """Return the probability with unlimited explosions; None if it is not known."""
    roll = event.exactly(run)
    return None if roll is None else mpq(roll.probability(1))


def _size(node: Node, run: Run) -> tuple[int, int]:
    """Return the number of outcomes of a sum of dice, and the bits of their weights."""
    if isinstance(node, Binary) and node.sign in ("+", "-"):
        (one, first), (two, second) = _size(node.left, run), _size(node.right, run)
        return one + two, first + second
    if not isinstance(node, Dice) or node.rolled_by:
        return 1, 1
    die = node.die(run)
    return int(node.number * (max(die) - min(die))), node.number * die.denominator.bit_length()


def _bounded(chance: mpq, missed: mpq) -> Enclosure | mpq:
    bounds = max(chance - missed, mpq(0)), min(chance + missed, mpq(1))
    return Enclosure(*bounds) if missed else chance


def _of_numbers(
    node: Node, distribution: Distribution[Any], missed: mpq, run: Run
) -> tuple[list[Quantity], list[Table]]:
    known = node.moments(run) if missed else None
    of = "the table below, which omits some outcomes" if missed and not known else "the roll"
    moments = known or (distribution.mean(), distribution.variance())
    median = whole("median", "smallest outcome whose cumulative probability is at least 1/2")
    quantities = [*_of_moments(of, moments), median(distribution.median())]
    return quantities, [Table.of("outcomes", "Outcomes", _tails(distribution), *_OUTCOME)]


def _of_moments(of: str, moments: tuple[mpq, mpq]) -> list[Quantity]:
    root, deviation = Root(moments[1]), text_column("standard_deviation", "square root of variance")
    return [
        exact("value", f"mean of {of}")(moments[0]),
        exact("variance", f"variance of {of}")(moments[1]),
        deviation(f"{root} ≈ {root.decimal(10)}"),
    ]


def law_report(roll: Distribution[Any]) -> Report:
    types = {type(outcome) for outcome in roll}
    kind = next((kind for kind, held in _KINDS.items() if types <= held), CellKind.TEXT)
    outcomes: Iterable[Any] = map(str, roll) if kind is CellKind.TEXT else roll
    if kind is CellKind.LIST:
        outcomes = (tuple(map(_entry, outcome)) for outcome in roll)
    columns = [Column("outcome", "result of the roll", kind=kind), _OUTCOME[1]]
    rows = zip(outcomes, roll.probabilities().values(), strict=True)
    table = Table.of("outcomes", f"{len(roll)} outcomes", rows, *columns)
    return Report.of("A distribution", {}, table)


def _entry(entry: Any) -> Any:
    return entry if isinstance(entry, int | str) and not isinstance(entry, bool) else str(entry)
