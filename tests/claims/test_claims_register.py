"""Claims: tables, certificates, register and errors found by verification."""

import shutil

import pytest

from exactdice.claims.certificates import (
    REGISTER,
    ClaimCertificateError,
    canonical,
    checkout,
    cited,
    read_certificate,
    stated,
    trusted,
    verify,
    write_proofs,
)
from exactdice.claims.model import read_claims
from exactdice.errors import InputError, OutputError
from exactdice.jobs import claims as jobs
from exactdice.jobs.claims import CLAIMS, claim_named
from exactdice.rooms import question
from exactdice.run import Run

ROOT = checkout()


def test_the_register_is_consistent():
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids))
    assert {name.split(".")[0] for name in ids} == {
        "swe",
        "risk",
        "reroll",
        "farkle",
        "fatestones",
        "book",
    }
    theorems = (ROOT / "proofs" / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    for claim in CLAIMS:
        assert set(claim.cites) <= cited().keys()
        for name in claim.depends_on:
            if name.startswith("theorem "):
                assert f"## {name.capitalize()}:" in theorems
            else:
                claim_named(name)
    for claim in CLAIMS:
        if not claim.kind:
            assert not (ROOT / "proofs" / "certificates" / f"{claim.id}.json").exists()
            assert claim.lacks or "vidence" in claim.note
    assert [*verify([], ROOT)] == [""]


def test_long_claims_are_read_only_and_unknown_ones_rejected():
    long = [claim for claim in CLAIMS if claim.is_long]
    *outcomes, _ = verify(long, ROOT)
    for outcome in outcomes:
        assert (outcome.problem, outcome.recomputed) == ("", False)
    with pytest.raises(InputError, match="one of 133 names"):
        claim_named("reroll.chess")


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(ROOT / "proofs" / "certificates", tmp_path / "proofs" / "certificates")
    return tmp_path


def problem_of(root, claim):
    outcome, _ = verify([claim_named(claim)], root)
    return outcome.problem


def test_differences_are_reported_with_their_position(copy):
    path = copy / "proofs" / "certificates" / "reroll.states.json"
    path.write_bytes(path.read_bytes().replace(b": 56", b": 57"))
    place = path.read_bytes().index(b"57") + 1
    assert problem_of(copy, "reroll.states").endswith(
        f"differs from the computed one at byte {place}"
    )


def test_a_missing_certificate_is_noticed(copy):
    (copy / "proofs" / "certificates" / "reroll.states.json").unlink()
    assert "No such file" in problem_of(copy, "reroll.states")


def test_a_folder_in_the_place_of_a_certificate_is_noticed(copy):
    path = copy / "proofs" / "certificates" / "reroll.states.json"
    path.unlink()
    path.mkdir()
    problem = "certificate: reroll.states.json is not a plain file"
    assert problem_of(copy, "reroll.states") == problem


def test_missing_file_of_the_proofs_is_an_error(copy, monkeypatch):
    monkeypatch.setattr("exactdice.claims.certificates.checkout", lambda: copy)
    with pytest.raises(OutputError, match=r"proofs: no TRUST.md in .*; check it out again"):
        trusted(claim_named("swe.never-skip"))


@pytest.mark.parametrize("digits", [18, 19])
def test_whole_numbers_have_eighteen_digits_at_most(digits):
    raw = canonical("9" * digits).replace('"', "").encode()
    wanted = "its keys" if digits == 18 else f"18 digits: {'9' * 19}$"
    with pytest.raises(ClaimCertificateError, match=wanted):
        read_certificate(raw)


def test_limit_on_the_size_of_certificates():
    content = dict.fromkeys(read_certificate.__globals__["_KEYS"], "") | {
        "format": "exactdice certificate 3"
    }
    empty = len(canonical(content))
    raw = canonical(content | {"evidence": "1" * (5_000_000 - empty)}).encode()
    assert len(raw) == 5_000_000
    assert read_certificate(raw)["format"] == "exactdice certificate 3"
    with pytest.raises(ClaimCertificateError, match="more than 5000000 bytes"):
        read_certificate(raw + b" ")


def test_certificates_of_other_claims_and_false_witnesses_are_noticed(copy):
    folder = copy / "proofs" / "certificates"
    shutil.copy(folder / "reroll.states.json", folder / "fatestones.good-play.json")
    assert problem_of(copy, "fatestones.good-play") == "certificate: it belongs to reroll.states"
    path = copy / "proofs" / "certificates" / "risk.limit.json"
    path.write_bytes(path.read_bytes().replace(b'"47/48"', b'"1/2"'))
    assert problem_of(copy, "risk.limit") == "certificate: risk.limit.json: the step fails"


def test_writing_gives_what_verification_accepts(copy):
    few = [claim_named(name) for name in ("reroll.states", "swe.lattice-points")]
    few += [claim for claim in CLAIMS if not claim.kind]
    path = copy / "proofs" / "certificates" / "reroll.states.json"
    path.unlink()  # only a witness is read from a certificate that is there
    written = write_proofs(few, copy, lambda path, content: path.write_bytes(content))
    assert written == {"reroll.states": "proved", "swe.lattice-points": "proved"}
    assert path.read_bytes() == (ROOT / "proofs" / "certificates" / path.name).read_bytes()
    *outcomes, register = verify(few, copy)
    assert [outcome.problem for outcome in outcomes] == [""] * len(few)
    assert register == ""
    for name in REGISTER:
        assert (copy / name).read_bytes() == (ROOT / name).read_bytes()


def test_nothing_is_written_if_a_witness_is_missing(copy):
    (copy / "proofs" / "certificates" / "swe.lattice-points.json").unlink()
    few = [claim_named("reroll.states"), claim_named("swe.lattice-points")]
    with pytest.raises(ClaimCertificateError, match=r"swe\.lattice-points.* not a regular file"):
        write_proofs(few, copy, lambda *_: pytest.fail("written"))


def test_a_register_that_cannot_be_read_or_made_is_noticed(copy):
    (copy / "CLAIMS.md").write_bytes(b"\xff")
    (problem,) = verify([], copy)
    assert problem.startswith("CLAIMS.md: cannot be compared: 'utf-8' codec")
    (copy / "proofs" / "certificates" / "reroll.states.json").unlink()
    (problem,) = verify([], copy)
    missing = "cannot be compared: reroll.states.json is not a regular file"
    assert problem == f"CLAIMS.md: {missing}; DETAILS.md: {missing}"


def test_a_program_that_stops_is_an_error_of_one_line(copy, monkeypatch):
    monkeypatch.setattr("exactdice.claims.certificates.checkout", lambda: copy)
    with pytest.raises(OutputError, match=r"^proofs/derive\.py: .*No such file") as refused:
        list(verify([], ROOT))
    assert "\n" not in str(refused.value)


def test_without_proofs_there_are_no_claims_and_only_their_questions_are_refused(monkeypatch):
    """An installed package without its folder share."""

    def none():
        raise OutputError("proofs: no certificates")

    monkeypatch.setattr(jobs.certificates, "checkout", none)
    monkeypatch.setattr(jobs, "CLAIMS", jobs._claims())
    assert jobs.CLAIMS == ()
    with pytest.raises(OutputError, match="no certificates"):
        claim_named("risk.table")


def test_a_checkout_without_certificates_is_an_error(monkeypatch, tmp_path):
    place = tmp_path / "site-packages" / "exactdice" / "claims" / "folder.py"
    monkeypatch.setattr("exactdice.claims.certificates.__file__", str(place))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="proofs: not found"):
        checkout()


