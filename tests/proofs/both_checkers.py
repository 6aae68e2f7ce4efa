"""Compare both checkers of certificates of values with each other and with brute force.

python tests/proofs/both_checkers.py [FORGERIES [SEED]]

Needs `make coq`. Changes the meaning of certificates, and of some a character; prints how many both
checkers accept for each question. Fails if the two differ or accept a false certificate.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

from forging import Paper, forged, is_true, random_paper, read

PROOFS = Path(__file__).parents[2] / "proofs"
EXTRACTED = PROOFS / "coq" / "extracted" / "values"
CHARACTERS = "0123456789 -;|/=#x\n\t~"


def module(source: str) -> ModuleType:
    """The checker in Python as a module, perhaps with a changed source."""
    checker = ModuleType("certificate_check")
    exec(compile(source, "certificate_check", "exec"), checker.__dict__)  # noqa: S102
    return checker


def by_python(check: ModuleType, text: str) -> bool:
    """Whether the checker in Python accepts a text."""
    try:
        check.Check(iter(text.splitlines(keepends=True))).run()
    except check.RejectedError:
        return False
    return True


def by_coq(texts: list[str], program: Path = EXTRACTED) -> list[bool]:
    """For each text, whether the extracted checker accepts it; form feeds separate them."""
    stream = "\f".join(texts)
    run = subprocess.run([program], input=stream, capture_output=True, text=True, check=False)
    return [line.startswith("accepted: ") for line in run.stdout.splitlines()]


def misspelt(text: str, drawn: Random) -> str:
    """A text with one character replaced, deleted or inserted."""
    at = drawn.randrange(len(text))
    letter = drawn.choice(["", *CHARACTERS, text[at] + drawn.choice(CHARACTERS)])
    return text[:at] + letter + text[at + 1 :]


def forgeries(drawn: Random, number: int) -> Iterator[tuple[Paper, str, bool]]:
    """Yield papers, texts, and whether the text has the content of the paper."""
    for _ in range(number // 20):
        paper = random_paper(drawn)
        text = "".join(paper.lines())
        for _ in range(18):
            changed = forged(paper, drawn)
            yield changed, "".join(changed.lines()), True
        for _ in range(2):
            yield paper, misspelt(text, drawn), False


def compared(number: int, seed: int, program: Path = EXTRACTED) -> Counter[str]:
    """Count what both accept by question; raise AssertionError if they differ or are wrong."""
    check = module((PROOFS / "certificate_check.py").read_text(encoding="ascii"))
    papers = list(forgeries(Random(seed), number))  # noqa: S311 - no secret
    counts = Counter[str]()
    verdicts = by_coq([text for _, text, _ in papers], program)
    for (paper, text, spelt), verdict in zip(papers, verdicts, strict=True):
        assert by_python(check, text) == verdict, f"the two differ:\n{text}"
        counts[f"{paper.question}, of {paper.players}"] += verdict
        if verdict and not spelt:
            paper, keeps_claim = read(text)
            assert keeps_claim, f"accepted, but the bounds do not imply the claim:\n{text}"
        assert not verdict or is_true(paper), f"accepted and false:\n{text}"
    return counts


def main(words: list[str]) -> None:
    """Compare in parts of a thousand."""
    number, seed = map(int, [*words, "300000", "1"][:1] + [*words[1:], "1"][:1])
    accepted = Counter[str]()
    for part in range(number // 1000):
        accepted += compared(1000, seed + part)
    print(f"{number} certificates: the checkers agree, no false one accepted: {dict(accepted)}")


if __name__ == "__main__":
    main(sys.argv[1:])
