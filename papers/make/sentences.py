"""List sentences of the papers with a word such as never, only or exactly, with justification.

    python -m papers.make.sentences [--write]

Prints ``papers/SENTENCES.md``, or writes it; exit status 1 if a sentence has no justification.
A statement is justified by its proof, any other sentence by the theorems, numbers, tables and
publications that it names, or by its line in ``papers/backed.txt``, which holds the paper, the
justification and the beginning of the sentence.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from papers.make import catalogue

HOME = Path(__file__).resolve().parents[1]
PAPERS = tuple(paper.name for paper in catalogue.PAPERS)
SHARED = "preamble"  # its paragraph on how numbers are made, which all papers print
WORDS = re.compile(r"\b(always|never|every|no|only|best|first|exactly)\b", re.IGNORECASE)
STATEMENTS = "theorem|lemma|proposition|corollary|observation|conjecture"
BLOCK = re.compile(
    rf"\\begin\{{({STATEMENTS}|proof)\}}(?:\[([^]]*)\])?(.*?)\\end\{{\1\}}", re.DOTALL
)
FORMULA = re.compile(r"\\\[.*?\\\]|\\begin\{(align\*?|equation)\}.*?\\end\{\1\}", re.DOTALL)
SENTENCE = re.compile(r"(?:[^.!?]|[.!?](?=[\w)'~,\\])|!(?=\}))+[.!?]")
BREAK = re.compile(
    r"\\(?:begin|end)\{(?:abstract|itemize|enumerate|figure|table)\}(?:\[[^]]*\])?|\\item"
    r"|\\(?:section|paragraph)\{[^}]*\}|\\label\{[^}]*\}|\\input\{[^}]*\}|\\maketitle"
    r"|\\centering|\\includegraphics(?:\[[^]]*\])?\{[^}]*\}|\\caption\{|\n\s*\n"
)
SEEN = (
    (re.compile(r"\\written\{(\d+)\}"), "theorem {}"),
    (re.compile(r"\\(The[A-Za-z]+)"), "{}"),
    (re.compile(r"\\ref\{(tab:[^}]*|fig:[^}]*|thm:[^}]*|lem:[^}]*)\}"), "{}"),
    (re.compile(r"\\cite(?:\[[^]]*\])?\{([^}]*)\}"), "cited: {}"),
)


def text_of(paper: str) -> str:
    """Return a paper from abstract to bibliography, or the shared part, without comments."""
    path = HOME / "preamble.tex" if paper == SHARED else HOME / paper / f"{paper}.tex"
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in lines)
    if paper == SHARED:
        return text[text.index("\\paragraph{How to produce") :]
    return text[text.index("\\begin{abstract}") : text.index("\\bibliographystyle")]


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the statement that a part belongs to (or '') and the text of the part."""
    end = 0
    blocks = list(BLOCK.finditer(text))
    proved = [block[2] for block in blocks if block[1] == "proof" and block[2]]
    elsewhere = set(re.findall(r"\\ref\{([^}]*)\}", " ".join(proved)))
    for place, block in enumerate(blocks, 1):
        following = blocks[place] if place < len(blocks) else None
        yield "", text[end : block.start()]
        end = block.end()
        label = re.search(r"\\label\{([^}]*)\}", block[3])
        until = text[end : following.start() if following else None]
        proofs = [f"theorem {n}" for n in re.findall(r"\\written\{(\d+)\}", until)]
        is_next = following is not None and following[1] == "proof"
        proofs += ["its proof"] if is_next or (label and label[1] in elsewhere) else []
        if block[1] == "proof":
            yield "step of a proof", block[3]
        elif block[1] == "conjecture":
            yield "said as a conjecture", block[3]
        else:
            name = label[1] if label else block[2]
            yield f"{name}: {', '.join(proofs)}" if proofs else "", block[3]
    yield "", text[end:]


def commands(paper: str) -> dict[str, str]:
    """Return the command that prints each number of a paper, by the name of its macro."""
    if paper == SHARED:
        return {}
    lines = (HOME / "generated" / paper / "numbers.tex").read_text(encoding="utf-8").splitlines()
    command = ""
    named: dict[str, str] = {}
    for line in lines[1:]:
        if line.startswith("% "):
            command = line[2:]
        elif macro := re.match(r"\\newcommand\{\\(The\w+)\}", line):
            named[macro[1]] = f"`{command}`"
    return named


def sentences(paper: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence with one of the words, and the justification in its text."""
    printed = commands(paper)
    for block, part in parts(text_of(paper)):
        for piece in BREAK.split(FORMULA.sub(" … ", part)):
            for match in SENTENCE.finditer((piece or "").strip()):
                said = " ".join(match[0].split()).removeprefix("} ")  # of \emph{Its name.}
                if WORDS.search(re.sub(r"\\(?:begin|end|ref|cite|label)\{[^}]*\}", "", said)):
                    seen = [
                        form.format(of) for of_kind, form in SEEN for of in of_kind.findall(said)
                    ]
                    named = [printed.get(name, name) for name in seen]
                    yield said, ", ".join(dict.fromkeys([block] * bool(block) + named))


def entries() -> list[tuple[str, str, str]]:
    """Return what backed.txt says: paper, beginning of the sentence and what backs it."""
    lines = (HOME / "backed.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line.strip() and not line.startswith("#")]
    return [(paper, beginning, backing) for paper, backing, beginning in rows]


def backed() -> Iterator[tuple[str, str, str]]:
    """Yield paper, sentence and justification ('' if there is none), then the unused entries."""
    left = entries()
    for paper in (*PAPERS, SHARED):
        for said, named in sentences(paper):
            of = [entry for entry in left if entry[0] == paper and said.startswith(entry[1])]
            left = [entry for entry in left if entry not in of]
            yield paper, said, of[0][2] if of else named
    yield from ((paper, f"(no such sentence) {said}", "") for paper, said, _ in left)


def table(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Write the list, in Markdown."""
    yield "# Sentences that say always, never, every, no, only, best, first or exactly\n"
    yield "Made by `python -m papers.make.sentences`. *Rule*: of the game. *Words*: how the paper"
    yield "uses a word, or what it does. *Method*: how it is computed, in the module named.\n"
    for paper in (*PAPERS, SHARED):
        yield f"\n## {paper}\n\n| sentence | backed by |\n|---|---|"
        for of, said, backing in rows:
            if of == paper:
                yield f"| {said.replace('|', chr(92) + '|')} | {backing} |"


def main(words: Sequence[str]) -> int:
    """Print or write the list; report sentences without justification."""
    rows = list(backed())
    lacking = [(paper, said) for paper, said, backing in rows if not backing]
    for paper, said in lacking:
        print(f"{paper}: nothing backs: {said}", file=sys.stderr)
    text = "\n".join(table(rows)) + "\n"
    if list(words) == ["--write"]:
        (HOME / "SENTENCES.md").write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return int(bool(lacking))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
