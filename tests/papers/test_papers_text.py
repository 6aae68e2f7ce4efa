"""Papers type no numbers, and each statement with a word such as never or only is backed."""

import re
import shutil
from pathlib import Path

import pytest
from printed import POSTS_WIN

import exactdice
from exactdice.jobs.claims import CLAIMS
from papers.make import PAPERS, sentences

HOME = Path(__file__).parents[2] / "papers"
SOURCES = {paper.name: HOME / paper.name / f"{paper.name}.tex" for paper in PAPERS}

THEOREMS = (HOME.parent / "proofs/theorems/THEOREMS.md").read_text(encoding="utf-8")

# Lengths of a page are no results.
LENGTH = re.compile(r"\d*\.?\d+\s*(\\linewidth|\\textwidth|pt|mm|em|ex)")
SETTING = re.compile(r"\\setlength\{[^}]*\}\{[^}]*\}|\\renewcommand\{[^}]*\}\{[^}]*\}")
# Names of theorems, files, citations and labels are no results.
NAMING = re.compile(r"\\(written|cite|input|label|ref|includegraphics)(\[[^]]*\])?\{[^}]*\}")
# Numbers that are typed on purpose: they stand in the written proofs, or in what is cited beside.
MARKED = re.compile(r"\\(param|lit)\{([^{}]*)\}")

RESULT = re.compile(
    r"\d*\.\d+"  # a decimal
    r"|\d+\s*(?:\\?,?\\%|per\s+cent|percent)"  # a part of a hundred
    r"|\b\d+/\d{3,}\b|\b\d{3,}/\d+\b"  # a fraction that nobody knows by heart
    r"|\d+\\,\d{3}|(?<![\d{])\d{4,}"  # a large number
)
STATEMENT = re.compile(
    r"\\begin\{(theorem|lemma|proposition|corollary|observation|conjecture)\}(.*?)\\end\{\1\}", re.S
)
NUMBER_WORD = re.compile(
    r"\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)"
    r"teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen)\b(?!-)",
    re.IGNORECASE,
)
LARGE_IN_STATEMENT = re.compile(r"(?<![\w^_{.\\/])\d{2,}(?![\w}])")


def text_of(source):
    """Text of a paper without comments, lengths, names and marked numbers."""
    lines = source.read_text(encoding="utf-8").splitlines()
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in lines)
    return LENGTH.sub("", SETTING.sub("", text))


def unmarked(text):
    return NAMING.sub("", MARKED.sub("", text))


def typed_numbers(text):
    text = unmarked(text)
    found = RESULT.findall(text)
    for _, statement in STATEMENT.findall(text):
        found += NUMBER_WORD.findall(statement) + LARGE_IN_STATEMENT.findall(statement)
    return found


@pytest.mark.parametrize("typed", [
    *("0.655954", "48.0\\,\\%", "97\\%", ".5", POSTS_WIN, "5326", "7/576", "12\\,950"),
    *("48 per cent", "48 percent", "163/321")
])  # fmt: skip
def test_a_typed_number_is_found(typed):
    assert typed_numbers(f"the chance is {typed}, as computed")


@pytest.mark.parametrize("typed", ["twelve", "thirty", "Seven", "hundred", "79180", "33", "101"])
def test_a_number_in_a_statement_is_found_in_words_too(typed):
    statement = f"\\begin{{observation}}\nThere are {typed} exceptions.\n\\end{{observation}}"
    assert typed_numbers(statement)
    assert not typed_numbers(statement.replace(typed, f"\\param{{{typed}}}"))


@pytest.mark.parametrize("innocent", [
    "a 6-sided die", "10 rounds", "$3\\times3$", "$q=3/4$", "d4.", "twelve dice", "$24/36$"
])  # fmt: skip
def test_fields_of_the_rules_are_no_results(innocent):
    assert not typed_numbers(innocent)


@pytest.mark.parametrize("name", SOURCES)
def test_no_paper_types_a_result(name):
    assert typed_numbers(text_of(SOURCES[name])) == []


@pytest.mark.parametrize("name", SOURCES)
def test_every_parameter_is_in_the_written_proofs(name):
    there = set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", THEOREMS)))
    for kind, typed in MARKED.findall(text_of(SOURCES[name])):
        if kind == "param":
            assert set(re.findall(r"\d+(?:\.\d+)?", typed)) <= there, typed


@pytest.mark.parametrize("name", SOURCES)
def test_numbers_of_the_literature_have_citations(name):
    for paragraph in re.split(r"\n\s*\n", text_of(SOURCES[name])):
        assert "\\lit{" not in paragraph or "\\cite{" in paragraph, paragraph


