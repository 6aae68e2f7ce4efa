"""The computation that settles the claim of the table, bound to it by its id."""

from pathlib import Path

from exactdice.arithmetic import text
from exactdice.claims.model import Finding
from exactdice.claims.table import read_claims
from keep_last import GAME
from keep_last.exact import least_kept, values
from keep_last.rules import Rules

MOST = 12


def keep_fives() -> Finding:
    """Look at every number of throws of the domain."""
    rules = Rules(MOST + 1)
    kept = [left for left, face in enumerate(least_kept(rules), start=1) if face <= 5]
    verdict = "proved" if kept == [1, 2, 3, 4] else "refuted"
    return Finding(verdict, {"values": list(map(text, values(Rules(MOST))))})


TABLE = Path(__file__).with_name("claims.toml")
CLAIMS = read_claims(TABLE, GAME.title, {"keep.fives": keep_fives})
