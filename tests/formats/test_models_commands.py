"""`exactdice model …` and `exactdice certify`: files solved, converted, written; claims checked."""

import json
import pickle
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from model_oracles import go, refuses, tables
from printed import POSTS_WIN

from exactdice.cli import main
from exactdice.dice import Distribution, fair
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError, InputError, OutputError
from exactdice.formats import questions
from exactdice.formats.certify import Certify
from exactdice.formats.explicit import explicit
from exactdice.formats.files import read_model, write_model
from exactdice.formats.questions import ModelSolve, Query
from exactdice.formats.reading import FormatError
from exactdice.formats.umb import umb_bytes
from exactdice.games import fatestones
from exactdice.games.reroll.questions import RerollValue
from exactdice.models import (
    Chance,
    Choice,
    End,
    Game,
    Turn,
    optimum,
    reward_distribution,
    win_draw_loss,
)
from exactdice.report.model import CellKind
from exactdice.rooms import ask, question
from exactdice.run import Run
from exactdice.solve.arena import CertificateError, NoValueError
from exactdice.solve.questions import reach
from exactdice.solve.reports import optimum_report

SAME_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
ENDINGS = (".umb", ".drn", ".tra")


def solved(path, query="max reward", **more):
    return ModelSolve(path, query=query, **more).answer()


@pytest.mark.slow
@given(tables(players=1, ends=False), st.sampled_from(["max reward", "min reward"]))
@SAME_FOLDER
def test_files_keep_the_value_of_the_game(tmp_path, table, query):
    model = Game(0, table.__getitem__).explored()
    try:
        expected = optimum(model, least=query == "min reward").value
    except NoValueError:
        expected = None
    labels = {"goal": lambda state: state == 1}
    chance = reach(model, labels["goal"]).value if 1 in model.states else None
    for ending in ENDINGS:
        files = write_model(explicit(model, labels), tmp_path / f"model{ending}")
        # In files, unlike in games, a state that leads to itself without reward is terminal.
        if expected is not None:
            assert solved(files[-1], query).value("value") == expected
        if chance is not None:
            assert solved(files[-1], "max reach goal").value("value") == chance


@pytest.mark.slow
@given(tables(players=1, ends=False), st.booleans(), st.permutations(ENDINGS))
@SAME_FOLDER
def test_converting_keeps_rows_and_labels(tmp_path, table, is_chain, endings):
    if is_chain:
        chosen = {s: t[0] for s, t in table.items() if isinstance(t, list)}
        table |= {s: Chance(way.reward, way.successors) for s, way in chosen.items()}
    before = explicit(Game(0, table.__getitem__).explored(), {"odd": lambda s: s in (1, 3)})
    write_model(before, tmp_path / f"0{endings[0]}")
    for step, ending in enumerate(endings[1:]):
        source = tmp_path / f"{step}{endings[step]}"
        ask({"question": "model convert", "file": str(source),
             "target": str(tmp_path / f"{step + 1}{ending}")})  # fmt: skip
    after = read_model(tmp_path / f"2{endings[2]}")
    # Storm's format has no empty labels
    held = {name: states for name, states in before.labels.items() if states}
    assert {name: states for name, states in after.labels.items() if states} == held
    assert (after.initial, after.players) == (before.initial, before.players)
    assert [[(r.reward, r.chances) for r in rows] for rows in after.rows] == [
        [(r.reward, r.chances) for r in rows] for rows in before.rows
    ]


def test_a_long_solve_is_announced(tmp_path):
    model = Game(
        0, lambda at: fair(6).map(lambda face: at + face) if at < 9 else End(at)
    ).explored()
    path = write_model(explicit(model), tmp_path / "sum.umb")[-1]
    told = []
    with patch.object(questions, "_SOLVING", 10**10):
        ModelSolve(path).answer(Run(announce=told.append))
    transitions = explicit(model).arena.transitions
    assert len(told) == 1
    assert told[0].startswith(f"a model of {transitions} transitions takes about")


