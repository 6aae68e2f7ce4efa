"""`exactdice sweep`: run, status, resume, export and verify."""

import itertools
import json
import shlex
import sys
from collections import Counter
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest
from gmpy2 import mpq
from printed import POSTS_WIN

from exactdice import native
from exactdice.enclosure import Enclosure
from exactdice.errors import OutputError
from exactdice.games.fatestones.rules import all_dice
from exactdice.report.model import Provenance, Quantity, Report, enclosed, exact
from exactdice.report.readers import read_csv, read_json
from exactdice.rooms import ask
from exactdice.studies.fatestones.censuses import RESOLUTION, bag_of, bag_text, bags, census
from exactdice.studies.fatestones.reports import merged_census_report
from exactdice.sweeps import Given, Store, StoredAnswer, Sweep, UnitStatus, catalogue, run_sweep
from exactdice.sweeps.catalogue import define
from exactdice.sweeps.reports import rows
from exactdice.sweeps.store import document_of
from papers.make.stored import StoredData
from tests.sweeps.askers import AtOnce

needs_compiler = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("exactdice.cli.sweep.Processes", lambda workers, memory: Given(AtOnce()))
    return tmp_path


GRID = ["sweep", "run", "risk win {a} {d}", "--over", "a=4..6", "--over", "d=1,2"]


def test_a_grid_is_run_and_exported(run, here):
    status, said, complaint = run(GRID)
    assert (status, complaint) == (0, "")
    assert "answered: 6 (questions answered)" in said
    status, said, complaint = run("sweep export --format csv")
    assert (status, complaint) == (0, "")
    table = read_csv(said).table("answers")
    for a in (4, 5, 6):
        for d in (1, 2):
            expected = ask(f"risk win {a} {d}").value("value")
            assert table.cell("value", attackers=a, defenders=d) == expected
    (command,) = (line[11:] for line in said.splitlines() if line.startswith("# command: "))
    words = shlex.split(command)
    assert words[:3] == ["exactdice", "sweep", "export"]
    assert run([*words[1:], "--format", "csv"])[1] == said


def test_reducers_state_their_order(run, here):
    assert run([GRID[0], *GRID[2:], "--reduce", "least value"])[0] == 0  # without the word run
    report = read_json(run("sweep export -f json")[1])
    values = report.table("answers").cells("value")
    assert values == sorted(values)
    assert report.provenance.conventions["order"].startswith("by value, the least first")


def test_an_unknown_quantity_is_named(run, refused, here):
    run([*GRID, "--reduce", "greatest chance"])
    got = "reduce: got greatest chance; expected greatest and then one of "
    assert refused("sweep export") == f"{got}attackers, defenders, value"


def test_errors_are_shown_and_end_with_status_1(run, here):
    (here / "asked.txt").write_text("risk win 4 2\nrisk table 99999 99999\n")
    status, said, complaint = run("sweep run asked.txt")
    assert status == 1
    assert "risk table 99999 99999  raised" in said
    assert complaint == "exactdice: of 2 questions 1 raised; retry errors with resume --again\n"
    assert run("sweep status")[0] == 0
    status, said, _ = run("sweep export -f csv")
    assert status == 0
    assert read_csv(said).table("answers").cells("outcome") == ["answered", "raised"]
    assert run("sweep resume")[0] == run("sweep resume --again")[0] == 1


def test_an_unfinished_sweep_is_exported_only_with_partial(run, refused, here):
    Store(here / "sweeps").enter(define("risk win {a} 2", ["a=4..6"]))
    key = define("risk win {a} 2", ["a=4..6"]).key[:12]
    problem = f'sweep has 0 of 3 answers; run "exactdice sweep resume {key}" or add --partial'
    assert refused("sweep export") == problem
    assert run("sweep resume")[0] == 0
    Store(here / "sweeps").enter(define("risk win {a} 2", ["a=4..9"]))
    assert "which matches 0 sweeps" in refused(["sweep", "export", "risk win {a} 2"])
    name = "'risk win {a} 2' --over a=4..9"
    status, said, _ = run(["sweep", "export", name, "--partial", "-f", "csv"])
    assert status == 0
    assert "# answers: 3 of 6 questions" in said


