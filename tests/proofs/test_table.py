"""Every change of the table of claims, of a certificate's statement or of CLAIMS.md is detected.

Each text of each claim is changed at every number, word, sign and name, first in the table alone,
then in CLAIMS.md alone, then in table, certificate and CLAIMS.md alike (see meanings.py).
"""

import re
from dataclasses import replace

import pytest
from cases import rows_of
from checker import FOUND_FOR, check, document_of, documents, is_rejected, true_parts
from meanings import DECIDING, LINES, TEXTS, other, survivors

FIELD, GAMES = check.statements.FIELD, check.statements.GAMES
TOKENS = re.compile(rf"{FIELD.pattern}|\w+|\S")
CERTIFIED = [claim for claim, of in check.TABLE.items() if of.derive]
OPEN = [claim for claim, of in check.TABLE.items() if not of.derive]

# In the table alone -----------------------------------------------------------------------------


def words_of(claim):
    """The value of each name in the texts, read from the certificate."""
    said, words = document_of(claim)["statement"], {}
    for part in TEXTS:
        first, *pieces = FIELD.split(re.escape(getattr(check.TABLE[claim], part)))
        pattern, seen = first, set()
        for name, after in zip(pieces[::2], pieces[1::2], strict=True):
            pattern += (f"(?P={name})" if name in seen else f"(?P<{name}>.*?)") + after
            seen.add(name)
        words |= re.fullmatch(pattern, said[part]).groupdict()
    return words


def changes(text):
    """Yield texts that differ in one token: omitted, or replaced by its opposite or successor."""
    for token in TOKENS.finditer(text):
        yield text[: token.start()] + text[token.end() :]
    for token in DECIDING.finditer(FIELD.sub(lambda name: "_" * len(name[0]), text)):
        yield text[: token.start()] + other(token[0]) + text[token.end() :]


def entries(claim):
    """Yield the entry of a claim with one change."""
    of = check.TABLE[claim]
    for part in (*TEXTS, "source"):
        for text in changes(getattr(of, part)):
            yield replace(of, **{part: text})


def is_detected(claim, entry, monkeypatch):
    monkeypatch.setitem(check.TABLE, claim, entry)
    if claim in OPEN:
        return [*check.register_problems([claim])] != []
    return is_rejected(document_of(claim))


@pytest.mark.parametrize("claim", CERTIFIED)
def test_every_change_of_a_sentence_is_detected(claim, monkeypatch, derived_once):
    words, true = words_of(claim), document_of(claim)["statement"]
    monkeypatch.setattr(check.statements, "bound_to", lambda *_: None)  # accept all texts

    def said(entry):
        monkeypatch.setitem(check.TABLE, claim, entry)
        try:
            return check.statements.stated(claim, {}, words)
        except KeyError:  # an unknown name
            return None

    assert said(check.TABLE[claim]) == true
    changed = [*entries(claim)]
    assert len(changed) > 10
    assert [entry for entry in changed if said(entry) == true] == []


@pytest.mark.parametrize("claim", [*CERTIFIED, *OPEN])
def test_every_change_of_what_a_claim_rests_on_is_detected(claim, monkeypatch, derived_once):
    """And every change of an open sentence."""
    of = check.TABLE[claim]
    assert not is_detected(claim, of, monkeypatch)
    changed = [*entries(claim)] if claim in OPEN else []
    assert len(changed) > 10 or claim not in OPEN
    others = changed + [
        replace(of, rests=(*of.rests[:i], *of.rests[i + 1 :])) for i in range(len(of.rests))
    ]
    more = next(name for name in ("theorem 1", "theorem 4") if name not in of.rests)
    others += [replace(of, rests=[*of.rests, more])]
    others += [replace(of, coq="" if of.coq else "telescoping")]
    assert [entry for entry in others if not is_detected(claim, entry, monkeypatch)] == []


def test_another_kind_is_detected(monkeypatch, derived_once):
    for claim in CERTIFIED:
        assert check.TABLE[claim].kind == document_of(claim)["kind"]
    monkeypatch.setattr(check, "found_for", FOUND_FOR)
    of = check.TABLE["reroll.states"]
    assert not is_detected("reroll.states", of, monkeypatch)
    assert is_detected("reroll.states", replace(of, kind="process"), monkeypatch)


@pytest.mark.parametrize("game", GAMES)
def test_another_name_of_a_game_is_detected(game, monkeypatch, derived_once):
    monkeypatch.setitem(GAMES, game, "chess")
    for claim in CERTIFIED:
        if claim.startswith(f"{game}."):
            said = check.statements.stated(claim, true_parts(claim)["evidence"], words_of(claim))
            assert said != document_of(claim)["statement"]


