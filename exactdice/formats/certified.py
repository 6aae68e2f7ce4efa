"""Questions about games whose answer can be written down as a certificate.

The game is listed from its rules as a program, the model of its folder, and solved again by the
general solvers; that is slower than the answer itself, and meant for sizes that can be listed.
"""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar

from exactdice import storage
from exactdice.enclosure import Enclosure
from exactdice.linked import linked
from exactdice.question import Question, option
from exactdice.question.domains import File
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run


@dataclass(frozen=True)
class Certified(Question):
    """A question about the value of a game, which names its model as `game_from`."""

    #: ``module:name`` of the function that gives the game of a question.
    game_from: ClassVar[str]

    _: KW_ONLY
    certificate: Path | None = option(
        File(), "Also list the game, and write a certificate of its value into FILE."
    )

    def answer(self, run: Run = DEFAULT) -> Report:
        """Answer, and write the certificate where one is wanted."""
        if self.certificate is None:
            return super().answer(run)
        storage.check_writable(self.certificate)
        report = super().answer(run)
        with run.within_limits():
            game: Any = linked(self.game_from)(self, run)
            best = linked("exactdice.solve.questions:optimum")(game.explored(run), run=run)
            value: Any = report.value("value")
            own, other = Enclosure.of(value), best.enclosure()
            if own.lower > other.upper or own.upper < other.lower:
                raise AssertionError("the listed game has the value of the answer")
            best.write_certificate(self.certificate)
        return report
