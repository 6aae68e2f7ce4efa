"""Where the optimal actions depend on the score: the smallest state that play can reach."""

from collections.abc import Iterable
from itertools import pairwise

from exactdice.claims.model import Content
from exactdice.games.swe.claims.judging import OptimalPlay
from exactdice.games.swe.claims.maxims import scores_between
from exactdice.games.swe.optimum.exact import Dice, Solution
from exactdice.games.swe.optimum.reachable import Layer, layers, splits_of
from exactdice.games.swe.rules import State, weight


def first_splitting(solution: Solution, *, path: bool = False) -> list[Content] | None:
    """Find the smallest state at whose dice the optimal actions are not those at another score.

    >>> from exactdice.games.swe.optimum.exact import solve
    >>> from exactdice.games.swe.rules import Ladder
    >>> first_splitting(solve(4, Ladder(2, 9)))
    """
    splits = _splits(solution)
    whole = None if path else list(layers(solution.rounds - 1, solution.start))
    play = OptimalPlay(solution)
    for game in range(1, solution.rounds + 1):
        found = [
            state
            for played, layer in enumerate(whole[:game] if whole else play.layers(game))
            for state in _in_layer(splits, game, played, layer)
        ]
        if found:
            *_, revenue, legacy, score = min(found)
            return [game, min(found)[0], list(revenue), list(legacy), score]
    return None


def flip(solution: Solution, found: list[Content]) -> tuple[list[int], list[list[str]]]:
    """Return the first two scores next to each other with other optimal actions, and those."""
    rounds, played, revenue, legacy, _ = found
    state = State(tuple(revenue), tuple(legacy))
    *_, layer = layers(played, solution.start)
    splits = splits_of(state.dice)
    scores = layer[state.dice][splits.index(state.revenue)]
    left = rounds - played
    optimal = {
        score: [f"{action.kind.value} {action.rung}" for action in choice.actions]
        for choice in solution.choices(solution.with_least_score(state, left), left)
        for score in range(choice.low, choice.high + 1)
        if scores >> score & 1
    }
    below, above = next((x, y) for x, y in pairwise(optimal) if optimal[x] != optimal[y])
    return [below, above], [optimal[below], optimal[above]]


_Key = tuple[int, Dice, int]
_Sets = list[int]


def _splits(solution: Solution) -> dict[_Key, _Sets]:
    """For dice, split and rounds left: the scores at which each action is optimal, if they vary."""
    varying: dict[_Key, _Sets] = {}
    for dice, block_rounds in solution.blocks():
        tables = splits_of(dice)
        for now in block_rounds:
            for cell in range(tables.number):
                state = solution.with_least_score(tables.state(cell), now.left)
                choices = solution.candidates(state, now.left).choices()
                if len({choice.actions for choice in choices}) > 1:
                    sets: dict[object, int] = {}
                    for choice in choices:
                        for action in choice.actions:
                            scores = scores_between(choice.low, choice.high)
                            sets[action] = sets.get(action, 0) | scores
                    varying[now.left, dice, cell] = list(sets.values())
    return varying


def _in_layer(
    splits: dict[_Key, _Sets], game: int, played: int, layer: Layer
) -> Iterable[tuple[int, int, Dice, Dice, Dice, int]]:
    for (left, dice, cell), sets in splits.items():
        if left != game - played or dice not in layer:
            continue
        scores = layer[dice][cell]
        if any(scores & optimal and scores & ~optimal for optimal in sets):
            state = splits_of(dice).state(cell)
            lowest = (scores & -scores).bit_length() - 1
            yield played, weight(dice), dice, state.revenue, state.legacy, lowest