#: Published values: the Risk post's of (4, 2), and the reroll coursework's.
PUBLISHED = {"risk win 4 2": mpq(POSTS_WIN), "reroll value": mpq(103369, 7744)}
RULES = ("", "--ties attacker", "--stop-below 3 --units fighting")
SHORT = "--target 200 --entry-minimum 100 --play optimal --exact"
#: Questions, and suffixes of the files for their games.
WRITTEN = [
    *((asked, ENDINGS) for asked in PUBLISHED),
    *((f"risk win {a} 3 {rules}", [".umb"]) for a in (3, 5, 7) for rules in RULES),
    ("reroll value --dice 2 --sides 4 --penalty 1/2", ENDINGS), ("swe value 5", [".umb"]),
    ("swe value 5 --ladder 2,3", [".drn"]), ("swe value 5 --ladder 6", [".tra"]),
    ("swe value 3 --score 4 --revenue 1,0,1,0,0", [".umb"]),
    ("farkle value --target 400 --dice fair*2", ENDINGS),
    ("farkle value --target 400 --dice fair,1:1:1:1:1:5 --overshoot needed", ENDINGS),
    (f"farkle race --first fair*2 --second odd {SHORT}", [".umb"]),
    ("risk dice 4 3 --order announced", [".umb"]), ("risk dice 4 3 --order after", [".umb"]),
    ("risk dice 4 3 --order simultaneous", [".nfg"])]  # fmt: skip


@pytest.mark.parametrize(("asked", "endings"), WRITTEN)
def test_exported_games_have_the_value_of_their_question(tmp_path, asked, endings):
    value = ask(asked).value("value")
    assert value == PUBLISHED.get(asked, value)
    for ending in endings:
        path = tmp_path / f"game{ending}"
        ask({"question": "model export", "game": asked, "file": str(path)})
        assert solved(path).value("value") == value
        if asked.startswith(("risk", "farkle race")) and ending != ".nfg":
            assert solved(path, "max reach won").value("value") == value


def test_sizes_of_exported_models_are_reported(tmp_path):
    path = tmp_path / "battle.umb"
    # (4, 2) to (1, 0) in fighting units: (3, 2) (1, 2) (2, 1) (3, 0) (0, 2) (1, 1) (2, 0) (0, 1)
    # (1, 0), and the terminal state
    assert ask(f"model export 'risk win 4 2' '{path}'").value("states") == 10
    assert solved(path, "min reach won").value("value") == mpq(POSTS_WIN)


def test_farkle_races_that_cannot_be_exported_are_rejected(tmp_path):
    for ending, options, wanted in (
        ("drn", "--second odd", "file: got .* expected a name that ends in .umb"),
        ("umb", "--target none", "target: got none; expected a number of points"),
        ("umb", "--second odd*7", "second: got 7; expected at most 6 dice"),
        ("umb", "--second 0:1:0:0:0:0", "second: got 0:1:0:0:0:0; expected dice that can reach"),
    ):
        with pytest.raises(InputError, match=wanted):
            ask(f"model export 'farkle race {options} --play optimal' {tmp_path}/race.{ending}")
    for game, wanted in (
        ("farkle race", "game: got 'farkle race'; expected a question with --play optimal"),
        ("farkle value --points 300", "game: got .* expected a question without points"),
    ):
        refuses(InputError, wanted, ask, f"model export '{game}' {tmp_path}/turn.umb")
    assert not list(tmp_path.iterdir())


def test_exported_duels_have_their_value(tmp_path):
    path = tmp_path / "duel.nfg"
    for hands in ("111666,123456 114456,333336", "111666,123456,222555 114456,333336,123456"):
        ask(f"model export 'fatestones duel {hands} --bag any' '{path}'")
        duel = fatestones.solve(*hands.split())
        answer = solved(path)
        assert answer.value("value") == duel.value
        shares = answer.table("strategies")
        for player, strategy in ((1, duel.row), (2, duel.column)):
            for choice, chance in enumerate(strategy, start=1):
                if chance:
                    assert shares.cell("probability", player=player, choice=str(choice)) == chance


