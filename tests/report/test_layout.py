"""Text in lines of a stated width: nothing is lost, and nothing is wider."""

import json
import re
import textwrap
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from csv_documents import parsed, read_csv, render
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import needs_pdflatex, set_by_pdflatex
from printed import POSTS_WIN

from exactdice.arithmetic import rational
from exactdice.enclosure import Enclosure
from exactdice.report.csv_cells import written_list
from exactdice.report.eyes import (
    WIDTH,
    aligned,
    blocks,
    bytes_to_write,
    first_lines,
    folded,
    headline,
    leading,
)
from exactdice.report.latex import latex_row
from exactdice.report.model import Quantity, Report, Table, enclosed, exact, listing, text_column
from exactdice.report.readers import read_json
from exactdice.report.terminal import for_terminal
from exactdice.report.writers import Format
from exactdice.rooms import ask

# Of at most 17 characters, so that three columns fit side by side into 60.
words = st.text("abc 123/", min_size=0, max_size=150).map(
    lambda text: " ".join(word[:17] for word in text.split())
)


widths = st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, min(n, 26))))


@given(st.lists(widths, min_size=1, max_size=30), st.integers(60, 120), st.integers(1, 5))
def test_blocks_hold_every_column_once_and_fit(widths, width, repeated):
    natural, least = [n for n, _ in widths], [m for _, m in widths]
    found = blocks(natural, least, width, repeated=repeated)
    first, *others = found
    again = repeated
    while again > 1 and sum(least[:again]) + max(least[again:], default=0) + 2 * again > width:
        again -= 1
    assert all(block.places[:again] == tuple(range(again)) for block in others)
    places = [*first.places, *(place for b in others for place in b.places[again:])]
    assert places == [*range(len(widths))]
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
    assert (sum("1,1   bank" in line for line in lines), leading(table)) == (2, 2)


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_no_word_is_lost_and_no_line_is_too_wide(rows):
    lines = list(aligned(["one", "two", "three"], rows, "lrl", 60))
    assert max(map(len, lines)) <= 60
    shown = sorted("".join("".join(lines[2:]).split()))
    assert shown == sorted("".join("".join("".join(row) for row in rows).split()))


WIDE = ["risk table 30 30", "risk survivors 10 10", "symbolic risk-round 4 4", "claims",
        "symbolic ehrhart 1,2,3,4,5"]  # fmt: skip


@pytest.mark.parametrize("asked", ["risk win 40 30", *WIDE[:3]])
def test_reports_fit_the_width_of_a_terminal(asked):
    text = render(ask(asked), Format.TEXT)
    assert max(map(len, text.splitlines())) <= WIDTH


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (4, 6), (3, 20), (12, 6)])
def test_a_terminal_shows_percentages_bars_and_fractions_that_fit(dice, sides, width):
    """Counted over all rolls; a bar is as long as its outcome is probable."""
    counts = {0: 1}
    for _ in range(dice):
        rolled = Counter()
        for total, face in product(counts, range(1, sides + 1)):
            rolled[total + face] += counts[total]
        counts = rolled
    lines = for_terminal(ask(f"dice distribution {dice}d{sides}"), 10, width).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("outcome "))
    rows = lines[begin + 2 : begin + 2 + len(counts)]
    longest, most = max(row.count("█") for row in rows), max(counts.values())
    assert longest >= 12
    for row, (total, count) in zip(rows, sorted(counts.items()), strict=True):
        chance = Fraction(count, sides**dice)
        outcome, percentage, sign, *_, last = row.split()
        error = Fraction(5, 1000) if chance >= Fraction(1, 10**4) else 5 * chance
        assert (int(outcome), sign) == (total, "%")
        assert abs(Fraction(percentage) - 100 * chance) <= error
        assert row.count("█") == longest * count // most
        assert len(row) <= width
        assert "exact probability" not in lines[begin] or Fraction(last) == chance


def test_a_terminal_shows_a_probability_that_is_zero_everywhere():
    columns = [text_column("name", "name"), exact("probability", "probability")]
    table = Table("all", "All", columns, [("a", mpq(0)), ("b", mpq(0))])
    lines = for_terminal(Report("Nothing", [], [table]), 10, 80).splitlines()
    assert [line.split() for line in lines if line[:2] in ("a ", "b ")] == [
        ["a", "0", "%"],
        ["b", "0", "%"],
    ]


