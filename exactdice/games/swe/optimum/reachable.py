r"""Reachable states, scores included.

The reachable scores with given dice are stored as an integer whose bit *s* stands for the score
*s*. A die that shows 1 moves a set to the split with one revenue die less, a roll with *c*
survivors shifts it by *c*, and a catastrophe leaves only the score 0.

Without the scores, the tables can be counted. Let a die on rung i = 1, …, K weigh i. The pair
(revenue, legacy) is a point of :math:`\mathbb N^{2K}`. Its weight, Σ i·(revenue_i + legacy_i),
rises by exactly 1 in a round that begins without legacy and stays the same in one with legacy.

If every die can fail and can survive, after t ≥ 1 rounds exactly the pairs of weight 1 to t can
be reached (theorem 6 of `proofs/theorems/THEOREMS.md`): the lattice points of a simplex in 2K
dimensions, without the origin.

So the 10-dimensional simplex that the game's README looks for exists: with five rungs its weights
are 1, 1, 2, 2, 3, 3, 4, 4, 5, 5.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import prod
from typing import TypeAlias

from exactdice.arithmetic import natural
from exactdice.games.swe import rules
from exactdice.games.swe.optimum.envelope import OptimalInterval
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.rules import STANDARD, Action, Dice, Ladder, State
from exactdice.symbolic.ehrhart import Simplex, ehrhart
from exactdice.symbolic.statements import Statement, statements

_MAX_LISTED = 200_000  # multisets of dice in a simplex that is searched for sources

#: Scores of each split, as bits of an integer, by dice.
Layer: TypeAlias = dict[Dice, list[int]]

#: The scores at which an action is permitted, given rounds played, the state and the action.
Permitted: TypeAlias = Callable[[int, State, Action], int]


class Splits:
    """The ways to split some dice into revenue and legacy, numbered from all legacy to none."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.number = prod(number + 1 for number in dice)
        self.strides: list[int] = []
        stride = 1
        for number in dice:
            self.strides.append(stride)
            stride *= number + 1
        self.revenue_dice = [sum(self.revenue(index)) for index in range(self.number)]

    def revenue(self, index: int) -> Dice:
        return tuple(
            index // stride % (number + 1)
            for stride, number in zip(self.strides, self.dice, strict=True)
        )

    def index(self, revenue: Dice) -> int:
        return sum(stride * kept for stride, kept in zip(self.strides, revenue, strict=True))

    def state(self, index: int, score: int = 0) -> State:
        revenue = self.revenue(index)
        legacy = tuple(number - kept for number, kept in zip(self.dice, revenue, strict=True))
        return State(revenue, legacy, score)

    def fixed(self, scores: list[int]) -> list[int]:
        after = [0] * self.number
        for stride, number in zip(self.strides, self.dice, strict=True):
            row = stride * (number + 1)
            for index in range(stride, self.number) if number else ():
                if index % row >= stride:
                    after[index] |= scores[index - stride]
        return after

    def rolled(self, scores: list[int]) -> list[int]:
        scores = list(scores)
        for stride, number in zip(self.strides, self.dice, strict=True):
            row = stride * (number + 1)
            for index in range(self.number - 1, -1, -1) if number else ():
                if scores[index] and index % row >= stride:
                    scores[index - stride] |= scores[index]
        after = [some << kept for some, kept in zip(scores, self.revenue_dice, strict=True)]
        after[0] = 1 if scores[0] else 0
        return after


splits_of = lru_cache(maxsize=8192)(Splits)


def layers(
    rounds: int,
    start: State,
    *,
    permitted: Permitted | None = None,
    only: frozenset[Dice] | None = None,
) -> Iterator[Layer]:
    """Yield the reachable states after 0, 1, …, `rounds` rounds."""
    splits = splits_of(start.dice)
    layer = {start.dice: [0] * splits.number}
    layer[start.dice][splits.index(start.revenue)] = 1 << start.score
    yield layer
    for played in range(rounds):
        moved: Layer = {}
        for dice, scores in layer.items():
            splits = splits_of(dice)
            if permitted is None:
                fixed, there = splits.fixed(scores), moved.get(dice, [0] * splits.number)
                if any(fixed):
                    moved[dice] = [a | b for a, b in zip(there, fixed, strict=True)]
                scores = [*[0] * (splits.number - 1), scores[-1]]
            for index, some in enumerate(scores):
                if some:
                    _move(moved, splits.state(index), some, played, permitted, only)
        layer = {dice: splits_of(dice).rolled(scores) for dice, scores in moved.items()}
        yield layer


