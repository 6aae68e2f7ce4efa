"""Certificates of claims: how they are written and read, and how claims are derived again.

A certificate is a JSON object with the keys claim, coq, evidence, format, kind, package,
parameters, rests_on, statement and verdict. It is *canonical*: ASCII, sorted keys, one space of
indentation a level, a newline at the end, whole numbers of at most 18 digits, every other number as
the text of a rational in lowest terms. Equal results are therefore equal files, byte for byte.
``proofs/FORMAT.md`` describes the format; ``proofs/check.py`` is an independent reader of it.

``CLAIMS.md`` and ``proofs/DETAILS.md`` are the register of all claims. ``proofs/derive.py`` writes
them and ``proofs/certificates``; it imports nothing of this package and runs in its own process.
Proofs are in a checkout, an unpacked source distribution, or ``share`` of the installed package.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from subprocess import PIPE, Popen

from exactdice import __version__
from exactdice.claims.model import Claim, Content, read_table
from exactdice.errors import ExactDiceError, OutputError

#: Name and version of the format.
FORMAT = "exactdice certificate 3"

MAX_BYTES = 5_000_000

REGISTER = "CLAIMS.md", "proofs/DETAILS.md"

_KEYS: tuple[str, ...] = ("claim", "coq", "evidence", "format", "kind", "package", "parameters")
_KEYS += ("rests_on", "statement", "verdict")


class ClaimCertificateError(ExactDiceError, ValueError):
    """A certificate is missing, malformed, or different from the computed one."""

    exit_status = 1


def canonical(content: Content) -> str:
    """Write content canonically."""
    return json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n"


def read_certificate(raw: bytes) -> dict[str, Content]:
    """Read a certificate; only its form is checked."""
    if len(raw) > MAX_BYTES:
        raise ClaimCertificateError(f"certificate: more than {MAX_BYTES} bytes")
    try:
        content = json.loads(
            raw.decode("ascii"), parse_int=_whole, parse_float=_whole, parse_constant=_whole
        )
    except (ValueError, RecursionError) as problem:
        raise ClaimCertificateError(f"certificate: {problem}".replace("\n", " ")) from problem
    if canonical(content).encode() != raw:
        raise ClaimCertificateError("certificate: not written canonically")
    if not isinstance(content, dict) or tuple(sorted(content)) != _KEYS:
        raise ClaimCertificateError(f"certificate: its keys must be {', '.join(_KEYS)}")
    if content["format"] != FORMAT:
        raise ClaimCertificateError(f"certificate: its format must be {FORMAT!r}")
    return content


def _whole(digits: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", digits):
        raise ValueError(f"no whole number of at most 18 digits: {digits[:20]}")
    return int(digits)


def checkout() -> Path:
    """Return the folder with the proofs: checkout, current folder, or place of installation."""
    package = Path(__file__).resolve().parents[1]
    for root in (package.parent, Path.cwd(), package / "share"):
        if (root / "proofs" / "certificates").is_dir():
            return root
    raise OutputError(
        f"proofs: not found in {package.parent}, {package / 'share'} or the current folder; "
        "run this in a checkout or in an unpacked source distribution"
    )


def _path(claim: Claim, root: Path) -> Path:
    return root / "proofs" / "certificates" / f"{claim.id}.json"


def stated(claim: Claim, root: Path) -> tuple[str, Mapping[str, str]]:
    """Return the verdict and the formal parts in a claim's certificate.

    A claim without a certificate is open or not checkable; its parts are those of the table. Raises
    ClaimCertificateError if the certificate is missing or belongs to another claim.
    """
    if claim.kind:
        content = read_certificate(_bytes_of(_path(claim, root)))
        if content["claim"] != claim.id:
            raise ClaimCertificateError(f"certificate: it belongs to {content['claim']}")
        return str(content["verdict"]), content["statement"]
    sentence = f"In {claim.title}, for {claim.domain}: {claim.says}."
    parts = {"domain": claim.domain, "formula": claim.formula, "says": claim.says}
    return "not checkable" if claim.lacks else "open", {
        **parts,
        "sentence": sentence,
        "source": claim.source,
    }


def _bytes_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise ClaimCertificateError(f"certificate: {path.name} is not a plain file")
    try:
        return path.read_bytes()
    except OSError as problem:
        raise ClaimCertificateError(f"certificate: {path.name}: {problem.strerror}") from problem


def cited() -> dict[str, tuple[str, str]]:
    facts = read_table(checkout() / "proofs" / "claims" / "cited.toml")
    return {key: (fact["statement"], fact["reference"]) for key, fact in facts.items()}


def coq_theorem(claim: Claim) -> dict[str, str] | None:
    """Return file, name and extent of the theorem in Coq that covers a claim; None without one."""
    entry = json.loads(_read("coq/COVERS.json")).get(claim.id)
    return entry and {key: entry[key] for key in ("extent", "file", "theorem")}


def trusted(claim: Claim) -> str:
    """Return what the verdict of a claim relies on, from the table of ``proofs/TRUST.md``."""
    row = re.search(rf"^\| {re.escape(claim.id)} \|.*$", _read("TRUST.md"), re.MULTILINE)
    parts = row[0].strip("| ").split("|")[1:] if row else []
    said = zip(("in Coq", "check.py", "written"), map(str.strip, parts), strict=False)
    return "; ".join(f"{name}: {part}" for name, part in said if part)


def _read(name: str) -> str:
    try:
        return (checkout() / "proofs" / name).read_text(encoding="utf-8")
    except OSError as problem:
        raise OutputError(f"proofs: no {name} in {checkout()}; check it out again") from problem


@dataclass(frozen=True)
class Recomputed:
    claim: Claim
    verdict: str  # the verdict of its certificate; ``open`` without one
    recomputed: bool  # whether it was computed again; slow claims are only from scratch
    problem: str = ""  # of the certificate; empty if there is none


def _derived(claims: Iterable[Claim], root: Path) -> Iterator[dict[str, str]]:
    """Yield the claims' certificates from ``proofs/derive.py``, then the register, or problems."""
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

    Yields the result for each claim, and finally the problem of the register, empty if none.
    """
    chosen = [claim for claim in claims if claim.kind and (from_scratch or not claim.is_long)]
    answers = _derived(chosen, root)
    for claim in claims:
        verdict, problem = "", ""
        wanted = next(answers) if claim in chosen else {}
        try:
            verdict = stated(claim, root)[0]
            if wanted:
                _compare(_path(claim, root), wanted)
        except ClaimCertificateError as error:
            problem = str(error)
        yield Recomputed(claim, verdict, bool(wanted), problem)
    yield "; ".join(filter(None, map(_register_problem, [root / x for x in REGISTER], answers)))


def _compare(path: Path, wanted: Mapping[str, str]) -> None:
    if "problem" in wanted:
        raise ClaimCertificateError(f"certificate: {path.name}: {wanted['problem']}")
    for place, (byte, other) in enumerate(zip_longest(_bytes_of(path), wanted["text"].encode())):
        if byte != other:
            problem = f"certificate: {path.name} differs from the computed one at byte {place}"
            raise ClaimCertificateError(problem)


def _register_problem(path: Path, wanted: Mapping[str, str]) -> str:
    if "problem" in wanted:
        return f"{path.name}: {wanted['problem']}"
    try:
        there = path.read_bytes().decode().split("\n")
    except OSError as problem:
        return f"{path.name}: {problem.strerror}"
    except UnicodeDecodeError as problem:
        return f"{path.name}: cannot be compared: {problem}"
    for number, (line, other) in enumerate(zip_longest(there, wanted["text"].split("\n")), 1):
        if line != other:
            return f"{path.name}: line {number} differs from the claims and certificates"
    return ""


def write_proofs(
    claims: Sequence[Claim], root: Path, write: Callable[[Path, bytes], None]
) -> dict[str, str]:
    """Derive claims, write their certificates and the register, and return verdicts by id."""
    certified = [claim for claim in claims if claim.kind]
    paths = [*(_path(claim, root) for claim in certified), *(root / name for name in REGISTER)]
    answers = dict(zip(paths, _derived(certified, root), strict=True))
    for path, answer in answers.items():
        if "problem" in answer:
            raise ClaimCertificateError(f"{path.name}: {answer['problem']}")
    for path, answer in answers.items():
        write(path, answer["text"].encode())
    return {claim.id: stated(claim, root)[0] for claim in certified}