def test_duels_are_exported_as_trees(tmp_path):
    """By hand: of 36 rolls of two equal dice 15 win, 15 lose and 6 tie, which ends this game."""
    path = tmp_path / "duel.efg"
    ask(f"model export 'fatestones duel 123456 123456 --bag any --scratch 1/3' '{path}'")
    lines = path.read_text().splitlines()
    assert lines[0] == 'EFG 2 R "duel" { "first" "second" }'
    assert lines[4].endswith('{ "((), ())" 1/6 "lost" 5/12 "won" 5/12 } 0')
    payoffs = [line.split("{")[1] for line in lines if line.startswith("t ")]
    assert payoffs == [" 1/3, -1/3 }", " -1, 1 }", " 1, -1 }"]


def test_an_enclosed_answer_says_so(tmp_path):
    path = tmp_path / "game.drn"
    ask(f"model export 'reroll value --dice 2' '{path}'")
    exact, enclosed = solved(path), solved(path, width="1e-6")
    assert (exact.value("exact"), enclosed.value("exact")) == (True, False)
    told = [{each.column.name for each in report.quantities} for report in (exact, enclosed)]
    assert told[1] - told[0] == {"unsettled"}  # only bounds leave states unsettled
    assert exact.value("value") in enclosed.value("value")
    assert enclosed.value("value").width <= mpq(1, 10**6)
    assert enclosed.table("policy").column_named("value").kind is CellKind.ENCLOSURE
    assert enclosed.provenance.command.endswith("game.drn --width 1/1000000")


def test_failing_certificates_are_errors(tmp_path, monkeypatch):
    path = tmp_path / "battle.drn"
    ask(f"model export 'risk win 4 2' '{path}'")
    other = Game(0, lambda s: Distribution({1: 1, 2: 1}) if s == 0 else None).explored()
    monkeypatch.setattr("exactdice.formats.questions.optimum", lambda *_, **__: optimum(other))
    with pytest.raises(CertificateError):
        solved(path)
    assert main(["model", "solve", str(path)]) == 1  # a failed check, not a bad argument


@pytest.mark.parametrize("line", [
    "model solve game.drn --certificate no/a", "model solve game.efg --certificate no/a",
    "model convert game.drn no/a.umb", "model export 'reroll value' no/a.umb",
    "certify game.drn --value 1 --certificate no/a"])  # fmt: skip
def test_unwritable_files_are_rejected_before_work_begins(line):
    begun = AssertionError("work has begun")
    started = {"read_model": Mock(side_effect=begun), "read_efg": Mock(side_effect=begun)}
    with (
        patch.multiple(questions, **started),
        patch.object(RerollValue, "stated", side_effect=begun),
    ):
        refuses(OutputError, "^output: there is no folder no; create it, or name", ask, line)


