"""Derive claims again, and compare certificates and the register with what is found, byte by byte.

The folder ``proofs/certificates`` of a checkout holds the certificates. ``CLAIMS.md`` beside
``proofs`` is the register of all claims, which is made of them and never edited by hand. Both are
made by ``proofs/derive.py``, a program that imports nothing of this package: it derives what
``proofs/check.py`` checks, from the rules of each game. It runs in a process of its own.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from subprocess import PIPE, Popen

from exactdice import __version__
from exactdice.claims.certificates import ClaimCertificateError
from exactdice.claims.model import Claim
from exactdice.claims.sentences import bytes_of, checkout, stated
from exactdice.errors import OutputError


@dataclass(frozen=True)
class Recomputed:
    """What became of verifying one claim."""

    claim: Claim  # the claim
    verdict: str  # the verdict of its certificate; ``open`` where it has none
    recomputed: bool  # whether it was computed again; long claims are only from scratch
    problem: str = ""  # what is wrong with the certificate; empty where nothing is


def derived(claims: Iterable[Claim], root: Path) -> Iterator[dict[str, str]]:
    """Yield the certificate of each claim as ``proofs/derive.py`` makes it, and then CLAIMS.md.

    Each is a text, or a problem. Witnesses are read from ``proofs/certificates`` of the root.

    Raises OutputError if the program stops.
    """
    program = str(checkout() / "proofs" / "derive.py")
    words = ["-I", "-S", "-B", program, __version__, str(root / "proofs" / "certificates")]
    command = [sys.executable, *words, *(claim.id for claim in claims)]
    with Popen(command, stdout=PIPE, stderr=PIPE, encoding="utf-8") as process:  # noqa: S603 - ours
        yield from map(json.loads, process.stdout or ())
        if process.wait():
            said = process.stderr.read().strip() if process.stderr else ""
            raise OutputError(f"proofs/derive.py: {said.rpartition(chr(10))[2] or 'stopped'}")


def verify(
    claims: Sequence[Claim], root: Path, *, from_scratch: bool = False
) -> Iterator[Recomputed | str]:
    """Derive claims again and compare their certificates byte for byte.

    Yields what became of each claim, and at last what is wrong with CLAIMS.md: it has to be what is
    made of the claims and their certificates.

    >>> from exactdice.jobs.claims import claim_named
    >>> from exactdice.claims.sentences import checkout
    >>> outcome, register = verify([claim_named("risk.one-against-one")], checkout())
    >>> outcome.verdict, outcome.recomputed, outcome.problem, register
    ('proved', True, '', '')
    """
    chosen = [claim for claim in claims if claim.kind and (from_scratch or not claim.is_long)]
    answers = derived(chosen, root)
    for claim in claims:
        verdict, problem = "", ""
        wanted = next(answers) if claim in chosen else {}
        try:
            verdict = stated(claim, root)[0]
            if wanted:
                _compare(root / "proofs" / "certificates" / f"{claim.id}.json", wanted)
        except ClaimCertificateError as error:
            problem = str(error)
        yield Recomputed(claim, verdict, bool(wanted), problem)
    yield _register_problem(root / "CLAIMS.md", next(answers))


def _compare(path: Path, wanted: Mapping[str, str]) -> None:
    if "problem" in wanted:
        raise ClaimCertificateError(f"certificate: {path.name}: {wanted['problem']}")
    for place, (byte, other) in enumerate(zip_longest(bytes_of(path), wanted["text"].encode())):
        if byte != other:
            raise ClaimCertificateError(
                f"certificate: {path.name} differs from what is found at byte {place}"
            )


def _register_problem(path: Path, wanted: Mapping[str, str]) -> str:
    if "problem" in wanted:
        return f"CLAIMS.md: {wanted['problem']}"
    try:
        there = path.read_bytes().decode().split("\n")
    except OSError as problem:
        return f"CLAIMS.md: {problem.strerror}"
    except UnicodeDecodeError as problem:
        return f"CLAIMS.md: cannot be compared: {problem}"
    for number, (line, other) in enumerate(zip_longest(there, wanted["text"].split("\n")), 1):
        if line != other:
            return f"CLAIMS.md: line {number} is not what the claims and certificates say"
    return ""


def write_proofs(
    claims: Sequence[Claim], root: Path, write: Callable[[Path, bytes], None]
) -> dict[str, str]:
    """Derive claims, write their certificates and the register, and return verdicts by id.

    A claim whose derivation asks for a witness finds it in the evidence of its certificate.
    """
    certified = [claim for claim in claims if claim.kind]
    paths = [root / "proofs" / "certificates" / f"{claim.id}.json" for claim in certified]
    answers = dict(zip([*paths, root / "CLAIMS.md"], derived(certified, root), strict=True))
    for path, answer in answers.items():
        if "problem" in answer:
            raise ClaimCertificateError(f"{path.name}: {answer['problem']}")
    for path, answer in answers.items():
        write(path, answer["text"].encode())
    return {claim.id: stated(claim, root)[0] for claim in certified}
