"""The game of a question, written into a file for other programs."""

from pathlib import Path
from typing import Any, ClassVar

from exactdice.errors import ConflictError, InputError, choices
from exactdice.formats.certified import OfGame
from exactdice.formats.explicit import explicit
from exactdice.formats.files import EXPLICIT, check_ending, write_matrix, write_model
from exactdice.formats.questions import written
from exactdice.question import Question, argument
from exactdice.question.domains import Domain, File
from exactdice.report.model import Report
from exactdice.rooms import ROOMS, classes, question
from exactdice.run import Run
from exactdice.solve.game import Model
from exactdice.solve.questions import optimum
from exactdice.solve.turn_games import choices_at_once
from exactdice.storage import check_writable

# The kind of an explicit model, by its number of players.
_KINDS = ("chain", "decision process", "game of two")


class _GameQuestions(Domain[OfGame]):
    metavar = "QUESTION"

    def read(self, value: Any, name: str) -> OfGame:
        asked = question(value)
        if not isinstance(asked, OfGame):
            offered = (one for room in ROOMS for one in classes(room) if issubclass(one, OfGame))
            known = choices([one.command for one in offered], asked.command)
            raise InputError(name, str(asked), f"a question with {known}")
        if asked.unlisted:
            raise InputError(name, str(asked), asked.unlisted)
        return asked


class ModelExport(
    Question,
    example="'swe value 4' game.umb",
    takes="half a second for 8 rounds of swe, 4 s for 10; 6 s for a turn of Farkle to 10000",
):
    """Write the game of a question into a file.

    A .nfg file contains the first choices as a matrix, with the values of the next states.
    """

    has_tables: ClassVar[bool] = False

    game: OfGame = argument(
        _GameQuestions(), "A question about the value of a game, in quotation marks."
    )
    file: Path = argument(
        File(), "The file to write: .umb, .drn or .tra; .efg or .nfg for simultaneous choices."
    )

    def check(self) -> None:
        check_ending(self.file, self.game.endings or EXPLICIT, "file")

    def report(self, run: Run) -> Report:
        check_writable(self.file)
        stated = self.game.stated(run)
        if self.file.suffix == ".efg":
            files = write_model(stated.game, self.file, run)
            return written(f"{stated.title} as a tree", files, None)
        model = stated.game.explored(run)
        if self.file.suffix == ".nfg":
            return written(f"{stated.title} as a matrix", self._matrix(model, run), None)
        table = explicit(model, stated.labels, most_players=2)
        files = write_model(table, self.file)
        return written(f"{stated.title} as a {_KINDS[table.players]}", files, table)

    def _matrix(self, model: Model[Any], run: Run) -> tuple[Path, ...]:
        if 0 not in model.arena.columns:
            raise ConflictError("file", ".nfg needs simultaneous first choices; use another format")
        best = optimum(model, run=run)
        values = [best.value_of(state).exact for state in model.states]
        return write_matrix(choices_at_once(model.arena, 0, values), self.file)
