"""Certificates on paper: canonical JSON.

A certificate is a JSON object with the keys claim, coq, evidence, format, kind, package,
parameters, rests_on, statement and verdict. It is *canonical*: ASCII, sorted keys, one space of
indentation a level, a newline at the end, whole numbers of at most 18 digits, every other number as
the text of a rational in lowest terms. So equal findings are equal files, byte for byte.
``proofs/FORMAT.md`` is the full description, and ``proofs/check.py`` another reader of it.
"""

import json
import re

from exactdice.claims.model import Content
from exactdice.errors import ExactDiceError

#: Name and version of the format.
FORMAT = "exactdice certificate 3"

#: The most bytes of a certificate.
MAX_BYTES = 5_000_000

_KEYS: tuple[str, ...] = ("claim", "coq", "evidence", "format", "kind", "package", "parameters")
_KEYS += ("rests_on", "statement", "verdict")


class ClaimCertificateError(ExactDiceError, ValueError):
    """A certificate is missing, malformed, or not what is found; the text says which."""

    exit_status = 1


def canonical(content: Content) -> str:
    """Write content canonically.

    >>> print(canonical({"b": "1/2", "a": [1]}), end="")
    {
     "a": [
      1
     ],
     "b": "1/2"
    }
    """
    return json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n"


def read_certificate(raw: bytes) -> dict[str, Content]:
    """Read a certificate; nothing is believed of it but its form.

    Raises CertificateError if it is too large, no JSON, not canonical, or has other keys or another
    format.

    >>> read_certificate(b"[]")
    Traceback (most recent call last):
    exactdice.claims.certificates.ClaimCertificateError: certificate: not written canonically
    """
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
