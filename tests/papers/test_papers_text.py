"""The papers type no numbers: each comes from a generated file."""

import re
from pathlib import Path

import pytest

from exactdice.jobs.papers import PAPERS

HOME = Path(__file__).parents[2] / "papers"
SOURCES = {paper.name: HOME / paper.name / f"{paper.name}.tex" for paper in PAPERS}

# Lengths of a page are no results.
LENGTH = re.compile(r"\d*\.?\d+\s*(\\linewidth|\\textwidth|pt|mm|em|ex)")
DECIMAL = re.compile(r"\d*\.\d+|\d+\s*\\?,?\\%|\d{4,}/\d+|\d+\\,\d{3}")
SETTING = re.compile(r"\\setlength\{[^}]*\}\{[^}]*\}|\\renewcommand\{[^}]*\}\{[^}]*\}")


def text_of(source):
    """Text of a paper without comments and lengths."""
    lines = source.read_text(encoding="utf-8").splitlines()
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in lines)
    return LENGTH.sub("", SETTING.sub("", text))


def typed_numbers(text):
    return DECIMAL.findall(text)


@pytest.mark.parametrize("typed", ["0.655954", "48.0\\,\\%", "97\\%", ".5", "6610505/10077696"])
def test_a_typed_number_is_found(typed):
    assert typed_numbers(f"the chance is {typed}, as computed")


@pytest.mark.parametrize(
    "innocent", ["a 6-sided die", "10 rounds", "$3\\times3$", "$q=3/4$", "d4."]
)
def test_what_belongs_to_the_rules_is_no_result(innocent):
    assert not typed_numbers(innocent)


@pytest.mark.parametrize("name", SOURCES)
def test_no_paper_types_a_decimal(name):
    assert typed_numbers(text_of(SOURCES[name])) == []


@pytest.mark.parametrize("name", SOURCES)
def test_every_macro_is_generated(name):
    used = set(re.findall(r"\\(The[A-Za-z]+)", text_of(SOURCES[name])))
    numbers = (HOME / "generated" / name / "numbers.tex").read_text(encoding="utf-8")
    defined = set(re.findall(r"\\newcommand\{\\(The[A-Za-z]+)\}", numbers))
    assert used <= defined
    assert used


@pytest.mark.parametrize("name", SOURCES)
def test_every_table_and_figure_is_generated_and_used(name):
    text = text_of(SOURCES[name])
    inputs = set(re.findall(r"\\input\{\.\./(generated/[^}]*)\}", text))
    assert all((HOME / f"{path}.tex").is_file() for path in inputs)
    figures = set(re.findall(r"\\includegraphics(?:\[[^]]*\])?\{([^}]*)\}", text))
    (paper,) = (paper for paper in PAPERS if paper.name == name)
    assert figures == set(paper.figures)
    labels = {
        m
        for path in (HOME / "generated" / name).glob("*.tex")
        for m in re.findall(r"\\label\{(tab:[^}]*)\}", path.read_text(encoding="utf-8"))
    }
    referred = set(re.findall(r"\\ref\{(tab:[^}]*)\}", text))
    assert referred == labels


def test_every_publication_is_cited_and_every_citation_known():
    known = re.findall(r"@\w+\{(\w+),", (HOME / "bibliography.bib").read_text(encoding="utf-8"))
    cited = {
        key
        for source in SOURCES.values()
        for keys in re.findall(r"\\cite\{([^}]*)\}", text_of(source))
        for key in keys.split(",")
    }
    assert cited == set(known)
    assert len(known) == len(set(known))
