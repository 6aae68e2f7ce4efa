"""Gambit's trees: written games are read back, and Gambit finds the same value."""

import json
import subprocess
import sys

import pytest
from cases import rows_of
from gmpy2 import mpq
from model_oracles import refuses

from exactdice import models
from exactdice.cli import main
from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError
from exactdice.formats.gambit import hidden_lines, read_efg
from exactdice.models import Both, End, Showdown, Turn, equilibrium, point_mass, value_bounds
from exactdice.rooms import ask, question
from exactdice.solve.reports import MOST_LISTED

pytest.importorskip("highspy", reason="extra hidden")


def half_street():
    """Chen and Ankenman, "The Mathematics of Poker" (2006): AKQ, pot 2, bet 1, worth 1/18."""

    def moves(said):
        if said and said[-1] in ("check", "call", "fold"):
            return Showdown(said[-1])
        actions = ("call", "fold") if said else ("bet", "check")
        return Turn(1 + len(said), [models.Choice(a, 0, point_mass((*said, a))) for a in actions])

    def payoff(shown, mine, yours):
        if shown == "fold":
            return 1
        return (1 if mine > yours else -1) * (2 if shown == "call" else 1)

    cards = Distribution.from_faces([(a, b) for a in range(3) for b in range(3) if a != b])
    return models.DealtGame(cards, (), moves, payoff)


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "game.efg"
    path.write_text("\n".join(hidden_lines(half_street().as_hidden(), "poker")[1]) + "\n")
    return path


def test_written_trees_are_read_as_the_same_game(written):
    tree = read_efg(written)
    found = equilibrium(tree.game)
    assert found.value == mpq(1, 18)
    assert repr(found.form) == repr(half_street().as_hidden().sequence_form())
    line = tree.line(found.strategy(1), found.strategy(2))
    assert value_bounds(tree.game, *tree.profile(line)).value == mpq(1, 18)


def test_gambit_finds_the_same_value(written):
    pygambit = pytest.importorskip("pygambit", reason="make exchange")
    found = pygambit.nash.lp_solve(pygambit.read_efg(str(written)), rational=True).equilibrium
    (_, won), _ = found.payoffs
    assert mpq(str(won)) == mpq(1, 18)
    pygambit = pytest.importorskip("pygambit", reason="make exchange")
    found = pygambit.nash.lp_solve(pygambit.read_efg(str(written)), rational=True).equilibrium
    chances = [str(chance) for sets in found for _, mixed in sets for _, chance in mixed]
    tree = read_efg(written)
    assert value_bounds(tree.game, *tree.profile("NE," + ",".join(chances))).value == mpq(1, 18)


def test_simultaneous_moves(tmp_path):
    stage = Both({(a, b): point_mass((a, b)) for a in "ht" for b in "ht"})
    last = Both({(a, b): End(3 if a == b == "h" else int(a == b)) for a in "ht" for b in "ht"})

    def moves(state):
        if state is None:
            return stage
        return last if state[0] == state[1] else End(1)

    game = models.HiddenGame(None, moves, lambda state: (state, state))
    path = tmp_path / "both.efg"
    path.write_text("\n".join(hidden_lines(game)[1]))
    # [[3, 0], [0, 1]] has the value 3/4, so the stage is [[3/4, 1], [1, 3/4]], with value 7/8.
    assert equilibrium(game).value == equilibrium(read_efg(path).game).value == mpq(7, 8)


def test_payoffs_of_inner_nodes_count(tmp_path):
    path = tmp_path / "way.efg"
    path.write_text(
        'EFG 2 R "way" { "a" "b" }\n"a comment"\n'
        'c "" 1 "(0,1)" { "x" 1/4 "y" .75 } 5 "five" { 5, -5 }\n'
        'p "" 1 1 "set" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 2, -2 }\n'
        'p "" 1 1 5\nt "" 1\nt "" 3 "" { -4, 4 }\n'
    )
    # x: 5 + (1 or 2); y: 5 + 5 + (1 or −4). To the left: 1/4·6 + 3/4·11.
    found = equilibrium(read_efg(path).game)
    assert (found.value, found.strategy(1)) == (mpq(39, 4), {"1 set": {"l": 1, "r": 0}})


HEAD = 'EFG 2 R "g" { "a" "b" }\n'


@pytest.mark.parametrize(("tree", "wanted"), rows_of("tables/bad_efg"))
def test_bad_trees_are_rejected_with_the_word(tmp_path, tree, wanted):
    path = tmp_path / "wrong.efg"
    path.write_text(tree if tree.startswith("EFG") else HEAD + tree)
    with pytest.raises(ExactDiceError, match="; expected ") as error:
        read_efg(path)
    assert wanted in str(error.value)
    assert str(error.value).startswith(str(path))


