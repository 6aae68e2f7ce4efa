"""Text in lines of a stated width: nothing is lost, and nothing is wider."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.report.layout import aligned, blocks
from exactdice.report.model import Report, Table, text_column
from exactdice.report.text import WIDTH
from exactdice.report.writers import Format, render
from exactdice.rooms import ask

# Of at most 17 characters, so that three columns fit side by side into 60.
words = st.text("abc 123/", min_size=0, max_size=150).map(
    lambda text: " ".join(word[:17] for word in text.split())
)


columns = st.lists(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, min(n, 26)))),
    min_size=1,
    max_size=30,
)


@given(columns, st.integers(60, 120))
def test_blocks_hold_every_column_once_and_fit(widths, width):
    natural, least = [n for n, _ in widths], [m for _, m in widths]
    found = blocks(natural, least, width)
    first, *others = found
    assert [*first.places, *(place for b in others for place in b.places[1:])] == [
        *range(len(widths))
    ]
    for block in found:
        assert sum(block.widths) + 2 * (len(block.widths) - 1) <= width
        for place, shown in zip(block.places, block.widths, strict=True):
            assert least[place] <= shown <= natural[place]


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_no_word_is_lost_and_no_line_is_too_wide(rows):
    lines = list(aligned(["one", "two", "three"], rows, "lrl", 60))
    assert max(map(len, lines)) <= 60
    shown = sorted("".join("".join(lines[2:]).split()))
    assert shown == sorted("".join("".join("".join(row) for row in rows).split()))


@pytest.mark.parametrize(
    "asked",
    ["risk win 40 30", "risk table 30 30", "risk survivors 8 8", "symbolic risk-round 4 4"],
)
def test_reports_fit_the_width_of_a_terminal(asked):
    text = render(ask(asked), Format.TEXT)
    assert max(map(len, text.splitlines())) <= WIDTH


WIDE = [
    "risk table 30 30",
    "risk survivors 10 10",
    "symbolic risk-round 4 4",
    "symbolic ehrhart 1,2,3,4,5",
]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
@pytest.mark.parametrize("asked", WIDE)
def test_latex_tables_fit_a_page(asked, tmp_path):
    head = (
        r"\documentclass{article}\usepackage[utf8]{inputenc}\usepackage{array,booktabs,longtable}"
    )
    body = render(ask(asked), Format.LATEX)
    (tmp_path / "t.tex").write_text(head + "\\begin{document}\n" + body + "\\end{document}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    wide = re.findall(rb"Overfull \\hbox \(([\d.]+)pt", finished.stdout)
    assert all(float(points) < 5 for points in wide)  # less than a letter


def test_a_table_too_wide_for_every_size_is_set_in_the_smallest():
    """30 columns of 20 letters, which no size holds on one line, are set in blocks."""
    columns = [text_column(f"c{place}", "words") for place in range(30)]
    table = Table("t", "wide", columns, [["m" * 20] * 30])
    latex = render(Report("wide", (), [table]), Format.LATEX)
    assert "part 1 of" in latex
    assert r"\scriptsize" in latex
    assert r"\footnotesize" not in latex
