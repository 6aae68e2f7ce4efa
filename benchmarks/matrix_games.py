"""Zero-sum matrix games: random small whole payoffs, against pygambit and SymPy in rationals.

pygambit's `lp_solve(rational=True)` is the exact solver that a game theorist would pick; SymPy's
`lpmax` is the exact linear program that comes with this package's libraries. Figures are of a
hundred games of 3×3, or of one larger game; the rivals' from as many as they have time for.
pygambit is no dependency of any kind: `pip install pygambit` to compare with it.
"""

import random
import sys
from collections.abc import Callable
from fractions import Fraction

from gmpy2 import mpq
from sympy import Matrix, Symbol
from sympy.solvers.simplex import lpmax

from benchmarks.bench import Bench, Measured, fastest
from exactdice.solvers.matrix_games import certifies, solve_matrix_game

Payoff = list[list[int]]


def games(size: int, count: int) -> list[Payoff]:
    """Square games of payoffs from −9 to 9 without a saddle point, always the same ones."""
    source = random.Random(size)  # noqa: S311 - the same games in every run
    found: list[Payoff] = []
    while len(found) < count:
        payoff = [[source.randint(-9, 9) for _ in range(size)] for _ in range(size)]
        if solve_matrix_game(payoff).method != "saddle point":
            found.append(payoff)
    return found


def gambit_values() -> Callable[[list[Payoff]], list[mpq]] | None:
    """Values by pygambit, or None where it is not installed."""
    try:
        import numpy as np
        import pygambit
    except ImportError:
        print(
            "matrix_games: pygambit is not installed, so there is no comparison with it",
            file=sys.stderr,
        )
        return None

    def value(payoff: Payoff) -> mpq:
        entries = np.array([[Fraction(entry) for entry in row] for row in payoff], dtype=object)
        game = pygambit.Game.from_arrays(entries, -entries)
        equilibrium = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
        exact = Fraction(str(equilibrium.payoff(next(iter(game.players)))))
        return mpq(exact.numerator, exact.denominator)

    return lambda batch: [value(payoff) for payoff in batch]


def sympy_values(batch: list[Payoff]) -> list[mpq]:
    """Values by SymPy's exact linear program, after a shift that makes them positive."""
    found = []
    for payoff in batch:
        weights = [Symbol(f"y{j}") for j in range(len(payoff))]
        paid = (Matrix(payoff) + 10 * Matrix.ones(len(payoff), len(payoff))) * Matrix(weights)
        optimum, _ = lpmax(
            sum(weights), [row <= 1 for row in paid] + [weight >= 0 for weight in weights]
        )
        found.append(1 / mpq(int(optimum.p), int(optimum.q)) - 10)
    return found


def measure(bench: Bench) -> None:
    gambit = gambit_values()
    for size, times, limit in ((3, 100, "0.006"), (20, 1, "0.005"), (56, 1, "0.02"), (200, 1, "2")):
        batch = games(size, max(times, 3))
        ours = fastest(lambda batch=batch: [solve_matrix_game(p).value for p in batch], runs=5)
        assert all(certifies(payoff, solve_matrix_game(payoff)) for payoff in batch)
        seconds = ours.seconds * times / len(batch)
        what = f"{times} of {size}×{size}" if times > 1 else f"{size}×{size}"
        rivals = {
            "pygambit, rational": gambit if size < 100 else None,
            "SymPy, lpmax": sympy_values if size < 50 else None,
        }
        bench.add(what, seconds, limit)
        for name, values in rivals.items():
            if values is not None:
                few = batch[: 1 if size > 20 else 3]
                theirs = fastest(lambda few=few, values=values: values(few), runs=1)
                bench.add(
                    what,
                    Measured(ours.result[: len(few)], seconds),
                    limit,
                    name,
                    Measured(theirs.result, theirs.seconds * times / len(few)),
                )
