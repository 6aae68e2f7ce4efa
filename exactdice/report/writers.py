r"""Writing a `Report` in any of the output formats.

What an argument brings along stays in its line and is valid UTF-8: line breaks and other control
characters are shown as ``\u000a``, but for cells of CSV and all of JSON, which hold them as they
are; halves of surrogate pairs are replaced, but for JSON, which has a form for them.
"""

import re
from collections.abc import Callable
from enum import StrEnum

from exactdice.report.html import as_html
from exactdice.report.interchange import as_csv, as_json
from exactdice.report.latex import as_latex
from exactdice.report.model import Report
from exactdice.report.text import as_markdown, as_text

__all__ = ["Format", "render"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class Format(StrEnum):
    """The output formats, by the names that the command line uses."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"
    HTML = "html"

    @property
    def suffix(self) -> str:
        """Suffix of a file in this format."""
        return {Format.TEXT: ".txt", Format.LATEX: ".tex"}.get(self, f".{self.value}")


def render(report: Report, output_format: Format = Format.TEXT, digits: int = 10) -> str:
    """Write a report in a format.

    Parameters
    ----------
    report
        What to write.
    output_format
        One of the six formats.
    digits
        Significant digits of the decimals beside exact numbers; JSON gives the nearest double.

    Returns
    -------
    str
        The whole text, ending with a newline.

    Examples
    --------
    >>> from gmpy2 import mpq
    >>> from exactdice.report.model import Quantity, exact
    >>> report = Report("A coin", [Quantity(exact("value", "chance of heads"), mpq(1, 2))])
    >>> print(render(report, Format.CSV).splitlines()[-2:])
    ['name,value,value_float', 'value,1/2,0.5000000000']
    """
    writers: dict[Format, Callable[[Report, int], str]] = {
        Format.TEXT: as_text,
        Format.JSON: as_json,
        Format.CSV: as_csv,
        Format.MD: as_markdown,
        Format.LATEX: as_latex,
        Format.HTML: as_html,
    }
    written = writers[output_format](report, digits)
    is_json = output_format is Format.JSON
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}" if is_json else "\ufffd", written)
