"""Zero-sum matrix games: random small whole payoffs, against pygambit and SymPy in rationals.

pygambit's `lp_solve(rational=True)` is the exact solver that a game theorist would pick; SymPy's
`lpmax` is the exact linear program that comes with this package's libraries. Figures are of a
hundred games of 3×3, or of one larger game; the rivals' from as many as they have time for.
pygambit is no dependency of any kind; `make bench` installs the version whose names are used here.
"""

import random

from gmpy2 import mpq
from sympy import Matrix, Symbol
from sympy.solvers.simplex import lpmax

from benchmarks.bench import Bench, Measured, fastest, gambit_value
from exactdice.solve.matrix_games import certifies, solve_matrix_game

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
    gambit = gambit_value()
    for size, times, limit in ((3, 100, "0.006"), (20, 1, "0.005"), (56, 1, "0.02"), (200, 1, "2")):
        batch = games(size, max(times, 3))
        ours = fastest(lambda batch=batch: [solve_matrix_game(p).value for p in batch], runs=5)
        assert all(certifies(payoff, solve_matrix_game(payoff)) for payoff in batch)
        seconds = ours.seconds * times / len(batch)
        what = f"{times} of {size}×{size}" if times > 1 else f"{size}×{size}"
        rivals = {
            "pygambit, rational": gambit and size < 100 and (lambda batch: [*map(gambit, batch)]),
            "SymPy, lpmax": size < 50 and sympy_values,
        }
        bench.add(what, seconds, limit)
        for name, values in rivals.items():
            if values:
                few = batch[: 1 if size > 20 else 3]
                theirs = fastest(lambda few=few, values=values: values(few), runs=1)
                bench.add(
                    what,
                    Measured(ours.result[: len(few)], seconds),
                    limit,
                    name,
                    Measured(theirs.result, theirs.seconds * times / len(few)),
                )
