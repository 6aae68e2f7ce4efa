"""Phrases that readers stumble over, in the texts of the repository, with advice on what to write.

    python tools/phrases.py [PATH ...]   every hit in these files, by default in all of git

Texts are Markdown outside code, docstrings, and string literals of several words. The exit status
is 1 if there are more hits in all files than `phrases` in `tools/budget.toml` allows.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ("tools/phrases.py", "tests/test_phrases.py")

RULES = {  # pattern: what to write instead
    r"\blaws? of (?!large|total)": "distribution of …",
    r"\b(?:is|are|was) worth (?!doing|a )": "the value (expected payoff) is …",
    r"\b(?:is|are|was|be) told\b": "name the actor: the report shows …, the error names …",
    r"\bstands? (?:in|beside|behind|below|alone|for what)\b": "is in, is next to, follows, means",
    r"\b(?:of|from|by|between) which\b": "end the sentence; start another with It or They",
    r"\bwhat (?:became|is asked|it takes|they hold|stands|was asked)\b": "name the thing",
    r"\b[Ww]here (?:it|they|there|no|all|some|one|nobody|nothing|both)\b": "if … (a condition)",
    r", as (?:in )?`?[\d{<-]": "for example …, such as …",
    r"\b(?:but for|nothing but|none but|all but)\b": "except, only",
    r"\b(?:it|that|them|this|library|Python|play|those|ones) alone\b": "only …",
    r"\bwithout (?:an )?end\b|\bendless(?:ly)?\b": "unlimited, infinite",
    r"\bgo(?:es)? on\b": "continue, resume",
    r"\bcomes? to (?:a |the |that|it\b|be\b)": "reach, become, amount to",
    r"\b(?:no|some)body\b|\ba stranger\b": "no player, no user, someone who …; or name the actor",
    r"\bheld? against\b": "compared with",
    r"\breckon(?:s|ed|ing)?\b|\bof one's own\b": "compute; your own",
    r"\b(?:is|are) refused\b": "name the error that is raised, or: is rejected",
    r"; give (?!it)": "; expected … (errors have one form)",
    r"\bbest (?:play|answer|reply)\b": "optimal policy or strategy, best response",
    r"\bas good\b(?! as)": "tied, equally good",
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        blank = lambda match: "\n" * match[0].count("\n")  # noqa: E731
        prose = re.sub(r"(?s)```.*?```|`[^`\n]*`", blank, source)
        return enumerate(prose.splitlines(), 1)
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    words = (node for node in nodes if isinstance(node.value, str) and " " in node.value)
    return (place for node in words for place in enumerate(node.value.splitlines(), node.lineno))


def main(words: list[str]) -> int:
    listed = subprocess.check_output(["git", "ls-files", "*.md", "*.py"], cwd=ROOT, text=True)
    found = [
        f"{name}:{number}: {match[0].strip()}: {advice}"
        for name in words or [name for name in listed.splitlines() if name not in OWN]
        for number, text in texts(ROOT / name)
        for rule, advice in RULES.items()
        for match in re.finditer(rule, text)
    ]
    allowed = tomllib.loads((ROOT / "tools/budget.toml").read_text(encoding="utf-8"))["phrases"]
    print("\n".join([*(found if words or len(found) > allowed else ()), f"{len(found)} phrases"]))
    return len(found) > allowed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
