"""Fields that questions about the game share."""

from dataclasses import KW_ONLY, replace
from typing import Any

from exactdice.errors import InputError
from exactdice.games.swe.distributions.players import policy_name
from exactdice.games.swe.reports import require_existing
from exactdice.games.swe.rules import FACES, STANDARD, Ladder, State, check_state
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, Listed, Whole
from exactdice.run import Run

_DICE = Listed(Whole(), "N,N,…")


class LadderOfDice(Domain[Ladder]):
    metavar = "F,F,…"

    def read(self, value: Any, name: str) -> Ladder:
        if isinstance(value, str):
            return Ladder.read(value)
        if not isinstance(value, tuple | list):
            raise InputError(name, value, FACES)
        return Ladder.of(value)

    def write(self, value: Ladder) -> str:
        return ",".join(map(str, value))


class PolicyName(Domain[str]):
    metavar = "NAME"

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str):
            raise InputError(name, value, "the name of a policy, such as Promo or Rand(0.5)")
        try:
            return policy_name(value)
        except InputError as problem:
            raise InputError(name, value, problem.wanted) from None


def quiet(run: Run) -> Run:
    return replace(run, progress=None)


class OnLadder(Question):
    _: KW_ONLY
    ladder: Ladder = option(LadderOfDice(), "Faces of the dice, ascending.", default=STANDARD)


class SweQuestion(OnLadder):
    rounds: int = argument(Whole(), "Rounds of the game.")


class FromState(OnLadder):
    """A state: the dice and the score, empty unless given."""

    _: KW_ONLY
    score: int | None = option(Whole(), "Score so far.", metavar="S")
    revenue: tuple[int, ...] | None = option(_DICE, "Number of revenue dice on each rung.")
    legacy: tuple[int, ...] | None = option(_DICE, "Number of legacy dice on each rung.")

    def check(self) -> None:
        self.state()

    @property
    def is_given(self) -> bool:
        return not (self.score is None and self.revenue is None and self.legacy is None)

    def state(self) -> State:
        nothing = (0,) * len(self.ladder)
        revenue, legacy = self.revenue or nothing, self.legacy or nothing
        return check_state(revenue, legacy, self.score or 0, self.ladder)


class FromRound(FromState):
    rounds: int = argument(Whole(), "Rounds of the game.")
    _: KW_ONLY
    round: int | None = option(Whole(least=1), "The round that begins, from 1.", metavar="T")

    def moment(self) -> tuple[State | None, int]:
        if not self.is_given and self.round is None:
            return None, 1
        return self.state(), self.round or 1

    def check(self) -> None:
        super().check()
        if self.round is not None:
            Whole(least=1, most=self.rounds).read(self.round, "round")
        if self.is_given or self.round is not None:
            require_existing(self.state(), (self.round or 1) - 1)
