r"""Exact solution of the duel: equilibrium value and strategies of any two hands.

With hands :math:`H, K` and the payoff :math:`s` of a scratch to row, the duel is the matrix game

.. math::

    A_{ij} = w_{ij} - l_{ij} + t_{ij} \, v(H \setminus i, K \setminus j),
    \qquad v(\varnothing, \varnothing) = s,

where :math:`w, t, l` are the probabilities that row's die i wins, ties and loses against column's
die j, and :math:`v` is the value of the game: wins minus losses of row. Swapping the hands turns
the matrix into minus its transpose, so :math:`v(K, H) = -v(H, K)` for s = 0. The best response to a
uniformly random player is the same recursion with means instead of minima.

All numbers here are integers; as a model (`exactdice.models`) a duel takes several times as long.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import lcm
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike, brief, mpq, rational
from exactdice.games.fatestones import rules
from exactdice.games.fatestones.rules import Die, Hand
from exactdice.report import Reported
from exactdice.solve.matrix_games import (
    MatrixSolution,
    integer_matrix_game_value,
    solve_integer_matrix_game,
)

Ratio: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True)
class DuelSolution(Reported, by="exactdice.games.fatestones.reports:duel_report"):
    """An equilibrium of the duel of two hands."""

    row_hand: Hand
    column_hand: Hand
    scratch: mpq  # payoff of a scratch to row
    payoff: tuple[tuple[mpq, ...], ...]  # the matrix game of the first choices
    value: mpq  # expected payoff of row: 1 for a win, -1 for a loss, `scratch` for a scratch
    row: tuple[mpq, ...]  # probability to roll each die of the hand first
    column: tuple[mpq, ...]
    method: str  # how the first choices were solved

    def __str__(self) -> str:
        hands = f"{rules.encode_hand(self.row_hand)} against {rules.encode_hand(self.column_hand)}"
        return f"{hands}: worth {brief(self.value, 8)} to row"

    @property
    def certificate(self) -> MatrixSolution:
        return MatrixSolution(self.value, self.row, self.column, self.method)


def solve(row: Hand | str, column: Hand | str, scratch: RationalLike = 0) -> DuelSolution:
    """Return the value and optimal first choices of the duel of two hands.

    After a tie, solve the duel of the hands left.

    * `row`, `column`: one to three dice each, equally many; any dice, shared or not. As text,
      encodings of six-face dice separated by commas.
    * `scratch`: payoff of a scratch to row.

    Raises InputError if the hands are empty, too large or of different sizes, or `scratch` is not
    exact.

    >>> print(solve("111666,123456", "114456,333336"))
    111666,123456 against 114456,333336: worth 0 to row
    >>> solve("666666", "666666", "1/3").value
    mpq(1,3)

    Three dice against three: nine games of 2×2 and one of 3×3, about 0.2 ms.
    """
    row = rules.decode_hand(row, "row") if isinstance(row, str) else row
    column = rules.decode_hand(column, "column") if isinstance(column, str) else column
    rules.check_hands(row, column)
    worth = rational(scratch, "scratch")
    tied = worth.numerator, worth.denominator
    payoff, denominator = _payoff(row, column, tied, integer_matrix_game_value)
    solved = solve_integer_matrix_game(payoff, denominator)
    matrix = tuple(tuple(mpq(entry, denominator) for entry in entries) for entries in payoff)
    answer = solved.value, solved.row, solved.column, solved.method
    return DuelSolution(row, column, worth, matrix, *answer)


def answer_to_random(row: Hand, column: Hand, scratch: RationalLike = 0) -> list[mpq]:
    """Return row's expected payoff of each first choice against a uniformly random player."""
    rules.check_hands(row, column)
    worth = rational(scratch, "scratch")
    payoff, denominator = _payoff(row, column, (worth.numerator, worth.denominator), _best)
    return [mpq(sum(entries), denominator * len(entries)) for entries in payoff]


def _best(payoff: list[list[Any]]) -> Ratio:
    return max(map(sum, payoff)), len(payoff)


Evaluate: TypeAlias = Callable[[list[list[Any]]], Ratio]


def _ratio(row: Hand, column: Hand, scratch: Ratio, evaluate: Evaluate) -> Ratio:
    if not row:
        return scratch
    payoff, denominator = _payoff(row, column, scratch, evaluate)
    numerator, divisor = evaluate(payoff) if len(row) > 1 else (payoff[0][0], 1)
    return numerator, divisor * denominator


def _payoff(
    row: Hand, column: Hand, scratch: Ratio, evaluate: Evaluate
) -> tuple[list[list[Any]], Any]:
    rows_left = [rules.without(row, i) for i in range(len(row))]
    columns_left = [rules.without(column, j) for j in range(len(column))]
    ratios = []
    for die, row_left in zip(row, rows_left, strict=True):
        for other, column_left in zip(column, columns_left, strict=True):
            margin, ties, rolls = _counts(die, other)
            after, over = _ratio(row_left, column_left, scratch, evaluate)
            ratios.append((margin * over + ties * after, rolls * over))
    common = lcm(*(int(over) for _, over in ratios))
    entries = [numerator * (common // over) for numerator, over in ratios]
    size = len(column)
    return [entries[start : start + size] for start in range(0, len(entries), size)], common


@cache
def _counts(die: Die, other: Die) -> tuple[int, int, int]:
    outcomes = [rules.outcome(face, against) for face in die for against in other]
    return sum(outcomes), outcomes.count(0), len(outcomes)
