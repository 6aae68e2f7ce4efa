"""The software-engineering game: the optimum, against a program with the score in the state.

The rival is the README's own program made exact: all states that play can reach, score included,
are listed round by round, and valued backwards over gmpy2.mpq with the rolls of each pool cached.
It must give the same value. The growth is that of the whole solution, policy included.
"""

from functools import cache
from itertools import product
from math import comb, log10, prod

from gmpy2 import mpq
from rich.console import Console

from benchmarks.bench import Bench, Measured, command, fastest
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, State, act, empty_table, legal_actions
from exactdice.symbolic.ehrhart import Simplex

GROWTH = (10, 15, 20, 25, 30, 35, 40)


@cache
def rolls(revenue):
    """(revenue dice kept, failed dice, chance) of each roll."""
    found = []
    for kept in product(*(range(number + 1) for number in revenue)):
        failed = tuple(n - k for n, k in zip(revenue, kept, strict=True))
        ways = prod(
            comb(n, k) * (faces - 1) ** k
            for n, k, faces in zip(revenue, kept, STANDARD, strict=True)
        )
        found.append(
            (kept, failed, mpq(ways, prod(f**n for f, n in zip(STANDARD, revenue, strict=True))))
        )
    return found


def ends(state):
    """The states after a roll, with their chances."""
    for kept, failed, chance in rolls(state.revenue):
        legacy = tuple(old + new for old, new in zip(state.legacy, failed, strict=True))
        yield State(kept, legacy, state.score + sum(kept) if any(kept) else 0), chance


def explicit_score(rounds):
    """The optimum by a dynamic program over states with their scores."""
    layers = [{empty_table()}]
    for _ in range(rounds):
        moved = {act(state, action) for state in layers[-1] for action in legal_actions(state)}
        layers.append({after for state in moved for after, _ in ends(state)})
    values = {state: mpq(state.score) for state in layers.pop()}
    while layers:
        worth = {}
        for state in {act(s, action) for s in layers[-1] for action in legal_actions(s)}:
            worth[state] = sum(chance * values[after] for after, chance in ends(state))
        values = {
            state: max(worth[act(state, action)] for action in legal_actions(state))
            for state in layers.pop()
        }
    return values[empty_table()]


def draw(growth):
    """Print seconds against rounds, ten times the seconds being ten columns more."""
    console = Console(width=120)
    console.print("Growth of the whole solution: each column is a factor of 10^(1/10)")
    for rounds, measured, blocks in growth:
        columns = max(1, round(10 * log10(measured.seconds / 0.001)))
        bar = "█" * columns
        console.print(f"{rounds:3} rounds {blocks:6} blocks {measured.seconds:8.3f} s {bar}")


def measure(bench: Bench) -> None:
    for rounds, limit in ((10, "0.1"), (13, "")):
        ours = fastest(lambda rounds=rounds: solve(rounds).value)
        theirs = fastest(lambda rounds=rounds: explicit_score(rounds), runs=1)
        bench.add(f"{rounds} rounds", ours, limit, "score in the state", theirs)
    growth: list[tuple[int, Measured, int]] = []
    for rounds in GROWTH:
        measured = fastest(lambda rounds=rounds: solve(rounds), runs=3 if rounds <= 20 else 1)
        blocks = len(measured.result.afterstates) + 1
        # Multisets of dice that play can make: lattice points of Σ (rung + 1)·number ≤ rounds.
        assert blocks == Simplex(range(1, len(STANDARD) + 1), rounds).size
        growth.append((rounds, measured, blocks))
    draw(growth)
    bench.add("22 rounds", fastest(lambda: solve(22)), "5")
    for rounds, limit in ((22, "5"), (30, "60; 2048 MiB")):
        seconds, mebibytes = command("swe", "value", str(rounds))
        bench.add(f"swe value {rounds}, whole command, {mebibytes:.0f} MiB", seconds, limit)
