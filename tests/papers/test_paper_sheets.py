import pytest
from gmpy2 import mpq

from exactdice.report.model import text_column, whole
from papers.make import sheets
from papers.make.sheets import Macros, Sources, paper_table, worked

#: By enumeration of one die against one: 15 of 36 rolls cost the defender a unit.
WIN_ONE = mpq(15, 36)


@pytest.fixture
def sources():
    return Sources()


def test_macros_hold_exact_rounded_cut_and_grouped_numbers(sources):
    macros = Macros(sources)
    value = macros.source("risk win 2 1").value("value")
    assert value == WIN_ONE
    macros.add("Exact", sheets.exact(value))
    macros.add("Rounded", sheets.decimal(value, 3))  # 0.41666… rounds up
    macros.add("Cut", sheets.cut(value, 3))  # and is cut off to 0.416
    macros.percent("Part", value)
    macros.add("Large", sheets.whole(worked(1234567, value)))
    macros.add("Small", sheets.whole(worked(9999, value)))
    macros.asked("Attackers", 2)
    assert macros.content().splitlines()[1:] == [
        "% exactdice risk win 2 1", r"\newcommand{\TheExact}{\ensuremath{5/12}}",
        r"\newcommand{\TheRounded}{\ensuremath{0.417}}",
        r"\newcommand{\TheCut}{\ensuremath{0.416}}", r"\newcommand{\ThePart}{41.7\,\%}",
        r"\newcommand{\TheLarge}{\ensuremath{1\,234\,567}}",
        r"\newcommand{\TheSmall}{\ensuremath{9999}}", r"\newcommand{\TheAttackers}{\ensuremath{2}}"
    ]  # fmt: skip


def test_a_number_missing_in_the_cited_answer_is_rejected(sources):
    macros = Macros(sources)
    macros.source("risk win 4 2")
    with pytest.raises(ValueError, match="stands in none of the answers"):
        macros.add("Invented", sheets.exact(WIN_ONE))
    with pytest.raises(ValueError, match="stands in none of the answers"):
        macros.percent("Invented", worked(mpq(1, 2), WIN_ONE))
    with pytest.raises(ValueError, match="is not in the question"):
        macros.asked("Armies", 12)
    macros.source("risk win 2 1")
    macros.add("Now", sheets.exact(WIN_ONE))
    macros.source("risk win 4 2", more=True)
    macros.add("Still", sheets.exact(WIN_ONE))


@pytest.mark.parametrize("name", ["Two2", "", "Value"])
def test_a_macro_needs_a_fresh_name_of_letters(name, sources):
    macros = Macros(sources)
    value = macros.source("risk win 2 1").value("value")
    macros.add("Value", sheets.exact(value))
    with pytest.raises(ValueError, match="letters that is not yet used"):
        macros.add(name, sheets.exact(value))


def test_a_table_has_its_caption_label_and_questions(sources):
    columns = [whole("n", "number"), text_column("chance", "chance")]

    def made(rows, command="risk win 2 1 --units total", **options):
        return paper_table("A caption", "short", columns, rows, sources, [command], **options)

    short = made([(1, sheets.exact(WIN_ONE))])
    assert r"\caption{A caption}\label{tab:short}" in short
    assert "$1$ & $5/12$" in short
    assert short.splitlines()[1] == "% exactdice risk win 2 1"
    assert "small" not in short
    assert "\\centering\n\\small\n" in made([(1, sheets.exact(WIN_ONE))], small=True)
    assert "\\begin{tabular}{rl}" in short
    numbers = made([(12345, sheets.decimal(WIN_ONE, 3)), (1, "")])
    assert "\\begin{tabular}{rr}" in numbers  # points are below points
    assert "$12\\,345$ & $0.417$" in numbers
    with pytest.raises(ValueError, match="stands in none of the answers"):
        made([(1, sheets.exact(WIN_ONE))], "risk win 4 2")


def test_whole_numbers_are_whole():
    with pytest.raises(ValueError, match="is no whole number"):
        sheets.whole(mpq(1, 2))
