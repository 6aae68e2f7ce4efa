"""Facts from the literature that proofs here use; what they say stands in cited.toml."""

import tomllib
from pathlib import Path

from exactdice.claims.model import CitedFact

_TABLE = Path(__file__).with_suffix(".toml")

#: Every cited fact, by its key.
CITED = {
    key: CitedFact(key, " ".join(fact["statement"].split()), " ".join(fact["reference"].split()))
    for key, fact in tomllib.loads(_TABLE.read_text(encoding="utf-8")).items()
}
