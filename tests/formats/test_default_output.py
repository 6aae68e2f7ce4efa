"""Files in the form that other programs write by default: values, offers, refusals, round trips."""

import csv
import gzip
import lzma
import random
import re
import shlex
import sys
import tarfile
from fractions import Fraction
from pathlib import Path

import pytest
from cases import rows_of
from gmpy2 import mpq
from model_oracles import refuses

from exactdice.cli import main
from exactdice.errors import ExactDiceError, InputError, MissingExtraError
from exactdice.formats.explicit import ExplicitModel
from exactdice.formats.files import read_model, write_model
from exactdice.formats.questions import ModelSolve
from exactdice.formats.reading import FormatError, Reading
from exactdice.models import optimum
from exactdice.rooms import ask
from exactdice.solve.arena import NoValueError

FILES = Path(__file__).parent / "files"
VALUES = list(csv.DictReader((FILES / "values.csv").read_text(encoding="utf-8").splitlines()))


def solved(question):
    name, *options = shlex.split(question)
    return ask(shlex.join(["model", "solve", str(FILES / name), *options]))


@pytest.mark.parametrize("row", VALUES, ids=lambda row: row["question"])
def test_files_have_the_value_found_by_hand(row):
    if ".efg" in row["question"]:
        pytest.importorskip("highspy", reason="extra hidden")
    assert solved(row["question"]).value("value") == mpq(row["value"])


def test_every_file_has_a_value_or_is_refused():
    asked = {row["question"].split()[0].partition(".")[0] for row in VALUES} | set(REFUSED)
    beside = {path.name.partition(".")[0].rstrip("12") for path in FILES.iterdir()}
    assert beside <= {name.partition(".")[0] for name in asked} | {"values", "README"}


@pytest.mark.parametrize(
    "row", [row for row in VALUES if row["property"]], ids=lambda r: r["question"]
)
def test_storm_and_gambit_agree(row):
    name, *_ = row["question"].split()
    path = str(FILES / name)
    if row["property"] == "gambit":
        pygambit = pytest.importorskip("pygambit", reason="make exchange")
        game = getattr(pygambit, f"read_{path[-3:]}")(path)
        (_, found), _ = pygambit.nash.lp_solve(game, rational=True).equilibrium.payoffs
    else:
        stormpy = pytest.importorskip("stormpy", reason="make exchange")
        if path.endswith(".umb"):
            model = stormpy.build_model_from_umb(path)
        else:
            model = stormpy.build_model_from_drn[stormpy.Rational](path)
        (formula,) = stormpy.parse_properties(row["property"])
        found = stormpy.model_checking(model, formula).get_value(model.initial_states[0])
    assert mpq(str(found)) == mpq(row["value"])


REFUSED = dict(rows_of("tables/bad_outputs"))


@pytest.mark.parametrize("question", REFUSED)
def test_other_content_is_refused_with_the_place_and_the_right_form(question, capsys):
    name, *options = shlex.split(question)
    status = main(["model", "solve", str(FILES / name), *options])
    wanted, shown = REFUSED[question], capsys.readouterr()
    assert (status == 0) == (not wanted)
    assert wanted.replace("reward: got", "--reward: got") in shown.err or wanted in shown.err
    assert shown.err.count("\n") == bool(wanted)


def test_answers_state_what_was_changed():
    said = solved("rounded.drn --normalize").provenance.conventions
    assert said["normalize"] == "1 sums of probabilities changed to 1, each by at most 1.00e-10"
    said = solved("constant.nfg").provenance.conventions
    assert said["payoffs"] == "sum to 1; the value is the first player's payoff"
    assert "payoffs" not in solved("outcomes.nfg").provenance.conventions


def test_properties_of_storm_are_queries():
    for theirs, ours in {
        'Pmax=? [F "done"]': "max reach done", 'Pmin=?[ F "on the way" ]': "min reach on the way",
        'P=? ["init" U "done"]': "max reach done through init",
        'Rmin=? [F "done"]': "min reward until done",
    }.items():  # fmt: skip
        query = ModelSolve("a.drn", query=theirs).query
        assert query == ModelSolve("a.drn", query=ours).query
        assert str(query) == ours
    for wrong in ('Rmin=? ["init" U "done"]', "P=? [F done]", 'Pmax>1/2 [F "done"]'):
        refuses(InputError, "query: got", ModelSolve, "a.drn", query=wrong)


@pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, ".gz"), (lzma.compress, ".xz")])
@pytest.mark.parametrize("is_in_archive", [False, True])
def test_packed_texts_are_read(tmp_path, pack, suffix, is_in_archive):
    source = FILES / "storm_default.drn"
    packed, plain = tmp_path / f"game.drn{suffix}", tmp_path / "plain"
    plain.write_bytes(source.read_bytes())
    if is_in_archive:  # as Storm does
        with tarfile.open(plain, "w", format=tarfile.USTAR_FORMAT) as archive:
            archive.add(source, "game.drn")
    packed.write_bytes(pack(plain.read_bytes()))
    how = Reading("cost")
    assert read_model(packed, how) == read_model(source, how)
    with pytest.raises(ExactDiceError, match=r"target: got .*game\.drn"):
        ask(f"model convert '{source}' '{tmp_path}/game.drn{suffix}' --reward cost")


@pytest.mark.parametrize("suffix", [".drn", ".tra", ".umb"])
def test_the_chosen_initial_state_is_written(tmp_path, suffix):
    path = tmp_path / f"one{suffix}"
    ask(f"model convert '{FILES / 'two_starts.drn'}' '{path}' --initial 1")
    assert ModelSolve(path, query="max reach done").answer().value("value") == mpq(5, 8)


def test_chances_of_zero_lead_nowhere(tmp_path):
    path = tmp_path / "zero.tra"
    path.write_text("3 4\n0 1 1\n0 2 0\n1 1 1\n2 2 1\n")
    (tmp_path / "zero.lab").write_text('0="done"\n1: 0\n')
    (tmp_path / "zero.trew").write_text("3 1\n0 1 4\n")
    for query in ("max reward until done", "max reward"):
        assert ModelSolve(path, query=query).answer().value("value") == 4
    assert ModelSolve(path, query="min reach done").answer().value("value") == 1


def test_decimals_are_exact(tmp_path):
    path = tmp_path / "decimals.drn"
    lines = (FILES / "two_starts.drn").read_text().replace("state 1 init", "state 1")
    path.write_text(lines.replace("1/4", "0.1").replace("3/4", "9e-1"))
    assert ModelSolve(path, query="max reach done").answer().value("value") == mpq(1, 10)


@pytest.mark.parametrize("name", ["storm_default.drn", "steps.tra", "older.tra", "umbi_ends.umb"])
@pytest.mark.parametrize("suffix", [".drn", ".tra", ".umb"])
def test_models_survive_conversion(tmp_path, name, suffix):
    rewards = {"storm_default.drn": "cost", "steps.tra": "fee", "umbi_ends.umb": "paid"}
    before = read_model(FILES / name, Reading(rewards.get(name)))
    after = read_model(write_model(before, tmp_path / f"copy{suffix}")[-1])
    assert isinstance(before, ExplicitModel)
    means = [
        [[(row.reward, row.chances) for row in rows] for rows in m.rows] for m in (before, after)
    ]
    assert means[0] == means[1]
    assert {n: states for n, states in after.labels.items() if states} == {
        n: states for n, states in before.labels.items() if states
    }


@pytest.mark.parametrize("number", range(20))
def test_rewards_until_a_label_equal_a_linear_system(number):
    """Random chains and decision processes, against all policies in fractions."""
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    count = 4
    from exactdice.formats.explicit import Row

    def row(name):
        heads = dice.sample(range(count), dice.randint(1, 2))
        chances = dict.fromkeys(heads, mpq(1, len(heads)))
        return Row(name, mpq(dice.randint(-2, 3)), chances)

    rows = [[row(str(n)) for n in range(dice.randint(1, 2))] for _ in range(count)]
    goal, least = frozenset([count - 1]), bool(dice.randrange(2))
    table = ExplicitModel.of_rows(rows, 0, {"goal": goal}, players=1)
    found = [value for policy in policies(rows) if (value := value_of(policy, goal)) is not None]
    if not found:
        refuses(NoValueError, "no policy ends play", table.ending, goal, surely=True)
        return
    try:
        value = optimum(table.ending(goal, surely=True).model(), least=least).value
    except NoValueError:  # without bound: some cycle gains
        pytest.skip("the reward is unbounded")
    assert value == (min if least else max)(found)


def policies(rows):
    if not rows:
        yield []
        return
    for first in rows[0]:
        for rest in policies(rows[1:]):
            yield [first, *rest]


