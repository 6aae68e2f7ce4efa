r"""A report as LaTeX, which needs only ``\usepackage{array,booktabs,longtable}``.

It compiles under plain pdflatex. Single numbers are written whole, in lines; beyond `_PAGE`
characters, and in tables beyond `LONGEST_IN_LATEX`, fractions are cut in the middle and their
digits are counted. CSV is exact.
"""

import unicodedata
from collections.abc import Iterable, Iterator

from exactdice.report import eyes
from exactdice.report.model import Formula, Report

LONGEST_IN_LATEX = 36  # characters of a fraction in a table
_PAGE = 2000  # of one that fits a page

_TEXT = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "…": r"\ldots{}", "–": "--", "—": "---", "“": "``", "”": "''", "’": "'", "\n": "\n",
}  # fmt: skip
_MATHEMATICS = {
    "≈": r"\approx", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≡": r"\equiv", "∈": r"\in",
    "×": r"\times", "−": "-", "±": r"\pm", "·": r"\cdot", "⋯": r"\cdots", "√": r"\surd",
    "∞": r"\infty", "∂": r"\partial", "∏": r"\prod", "⌈": r"\lceil", "⌉": r"\rceil",
    "⇔": r"\Leftrightarrow", "→": r"\to", "↦": r"\mapsto", "λ": r"\lambda", "Λ": r"\Lambda",
    "′": r"{}'",
}  # fmt: skip
#: Greek letters without a Latin look-alike, with their Unicode names in LaTeX.
_GREEK = "αβγδεζηθικμνξπρστυφχψωΓΔΘΞΠΣΥΦΨΩ"
#: Latin letters of plain pdflatex up to U+017F: these, and letters with one of the accents.
_LATIN = "ÆØßæøıŁłŒœ"
_ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"


