"""`exactdice swe policies`, `simulate`, `promotion`, `target`, `beat` and `play` as typed."""

import json

import pytest
from gmpy2 import mpq

from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.sources import FIGURES
from exactdice.jobs.catalogue import CATALOGUE, LONG
from exactdice.report.readers import read_csv, read_json
from exactdice.studies.swe import policies as policies


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


@pytest.mark.parametrize(
    ("missing", "told"),
    [("0", "0"), ("1", "1"), ("1/9", "1"), ("1/10", "1e-1"), ("1/99", "1e-1"), ("1/1000", "1e-3")],
)
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


@pytest.mark.parametrize("lines", ["", "7\n"])
def test_a_game_whose_input_ends_too_early_gets_one_line(run, typed, lines):
    typed(lines)
    status, out, err = run("swe play 2 --seed 1")
    assert (status, out) == (2, "")
    assert "exactdice: input: got its end" in err


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
    ("line", "message"),
    [
        ("swe policies -1", "rounds: got '-1'; expected a whole number of at least"),
        (
            "swe policies 5 --policy Greedy",
            "policy: got 'Greedy'; expected one of Optimal, NewOnly, ",
        ),
        (
            "swe simulate 5 --policy Greedy",
            "policy: got 'Greedy'; expected one of Optimal, NewOnly, ",
        ),
        ("swe policies 5 --policy Rand(2)", "Rand: got '2'"),
        ("swe policies 5 --ladder 6,4", "ladder: got 6, 4"),
        ("swe policies 5 --work 0", "work: got '0'"),
        ("swe simulate 5 --policy Promo --games 0", "games: got '0'"),
        ("swe target 5 x", "target: got 'x'"),
        ("swe target 5 999999999999", "scores needs about"),
        ("swe beat 5 99999999999", "scores needs about"),
        ("swe readings 11", "rounds: got '11'; expected 10 or 30"),
        ("swe target 2 1 --round 3", "round: got 3; expected a whole number from 1 to 2"),
        ("swe target 2 1 --revenue 2,0,0,0,0 --round 2", "got dice that take 2 rounds to make"),
        ("swe target 60 1800", "60 rounds by score needs about"),
        ("swe policies 400", "the distribution of 400 rounds needs about"),
        ("swe simulate 400 --policy Promo", "the distribution of 400 rounds needs about"),
        ("swe beat 5 3 --tie 2", "tie: got '2'"),
        ("swe beat 5 Foo", "opponent: got 'Foo'; expected a score, or one of Optimal, "),
        ("swe beat 5 Rand", "opponent: got 'Rand'; expected a score, or Rand with its parameter"),
        ("swe beat 5 Rand(2)", "Rand: got '2'"),
        ("swe beat 40 NewOnly", "opponent: got 'NewOnly'; expected a policy whose exact dis"),
    ],
)
def test_bad_usage_gets_one_line_and_status_two(refused, line, message):
    assert message in refused(line)


@pytest.mark.parametrize(
    "name", ["swe/promotion", "swe/promotion-d10", "swe/policies-10", "swe/beat-10-NewOnly"]
)
def test_a_table_of_the_main_job_names_the_command_that_prints_it(run, name):
    entry = next(entry for entry in CATALOGUE if entry.name == name)
    _, out, _ = run(f"{entry.question} --format json")
    assert out == dict(entry.files())[f"{name}.json"]


def test_long_tables_are_written_on_request_only(run, tmp_path):
    assert {entry.name for entry in LONG} & {entry.name for entry in CATALOGUE} == set()
    status, _, err = run(f"project tables --long --only swe/none --output {tmp_path}/out")
    assert status == 2
    assert "expected a pattern that matches a table, such as fatestones/*, swe/*" in err


def test_a_policy_table_reads_back_from_csv_as_from_json(run):
    tables = [
        read(run(f"swe policy 4 --table states --format {name}")[1]).tables
        for name, read in (("csv", read_csv), ("json", read_json))
    ]
    assert tables[0][0].rows == tables[1][0].rows