def test_the_command_line_answers_with_value_and_policy(tmp_path, monkeypatch, capsys):
    """By hand: each throw costs 1; keeping a 3 pays 3, as much as throwing again."""
    monkeypatch.chdir(tmp_path)

    def moves(face):
        if face == "kept":
            return None
        throw = Choice("throw", -1, fair(6))
        return [throw] if face == 0 else [go("keep", "kept", face), throw]

    write_model(explicit(Game(0, moves).explored()), Path("die.umb"))
    assert main(["model", "solve", "die.umb", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["value"] == "3"
    policy = {row["state"]: row for row in document["policy"]}
    assert policy["3"]["ties"] == ["keep", "throw"]
    assert policy["6"] == {
        "state": "6", "action": "keep", "ties": ["keep"], "value": "6", "value_float": 6.0
    }  # fmt: skip
    lost = {(row["state"], row["action"]): row["regret"] for row in document["regrets"]}
    assert (lost["2", "keep"], lost["3", "keep"], lost["6", "throw"]) == ("1", "0", "3")


def test_queries_are_read_and_written():
    for words, query in (
        ("max reward", Query(least=False, label=None)),
        ("min  reach  two words", Query(least=True, label="two words")),
    ):
        made = ModelSolve("a.drn", query=words)
        assert made.query == query
        assert str(made.query) == " ".join(words.split())


def test_rewards_of_prism_are_chosen_by_name(tmp_path):
    """By hand: half of all plays go from 0 through 1 to 2, the others to 3, for these rewards."""
    path = tmp_path / "walk.tra"
    path.write_text("# Transitions (DTMC)\n4 5\n0 1 0.5\n0 3 0.5\n1 2 1\n2 2 1\n3 3 1\n")
    (tmp_path / "walk.lab").write_text('0="init" 1="done" 2="there"\n0: 0\n2: 1\n3: 1\n1: 2\n')
    assert solved(path).provenance.conventions["rewards"] == "none in the file"
    assert "rewards" not in solved(path, "max reach there").provenance.conventions
    for name, content in {
        "1.srew": '# Reward structure "steps"\n# State rewards\n4 2\n0 1\n1 1\n',
        "1.trew": '# Reward structure "steps"\n# Transition rewards\n4 1\n0 3 7\n',
        "2.srew": "4 1\n2 5\n", "2.trew": "4 1\n1 2 3\n",
    }.items():  # fmt: skip
        (tmp_path / f"walk{name}").write_text(content)
    refuses(InputError, "reward: got no name of 2 rewards; expected one of steps, 2", solved, path)
    assert solved(path, "max reach there").value("value") == mpq(1, 2)
    assert solved(path, reward="steps").value("value") == 1 + mpq(1, 2) * (1 + 7)
    assert solved(path, "max reward until done", reward="2").value("value") == mpq(3, 2)
    refuses(NoValueError, "no policy ends play", solved, path, reward="2")  # 2 pays forever
    target = tmp_path / "walk.umb"
    ask(f"model convert '{path}' '{target}' --reward steps")
    assert solved(target).value("value") == 5
    for file in ("walk1.tra", "walk2.tra"):
        (tmp_path / file).touch()  # the owners of these rewards
    assert solved(path).value("value") == 0
    for ending in ("trew", "rew"):
        (tmp_path / f"walk.{ending}").write_text("4 1\n0 1 7\n")
    refuses(FormatError, r"walk\.rew, .*walk\.trew: got 2 files of one kind", solved, path)


def test_minimal_rewards_of_two_players_are_rejected(tmp_path):
    game = Game(0, lambda at: Turn(1 + at, [go("on", at + 1)]) if at < 2 else End(1))
    path = tmp_path / "two.umb"
    path.write_bytes(umb_bytes(game.explored()))
    wanted = "expected max reach done, for a game of two"
    refuses(InputError, wanted, solved, path, "min reach done")
    assert solved(path, "max reach done").value("value") == 1  # there is no other way


def test_answers_have_reports():
    model = Game(9, lambda n: [go("down", n - 1, 1)] if n else End(0)).explored()
    best = optimum(model)
    assert [len(table.rows) for table in optimum_report(best, 9).tables] == [9, 9]
    assert not optimum_report(best, 8).tables
    assert best.report().value("value") == 9
    assert repr(best) == "greatest expected reward: 9.000000000 (exact)"
    assert "<table" in best._repr_html_()
    # By hand: a coin pays 1 or −1.
    coin = Game(0, lambda s: End(s) if s else Distribution({1: 1, -1: 1})).explored()
    law = reward_distribution(coin, {}).report()
    assert (law.value("mean"), law.value("variance")) == (0, 1)
    chances = win_draw_loss(coin, {}).report()
    assert [chances.value(name) for name in ("win", "draw", "loss")] == [mpq(1, 2), 0, mpq(1, 2)]


@pytest.mark.slow
@given(tables(players=2, ends=True, both=True))
def test_every_answer_has_a_report_of_its_value(table):
    model = Game(0, table.__getitem__).explored()
    best = optimum(model, width="1e-6") if model.players == 2 else optimum(model)
    report = best.report()
    value = report.value("value")
    assert value == best.value
    assume(best.mixed)
    shares = report.table("strategies")
    for number in best.mixed:
        state = str(model.states[number])
        for player in (1, 2):
            rows = [r for r in shares.rows if tuple(r[:2]) == (state, player)]
            assert sum(row[3] for row in rows) == 1


def test_labels_with_blanks_are_written_in_quotation_marks(tmp_path):
    battle = Game(0, lambda s: Distribution({1: 1, 2: 1}) if s == 0 else None).explored()
    for ending in ENDINGS:
        path = write_model(
            explicit(battle, {"two words": lambda s: s == 1}), tmp_path / f"b{ending}"
        )
        assert solved(path[-1], "max reach two words").value("value") == mpq(1, 2)
    wanted = "label: got 'a\"b'; expected labels of one line"
    table = explicit(battle, {'a"b': lambda s: s == 1})
    refuses(ExactDiceError, wanted, write_model, table, tmp_path / "quoted.drn")
    assert not (tmp_path / "quoted.drn").exists()


def test_moves_with_equal_names_are_numbered(tmp_path):
    """PRISM gives one name to several choices of a state; by hand: the better pays 2."""
    path = tmp_path / "twins.tra"
    path.write_text("2 3 3\n0 0 1 1 go\n0 1 1 1 go\n1 0 1 1 end\n")
    path.with_suffix(".trew").write_text("2 3 2\n0 0 1 1\n0 1 1 2\n")
    answer = solved(path)
    assert answer.value("value") == 2
    assert answer.table("policy").cell("action", state="0") == "go_1"


def test_transition_rewards_depend_on_the_successor(tmp_path):
    """By hand: 4 or 0 with chances 1/4 and 3/4: mean 1, variance 16/4 − 1 = 3; twice that."""
    for number, counts in (("", "5"), ("0 ", "5 5")):  # a chain, and a process of one choice each
        path = tmp_path / "model.tra"
        lines = ["0 {}1 1/4", "0 {}2 3/4", "1 {}3 1/4", "1 {}4 3/4", "2 {}3 1/4", "2 {}4 3/4"]
        ends = ["3 {}3 1", "4 {}4 1"]
        path.write_text("\n".join([f"{counts} 8", *(line.format(number) for line in lines + ends)]))
        rewards = [f"{line[:-4].format(number)} 4" for line in lines[::2]]
        path.with_suffix(".trew").write_text("\n".join([f"{counts} 3", *rewards]))
        path.with_suffix(".lab").write_text('0="init"\n0: 0\n')
        table = read_model(path)
        assert solved(path).value("value") == 2
        for same in (table, table.reached()):
            law = reward_distribution(same.model(), lambda state: "0")
            assert (law.mean, law.variance) == (2, 6)
            assert law.distribution().probability(8) == mpq(1, 16)
        write_model(table, tmp_path / "copy.tra")
        assert (tmp_path / "copy.trew").read_text() == path.with_suffix(".trew").read_text() + "\n"
        assert read_model(tmp_path / "copy.tra") == table


@pytest.mark.parametrize("line", [
    "model export 'swe value 4 --ladder 4,6' game.umb", "model export 'reroll value' game.umb",
    "model export -- 'reroll value' -x.drn",
    "model export 'reroll value --dice 2 --bias 1/10,1/10,4/5' 'my game.tra'",
    "model export 'farkle value --dice fair*3 --target 500 --overshoot needed' turn.drn",
    "model export 'farkle race --second odd --target 100 --play optimal' race.umb",
    "model export 'fatestones duel 111666,123456 114456,333336' duel.nfg",
    "model export 'fatestones duel 111666 111666 --scratch -1/2 --bag any' a/b.nfg"])  # fmt: skip
def test_export_questions_survive_text_json_and_pickle(line):
    made = question(line)
    assert question(str(made)) == made
    assert question(json.dumps(made.to_json())) == made
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - our own
    assert str(question(made.to_json())) == str(made)


def test_a_matrix_is_converted_to_both_of_gambits_formats(tmp_path):
    """By hand: 2 on one diagonal and 1 on the other with signs, worth 1/5 to the first player."""
    path = tmp_path / "pennies.nfg"
    path.write_text('NFG 1 R "pennies" { "first" "second" } { 2 2 }\n\n2 -2 -1 1 -1 1 1 -1\n')
    again, tree = tmp_path / "again.nfg", tmp_path / "tree.efg"
    for target in (again, tree):
        ask({"question": "model convert", "file": str(path), "target": str(target)})
    for file in (path, again):
        assert solved(file).value("value") == mpq(1, 5)
    lines = tree.read_text().splitlines()
    assert lines[0] == 'EFG 2 R "tree" { "first" "second" }'
    assert [line.split("{")[1] for line in lines if line.startswith("t")] == [
        " 2, -2 }", " -1, 1 }", " -1, 1 }", " 1, -1 }"
    ]  # fmt: skip


ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "proofs" / "certificate_check.py"

# In state 0, "try" wins 1 with probability 1/3, and "take" pays 1/4. By hand: the value is 1/3.
DRN = (
    "@type: MDP\n@parameters\n\n@reward_models\nreward\n@nr_states\n3\n@nr_choices\n4\n@model\n"
    "state 0 [0] init\n\taction take [1/4]\n\t\t2 : 1\n\taction try [0]\n\t\t1 : 1/3\n\t\t2 : 2/3\n"
    "state 1 [0] won\n\taction end [1]\n\t\t2 : 1\nstate 2 [0] done\n\taction end [0]\n\t\t2 : 1\n"
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.drn"
    path.write_text(DRN, encoding="ascii")
    return path


def checked(path):
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("claim", [
    "--value 1/3", "--value 0.33 --within 0.01", "--value 1/3 --query 'max reach won'",
    "--value 0 --query 'min reach won'", "--value 1/4 --query 'min reward'",
    "--value 1/3 --policy right", "--policy places", "--policy wrong --within 1/12",
    "--value 1/4 --policy wrong --query 'min reward'"])  # fmt: skip
def test_a_true_claim_is_certified(claim, file, tmp_path):
    for name, line in {"right": "0:try", "places": "0 1", "wrong": "0: take\n1: end"}.items():
        (tmp_path / name).write_text(f"{line}\n", encoding="ascii")
    words = [str(tmp_path / w) if (tmp_path / w).exists() else w for w in shlex.split(claim)]
    target = tmp_path / "value.cert"
    assert main(["certify", str(file), *words, "--certificate", str(target)]) == 0
    assert checked(target).startswith("accepted: ")


@pytest.mark.parametrize(("claim", "line"), [
    (["--value", "0.3333"], "value: is 0.333333333333, not the claimed value"),
    (["--value", "1/3", "--query", "min reach won"], "value: is 0.00000000000, not the"),
    (["--policy", "POLICY"], "policy: reaches 0.250000000000; the value is 0.333333333333")
])  # fmt: skip
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


def test_policies_that_fit_no_state_are_rejected(tmp_path, capsys, file, monkeypatch):
    monkeypatch.chdir(tmp_path)  # messages shorten long paths
    policy = tmp_path / "policy"
    policy.write_text("7:take\n2:end\n0:try\n", encoding="ascii")
    words = ["certify", str(file), "--policy", policy.name, "--value", "1/3"]
    assert main(words) == 0
    policy.write_text("7:take\n2:end\n0:wait\n", encoding="ascii")
    capsys.readouterr()
    assert main(words) == 2
    line = "policy:3:3: got 'wait'; expected an action of state 0, such as 'take'"
    assert line in capsys.readouterr().err
    waiting = DRN.replace("action take [1/4]\n\t\t2 : 1", "action take [0]\n\t\t0 : 1")
    file.write_text(waiting, encoding="ascii")
    policy.write_text("0:take\n", encoding="ascii")
    assert main(words[:4]) == 1
    assert "policy: has no value; model: no policy ends play" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "line"), [
    ([], "value is missing; add the claimed value, or --policy"),
    (["--value", "1", "--within", "-1"], "within: got"),
    (["--value", "1", "--query", "max reach nowhere"], "query: got 'max reach nowhere'"),
    (["--policy", "no such file"], "no such file: file not found"),
    (["--policy", "POLICY"], "policy:1:1: got '0'; expected STATE:ACTION")])  # fmt: skip
def test_bad_input_is_one_line(words, line, file, tmp_path, capsys):
    policy, target = tmp_path / "policy", tmp_path / "value.cert"
    policy.write_text("0\n", encoding="ascii")
    words = [str(policy) if word == "POLICY" else word for word in words]
    assert main(["certify", str(file), *words, "--certificate", str(target)]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
    assert not target.exists()


@pytest.mark.parametrize("asked", [
    "risk dice 5 4", "risk dice 5 4 --order simultaneous", "risk dice 4 3 --order after",
    "swe value 3", "swe value 2 --revenue 1,0,0,0,0 --score 5", "reroll value --dice 2",
    "farkle value --target 300",
    "farkle race --target 150 --play optimal --first fair*2 --second fair*2 --scores 50,100",
    "fatestones duel 111666,123456 114456,333336 --scratch 1/3"])  # fmt: skip
def test_commands_write_certificates(asked, tmp_path, capsys):
    target = tmp_path / "answer.cert"
    words = [*asked.split(), "--certificate", str(target), "--format", "json", "--digits", "6"]
    assert main(words) == 0
    value = re.search(r'"value": "(\S+)"', capsys.readouterr().out)
    assert f" is {value[1]} (game" in checked(target)


@pytest.mark.parametrize(("asked", "line"), [
    ("farkle value --target 300 --points 50", "expected a question without points and left"),
    ("farkle race --target 150", "expected a question with --play optimal")])  # fmt: skip
def test_questions_without_a_certificate_say_so(asked, line, tmp_path, capsys):
    target = tmp_path / "answer.cert"
    assert main([*asked.split(), "--certificate", str(target)]) == 2
    assert line in capsys.readouterr().err.splitlines()[-1]
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


#: By hand: the first player takes 2, because going on gives 1 if the second player plays low.
TWO = {
    0: [go("go on", 1), go("end it", 2)], 1: Turn(2, [go("low", 3), go("high", 4)]), 2: End(2),
    3: End(1), 4: End(5)}  # fmt: skip


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
    with pytest.raises(ValueError, match=r"policy:1:3: got '2'; expected a whole number below 2"):
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
    is_open, is_wrong = "is only known up to bounds; use --within", "not the claimed value"
    for claimed, within, said in (
        ((low + high) / 2, mpq(0), is_open), ((low + high) / 2, (high - low) / 2, ""),
        (low, high - low, ""), (high, high - low, ""), (low, (high - low) / 2, is_open),
        (high, (high - low) / 2, is_open), (high + 1, mpq(1), is_open), (low - 1, mpq(1), is_open),
        (high + 1, mpq(99, 100), is_wrong), (low - 1, mpq(99, 100), is_wrong)):  # fmt: skip
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