def _move(
    moved: Layer,
    state: State,
    scores: int,
    played: int,
    permitted: Permitted | None,
    only: frozenset[Dice] | None,
) -> None:
    for action in rules.legal_actions(state):
        chosen = scores & permitted(played, state, action) if permitted else scores
        after = rules.act(state, action)
        dice = after.dice
        if chosen and (only is None or dice in only):
            splits = splits_of(dice)
            moved.setdefault(dice, [0] * splits.number)[splits.index(after.revenue)] |= chosen


def can_be_reached(state: State, played: int, ladder: Ladder = STANDARD) -> bool:
    """Whether a state is reachable after some rounds; a step for each round and split of dice."""
    state, played = rules.check_state(*state, ladder), natural(played, "rounds played")
    if rules.weight(state.dice) > played:
        return False
    (last,) = deque(layers(played, rules.empty_table(ladder), only=_sources(state.dice)), maxlen=1)
    return _holds(last, state)


def first_reached(state: State, ladder: Ladder = STANDARD) -> int | None:
    """Return the fewest rounds to a state, at most weight plus score; None if unreachable."""
    state = rules.check_state(*state, ladder)
    rounds = rules.weight(state.dice) + state.score
    several = layers(rounds, rules.empty_table(ladder), only=_sources(state.dice))
    return next((played for played, layer in enumerate(several) if _holds(layer, state)), None)


def search_steps(state: State, rounds: int) -> int:
    """Return the steps of a search for a state; a lower bound if its dice are too many to list."""
    several = Simplex(range(1, len(state.revenue) + 1), rules.weight(state.dice)).size
    if several > _MAX_LISTED:
        return several * rounds
    return rounds * sum(prod(n + 1 for n in dice) for dice in _sources(state.dice))


def _holds(layer: Layer, state: State) -> bool:
    scores = layer.get(state.dice)
    index = splits_of(state.dice).index(state.revenue)
    return scores is not None and bool(scores[index] >> state.score & 1)


def _sources(dice: Dice) -> frozenset[Dice]:
    known, waiting = {dice}, [dice]
    while waiting:
        later = waiting.pop()
        for rung, number in enumerate(later):
            if number:
                earlier = list(later)
                earlier[rung] -= 1
                if rung:
                    earlier[rung - 1] += 1
                if tuple(earlier) not in known:
                    known.add(tuple(earlier))
                    waiting.append(tuple(earlier))
    return frozenset(known)


def split_weights(rungs: int = 5) -> tuple[int, ...]:
    return tuple(rung for rung in range(1, natural(rungs, "rungs", least=1) + 1) for _ in range(2))


def reachability(rungs: int = 5) -> Statement:
    simplex = ehrhart(*split_weights(rungs)).latex("t")
    return statements("exactdice.games.swe", "reachability", rungs=rungs, simplex=simplex)[0]


def scores_between(low: int, high: int) -> int:
    """Return the scores from `low` to `high` as bits of an integer."""
    return ((1 << (high - low + 1)) - 1) << low


def optimal_scores(choices: Iterable[OptimalInterval]) -> dict[Action, int]:
    """Return the scores, as bits of an integer, at which each action is optimal."""
    scores: dict[Action, int] = defaultdict(int)
    for choice in choices:
        for action in choice.actions:
            scores[action] |= scores_between(choice.low, choice.high)
    return dict(scores)


class OptimalPlay:
    """The states of positive probability under optimal actions, with ties broken in all ways."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._masks: dict[tuple[State, int], dict[Action, int]] = {}

    def layers(self, game: int) -> Iterator[Layer]:
        def permitted(played: int, state: State, action: Action) -> int:
            return self._scores(state, game - played).get(action, 0)

        return layers(game - 1, self.solution.start, permitted=permitted)

    def _scores(self, state: State, left: int) -> dict[Action, int]:
        if (state, left) not in self._masks:
            first = self.solution.with_least_score(state, left)
            self._masks[state, left] = optimal_scores(self.solution.choices(first, left))
        return self._masks[state, left]
