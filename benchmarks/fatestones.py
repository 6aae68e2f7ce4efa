"""FateStones: duels and the census of all deals, compared with plain recursions over Fractions.

The rival is a first implementation: the definition over fractions.Fraction, with games of 2×2 and
3×3 solved by searching for a kernel with Fractions, and by pygambit in rationals if installed. It
may find other equilibria of a game, but never another value.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

from gmpy2 import mpq

from benchmarks.bench import Bench, Measured, fastest, gambit_value
from exactdice.arithmetic import to_fraction
from exactdice.games import fatestones
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import deal
from exactdice.studies.fatestones.censuses import PairValues, tally
from exactdice.studies.fatestones.counting import nontransitive_coefficients

Payoff = list[list[Fraction]]


def kernel_value(payoff: Payoff) -> Fraction:
    """Value of a small game: Cramer's rule on every square part until one certifies itself."""
    size = len(payoff)
    for part in range(1, size + 1):
        for rows in combinations(range(size), part):
            for columns in combinations(range(size), part):
                square = [[payoff[i][j] for j in columns] for i in rows]
                x = equalising(list(map(list, zip(*square, strict=True))))
                y = equalising(square)
                if x is None or y is None:
                    continue
                gains = [
                    sum(p * payoff[i][j] for p, i in zip(x, rows, strict=True)) for j in range(size)
                ]
                costs = [
                    sum(q * payoff[i][j] for q, j in zip(y, columns, strict=True))
                    for i in range(size)
                ]
                if min(gains) == max(costs):
                    return min(gains)
    raise AssertionError("every game has a kernel")


def equalising(square: Payoff) -> list[Fraction] | None:
    """Probabilities that make all rows pay the same, by elimination; None if there are none."""
    size = len(square)
    rows = [[*row, Fraction(-1), Fraction(0)] for row in square]
    rows.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
    for column in range(size + 1):
        pivot = next((i for i in range(column, size + 1) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(size + 1):
            if i != column and rows[i][column]:
                factor = rows[i][column] / rows[column][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    found = [rows[i][-1] / rows[i][i] for i in range(size)]
    return found if min(found) >= 0 else None


def plain_duel(row: tuple, column: tuple, value: Callable[[Payoff], Fraction]) -> Fraction:
    """Value of a duel by its definition."""
    if not row:
        return Fraction(0)
    payoff = []
    for i, die in enumerate(row):
        entries = []
        for j, against in enumerate(column):
            outcomes = [(a > b) - (a < b) for a in die for b in against]
            entry = Fraction(sum(outcomes), len(outcomes))
            tie = Fraction(outcomes.count(0), len(outcomes))
            left = row[:i] + row[i + 1 :], column[:j] + column[j + 1 :]
            entries.append(entry + tie * plain_duel(*left, value))
        payoff.append(entries)
    return payoff[0][0] if len(row) == 1 else value(payoff)


def measure(bench: Bench) -> None:
    source = Random(1)  # noqa: S311 - the same deals in every run
    deals = [deal(source) for _ in range(200)]
    solved = fastest(lambda: [fatestones.solve(*deal).value for deal in deals], runs=5)
    duel = Measured([to_fraction(value) for value in solved.result], solved.seconds / len(deals))
    bench.add("one duel, 3 v 3", duel, "0.001")
    rivals = {"plain, by kernels": kernel_value, "pygambit, plain recursion": gambit_value()}
    for name, value in rivals.items():
        if value is not None:
            few = deals[:10]
            rival = fastest(
                lambda few=few, value=value: [plain_duel(*d, value) for d in few], runs=1
            )
            bench.add(
                "one duel, 3 v 3",
                Measured(duel.result[: len(few)], duel.seconds),
                "0.001",
                name,
                Measured(rival.result, rival.seconds / len(few)),
            )
    tables = BagTables(fatestones.bag())
    values = fastest(lambda: PairValues(tables), runs=1)
    hands = range(0, len(tables.triples), 124)
    part = fastest(lambda: tally(values.result, hands).deals, runs=1)
    whole = values.seconds + part.seconds * tables.deals / part.result
    bench.add(f"census of all {tables.deals} deals, from {part.result}", whole, "1800 (2 cores)")
    best = fastest(lambda: fatestones.best_response().edge, runs=1)
    assert best.result == mpq(90873934003, 2525018387424)
    bench.add("best response to random play, all deals", best, "")
    bench.add("triples of 6 faces", fastest(lambda: nontransitive_coefficients(6), 1))
