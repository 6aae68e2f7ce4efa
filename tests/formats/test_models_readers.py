"""The programs that our files are for read them, and answer the same question the same.

Storm reads UMB and DRN; umbi is the reader and writer of UMB of those who made the format; Gambit
reads both kinds of games. They come with the extra `exchange`, which `make exchange` installs;
where one is missing its tests are skipped. PRISM itself is not on the package index.
"""

from pathlib import Path

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, assume, given, settings
from model_oracles import tables

from exactdice.dice import Distribution, fair
from exactdice.errors import InputError
from exactdice.formats.explicit import explicit
from exactdice.formats.files import write_model
from exactdice.formats.gambit import efg_lines
from exactdice.formats.stormpy import to_stormpy
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.games import fatestones
from exactdice.models import Choice, End, Game, Turn, optimum, point_mass
from exactdice.rooms import ask
from exactdice.solve.arena import NoValueError
from exactdice.solve.questions import reach
from exactdice.studies.risk.sources import POSTS_WIN

SAME_FOLDER = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
QVBS = Path(__file__).parent / "qvbs"


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
@SAME_FOLDER
def test_storm_reaches_the_end_as_often(tmp_path, table):
    written = explicit(Game(0, table.__getitem__).explored())
    goal = written.labels["done"]
    for path in (tmp_path / "model.umb", tmp_path / "model.drn"):
        write_model(written, path)
        for side in ("max", "min"):
            expected = reach(written.model(), goal.__contains__, least=side == "min").value
            assert storms_answer(path, f'P{side}=? [F "done"]') == expected


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("consensus.2-2.c2", 'Pmax=? [F "goal"]'),
        ("brp.16-2.p1", 'Pmax=? [F "goal"]'),
        ("consensus.2-2.steps_min", 'R{"reward"}min=? [F "goal"]'),
        ("csma.2-2.time_max", 'R{"reward"}max=? [F "goal"]'),
    ],
)
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
        choices = [Choice(a, a, point_mass((state, a))) for a in range(3)]
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
@SAME_FOLDER
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
        return Turn(
            1 + len(state) % 2,
            [Choice("roll", 0, roll), Choice("stop", 0, point_mass((*state, 0)))],
        )

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


def test_storm_is_given_no_game_of_two_players():
    pytest.importorskip("stormpy", reason="make exchange")
    with pytest.raises(InputError, match="two players"):
        to_stormpy(
            Game(0, lambda n: Turn(2, [Choice("end", 0, point_mass(1))]) if n == 0 else None)
        )