def test_forgetful_trees_are_refused(tmp_path, capsys):
    path = tmp_path / "forgets.efg"
    leaf = 't "" 1 "" { 1, -1 }\n'
    node = 'p "" 1 2 "" { "l" "r" } 0\n'
    path.write_text(HEAD + 'p "" 1 1 "" { "l" "r" } 0\n' + node + leaf + leaf + node + leaf + leaf)
    assert main(["model", "solve", str(path)]) == 2
    assert "no perfect recall" in capsys.readouterr().err


def test_model_solve_answers_for_trees(written, tmp_path, capsys):
    assert main(["model", "solve", str(written), "--format", "json"]) == 0
    assert '"value": "1/18"' in capsys.readouterr().out
    tree = read_efg(written)
    wanted = sum(len(actions) for sets in tree.sets for actions in sets.values())
    profile = tmp_path / "profile.txt"
    profile.write_text("NE" + ",1/2" * wanted + "\n")
    assert main(["model", "solve", str(written), "--profile", str(profile)]) == 0
    out = capsys.readouterr().out
    assert "strategies that were given" in out
    profile.write_text("NE,1/2")
    assert main(["model", "solve", str(written), "--profile", str(profile)]) == 2
    assert f"profile: got 1 probabilities; expected {wanted}" in capsys.readouterr().err
    assert main(["model", "solve", str(written), "--draws"]) == 2
    assert main(["model", "solve", "game.drn", "--profile", str(profile)]) == 2


def test_json_answers_contain_only_json(tmp_path):
    pytest.importorskip("highspy", reason="extra hidden")
    tree = tmp_path / "tree.efg"
    tree.write_text(
        'EFG 2 R "x" { "a" "b" }\n""\np "" 1 1 "" { "l" "r" } 0\n'
        't "" 1 "" { 1, -1 }\nt "" 2 "" { 2, -2 }\n'
    )
    command = [sys.executable, "-m", "exactdice", "model", "solve", str(tree), "--format", "json"]
    answered = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(answered.stdout)["value"] == "2"


def test_profiles_have_a_chance_for_each_action_of_each_set(written):
    # three cards of each player, two actions each; by default the first action is certain
    tree = read_efg(written)
    assert tree.line({}, {}) == "NE" + 6 * ",1,0"
    known = next(iter(tree.sets[1]))
    for mixed in ({"fold": mpq(1, 3), "call": mpq(2, 3)}, {"fold": mpq(1)}):
        line = tree.line({}, {known: mixed})
        one, two = tree.profile(line)
        assert all(list(each.values()) == [1, 0] for each in one.values())
        assert two[known] == {"call": 0} | mixed
    refuses(ExactDiceError, "profile, probability 2: got 'x'", tree.profile, "NE,1,x" + ",1" * 10)
    for count in (11, 13):
        wanted = f"profile: got {count} probabilities; expected 12"
        refuses(ExactDiceError, wanted, tree.profile, "NE" + ",1" * count)


@pytest.mark.parametrize(("file", "more", "wanted"), [
    ("game.efg", "--draws", "draws does not apply to .efg files"),
    ("game.efg", "--query 'min reward'", "expected max reward, for a .efg file"),
    ("game.efg", "--query 'max reach done'", "expected max reward, for a .efg file"),
    ("game.drn", "--profile p", "profile applies only to .efg files"),
    ("game.drn", "--draws --width 1/2", "draws needs the query max reward, without --width"),
    ("game.drn", "--draws --query 'min reward'", "draws needs the query max reward, without"),
    ("game.drn", "--draws --query 'max reach x'", "draws needs the query max reward, without")
])  # fmt: skip
def test_options_that_do_not_fit_the_file_are_rejected(file, more, wanted):
    for taken in ("game.efg --profile p", "game.efg --width 1/2", "game.drn --draws"):
        question(f"model solve {taken}")
    refuses(ExactDiceError, wanted, question, f"model solve {file} {more}")


def test_strategies_of_long_trees_are_listed_on_request(tmp_path):
    # one player takes the drawn number or nothing
    most = MOST_LISTED + 1
    path, numbers = tmp_path / "drawn.efg", range(1, most + 1)
    drawn = " ".join(f'"{n}" 1/{most}' for n in numbers)
    lines = [HEAD + f'c "" 1 "" {{ {drawn} }} 0']
    for n in numbers:
        lines.append(f'p "" 1 {n} "" {{ "yes" "no" }} 0')
        lines += [f't "" {n} "" {{ {n}, -{n} }}', f't "" {most + 1} "" {{ 0, 0 }}']
    path.write_text("\n".join(lines))
    short, long = (ask(f"model solve {path}{more}") for more in ("", " --policy"))
    assert short.value("value") == long.value("value") == mpq(most + 1, 2)
    assert len(long.table("player_1").rows) == 2 * most
    assert "player_1" not in {table.name for table in short.tables}
