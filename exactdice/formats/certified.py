"""Questions whose game can be listed, certified and exported.

The game is explored from its rules in the model module of its folder and solved by the general
solvers. This is slower than the answer itself and meant for games that can be listed.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from exactdice import storage
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.linked import linked
from exactdice.question import Question, option
from exactdice.question.domains import File
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.solve.game import Game


@dataclass(frozen=True)
class Stated:
    game: "Game[Any]"
    title: str  # without its last words, such as "as a chain"
    labels: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)  # sets of states


class OfGame(Question):
    """A question about the value of a game, which the function `game_from` builds."""

    #: ``module:name`` of the function that builds the game of a question.
    game_from: ClassVar[str]

    #: Suffixes of files for this game, if not those of chains and decision processes.
    endings: ClassVar[tuple[str, ...]] = ()

    @property
    def unlisted(self) -> str:
        """What to ask instead if the game of this question cannot be listed, otherwise empty."""
        return ""

    def stated(self, run: Run) -> Stated:
        stated: Stated = linked(self.game_from)(self, run)
        return stated


class Certified(OfGame):
    """A question about the value of a game that can write a certificate of its answer."""

    _: KW_ONLY
    certificate: Path | None = option(
        File(), "Write a certificate of the value to FILE (lists all states of the game)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.certificate is not None and self.unlisted:
            raise InputError("certificate", str(self.certificate), self.unlisted)

    def answer(self, run: Run = DEFAULT) -> Report:
        if self.certificate is None:
            return super().answer(run)
        storage.check_writable(self.certificate)
        report = super().answer(run)
        with run.within_limits():
            game = self.stated(run).game
            best = linked("exactdice.solve.questions:optimum")(game.explored(run), run=run)
            value: Any = report.value("value")
            own, other = Enclosure.of(value), best.value
            if own.lower > other.upper or own.upper < other.lower:
                raise AssertionError("the listed game has the value of the answer")
            best.write_certificate(self.certificate)
        return report
