"""What a claim says, as its certificate and the register hold it: formal parts, and one sentence.

The formal statement of a claim is its game, what is quantified over, what is said of it, the order
in which a counterexample is the smallest, a formula, and who says so. The sentence is made from
these parts and from nothing else. What a verdict *rests on* are claims, cited facts, and theorems
of ``proofs/theorems/THEOREMS.md``, each with the SHA-256 of its text: a changed proof is another
proof. Theorems in Coq are those of ``proofs/coq/COVERS.json``. The program ``proofs/check.py`` has
its own table of all this, and compares. Proofs and certificates lie in a checkout, in an unpacked
source distribution, or in ``share/exactdice`` of the environment or folder that the package is
installed in.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exactdice.claims.model import Claim, Content
from exactdice.errors import OutputError


def checkout() -> Path:
    """Return the folder of the proofs: the checkout, the current one, or where they are installed.

    Raises OutputError if none of these has certificates.
    """
    beside = Path(__file__).resolve().parents[2]
    installed = (above / "share" / "exactdice" for above in (beside, *beside.parents))
    for root in (beside, Path.cwd(), *installed):
        if (root / "proofs" / "certificates").is_dir():
            return root
    raise OutputError(
        "proofs: no certificates beside the package, in this folder or in share/exactdice above "
        f"{beside}; run it in a checkout, or in an unpacked source distribution"
    )


def statement(
    claim: Claim, numbers: Mapping[str, Content] = MappingProxyType({})
) -> dict[str, str]:
    """Return the formal parts of a claim, and the sentence made from them.

    >>> from exactdice.jobs.claims import claim_named
    >>> statement(claim_named("reroll.states"))["sentence"]
    'In the reroll game, for three fair dice, a reroll costs 1 point: there are 56 states.'
    """
    domain, says = (_filled(part, numbers) for part in (claim.domain, claim.statement))
    order = f" (Smallest in the order: {claim.order}.)" if claim.order else ""
    return {
        "domain": domain,
        "formula": claim.latex,
        "game": claim.title,
        "order": claim.order,
        "says": says,
        "sentence": f"In {claim.title}, for {domain}: {says}.{order}",
        "source": claim.source,
    }


def as_certified(
    claim: Claim, certificate: Mapping[str, Any] | None
) -> tuple[str, Mapping[str, str]]:
    """Return the verdict and the formal parts that a certificate states.

    Without a certificate the claim is open, and numbers that were not found stand as their names.
    """
    if certificate is None:
        return "open", statement(claim, _Unknown())
    return str(certificate["verdict"]), certificate["statement"]


class _Unknown(dict[str, Content]):
    """Numbers that were not found stand as their names."""

    def __missing__(self, name: str) -> str:
        return f"<{name}>"


def _filled(text: str, numbers: Mapping[str, Content]) -> str:
    return re.sub("<([a-z_0-9]+)>", lambda name: str(numbers[name[1]]), text)


@cache
def theorem_digests() -> dict[str, str]:
    """Return the SHA-256 of the text of each theorem, from its heading to the next.

    Raises OutputError if the package was installed without its proofs.
    """
    text = _read("theorems/THEOREMS.md")
    parts = re.split(r"^## (?=Theorem \d+:)", text, flags=re.MULTILINE)[1:]
    return {
        part.split(":")[0].lower(): hashlib.sha256(part.strip().encode()).hexdigest()
        for part in parts
    }


def foundations(claim: Claim) -> dict[str, Content]:
    """Return what the verdict of a claim rests on: claims, cited facts, theorems with hashes.

    >>> from exactdice.jobs.claims import claim_named
    >>> found = foundations(claim_named("risk.power-sums"))
    >>> found["cited"], list(found["theorems"])
    (['cycle-lemma'], ['theorem 4'])
    """
    theorems = [name for name in claim.depends_on if name.startswith("theorem ")]
    return {
        "cited": list(claim.cites),
        "claims": [name for name in claim.depends_on if name not in theorems],
        "theorems": {name: theorem_digests()[name] for name in theorems},
    }


def coq_theorem(claim: Claim) -> dict[str, str] | None:
    """Return file, name and extent of the theorem in Coq that covers a claim; None without one.

    >>> from exactdice.jobs.claims import claim_named
    >>> coq_theorem(claim_named("risk.monotone"))
    {'extent': 'armies of any size', 'file': 'Monotone.v', 'theorem': 'monotone'}
    """
    entry = json.loads(_read("coq/COVERS.json")).get(claim.id)
    return entry and {key: entry[key] for key in ("extent", "file", "theorem")}


def trusted(claim: Claim) -> str:
    """Return what one trusts who believes a claim, as the table of ``proofs/TRUST.md`` says it.

    >>> from exactdice.jobs.claims import claim_named
    >>> trusted(claim_named("swe.never-skip"))
    'in Coq: all; check.py: derives: cases'
    """
    row = re.search(rf"^\| {re.escape(claim.id)} \|.*$", _read("TRUST.md"), re.MULTILINE)
    parts = row[0].strip("| ").split("|")[1:] if row else []
    said = zip(("in Coq", "check.py", "written"), map(str.strip, parts), strict=False)
    return "; ".join(f"{name}: {part}" for name, part in said if part)


def _read(name: str) -> str:
    try:
        return (checkout() / "proofs" / name).read_text(encoding="utf-8")
    except OSError as problem:
        raise OutputError(f"proofs: no {name} in {checkout()}; check it out again") from problem
