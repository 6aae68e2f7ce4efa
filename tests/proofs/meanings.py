"""Change what a claim says in the checker's own table, in its certificate and in CLAIMS.md alike.

A text is its own words and what the derivation filled in. Each number of either, and each word that
decides, is changed by itself: in the table's text, where a name that was filled in gives way to
what is typed in its place. Certificate and register then say the same as the table, so that only
the derivation can tell that it is false.

    python tests/proofs/meanings.py > tests/proofs/typed.txt

writes anew which words are typed, and not found: their change is not noticed. It takes minutes.
"""

import re
from dataclasses import replace

from checker import check, document_of, documents

HEAD = """\
# Words of the claims that their derivations do not find: changed in the table, certificate and
# CLAIMS.md alike, they would not be noticed. Made by tests/proofs/meanings.py. The reasons:
#
# says     words that name the question, such as optimal, most, no, above: the comparison in the
#          derivation stands for them (a `need`, `decided`, or the counts that it returns), and for
#          what holds for all sizes a written proof; the verdict is found, the question is typed
# domain   what is quantified over, such as all and every, and rules in words, such as six dice:
#          the loops of the derivation; 0, 1 and 2 as in s >= 1
# order    the key by which the derivation sorts counterexamples
# formula  relation signs, and 0, 1 and 2 as notation, such as n + 1; other numbers are found
"""
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


def pieces(text, found):
    """Split a text of the table into its own words and what is filled in, each as it is said."""
    names = check.statements.FIELD.split(text)
    return [str(found[name]) if place % 2 else name for place, name in enumerate(names)]


def changed(text, found):
    """Yield the word that is changed, and the text of the table with it."""
    names, said = check.statements.FIELD.split(text), pieces(text, found)
    for place, piece in enumerate(said):
        for token in DECIDING.finditer(piece):
            now = piece[: token.start()] + other(token[0]) + piece[token.end() :]
            parts = [f"<{name}>" if k % 2 else name for k, name in enumerate(names)]
            yield token[0], "".join([*parts[:place], now, *parts[place + 1 :]])


def forgeries(claim):
    """Yield text, changed word, the entry of the table and the certificate that says the same."""
    document, of = document_of(claim), check.TABLE[claim]
    parts, words = check.found_for(claim, document["evidence"])
    given = check.statements.GIVEN[claim.split(".")[0]]
    found = {**given, **parts["parameters"], **parts["evidence"], **words}
    for name in TEXTS:
        for token, text in changed(getattr(of, name), found):
            said = document["statement"] | {name: check.statements.filled(text, found)}
            last = f" (Smallest in the order: {said['order']}.)" if said["order"] else ""
            sentence = f"In {said['game']}, for {said['domain']}: {said['says']}.{last}"
            forged = document | {"statement": said | {"sentence": sentence}}
            yield name, token, replace(of, **{name: text}), forged


def survivors(claim):
    """Return how many changes were tried, and a line for each text with those that are accepted."""
    true, tried, found = check.TABLE[claim], 0, {}
    for name, token, entry, forged in forgeries(claim):
        tried += 1
        check.TABLE[claim] = entry
        try:
            check.check(check.canonical(forged).encode())
            found.setdefault(name, []).append(token)
        except check.Rejected:
            continue
        finally:
            check.TABLE[claim] = true
    return tried, [f"{claim} {name}: {', '.join(tokens)}" for name, tokens in found.items()]


if __name__ == "__main__":
    print(HEAD, end="")
    for name in sorted(documents()):
        print(*survivors(name)[1], sep="\n")
