"""Claims about the structure of the software-engineering game: values, promotions and tables."""

from collections.abc import Iterator
from itertools import pairwise

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Finding, Verdict
from exactdice.games.swe.closed_forms.reachable import count_reachable, split_weights
from exactdice.games.swe.rules import STANDARD, WITH_D10
from exactdice.symbolic import count_points, ehrhart

__all__ = ["claims"]

_README = "the SWE game's README"
_US = "this package"
_PROVED = Verdict("proved")
_ROUNDS = 16


def _convex() -> Finding:
    # A value function for each table of weight up to R − left and each number of rounds left.
    functions = sum(count_points(split_weights(), weight) for weight in range(_ROUNDS))
    return Finding(_PROVED, {"functions": functions})


def _promotion_table() -> Finding:
    falls = [
        [text(mpq(1, low) - mpq(1, high)) for low, high in pairwise(ladder)]
        for ladder in (STANDARD, WITH_D10)
    ]
    return Finding(_PROVED, {"standard": falls[0], "with_d10": falls[1]})


def _telescoping() -> Finding:
    from exactdice.games.swe.closed_forms.catastrophe import telescoping

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


def claims() -> Iterator[Claim]:
    """List the claims.

    Examples
    --------
    >>> found = {claim.id: claim for claim in claims()}["swe.promotion-table"].find()
    >>> found.evidence["standard"]
    ['1/12', '1/24', '1/24', '1/30']
    """
    yield Claim(
        id="swe.convex",
        statement="under optimal play the value is a convex function of the score",
        latex=r"V_r(T, s - 1) + V_r(T, s + 1) \ge 2 V_r(T, s)",
        source=_US,
        domain="all numbers of rounds, tables and scores",
        method="theorem 2; second differences at all scores in games of up to 16 rounds",
        kind="search",
        parameters={"rounds": _ROUNDS},
        find=_convex,
        depends_on=("theorem 2",),
    )
    yield Claim(
        id="swe.promotion-table",
        statement="the gain 1/f − 1/g of a promotion falls weakly along 4, 6, 8, 12, 20, and with "
        "a d10 it does not",
        latex=r"\tfrac1{12} \ge \tfrac1{24} \ge \tfrac1{24} \ge \tfrac1{30}",
        source=_README,
        domain="neighbouring dice",
        method="the differences",
        kind="search",
        find=_promotion_table,
    )
    yield Claim(
        id="swe.telescoping",
        statement="within t rolls n equal dice have all failed with chance (1 − q^t)^n",
        latex=r"p^n \bigl(1 + q(1 + q(\cdots))\bigr)^n = (1 - q^t)^n",
        source=f"{_README}, which asks for it",
        domain="all n, t ≥ 1 and p = 1 − q",
        method="theorem 1; for t ≤ 12 at t + 1 points",
        kind="identity",
        parameters={"rolls": 12},
        find=_telescoping,
        depends_on=("theorem 1",),
    )
    yield Claim(
        id="swe.reachable-tables",
        statement="after t rounds exactly the tables of weight 1 to t can be reached; so 10 dice "
        "in revenue and 10 in legacy at once are impossible in 10 rounds",
        latex=r"1 \le \sum_i i\,(u_i + d_i) \le t",
        source=f"{_README} for the impossibility, {_US} for the exact set",
        domain="all t ≥ 1",
        method="theorem 6; for t ≤ 15 all tables listed, and counted by another formula",
        kind="search",
        parameters={"rounds": _ROUNDS - 1},
        find=_reachable,
        depends_on=("theorem 6",),
    )
    yield Claim(
        id="swe.lattice-points",
        statement="the tables of weight at most n, and the multisets of dice, are "
        "quasi-polynomials in n of period 60, of degrees 10 and 5",
        latex=r"\#\{x \in \mathbb{N}^5 : \textstyle\sum i x_i \le n\}",
        source=f"{_README}, as a guess",
        domain="all n ≥ 0",
        method="degree + 1 points in each residue class; no shorter period, no lower degree",
        kind="identity",
        parameters={"period": 60},
        find=_lattice_points,
        cites=("ehrhart",),
    )
