"""`exactdice fatestones …` as a user types it: fields, files, exit status and errors."""

import json
import sys
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from gmpy2 import mpq
from printed import EULER_376_CHANCE, README_DICE

from exactdice.games.fatestones import bag, players, questions
from exactdice.games.fatestones.beats import RANKINGS, three_cycles
from exactdice.games.fatestones.confidence import chance_interval, games_needed, power
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.players import Score, play_again, score
from exactdice.games.fatestones.responses import BestResponse, random_play
from exactdice.games.fatestones.rules import DiceCollection, decode_hand, dice_from_text, dice_in
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.jobs.catalogue import CATALOGUE
from exactdice.report.readers import read_csv, read_json
from exactdice.studies.fatestones.censuses import sample_census
from exactdice.studies.fatestones.reports import results_report

ROW, COLUMN = "111666,123456,222555", "114456,333336,122556"


def test_duel_gives_the_equilibrium_of_two_hands(answer):
    found = answer(f"fatestones duel {ROW} {COLUMN} --scratch 1/3")
    solved = solve(ROW, COLUMN, "1/3")
    assert mpq(found["value"]) == solved.value
    assert tuple(map(mpq, found["row"])) == solved.row
    assert tuple(map(mpq, found["column"])) == solved.column
    assert [mpq(entry["payoff"]) for entry in found["payoff"]] == [
        entry for row in solved.payoff for entry in row
    ]
    assert found["provenance"]["conventions"]["scratch"] == "worth 1/3 to the row player"


@pytest.fixture
def edge_of_a_quarter(monkeypatch):
    best = BestResponse(mpq(1, 4), mpq(1, 5), mpq(1, 5), 20)
    for module in ("studies.fatestones.questions", "games.fatestones.players"):
        monkeypatch.setattr(f"exactdice.{module}.best_response", lambda: best)


@pytest.mark.slow
@pytest.mark.usefixtures("edge_of_a_quarter")
def test_census_of_a_sample_gives_the_exact_edge(answer):
    found = answer("fatestones census --sample 50 --seed 3")
    sample = sample_census(50, 3)
    assert found["pairs"] == 50
    assert found["mixed"] == sample.mixed
    assert mpq(found["mean_absolute_value"]) == sample.mean_absolute_value
    assert found["best_response_edge"] == "1/4"
    assert found["games_needed"] == games_needed("1/4")
    assert found["provenance"]["conventions"]["seed"] == "3"


SMALL = decode_hand("111666,123366,133446") + decode_hand("144444,222366,224445")


@pytest.fixture
def small_bag(monkeypatch, edge_of_a_quarter):
    monkeypatch.setattr(sys.modules["exactdice.studies.fatestones.censuses"], "bag", lambda: SMALL)


@pytest.mark.slow
@pytest.mark.usefixtures("small_bag")
def test_census_resumes_from_its_checkpoint(answer, tmp_path, monkeypatch):
    monkeypatch.setattr(players, "SECONDS_BETWEEN_SAVES", 0)
    file = tmp_path / "census.json"
    line = f"fatestones census --checkpoint {file}"
    first = answer(line)
    assert first["pairs"] == 20
    assert json.loads(file.read_text())["hands"] == 20
    assert answer(line) == first
    without = answer("fatestones census")
    assert without["provenance"]["conventions"] == first["provenance"]["conventions"]
    assert without["mean_absolute_value"] == first["mean_absolute_value"]
    assert "seed" not in first["provenance"]["conventions"]


@pytest.mark.usefixtures("small_bag")
def test_invalid_checkpoint_is_rejected_and_kept(refused, tmp_path):
    file = tmp_path / "census.json"
    file.write_text("years of work")
    wanted = "got another kind of file; expected a checkpoint of a census of the same bag"
    assert refused(f"fatestones census --checkpoint {file}") == f"--checkpoint: {wanted}"
    assert file.read_text() == "years of work"
    file.write_bytes(b"\xff\xfe")
    assert "cannot be read" in refused(f"fatestones census --checkpoint {file}")


