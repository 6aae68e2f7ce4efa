"""What a claim says is found and not typed, but for words that a file lists with the reasons."""

import re
from dataclasses import replace

import pytest
from checker import ROOT, check, document_of, documents
from meanings import survivors

LINES = (ROOT / "tests" / "proofs" / "typed.txt").read_text("utf-8").splitlines()
TYPED = [line for line in LINES if line and not line.startswith("#")]
LONG = {"farkle.fixed-point", "farkle.printed-readings", "fatestones.good-play"}
LONG |= {"risk.even-chances", "risk.maximum-dice", "risk.no-line", "risk.two-lines"}
LONG |= {claim for claim in documents() if claim.startswith("swe.")}
LONG -= {"swe.promotion-table", "swe.safer-roll", "swe.telescoping", "swe.telescoping-in-game"}


def listed(claim):
    return [line for line in TYPED if line.startswith(f"{claim} ")]


@pytest.mark.slow
@pytest.mark.parametrize("claim", sorted({*documents()} - LONG))
def test_a_changed_number_or_word_is_noticed_but_for_those_listed(claim, monkeypatch):
    monkeypatch.setattr(check.statements, "step", lambda _: None)
    tried, left = survivors(claim)
    assert tried > 1
    assert left == listed(claim)


@pytest.mark.long
@pytest.mark.parametrize("claim", sorted(LONG))
def test_a_changed_number_or_word_of_a_long_claim_is_noticed(claim, monkeypatch):
    monkeypatch.setattr(check.statements, "step", lambda _: None)
    tried, left = survivors(claim)
    assert tried > 1
    assert left == listed(claim)


def test_no_number_of_a_sentence_is_typed():
    assert [line for line in TYPED if re.search(r" (says|order): .*[0-9]", line)] == []


@pytest.mark.parametrize(
    ("claim", "old", "new"),
    [
        ("reroll.optimal-play", "<do_ones> <ones>", "reroll <ones>"),
        ("reroll.optimal-play", "<do_fours> <fours>", "stick on <fours>"),
        ("reroll.optimal-play", "<value>", "103370/7744"),
        ("reroll.states", "<states>", "57"),
        ("fatestones.dice", "<bag>", "33"),
        ("farkle.optimal-2-and-3", "<said>", "517.9493"),
        ("fatestones.opposites", "<worth>", "−92/1296"),
        ("fatestones.ranking", "<low_place>", "first"),
        ("risk.one-against-one", "<attacker_loses>", "20"),
        ("swe.promotion-table", "<along>", "rises"),
    ],
)
def test_a_name_that_gives_way_to_a_word_is_refused(claim, old, new, monkeypatch):
    of = check.TABLE[claim]
    assert old in of.says
    monkeypatch.setitem(check.TABLE, claim, replace(of, says=of.says.replace(old, new)))
    with pytest.raises(check.Rejected, match=r"typed, and not found|is not said"):
        check.check(check.canonical(document_of(claim)).encode())
