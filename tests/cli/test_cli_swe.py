"""`exactdice swe …` as a user types it: fields, exit status and errors."""

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.cli import main
from exactdice.games.swe.distributions.evaluation import exact_distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy
from exactdice.games.swe.optimum import exact
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import Ladder, State
from exactdice.jobs.catalogue import CATALOGUE

needs_compiler = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@pytest.mark.slow
@needs_compiler
def test_advice_for_a_long_game_is_enclosed(answer):
    state = "--round 31 --revenue 2,1,1,0,0 --score 40"
    document = answer(f"swe advise 46 {state}")
    exact = answer(f"swe advise 46 {state} --exact")
    assert [a["action"] for a in document["actions"]] == [a["action"] for a in exact["actions"]]
    for found, known in zip(document["actions"], exact["actions"], strict=True):
        for name in ("value", "regret"):
            lower, upper = mpq(found[name]["lower"]), mpq(found[name]["upper"])
            assert lower <= mpq(known[name]) <= upper
        assert found["optimal"] == known["optimal"]
    enclosed = answer(f"swe enclosure 46 {state}")
    assert enclosed["enclosure"] == document["enclosure"]
    assert enclosed["actions"] == document["actions"]


@needs_compiler
@pytest.mark.parametrize("digits", [8, 13])
def test_the_ends_of_an_enclosure_are_rounded_outward(run, answer, digits):
    # 13 digits are more than the enclosures agree on, 8 fewer.
    for line in ("swe enclosure 30", "swe advise 46 --round 31 --revenue 2,1,1,0,0 --score 40"):
        ends = answer(line)["enclosure"]
        out = run(f"{line} --digits {digits}")[1].splitlines()
        (lower,) = [row.split()[1] for row in out if row.startswith("  ≥ ")]
        (upper,) = [row.split()[1] for row in out if row.startswith("  ≤ ")]
        assert mpq(lower) <= mpq(ends["lower"]) <= mpq(ends["upper"]) <= mpq(upper)
        assert lower != upper
        assert any("known to within" in row for row in out)


def test_each_row_of_the_policy_is_right(answer):
    ladder = Ladder(2, 9)
    rows = answer("swe policy 8 --ladder 2,9")["states"]
    solution = solve(8, ladder)
    assert {len(row["optimal"]) for row in rows} >= {1}
    assert any(row["optimal"] == ["promote d2"] for row in rows)
    for row in rows:
        state = State(tuple(row["revenue"]), tuple(row["legacy"]), row["high"])
        left = 8 - row["round"] + 1
        value = mpq(row["A"]) + mpq(row["B"]) * row["high"]
        assert value == solution.value_at(state, left)
        best = [a.action.describe(ladder) for a in solution.actions(state, left) if a.optimal]
        assert row["optimal"] == best


def test_policy_may_keep_to_the_path_of_optimal_play_and_show_legacy(answer):
    def states(line):
        return {(row["round"], *row["revenue"], *row["legacy"]) for row in answer(line)["states"]}

    every, on_path = states("swe policy 10"), states("swe policy 10 --path")
    # Ten rounds of optimal play create only: 1 to 9 d4 and no other die.
    assert on_path < every
    assert {state[2:6] for state in on_path} == {(0, 0, 0, 0)}
    with_legacy = states("swe policy 10 --path --legacy")
    assert on_path < with_legacy
    assert {state for state in with_legacy if not any(state[6:])} == on_path