def test_a_terminal_shows_the_digits_that_bounds_make_certain():
    cells = [Enclosure(mpq(1, 3), mpq(1, 3) + mpq(1, 10**9)), Enclosure(mpq(0), mpq(0))]
    wide = Enclosure(mpq("0.4999"), mpq("0.5001"))  # 49.99 % or 50.01 %
    for more, expected in (([], ["33.33 %", "0 %"]), ([wide], ["0.3333333", "0"])):
        rows = [[one] for one in [*cells, *more]]
        table = Table("all", "All", [enclosed("win", "chance to win")], rows)
        lines = for_terminal(Report("Bounds", [], [table]), 10, 80).splitlines()
        assert [line.strip() for line in lines[6:8]] == expected


#: Published: the Risk posts and the README of the reroll game. By hand: 1955/2592 is two rounds of
#: two dice, then one; a die scores nothing on 4 of 6 faces; 14 of 24 and 21 of 36
#: pairs of rolls.
SAID = {
    "risk win 4 2": (mpq(6610505, 10077696), "65.6 %  4 attackers (3 fight) beat 2 defenders"),
    "risk survivors 2 1 --units fighting": (mpq(1955, 2592), "75.4 %  2 attackers beat 1 defender"),
    "dice distribution 2d6": (mpq(7), "7  on average with 2d6"),
    "dice compare '2d20kh1 + 5 vs 15'": (
        mpq(319, 400),
        "79.8 %  2d20 keep highest + 5 meets or beats 15; 75.0 % it is above 15",
    ),
    "dice compare 'd6 v d4'": (mpq(7, 12), "58.3 %  d6 is higher than d4; 16.7 % they are equal"),
    "reroll value": (
        mpq(103369, 7744),
        "13.3483  points on average with 3 dice of 6 sides, penalty 1, played optimally",
    ),
    "farkle bust --dice fair*2": (mpq(4, 9), "44.4 %  of rolls of 2 fair dice score nothing"),
    "risk round 1 1": (mpq(7, 12), "0.583333  units lost by the attacker on average in a round of"),
}


@pytest.mark.parametrize("asked", SAID)
def test_the_first_line_on_a_terminal_says_what_the_number_is_and_the_next_is_exact(asked):
    value, said = SAID[asked]
    report = ask(asked)
    first, exactly, *_ = for_terminal(report, 10, 120).splitlines()
    assert f"{first} ".startswith(f"{said} ")
    assert value.denominator == 1 or exactly.endswith(f" = {value}")
    styled = for_terminal(report, 10, 120, is_styled=True)
    assert re.sub("\033\\[.m", "", styled) == for_terminal(report, 10, 120)
    assert " ".join(render(report, Format.TEXT).split()).startswith(" ".join(said.split()))


def test_a_program_whose_outputs_are_empty_has_no_mean_in_its_first_line():
    first, *_ = for_terminal(ask("anydice 'output {}'"), 10, 80).splitlines()
    assert first == "No outcomes  in any output"


@needs_pdflatex
@pytest.mark.parametrize("asked", WIDE)
def test_latex_tables_fit_a_page(asked, tmp_path):
    said = set_by_pdflatex(render(ask(asked), Format.LATEX), tmp_path)
    wide = re.findall(rb"Overfull \\hbox \(([\d.]+)pt", said)
    assert all(float(points) < 5 for points in wide)  # less than a letter


@pytest.mark.parametrize(("text", "latex"), [
    ("κ₀ + 2²", r"$\kappa$$_{0}$ + 2$^{2}$"),
    ("10⁻⁶ µm", r"10$^{-}$$^{6}$ $\mu$m"),
    ("Σᵢ λᵢ ≠ Ω′", r"$\Sigma$$_{i}$ $\lambda$$_{i}$ $\ne$ $\Omega$${}'$"),
    ("Löwe, šest, łuk", "Löwe, šest, łuk"),  # letters that plain pdflatex has
    ("骰 ▲ \u200b \x1b ą đ™", r"\textbackslash{}u9ab0 \textbackslash{}u25b2 "
     r"\textbackslash{}u200b \textbackslash{}u001b \textbackslash{}u0105 "
     r"\textbackslash{}u0111\textbackslash{}u2122"),
])  # fmt: skip
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
    table = Table("t", "all", columns, rows)
    set_by_pdflatex(render(Report("all", (), [table]), Format.LATEX), tmp_path)