def test_certificates_are_looked_for_in_the_installed_package(monkeypatch, tmp_path):
    place = tmp_path / "site-packages" / "exactdice" / "claims" / "sentences.py"
    monkeypatch.setattr("exactdice.claims.certificates.__file__", str(place))
    monkeypatch.chdir(tmp_path)
    (place.parents[1] / "share" / "proofs" / "certificates").mkdir(parents=True)
    assert checkout() == place.parents[1] / "share"


def test_an_installed_package_verifies_in_an_unpacked_source_distribution(monkeypatch, tmp_path):
    place = tmp_path / "site-packages" / "exactdice" / "claims" / "folder.py"
    monkeypatch.setattr("exactdice.claims.certificates.__file__", str(place))
    monkeypatch.chdir(ROOT)
    (outcome,) = question("verify risk.one-against-one").answer(Run()).tables[0].rows
    assert "proved" in outcome


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b" " * 5_000_001, "more than"), (b"\xff", "ascii"), (b"[" * 100_000, "certificate: "),
        (b"1" * 19, "18 digits"), (b"1.5", "no whole number"), (b"NaN", "no whole number"),
        (b"{}", "canonically"), (b"{}\n", "its keys"),
        (canonical(dict.fromkeys(read_certificate.__globals__["_KEYS"], 1)).encode(), "its format"),
    ],
    ids=lambda part: str(part[:10]),
)  # fmt: skip
def test_malformed_certificates_are_rejected(raw, why):
    with pytest.raises(ClaimCertificateError, match=why) as refused:
        read_certificate(raw)
    assert "\n" not in str(refused.value)


TABLE = """
game = "chess"
source = "a page"

[chess.opening]
says = '''
white
wins'''
domain = "all openings"
method = "none"
kind = "search"
rests = ["theorem 1", "chess.ending", "minimax"]

[chess.ending]
says = "black draws"
source = "another page"
domain = "all endings"
method = "none"
"""


def test_claims_are_read_from_a_table(tmp_path):
    path = tmp_path / "chess.toml"
    path.write_text(TABLE, encoding="utf-8")
    opening, ending = read_claims(path)
    assert (opening.id, opening.title, opening.says, opening.source) == (
        "chess.opening", "chess", "white wins", "a page",
    )  # fmt: skip
    assert (opening.depends_on, opening.cites) == (("theorem 1", "chess.ending"), ("minimax",))
    assert (ending.source, ending.kind, ending.game) == ("another page", "", "chess")
    verdict, formal = stated(ending, tmp_path)
    assert (verdict, formal["sentence"]) == ("open", "In chess, for all endings: black draws.")
    path.write_text(TABLE.replace("method", "methods", 1), encoding="utf-8")
    with pytest.raises(TypeError, match="methods"):
        list(read_claims(path))
