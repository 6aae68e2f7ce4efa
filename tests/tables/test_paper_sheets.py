import pytest
from gmpy2 import mpq

from exactdice.jobs.papers.sheets import Macros, fraction, paper_table, percent
from exactdice.report.model import text_column, whole


def test_macros_hold_exact_rounded_cut_and_grouped_numbers():
    macros = Macros("exactdice somewhere")
    macros.exact("Exact", mpq(-2, 6))
    macros.decimal("Rounded", mpq(2, 3), 3)  # 0.6666… rounds up
    macros.cut("Cut", mpq(2, 3), 3)  # and is cut off to 0.666
    macros.whole("Small", 9999)
    macros.whole("Large", 1234567)
    macros.percent("Part", mpq(1, 8))
    assert macros.content().splitlines()[1:] == [
        "% exactdice somewhere",
        r"\newcommand{\TheExact}{\ensuremath{-1/3}}",
        r"\newcommand{\TheRounded}{\ensuremath{0.667}}",
        r"\newcommand{\TheCut}{\ensuremath{0.666}}",
        r"\newcommand{\TheSmall}{\ensuremath{9999}}",
        r"\newcommand{\TheLarge}{\ensuremath{1\,234\,567}}",
        r"\newcommand{\ThePart}{12.5\,\%}",
    ]


@pytest.mark.parametrize("name", ["Two2", "", "Value"])
def test_a_macro_needs_a_fresh_name_of_letters(name):
    macros = Macros("exactdice somewhere")
    macros.exact("Value", mpq(1))
    with pytest.raises(ValueError, match="letters that is not yet used"):
        macros.exact(name, mpq(1))


def test_a_table_has_its_caption_label_and_command():
    columns = [whole("n", "number"), text_column("words", "words")]
    short = paper_table("A caption", "short", columns, [(1, "a")], "exactdice somewhere")
    assert r"\caption{A caption}\label{tab:short}" in short
    assert short.splitlines()[1] == "% exactdice somewhere"
    assert "small" not in short
    tight = paper_table(
        "A caption", "short", columns, [(1, "a")], "exactdice somewhere", small=True
    )
    assert "\\centering\n\\small\n" in tight
    rows = [(n, "a") for n in range(60)]  # more than fit on a page: a longtable
    assert "\\label{tab:long}\\\\\n" in paper_table("A caption", "long", columns, rows, "x")


def test_fractions_and_percentages():
    assert fraction(mpq(3, 6)).latex == "1/2"
    assert percent(mpq(1, 3), 2) == "33.33"
