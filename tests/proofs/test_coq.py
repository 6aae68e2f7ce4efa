"""The proofs in Coq: no gaps, numbers of the certificates, and mutants rejected where Coq is."""

import importlib.util
import re
import shutil
import subprocess
from fractions import Fraction

import pytest
from both_checkers import by_coq, compared
from checker import ROOT, check
from test_certificate_check import ANSWERS

from exactdice.games.swe.optimum.exact import solve

COQ = ROOT / "proofs" / "coq"
SOURCES = sorted(COQ.glob("*.v"))
without_comments = check.incoq.without_comments
GAPS = ("Admitted", "admit", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture", "Abort")
UNCHECKED = ("bypass_check", "Unset Guard Checking", "Unset Positivity Checking", "-type-in-type")


def _load():
    spec = importlib.util.spec_from_file_location("translate", COQ / "translate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


translate = _load()


def gaps_in(text):
    """List the words by which a file would assume what it should prove."""
    code = without_comments(text)
    words = [word for word in GAPS if re.search(rf"\b{word}\b", code)]
    return words + [words for words in UNCHECKED if words in code]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_nothing_is_assumed(path):
    assert gaps_in(path.read_text("utf-8")) == []


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
def test_a_planted_gap_is_seen(planted, found):
    assert gaps_in(planted) == found


def test_statements_hold_no_proof():
    words = r"\b(Proof|Qed|Lemma|Theorem|Defined)\b"
    assert not re.search(words, without_comments((COQ / "Statements.v").read_text("utf-8")))


def test_every_file_is_compiled_and_every_theorem_shows_what_it_rests_on():
    listed = (COQ / "_CoqProject").read_text("ascii").split()
    assert sorted(word for word in listed if word.endswith(".v")) == [x.name for x in SOURCES]
    shown = (COQ / "Assumptions.v").read_text("ascii")
    theorems = [
        name
        for path in SOURCES
        for name in re.findall(r"^Theorem (\w+)", path.read_text("utf-8"), re.M)
    ]
    assert sorted(theorems) == sorted(re.findall(r"Print Assumptions (\w+)\.", shown))


def test_files_of_certificates_are_what_the_certificates_say():
    for name, make in translate.FILES.items():
        assert (COQ / name).read_text("ascii") == make()


# Where Coq is -----------------------------------------------------------------------------------

needs_coq = pytest.mark.skipif(
    not (shutil.which("coqc") and shutil.which("ocamlopt")), reason="Coq is not installed"
)


CHECKER = ["Bounds", "Endless", "Games", "Checker", "RerollCertificate", "Reroll", "Extract"]
ACCEPTING = {  # a file of a certificate, and those that are compiled up to the one that accepts it
    "RiskCertificate.v": ["AnySides", "Risk", "RiskScaled", "RiskCertificate", "RiskTable"],
    "DuelCertificate.v": ["Matrix", "DuelCertificate", "Duel"],
}


def compiled(folder, names):
    """Compile files in a folder; return whether Coq accepts the last, as it must all others."""
    for name in names:
        command = ["coqc", "-q", "-Q", ".", "ExactDice", f"{name}.v"]
        run = subprocess.run(command, cwd=folder, check=name != names[-1], capture_output=True)
    return run.returncode == 0


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return a folder of all files, the first three of them compiled."""
    folder = tmp_path_factory.mktemp("coq")
    (folder / "extracted").mkdir()
    for path in SOURCES:
        shutil.copy(path, folder)
    assert compiled(folder, ["Statements", "Sums", "Soundness"])
    return folder


@pytest.fixture(scope="module")
def extracted(copied):
    """Return the checker of the reroll game, extracted and compiled."""
    assert compiled(copied, CHECKER)
    files = [copied / "extracted" / f"checker.{kind}" for kind in ("mli", "ml")]
    shutil.copy(COQ / "extracted" / "main.ml", copied / "extracted")
    command = ["ocamlopt", "-I", "extracted", "-o", "check", *files, "extracted/main.ml"]
    subprocess.run(command, cwd=copied, check=True, capture_output=True)
    return copied / "check"


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
    """Change what the first player does first, by very little."""
    first = given["games"]["111666 112566 113466 113556 114456 114555"][0]
    first[0], first[1] = "1309/1660", "351/1660"


@pytest.mark.slow
@needs_coq
@pytest.mark.parametrize(
    ("name", "claim", "change"),
    [
        ("RiskCertificate.v", "risk.table", other_chance),
        ("DuelCertificate.v", "fatestones.mixed", other_value),
        ("DuelCertificate.v", "fatestones.mixed", other_strategy),
    ],
)
def test_coq_rejects_a_changed_certificate(copied, monkeypatch, name, claim, change):
    given = translate.evidence(claim)
    assert compiled(copied, ACCEPTING[name])
    change(given)
    monkeypatch.setattr(translate, "evidence", lambda _: given)
    right = (copied / name).read_text("ascii")
    (copied / name).write_text(translate.FILES[name](), "ascii")
    assert not compiled(copied, ACCEPTING[name])
    (copied / name).write_text(right, "ascii")


@pytest.mark.slow
@needs_coq
def test_coq_rejects_other_dice_of_the_software_engineering_game(tmp_path):
    # With a d24 in the place of the d20 every other theorem holds: none depends on that rung.
    for path in SOURCES:
        shutil.copy(path, tmp_path)
    path = tmp_path / "Statements.v"
    text = path.read_text("utf-8")
    assert "[4; 6; 8; 12; 20]%nat" in text
    path.write_text(text.replace("12; 20]%nat", "12; 24]%nat"), "utf-8")
    needed = ["Statements", "Sums", "Soundness", "Backward", "Swe", "SweLines", "SweRounds"]
    assert compiled(tmp_path, needed[:-1])
    assert not compiled(tmp_path, needed)
    source = (tmp_path / "SweRounds.v").read_text("utf-8")
    (tmp_path / "SweRounds.v").write_text(source.split("Theorem standard_dice")[0], "utf-8")
    assert compiled(tmp_path, ["SweRounds"])


@pytest.fixture(scope="module")
def extracted_values(extracted):
    """Return the checker of games, extracted with the other, with its reader."""
    folder = extracted.parent
    shutil.copy(COQ / "extracted" / "values.ml", folder / "extracted")
    files = [f"extracted/{name}" for name in ("checker.mli", "checker.ml", "values.ml")]
    command = ["ocamlopt", "-I", "extracted", "-o", "values", *files]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "values"


def test_the_reader_that_is_not_proved_is_short():
    assert len((COQ / "extracted" / "values.ml").read_text("ascii").splitlines()) <= 150


@pytest.mark.slow
@needs_coq
def test_both_checkers_of_values_judge_alike(extracted_values):
    """Forged by meaning and by letter, and brute force judges; `make forgeries` tries 300000."""
    assert min(compared(6000, 3, extracted_values).values()) > 10


@pytest.mark.slow
@needs_coq
def test_the_extracted_checker_accepts_what_is_written(extracted_values, tmp_path):
    for answer in ANSWERS.values():
        answer().write_certificate(tmp_path / "answer.cert")
        assert by_coq([(tmp_path / "answer.cert").read_text("ascii")], extracted_values) == [True]


SWE = COQ / "extracted" / "swe"


@pytest.mark.skipif(not SWE.exists(), reason="only after make coq")
@pytest.mark.parametrize(
    ("faces", "rounds"), [((4, 6, 8, 12, 20), 12), ((2, 3, 10), 9), ((2,), 7), ((3, 40), 1)]
)
def test_bounds_in_whole_numbers_hold_what_the_exact_solver_finds(faces, rounds):
    words = [SWE, ",".join(map(str, faces)), str(rounds)]
    said = subprocess.run(words, check=True, capture_output=True, encoding="ascii").stdout.split()
    low, high = map(Fraction, said[1::2])
    assert low <= Fraction(str(solve(rounds, faces).value)) <= high < low + Fraction(1, 10**11)


@pytest.mark.skipif(not SWE.exists(), reason="only after make coq")
@pytest.mark.parametrize("words", ["", "4,6", "6,4 3", "1,4 3", "4,6 0", "4,x 3", "4 9999"])
def test_bounds_of_no_game_are_refused_in_a_line(words):
    run = subprocess.run([SWE, *words.split()], capture_output=True, check=False, encoding="ascii")
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
