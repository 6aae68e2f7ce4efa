"""The question: one class that defines the command, its help, JSON and the report."""

from dataclasses import KW_ONLY

from exactdice.question import Question, argument, option
from exactdice.question.domains import Whole
from exactdice.report.model import Report, Table, exact, whole
from exactdice.run import Run
from keep_last.exact import least_kept, values
from keep_last.rules import Rules


class Value(Question, command="keep value", example="3"):
    """Value of the game of at most N throws, and the smallest face to keep."""

    throws: int = argument(Whole(least=1, most=1000), "Maximum number of throws.")
    _: KW_ONLY
    sides: int = option(Whole(least=1, most=1000), "Sides of the die.", default=6)

    def report(self, run: Run) -> Report:
        """Solve the game."""
        rules = Rules(self.throws, self.sides)
        found = values(rules)
        faces = enumerate(least_kept(rules), start=1)
        return Report.of(
            f"Keep the last of {self.throws} throws",
            {},
            exact("value", "expected number kept", "points")(found[-1]),
            Table.of(
                "faces",
                "When to stop",
                ((left, face, found[left - 1]) for left, face in faces),
                whole("left", "throws left", "throws"),
                whole("least", "smallest face to keep"),
                exact("value", "value of throwing again", "points"),
            ),
        )
