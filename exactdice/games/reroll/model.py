"""The reroll game as a model, and the command that writes it into a file."""

from dataclasses import dataclass
from typing import Any

from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.questions import Export
from exactdice.games.reroll.exact import as_game, foresee
from exactdice.games.reroll.questions import RerollQuestion, RerollValue
from exactdice.models import Game
from exactdice.run import Run


@dataclass(frozen=True)
class ModelExportReroll(
    Export,
    RerollQuestion,
    command="model export-reroll",
    example="model export-reroll game.umb --dice 2",
    takes="1 s for 6 dice",
):
    """Write the reroll game as a decision process: rolls, partial holds and the end."""

    def listed(self, run: Run) -> tuple[str, ExplicitModel]:
        """List the process."""
        rules = self.rules()
        foresee(rules, run)
        title = f"Reroll: {rules.dice} dice of {rules.sides} sides, as a decision process"
        return title, explicit(as_game(rules).explored(run))


def game_of_value(asked: RerollValue, run: Run) -> Game[Any]:
    """The game that a question about its value is about."""
    return as_game(asked.rules())


QUESTIONS = (ModelExportReroll,)
