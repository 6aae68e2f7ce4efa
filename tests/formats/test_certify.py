"""Another program's number and policy: certified, or refuted with what refutes them."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gmpy2 import mpq
from model_oracles import go

from exactdice.cli.app import main
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError, InputError
from exactdice.formats.certify import Certify
from exactdice.formats.umb import umb_bytes
from exactdice.models import End, Game, Turn, optimum
from exactdice.rooms import ask, question

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "proofs" / "certificate_check.py"

# In state 0, "try" wins 1 with probability 1/3, and "take" pays 1/4. By hand: the value is 1/3.
DRN = """@type: MDP
@parameters

@reward_models
reward
@nr_states
3
@nr_choices
4
@model
state 0 [0] init
\taction take [1/4]
\t\t2 : 1
\taction try [0]
\t\t1 : 1/3
\t\t2 : 2/3
state 1 [0] won
\taction end [1]
\t\t2 : 1
state 2 [0] done
\taction end [0]
\t\t2 : 1
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.drn"
    path.write_text(DRN, encoding="ascii")
    return path


def checked(path):
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    "claim",
    [
        "--value 1/3",
        "--value 0.33 --within 0.01",
        "--value 1/3 --query 'max reach won'",
        "--value 0 --query 'min reach won'",
        "--value 1/4 --query 'min reward'",
        "--value 1/3 --policy right",
        "--policy places",
        "--policy wrong --within 1/12",
        "--value 1/4 --policy wrong --query 'min reward'",
    ],
)
def test_a_true_claim_is_certified(claim, file, tmp_path):
    for name, line in {"right": "0:try", "places": "0 1", "wrong": "0: take\n1: end"}.items():
        (tmp_path / name).write_text(f"{line}\n", encoding="ascii")
    words = [str(tmp_path / w) if (tmp_path / w).exists() else w for w in shlex.split(claim)]
    target = tmp_path / "value.cert"
    assert main(["certify", str(file), *words, "--certificate", str(target)]) == 0
    assert checked(target).startswith("accepted: ")


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (["--value", "0.3333"], "value: is 0.333333333333, not the claimed value"),
        (["--value", "1/3", "--query", "min reach won"], "value: is 0.00000000000, not the"),
        (["--policy", "POLICY"], "policy: reaches 0.250000000000; the value is 0.333333333333"),
    ],
)
def test_a_false_claim_is_refuted(claim, line, file, tmp_path, capsys):
    policy, target = tmp_path / "policy", tmp_path / "value.cert"
    policy.write_text("0:take\n", encoding="ascii")
    words = [str(policy) if word == "POLICY" else word for word in claim]
    assert main(["certify", str(file), *words, "--certificate", str(target)]) == 1
    printed = capsys.readouterr()
    assert line in printed.err
    assert checked(target).startswith("accepted: ")
    if "POLICY" in claim:
        assert re.search(r"^0 +take +try +1/12 ", printed.out, re.MULTILINE)


def test_a_policy_that_never_ends_reaches_nothing(tmp_path, capsys):
    waiting = DRN.replace("action take [1/4]\n\t\t2 : 1", "action take [0]\n\t\t0 : 1")
    (tmp_path / "game.drn").write_text(waiting, encoding="ascii")
    (tmp_path / "policy").write_text("0:take\n", encoding="ascii")
    words = ["certify", str(tmp_path / "game.drn"), "--policy", str(tmp_path / "policy")]
    assert main(words) == 1
    assert "policy: has no value; model: no policy ends play" in capsys.readouterr().err


