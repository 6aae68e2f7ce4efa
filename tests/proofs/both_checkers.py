"""Hold both checkers of certificates of values against each other and against brute force.

python tests/proofs/both_checkers.py [FORGERIES [SEED]]

Needs `make coq`. Forges certificates by meaning, and some of them by a letter, and prints how many
both checkers accept of each question; ends with an error where the two differ, or where a false one
is accepted.
"""

import copy
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

from forging import Paper, forge, is_true, random_paper, read

PROOFS = Path(__file__).parents[2] / "proofs"
EXTRACTED = PROOFS / "coq" / "extracted" / "values"
LETTERS = "0123456789 -;|/=#x\n\t~"


def module(source: str) -> ModuleType:
    """The checker in Python as a module, perhaps with a change in its source."""
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
    """Which texts the extracted checker accepts; they stand apart by form feeds."""
    stream = "\f".join(texts)
    run = subprocess.run([program], input=stream, capture_output=True, text=True, check=False)
    return [line.startswith("accepted: ") for line in run.stdout.splitlines()]


def misspelt(text: str, drawn: Random) -> str:
    """A text with one letter replaced, left out or put in."""
    at = drawn.randrange(len(text))
    letter = drawn.choice(["", *LETTERS, text[at] + drawn.choice(LETTERS)])
    return text[:at] + letter + text[at + 1 :]


def forgeries(drawn: Random, number: int) -> Iterator[tuple[Paper, str, bool]]:
    """Papers, their texts, and whether the text says what the paper does."""
    for _ in range(number // 20):
        paper = random_paper(drawn)
        for spelt in [True] * 18 + [False] * 2:
            forged = copy.deepcopy(paper)
            for _ in range(drawn.choice([1, 1, 2, 3]) if spelt else 0):
                forge(forged, drawn)
            text = "".join(forged.lines())
            yield forged, text if spelt else misspelt(text, drawn), spelt


def compared(number: int, seed: int, program: Path = EXTRACTED) -> Counter[str]:
    """Count what both accept, by question; raises AssertionError where they differ or are wrong."""
    check = module((PROOFS / "certificate_check.py").read_text(encoding="ascii"))
    forged = list(forgeries(Random(seed), number))  # noqa: S311 - no secret
    counts = Counter[str]()
    verdicts = by_coq([text for _, text, _ in forged], program)
    for (paper, text, spelt), verdict in zip(forged, verdicts, strict=True):
        assert by_python(check, text) == verdict, f"the two differ:\n{text}"
        counts[f"{paper.question}, of {paper.players}"] += verdict
        if verdict and not spelt:
            paper, keeps_claim = read(text)
            assert keeps_claim, f"accepted and not claimed:\n{text}"
        assert not verdict or is_true(paper), f"accepted and false:\n{text}"
    return counts


def main(words: list[str]) -> None:
    """Compare in parts of a thousand."""
    number, seed = map(int, [*words, "300000", "1"][:1] + [*words[1:], "1"][:1])
    accepted = Counter[str]()
    for part in range(number // 1000):
        accepted += compared(1000, seed + part)
    print(f"{number} forged, none false accepted, both alike; accepted: {dict(accepted)}")


if __name__ == "__main__":
    main(sys.argv[1:])
