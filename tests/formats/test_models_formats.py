"""Model files: reading, writing, damage, published results, and the programs that read them."""

import csv
import random
import re
import sys
import time
from pathlib import Path

import pytest
from cases import rows_of
from gmpy2 import mpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from model_oracles import go, refuses, tables
from printed import POSTS_WIN
from test_long_run import random_table

from exactdice import memory
from exactdice.dice import Distribution, fair
from exactdice.errors import ExactDiceError, InputError, MissingExtraError, TooLargeError
from exactdice.formats import checkers
from exactdice.formats.checkers import drn_lines, read_drn, read_prism, transition_lines
from exactdice.formats.explicit import ExplicitModel, Row, explicit
from exactdice.formats.files import to_stormpy, write_matrix, write_model
from exactdice.formats.gambit import efg_lines, nfg_lines, read_nfg
from exactdice.formats.openspiel import from_openspiel
from exactdice.formats.questions import ModelSolve
from exactdice.formats.reading import FormatError
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.games import fatestones
from exactdice.models import Both, Choice, End, Game, Turn, long_run, optimum
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.solve.arena import NoValueError
from exactdice.solve.questions import reach

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def steps(at):
    if at >= 3:
        return End("1/3")
    return [Choice("step", -1, fair(2).map(lambda f: at + f)), go("stay", 3)]


def walk():
    return Game(0, steps).explored()


@pytest.mark.parametrize(("lines", "read"), [
    (drn_lines, read_drn), (transition_lines, read_prism), (nfg_lines, read_nfg)])  # fmt: skip
def test_truncated_files_are_rejected_with_the_place(tmp_path, lines, read):
    whole = list(lines([[1, 2], [3, 4]] if lines is nfg_lines else walk()))
    read(written(tmp_path / "whole", whole))
    for kept in range(len(whole)):
        refuses(FormatError, "cut", read, written(tmp_path / "cut", whole[:kept]))


@pytest.mark.parametrize(("old", "new", "message"), [*rows_of("tables/bad_drn"),
    ("state 1", f"state {10**18}", "'; expected a whole number")])  # fmt: skip
def test_bad_drn_files_are_rejected_with_the_line(tmp_path, old, new, message):
    whole = "\n".join(drn_lines(walk()))
    assert old in whole
    path = written(tmp_path / "model.drn", [whole.replace(old, new, 1)])
    if not message:
        assert read_drn(path).initial == 0
        return
    refuses(FormatError, f"{re.escape(str(path))}.*{re.escape(message)}", read_drn, path)


@pytest.mark.parametrize(("file", "old", "new", "message"), rows_of("tables/bad_prism"))
def test_bad_prism_files_are_rejected_with_the_line(tmp_path, file, old, new, message):
    model = walk()
    whole = {"tra": transition_lines, "lab": checkers.label_lines, "trew": checkers.reward_lines}
    paths = {name: tmp_path / f"model.{name}" for name in whole}
    for name, lines in whole.items():
        content = "\n".join(lines(model))
        if name == file:
            assert old in content
            content = content.replace(old, new, 1)
        written(paths[name], [content])
    said = f"{re.escape(str(paths[file]))}.*{re.escape(message)}"
    refuses(FormatError, said, read_prism, paths["tra"], paths["lab"], [paths["trew"]])


def test_missing_files_and_folders_are_rejected(tmp_path):
    for read in (read_drn, read_prism, read_nfg):
        refuses(FormatError, "cannot be read: Is a directory", read, tmp_path)
        refuses(FormatError, "no such file: file not found", read, "no such file")


def test_games_that_a_format_cannot_hold_are_rejected():
    turns = Game(0, lambda s: Turn(2, [go("a", 1)]) if s == 0 else End(1))
    refuses(InputError, "model: got two players", list, drn_lines(turns.explored()))
    payoffs = [[], [[]], [[1, 2], [3]]]
    for payoff in payoffs:
        with pytest.raises(InputError, match=r"payoff: got .* expected rows of equal length"):
            list(nfg_lines(payoff))


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.fractions(-3, 3, max_denominator=5), min_size=n, max_size=n),
            min_size=1,
            max_size=4,
        )
    )
)
@same_folder
def test_matrix_games_survive_the_way_through_gambits_files(tmp_path, payoff):
    game = read_nfg(written(tmp_path / "game.nfg", nfg_lines(payoff, 'a "title"')))
    turn = game.moves("start")
    for i, row in enumerate(payoff):
        for j, paid in enumerate(row):
            assert turn.outcomes[str(i + 1), str(j + 1)].payoff == mpq(str(paid))