class _Escapes(dict[int, str]):
    """The form of a character in plain pdflatex; unsupported ones are written as their number."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = unicodedata.normalize("NFD", character)
        is_latin = plain[0].isascii() and plain[0].isprintable() and code < 0x180
        if formula := _formula(character):
            self[code] = f"${formula}$"
        elif (is_latin and plain[1:] in _ACCENTS) or character in _LATIN:
            self[code] = character
        else:
            self[code] = rf"\textbackslash{{}}u{code:04x}"
        return self[code]


def _formula(character: str) -> str:
    kind, *codes = unicodedata.decomposition(character).split() or [""]
    inner = chr(int(codes[0], 16)) if len(codes) == 1 else ""
    if inner and kind in ("<sub>", "<super>"):
        moved = inner if inner.isalnum() and inner.isascii() else _formula(inner)
        return moved and f"{'_' if kind == '<sub>' else '^'}{{{moved}}}"
    if (inner or character) not in _GREEK:
        return _MATHEMATICS.get(character, "")
    *_, greek = unicodedata.name(inner or character).lower().split()
    return f"\\{greek if character.islower() else greek.capitalize()}"


_LATEX_ESCAPES = _Escapes(str.maketrans(_TEXT))

_LONGEST_FLOAT = 40

#: Type sizes, from the largest, with the width of a character in hundredths of a point.
_SIZES = {"": 500, r"\small": 460, r"\footnotesize": 425, r"\scriptsize": 375}

_LINE = 32800  # hundredths of a point: a line of an article in 10 points, with some slack
_GAP = 600  # between two columns


def as_latex(report: Report, digits: int) -> str:
    lines = [f"% {line}" for line in (eyes.one_line(report.title), *eyes.footer(report))]
    lines.append("% needs \\usepackage{array,booktabs,longtable}")
    return "\n".join([*lines, *_body(report, digits)]) + "\n"


def fragment(report: Report) -> str:
    return "\n".join(_body(report, 10)) + "\n"


def _body(report: Report, digits: int) -> Iterator[str]:
    if report.quantities:
        headings, rows = eyes.quantity_rows(report, digits, _PAGE)
        named = ("quantities", report.title)
        yield from _tables(named, headings, rows, "lrr"[: len(headings)])
    for table in report.tables:
        if table.grid:
            headings, rows = eyes.grid_rows(table)
            named = (f"{table.name}_grid", f"{table.title}, two ways")
            yield from _tables(named, headings, rows, "r" * len(headings))
        if eyes.is_listed(table):
            cells = eyes.eye_rows(table.columns, table.rows, digits, LONGEST_IN_LATEX)
            headings, named = eyes.eye_columns(table.columns), (table.name, table.title)
            yield from _tables(named, headings, cells, eyes.alignment(table.columns))
        else:
            yield f"% {eyes.unlisted(table)}"


def _tables(
    named: tuple[str, str], headings: list[str], rows: list[list[str]], sides: str
) -> Iterator[str]:
    """Set a table, named by label and caption, in the largest type that fits, or in blocks."""
    label, title = named
    if any(cell.endswith(eyes.CUT) for row in rows for cell in row):
        title += " (long fractions shortened)"
    columns = list(zip(headings, *rows, strict=True))
    natural = [max(map(_characters, cells)) for cells in columns]
    size, character = list(_SIZES.items())[-1]
    for name, width in _SIZES.items():
        gap = _GAP if name else 2 * _GAP  # larger gaps in the normal size
        if sum(natural) * width + gap * (len(natural) - 1) <= _LINE:
            size, character = name, width
            break
    least = [min(n, eyes.needed_width(cells)) for n, cells in zip(natural, columns, strict=True)]
    between = -(-_GAP // character)
    pieces = eyes.blocks(natural, least, _LINE // character, between, eyes.leading(rows))
    for number, block in enumerate(pieces):
        parts = f", part {number + 1} of {len(pieces)}" if len(pieces) > 1 else ""
        kinds = ""
        for place, width in zip(block.places, block.widths, strict=True):
            points = f"{width * character // 100}.{width * character % 100:02}pt"
            paragraph = f">{{\\raggedright\\arraybackslash}}p{{{points}}}"
            kinds += sides[place] if width == natural[place] else paragraph
        chosen = [[row[place] for place in block.places] for row in (headings, *rows)]
        broken = [
            [
                cell if width == natural[place] else _Breakable(cell)
                for cell, width, place in zip(row, block.widths, block.places, strict=True)
            ]
            for row in chosen
        ]
        part_of_label = f"_{number + 1}" if number else ""
        titled = eyes.one_line(title + parts).translate(_LATEX_ESCAPES)
        caption = f"\\caption{{{titled}}}\\label{{tab:{label}{part_of_label}}}"
        yield from _booktabs(caption, broken[0], broken[1:], kinds, size)


class _Breakable(str):
    """A cell of a narrowed column: words may be broken between lines."""

    __slots__ = ()


def _characters(cell: str) -> int:
    """Estimate the width of a cell; a formula is narrower than its text."""
    return len(cell) * 4 // 5 if isinstance(cell, Formula) else len(cell)


def _booktabs(
    caption: str, headings: list[str], rows: list[list[str]], kinds: str, size: str
) -> Iterator[str]:
    """Write one table: a float if it fits a page, otherwise a longtable."""
    head = [r"\toprule", latex_row(headings), r"\midrule"]
    body = [latex_row(row) for row in rows]
    set_small = [size + r"\setlength{\tabcolsep}{3pt}"] if size else []
    if len(rows) <= _LONGEST_FLOAT:
        yield from (r"\begin{table}", r"\centering", *set_small, caption)
        yield from (f"\\begin{{tabular}}{{{kinds}}}", *head, *body)
        yield from (r"\bottomrule", r"\end{tabular}", r"\end{table}")
    else:
        yield from (r"\begingroup", *set_small, f"\\begin{{longtable}}{{{kinds}}}")
        yield from (caption + r"\\", *head, r"\endhead", *body)
        yield from (r"\bottomrule", r"\end{longtable}", r"\endgroup")


def latex_words(words: str) -> str:
    r"""Escape text, except mathematics between dollar signs."""
    parts = words.split("$")
    return "$".join(p if i % 2 else p.translate(_LATEX_ESCAPES) for i, p in enumerate(parts))


def latex_row(cells: Iterable[str]) -> str:
    return " & ".join(latex_cell(cell) for cell in cells) + r" \\"


def latex_cell(cell: str) -> str:
    if isinstance(cell, Formula):
        return f"${cell.latex}$"
    if isinstance(cell, _Breakable):
        return " ".join(map(_broken, cell.split()))
    if cell.startswith("-") and cell[1:2].isdigit():
        return f"$-${cell[1:].translate(_LATEX_ESCAPES)}"
    return cell.translate(_LATEX_ESCAPES)


def _broken(word: str) -> str:
    if len(word) <= 3 * _UNBROKEN:
        return word.translate(_LATEX_ESCAPES)
    parts = (word[i : i + _UNBROKEN] for i in range(0, len(word), _UNBROKEN))
    return r"\allowbreak{}".join(part.translate(_LATEX_ESCAPES) for part in parts)


_UNBROKEN = 6