def test_dice_are_listed_and_written_in_the_forms_of_the_readme(answer, tmp_path):
    file = tmp_path / "avgfaces.txt"
    found = answer(f"fatestones dice --write {file}")
    assert found["count"] == len(found["dice"]) == README_DICE["dice of mean 7/2"]
    ordinary = {"mean": "7/2", "mean_float": 3.5, "variance": "35/12", "variance_float": 35 / 12}
    assert found["dice"][9] == {"die": "123456"} | ordinary
    assert dice_from_text(file.read_text()) == list(bag())
    assert answer("fatestones dice --set all")["count"] == README_DICE["dice"]


@pytest.mark.slow
def test_triples_of_the_bag_are_its_cycles(answer):
    found = answer("fatestones count 6 7 --convention majority")
    assert found["balanced_triples"] == three_cycles(bag())


def test_simulate_writes_a_log_that_can_be_read_and_extended(answer, tmp_path):
    file = tmp_path / "log.csv"
    line = f"fatestones simulate --players mcts:5,random --games 40 --seed 1 --log {file}"
    found = answer(line)
    rolls = players.read_log(file.read_text())
    assert found["games"] == 40 == found["wins"] + found["losses"]
    assert score(rolls) == Score(
        *(found[name] for name in ("games", "wins", "losses", "scratches", "ties"))
    )
    assert mpq(found["edge"]) == mpq(found["wins"] - found["losses"], 40)
    assert mpq(found["win_low"]) < mpq(found["wins"], 40) < mpq(found["win_high"])
    assert found["exact_edge"] is None
    answer(line)
    assert players.read_log(file.read_text()) == rolls * 2


def test_scratches_can_end_games(answer):
    found = answer("fatestones simulate --players random,random --games 400 --scratch ends")
    assert found["wins"] + found["losses"] + found["scratches"] == 400
    assert found["exact_edge"] is None


@pytest.mark.slow
@pytest.mark.usefixtures("edge_of_a_quarter")
@pytest.mark.parametrize(("players", "edge"), [
    ("random,random", "0"), ("best,random", "1/4"), ("random,best", "-1/4"), ("best,mcts:2", None)
])  # fmt: skip
def test_simulation_reports_the_exact_edge(answer, players, edge):
    assert answer(f"fatestones simulate --players {players} --games 5")["exact_edge"] == edge


def test_invalid_log_is_rejected_first(refused, tmp_path):
    file = tmp_path / "thesis.csv"
    file.write_text("chapter,pages\n1,20\n")
    line = "fatestones simulate --games 1000000000 --log"
    expected = "log: the file does not have the columns of a log; name another file"
    assert refused(f"{line} {file}") == expected
    assert file.read_text() == "chapter,pages\n1,20\n"
    assert refused(f"{line} {tmp_path}/no/such.csv").startswith("output: there is no folder")


@pytest.mark.usefixtures("edge_of_a_quarter")
@pytest.mark.parametrize(("line", "table", "rows"), [
    ("beats", "dice", 32), ("beats --pairs", "pairs", 32 * 32),
    ("rankings --set all --faces 3", "ends", len(RANKINGS)),
    ("rankings --set all --faces 3", "dice", 10), ("results --games 3", "results", 6 * 4)
])  # fmt: skip
def test_sizes_of_tables(answer, line, table, rows):
    assert len(answer(f"fatestones {line}")[table]) == rows


def test_two_dice_are_compared(answer):
    assert answer("fatestones beats 144444 333336")["value"] == EULER_376_CHANCE


