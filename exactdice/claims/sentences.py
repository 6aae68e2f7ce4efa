"""What a claim says, as its certificate states it, and what it rests on.

Proofs, tables and certificates are in a checkout, in an unpacked source distribution, or in
``share/exactdice`` of the environment or folder that the package is installed in. Theorems in Coq
are those of ``proofs/coq/COVERS.json``.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from exactdice.claims.certificates import ClaimCertificateError, read_certificate
from exactdice.claims.model import Claim, read_table
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


def stated(claim: Claim, root: Path) -> tuple[str, Mapping[str, str]]:
    """Return the verdict and the formal parts that a claim's certificate states.

    Without a certificate the claim is open, and the parts are those of the table.

    Raises CertificateError if the certificate is missing, or is none of this claim.

    >>> from exactdice.jobs.claims import claim_named
    >>> verdict, formal = stated(claim_named("reroll.states"), checkout())
    >>> formal["sentence"]
    'In the reroll game, for three fair dice, a reroll costs 1 point: there are 56 states.'
    """
    if claim.kind:
        content = read_certificate(bytes_of(root / "proofs" / "certificates" / f"{claim.id}.json"))
        if content["claim"] != claim.id:
            raise ClaimCertificateError(f"certificate: it is that of {content['claim']}")
        return str(content["verdict"]), content["statement"]
    sentence = f"In {claim.title}, for {claim.domain}: {claim.says}."
    parts = {"domain": claim.domain, "formula": claim.formula, "says": claim.says}
    return "open", {**parts, "sentence": sentence, "source": claim.source}


def bytes_of(path: Path) -> bytes:
    """Read a file of a certificate, or raise CertificateError."""
    if path.exists() and not path.is_file():
        raise ClaimCertificateError(f"certificate: {path.name} is no plain file")
    try:
        return path.read_bytes()
    except OSError as problem:
        raise ClaimCertificateError(f"certificate: {path.name}: {problem.strerror}") from problem


def cited() -> dict[str, tuple[str, str]]:
    """Return every cited fact, by its key: its statement, and the reference to its proof."""
    facts = read_table(checkout() / "proofs" / "claims" / "cited.toml")
    return {key: (fact["statement"], fact["reference"]) for key, fact in facts.items()}


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