def test_latex_takes_the_smallest_size_and_as_many_columns_as_fit():
    def wide(letters):
        columns = [text_column(f"c{place}", "words") for place in range(30)]
        table = Table("t", "wide", columns, [["m" * letters] * 30])
        return render(Report("wide", (), [table]), Format.LATEX)

    latex = wide(20)  # which no size holds on one line: the columns are set in blocks
    assert "part 1 of" in latex
    assert r"\scriptsize" in latex
    assert r"\footnotesize" not in latex
    # 8 columns of 9 letters of 3.75 pt and 7 gaps of 6 pt are 312 pt of 328, 9 and 8 are 351.75.
    set_in = re.findall(r"begin{tabular}{(l+)}", wide(9))
    assert max(map(len, set_in)) == 8


def test_lists_and_decimals_are_written_beside_names():
    numbers = {"whole": mpq(3), "half": mpq(1, 2), "third": mpq(-2, 3)}
    values = [Quantity(exact(name, name), value) for name, value in numbers.items()]
    lines = render(Report("numbers", values, []), Format.MD).splitlines()
    text = render(Report("numbers", values, []), Format.TEXT)
    assert text.startswith("3  whole. numbers\n\nhalf: ≈ 0.5000000000 = 1/2 (half)\n")
    long = Report("long", [Quantity(exact("long", "word " * 20), mpq(3))], [])
    assert render(long, Format.TEXT).startswith(f"3  {'word ' * 14}word\n   word word")
    shown = {line.split("**")[1]: line.split(": ", 1)[1] for line in lines if "**" in line}
    assert shown == {"whole": "3", "half": "0.5000000000 ≈ 1/2", "third": "-0.6666666667 ≈ -2/3"}
    assert written_list((True, False)) == "true false"


@pytest.mark.parametrize("says", ["", "a half of it", ("50 %", "of the " + 20 * "long ", "1/2")])
def test_a_report_begins_alike_on_a_terminal_in_text_and_in_html(says):
    report = Report.of("numbers", {}, exact("half", "half of a die")(mpq(1, 2)), says=says)
    (big, sentence, _), lines = first_lines(report, 80)
    for written in (render(report), for_terminal(report, 10, 80)):
        assert written.splitlines()[: len(lines)] == lines
    assert " ".join(" ".join(lines).split()) == f"{big} {sentence}".strip()
    lead = f"<strong>{big}</strong> {headline(report).sentence}"
    assert lead in render(report, Format.HTML)


@given(cell=st.lists(st.integers(0, 9), max_size=40).map(tuple))
def test_what_a_list_takes_to_write_is_not_less_than_what_is_written(cell):
    def report(*rows):
        return Report("Lists", (), [Table("rows", "Rows", [listing("ties", "actions")], rows)])

    more = len(render(report((cell,)), Format.CSV)) - len(render(report(), Format.CSV))
    assert bytes_to_write(report((cell,)), 10) - bytes_to_write(report(), 10) >= more


@given(st.lists(st.text("ab-é", min_size=1, max_size=12), max_size=8), st.integers(1, 12))
def test_a_text_is_folded_as_by_the_standard_library(words, width):
    text = " ".join(words)
    wrapped = textwrap.wrap(text, width, break_on_hyphens=False)
    assert folded(text, width) == ([line.rstrip() for line in wrapped] or [""])


rationals = st.fractions().map(lambda q: mpq(q.numerator, q.denominator))
enclosures = st.tuples(rationals, rationals).map(lambda ends: Enclosure(min(ends), max(ends)))


def report_of(values):
    column = enclosed("value", "a number", "points")
    rows = [(mpq(n), value) for n, value in enumerate(values)]
    table = Table("rows", "Numbers", [exact("n", "number"), column], rows)
    return Report("Between bounds", [Quantity(column, values[0])], [table])


@given(st.lists(st.none() | enclosures, min_size=1, max_size=4))
def test_both_data_formats_give_both_ends_back(values):
    report = report_of(values)
    for read, output_format in ((read_json, Format.JSON), (read_csv, Format.CSV)):
        again = read(render(report, output_format))
        assert (again.quantities, again.tables) == (report.quantities, report.tables)


