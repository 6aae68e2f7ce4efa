"""The computation that decides the claim, and its certificate."""

import re
from pathlib import Path

from exactdice.arithmetic import text
from exactdice.claims.certificates import canonical
from exactdice.claims.model import read_table
from keep_last import GAME
from keep_last.exact import least_kept, values
from keep_last.rules import Rules

MOST = 12
CLAIM = read_table(Path(__file__).with_name("claims.toml"))["keep"]["fives"]


def certificate() -> bytes:
    """Check every number of throws in the domain, and write the certificate."""
    kept = [left for left, face in enumerate(least_kept(Rules(MOST + 1)), start=1) if face <= 5]
    numbers = {"last": max(kept), "most": MOST}
    said = {
        part: re.sub("<([a-z]+)>", lambda name: str(numbers[name[1]]), words)
        for part, words in CLAIM.items()
    }
    said["sentence"] = f"In {GAME.title}, for {said['domain']}: {said['says']}."
    content = {
        "claim": "keep.fives",
        "evidence": {"values": list(map(text, values(Rules(MOST))))},
        "parameters": {"most": MOST},
        "statement": said,
        "verdict": "proved" if kept == [*range(1, max(kept) + 1)] else "refuted",
    }
    return canonical(content).encode("ascii")
