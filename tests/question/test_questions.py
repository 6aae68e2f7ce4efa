"""Questions: text, JSON and pickles give the same one back; defaults and upper limits."""

import re
import shlex

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import InputError
from exactdice.games import risk
from exactdice.question.domains import Memory, Whole
from exactdice.question.words import _Text
from exactdice.rooms import ROOMS, ask, classes, question, question_class

#: Strategies for domains that one game alone knows are beside that game's tests.
KNOWN = ("risk", "verify", "project")
CLASSES = [asked for room in KNOWN for asked in classes(room)]
CLASSES += [asked for asked in classes("symbolic") if asked.command != "symbolic catastrophe"]
#: Those of models, but not the one about another question.
CLASSES += [asked for asked in classes("model") if asked.command != "model export"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", CLASSES, ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_give_the_same_question_back(asked, data):
    made = data.draw(questions(asked))
    assume(made is not None)
    comes_back(made)


@pytest.mark.parametrize(
    "asked", [asked for room in ROOMS for asked in classes(room)], ids=lambda asked: asked.command
)
def test_every_class_has_help_and_an_example_that_is_a_question_of_it(asked):
    assert asked.summary().endswith((".", "?"))
    assert asked.takes
    made = question(asked.example)
    assert type(made) is asked
    drawn = any(parameter.is_drawn for parameter in asked.parameters())
    assert str(made).startswith(asked.example) if drawn else str(made) == asked.example
    for parameter in asked.parameters():
        assert parameter.help.endswith(".")
        assert parameter.metavar or parameter.is_flag


def test_defaults_are_left_out_and_fields_come_in_a_fixed_order():
    given_words = "risk win --ties attacker 4 --units total --sides 6 2"
    assert str(question(given_words)) == "risk win 4 2 --ties attacker"
    assert question(given_words) == risk.RiskWin(4, 2, ties="attacker")


def test_an_answer_names_its_question_as_its_command():
    report = ask("risk win 4 2 --units total")
    assert report.provenance.command == "exactdice risk win 4 2"


A_COMMAND = 'expected a command that begins with one of 14 names; list them with "exactdice --help"'


@pytest.mark.parametrize(
    ("fields", "words"), [({"attackers": 1}, "1 2"), ({"stop_below": 1}, "4 2 --stop-below 1")]
)
def test_questions_in_python_and_on_the_command_line_are_equally_strict(fields, words):
    with pytest.raises(InputError) as of_words:
        question(f"risk win {words}")
    with pytest.raises(InputError, match=f"^{re.escape(str(of_words.value))}$"):
        risk.RiskWin(**{"attackers": 4, "defenders": 2, **fields})


def test_every_room_names_each_command_once():
    for room in ROOMS:
        commands = [asked.command for asked in classes(room)]
        assert commands
        assert len(set(commands)) == len(commands)
        for command in commands:
            assert question_class(command).command == command


@given(st.integers(1, 2**60))
def test_amounts_of_memory_read_back(size):
    assert Memory().read(Memory().write(size), "memory") == size


@given(st.integers(0, 10**6000))
def test_whole_numbers_of_any_size_read_back(number):
    assert Whole().read(Whole().write(number), "count") == number


@given(st.integers(1, 10**5), st.integers(1, 10**5))
def test_canonical_text_is_split_by_shells(a, d):
    made = risk.RiskWin(a + 1, d)
    assert shlex.split(str(made)) == made.words()


@pytest.mark.parametrize(("target", "written"), [(2**53 - 1, 2**53 - 1), (2**53, str(2**53))])
def test_whole_numbers_that_readers_of_json_may_round_are_text(target, written):
    """RFC 8259, section 6: what doubles hold exactly is read alike everywhere, up to 2**53 - 1."""
    made = question(f"swe target 12 {target}")
    assert made.to_json()["target"] == written
    assert question(made.to_json()) == made


def test_a_shell_completes_the_words_of_a_field_and_names_of_files():
    def completed(command, field, begun):
        (parameter,) = (p for p in question_class(command).parameters() if p.field == field)
        made = _Text(parameter).shell_complete(None, None, begun)
        return [(item.value, item.type) for item in made]

    assert completed("risk win", "ties", "") == [("defender", "plain"), ("attacker", "plain")]
    assert completed("risk win", "ties", "a") == [("attacker", "plain")]
    assert completed("risk win", "attackers", "1") == []
    assert completed("risk dice", "certificate", "a/b") == [("a/b", "file")]


#: Defaults with a source. The printed rules of Risk: three dice against two, of six sides, one unit
#: stays behind. The coursework of rerolls: three dice. The README of FateStones: dice of six faces,
#: 10,000 games; that of the SWE game simulates as many. Farkle: six dice, as in KCD.
DEFAULTS = {"risk": {"attacker-dice": 3, "defender-dice": 2, "sides": 6, "leave": 1}}
DEFAULTS |= {"reroll": {"dice": 3}, "fatestones": {"faces": 6, "games": 10_000}}
DEFAULTS |= {"farkle": {"size": 6}, "swe": {"games": 10_000}}


def fields():
    return (field for room in ROOMS for asked in classes(room) for field in asked.parameters())


def test_default_numbers_are_those_of_the_games():
    met = set()
    for asked in (asked for room in ROOMS for asked in classes(room)):
        game = asked.command.split()[0]
        for field in asked.parameters():
            if type(field.default) is int and field.name in DEFAULTS.get(game, {}):
                assert field.default == DEFAULTS[game][field.name], asked.command
                met.add((game, field.name))
    assert met == {(game, name) for game, values in DEFAULTS.items() for name in values}


def test_a_flag_is_off_unless_it_is_given():
    flags = [field for field in fields() if field.is_flag]
    assert len(flags) > 10
    assert all(field.default is False for field in flags)


def test_a_hundred_dice_of_farkle_are_accepted():
    assert str(question("farkle best --own fair*100")) == "farkle best --own 'fair*100'"
