"""`exactdice swe …` as a user types it: fields, exit status and errors."""

import json

import pytest
from gmpy2 import mpq

from exactdice import native
from exactdice.games.swe.distributions.evaluation import exact_distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy
from exactdice.games.swe.optimum import exact
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import Ladder, State
from exactdice.games.swe.sources import FIGURES
from exactdice.jobs.catalogue import CATALOGUE, LONG
from exactdice.report.readers import read_csv, read_json
from exactdice.studies.swe import policies as policies

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


def test_policies_of_ten_rounds_with_the_published_figures(answer):
    document = answer("swe policies 10")
    rows = {row["name"]: row for row in document["policies"]}
    assert [name for name in rows if name in FIGURES[10]] == list(FIGURES[10])
    assert mpq(rows["Optimal"]["mean"]) == mpq(rows["NewOnly"]["mean"]) == solve(10).value
    assert rows["Promo"]["max"] == 15  # five rounds with one die, five with two
    assert rows["NewOnly"]["max"] == 55
    # The SWE game's README: PromoThenNew and NewThenPromo did not do what their names say.
    assert abs(float(rows["PromoThenNewAsRun(0.5)"]["z_score"])) < 3
    assert float(rows["PromoThenNew(0.5)"]["z_score"]) < -90
    assert abs(float(rows["NewThenPromoAsRun(0.5)"]["z_score"])) < 3
    assert float(rows["NewThenPromo(0.5)"]["z_score"]) > 20


def test_policies_may_be_chosen(answer):
    line = "swe policies 5 --policy promo --policy Rand(1/2) --policy optimal --ladder 4,6"
    document = answer(line)
    assert [row["name"] for row in document["policies"]] == ["Promo", "Rand(1/2)", "Optimal"]
    assert "figures" not in document
    fixed = answer("swe policies 3 --fixed")["policies"]
    assert not [row for row in fixed if row["name"].startswith("Rand(0")]


@pytest.mark.parametrize(("missing", "told"), [
    ("0", "0"), ("1", "1"), ("1/9", "1"), ("1/10", "1e-1"), ("1/99", "1e-1"), ("1/1000", "1e-3")
])  # fmt: skip
def test_missing_probability_is_rounded_up_to_a_power_of_ten(missing, told):
    assert policies._rounded_up(mpq(missing)) == told


def test_values_with_bounds_only_are_reported(answer):
    row = answer("swe policies 12 --policy Rand(1/2) --work 100000")["policies"][0]
    assert row["mean"] is None
    low, high = row["open"].split(";")[0].removeprefix("mean ").split("…")
    mean = answer("swe policies 12 --policy Rand(1/2)")["policies"][0]["mean"]
    assert mpq(low) < mpq(mean) < mpq(high)
    assert row["missing"] != "0"
    nothing = answer("swe policies 10 --policy Rand(0.5) --work 1")
    assert nothing["policies"][0]["z_score"] is None
    assert nothing["figures"][0]["p50_z_score"] is None
    assert nothing["policies"][0]["p50"] is None


def test_simulation_of_the_optimal_player_and_of_no_rounds(answer):
    rows = answer("swe simulate 6 --policy Optimal --games 500")["estimates"]
    assert mpq(rows[0]["exact"]) == solve(6).value
    nothing = answer("swe simulate 0 --policy Promo --games 5")["estimates"]
    assert nothing[0]["z_score"] is None
    assert {row["estimate"] for row in nothing} == {"0"}


def test_a_player_sees_the_regret_of_each_choice(run, typed):
    # In the first round the only choice is to create; later ones are asked by number or name.
    typed("1\npromote d4\n")
    status, out, err = run("swe play 3 --seed 4 --format json")
    assert status == 0
    document = json.loads(out)
    rows = document["rounds"]
    costs = [mpq(row["regret"]) for row in rows]
    assert mpq(document["regret"]) == sum(costs) > 0
    assert rows[-1]["score_after"] == document["final_score"]
    assert [row["score"] for row in rows[1:]] == [row["score_after"] for row in rows[:-1]]
    assert [row["action"] for row in rows] == ["create d4", "create d4", "promote d4"]
    assert err.count("choice?") == err.count("\n  1  create d4\n") == 2
    assert err.count("That was best.") == sum(cost == 0 for cost in costs[1:])
    assert err.count("; best was ") == sum(cost > 0 for cost in costs)
    assert err.startswith(
        "Choose an action by its number or its name.\n\n"
        "Round 1 of 3, score 0. Revenue: none; legacy: none.\nThe only choice: create d4.\n"
    )
    for row, cost in zip(rows, costs, strict=True):
        if cost:
            assert f"That cost {float(cost):.6f}; best was {row['best']}." in err
        assert f"\nRound {row['round']} of 3, score {row['score']}. Revenue: " in err


def test_the_optimum_plays_without_regret(answer):
    document = answer("swe play 6 --seed 1 --auto")
    assert document["regret"] == "0"
    assert len(document["rounds"]) == 6
    assert answer("swe play 0 --auto")["final_score"] == 0
    assert answer("swe play 2 --auto")["value"] == "129/64"


def test_an_invalid_choice_is_asked_again(run, typed):
    typed("x\n1\n")
    status, _, err = run("swe play 2 --seed 1")
    assert status == 0
    assert "choice: got 'x'; expected a whole number from 1 to 2" in err


@pytest.mark.parametrize(
    "line", ["swe policies 3 --policy {}", "swe simulate 3 --policy {}", "swe beat 3 {}"]
)
def test_optimal_is_accepted_in_any_case(run, line):
    assert run(line.format("optimal"))[0] == 0


@pytest.mark.parametrize(
    "name", ["promotion", "promotion-d10", "policies-10", "beat-10-NewOnly", "policy-10-path"]
)
def test_a_table_of_the_main_job_names_the_command_that_prints_it(run, name):
    entry = next(entry for entry in CATALOGUE if entry.name == f"swe/{name}")
    _, out, _ = run(f"{entry.question} --format json")
    assert out == dict(entry.files())[f"swe/{name}.json"]


def test_long_tables_are_not_in_the_catalogue():
    assert not {entry.name for entry in LONG} & {entry.name for entry in CATALOGUE}


def test_a_policy_table_reads_back_from_csv_as_from_json(run):
    tables = [
        read(run(f"swe policy 4 --table states --format {name}")[1]).tables
        for name, read in (("csv", read_csv), ("json", read_json))
    ]
    assert tables[0][0].rows == tables[1][0].rows
