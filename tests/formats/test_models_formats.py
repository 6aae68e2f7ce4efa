"""Files of other programs: what is written is read back the same; damaged files are refused."""

import random
import sys

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactdice.dice import Distribution, fair
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.formats.checkers import (
    drn_lines,
    label_lines,
    read_drn,
    read_prism,
    reward_lines,
    transition_lines,
)
from exactdice.formats.explicit import ExplicitModel, FormatError, Row, explicit
from exactdice.formats.gambit import efg_lines, nfg_lines, read_nfg
from exactdice.formats.openspiel import from_openspiel
from exactdice.formats.stormpy import to_stormpy
from exactdice.models import Both, Choice, End, Game, Other, Turn, optimum, point_mass

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def walk():
    def moves(at):
        if at >= 3:
            return End("1/3")
        return [Choice("step", -1, fair(2).map(lambda f: at + f)), Choice("stay", 0, point_mass(3))]

    return Game(0, moves).explored()


@pytest.mark.parametrize(
    ("lines", "read", "may_miss"),
    [
        (drn_lines, read_drn, 0),
        (transition_lines, read_prism, 0),
        (nfg_lines, read_nfg, 0),
    ],
)
def test_truncated_files_are_rejected_with_the_place(tmp_path, lines, read, may_miss):
    whole = list(lines([[1, 2], [3, 4]] if lines is nfg_lines else walk()))
    read(written(tmp_path / "whole", whole))
    for kept in range(len(whole) - may_miss):
        path = written(tmp_path / "cut", whole[:kept])
        with pytest.raises(FormatError, match="cut") as refusal:
            read(path)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@nr_states\n6", "@nr_states\n7", "got 6 states in all; expected 7, from @nr_states"),
        ("@nr_choices\n9", "@nr_choices\n8", "got 9 choices in all; expected 8, from @nr_choices"),
        ("1 : 1/2", "1 : 1/3", "got chances that sum to 5/6 in state 0 before this line"),
        ("1 : 1/2", "9 : 1/2", "got '9'; expected a whole number below 6"),
        ("1 : 1/2", "1 : half", "got 'half'; expected a probability as a fraction"),
        ("@type: MDP", "@type: SMG", "got SMG; expected DTMC or MDP"),
        ("state 1", "state 2", "got state 2; expected state 1 of 6"),
        ("state 1", f"state {10**18}", "'; expected a whole number"),
        ("@model", "@models", "got '@models'; expected @type, @reward_models, @nr_states or"),
        ("reward\n", "reward cost\n", "got 2 rewards; expected at most one"),
        ("@type: MDP\n", "", "got @model; expected @type and @nr_states before it"),
        ("[0] init", "[0]", ""),
        ("state 1 [0]", "state 1 [0] init", "got 2 states labelled init; expected one"),
        ("\taction 0 [-1]\n", "", "got '1 : 1/2'; expected a state, an action, or a successor"),
        ("state 2 [0]\n", "state 2 [0]\nstate 3 [0]\n", "got state 2 without an action; expected"),
        ("\t\t2 : 1/2\n", "\t\t2 : 3/2\n", "got chances that sum to 2 in state 0 before"),
    ],
)
def test_bad_drn_files_are_rejected_with_the_line(tmp_path, old, new, message):
    whole = "\n".join(drn_lines(walk()))
    assert old in whole
    path = written(tmp_path / "model.drn", [whole.replace(old, new, 1)])
    if not message:
        assert read_drn(path).initial == 0
        return
    with pytest.raises(FormatError) as refusal:
        read_drn(path)
    assert message in str(refusal.value)
    assert str(path) in str(refusal.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("tra", "6 9 12", "6 9 13", "got 12 entries in all; expected 13, from the first line"),
        ("tra", "6 9 12", "6 8 12", "got 9 choices in all; expected 8, from the first line"),
        ("tra", "6 9 12", "7 9 12", "got state 6 without a transition; expected at least one"),
        ("tra", "6 9 12", "6", "got 1 numbers; expected states, choices and transitions"),
        ("tra", "0 0 1 1/2", "0 0 1 1/3", "got chances that sum to 5/6 for choice 0 of state 0"),
        ("tra", "0 0 1 1/2", "0 0 2 1/2", "got successor 2 again"),
        ("tra", "0 0 1 1/2 step", "0 0 1", "got 3 words; expected 4 words, and optionally a name"),
        ("tra", "0 0 1 1/2", "0 0 x 1/2", "got 'x'; expected a whole number below 6"),
        ("lab", '0="done"', "done", "expected labels such as"),
        (
            "lab",
            '1="init"',
            '0="init"',
            """got '0="init"'; expected labels such as 0="init", each""",
        ),
        ("lab", "0: 1", "0 1", "got '0 1'; expected a state, a colon and its labels"),
        ("lab", "0: 1", "0: 7", "got label 7; expected a label from the first line"),
        ("lab", "0: 1", "9: 1", "got '9'; expected a whole number below 6"),
        ("lab", "0: 1", "0: 1\n1: 1", "got 2 states labelled init; expected one"),
        ("trew", "6 9 ", "6 8 ", "got 6 8; expected 6 9, like the transitions"),
        ("trew", "0 0 1 -1", "0 0 5 -1", "got a reward from 0 to 5; expected one of a transition"),
    ],
)
def test_bad_prism_files_are_rejected_with_the_line(tmp_path, file, old, new, message):
    model = walk()
    whole = {"tra": transition_lines, "lab": label_lines, "trew": reward_lines}
    paths = {name: tmp_path / f"model.{name}" for name in whole}
    for name, lines in whole.items():
        content = "\n".join(lines(model))
        if name == file:
            assert old in content
            content = content.replace(old, new, 1)
        written(paths[name], [content])
    with pytest.raises(FormatError) as refusal:
        read_prism(paths["tra"], paths["lab"], paths["trew"])
    assert message in str(refusal.value)
    assert str(paths[file]) in str(refusal.value)


