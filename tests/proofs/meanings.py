"""Change the statement of a claim in the table, in its certificate and in CLAIMS.md alike.

A text consists of typed words and of derived numbers and words. Each number and each deciding word
is changed separately: in the table a typed word then replaces the name of the derived one. As
certificate and register agree with the changed table, only the derivation can reject it.

    python tests/proofs/meanings.py > tests/proofs/typed.txt

lists again the words whose change is not detected. It takes minutes.
"""

import re
from dataclasses import replace
from itertools import takewhile

from checker import ROOT, check, document_of, documents, is_rejected

LINES = (ROOT / "tests" / "proofs" / "typed.txt").read_text("utf-8").splitlines()
TEXTS = ("says", "domain", "order", "formula")
OPPOSITES = {
    "all": "some", "always": "never", "at least": "at most", "at most": "at least",
    "above": "below", "best": "worst", "better": "worse", "both": "neither", "each": "some",
    "every": "some", "exactly": "not exactly", "falls": "rises", "fewest": "most",
    "first": "last", "greatest": "least", "higher": "lower", "impossible": "possible",
    "last": "first", "least": "greatest", "less": "more", "lower": "greater", "lowers": "raises",
    "lowest": "highest", "more": "less", "most": "fewest", "never": "always", "no": "some",
    "not": "also", "only": "also", "optimal": "not optimal", "reroll": "stick on",
    "rises": "falls", "some": "no", "stick": "reroll", "sticking": "rerolling",
    "without": "with", "one": "two", "two": "three", "three": "four", "six": "five",
    r"\le": r"\ge", r"\ge": r"\le", "≥": "≤", ">": "<",
}  # fmt: skip
DECIDING = re.compile(
    r"[0-9]+|" + "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(OPPOSITES)[::-1])
)


def other(token):
    return str(int(token) + 1).zfill(len(token)) if token.isdigit() else OPPOSITES[token]


def changed(text, found):
    """Yield each deciding word of a text of the table, and the text with it changed."""
    names = check.statements.FIELD.split(text)
    said = [str(found[name]) if place % 2 else name for place, name in enumerate(names)]
    for place, piece in enumerate(said):
        for token in DECIDING.finditer(piece):
            now = piece[: token.start()] + other(token[0]) + piece[token.end() :]
            parts = [f"<{name}>" if k % 2 else name for k, name in enumerate(names)]
            yield token[0], "".join([*parts[:place], now, *parts[place + 1 :]])


def forgeries(claim):
    """Yield text, changed word, and the changed entry of the table with its certificate."""
    document, of = document_of(claim), check.TABLE[claim]
    parts, words = check.found_for(claim, document["evidence"])
    given = check.statements.GIVEN.get(claim.split(".")[0], {})
    found = {**given, **parts["parameters"], **parts["evidence"], **words}
    for name in TEXTS:
        for token, text in changed(getattr(of, name), found):
            said = document["statement"] | {name: check.statements.filled(text, found)}
            last = f" (Smallest in the order: {said['order']}.)" if said["order"] else ""
            sentence = f"In {said['game']}, for {said['domain']}: {said['says']}.{last}"
            forged = document | {"statement": said | {"sentence": sentence}}
            yield name, token, replace(of, **{name: text}), forged


def survivors(claim):
    """Return the number of changes, and a line with those that are accepted."""
    true, tried, found = check.TABLE[claim], 0, {}
    for name, token, entry, forged in forgeries(claim):
        tried += 1
        check.TABLE[claim] = entry
        try:
            if not is_rejected(forged):
                found.setdefault(name, []).append(token)
        finally:
            check.TABLE[claim] = true
    listed = "; ".join(f"{name}: {', '.join(tokens)}" for name, tokens in found.items())
    return tried, f"{claim} {listed}" if found else ""


if __name__ == "__main__":
    print(*takewhile(lambda line: line.startswith("#"), LINES), sep="\n")
    print(*filter(None, (survivors(name)[1] for name in sorted(documents()))), sep="\n")
