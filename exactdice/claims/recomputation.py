"""Recompute claims, and compare the certificates of a folder with what is found, byte by byte.

The folder ``proofs/certificates`` of a checkout holds the certificates; ``CLAIMS.md`` beside
``proofs`` is the register, which is made of them. All is computed by the code that wrote them:
``proofs/check.py`` checks them without it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from exactdice.claims.certificates import Certificate, CertificateError, certificate_of
from exactdice.claims.certificates import read_certificate as _read
from exactdice.claims.model import Claim, Content
from exactdice.claims.register import register
from exactdice.claims.sentences import as_certified


@dataclass(frozen=True)
class Outcome:
    """What became of verifying one claim."""

    claim: Claim  # the claim
    verdict: str  # the verdict of its certificate; ``open`` where it has none
    recomputed: bool  # whether it was computed again; long claims are only from scratch
    problem: str = ""  # what is wrong with the certificate; empty where nothing is


def verify(claims: Iterable[Claim], root: Path, *, from_scratch: bool = False) -> Iterator[Outcome]:
    """Compute claims again and compare their certificates byte for byte.

    >>> from exactdice.jobs.claims import claim_named
    >>> from exactdice.claims.sentences import checkout
    >>> (outcome,) = verify([claim_named("risk.one-against-one")], checkout())
    >>> outcome.verdict, outcome.recomputed, outcome.problem
    ('proved', True, '')
    """
    folder = root / "proofs" / "certificates"
    for claim in claims:
        if claim.find is None:
            yield Outcome(claim, "open", recomputed=False)
            continue
        compute = from_scratch or not claim.is_long
        verdict = ""
        try:
            verdict = str(_certificate(claim, folder)["verdict"])
            if compute:
                _compare(certificate_of(claim, claim.find()), folder)
        except CertificateError as problem:
            yield Outcome(claim, verdict, compute, str(problem))
        else:
            yield Outcome(claim, verdict, compute)


def register_problem(claims: Sequence[Claim], root: Path) -> str:
    """Say where CLAIMS.md is not what is made of the claims and their certificates.

    >>> from exactdice.claims.sentences import checkout
    >>> from exactdice.jobs.claims import CLAIMS
    >>> register_problem(CLAIMS, checkout())
    ''
    """
    folder = root / "proofs" / "certificates"
    try:
        there = (root / "CLAIMS.md").read_text(encoding="utf-8").splitlines()
        said = {claim.id: _certificate(claim, folder) for claim in claims if claim.find}
    except OSError as problem:
        return f"CLAIMS.md: {problem.strerror}"
    except (CertificateError, UnicodeDecodeError) as problem:
        return f"CLAIMS.md: cannot be compared: {problem}"
    made = register(claims, said).splitlines()
    for number, (line, other) in enumerate(zip_longest(there, made), 1):
        if line != other:
            return f"CLAIMS.md: line {number} is not what the claims and certificates say"
    return ""


def stated(claim: Claim, root: Path) -> tuple[str, Mapping[str, str]]:
    """Return the verdict and the formal parts that a claim's certificate states.

    Raises CertificateError if the certificate is missing, or is none of this claim.
    """
    folder = root / "proofs" / "certificates"
    return as_certified(claim, _certificate(claim, folder) if claim.find else None)


def _certificate(claim: Claim, folder: Path) -> dict[str, Content]:
    content = _read(_bytes(folder / f"{claim.id}.json"))
    if content["claim"] != claim.id:
        raise CertificateError(f"certificate: it is that of {content['claim']}")
    return content


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise CertificateError(f"certificate: {path.name} is no plain file")
    try:
        return path.read_bytes()
    except OSError as problem:
        raise CertificateError(f"certificate: {path.name}: {problem.strerror}") from problem


def _compare(certificate: Certificate, folder: Path) -> None:
    for name, content in certificate.files.items():
        there = _bytes(folder / name)
        if there != content:
            place = next(
                (i for i, (a, b) in enumerate(zip(there, content, strict=False)) if a != b),
                min(len(there), len(content)),
            )
            raise CertificateError(
                f"certificate: {name} differs from what is found at byte {place}"
            )


def write_proofs(
    claims: Sequence[Claim], root: Path, write: Callable[[Path, bytes], None]
) -> list[Certificate]:
    """Compute claims, and write their certificates and the register."""
    certificates = [
        certificate_of(claim, claim.find()) for claim in claims if claim.find is not None
    ]
    for certificate in certificates:
        for name, content in certificate.files.items():
            write(root / "proofs" / "certificates" / name, content)
    said = {
        certificate.claim: _read(certificate.files[f"{certificate.claim}.json"])
        for certificate in certificates
    }
    write(root / "CLAIMS.md", register(claims, said).encode())
    return certificates
