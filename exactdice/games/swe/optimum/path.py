"""States and scores that occur under optimal play."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from exactdice.games.swe.optimum.envelope import OptimalInterval
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.reachable import Layer, layers
from exactdice.games.swe.rules import Action, State


def scores_between(low: int, high: int) -> int:
    """Return the whole scores from `low` to `high` as bits of an integer.

    >>> bin(scores_between(1, 3))
    '0b1110'
    """
    return ((1 << (high - low + 1)) - 1) << low


def optimal_scores(choices: Iterable[OptimalInterval]) -> dict[Action, int]:
    """Return for each optimal action the scores at which it is, as bits of an integer."""
    scores: dict[Action, int] = defaultdict(int)
    for choice in choices:
        for action in choice.actions:
            scores[action] |= scores_between(choice.low, choice.high)
    return dict(scores)


class OptimalPlay:
    """What occurs with positive probability under optimal actions, ties either way."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._masks: dict[tuple[State, int], dict[Action, int]] = {}

    def layers(self, game: int) -> Iterator[Layer]:
        """Yield what occurs after 0, 1, …, game − 1 rounds of a game of that many rounds."""

        def permitted(played: int, state: State, action: Action) -> int:
            return self._scores(state, game - played).get(action, 0)

        return layers(game - 1, self.solution.start, permitted=permitted)

    def _scores(self, state: State, left: int) -> dict[Action, int]:
        if (state, left) not in self._masks:
            first = self.solution.with_least_score(state, left)
            self._masks[state, left] = optimal_scores(self.solution.choices(first, left))
        return self._masks[state, left]
