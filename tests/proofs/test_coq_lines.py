"""Lines "In Coq" are held to what the theorems say, in the files that Coq compiles."""

import json
import shutil

import pytest
from checker import ROOT, check, document_of, without_deriving

incoq = check.incoq


def forget():
    incoq.covers.cache_clear()
    incoq.covered.cache_clear()


@pytest.fixture
def coq(tmp_path, monkeypatch):
    """A copy of proofs/coq that may be changed."""
    shutil.copytree(ROOT / "proofs" / "coq", tmp_path / "coq")
    monkeypatch.setattr(incoq, "COQ", tmp_path / "coq")
    without_deriving(monkeypatch)
    forget()
    yield tmp_path / "coq"
    forget()


def change(coq, file, old, new):
    text = (coq / file).read_text("utf-8")
    assert old in text
    (coq / file).write_text(text.replace(old, new), "utf-8")


def change_entry(coq, claim, **parts):
    """Change COVERS.json, its digest renewed, so that it goes with the files."""
    covers = json.loads((coq / "COVERS.json").read_text("ascii"))
    entry = covers[claim] = covers.get(claim, {"constants": {}, "extent": "all"}) | parts
    try:
        entry["says"] = incoq.digest(entry)
    except check.Rejected:
        entry["says"] = ""
    (coq / "COVERS.json").write_text(json.dumps(covers), "ascii")
    forget()


def judged(claim, **parts):
    """Check the certificate of a claim, its line "In Coq" changed with COVERS.json."""
    document = document_of(claim)
    coq = parts and {"extent": "all"} | (document["coq"] or {}) | parts
    check.check(check.canonical(document | ({"coq": coq} if coq else {})).encode())


def test_every_claim_is_accepted_that_names_a_theorem(coq):
    named = {claim for claim, of in check.TABLE.items() if of.coq}
    assert named == incoq.covers().keys()
    for claim in named:
        judged(claim)


@pytest.mark.parametrize(
    ("claim", "old", "new", "why"),
    [
        ("risk.monotone", "Theorem monotone :", "Lemma m :", "no theorem monotone"),
        (
            "risk.monotone",
            "Theorem monotone :",
            "(* \nTheorem monotone : *) Lemma m :",
            "no theorem",
        ),
        ("risk.monotone", "monotone_statement.", "True.", "defines no True"),
    ],
)
def test_a_theorem_that_is_not_there_is_noticed(coq, claim, old, new, why):
    change(coq, "Monotone.v", old, new)
    with pytest.raises(check.Rejected, match=why):
        judged(claim)


def test_a_file_that_coq_does_not_compile_proves_nothing(coq):
    (coq / "Riemann.v").write_text("Theorem monotone : monotone_statement.\n", "ascii")
    change_entry(coq, "risk.monotone", file="Riemann.v")
    with pytest.raises(check.Rejected, match="not compiled"):
        judged("risk.monotone", file="Riemann.v")


@pytest.mark.parametrize(
    ("claim", "old", "new"),
    [
        (
            "risk.monotone",
            "win s a d <= win s (a + 1) d /\\ win s a (d + 1) <= win s a d.",
            "True.",
        ),
        # What the statement uses: ties to the attacker; a definition before it.
        (
            "risk.monotone",
            "Definition win (sides a d : nat) : Q := win_within sides (a + d) a d.",
            "Definition win (sides a d : nat) : Q := 1.",
        ),
        # Six sides alone.
        (
            "risk.maximum-dice-any-sides",
            "forall s a d, (1 <= s)%nat ->\n    (forall pi",
            "forall s a d, s = 6%nat ->\n    (forall pi",
        ),
    ],
)
def test_a_weaker_statement_is_noticed(coq, claim, old, new):
    change(coq, "Statements.v", old, new)
    theorem = document_of(claim)["coq"]["theorem"]
    with pytest.raises(check.Rejected, match=f"{theorem} in Coq says something else"):
        judged(claim)


def test_a_changed_comment_or_a_later_definition_changes_nothing(coq):
    change(coq, "Statements.v", "Theorems 7 and 27", "Theorems seven and 27")
    change(
        coq,
        "Statements.v",
        "Definition limit_statement",
        "Definition x := 1.\nDefinition limit_statement",
    )
    judged("risk.monotone")


@pytest.mark.parametrize(
    ("claim", "file", "theorem"),
    [
        ("risk.rate", "Limit.v", "limit"),
        ("risk.even-chances", "Reroll.v", "states"),
        ("reroll.theta", "Telescoping.v", "telescoping"),
        ("risk.monotone", "Limit.v", "limit"),
    ],
)
def test_a_theorem_about_something_else_covers_no_claim(coq, claim, file, theorem):
    change_entry(coq, claim, file=file, theorem=theorem)
    with pytest.raises(check.Rejected, match="another"):
        judged(claim, file=file, theorem=theorem)


def test_a_number_that_the_statement_has_not_is_noticed(coq):
    document = document_of("risk.four-against-two")
    evidence = document["evidence"] | {"win": "1/2"}
    with pytest.raises(check.Rejected, match="another number"):
        incoq.same_numbers("risk.four-against-two", evidence)
    change(coq, "Statements.v", "power (51 # 50) n", "power (52 # 50) n")
    with pytest.raises(check.Rejected, match="not in Coq"):
        incoq.same_numbers("risk.limit", document_of("risk.limit")["evidence"])


@pytest.mark.parametrize("extent", ["all", "", "armies of any size"])
def test_another_extent_in_a_certificate_is_noticed(coq, extent):
    with pytest.raises(check.Rejected, match="coq: not what is found"):
        judged("risk.maximum-dice", extent=extent)


def test_the_extents_say_what_is_not_in_coq():
    # By reading Statements.v beside the sentences: what the theorem does not say.
    missing = {
        "fatestones.mixed": "of the bag",
        "reroll.best-score": "sticking",
        "risk.limit": "not that it tends to 0",
        "risk.table": "not their rounding, nor Osborne's table",
        "swe.reachable-tables": "which tables, not how many",
    }
    for claim, words in missing.items():
        assert words in document_of(claim)["coq"]["extent"]
