"""The claim: a sentence with its domain and source, and the computation that settles it."""

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Finding, Verdict
from keep_last.exact import least_kept, values
from keep_last.rules import Rules

MOST = 12


def keep_fives() -> Finding:
    """Look at every number of throws of the domain."""
    rules = Rules(MOST + 1)
    kept = [left for left, face in enumerate(least_kept(rules), start=1) if face <= 5]
    verdict = Verdict("proved" if kept == [1, 2, 3, 4] else "refuted")
    return Finding(verdict, {"values": list(map(text, values(Rules(MOST))))})


CLAIM = Claim(
    id="keep.fives",
    statement="a five is kept exactly with at most 4 throws left",
    latex=r"v(n) \le 5 \iff n \le 4",
    source="this tutorial",
    domain="a fair die with six sides and at most 12 throws left",
    method="backward induction over the throws that are left",
    kind="value",
    parameters={"most": MOST},
    find=keep_fives,
)