def test_policies_list_actions_of_decision_states(file, tmp_path, capsys):
    policy = tmp_path / "policy"
    policy.write_text("7:take\n2:end\n0:try\n", encoding="ascii")
    words = ["certify", str(file), "--policy", str(policy), "--value", "1/3"]
    assert main(words) == 0
    policy.write_text("7:take\n2:end\n0:wait\n", encoding="ascii")
    capsys.readouterr()
    assert main(words) == 2
    line = f"{policy}:3: got 'wait'; expected an action of state 0, such as 'take'"
    assert line in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "value: got nothing; expected the claimed value, or --policy"),
        (["--value", "1", "--within", "-1"], "within: got"),
        (["--value", "1", "--query", "max reach nowhere"], "query: got 'max reach nowhere'"),
        (["--policy", "no such file"], "no such file: file not found"),
        (["--policy", "POLICY"], "policy:1: got '0'; expected STATE:ACTION"),
    ],
)
def test_bad_input_is_one_line(words, line, file, tmp_path, capsys):
    policy, target = tmp_path / "policy", tmp_path / "value.cert"
    policy.write_text("0\n", encoding="ascii")
    words = [str(policy) if word == "POLICY" else word for word in words]
    assert main(["certify", str(file), *words, "--certificate", str(target)]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
    assert not target.exists()


@pytest.mark.parametrize(
    "asked",
    [
        "risk dice 5 4",
        "risk dice 5 4 --order simultaneous",
        "risk dice 4 3 --order after",
        "swe value 3",
        "swe value 2 --revenue 1,0,0,0,0 --score 5",
        "reroll value --dice 2",
        "farkle value --target 300",
        "farkle race --target 150 --play optimal --first fair*2 --second fair*2 --scores 50,100",
        "fatestones duel 111666,123456 114456,333336 --scratch 1/3",
    ],
)
def test_commands_write_certificates(asked, tmp_path, capsys):
    target = tmp_path / "answer.cert"
    words = [*asked.split(), "--certificate", str(target), "--format", "json", "--digits", "6"]
    assert main(words) == 0
    value = re.search(r'"value": "(\S+)"', capsys.readouterr().out)
    assert value
    assert f" is {value[1]} (game" in checked(target)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("farkle value --target 300 --points 50", "expected a question without points and left"),
        ("farkle race --target 150", "expected a question with --play optimal"),
    ],
)
def test_questions_without_a_certificate_say_so(asked, line, tmp_path, capsys):
    target = tmp_path / "answer.cert"
    words = [*asked.split(), "--certificate", str(target)]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert line in error.splitlines()[-1]
    assert not target.exists()


def test_the_three_commands_of_the_manual(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "how-to" / "check-a-value.md").read_text(encoding="utf-8")
    shell = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    printed = re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(shell[0])[1:]) == 0
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    for path in (CHECKER, tmp_path / "duel.cert"):
        shutil.copy(path, stranger)
    outputs = []
    for line in shell[1:3]:
        words = shlex.split(line.replace("python3", f"{shlex.quote(sys.executable)} -I -S"))
        run = subprocess.run(words, cwd=stranger, capture_output=True, text=True, check=True)
        outputs.append(run.stdout)
    assert outputs[0] == printed
    assert outputs[1].startswith("moves\nboth 2 2 ; ")


def test_claims_about_unknown_formats_are_rejected():
    # trees can be solved, but not certified
    for name in ("game.txt", "game.efg"):
        with pytest.raises(
            InputError, match=r"expected a name that ends in .umb, .drn, .tra, .nfg$"
        ):
            question(f"certify {name} --value 1")


#: By hand: the first player takes 2, because going on gives 1 if the second player plays low.
TWO = {
    0: [go("go on", 1), go("end it", 2)],
    1: Turn(2, [go("low", 3), go("high", 4)]),
    2: End(2),
    3: End(1),
    4: End(5),
}