def test_answers_of_other_code_are_ignored(run, here):
    sweep = define("risk win {a} 2", ["a=4..6"])
    old = Store(here / "sweeps", "0.0.1 sources of old")
    old.add([StoredAnswer(unit, UnitStatus.ANSWERED, b"old") for unit in sweep.units])
    status, said, complaint = run(["sweep", "run", "risk win {a} 2", "--over", "a=4..6"])
    assert (status, complaint) == (0, "exactdice: ignored 3 answers of other code in sweeps\n")
    assert "answered: 3 (questions answered)" in said
    status, said, _ = run("sweep status -f json")
    assert sorted(row["answers"] for row in json.loads(said)["code"]) == [3, 3]


def test_status_counts_questions(run, here):
    run(GRID)
    status, said, _ = run("sweep status -f csv --table sweeps")
    assert status == 0
    table = read_csv(said).table("sweeps")
    assert (table.cells("questions"), table.cells("missing")) == ([6], [0])


def test_verify_finds_a_different_answer(run, here):
    run(GRID)
    store = Store(here / "sweeps")
    answers = [store.answer(unit) for unit in store.sweep_named().units]
    for pack in (here / "sweeps" / "packs").iterdir():
        pack.unlink()
    wrong = replace(answers[0], document=answers[0].document.replace(b"value", b"worth"))
    Store(here / "sweeps").add([wrong, *answers[1:]])
    status, _, complaint = run("sweep verify --sample 6")
    assert status == 1
    assert "answers differ; the first: risk win 4 1" in complaint


def test_parquet_has_rationals_as_text_with_decimals(run, here):
    parquet = pytest.importorskip(
        "pyarrow.parquet", reason="pyarrow, of the extra frames, is not installed"
    )
    run(GRID)
    assert run("sweep export --output answers.parquet") == (0, "", "")
    table = parquet.read_table(here / "answers.parquet")
    rows = {(row["attackers"], row["defenders"]): row for row in table.to_pylist()}
    assert rows[4, 2]["value"] == POSTS_WIN
    assert rows[4, 2]["value_float"] == float(mpq(POSTS_WIN))
    about = json.loads(table.schema.metadata[b"exactdice"])
    assert about["provenance"]["command"].startswith("exactdice sweep export ")


