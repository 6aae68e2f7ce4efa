r"""The simplex method in doubles: which rows and columns an optimal solution of a game mixes.

The same linear program as in `matrix_games`, on a tableau of doubles. What comes out is a pair of
sets that may be wrong; `matrix_games` solves for the probabilities on them exactly, checks every
inequality exactly, and pivots in integers where the check fails.
"""

from collections.abc import Sequence
from typing import Any

_STEPS = 1 << 52  # an entry is rounded to this many steps between the least and the greatest


def mixed_choices(payoff: Sequence[Sequence[Any]]) -> tuple[list[int], list[int]] | None:
    """Guess which rows and which columns have positive probability, equally many of each.

    >>> mixed_choices([[0, -2, 1], [2, 0, -1], [-1, 1, 0]])
    ([0, 1, 2], [0, 1, 2])
    >>> mixed_choices([[4, 0], [0, 2], [1, 1]])
    ([0, 1], [0, 1])

    A pivot costs (m + 1)(n + 1) operations of numpy, about 30 µs for 200×200.
    """
    import numpy as np

    low, high = min(map(min, payoff)), max(map(max, payoff))
    spread = high - low
    steps = [[int((entry - low) * _STEPS // spread) for entry in row] for row in payoff]
    m, n = len(payoff), len(payoff[0])
    tableau = np.zeros((m + 1, n + 1), dtype=np.float64)
    tableau[:m, :n] = np.array(steps)
    tableau[:m, :n] /= _STEPS
    tableau[:m, :n] += 1
    tableau[:m, n] = 1
    tableau[m, :n] = -1
    tiny = 1 / tableau.dtype.type(1 << 30)
    outside, basis = np.arange(n), np.arange(n, n + m)
    stalled = False
    for _ in range(20 * (m + n)):
        costs = tableau[m, :n]
        falling = np.flatnonzero(costs < -tiny)
        if not len(falling):
            rows = sorted(int(v) - n for v in outside if v >= n)
            columns = sorted(int(v) for v in basis if v < n)
            return rows, columns
        s = int(falling[outside[falling].argmin()] if stalled else costs.argmin())
        rising = np.flatnonzero(tableau[:m, s] > tiny)
        if not len(rising):
            return None
        ratios = np.maximum(tableau[rising, n], 0) / tableau[rising, s]
        nearest = rising[ratios <= ratios.min() * (1 + tiny)]
        r = int(nearest[basis[nearest].argmin()] if stalled else nearest[0])
        stalled = bool(tableau[r, n] < tiny)
        _pivot(tableau, r, s)
        outside[s], basis[r] = basis[r], outside[s]
    return None


def _pivot(tableau: Any, r: int, s: int) -> None:
    """Exchange the variables of a row and a column."""
    pivot = tableau[r, s]
    column = tableau[:, s].copy()
    row = tableau[r] / pivot
    tableau -= column[:, None] * row
    tableau[r] = row
    tableau[:, s] = -column / pivot
    tableau[r, s] = 1 / pivot