def test_counterexamples_are_the_smallest_of_the_states_checked(answer, run):
    """A lone die is seen earlier in the game of 30 rounds when more rounds have been solved."""

    def lone_die(rounds):
        document = answer(f"swe claims {rounds}")
        rows = document["claims"], document["counterexamples"]
        claim, example = (next(r for r in part if r["claim"].startswith("30")) for part in rows)
        assert not claim["complete"]
        return example["round"]

    assert lone_die(6) > lone_die(8)
    out = run("swe claims 6")[1]
    assert "Smallest counterexamples among the states checked\n" in out


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("swe value -1", "rounds: got '-1'; expected"),
        ("swe value ten", "rounds"),
        ("swe value 5 --ladder 6,4", "ladder"),
        ("swe value 5 --ladder 1,4", "ladder"),
        ("swe value 5 --revenue 1,1", "revenue"),
        ("swe value 5 --legacy 1,1,x,0,0", "legacy"),
        ("swe value 5 --score -2", "score"),
        ("swe values 100", "the optimum of 100 rounds needs about"),
        ("swe value 100 --score 3", "the optimum of 100 rounds needs about"),
        pytest.param(
            "swe value 100 --memory 100MiB",
            "the enclosure of 100 rounds needs about",
            marks=needs_compiler,
        ),
        pytest.param("swe enclosure 0", "rounds: got", marks=needs_compiler),
        pytest.param("swe enclosure 201", "rounds: got", marks=needs_compiler),
        pytest.param("swe enclosure 5 --workers 0", "workers: got", marks=needs_compiler),
        ("swe enclosure 9 --round 4", "revenue and legacy"),
        (
            "swe enclosure 9 --round 4 --revenue 1,0,0,0,0 --exact",
            "--exact does not apply to a state",
        ),
        ("swe value 5 --width 0", "width: got 0; expected a number of points above 0"),
        ("swe value 5 --width 1 --exact", "--width cannot be combined with exact"),
        ("swe policy 5 --first", "--first requires path and excludes legacy"),
        ("swe advise 5 --round 6", "round"),
        ("swe advise 5 --round 3 --revenue 3,0,0,0,0", "revenue and legacy"),
        ("swe advise 5 --round 3", "revenue and legacy"),
        ("swe advise 5 --round 1 --score 3 --revenue 1,0,0,0,0", "revenue and legacy"),
        ("swe claims 0", "rounds"),
        ("swe policy x", "rounds"),
    ],
)
def test_bad_input_is_one_line_and_status_two(refused, line, named):
    assert named in refused(line)


def test_the_memory_limit_is_that_of_the_caller(answer, run, monkeypatch):
    monkeypatch.setattr(exact, "memory_estimate", lambda *_: 2**60)
    assert run("swe value 3")[0] == 2
    # The oracle in the tests.
    assert answer("swe value 3 --memory none")["value"] == "15087/4096"


@needs_compiler
def test_the_answer_names_its_method(answer):
    by_method = {
        "swe value 14": "exact search over all blocks",
        "swe value 15": "exact search by intervals",
        "swe value 15 --width 1": "enclosure by intervals",
        "swe value 15 --width 1/1000000000000000000000": "exact search by intervals",
        "swe value 15 --exact": "exact search by intervals",
    }
    found = {line: answer(line) for line in by_method}
    assert {line: document["method"] for line, document in found.items()} == by_method
    value = solve(15).value
    for line in list(by_method)[1:]:
        document = found[line]
        assert mpq(document["enclosure"]["lower"]) <= value <= mpq(document["enclosure"]["upper"])
        assert mpq(document.get("value", value)) == value


def test_distributions_add_up_to_one(answer):
    scores = answer("swe distributions 6 --policy NewOnly --policy Optimal")["scores"]
    dist = exact_distribution(NewOnlyPolicy(), 6).distribution()
    assert [mpq(row["newonly"]) for row in scores] == [dist.probability(s) for s in range(22)]
    assert sum(mpq(row["optimal"]) for row in scores) == 1
    mean = sum(row["score"] * mpq(row["optimal"]) for row in scores)
    assert mean == solve(6).value


def test_tables_of_the_main_job_are_those_of_their_commands(capsys):
    listed = {entry.name: entry for entry in CATALOGUE if entry.name.startswith("swe/")}
    assert {"swe/values-30", "swe/claims-22", "swe/claims-16-d10"} <= set(listed)
    for name in ("swe/policy-10-path", "swe/policy-12-path"):
        files = dict(listed[name].files())
        assert main([*listed[name].question.split(), "--format", "json"]) == 0
        assert capsys.readouterr().out == files[name + ".json"]