def test_another_cited_fact_is_detected(monkeypatch, derived_once):
    assert [*check.register_problems()] == []
    for line in [*check.register.CITED_LINES]:
        with monkeypatch.context() as changed:
            others = [each if each != line else "another" for each in check.register.CITED_LINES]
            changed.setattr(check.register, "CITED_LINES", others)
            assert [*check.register_problems()] != []


# In CLAIMS.md alone -----------------------------------------------------------------------------


def claims_of(lines):
    """Yield number, line, claim and part of each line of CLAIMS.md that is about a claim."""
    heading = ""
    for number, line in enumerate(lines):
        row = re.match(r"\| (\S+) \|", line)
        if line.startswith(("## ", "### ")):
            heading = line.split(":")[0][4:]
        claim, part = (row[1], "row") if row else (heading, "section")
        if claim in check.TABLE and not line.startswith("- Explanation"):
            yield number, line, claim, part


def is_compared(claim, document, text):
    """Whether the register is accepted for a claim."""
    given = document or {"verdict": check.register.unsettled(claim), "kind": "", "evidence": {}}
    if not document:
        given["statement"] = check.statements.stated(claim, {}, {})
        given["coq"] = check.incoq.covered(claim, check.TABLE[claim].coq)
    said = (given[key] for key in ("verdict", "statement", "coq", "kind"))
    try:
        check.register.compare(text, claim, *said, given["evidence"].get("programs"))
    except check.Rejected:
        return False
    return True


@pytest.mark.slow
def test_every_changed_word_of_the_register_is_detected(register, derived_once):
    """Replace the n-th word or sign of each row, or of each section, for all claims at once."""
    lines, certificates = register.read_text("utf-8").split("\n"), documents()
    assert all(is_compared(x, certificates.get(x), "\n".join(lines)) for x in check.TABLE)
    spots = {(part, claim): [] for part in ("row", "section") for claim in check.TABLE}
    for number, line, claim, part in claims_of(lines):
        is_named = line.startswith(("|", "###"))  # the id assigns the line to the claim
        begin = line.index(claim) + len(claim) if is_named else 0
        tokens = re.compile(r"\w+|[^\w\s]").finditer(line, begin)
        spots[part, claim] += [(number, *token.span()) for token in tokens]
    assert min(map(len, spots.values())) >= 10
    assert sum(map(len, spots.values())) > 10_000
    for part in ("row", "section"):
        for n in range(max(map(len, spots.values()))):
            changed, claims = [*lines], [x for x in check.TABLE if len(spots[part, x]) > n]
            for claim in claims:
                number, start, end = spots[part, claim][n]
                changed[number] = f"{lines[number][:start]}¤{lines[number][end:]}"
            text = "\n".join(changed)
            assert not [x for x in claims if is_compared(x, certificates.get(x), text)]


# In all of them ---------------------------------------------------------------------------------

TYPED = {line.split()[0]: line for line in LINES if not line.startswith("#")}
LONG = {"farkle.fixed-point", "farkle.printed-readings", "fatestones.good-play"}
LONG |= {"risk.even-chances", "risk.maximum-dice", "risk.no-line", "risk.two-lines"}
LONG |= {claim for claim in documents() if claim.startswith("swe.")}
LONG -= {"swe.promotion-table", "swe.safer-roll", "swe.telescoping", "swe.telescoping-in-game"}


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(claim, marks=pytest.mark.long if claim in LONG else pytest.mark.slow)
        for claim in sorted(documents())
    ],
)
def test_a_changed_number_or_word_is_detected_except_those_listed(claim, monkeypatch):
    monkeypatch.setattr(check.statements, "step", lambda _: None)
    tried, left = survivors(claim)
    assert tried > 1
    assert left == TYPED.get(claim, "")


def test_no_number_of_a_sentence_is_typed():
    texts = [text for line in TYPED.values() for text in line.partition(" ")[2].split("; ")]
    assert [text for text in texts if re.match(r"(says|order): .*[0-9]", text)] == []


@pytest.mark.parametrize(("claim", "old", "new"), rows_of("tables/typed_words"))
def test_a_typed_word_instead_of_a_name_is_rejected(claim, old, new, monkeypatch):
    of = check.TABLE[claim]
    assert old in of.says
    monkeypatch.setitem(check.TABLE, claim, replace(of, says=of.says.replace(old, new)))
    with pytest.raises(check.Rejected, match=r"not derived|omits a derived word"):
        check.check(check.canonical(document_of(claim)).encode())
