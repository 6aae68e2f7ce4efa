"""Text in lines of a stated width: nothing is lost, and nothing is wider."""

import re

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import needs_pdflatex, set_by_pdflatex

from exactdice.report.eyes import aligned, blocks, leading
from exactdice.report.latex import latex_row
from exactdice.report.model import Quantity, Report, Table, exact, text_column
from exactdice.report.text import WIDTH
from exactdice.report.writers import Format, render
from exactdice.rooms import ask

NUMBERS = {"whole": mpq(3), "half": mpq(1, 2), "third": mpq(-2, 3)}
# Of at most 17 characters, so that three columns fit side by side into 60.
words = st.text("abc 123/", min_size=0, max_size=150).map(
    lambda text: " ".join(word[:17] for word in text.split())
)


columns = st.lists(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, min(n, 26)))),
    min_size=1,
    max_size=30,
)


@given(columns, st.integers(60, 120), st.integers(1, 5))
def test_blocks_hold_every_column_once_and_fit(widths, width, repeated):
    natural, least = [n for n, _ in widths], [m for _, m in widths]
    found = blocks(natural, least, width, repeated=repeated)
    first, *others = found
    again = repeated
    while again > 1 and sum(least[:again]) + max(least[again:], default=0) + 2 * again > width:
        again -= 1
    assert all(block.places[:again] == tuple(range(again)) for block in others)
    assert [*first.places, *(place for b in others for place in b.places[again:])] == [
        *range(len(widths))
    ]
    for block in found:
        assert sum(block.widths) + 2 * (len(block.widths) - 1) <= width
        for place, shown in zip(block.places, block.widths, strict=True):
            assert least[place] <= shown <= natural[place]


numerals = st.lists(st.sampled_from("123"), min_size=9, max_size=9)


@given(st.lists(numerals, min_size=1, max_size=6, unique_by=tuple), st.integers(20, 29))
def test_rows_are_told_apart_in_every_block_of_a_table(rows, width):
    """Rows of numbers that differ in their first four columns, which leave room for others."""
    rows = list({tuple(row[:4]): row for row in rows}.values())
    lines = list(aligned(["n"] * 9, rows, "r" * 9, width))
    parts = "\n".join(lines).split("\n\n")
    for part in parts:
        shown = part.splitlines()[2:]
        assert len(set(shown)) == len(rows)


def test_a_choice_listed_twice_is_told_apart_by_what_follows_it():
    # Source: keep 1,1 and roll, keep 1,1 and bank: two rows of advice, with the same faces kept.
    table = [["1,1", "roll", "x" * 20, "y" * 20], ["1,1", "bank", "x" * 20, "y" * 20]]
    lines = list(aligned(["keep", "then", "one", "two"], table, "llll", 32))
    assert sum("1,1   roll" in line for line in lines) == 2
    assert sum("1,1   bank" in line for line in lines) == 2
    assert leading(table) == 2


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
    "claims",
]


@needs_pdflatex
@pytest.mark.parametrize("asked", WIDE)
def test_latex_tables_fit_a_page(asked, tmp_path):
    said = set_by_pdflatex(render(ask(asked), Format.LATEX), tmp_path)
    wide = re.findall(rb"Overfull \\hbox \(([\d.]+)pt", said)
    assert all(float(points) < 5 for points in wide)  # less than a letter


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("κ₀ + 2²", r"$\kappa$$_{0}$ + 2$^{2}$"),
        ("10⁻⁶ µm", r"10$^{-}$$^{6}$ $\mu$m"),
        ("Σᵢ λᵢ ≠ Ω′", r"$\Sigma$$_{i}$ $\lambda$$_{i}$ $\ne$ $\Omega$${}'$"),
        ("Löwe, šest, łuk", "Löwe, šest, łuk"),  # letters that plain pdflatex has
        ("骰 ▲ \u200b \x1b ą đ™", r"\textbackslash{}u9ab0 \textbackslash{}u25b2 "
         r"\textbackslash{}u200b \textbackslash{}u001b \textbackslash{}u0105 "
         r"\textbackslash{}u0111\textbackslash{}u2122"),
    ],
)  # fmt: skip
def test_a_character_in_latex_is_written_so_that_pdflatex_has_it(text, latex):
    assert latex_row([text]) == latex + r" \\"


@needs_pdflatex
def test_every_character_in_latex_is_one_that_pdflatex_has(tmp_path):
    """All of the blocks with letters, indices, punctuation and mathematics, and two of others."""
    blocks = range(32, 0x250), range(0x370, 0x400), range(0x1D00, 0x1DC0), range(0x2000, 0x2600)
    characters = [*(chr(code) for block in blocks for code in block), "骰", "\U0001f3b2"]
    rows = [[*map(str, characters[start : start + 8])] for start in range(0, len(characters), 8)]
    columns = [text_column(f"c{place}", "words") for place in range(8)]
    rows = [row + [""] * (8 - len(row)) for row in rows]
    set_by_pdflatex(
        render(Report("all", (), [Table("t", "all", columns, rows)]), Format.LATEX), tmp_path
    )


def test_a_table_too_wide_for_every_size_is_set_in_the_smallest():
    """30 columns of 20 letters, which no size holds on one line, are set in blocks."""
    columns = [text_column(f"c{place}", "words") for place in range(30)]
    table = Table("t", "wide", columns, [["m" * 20] * 30])
    latex = render(Report("wide", (), [table]), Format.LATEX)
    assert "part 1 of" in latex
    assert r"\scriptsize" in latex
    assert r"\footnotesize" not in latex


def test_a_line_of_latex_holds_as_many_columns_as_their_widths_and_gaps_leave_room_for():
    # 8 columns of 9 letters of 3.75 pt and 7 gaps of 6 pt are 312 pt of 328, 9 and 8 are 351.75.
    columns = [text_column(f"c{place}", "words") for place in range(30)]
    table = Table("t", "wide", columns, [["m" * 9] * 30])
    latex = render(Report("wide", (), [table]), Format.LATEX)
    set_in = re.findall(r"begin{tabular}{(l+)}", latex)
    assert max(map(len, set_in)) == 8


def test_markdown_gives_a_decimal_beside_a_fraction_and_none_beside_a_whole_number():
    values = [Quantity(exact(name, name), value) for name, value in NUMBERS.items()]
    lines = render(Report("numbers", values, []), Format.MD).splitlines()
    shown = {line.split("**")[1]: line.split(": ", 1)[1] for line in lines if "**" in line}
    assert shown == {"whole": "3", "half": "0.5000000000 ≈ 1/2", "third": "-0.6666666667 ≈ -2/3"}