def test_a_strategic_game_with_names_is_read(tmp_path):
    """Matching pennies in the form in which Gambit's documentation writes named strategies."""
    path = written(
        tmp_path / "named.nfg",
        ['NFG 1 R "pennies" { "A" "B" }', '{ { "h" "t" }', '{ "h" "t" }', "}", '"a comment"',
         "1 -1 -1.0 1.0 -1 1 1 -1"],
    )  # fmt: skip
    best = optimum(read_nfg(path).explored())
    assert best.value == 0
    assert best.action("start")[0] == Distribution({"h": 1, "t": 1})


@pytest.mark.parametrize(("content", "message"), rows_of("tables/bad_nfg"))
def test_bad_nfg_files_are_rejected_with_the_word(tmp_path, content, message):
    path = written(tmp_path / "game.nfg", [content])
    refuses(FormatError, re.escape(message), read_nfg, path)


def test_simultaneous_moves_share_an_information_set():
    """Matching pennies after a coin, by hand from Gambit's description of the format."""
    pennies = Both({(a, b): End(1 if a == b else -1) for a in "ht" for b in "ht"})
    game = Game("toss", lambda s: Distribution({"play": 1, "off": 1}) if s == "toss" else
                pennies if s == "play" else End("1/2"))  # fmt: skip
    lines = list(efg_lines(game.explored()))
    assert lines[0] == 'EFG 2 R "" { "first" "second" }'
    assert lines[2] == 'c "toss" 1 "" { "off" 1/2 "play" 1/2 } 0'
    assert lines[3] == 't "off" 1 "" { 1/2, -1/2 }'
    assert lines[4] == 'p "play" 1 1 "" { "h" "t" } 0'
    assert [line for line in lines if line.startswith('p "play (')] == [  # labels are unique
        f'p "play ({time})" 2 1 "" {{ "h" "t" }} 0' for time in (2, 5)
    ]
    leaves = [line.split('"" ')[1] for line in lines if line.startswith("t ")][1:]
    assert leaves == ["{ 1, -1 }", "{ -1, 1 }", "{ -1, 1 }", "{ 1, -1 }"]


def test_repeated_states_and_large_trees_are_rejected():
    turns = Game(0, lambda s: Turn(2, [go("a", 1)]) if s == 0 else End(1))
    assert list(efg_lines(turns.explored()))[2:] == [
        'p "0" 2 1 "" { "a" } 0', 't "1" 1 "" { 1, -1 }'
    ]  # fmt: skip


def test_trees_up_to_the_largest_size_are_written():
    # toss for 1, or go on for 3: five nodes
    toss, on = [Choice("toss", 0, fair(2))], [go("go", 3)]
    model = Game(0, lambda s: toss if s == 0 else on if s == 2 else End(s)).explored()
    lines = list(efg_lines(model, most_nodes=5))
    assert "".join(line[0] for line in lines[2:]) == "pctpt"
    for most in range(5):
        refuses(TooLargeError, f"more than {most} nodes", list, efg_lines(model, most_nodes=most))


def test_a_file_without_names_of_rewards_pays_nothing(tmp_path):
    # Storm writes an empty line if there is no reward
    whole = "\n".join(drn_lines(walk()))
    path = written(tmp_path / "model.drn", [whole.replace("\nreward\n", "\n\n", 1)])
    read = read_drn(path)
    assert {row.reward for rows in read.rows for row in rows} == {0}
    assert [[row.chances for row in rows] for rows in read.rows] == [
        [row.chances for row in rows] for rows in explicit(walk()).rows
    ]


