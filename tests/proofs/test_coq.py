"""The proofs in Coq: no gaps, the numbers of certificates, and lines "In Coq" that fit theorems.

If Coq is installed, it must reject changed certificates.
"""

import json
import re
import shutil
import subprocess
from fractions import Fraction

import pytest
from both_checkers import by_coq, compared
from checker import ROOT, check, document_of, load, raw
from test_certificate_check import ANSWERS

from exactdice.games.swe.optimum.exact import solve

COQ = ROOT / "proofs" / "coq"
SOURCES = sorted(COQ.glob("*.v"))
incoq, without_comments = check.incoq, check.incoq.without_comments
GAPS = ("Admitted", "admit", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture", "Abort")
UNCHECKED = ("bypass_check", "Unset Guard Checking", "Unset Positivity Checking", "-type-in-type")
translate = load(COQ / "translate.py")


def gaps_in(text):
    """List the words by which a file would assume what it should prove."""
    code = without_comments(text)
    words = [word for word in GAPS if re.search(rf"\b{word}\b", code)]
    return words + [words for words in UNCHECKED if words in code]


def test_nothing_is_assumed():
    assert [path.name for path in SOURCES if gaps_in(path.read_text("utf-8"))] == []
    assert len(SOURCES) > 40


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("Lemma x : False. Admitted.", ["Admitted"]),
        ("Lemma x : False. admit. Qed.", ["admit"]),
        ("Axiom x : False.", ["Axiom"]),
        ("(* a (* nested *) comment *) Parameter x : nat.", ["Parameter"]),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.", ["bypass_check"]),
        ("(* no Axiom, (* Admitted *) *) Lemma x : True. Proof. exact I. Qed.", []),
    ],
)
def test_a_planted_gap_is_detected(planted, found):
    assert gaps_in(planted) == found


def test_statements_contain_no_proof():
    words = r"\b(Proof|Qed|Lemma|Theorem|Defined)\b"
    assert not re.search(words, without_comments((COQ / "Statements.v").read_text("utf-8")))


def test_every_file_is_compiled_and_the_assumptions_of_every_theorem_are_printed():
    listed = (COQ / "_CoqProject").read_text("ascii").split()
    assert sorted(word for word in listed if word.endswith(".v")) == [x.name for x in SOURCES]
    shown = re.findall(r"Print Assumptions (\w+)\.", (COQ / "Assumptions.v").read_text("ascii"))
    text = "\n".join(path.read_text("utf-8") for path in SOURCES)
    assert sorted(re.findall(r"^Theorem (\w+)", text, re.M)) == sorted(shown)


def test_files_of_certificates_agree_with_the_certificates():
    for name, make in translate.FILES.items():
        assert (COQ / name).read_text("ascii") == make()


# Lines "In Coq" ---------------------------------------------------------------------------------


def forget():
    incoq.covers.cache_clear()
    incoq.covered.cache_clear()


@pytest.fixture
def coq(tmp_path, monkeypatch, derived_once):
    """A copy of proofs/coq that a test may change."""
    shutil.copytree(COQ, tmp_path / "coq")
    monkeypatch.setattr(incoq, "COQ", tmp_path / "coq")
    forget()
    yield tmp_path / "coq"
    forget()


def change(coq, file, old, new):
    text = (coq / file).read_text("utf-8")
    assert old in text
    (coq / file).write_text(text.replace(old, new), "utf-8")


def change_entry(coq, claim, **parts):
    """Change COVERS.json and its digest, so that they agree with the files."""
    covers = json.loads((coq / "COVERS.json").read_text("ascii"))
    entry = covers[claim] = covers.get(claim, {"constants": {}, "extent": "all"}) | parts
    try:
        entry["says"] = incoq.digest(entry)
    except check.Rejected:
        entry["says"] = ""
    (coq / "COVERS.json").write_text(json.dumps(covers), "ascii")
    forget()


