"""Questions by their commands: former names, and libraries loaded on use."""

import pytest
from measured import executed

from exactdice import NAMES_OF_GAMES, rooms
from exactdice.cli import main
from exactdice.errors import InputError, MissingExtraError
from exactdice.games import risk
from exactdice.rooms import FORMER, ROOMS, ask, classes, question
from exactdice.web.forms import find, path_of


def test_a_missing_library_is_named_and_a_missing_module_of_ours_is_a_defect(monkeypatch):
    def answer(missing):
        def failing(*_):
            raise ModuleNotFoundError(name=missing)

        monkeypatch.setattr(risk.RiskWin, "answer", failing)
        return ask("risk win 4 2")

    with pytest.raises(MissingExtraError, match=r"^numpy is missing; install all requirements"):
        answer("numpy.linalg")
    with pytest.raises(ModuleNotFoundError) as problem:
        answer("exactdice.nowhere")
    assert not isinstance(problem.value, MissingExtraError)


@pytest.mark.parametrize(("former", "name"), FORMER.items())
def test_a_renamed_command_is_the_same_question_by_its_former_name(capsys, former, name):
    now = question(rooms.question_class(name).example)
    assert question(str(now).replace(name, former, 1)) == now
    assert question(now.to_json() | {"question": former}) == now
    said = [
        (main(words), capsys.readouterr().out)
        for words in (now.words(), [*former.split(), *now.words()[2:]])
    ]
    assert said[0] == said[1]
    assert said[0][0] == 0
    assert f"/ask/{former.replace(' ', '/')}" not in path_of(find(former.replace(" ", "/")))
    with pytest.raises(InputError, match=f"got '{former}s'"):
        question(f"{former}s d6")


def test_commands_are_found_by_their_words():
    for room in ("risk", "certify"):
        for offered in classes(room):
            words = offered.command.split()
            assert words[0] == room
            assert rooms.question_class(offered.command) is offered
            assert (len(words) == 1) is ROOMS[room].is_command


MINE = """
from exactdice.dice import fair
from exactdice.models import Choice, End, Game, point_mass

def moves(points):
    if points is None or points >= 20:
        return End(points or 0)
    roll = fair(6).map(lambda face: None if face == 1 else points + face)
    return [Choice("roll", 0, roll), Choice("stop", points, point_mass(None))]

game = Game(0, moves)
"""


@pytest.mark.parametrize("command", ["dice distribution d6", "book mine.py"])
def test_libraries_and_games_are_loaded_when_they_are_used(tmp_path, command):
    """numpy or flint alone would take a third more time."""
    (tmp_path / "mine.py").write_text(MINE)
    program = (
        "import sys\nfrom exactdice.cli import main\n"
        f"assert main({command.split()}) == 0\nprint(*sys.modules)"
    )
    done = executed(program, check=True, cwd=tmp_path)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not {"numpy", "flint", "scipy", "sympy", "networkx"} & loaded
    assert not {f"exactdice.games.{name}" for name in NAMES_OF_GAMES} & loaded
    assert len([name for name in loaded if name.startswith("exactdice")]) <= 35  # a stated aim
