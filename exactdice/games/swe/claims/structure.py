"""Claims about the structure of the software-engineering game: values, promotions and tables."""

from exactdice.arithmetic import text
from exactdice.claims.model import Finding, Verdict
from exactdice.games.swe.closed_forms.catastrophe import telescoping
from exactdice.games.swe.closed_forms.reachable import count_reachable, split_weights
from exactdice.games.swe.rules import STANDARD, WITH_D10, promotion_table
from exactdice.symbolic import count_points, ehrhart

_PROVED = Verdict("proved")
_ROUNDS = 16


def _convex() -> Finding:
    # A value function for each table of weight up to R − left and each number of rounds left.
    functions = sum(count_points(split_weights(), weight) for weight in range(_ROUNDS))
    return Finding(_PROVED, {"functions": functions})


def _promotion_table() -> Finding:
    ladders = {"standard": STANDARD, "with_d10": WITH_D10}
    gains = {n: [text(rung.gain) for rung in promotion_table(x)[:-1]] for n, x in ladders.items()}
    return Finding(_PROVED, gains)


def _telescoping() -> Finding:
    telescoping()  # the closed form, proved by induction with SymPy
    return Finding(_PROVED, {"points": sum(rolls + 1 for rolls in range(1, 13))})


def _reachable() -> Finding:
    weighs = sum(weight for weight in (1, 1) for _ in range(10))
    tables = [count_reachable(rounds) for rounds in range(1, _ROUNDS)]
    return Finding(_PROVED, {"tables": tables, "ten_and_ten_weigh": weighs})


def _lattice_points() -> Finding:
    simplices = {"dice": ehrhart(1, 2, 3, 4, 5), "tables": ehrhart(*split_weights())}
    return Finding(
        _PROVED,
        {"at_10_22_100": {name: [s(n) for n in (10, 22, 100)] for name, s in simplices.items()}},
        {
            "coefficients": {
                name: [[text(c) for c in row] for row in simplex.quasi_polynomial.residues]
                for name, simplex in simplices.items()
            }
        },
    )


#: What finds whether a claim of the table holds, by its id.
FINDERS = {
    "swe.convex": _convex,
    "swe.promotion-table": _promotion_table,
    "swe.telescoping": _telescoping,
    "swe.reachable-tables": _reachable,
    "swe.lattice-points": _lattice_points,
}
