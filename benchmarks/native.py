"""C++ solvers: against the exact ones, and a hash map over full states in the same language.

The rival in C++ is what one writes first for the software-engineering game: memoised recursion over
(rounds left, dice, score) with a hash map. A result counts as the same where the interval contains
the exact value, or the doubles agree to 12 digits.
"""

from gmpy2 import mpq

from benchmarks.bench import Bench, Measured, fastest
from exactdice.games import farkle, fatestones, reroll, risk
from exactdice.games.fatestones.census import census
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.optimum.interval_search import optimum
from exactdice.native import fatestones as native_fatestones
from exactdice.native import risk as fast_risk
from exactdice.native import solvers
from exactdice.native import swe as native
from exactdice.native.farkle import farkle_turn
from exactdice.native.reroll import reroll as fast_reroll


def agreeing(found: Measured, exact: Measured) -> tuple[Measured, Measured]:
    """Check a double against an exact value, and give both the same result."""
    error = abs(found.result - exact.result)
    assert error <= exact.result / 10**11, f"off by {error}"
    return Measured("agrees", found.seconds), Measured("agrees", exact.seconds)


def measure_swe(bench: Bench) -> None:
    """The software-engineering game."""

    def doubles(rounds: int) -> Measured:
        return fastest(lambda: native.solve(rounds).value.lower, 3 if rounds < 40 else 1)

    def intervals(rounds: int) -> Measured:
        return fastest(lambda: native.solve(rounds, intervals=True), 3 if rounds < 40 else 1)

    full = fastest(lambda: solvers().swe_by_full_states([4, 6, 8, 12, 20], 14), 1)
    ours, theirs = agreeing(doubles(14), full)
    bench.add("SWE, 14 rounds, doubles", ours, "", "hash map in C++", theirs)
    exact = fastest(lambda: search(22).value, 1)
    ours, theirs = agreeing(doubles(22), exact)
    bench.add("SWE, 22 rounds, doubles", ours, "0.05", "exact search", theirs)
    enclosed = intervals(22)
    assert exact.result in enclosed.result.value
    bench.add("SWE, 22 rounds, intervals", enclosed, "8 × doubles")
    searched = fastest(lambda: optimum(22).value)
    bench.add("SWE, 22 rounds, intervals then exact", searched, "", "exact search", exact)
    for rounds, limit in ((30, "0.5"), (50, "15")):
        bench.add(f"SWE, {rounds} rounds, doubles", doubles(rounds), limit)
        bench.add(f"SWE, {rounds} rounds, intervals", intervals(rounds), "8 × doubles")
    bench.add("SWE, 50 rounds, exact optimum", fastest(lambda: optimum(50).value, 1), "600")


def measure_others(bench: Bench) -> None:
    """Risk, Farkle, the reroll game and FateStones."""
    grid = fastest(lambda: float(fast_risk.grid(1000, 1000)[0][1000, 1000]))
    bench.add("Risk, 1000 × 1000", grid, "0.1")
    small = fastest(lambda: float(fast_risk.grid(300, 300)[0][300, 300]))
    table = fastest(lambda: risk.win_table(300, 300, "fighting")[300, 300], 1)
    ours, theirs = agreeing(small, table)
    bench.add("Risk, 300 × 300", ours, "", "exact table", theirs)

    six = "1:1:1:1:1:1,2:1:1:1:1:1,1:1:1:1:2:1,3:1:1:1:2:1,1:2:1:1:1:1,1:1:2:1:1:1"
    pool = farkle.parse_dice(six)
    chances = [[mpq(w, die.denominator) for w in die.weights] for die in pool.dice]
    scores = [(c.faces, c.score) for c in farkle.KCD.combinations]
    turn = fastest(lambda: farkle_turn(chances, scores, 6000).value.lower)
    best = fastest(lambda: farkle.solve(pool).value, 1)
    ours, theirs = agreeing(turn, best)
    bench.add("Farkle, six different dice", ours, "0.05", "exact solver", theirs)

    rules = reroll.Rules(dice=7)
    bias = [rules.bias[0]] * 6
    values = [rules.penalty * value for value in rules.values]
    found = fastest(lambda: fast_reroll(7, values, bias, rules.penalty).value.lower)
    exact = fastest(lambda: reroll.solve(rules).value, 1)
    ours, theirs = agreeing(found, exact)
    bench.add("reroll, 7 dice", ours, "", "policy iteration", theirs)

    dice = fatestones.bag()
    whole = fastest(lambda: native_fatestones.census(dice).mean_absolute.lower, 1)
    bench.add("FateStones census", whole, "5")
    few = fastest(lambda: native_fatestones.census(dice[:14]).mean_absolute.lower)
    slow = fastest(lambda: census(dice[:14]).mean_absolute_value, 1)
    ours, theirs = agreeing(few, slow)
    bench.add("FateStones, 14 dice", ours, "", "exact census", theirs)


def measure(bench: Bench) -> None:
    """All figures."""
    measure_swe(bench)
    measure_others(bench)