def test_policies_of_both_players_meet_best_responses(tmp_path):
    path, policy = tmp_path / "two.umb", tmp_path / "policy"
    model = Game(0, TWO.__getitem__).explored()
    path.write_bytes(umb_bytes(model))
    assert list(model.states[:2]) == [0, 1]
    policy.write_text("# of both\n0: go on\n1 high\n")
    report = ask(f"certify {path} --policy {policy}")
    # going on gives 1; if the second player plays high, the first goes on and gets 5
    assert [report.value(f"policy_value_{player}") for player in (1, 2)] == [1, 5]
    assert report.table("losses").rows == (("0", "go on", "end it", 1), ("1", "high", "low", 4))
    # 1 and 5 differ from 2 by 1 and 3
    for within, failing in (("0", 2), ("0.99", 2), ("1", 1), ("2.99", 1), ("3", 0)):
        asked = ask(f"certify {path} --policy {policy} --within {within}")
        assert asked.failure.count("policy: reaches ") == failing
        assert asked.value("holds") is (failing == 0)
        assert bool(asked.tables) is (failing > 0)
    policy.write_text("0 1\n1: 0\n")  # by position, optimal
    assert ask(f"certify {path} --policy {policy} --value 2").value("holds") is True
    policy.write_text("1 1\n")  # only the state with the mistake is listed
    assert ask(f"certify {path} --policy {policy}").table("losses").cells("state") == ["1"]
    policy.write_text("1 2\n")
    with pytest.raises(ValueError, match=r"policy:1: got '2'; expected a whole number below 2"):
        ask(f"certify {path} --policy {policy}")


def test_claims_within_wider_bounds_are_open(tmp_path, monkeypatch):
    # find only bounds, as in games whose value is irrational
    answered, game = Certify.answered, tmp_path / "reroll.drn"
    ask(f"model export 'reroll value --dice 2' {game}")
    monkeypatch.setattr(
        Certify, "answered", lambda self, m, k, w, run: answered(self, m, k, mpq(1, 10), run)
    )
    value = ask(f"certify {game} --value 0 --within 100").value("value")
    assert isinstance(value, Enclosure)
    low, high = value.lower, value.upper
    assert low < high
    is_open, is_wrong = "is only known up to bounds; use --within", "not the claimed value"
    for claimed, within, said in (
        ((low + high) / 2, mpq(0), is_open),
        ((low + high) / 2, (high - low) / 2, ""),
        (low, high - low, ""),
        (high, high - low, ""),
        (low, (high - low) / 2, is_open),
        (high, (high - low) / 2, is_open),
        (high + 1, mpq(1), is_open),
        (low - 1, mpq(1), is_open),
        (high + 1, mpq(99, 100), is_wrong),
        (low - 1, mpq(99, 100), is_wrong),
    ):
        report = Certify(game, value=claimed, within=within).answer()
        assert report.value("holds") is (not said)
        assert bool(report.failure) is bool(said)
        assert said in report.failure
        assert report.value("claimed") == claimed


@pytest.mark.parametrize("ending", ["drn", "nfg", "efg"])
def test_a_file_that_is_solved_has_a_certificate(ending, file):
    pennies = file.with_name("pennies.nfg")  # by hand: the value is 1/5
    pennies.write_text('NFG 1 R "" { "a" "b" } { 2 2 }\n\n2 -2 -1 1 -1 1 1 -1\n')
    ask(f"model convert {pennies} {pennies.with_suffix('.efg')}")
    path = file if ending == "drn" else pennies.with_suffix(f".{ending}")
    target = file.with_name("proof")
    ask(f"model solve {path} --certificate {target}")
    if ending == "efg":
        checks = ROOT / "proofs" / "equilibrium_check.py"
        command = [sys.executable, "-I", str(checks), str(target)]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        assert said == "VERIFIED: the value is 1/5\n"
    else:
        assert f" is {'1/3' if ending == 'drn' else '1/5'} " in checked(target)
    path.unlink()  # the folder is checked before the file
    with pytest.raises(ExactDiceError, match="there is no folder"):
        ask(f"model solve {path} --certificate {file.with_name('no') / 'proof'}")


@pytest.mark.parametrize("value", [mpq(0), mpq(100)])
def test_certificates_of_other_values_are_not_written(value, tmp_path, monkeypatch):
    # give the listed game a lower and a higher value
    other = optimum(Game(0, lambda n: End(value)).explored())
    monkeypatch.setattr("exactdice.solve.questions.optimum", lambda *_, **__: other)
    with pytest.raises(AssertionError, match="the listed game has the value of the answer"):
        ask(f"reroll value --dice 2 --certificate {tmp_path / 'proof'}")
    assert not list(tmp_path.iterdir())
