"""Claims about software-engineering games of any length, which rest on theorems."""

from collections.abc import Iterator
from functools import partial

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.swe.claims.few_rounds import unbroken
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, Kind, State, act

__all__ = ["claims"]

_ROUNDS = 10
_LATE = ((3, 8), (4, 5), (5, 4))  # rounds left, and how many d4, of theorem 22


def _bounded() -> Finding:
    """Optimum and bound in games of 1 to 10 rounds, for the most robust die of the ladder."""
    survives = mpq(STANDARD[-1] - 1, STANDARD[-1])
    ratio = survives / (1 - survives)
    bounds = [ratio * r - ratio**2 * (1 - survives**r) for r in range(1, _ROUNDS + 1)]
    values = [solve(rounds).value for rounds in range(1, _ROUNDS + 1)]
    is_below = all(value <= bound for value, bound in zip(values, bounds, strict=True))
    verdict = Verdict("proved") if is_below else Verdict("refuted")
    return Finding(verdict, {"bounds": list(map(text, bounds)), "ratio": text(ratio)})


def _repairs() -> Finding:
    """Both sides for always creating: survivals of d4, and what is left of the rounds."""
    revenue = survivals = mpq(0)
    for _ in range(_ROUNDS):
        revenue = mpq(3, 4) * (revenue + 1)
        survivals += revenue
    verdict = Verdict("proved" if survivals / 3 == _ROUNDS - revenue else "refuted")
    found = {"revenue": text(revenue), "survivals": text(survivals)}
    return Finding(verdict, found)


def _create_late() -> Finding:
    chances: list[Content] = []
    for left, dice in _LATE:
        table = State((dice, 0, 0, 0, 0), (0,) * len(STANDARD), 0)
        after = [act(table, Action(kind, 0)) for kind in (Kind.CREATE, Kind.PROMOTE)]
        chances.append([left, dice, *(text(unbroken(left, then)) for then in after)])
    is_less = all(mpq(after[2]) < mpq(after[3]) for after in chances)
    return Finding(Verdict("proved" if is_less else "open"), {"no_catastrophe": chances})


def claims() -> Iterator[Claim]:
    """List the claims.

    Examples
    --------
    >>> [claim.id for claim in claims()]
    ['swe.bounded', 'swe.repair-budget', 'swe.create-late']
    """
    proved = partial(Claim, source="this package", kind="induction")
    yield proved(
        id="swe.bounded",
        statement="the value of R rounds is at most 19R − 361·(1 − 0.95^R), and it tends to a "
        "finite limit as R grows",
        latex=r"V(R) \le 19 R - 361 \bigl(1 - (\tfrac{19}{20})^R\bigr)",
        domain="games of any number of rounds R from the empty table",
        method="theorem 18: beside any play one that always creates dice as robust as a d20; the "
        "bounds and the values of games of up to 10 rounds",
        parameters={"rounds": _ROUNDS},
        find=_bounded,
        depends_on=("theorem 18", "theorem 9"),
    )
    yield proved(
        id="swe.repair-budget",
        statement="the sum over the faces f of the mean number of survivals of dice with f faces, "
        "divided by f − 1, is R less the mean number of promotions and less the mean revenue at "
        "the end",
        latex=r"\sum_f \frac{E S_f}{f - 1} = R - E P - E X_R",
        domain="every policy and every number of rounds R from the empty table",
        method="theorem 19; both sides for always creating in 10 rounds",
        parameters={"rounds": _ROUNDS},
        find=_repairs,
        depends_on=("theorem 19",),
    )
    yield proved(
        id="swe.create-late",
        statement="with 1 or 2 rounds left creating is optimal in every state without legacy; with "
        "3, 4 and 5 rounds left it is not with 8, 5 and 4 dice, all d4, and a high enough score, "
        "and in long enough games play reaches that",
        latex="",
        domain="the faces 4, 6, 8, 12, 20, with a d10 or without",
        method="theorem 22; the greatest chances of no catastrophe after creating and after "
        "promoting",
        find=_create_late,
        depends_on=("theorem 22", "theorem 2", "theorem 9"),
    )
