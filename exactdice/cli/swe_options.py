"""What the commands of the software-engineering game have in common: rounds, ladder, a state."""

from dataclasses import dataclass
from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.legacy_presenting import OptionGroup
from exactdice.games.swe.rules import Ladder, State, check_state
from exactdice.memory import MEMORY_LIMIT

__all__ = [
    "Force",
    "LadderOption",
    "Position",
    "PositionOptions",
    "Round",
    "Rounds",
    "memory_limit",
]

Rounds = Annotated[str, typer.Argument(metavar="R", help="Rounds of the game.")]
Round = Annotated[str, typer.Option("--round", metavar="T", help="The round that begins, from 1.")]
Force = Annotated[bool, typer.Option("--force", help="Go past the memory limit.")]


def memory_limit(force: bool) -> int | None:
    """Return the limit that a command keeps to; none if it is forced."""
    return None if force else MEMORY_LIMIT


def _read_ladder(
    ladder: Annotated[
        str, typer.Option(metavar="F,F,…", help="Faces of the dice, ascending.")
    ] = "4,6,8,12,20",
) -> Ladder:
    return Ladder.read(ladder)


@dataclass(frozen=True)
class Position:
    """The dice and the score that a command was given, as text; the ladder tells their number."""

    revenue: str
    legacy: str
    score: str

    @property
    def is_given(self) -> bool:
        """Whether anything was said."""
        return bool(self.revenue or self.legacy or self.score)

    def state(self, ladder: Ladder) -> State:
        """Read the state; what was not said is empty."""
        revenue = _pool(self.revenue, "revenue", ladder)
        legacy = _pool(self.legacy, "legacy", ladder)
        return check_state(revenue, legacy, natural(self.score or 0, "score"), ladder)

    def moment(self, now: str, rounds: int, ladder: Ladder) -> tuple[State | None, int]:
        """Read the state and the round that begins; with nothing said, the beginning of a game."""
        if not (now or self.is_given):
            return None, 1
        return self.state(ladder), natural(now or 1, "round", least=1, most=rounds)


def _pool(given: str, name: str, ladder: Ladder) -> list[int]:
    """Read how many dice there are on each rung; none where nothing is given."""
    return [natural(number, name) for number in given.split(",")] if given else [0] * len(ladder)


def _read_position(
    score: Annotated[str, typer.Option(metavar="S", help="Score.")] = "",
    revenue: Annotated[
        str, typer.Option(metavar="N,N,…", help="Revenue dice on each rung, lowest first.")
    ] = "",
    legacy: Annotated[
        str, typer.Option(metavar="N,N,…", help="Legacy dice on each rung, lowest first.")
    ] = "",
) -> Position:
    return Position(revenue, legacy, score)


LadderOption = Annotated[Ladder, OptionGroup(_read_ladder)]
PositionOptions = Annotated[Position, OptionGroup(_read_position)]
