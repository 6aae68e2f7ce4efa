"""Claims about software-engineering games of any length, which rest on theorems."""

from exactdice.arithmetic import mpq, text
from exactdice.claims.model import Content, Finding, Verdict
from exactdice.games.swe.claims.few_rounds import unbroken
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, Kind, State, act

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


#: What finds whether a claim of the table holds, by its id.
FINDERS = {
    "swe.bounded": _bounded,
    "swe.repair-budget": _repairs,
    "swe.create-late": _create_late,
}
