"""Statements of the papers with words such as never or only have a backing."""

import re
import shutil
from pathlib import Path

import pytest

from exactdice.jobs.claims import CLAIMS
from papers.make import sentences

ROOT = Path(__file__).parents[2]


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
            assert all((ROOT / "exactdice" / path).exists() for path in paths.split(", ")), said
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
