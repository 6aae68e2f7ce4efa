"""The reroll game as a model, and the command that writes it into a file."""

from dataclasses import dataclass

from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.questions import Export
from exactdice.games.reroll.exact import as_game, foresee
from exactdice.games.reroll.questions import Value
from exactdice.run import Run


@dataclass(frozen=True)
class ExportReroll(
    Export,
    Value,
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


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (ExportReroll,)