def value_of(policy, goal):
    """Return the expected reward until the goal from state 0, None if it may be missed."""
    seen, pending = {0}, [0]
    while pending:
        state = pending.pop()
        if state not in goal:
            for to in policy[state].chances:
                if to not in seen:
                    seen.add(to)
                    pending.append(to)
    states = sorted(seen - goal)
    reach = set(goal)
    for _ in policy:
        reach |= {s for s in states if reach & set(policy[s].chances)}
    if not seen <= reach:
        return None
    # Gaussian elimination of v(s) = reward + sum of chance * v(successor)
    system = {
        s: ({t: (t == s) - policy[s].chances.get(t, mpq(0)) for t in states}, policy[s].reward)
        for s in states
    }
    for s in states:
        own, paid = system[s]
        pivot = own[s]
        own, paid = {t: c / pivot for t, c in own.items()}, paid / pivot
        system[s] = own, paid
        for other in states:
            if other != s:
                theirs, more = system[other]
                times = theirs[s]
                system[other] = {t: theirs[t] - times * own[t] for t in states}, more - times * paid
    return system[0][1] if 0 in system else mpq(0)


MUTATED = [path for path in sorted(FILES.iterdir()) if path.suffix not in (".md", ".csv")]


def mutated(whole, dice):
    place, other = dice.randrange(len(whole)), dice.randrange(len(whole))
    how = dice.randrange(6)
    if how == 0:
        return whole[:place]
    if how == 1:
        return whole[:place] + bytes([dice.randrange(256)]) + whole[place + 1 :]
    if how == 2:
        return whole[:place] + bytes([whole[place] ^ 1 << dice.randrange(8)]) + whole[place + 1 :]
    if how == 3:
        return whole[:place] + whole[other : other + dice.randrange(1, 30)] + whole[place:]
    if how == 4:
        return whole[:place] + whole[place + dice.randrange(1, 30) :]
    word = dice.choice(
        [b"99999999999999999", b"1e-99999", b"-1", b"1/0", b"inf", b"\xff", b"\n", b'"']
    )
    return whole[:place] + word + whole[place:]


def stem(name):
    return name.partition(".")[0].rstrip("12")