@pytest.mark.usefixtures("edge_of_a_quarter")
def test_results_report():
    pairs = [
        ("best", "random"), ("random", "best"), ("equilibrium", "random"), ("mcts:3", "mcts:3")
    ]  # fmt: skip
    played = play_again(30, 1, pairs)
    table = results_report(played, 30, 1, mpq(19, 20)).table("results")
    by_name = {row[:3]: row[3:] for row in table.rows}
    stated = [
        by_name["random", "random", what][0] for what in ("wins", "losses", "scratches", "ties")
    ]
    wins, losses, ties = README_RESULTS["random", "random"]
    assert stated == [wins, losses, README_GAMES - wins - losses, ties]
    play = random_play()
    assert by_name["random", "random", "ties"][1:] == (
        by_name["random", "random", "ties"][1], None, None, 30 * play.ties
    )  # fmt: skip
    decided = 1 - play.scratch
    assert by_name["best", "random", "wins"][-1] == 15 * (decided + mpq(1, 5))
    assert by_name["random", "best", "wins"][-1] == 15 * (decided - mpq(1, 5))
    assert by_name["equilibrium", "random", "scratches"][-1] == 30 * play.scratch
    assert by_name["mcts:3", "mcts:3", "wins"][-1] is None
    for row in table.rows:
        if row[2] != "ties":
            assert row[5] <= mpq(row[4], 30) <= row[6]


def test_play_between_machines_is_reproducible(answer, tmp_path):
    file = tmp_path / "log.csv"
    line = f"fatestones play {ROW} {COLUMN} --players best,equilibrium --seed 4 --log {file}"
    found = answer(line)
    assert found == answer(line)
    roll = players.read_log(file.read_text())[0]
    assert found["rolls"][0]["hand_1"] == ROW.split(",")
    assert found["rolls"][0]["face_1"] == roll.row_face
    assert found["outcome"] == found["rolls"][-1]["outcome"]


def test_invalid_die_is_asked_again(run, typed):
    typed("7\nx\n0\n0\n0\n")
    status, out, err = run("fatestones play --players human,random --seed 1 --format json")
    assert status == 0
    assert json.loads(out)["players"] == ["human", "random"]
    assert "die: got '7'; expected a whole number from 0 to 2" in err
    assert err.startswith("against ")


def test_an_interrupt_at_a_prompt_ends_the_program(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=Mock(side_effect=KeyboardInterrupt)))
    assert run("fatestones play --seed 1")[0] == 130


ENTRIES = [entry for entry in CATALOGUE if entry.name.startswith("fatestones/")]


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_tables_of_the_main_job_agree_with_commands(entry, run):
    files = dict(entry.files())
    status, out, _ = run(entry.question + " --format json")
    assert status == 0
    assert out == files[f"{entry.name}.json"]
    tables = [content for name, content in files.items() if name.endswith(".csv")]
    assert read_json(out) == read_csv(*tables)


