"""What to do: the actions that are open at some dice, compared as functions of the score.

Each action comes with an envelope (`exactdice.games.swe.optimum.envelope`) over a denominator that
all of them share. Everything here is a comparison of such envelopes, and knows nothing of dice.
"""

from collections.abc import Mapping
from typing import NamedTuple

from exactdice.arithmetic import mpq, mpz
from exactdice.games.swe.optimum.envelope import Envelope, best, line_at, value_at
from exactdice.games.swe.rules import Action, Kind


class Advice(NamedTuple):
    """An action, what it is worth when all that follows is played optimally, and what it costs."""

    action: Action
    value: mpq
    regret: mpq
    optimal: bool


class ScoreLine(NamedTuple):
    """The value A + B·score for the scores from `low` to `high`.

    B is the chance that no catastrophe wipes the score out, and A the expected part of the final
    score that is yet to be made, both under one optimal way of playing on.
    """

    low: int
    high: int
    A: mpq
    B: mpq


class Choice(NamedTuple):
    """The actions that are optimal for all scores from `low` to `high`, in the canonical order."""

    low: int
    high: int
    actions: tuple[Action, ...]


class Candidates(NamedTuple):
    """The actions open at some dice, in the canonical order, with their envelopes."""

    denominator: mpz  # the common denominator of all envelopes
    envelopes: Mapping[Action, Envelope]  # what each action is worth as a function of the score
    # low, high: the scores for which the envelopes hold
    low: int
    high: int

    def legal(self) -> "Candidates":
        """Leave out the skip, which the rules do not offer."""
        legal = {a: e for a, e in self.envelopes.items() if a.kind is not Kind.SKIP}
        return self._replace(envelopes=legal)

    def advice(self, score: int) -> list[Advice]:
        """Judge each action at one score. A skip is judged, but never optimal: it is no move."""
        numerators = {a: value_at(e, score) for a, e in self.envelopes.items()}
        top = max(numerators[action] for action in self.legal().envelopes)
        return [
            Advice(
                action,
                mpq(worth, self.denominator),
                mpq(top - worth, self.denominator),
                action.kind is not Kind.SKIP and worth == top,
            )
            for action, worth in numerators.items()
        ]

    def optimal(self, score: int) -> tuple[Action, ...]:
        """List the optimal actions at one score, in the canonical order."""
        numerators = {a: value_at(e, score) for a, e in self.envelopes.items()}
        top = max(numerators.values())
        return tuple(action for action, worth in numerators.items() if worth == top)

    def lines(self) -> list[ScoreLine]:
        """Return the value of the best action as a function of the score."""
        upper = best(self.envelopes.values(), self.low, self.high)
        ends = [*(piece.start - 1 for piece in upper[1:]), self.high]
        return [
            ScoreLine(
                piece.start, end, mpq(piece.A, self.denominator), mpq(piece.B, self.denominator)
            )
            for piece, end in zip(upper, ends, strict=True)
        ]

    def choices(self) -> list[Choice]:
        """Return the optimal actions as a function of the score.

        An interval on which each action has one line, with the same optimal actions at both ends,
        has them throughout. Others are halved.
        """
        joined: list[Choice] = []
        waiting = [(self.low, self.high)]
        while waiting:
            low, high = waiting.pop()
            actions = self.optimal(low)
            if low < high and (actions != self.optimal(high) or self._bends(low, high)):
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]
            elif joined and joined[-1].actions == actions:
                joined[-1] = joined[-1]._replace(high=high)
            else:
                joined.append(Choice(low, high, actions))
        return joined

    def _bends(self, low: int, high: int) -> bool:
        return any(line_at(e, low) != line_at(e, high) for e in self.envelopes.values())
