"""Questions by their commands, and libraries loaded on use."""

import pytest
from measured import executed

from exactdice import NAMES_OF_GAMES, rooms
from exactdice.errors import MissingExtraError
from exactdice.games import risk
from exactdice.rooms import ROOMS, ask, classes


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