def judged(claim, **parts):
    """Check the certificate of a claim with a changed line "In Coq"."""
    document = document_of(claim)
    coq = parts and {"extent": "all"} | (document["coq"] or {}) | parts
    check.check(raw(document | ({"coq": coq} if coq else {})))


def test_every_claim_that_names_a_theorem_is_accepted(coq):
    named = {claim for claim, of in check.TABLE.items() if of.coq}
    assert named == incoq.covers().keys()
    for claim in named:
        judged(claim)


MORE = "win s a d <= win s (a + 1) d /\\ win s a (d + 1) <= win s a d."
WIN = "Definition win (sides a d : nat) : Q := "
SIDES = "forall s a d, {} ->\n    (forall pi"
WEAKER = "the statement of {} in Coq has changed"


@pytest.mark.parametrize(
    ("claim", "file", "old", "new", "why"),
    [
        ("monotone", "Monotone.v", "Theorem monotone :", "Lemma m :", "monotone not found"),
        ("monotone", "Monotone.v", "Theorem monotone :", "(* \nTheorem monotone : *) Lemma m :",
         "theorem monotone not found"),
        ("monotone", "Monotone.v", "monotone_statement.", "True.", "True is not defined"),
        ("monotone", "Statements.v", MORE, "True.", WEAKER),
        # a definition that the statement uses
        ("monotone", "Statements.v", f"{WIN}win_within sides (a + d) a d.", f"{WIN}1.", WEAKER),
        # only six sides
        ("maximum-dice-any-sides", "Statements.v", SIDES.format("(1 <= s)%nat"),
         SIDES.format("s = 6%nat"), WEAKER),
    ],
)  # fmt: skip
def test_a_missing_theorem_or_a_weaker_statement_is_detected(coq, claim, file, old, new, why):
    change(coq, file, old, new)
    theorem = document_of(f"risk.{claim}")["coq"]["theorem"]
    with pytest.raises(check.Rejected, match=why.format(theorem)):
        judged(f"risk.{claim}")


def test_a_file_that_coq_does_not_compile_is_rejected(coq):
    (coq / "Riemann.v").write_text("Theorem monotone : monotone_statement.\n", "ascii")
    change_entry(coq, "risk.monotone", file="Riemann.v")
    with pytest.raises(check.Rejected, match="not in _CoqProject"):
        judged("risk.monotone", file="Riemann.v")


def test_a_changed_comment_or_a_later_definition_changes_nothing(coq):
    change(coq, "Statements.v", "Theorems 7 and 27", "Theorems seven and 27")
    later = "Definition limit_statement"
    change(coq, "Statements.v", later, f"Definition x := 1.\n{later}")
    judged("risk.monotone")


@pytest.mark.parametrize(
    ("claim", "file"),
    [
        ("risk.rate", "Limit.v"),
        ("risk.even-chances", "Reroll.v"),
        ("reroll.theta", "Telescoping.v"),
        ("risk.monotone", "Limit.v"),
    ],
)
def test_a_theorem_about_something_else_covers_no_claim(coq, claim, file):
    theorem = "states" if file == "Reroll.v" else file[:-2].lower()
    change_entry(coq, claim, file=file, theorem=theorem)
    with pytest.raises(check.Rejected, match="different"):
        judged(claim, file=file, theorem=theorem)


def test_a_number_that_is_not_in_the_statement_is_detected(coq):
    evidence = document_of("risk.four-against-two")["evidence"] | {"win": "1/2"}
    with pytest.raises(check.Rejected, match=r"the number in COVERS\.json differs"):
        incoq.same_numbers("risk.four-against-two", evidence)
    change(coq, "Statements.v", "power (51 # 50) n", "power (52 # 50) n")
    with pytest.raises(check.Rejected, match="the statement in Coq does not contain"):
        incoq.same_numbers("risk.limit", document_of("risk.limit")["evidence"])


def test_another_extent_in_a_certificate_is_detected(coq):
    for extent in ("all", "", "armies of any size"):
        with pytest.raises(check.Rejected, match="coq: differs from the derivation"):
            judged("risk.maximum-dice", extent=extent)


