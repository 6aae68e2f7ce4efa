"""Read certificates: only canonical JSON of limited size and depth."""

import json
import re
from fractions import Fraction as Q
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "certificates"
MOST_BYTES, MOST_DEPTH = 5_000_000, 12
MALFORMED = ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError


class Rejected(Exception):  # noqa: N818 - the printed word
    """The certificate is not accepted; the text gives the reason."""


def need(condition, reason):
    if not condition:
        raise Rejected(reason)


def unique(pairs):
    need(len({key for key, _ in pairs}) == len(pairs), "an object contains a key twice")
    return dict(pairs)


def whole(text):
    need(re.fullmatch(r"-?[0-9]{1,18}", text), f"not an integer of at most 18 digits: {text[:20]}")
    return int(text)


def canonical(content):
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def parse(raw):
    """Read canonical ASCII JSON of limited depth, without floats and long integers."""
    need(len(raw) <= MOST_BYTES and raw.isascii(), f"not ASCII, or more than {MOST_BYTES} bytes")
    depth, text = 0, raw.decode("ascii")
    for part in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(part[0], 0)
        need(depth <= MOST_DEPTH, f"nested deeper than {MOST_DEPTH}")
    content = json.loads(
        text, object_pairs_hook=unique, parse_int=whole, parse_float=whole, parse_constant=whole
    )
    need(canonical(content) == text, "not canonical JSON (order, spaces or escapes)")
    return content


def rational(text):
    is_short = isinstance(text, str) and len(text) <= 200
    need(is_short, "a rational must be a string of at most 200 characters")
    is_lowest = re.fullmatch(r"-?[0-9]+(/[0-9]*[1-9][0-9]*)?", text) and str(Q(text)) == text
    need(is_lowest, f"not a rational in lowest terms: {text[:20]}")
    return Q(text)


def plain(path):
    need(path.is_file() and not path.is_symlink(), f"{path.name} is not a regular file")
    with path.open("rb") as file:  # a device may be infinite, whatever size it reports
        raw = file.read(MOST_BYTES + 1)
    need(len(raw) <= MOST_BYTES, f"{path.name} has more than {MOST_BYTES} bytes")
    return raw