def test_log_is_kept_after_an_interruption(run, tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        for number, roll in enumerate(simulate(*arguments, **options)):
            if number == 30:
                raise KeyboardInterrupt
            yield roll

    simulate = questions.simulate
    monkeypatch.setattr(questions, "simulate", interrupted)
    file = tmp_path / "log.csv"
    assert run(f"fatestones simulate --players random,random --log {file}")[0] == 130
    assert len(players.read_log(file.read_text(encoding="utf-8"))) == 30


def test_concurrent_rolls_in_the_log_are_kept(run, tmp_path, monkeypatch):
    file = tmp_path / "log.csv"
    simulate = questions.simulate
    line = f"fatestones simulate --players random,random --games 5 --log {file}"
    assert run(line)[0] == 0
    ours = file.read_text(encoding="utf-8")

    def meanwhile(*arguments, **options):
        yield from simulate(*arguments, **options)
        with file.open("a", encoding="utf-8") as stream:
            stream.write(ours.split("\n", 1)[1])

    monkeypatch.setattr(questions, "simulate", meanwhile)
    assert run(line)[0] == 0
    rolls = players.read_log(ours)
    assert players.read_log(file.read_text(encoding="utf-8")) == rolls * 3


def test_a_report_never_replaces_the_log(refused, tmp_path):
    file = tmp_path / "log.csv"
    line = f"fatestones simulate --games 3 --log {file} --output {file}"
    assert "is also given for log; name another file" in refused(line)
    assert not file.exists()


def test_an_empty_option_is_refused_rather_than_taken_as_absent(refused):
    empty = ["fatestones", "census", "--sample", ""]
    assert refused(empty) == "--sample is empty; write a value, or omit it"


@pytest.mark.slow
def test_deals_of_a_sample(answer, edge_of_a_quarter):
    found = answer("fatestones census --sample 20 --deals")
    assert len(found["deals"]) == 20
    for deal in found["deals"]:
        solved = solve(deal["first"], deal["second"])
        assert mpq(deal["value"]) == solved.value
        assert deal["mixed"] == (solved.method != "saddle point")
    sizes = [abs(mpq(deal["value"])) for deal in found["deals"]]
    assert mpq(found["largest_value"]) == max(sizes)
    assert "deals" not in answer("fatestones census --sample 20")


@pytest.mark.usefixtures("edge_of_a_quarter")
def test_power_report(answer):
    found = answer("fatestones power 40 400 --confidence 9/10")
    assert (found["edge"], found["confidence"], found["power"]) == ("1/4", "9/10", "19/20")
    assert found["games_needed"] == games_needed("1/4", "0.9", "0.95")
    assert [mpq(row["power"]) for row in found["games"]] == [
        power(games, "1/4", "0.9") for games in (40, 400)
    ]
    assert [mpq(row["half_power"]) for row in found["games"]] == [
        power(games, "1/8", "0.9") for games in (40, 400)
    ]


def test_printed_report(answer):
    found = answer("fatestones printed")
    assert found["games"] == README_GAMES
    play = random_play()
    for row in found["results"]:
        wins, losses, ties = README_RESULTS[row["player_1"], row["player_2"]]
        assert (row["wins"], row["losses"], row["ties"]) == (wins, losses, ties)
        assert row["scratches"] == README_GAMES - wins - losses
        low, high = chance_interval(wins, wins + losses)
        assert (mpq(row["win_low"]), mpq(row["win_high"])) == (low, high)
        against_random = row["player_2"] == "random"
        assert (row["expected_scratches"] is not None) == against_random
    first = found["results"][0]
    assert mpq(first["expected_wins"]) == README_GAMES * play.win
    assert mpq(first["expected_ties"]) == README_GAMES * play.ties


def test_bag_from_a_file(run, answer, tmp_path):
    # The README's game, `gameSimulator.py avgfaces.txt 0 100 log 0`: the file of the 32 dice is the
    # game's own bag, whichever way its lines are written.
    own = answer("fatestones simulate --players random,random --games 50")
    for name, separator in (("avgfaces.txt", " "), ("avgfaces.csv", ","), ("digits.txt", "")):
        file = tmp_path / name
        lines = (separator.join(map(str, die)) for die in dice_in(DiceCollection.AVERAGE))
        file.write_text("\n".join(lines) + "\n")
        words = f"fatestones simulate --players random,random --games 50 --dice {file}"
        assert answer(words)["wins"] == own["wins"]
    for lines, wrong in (
        (["111117"] * 6, "six faces from 1 to 6"),
        (["111166"] * 5, "got 5 dice; expected at least 6 dice"),
        (["111111"] * 6, "got one value on all faces; expected dice that do not always tie"),
    ):
        file.write_text("\n".join(lines))
        assert wrong in run(f"fatestones simulate --dice {file}")[2]


def test_games_with_all_462_dice(answer):
    every = answer("fatestones simulate --players random,random --games 30 --set all")
    assert every["provenance"]["conventions"]["bag"] == "all 462 dice"
    assert every["exact_edge"] is None


def test_people_play_in_the_simulator(run, monkeypatch, tmp_path):
    lines = iter(["0\n"] * 40)
    monkeypatch.setattr(sys.stdin, "readline", lambda: next(lines))
    log_file = tmp_path / "log.csv"
    words = f"fatestones simulate --players human,random --games 3 --log {log_file}"
    status, out, err = run(words)
    assert status == 0
    assert "your die" in err
    assert "3 games of human against random" in out
    chosen = [roll.row_choice for roll in players.read_log(log_file.read_text(encoding="utf-8"))]
    assert set(chosen) == {0}