@pytest.mark.parametrize("number", range(30))
def test_reachable_states_equal_a_breadth_first_search(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    count = dice.randrange(1, 9)
    heads = [dice.choices(range(count), k=dice.randint(1, 2)) for _ in range(count)]
    first = dice.randrange(count)
    labels = {"odd": frozenset(range(1, count, 2))}
    rows = [
        [Row(f"{state}-{place}", mpq(1), {to: mpq(1)}) for place, to in enumerate(each)]
        for state, each in enumerate(heads)
    ]
    table = ExplicitModel.of_rows(rows, first, labels, players=1)
    known, new = set(), {first}
    while new:
        known |= new
        new = {to for state in new for to in heads[state]} - known
    order = [first, *sorted(known - {first})]
    assert list(table.model().states) == order
    reached = table.reached()
    assert reached.initial == 0
    assert [[row.action for row in each] for each in reached.rows] == [
        [row.action for row in rows[state]] for state in order
    ]
    assert [[order[to] for row in each for to in row.chances] for each in reached.rows] == [
        heads[state] for state in order
    ]
    assert {order[state] for state in reached.labels["odd"]} == known & labels["odd"]
    assert set(table.game().explored().states) == known


def test_models_that_differ_in_anything_are_not_equal():
    def model(reward=1, faces=2, name="go", label="last"):
        rules = {0: [Choice(name, reward, fair(faces))]}
        explored = Game(0, lambda n: rules.get(n, End(0))).explored()
        return explicit(explored, {label: lambda s: s == 1})

    assert model() == model()
    for other in (model(reward=2), model(faces=3), model(name="stay"), model(label="first"), 5):
        assert model() != other


def test_missing_libraries_are_named(monkeypatch):
    for library, extra, asked in (
        ("pyspiel", "openspiel", lambda: from_openspiel("pig")),
        ("stormpy", "storm", lambda: to_stormpy(walk())),
    ):
        monkeypatch.setitem(sys.modules, library, None)
        refuses(MissingExtraError, rf"{library} is missing; .*\[{extra}\]", asked)


def damaged(whole, chance):
    place, other = chance.randrange(len(whole)), chance.randrange(len(whole))
    how = chance.randrange(4)
    if how == 0:
        return whole[:place]
    if how == 1:
        return whole[:place] + bytes([chance.randrange(256)]) + whole[place + 1 :]
    if how == 2:
        return whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :]
    return whole[:place] + whole[other : other + chance.randrange(1, 20)] + whole[place:]


@pytest.mark.parametrize(("damage", "asked"), [
    ("m.umb", "m.umb"), ("two.umb", "two.umb"), ("m.drn", "m.drn"), ("m.tra", "m.tra"),
    ("m.lab", "m.tra"), ("m.trew", "m.tra"), ("m.nfg", "m.nfg")])  # fmt: skip
def test_damaged_files_are_read_or_rejected_in_one_line(tmp_path, damage, asked):
    table = explicit(walk())
    for ending in ("umb", "drn", "tra"):
        write_model(table, tmp_path / f"m.{ending}")
    write_matrix([[1, 2], [3, "1/2"]], tmp_path / "m.nfg")
    taking = Game(0, lambda at: Turn(1 + at % 2, steps(at)) if at < 3 else End(at)).explored()
    (tmp_path / "two.umb").write_bytes(umb_bytes(taking))
    path, chance = tmp_path / damage, random.Random(0)  # noqa: S311 - no secret
    whole = path.read_bytes()
    said = []
    for _ in range(100):
        path.write_bytes(damaged(whole, chance))
        try:
            ModelSolve(tmp_path / asked).answer()
        except ExactDiceError as wrong:
            said.append(str(wrong))
    assert len(said) > 10
    assert "\n" not in "".join(said)