@given(enclosures, st.integers(1, 30))
def test_numerals_of_bounds_are_true_of_every_number_between(value, digits):
    places = value.places(digits)
    assert mpq(value.rounded_down(places)) <= value.lower
    assert mpq(value.rounded_up(places)) >= value.upper
    spread = mpq(value.rounded_up(places)) - mpq(value.rounded_down(places))
    assert spread <= value.width + mpq(2) / 10**places
    assert mpq(value.shown_width()) * mpq(21, 20) >= value.width
    shown = value.certain(digits)
    if " to " not in shown:
        places = len(shown.partition(".")[2])
        for number in (value.lower, value.upper, value.middle):
            assert abs(mpq(shown) - number) <= mpq(1, 2) / 10**places
    # Oracle: both ends are no farther from the decimal than it says, nor is it much too large.
    shown, _, away = value.near(digits).partition(" ± ")
    farthest = max(value.upper - rational(shown), rational(shown) - value.lower)
    assert farthest <= rational(away or "0") <= farthest * mpq(11, 10)
    if value.width:  # as wide as the bounds are, or else all digits that were asked for
        figures = len(re.sub(r"e.*|\D", "", shown).lstrip("0"))
        assert farthest <= value.width * mpq(11, 20) or figures == digits


def test_a_number_between_bounds_stands_under_no_heading_that_says_exact_or_decimal():
    # Source: by hand, the middle of 1/3 and 0.3334 is 0.33336…, and each 0.0000333… away.
    value, seen = Enclosure(mpq(1, 3), mpq(3334, 10000)), "0.333367 ± 0.000034"
    report = report_of([value])
    html = render(report, Format.HTML)
    assert '<th scope="col">quantity</th><th class="r" scope="col">value</th></tr>' in html
    assert f' data-sort="0.333367">{seen}</td></tr>' in html
    assert ">width<" not in html
    latex = render(report, Format.LATEX)
    assert r"quantity & value \\" in latex
    assert r"a number [points] & 0.333367 $\pm$ 0.000034 \\" in latex
    for output_format in (Format.TEXT, Format.MD):
        table = render(report, output_format).split("Numbers")[1]
        assert seen in table
        assert "width" not in table
    assert f"**value** (a number): {seen}" in render(report, Format.MD)


def test_numbers_between_bounds_are_written_for_programs_and_for_eyes():
    # Source: a third lies between 3/10 and 4/10.
    document = json.loads(render(report_of([Enclosure(mpq(3, 10), mpq(2, 5))]), Format.JSON))
    assert document["value"] == {"lower": "3/10", "upper": "2/5"}
    assert document["value_float"] == 0.35
    width = mpq(1, 10**12)
    text = render(report_of([Enclosure(mpq(1, 3), mpq(1, 3) + width)]), Format.TEXT)
    assert "≥ 0.3333333333333" in text
    assert "≤ 0.3333333333344" in text
    assert "≈ 0.333333333, known to within 1.0e-12" in text
    half = mpq(1, 2)
    assert Quantity(enclosed("value", "a number"), half).value == Enclosure(half, half)
    assert isinstance(Quantity(exact("value", "a number"), Enclosure(half, half)).value, mpq)


@pytest.mark.parametrize("asked", ["risk win 4 2", "risk table 12 12", "symbolic risk-round 3 2"])
def test_a_page_is_well_formed_and_asks_nothing_of_the_network(asked):
    report = ask(asked)
    html = render(report, Format.HTML)
    page = parsed(html)
    assert not page.addresses
    assert "http" not in html
    rows = sum(len(table.rows) for table in report.tables)
    assert html.count("<tr>") >= rows + len(report.tables)


def test_a_page_holds_the_value_its_command_and_no_markup_of_words():
    html = render(ask("risk win 4 2"), Format.HTML)
    assert POSTS_WIN in parsed(html).cells
    assert "exactdice risk win 4 2" in html
    title = "<script>alert(1)</script>"
    table = Table("t", title, [text_column("w", title)], [[title]])
    html = render(Report(title, [Quantity(text_column("q", title), title)], [table]), Format.HTML)
    assert "<script>alert" not in html
    parsed(html)
    tiny = mpq(1, 3**200)
    table = Table("t", "long", [exact("p", "chance")], [[tiny]])
    html = render(Report("long", (), [table]), Format.HTML)
    digits = str(10**105 // 3**200)[:7]  # of 3⁻²⁰⁰, by long division; 3²⁰⁰ has 96 digits
    assert f'data-sort="{digits[0]}.{digits[1:]}' in html
    assert 'e-96"' in html