def test_the_extents_name_what_is_not_in_coq():
    # Found by comparing Statements.v with the sentences.
    missing = {
        "fatestones.mixed": "of the bag",
        "reroll.best-score": "sticking",
        "risk.limit": "not that it tends to 0",
        "risk.table": "not their rounding, nor Osborne's table",
        "swe.reachable-tables": "which tables, not how many",
    }
    for claim, words in missing.items():
        assert words in document_of(claim)["coq"]["extent"]


# If Coq is installed ----------------------------------------------------------------------------

needs_coq = pytest.mark.skipif(
    not (shutil.which("coqc") and shutil.which("ocamlopt")), reason="Coq is not installed"
)


CHECKER = ["Bounds", "Endless", "Games", "Checker", "RerollCertificate", "Reroll", "Extract"]
BEFORE = {  # by the theorem that accepts a certificate: the files to compile before both
    "RiskTable": ["AnySides", "Risk", "RiskScaled"],
    "Duel": ["Matrix"],
}


def compiled(folder, names):
    """Compile files, all of which but the last must be accepted; return the errors of the last."""
    for name in names:
        command = ["coqc", "-q", "-Q", ".", "ExactDice", f"{name}.v"]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True)
        assert done.returncode == 0 or name == names[-1], done.stderr
    return done.stderr.decode() if done.returncode else ""


@pytest.fixture(scope="session")
def copied(tmp_path_factory):
    """Return a folder with all files, the first three of them compiled."""
    folder = tmp_path_factory.mktemp("coq")
    (folder / "extracted").mkdir()
    for path in SOURCES:
        shutil.copy(path, folder)
    assert not compiled(folder, ["Statements", "Sums", "Soundness"])
    return folder


def executable(folder, name, *files):
    files = [folder / "extracted" / file for file in ("checker.mli", "checker.ml", *files)]
    shutil.copy(COQ / "extracted" / files[-1].name, folder / "extracted")
    command = ["ocamlopt", "-I", "extracted", "-o", name, *files]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / name


@pytest.fixture(scope="session")
def extracted(copied):
    """Return the checker of the reroll game, extracted and compiled."""
    assert not compiled(copied, CHECKER)
    return executable(copied, "check", "main.ml")


def verdict(program, given):
    run = subprocess.run(
        [program], input=given, capture_output=True, check=False, encoding="ascii", timeout=60
    )
    return run.returncode, run.stdout


@pytest.mark.slow
@needs_coq
def test_extracted_checker_accepts_the_certificate_and_rejects_mutants(extracted):
    given = translate.evidence("reroll.optimal-play")
    right = translate.reroll_plain(given)
    assert verdict(extracted, right) == (0, f"accepted: the start is worth {given['value']}\n")
    states = given["states"]
    mutants = [
        dict(given, value="103370/7744"),
        dict(given, states=[[*states[0][:1], "19", *states[0][2:]], *states[1:]]),
        dict(given, states=[[*states[0][:2], [], *states[0][3:]], *states[1:]]),
        dict(given, states=[*states[:-1], [*states[-1][:3], 1]]),
        dict(given, states=states[1:]),
        dict(given, states=[[dice, str(Fraction(v) + 1), *rest] for dice, v, *rest in states]),
    ]
    for mutant in mutants:
        assert verdict(extracted, translate.reroll_plain(mutant)) == (1, "")
    for malformed in ("", "0\nstart 1 0 1\n", "7744\nstart x 0 1\n", right + "1,1 0\n"):
        assert verdict(extracted, malformed) == (1, "")


def other_chance(given):
    """Change a cell in the middle of the table of Risk."""
    given["win"][4][4] = str(Fraction(given["win"][4][4]) + Fraction(1, 6**20))


def other_value(given):
    """Change the value of a game after a tie."""
    given["games"]["111666 112566 113556 114456"][2] = "196/2016"


