r"""Writing a `Report` in any of the output formats.

Text from arguments stays in its line and is valid UTF-8: line breaks and other control characters
are shown as ``\u000a``, except in cells of CSV and in JSON, which preserve them. Halves of
surrogate pairs are replaced, except in JSON, which has a form for them.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from exactdice.errors import InputError, Unquoted
from exactdice.linked import linked
from exactdice.report.model import Report

__all__ = ["Format", "render", "rendered_files"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class Format(StrEnum):
    """The output formats, by their names on the command line.

    All except Parquet are text. A CSV or Parquet file contains one table.
    """

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"
    HTML = "html"
    PARQUET = "parquet"

    @property
    def suffix(self) -> str:
        """Suffix of a file in this format."""
        return {Format.TEXT: ".txt", Format.LATEX: ".tex"}.get(self, f".{self.value}")


# The functions that write the formats; only the one used is imported.
_WRITERS = {
    Format.TEXT: "exactdice.report.eyes:as_text",
    Format.JSON: "exactdice.report.interchange:as_json",
    Format.CSV: "exactdice.report.interchange:as_csv",
    Format.MD: "exactdice.report.eyes:as_markdown",
    Format.LATEX: "exactdice.report.latex:as_latex",
    Format.HTML: "exactdice.report.html:as_html",
}


def render(report: Report, output_format: Format = Format.TEXT, digits: int = 10) -> str:
    """Write a report in a format.

    * `report`: the report.
    * `output_format`: a text format.
    * `digits`: significant digits of the decimals next to exact numbers; JSON has the nearest
      double.

    The text ends with a newline. Raises InputError if the format needs a file: Parquet, and CSV of
    several tables.

    >>> from exactdice.arithmetic import mpq
    >>> from exactdice.report.model import exact
    >>> report = Report.of("A coin", {}, exact("value", "chance of heads")(mpq(1, 2)))
    >>> print(render(report, Format.CSV).splitlines()[-2:])
    ['name,value,value_float', 'value,1/2,0.5000000000']
    """
    if output_format is Format.PARQUET:
        raise InputError("format", Unquoted("parquet, which is no text"), "--output NAME.parquet")
    write: Callable[[Report, int], str] = linked(_WRITERS[output_format])
    return _valid(write(report, digits), output_format)


def _valid(written: str, output_format: Format) -> str:
    is_json = output_format is Format.JSON
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}" if is_json else "\ufffd", written)


def rendered_files(
    report: Report, output_format: Format, name: str, suffix: str | None = None, digits: int = 10
) -> dict[str, str | bytes]:
    """Write a report into files, by their names.

    * `report`, `output_format`, `digits`: as in `render`.
    * `name`: the file name without suffix. In CSV and Parquet, each of several tables has its own
      file, ``name-table``.
    * `suffix`: the suffix; by default that of the format.

    >>> from exactdice.rooms import ask
    >>> list(rendered_files(ask("risk table 4 3"), Format.CSV, "risk"))
    ['risk-cells.csv', 'risk-even.csv']
    """
    suffix = output_format.suffix if suffix is None else suffix
    written: Mapping[str, str | bytes]
    if output_format is Format.CSV:
        tables = linked("exactdice.report.interchange:csv_files")(report, digits)
        written = {table: _valid(text, output_format) for table, text in tables.items()}
    elif output_format is Format.PARQUET:
        written = linked("exactdice.report.interchange:parquet_files")(report)
    else:
        return {name + suffix: render(report, output_format, digits)}
    if len(written) == 1:
        (content,) = written.values()
        return {name + suffix: content}
    return {f"{name}-{table}{suffix}": content for table, content in written.items()}
