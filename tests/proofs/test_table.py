"""No entry of the table of claims survives a change: certificate and CLAIMS.md say another thing.

Each text of each claim is changed at every number, word, sign and name by itself, in the table
alone. What a name stands for is read from the certificate, by the text of the table around it. That
certificate and CLAIMS.md cannot be changed with the table is tested in test_meanings.py.
"""

import re
from dataclasses import replace

import pytest
from checker import check, document_of, true_parts, without_deriving
from meanings import DECIDING, TEXTS, other

FIELD, GAMES = check.statements.FIELD, check.statements.GAMES
TOKENS = re.compile(rf"{FIELD.pattern}|\w+|\S")
CERTIFIED = [claim for claim, of in check.TABLE.items() if of.derive]
FOUND_FOR = check.found_for
OPEN = [claim for claim, of in check.TABLE.items() if not of.derive]


def words_of(claim):
    """What each name of the texts stands for."""
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
    """Yield texts that differ in one token: left out, or its opposite or neighbour."""
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


@pytest.fixture(autouse=True)
def _nothing_derived(monkeypatch):
    without_deriving(monkeypatch)


def is_noticed(claim, entry, monkeypatch):
    monkeypatch.setitem(check.TABLE, claim, entry)
    if claim in OPEN:
        return [*check.register_problems([claim])] != []
    try:
        check.check(check.canonical(document_of(claim)).encode())
    except check.Rejected:
        return True
    return False


@pytest.mark.parametrize("claim", CERTIFIED)
def test_every_change_of_a_sentence_is_noticed(claim, monkeypatch):
    words, true = words_of(claim), document_of(claim)["statement"]
    monkeypatch.setattr(check.statements, "bound_to", lambda *_: None)  # as if it let all pass

    def said(entry):
        monkeypatch.setitem(check.TABLE, claim, entry)
        try:
            return check.statements.stated(claim, {}, words)
        except KeyError:  # a name that stands for nothing
            return None

    assert said(check.TABLE[claim]) == true
    changed = [*entries(claim)]
    assert len(changed) > 10
    assert [entry for entry in changed if said(entry) == true] == []


@pytest.mark.parametrize("claim", OPEN)
def test_every_change_of_an_open_sentence_is_noticed(claim, monkeypatch):
    changed = [*entries(claim)]
    assert len(changed) > 10
    assert [entry for entry in changed if not is_noticed(claim, entry, monkeypatch)] == []


@pytest.mark.parametrize("claim", [*CERTIFIED, *OPEN])
def test_every_change_of_what_a_claim_rests_on_is_noticed(claim, monkeypatch):
    of = check.TABLE[claim]
    assert not is_noticed(claim, of, monkeypatch)
    others = [replace(of, rests=(*of.rests[:i], *of.rests[i + 1 :])) for i in range(len(of.rests))]
    more = next(name for name in ("theorem 1", "theorem 4") if name not in of.rests)
    others += [replace(of, rests=[*of.rests, more])]
    others += [replace(of, coq="" if of.coq else "telescoping")]
    assert [entry for entry in others if not is_noticed(claim, entry, monkeypatch)] == []


def test_another_kind_is_noticed():
    for claim in CERTIFIED:
        assert check.TABLE[claim].kind == document_of(claim)["kind"]
    with pytest.MonkeyPatch.context() as undone:
        undone.setattr(check, "found_for", FOUND_FOR)
        of = check.TABLE["reroll.states"]
        assert not is_noticed("reroll.states", of, undone)
        assert is_noticed("reroll.states", replace(of, kind="process"), undone)


@pytest.mark.parametrize("game", GAMES)
def test_another_name_of_a_game_is_noticed(game, monkeypatch):
    monkeypatch.setitem(GAMES, game, "chess")
    for claim in CERTIFIED:
        if claim.startswith(f"{game}."):
            said = check.statements.stated(claim, true_parts(claim)["evidence"], words_of(claim))
            assert said != document_of(claim)["statement"]


def test_another_cited_fact_or_explanation_is_noticed(monkeypatch):
    """By CLAIMS.md: explanations by `exactdice verify`, which compares all of its bytes."""
    assert [*check.register_problems()] == []
    for fact in [*check.register.CITED]:
        with monkeypatch.context() as changed:
            changed.setitem(check.register.CITED, fact, "another")
            assert [*check.register_problems()] != []