def other_strategy(given):
    """Change the first player's first choice slightly."""
    first = given["games"]["111666 112566 113466 113556 114456 114555"][0]
    first[0], first[1] = "1309/1660", "351/1660"


@pytest.mark.slow
@needs_coq
@pytest.mark.parametrize(
    ("name", "theorem", "claim", "changes"),
    [
        ("RiskCertificate", "RiskTable", "risk.table", [other_chance]),
        ("DuelCertificate", "Duel", "fatestones.mixed", [other_value, other_strategy]),
    ],
)
def test_coq_rejects_a_changed_certificate(copied, monkeypatch, name, theorem, claim, changes):
    assert not compiled(copied, [*BEFORE[theorem], name, theorem])
    for change in changes:
        given = translate.evidence(claim)
        change(given)
        with monkeypatch.context() as changed:
            changed.setattr(translate, "evidence", lambda _, given=given: given)
            (copied / f"{name}.v").write_text(translate.FILES[f"{name}.v"](), "ascii")
        assert compiled(copied, [name, theorem])
    shutil.copy(COQ / f"{name}.v", copied)


@pytest.mark.slow
@needs_coq
def test_coq_rejects_other_dice_of_the_software_engineering_game(tmp_path):
    # With a d24 instead of the d20 all other theorems hold: none depends on that rung.
    for path in SOURCES:
        shutil.copy(path, tmp_path)
    change(tmp_path, "Statements.v", "[4; 6; 8; 12; 20]%nat", "[4; 6; 8; 12; 24]%nat")
    needed = ["Statements", "Sums", "Soundness", "Backward", "Swe", "SweLines", "SweRounds"]
    place = re.match(r'File "./SweRounds.v", line (\d+),', compiled(tmp_path, needed))
    before, _, after = (COQ / "SweRounds.v").read_text("utf-8").partition("Theorem standard_dice")
    proof = after.partition("Qed.")[0].count("\n")
    assert 0 < int(place[1]) - before.count("\n") <= proof + 1


@pytest.fixture(scope="session")
def extracted_values(extracted):
    """Return the checker of games, extracted with the other, with its reader."""
    return executable(extracted.parent, "values", "values.ml")


def test_the_reader_that_is_not_proved_is_short():
    assert len((COQ / "extracted" / "values.ml").read_text("ascii").splitlines()) <= 150


@pytest.mark.slow
@needs_coq
def test_both_checkers_of_values_agree(extracted_values):
    """On changed meanings and characters, with brute force; `make forgeries` tries 300,000."""
    assert min(compared(6000, 3, extracted_values).values()) > 10


@pytest.mark.slow
@needs_coq
def test_the_extracted_checker_accepts_what_the_package_writes(extracted_values, tmp_path):
    for answer in ANSWERS.values():
        answer().write_certificate(tmp_path / "answer.cert")
        assert by_coq([(tmp_path / "answer.cert").read_text("ascii")], extracted_values) == [True]


SWE = COQ / "extracted" / "swe"


@pytest.mark.skipif(not SWE.exists(), reason="only after make coq")
@pytest.mark.parametrize(
    ("faces", "rounds"), [((4, 6, 8, 12, 20), 12), ((2, 3, 10), 9), ((2,), 7), ((3, 40), 1)]
)
def test_integer_bounds_contain_the_exact_value(faces, rounds):
    words = [SWE, ",".join(map(str, faces)), str(rounds)]
    said = subprocess.run(words, check=True, capture_output=True, encoding="ascii").stdout.split()
    low, high = map(Fraction, said[1::2])
    assert low <= Fraction(str(solve(rounds, faces).value)) <= high < low + Fraction(1, 10**11)


@pytest.mark.skipif(not SWE.exists(), reason="only after make coq")
@pytest.mark.parametrize("words", ["", "4,6", "6,4 3", "1,4 3", "4,6 0", "4,x 3", "4 9999"])
def test_invalid_games_are_rejected_in_one_line(words):
    run = subprocess.run([SWE, *words.split()], capture_output=True, check=False, encoding="ascii")
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
