r"""Standard output and error that cannot fail on a character.

Where a stream is not UTF-8, a character that it lacks is written in an ASCII form that reads the
same, such as ``>=``, or else as an escape, such as ``\u221e``.
"""

import codecs
import io
import sys

_ASCII = {
    "≈": "~",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "×": "x",
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "*",
    "…": "...",
    "±": "+-",
    "→": "->",
    "⇔": "<=>",
    "∞": "infinity",
    "∈": "in",
    "√": "sqrt",
    "Σ": "sum",
    "∏": "product",
    "λ": "lambda",
    "θ": "theta",
    "σ": "sigma",
    "δ": "delta",
    "“": '"',
    "”": '"',
    "’": "'",
    "█": "#",
}


def _in_ascii(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    written = (_ASCII.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking)
    return "".join(written), problem.end


def make_streams_lenient() -> None:
    """Let standard output and error write every character somehow."""
    codecs.register_error("exactdice", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="exactdice")