def test_a_missing_dask_costs_a_line(refused, here, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    install = "dask.distributed is missing; install it: pip install 'exactdice[cluster]'"
    assert refused([*GRID, "--scheduler", "tcp://127.0.0.1:1"]) == f"a cluster: {install}"


def test_a_sweep_that_could_not_be_stored_cannot_be_resumed(run, here, monkeypatch):
    def full(store, asked):
        raise OutputError("output: no room")

    monkeypatch.setattr(Store, "enter", full)
    assert run(GRID) == (2, "", "exactdice: output: no room\n")


def test_help_lists_the_built_in_sweeps(run, here):
    status, said, _ = run("sweep run --help")
    assert status == 0
    assert "farkle-best" in said
    assert "fatestones-census" in said


@pytest.mark.slow
@needs_compiler
def test_the_best_sets_are_ranked_over_all_blocks(run, here):
    """Two blocks of the built-in sweep; the values are those of `farkle best`, a solver apart."""
    from exactdice.games.farkle.races.reports import merged_sets_report

    blocks = ["--hold weighted*6", "--hold weighted*5"]
    merged = merged_sets_report([ask(f"farkle sets --above 6500 {block}") for block in blocks])
    assert merged.table("sets").cells("dice") == ["weighted*6", "weighted*5,favourable"]
    assert merged.value("candidates") == 34
    assert merged.value("best") == "weighted*6"
    assert merged.value("value") == merged.table("sets").cell("value", dice="weighted*6")
    best = ask("farkle best --own weighted*6,favourable --count 2")
    assert best.table("sets").cells("dice") == merged.table("sets").cells("dice")
    pairs = zip(best.table("sets").cells("value"), merged.table("sets").cells("value"), strict=True)
    assert all(one.lower <= other.upper and other.lower <= one.upper for one, other in pairs)


@pytest.mark.slow
@needs_compiler
def test_the_stored_results_are_of_all_sets_and_all_states():
    """Results of sweeps that are too slow here, as the papers read them."""
    stored = StoredData(Path(__file__).parents[2] / "papers" / "data")
    best = stored.report("farkle-best-sets.json")
    kinds = 34  # lines of named_dice.csv, less one that repeats the weights of another
    assert best.value("candidates") == comb(kinds + 5, 6)
    assert best.value("found") == 100
    fresh = ask(f"farkle sets --above {best.value('above')} --hold weighted*5").table("sets")
    dice = [name for name in best.table("sets").cells("dice") if name.startswith("weighted*5,")]
    assert dice == fresh.cells("dice")
    assert best.table("sets").cells("certain") == [True] * best.value("found")
    needed = stored.report("farkle-best-needed.json")
    assert needed.value("candidates") == comb(kinds + 5, 6)
    table = needed.table("sets")
    assert table.cells("certain") == [True] * len(table.cells("rank"))
    # The solver of single turns, in rational numbers.
    chosen = table.cell("dice", rank=100)
    value = ask(f"farkle value --dice {chosen} --overshoot needed").value("value")
    assert table.cell("value", rank=100).lower <= value <= table.cell("value", rank=100).upper
    # Theorem 10: the most dice are optimal for both sides, in both orders, for all armies.
    assert stored.report("risk-dice-100.json").table("answers").cells("exceptions") == [0, 0]


def test_the_stored_census_is_of_every_bag():
    """Deals are counted here, one bag is solved again, and the bag of the game is in the papers."""
    stored = StoredData(Path(__file__).parents[2] / "papers" / "data")
    bags = stored.report("fatestones-bags.json").table("bags")
    dice = Counter((faces, sum(die)) for faces in (5, 6) for die in all_dice(faces, faces))
    deals = [20 * comb(number, 6) for number in (35, *dice.values()) if number >= 6]
    assert sorted(bags.cells("pairs")) == sorted(deals)
    assert set(ask("fatestones bags 5").table("bags").rows) <= set(bags.rows)
    census = stored.report("fatestones-census.json")
    names = ("pairs", "mixed", "even", "mean_absolute_value", "largest_value")
    (own,) = (row for row in bags.rows if row[0] == bag_text(6, 21))
    assert own[1:6] == tuple(census.value(name) for name in names)


def test_the_deal_matters_least_for_the_mean_of_the_ordinary_die():
    """A statement of the paper on FateStones, for five faces and for six."""
    stored = StoredData(Path(__file__).parents[2] / "papers" / "data")
    rows = {row[0]: row for row in stored.report("fatestones-bags.json").table("bags").rows}
    for faces in (5, 6):
        found = {total: rows[bag_text(faces, total)] for total in bags(faces)}
        ordinary = faces * (faces + 1) // 2
        assert min(found, key=lambda total: found[total][4]) == ordinary
        assert max(found, key=lambda total: mpq(found[total][2], found[total][1])) == ordinary


def test_a_quantity_that_is_exact_or_an_interval_has_two_columns(here):
    sweep = Sweep("both", ("risk win 4 2", "risk win 5 2"))
    half = Quantity(exact("value", "a number"), mpq(1, 2))
    about = Quantity(enclosed("value", "a number"), Enclosure(mpq(0), mpq(1)))
    store = Store(here / "s")
    for unit, quantity in zip(sweep.units, (half, about), strict=True):
        document = document_of(Report(unit, [quantity]))
        store.add([StoredAnswer(unit, UnitStatus.ANSWERED, document)])
    answers = rows(sweep, store).table("answers")
    assert [column.name for column in answers.columns] == ["attackers", "value", "value_enclosure"]
    assert answers.rows == ((4, half.value, None), (5, None, about.value))


@pytest.mark.parametrize("dice", [6, 35, 84])
def test_the_parts_of_a_census_have_every_hand_once_and_about_as_many_deals(dice):
    """A part ends with the hand that makes it half a million deals."""
    parts, hands, later = list(catalogue._hand_blocks(dice)), comb(dice, 3), comb(dice - 3, 3)
    assert [hand for first, last in parts for hand in range(first, last + 1)] == [*range(hands)]
    deals = hands * later // 2
    assert deals // (500_000 + later) <= len(parts) <= deals // 500_000 + 1


def test_a_census_in_parts_is_the_census():
    """The oracle computes all deals together."""
    bag = bag_of(5, 14)
    hands = len(bag) * (len(bag) - 1) * (len(bag) - 2) // 6
    cuts = [0, 1, 40, 41, hands]
    parts = [
        ask(f"fatestones census-part {first} {last - 1} --faces 5 --total 14")
        for first, last in itertools.pairwise(cuts)
    ]
    merged, whole = merged_census_report(parts), census(bag)
    (row,) = merged.table("bags").rows
    assert row[1:4] == (whole.pairs, whole.mixed, whole.even)
    assert row[4] == whole.mean_absolute_value
    assert row[5] == whole.largest
    assert merged.value("resolution") == RESOLUTION
    better, worse = (
        ",".join("".join(map(str, die)) for die in hand) for hand in whole.largest_deal
    )
    assert row[6:] == (better, worse)


def test_stored_answers_are_read_without_their_command(here):
    sweep = define("risk win {a} 2", ["a=4..6"])
    run_sweep(sweep, Store(here / "s"), Given(AtOnce()))
    assert [Store(here / "s").report(unit).value("value") for unit in sweep.units] == [
        ask(unit).value("value") for unit in sweep.units
    ]


def test_common_conventions_keep_their_order(here):
    """A set would change the order from one process to the next."""
    sweep = Sweep("both", ("risk win 4 2", "risk win 5 2"))
    names = [f"convention {n}" for n in range(20)]
    store = Store(here / "s")
    for unit, own in zip(sweep.units, ("this", "that"), strict=True):
        conventions = {**dict.fromkeys(names, "shared"), "own": own}
        report = Report(unit, [], provenance=Provenance("", conventions=conventions))
        store.add([StoredAnswer(unit, UnitStatus.ANSWERED, document_of(report))])
    assert [name for name in rows(sweep, store).provenance.conventions if name in names] == names


def test_ten_answers_are_compared_by_default(run, here):
    assert run(["sweep", "run", "risk win {a} 2", "--over", "a=4..15", "--store", "mine"])[0] == 0
    for words, compared in (("", 10), ("--sample 1", 1), ("--sample 12 --seed 0", 12)):
        status, said, complaint = run(f"sweep verify --store mine -f json {words}")
        assert (status, complaint) == (0, "")
        report = read_json(said)
        assert (report.value("compared"), report.value("different")) == (compared, 0)
        seed = int(report.provenance.conventions["seed"])
        assert seed == 0 if "--seed" in words else seed < 2**32
    assert "Size of the sample. [default: 10]" in " ".join(run("sweep verify --help")[1].split())
    status, _, complaint = run("sweep verify --store mine --sample 0")
    assert (status, complaint[:26]) == (2, "exactdice: --sample: got '")


def test_the_command_to_resume_names_another_store(run, refused, here):
    sweep = define("risk win {a} 2", ["a=4..6"])
    Store(here / "my store").enter(sweep)
    words = ["sweep", "export", "--store", "my store"]
    resume = f"exactdice sweep resume {sweep.key[:12]} --store 'my store'"
    assert f'run "{resume}" or add --partial' in refused(words)
    assert run(["sweep", "resume", sweep.key[:12], "--store", "my store"])[0] == 0
    assert run(words)[0] == 0


def test_an_ambiguous_name_shows_the_first_five_sweeps(refused, here):
    store = Store(here / "sweeps")
    sweeps = [define("risk win {a} 2", [f"a={n}"]) for n in range(4, 10)]
    for sweep in sweeps:
        store.enter(sweep)
    shown = "; ".join(f"{sweep.key[:12]} ({sweep.name})" for sweep in sweeps[:5])
    for words, got in (("", "no name, which matches 6"), ("none", "none, which matches 0")):
        expected = f"sweep: got {got} sweeps; expected one of: {shown}"
        assert refused(f"sweep export {words}") == expected
    for sweep in sweeps:
        for name in (sweep.name, sweep.key, sweep.key[:12]):
            assert store.sweep_named(name) == sweep
