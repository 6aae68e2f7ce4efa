"""C++ solvers: against the exact ones, and a hash map over full states in the same language.

The rival in C++ is what one writes first for the software-engineering game: memoised recursion over
(rounds left, dice, score) with a hash map. A result counts as the same where the interval contains
the exact value, or the doubles agree to 12 digits.
"""

from gmpy2 import mpq

from benchmarks.bench import Bench, Measured, fastest
from exactdice.games import farkle
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.optimum.interval_search import optimum
from exactdice.native import solvers
from exactdice.native.farkle import farkle_turn


def agreeing(found: Measured, exact: Measured) -> tuple[Measured, Measured]:
    """Check a double against an exact value, and give both the same result."""
    error = abs(found.result - exact.result)
    assert error <= exact.result / 10**11, f"off by {error}"
    return Measured("agrees", found.seconds), Measured("agrees", exact.seconds)


def measure_swe(bench: Bench) -> None:
    """The software-engineering game."""
    full = fastest(lambda: solvers().swe_by_full_states([4, 6, 8, 12, 20], 14), 1)
    ours, theirs = agreeing(fastest(lambda: optimum(14).value), full)
    bench.add("SWE, 14 rounds, exact optimum", ours, "", "hash map in C++", theirs)
    exact = fastest(lambda: search(22).value, 1)
    bench.add("SWE, 22 rounds", fastest(lambda: optimum(22).value), "", "search of all", exact)
    bench.add("SWE, 50 rounds, exact optimum", fastest(lambda: optimum(50).value, 1), "600")


def measure_farkle(bench: Bench) -> None:
    """Farkle."""
    six = "1:1:1:1:1:1,2:1:1:1:1:1,1:1:1:1:2:1,3:1:1:1:2:1,1:2:1:1:1:1,1:1:2:1:1:1"
    pool = farkle.parse_dice(six)
    chances = [[mpq(w, die.denominator) for w in die.weights] for die in pool.dice]
    scores = [(c.faces, c.score) for c in farkle.KCD.combinations]
    turn = fastest(lambda: farkle_turn(chances, scores, 6000).value.lower)
    best = fastest(lambda: farkle.solve(pool).value, 1)
    ours, theirs = agreeing(turn, best)
    bench.add("Farkle, six different dice", ours, "0.05", "exact solver", theirs)


def measure(bench: Bench) -> None:
    """All figures."""
    measure_swe(bench)
    measure_farkle(bench)