def ask_mutated(folder, seed):
    """Change one of the files, ask one of its questions, and return the error, if any."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    path = MUTATED[seed % len(MUTATED)]
    for other in MUTATED:
        if stem(other.name) == stem(path.name):
            (folder / other.name).write_bytes(other.read_bytes())
    (folder / path.name).write_bytes(mutated(path.read_bytes(), dice))
    asked = [row["question"] for row in VALUES if stem(row["question"]) == stem(path.name)]
    name, *options = shlex.split(dice.choice(asked or [path.name]))
    try:
        ask(shlex.join(["model", "solve", str(folder / name), *options]))
    except ExactDiceError as wrong:
        return str(wrong)
    return ""


def test_mutated_files_are_read_or_rejected_in_one_line(tmp_path):
    pytest.importorskip("highspy", reason="extra hidden")
    said = [ask_mutated(tmp_path, seed) for seed in range(8 * len(MUTATED))]
    assert sum(map(bool, said)) > len(MUTATED)
    assert "\n" not in "".join(said)


SOURCE = """mdp
module m
  s : [0..3] init 0;
  [a] s=0 -> 1/3 : (s'=1) + 1/3 : (s'=2) + 1/3 : (s'=3);
  [b] s=0 -> 1/7 : (s'=1) + 6/7 : (s'=3);
  [] s=1 -> (s'=3);
  [] s>=2 -> true;
endmodule
label "done" = s=3;
rewards "time"
  true : 1;
endrewards
rewards "fee"
  [a] true : 0.1;
  [] s=1 : 2;
endrewards
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "game.prism"
    path.write_text(SOURCE)
    return path


def test_without_stormpy_the_error_says_what_to_run(source, monkeypatch):
    monkeypatch.setitem(sys.modules, "stormpy", None)
    storm = f"storm --prism {source} --exact --buildfull --exportbuild {source.with_suffix('.drn')}"
    said = rf"\[storm\]'; or run: {re.escape(storm)}, and give .*game\.drn$"
    refuses(MissingExtraError, said, ModelSolve(source).answer)


def test_models_in_prisms_language_are_built_by_storm(source, tmp_path):
    """By hand: a reaches done with 2/3, b with 1; the fee of b is 2/7."""
    pytest.importorskip("stormpy", reason="make exchange")
    assert ModelSolve(source, query="min reach done").answer().value("value") == mpq(2, 3)
    fee = ModelSolve(source, query="max reward until done", reward="fee").answer()
    assert fee.value("value") == mpq(2, 7)
    source.write_text(SOURCE.replace("[a] s=0", "[a] s=9 0"))
    refuses(FormatError, r"game\.prism: Storm: .*error at 4:", ModelSolve(source).answer)
    source.write_text(SOURCE.replace("1/3", "p").replace("module m", "const double p; module m"))
    refuses(FormatError, r"Storm: .*undefined constants: p", ModelSolve(source).answer)
    refuses(FormatError, "file not found", ModelSolve(tmp_path / "none.jani").answer)


def test_the_recipe_of_the_manual_builds_a_model(source, tmp_path, monkeypatch):
    """By hand: a then reaches done with p + 1/3."""
    pytest.importorskip("stormpy", reason="make exchange")
    page = (Path(__file__).parents[2] / "docs/how-to/model-files.md").read_text(encoding="utf-8")
    recipe = re.search(r"```python\n(import stormpy\n.*?)```", page, re.DOTALL)[1]
    source.write_text(
        SOURCE.replace("1/3 : (s'=1)", "p : (s'=1)")
        .replace("1/3 : (s'=2)", "2/3-p : (s'=2)")
        .replace("module m", "const double p; module m")
    )
    monkeypatch.chdir(tmp_path)
    exec(compile(recipe, "model-files.md", "exec"), {})  # noqa: S102 - our own page
    answer = ModelSolve("game.drn", query="min reach done").answer()
    assert answer.value("value") == mpq(1, 7) + mpq(1, 3)


def test_storms_own_output_is_read(source, tmp_path):
    """Values as above; Storm rounds thirds to ten digits, or to doubles in a .umb file."""
    stormpy = pytest.importorskip("stormpy", reason="make exchange")
    program = stormpy.parse_prism_program(str(source))
    full = stormpy.BuilderOptions(build_full=True)
    for number, error in ((stormpy.Rational, 0), (float, mpq(1, 10**9))):
        model = stormpy.build_model[number](program, options=full)
        model.labeling.add_label("two words")
        model.labeling.add_label_to_state("two words", 1)
        paths = [tmp_path / "theirs.drn", tmp_path / "theirs.umb"][: 1 + bool(error)]
        stormpy.io.export_to_drn(model, str(paths[0]))
        if error:  # stormpy 2.0.0 cannot write rationals into a .umb file
            stormpy.io.export_to_umb(model, str(paths[1]))
        for path in paths:
            how = {"normalize": bool(error)}
            for query, value in (("max reach two words", mpq(1, 3)), ("min reach done", mpq(2, 3))):
                answer = ModelSolve(path, query=query, **how).answer()
                assert abs(answer.value("value") - value) <= error
            fee = ModelSolve(path, query="max reward until done", reward="fee", **how).answer()
            assert abs(fee.value("value") - mpq(2, 7)) <= error
            if error:
                refuses(FormatError, "--normalize divides them", read_model, path, Reading("fee"))


@pytest.mark.parametrize("has_loops", [False, True])
@pytest.mark.parametrize("chance", [Fraction(1, 3), 0.3])
def test_umbis_own_output_is_read(tmp_path, has_loops, chance):
    """By hand: the first choice pays 5 with this chance and 1 otherwise, the second 3."""
    umbi = pytest.importorskip("umbi", reason="make exchange")
    one, path = chance / chance, tmp_path / "theirs.umb"
    model = umbi.ats.ExplicitAts(time=umbi.ats.TimeType.DISCRETE, num_players=1)
    for _ in range(4):
        model.add_state()
    model.set_initial_states([0])
    first, second = model.add_state_choice(0), model.add_state_choice(0)
    first.add_branch(target=1, prob=chance)
    first.add_branch(target=2, prob=one - chance)
    second.add_branch(target=3, prob=one)
    for state in (1, 2, 3) if has_loops else ():
        model.add_state_choice(state).add_branch(target=state, prob=one)
    model.add_ap_annotation("won").set_state_values([state == 1 for state in range(4)])
    paid = [5 * one, one, 3 * one, *[0 * one] * 3 * has_loops]
    model.add_reward_annotation("paid").set_branch_values(paid)
    umbi.ats.write(model, str(path))
    exact = mpq(3, 10) if chance == 0.3 else mpq(1, 3)
    assert ModelSolve(path, query="max reach won").answer().value("value") == exact
    assert ModelSolve(path, query="min reward").answer().value("value") == 1 + 4 * exact
    assert ModelSolve(path).answer().value("value") == 3


def test_gambits_own_output_is_read(tmp_path):
    pygambit = pytest.importorskip("pygambit", reason="make exchange")
    pytest.importorskip("highspy", reason="extra hidden")
    for name in ("constant.nfg", "outcomes.nfg", "constant.efg"):
        game = getattr(pygambit, f"read_{name[-3:]}")(str(FILES / name))
        value = solved(name).value("value")
        written = {".nfg": game.to_nfg()}
        if name.endswith("efg"):
            written[".efg"] = game.to_efg()
        for suffix, text in written.items():
            path = tmp_path / f"theirs{suffix}"
            path.write_text(text)
            assert ModelSolve(path).answer().value("value") == value, re.sub(r"\s+", " ", text)