@pytest.mark.parametrize("name", SOURCES)
def test_every_written_proof_that_is_named_exists(name):
    headings = set(re.findall(r"^## Theorem (\d+):", THEOREMS, re.M))
    named = set(re.findall(r"\\written\{(\d+)\}", text_of(SOURCES[name])))
    assert named <= headings
    assert named


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
    generated = "".join(p.read_text("utf-8") for p in (HOME / "generated" / name).glob("*.tex"))
    labels = set(re.findall(r"\\label\{(tab:[^}]*)\}", generated))
    referred = set(re.findall(r"\\ref\{(tab:[^}]*)\}", text))
    assert referred == labels


def test_every_publication_is_cited_and_every_citation_known():
    known = re.findall(r"@\w+\{(\w+),", (HOME / "bibliography.bib").read_text(encoding="utf-8"))
    text = "".join(text_of(source) for source in (*SOURCES.values(), HOME / "preamble.tex"))
    citations = re.findall(r"\\cite(?:\[[^]]*\])?\{([^}]*)\}", text)
    cited = {key for keys in citations for key in keys.split(",")}
    assert cited == set(known)
    assert len(known) == len(set(known))


ROOT, PACKAGE = Path(__file__).parents[2], Path(exactdice.__file__).parent


@pytest.fixture
def copied(tmp_path, monkeypatch):
    for paper in sentences.PAPERS:
        shutil.copytree(ROOT / "papers" / paper, tmp_path / paper)
        (tmp_path / "generated" / paper).mkdir(parents=True)
        numbers = Path("generated") / paper / "numbers.tex"
        shutil.copy(ROOT / "papers" / numbers, tmp_path / numbers)
    for shared in ("backed.txt", "preamble.tex"):
        shutil.copy(ROOT / "papers" / shared, tmp_path)
    monkeypatch.setattr(sentences, "HOME", tmp_path)
    return tmp_path


def test_every_sentence_is_backed_and_the_list_is_that_of_the_papers(capsys):
    assert sentences.main([]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out == (ROOT / "papers/SENTENCES.md").read_text(encoding="utf-8")


def test_the_backing_of_a_sentence_exists():
    theorems = (ROOT / "proofs/theorems/THEOREMS.md").read_text(encoding="utf-8")
    there = set(re.findall(r"^## Theorem (\d+):", theorems, re.M))
    claims = {claim.id for claim in CLAIMS}
    for paper, said, backing in sentences.backed():
        generated = (ROOT / "papers/generated" / paper).glob("*.tex")
        texts = [sentences.text_of(paper), *(path.read_text("utf-8") for path in generated)]
        labels = set(re.findall(r"\\label\{([^}]*)\}", "".join(texts)))
        assert set(re.findall(r"theorem (\d+)", backing)) <= there, said
        assert set(re.findall(r"claim ([\w.-]+)", backing)) <= claims, said
        assert set(re.findall(r"\b((?:thm|tab|fig|lem):[\w-]+)", backing)) <= labels, said
        for paths in re.findall(r"method ([\w./]+(?:, [\w./]+)*)", backing):
            assert all((PACKAGE / path).exists() for path in paths.split(", ")), said
        for path in re.findall(r"\b(?:papers/data|proofs|tests)/[\w./-]+\w", backing):
            assert (ROOT / path).exists(), said


@pytest.mark.parametrize(("old", "new", "said"), [
    ("\\section{Limits}", "It is never so.\n\\section{Limits}", "It is never so."),
    ("Some tables count", "Other tables count", "Other tables count the fighting units only."),
    ("We keep only these", "We keep just these", "(no such sentence) We keep only these"),
    # A statement without a proof, and without the name of one.
    ("\\section{Limits}", "\\begin{theorem}Every battle ends.\\end{theorem}\n\\section{Limits}",
     "Every battle ends.")
])  # fmt: skip
def test_a_sentence_without_an_entry_and_an_entry_without_a_sentence_fail(
    copied, capsys, old, new, said
):
    source = copied / "risk/risk.tex"
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")
    assert sentences.main([]) == 1
    assert f"risk: nothing backs: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "expected"), [
    ("By 3.5 only, we say. No.", ["By 3.5 only, we say.", "No."]),
    ("\\begin{theorem}[T]\\label{thm:t}Every a.\\end{theorem}It is so.", ["Every a."]),
    ("\\item We know. \\item It ends first.", ["It ends first."]),
    ("It is $\\frac1{m!}$ only.", ["It is $\\frac1{m!}$ only."]),
    ("\\emph{Of plans.} Each is best.", ["Each is best."])
])  # fmt: skip
def test_sentences_are_found_whole(text, expected, monkeypatch):
    monkeypatch.setattr(sentences, "text_of", lambda _: text)
    assert [said for said, _ in sentences.sentences("risk")] == expected