@pytest.mark.parametrize(("name", "content"), [
    ("m.lab", "1" * 400_000),
    ("m.lab", '0="init"\n0' + " " * 200_000 + ":" + " 0" * 200_000 + " 7"),
    ("m.nfg", '"' + '\\"' * 200_000), ("m.efg", '"' + '\\"' * 200_000), ("m.efg", '"' * 400_001)
])  # fmt: skip
def test_long_lines_take_linear_time(tmp_path, name, content):
    write_model(explicit(walk()), tmp_path / "m.tra")
    (tmp_path / name).write_text(content)
    before = time.process_time()
    with pytest.raises(ExactDiceError):
        ModelSolve((tmp_path / name).with_suffix(".tra" if name == "m.lab" else name[1:])).answer()
    assert time.process_time() - before < 5


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize("ending", ["umb", "drn", "tra", "nfg", "efg"])
def test_infinite_files_are_read_up_to_a_limit(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    path = tmp_path / f"endless.{ending}"
    path.symlink_to("/dev/zero")
    refuses(TooLargeError, "more than the limit of", ModelSolve(path).answer, Run(memory=4 << 20))


QVBS = Path(__file__).parent / "qvbs"
RESULTS = list(csv.DictReader((QVBS / "results.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: str(result["file"]))
def test_the_benchmark_set_publishes_the_same_value(result):
    path = QVBS / result["file"]
    exact = ModelSolve(path, query=result["query"]).answer()
    assert exact.value("value") == mpq(result["value"])
    assert exact.value("exact")
    enclosed = ModelSolve(path, query=result["query"], width="1e-9").answer()
    value = enclosed.value("value")
    if enclosed.value("exact"):  # moves in a cycle without loss
        assert value == mpq(result["value"])
    else:
        assert mpq(result["value"]) in value
        assert value.width <= mpq(1, 10**9)


def test_the_set_has_a_dozen_benchmarks_and_every_file_a_result():
    assert len({result["source"].split("/")[1] for result in RESULTS}) >= 12
    assert {result["file"] for result in RESULTS} == {path.name for path in QVBS.glob("*.umb")}


# Storm, umbi and Gambit come with `make exchange`; tests of those that are
# missing are skipped. PRISM is not on the package index.
few_in_same_folder = settings(same_folder, max_examples=25)


def storms_model(path):
    stormpy = pytest.importorskip("stormpy", reason="make exchange")
    if path.suffix == ".drn":
        return stormpy.build_model_from_drn[stormpy.Rational](str(path))
    options = stormpy.developer.storage.UmbImportOptions()
    options.build_state_valuations = False
    return stormpy.build_model_from_umb(str(path), options=options)


def storms_answer(path, asked):
    stormpy = pytest.importorskip("stormpy", reason="make exchange")
    model = storms_model(path)
    if "Dtmc" in type(model).__name__:
        asked = asked.replace("max=?", "=?").replace("min=?", "=?")
    (formula,) = stormpy.parse_properties(asked)
    return mpq(str(stormpy.model_checking(model, formula).get_value(model.initial_states[0])))


@pytest.mark.parametrize("ending", [".umb", ".drn"])
def test_storm_finds_the_battle_of_the_post(tmp_path, ending):
    path = tmp_path / f"battle{ending}"
    ask(f"model export 'risk win 4 2' '{path}'")
    assert storms_answer(path, 'P=? [F "won"]') == mpq(POSTS_WIN)


@given(tables(players=1, ends=True))
@few_in_same_folder
def test_storm_reaches_the_end_as_often(tmp_path, table):
    written = explicit(Game(0, table.__getitem__).explored())
    goal = written.labels["done"]
    for path in (tmp_path / "model.umb", tmp_path / "model.drn"):
        write_model(written, path)
        for side in ("max", "min"):
            expected = reach(written.model(), goal.__contains__, least=side == "min").value
            assert storms_answer(path, f'P{side}=? [F "done"]') == expected


@pytest.mark.parametrize(("name", "asked"), [
    ("consensus.2-2.c2", 'Pmax=? [F "goal"]'), ("brp.16-2.p1", 'Pmax=? [F "goal"]'),
    ("consensus.2-2.steps_min", 'R{"reward"}min=? [F "goal"]'),
    ("csma.2-2.time_max", 'R{"reward"}max=? [F "goal"]')])  # fmt: skip
def test_storm_reads_its_own_models_written_here(tmp_path, name, asked):
    theirs = QVBS / f"{name}.umb"
    for ending in (".umb", ".drn"):
        ours = tmp_path / f"{name}{ending}"
        ask(f"model convert '{theirs}' '{ours}'")
        first, second = storms_model(theirs), storms_model(ours)
        assert (first.nr_states, first.nr_transitions) == (second.nr_states, second.nr_transitions)
        assert storms_answer(ours, asked) == storms_answer(theirs, asked)


def test_umbi_reads_games_of_two_and_writes_them_for_us(tmp_path):
    umbi = pytest.importorskip("umbi", reason="make exchange")

    def moves(state):
        if isinstance(state, tuple):
            return End(state[0] - mpq(state[1], 3))
        choices = [go(a, (state, a), a) for a in range(3)]
        return Turn(2 if state else 1, [*choices, Choice("pass", 0, fair(2).map(lambda f: f - 1))])

    model = Game(0, moves).explored()
    path, back = tmp_path / "two.umb", tmp_path / "back.umb"
    path.write_bytes(umb_bytes(model))
    game = umbi.ats.read(path)
    assert (game.num_players, game.player_to_name) == (2, ["first", "second"])
    assert sorted(set(game.state_to_player)) == [0, 1]
    umbi.ats.write(game, back)
    assert read_umb(back) == read_umb(path)
    assert optimum(read_umb(back).model()).value == optimum(model).value


@given(tables(players=2, ends=True))
@few_in_same_folder
def test_umbi_keeps_every_number_of_games_of_two(tmp_path, table):
    umbi = pytest.importorskip("umbi", reason="make exchange")
    model = Game(0, table.__getitem__).explored()
    path, back = tmp_path / "game.umb", tmp_path / "back.umb"
    path.write_bytes(umb_bytes(model))
    umbi.ats.write(umbi.ats.read(path), back)
    try:
        expected = optimum(model).value
    except NoValueError:
        assume(False)
    assert optimum(read_umb(back).model()).value == expected


def gambits_value(path):
    pygambit = pytest.importorskip("pygambit", reason="make exchange")
    game = getattr(pygambit, f"read_{path.suffix[1:]}")(str(path))
    (_, won), _ = pygambit.nash.lp_solve(game, rational=True).equilibrium.payoffs
    return mpq(str(won))


@pytest.mark.parametrize(
    "hands", ["111666,123456 114456,333336", "111666,123456,222555 114456,333336,123456"]
)
def test_gambit_finds_the_value_of_a_duel(tmp_path, hands):
    path = tmp_path / "duel.nfg"
    ask(f"model export 'fatestones duel {hands} --bag any' '{path}'")
    assert gambits_value(path) == fatestones.solve(*hands.split()).value


@pytest.mark.parametrize("faces", [2, 3])
def test_gambit_finds_the_value_of_a_game_in_turns(tmp_path, faces):
    def moves(state):
        total = sum((-1) ** k * seen * seen for k, seen in enumerate(state))
        if len(state) == 3 or state[-1:] == (0,):
            return End(mpq(total, 7))
        roll = fair(faces).map(lambda seen: (*state, seen))
        return Turn(1 + len(state) % 2, [Choice("roll", 0, roll), go("stop", (*state, 0))])

    model = Game((), moves).explored()
    path = tmp_path / "turns.efg"
    path.write_text("\n".join(efg_lines(model)) + "\n", encoding="utf-8")
    assert gambits_value(path) == optimum(model).value


def test_storm_checks_temporal_logic_on_our_games():
    """By hand: three tosses of a coin show no tail with chance 1/8, and one in two with 3/4."""
    stormpy = pytest.importorskip("stormpy", reason="make exchange")
    toss = Game(0, lambda n: Distribution({n + 1: 1, "tail": 1}) if n in (0, 1, 2) else None)
    model = to_stormpy(toss, {"tail": lambda state: state == "tail", "three": lambda s: s == 3})
    for asked, expected in (('!"tail" U "three"', mpq(1, 8)), ('F<=2 "tail"', mpq(3, 4))):
        (formula,) = stormpy.parse_properties(f"P=? [{asked}]")
        answer = stormpy.model_checking(model, formula).get_value(model.initial_states[0])
        assert mpq(str(answer)) == expected


@pytest.mark.parametrize(("players", "seed"), [(p, seed) for p in (0, 1) for seed in range(5)])
def test_storm_finds_the_same_averages(players, seed):
    stormpy = pytest.importorskip("stormpy", reason="make exchange")
    table = random_table(random.Random(seed), players, 5)  # noqa: S311
    game = Game(0, table.__getitem__)
    for least in (False, True):
        (formula,) = stormpy.parse_properties(f"R{'min' if least else 'max'}=? [LRA]")
        model = to_stormpy(game)
        found = stormpy.model_checking(model, formula).get_value(model.initial_states[0])
        assert mpq(str(found)) == long_run(game, least=least).value.exact


def test_storm_is_given_no_game_of_two_players():
    pytest.importorskip("stormpy", reason="make exchange")
    with pytest.raises(InputError, match="two players"):
        to_stormpy(Game(0, lambda n: Turn(2, [go("end", 1)]) if n == 0 else None))