def test_missing_files_are_refused():
    for read in (read_drn, read_prism, read_nfg):
        with pytest.raises(FormatError, match="no such file: cannot be read: No such file"):
            read("no such file")


def test_models_of_two_players_are_not_written_for_checkers():
    turns = Game(0, lambda s: Turn(2, [Choice("a", 0, point_mass(1))]) if s == 0 else End(1))
    with pytest.raises(InputError, match="model: got two players"):
        list(drn_lines(turns.explored()))


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('EFG 2 R "x" { "a" "b" } { 1 1 } 1 -1', "got 'EFG' as word 1; expected NFG"),
        ('NFG 1 X "x" { "a" "b" } { 1 1 } 1 -1', "expected R or D"),
        ('NFG 1 R "x" { "a" } { 1 } 1', "expected two players instead of 1"),
        ('NFG 1 R "x" { "a" "b" } { 1 1 } 1 1', "expected payoffs that sum to 0"),
        ('NFG 1 R "x" { "a" "b" } { 1 1 } 1 -1 2', "expected 2 payoffs in all, from the sizes"),
        ('NFG 1 R "x" { "a" "b" } { 1 y } 1 -1', "expected a number of choices"),
        ('NFG 1 R "x" { "a" "b" } { 1 } 1 -1', "expected choices of two players"),
        ('NFG 1 R "x" { "a" "b" } { 1 1 } one -1', "got 'one' as word 13; expected a payoff"),
        ('NFG 1 R "x" { "a" "b" } { 1 100000 } one -1', "got 'one' as word 13"),
        ('NFG 1 R "x" { "a" "b" } { 1 1000000 } 1 -1', "expected a number of choices"),
        ('NFG 1 R "x" { "a" "b" } { 1 0 } 1 -1', "expected choices of two players with different"),
        ('NFG 1 R "x" { "a" "b" } { {"u" "u"} 1 } 1 -1 1 -1', "expected choices of two players"),
        ('NFG 1 R "x" { "a" "b" } { 1 1 1 } 1 -1', "expected choices of two players with"),
        ('NFG 1 R "x" { "a" "b" } { 2 1 } 1 -1 1 -1 3', "expected 4 payoffs in all, from the"),
    ],
)
def test_bad_nfg_files_are_rejected_with_the_word(tmp_path, content, message):
    with pytest.raises(FormatError) as refusal:
        read_nfg(written(tmp_path / "game.nfg", [content]))
    assert message in str(refusal.value)


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
    assert [
        line for line in lines if line.startswith('p "play (')
    ] == [  # Gambit has each label once
        f'p "play ({time})" 2 1 "" {{ "h" "t" }} 0' for time in (2, 5)
    ]
    leaves = [line.split('"" ')[1] for line in lines if line.startswith("t ")][1:]
    assert leaves == ["{ 1, -1 }", "{ -1, 1 }", "{ -1, 1 }", "{ 1, -1 }"]


def test_repeated_states_and_large_trees_are_rejected():
    loop = Game(0, lambda s: Distribution({0: 1, 1: 1}) if s == 0 else End(1)).explored()
    with pytest.raises(InputError, match="model: got 0; expected a model without repeated states"):
        list(efg_lines(loop))
    sides = Game(0, lambda s: point_mass(Other(1)) if s == 0 else End(1)).explored()
    with pytest.raises(InputError, match="changes of side"):
        list(efg_lines(sides))
    long = Game(0, lambda s: fair(2).map(lambda f: s + f) if s < 30 else End(s)).explored()
    with pytest.raises(TooLargeError, match="more than 1000 nodes"):
        list(efg_lines(long, most_nodes=1000))
    turns = Game(0, lambda s: Turn(2, [Choice("a", 0, point_mass(1))]) if s == 0 else End(1))
    assert list(efg_lines(turns.explored()))[2:] == [
        'p "0" 2 1 "" { "a" } 0', 't "1" 1 "" { 1, -1 }'
    ]  # fmt: skip


def test_bad_matrices_are_rejected():
    payoffs = [[], [[]], [[1, 2], [3]]]
    for payoff in payoffs:
        with pytest.raises(InputError, match=r"payoff: got .* expected rows of equal length"):
            list(nfg_lines(payoff))


def test_trees_up_to_the_largest_size_are_written():
    # who tosses gets 1, or goes on and gets 3: five nodes
    toss, go = [Choice("toss", 0, fair(2))], [Choice("go", 0, point_mass(3))]
    model = Game(0, lambda s: toss if s == 0 else go if s == 2 else End(s)).explored()
    lines = list(efg_lines(model, most_nodes=5))
    assert "".join(line[0] for line in lines[2:]) == "pctpt"
    for most in range(5):
        with pytest.raises(TooLargeError, match=f"more than {most} nodes"):
            list(efg_lines(model, most_nodes=most))


def test_simultaneous_moves_are_not_written_for_checkers():
    both = Game(0, lambda s: Both({(a, b): End(a - b) for a in (0, 1) for b in (0, 1)}))
    with pytest.raises(InputError, match="model: got simultaneous moves; expected alternating"):
        explicit(both.explored(), most_players=2)


def test_a_file_without_names_of_rewards_pays_nothing(tmp_path):
    # Storm writes an empty line where there is no reward
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
    known, new = set[int](), {first}
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
        ("stormpy", "exchange", lambda: to_stormpy(walk())),
    ):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(MissingExtraError, match=rf"{library} is missing; .*\[{extra}\]"):
            asked()
