"""Claims about optimal play of the software-engineering game, of its README and this package."""

from collections import deque
from functools import cache, partial
from itertools import pairwise

from exactdice.arithmetic import mpq, rational, text
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.reachable import (
    OptimalPlay,
    layers,
    optimal_scores,
    scores_between,
    splits_of,
)
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, ActionKind, Ladder, State, weight
from exactdice.studies.swe import maxims
from exactdice.studies.swe.maxims import settle
from finders.finding import Finding

_ROUNDS = 16
_ROUNDS_WITH_D10 = 12
_ROUNDS_UNIQUE = 10
_EXCEPTION = State((0, 1, 1, 0, 0), (0, 0, 0, 0, 0), 7)
_EXCEPTION_WITH_D10 = State((1, 6, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), 55)
_LONE = State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1)


@cache
def _solution(rounds, ladder=STANDARD):
    return solve(rounds, ladder)


def _judged(maxim, rounds=_ROUNDS, ladder=STANDARD):
    (judgement,) = settle(rounds, ladder, [maxim])
    return judgement


def _listed(maxim, rounds=_ROUNDS, ladder=STANDARD):
    judged = _judged(maxim, rounds, ladder)
    evidence = {
        "cases": judged.cases, "exceptions": judged.exceptions, "on_path": _written(judged.on_path),
        "smallest": _written(judged.counterexample),
    }  # fmt: skip
    return Finding("refuted" if judged.exceptions else f"verified up to {rounds}", evidence)


def _written(example):
    if example is None:
        return None
    state = example.state
    return [*(example.rounds, example.played, list(state.revenue), list(state.legacy), state.score)]


def _for_all(maxim):
    """What theorem 9 proves for all games, with the cases that were listed."""
    listed = _listed(maxim)
    return listed if listed.evidence["exceptions"] else listed._replace(verdict="proved")


def _fixing_is_unique():
    """Cases with legacy of several kinds, and those in which several fixes are optimal."""
    solution = _solution(_ROUNDS_UNIQUE)
    cases = exceptions = 0
    for played, layer in enumerate(layers(_ROUNDS_UNIQUE - 1, solution.start)):
        for dice, scores in layer.items():
            splits = splits_of(dice)
            for cell, reached in enumerate(scores):
                state = splits.state(cell)
                if not reached or sum(map(bool, state.legacy)) < 2:
                    continue
                for left in range(1, _ROUNDS_UNIQUE - played + 1):
                    first = solution.with_least_score(state, left)
                    others = sum(
                        scores_between(choice.low, choice.high)
                        for choice in solution.choices(first, left)
                        if len(choice.actions) > 1
                    )
                    cases += reached.bit_count()
                    exceptions += (reached & others).bit_count()
    evidence = {"cases": cases, "exceptions": exceptions, "on_path": None, "smallest": None}
    return Finding("open" if exceptions else "proved", evidence)


def _one_exception(longest, ladder, rounds, played, state):
    """Exceptions in short games, and the one state of a longer game in which there is one."""
    short = _judged(maxims.PROMOTE_LOWEST_IF_ANY, longest, ladder)
    moves = solve(rounds, ladder).actions(state, rounds - played)
    worth = {move.action: move.value for move in moves}
    lowest, other = (
        worth[Action(ActionKind.PROMOTE, rung)]
        for rung, number in enumerate(state.revenue)
        if number
    )
    best = max(worth.values())
    faces, dice = (",".join(map(str, numbers)) for numbers in (ladder, state.revenue))
    loss = text(mpq(10**5 * (best - lowest) // 1, 10**5))
    return Finding("refuted" if other == best > lowest else "open", {
        "checked_cases": short.cases, "checked_exceptions": short.exceptions,
        "loses_at_least": loss,
        "programs": [f"swe_bounds {faces} {rounds - played} {state.score} {dice} {loss}"],
        "state": [rounds, played, list(state.revenue), list(state.legacy), state.score],
    })  # fmt: skip


def _start(rounds, ladder=STANDARD):
    return _solution(rounds, ladder).value


def _ten_rounds():
    value, alone = _start(10), _start(10, Ladder(4))
    verdict = "proved" if value == alone else "refuted"
    return Finding(verdict, {"new_only": text(alone), "value": text(value)})


def _printed_optimum():
    printed = "20.483601957243238"
    off = abs(_start(10) - rational(printed))
    verdict = "proved" if off < mpq(1, 10**14) else "refuted"
    return Finding(verdict, {"off_by": text(off), "printed": printed})


def _until_eleven():
    is_equal = all(_start(rounds) == _start(rounds, Ladder(4)) for rounds in range(12))
    advice = _solution(12).actions(_LONE, 11)
    gain = max(move.value for move in advice) - advice[0].value
    twelve = _start(12) - _start(12, Ladder(4))
    return Finding(
        "proved" if is_equal and gain > 0 else "open",
        {"gain": text(gain), "last": 11, "twelve": text(twelve)},
    )


def first_splitting(solution, *, path=False):
    """Find the smallest state at whose dice the optimal actions are not those at another score."""
    splits = _splits(solution)
    whole = None if path else list(layers(solution.rounds - 1, solution.start))
    play = OptimalPlay(solution)
    for game in range(1, solution.rounds + 1):
        states = [
            state
            for now, layer in enumerate(whole[:game] if whole else play.layers(game))
            for state in _in_layer(splits, game, now, layer)
        ]
        if states:
            played, *_, revenue, legacy, score = min(states)
            return [game, played, list(revenue), list(legacy), score]
    return None


def flip(solution, smallest):
    """Return the first two scores next to each other with other optimal actions, and those."""
    rounds, played, revenue, legacy, _ = smallest
    state = State(tuple(revenue), tuple(legacy))
    (layer,) = deque(layers(played, solution.start), maxlen=1)
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


def _splits(solution):
    """For dice, split and rounds left: the scores at which each action is optimal, if they vary."""
    varying = {}
    for dice, block_rounds in solution.blocks():
        tables = splits_of(dice)
        for now in block_rounds:
            for cell in range(tables.number):
                state = solution.with_least_score(tables.state(cell), now.left)
                choices = solution.choices(state, now.left)
                if len({choice.actions for choice in choices}) > 1:
                    varying[now.left, dice, cell] = list(optimal_scores(choices).values())
    return varying


def _in_layer(splits, game, played, layer):
    for (left, dice, cell), sets in splits.items():
        if left != game - played or dice not in layer:
            continue
        scores = layer[dice][cell]
        if any(scores & optimal and scores & ~optimal for optimal in sets):
            state = splits_of(dice).state(cell)
            lowest = (scores & -scores).bit_length() - 1
            yield played, weight(dice), dice, state.revenue, state.legacy, lowest


def _score_never_matters():
    solution = _solution(_ROUNDS)
    smallest = first_splitting(solution)
    on_path = first_splitting(solution, path=True) if smallest else None
    if smallest is None:
        return Finding(f"verified up to {_ROUNDS}", {"on_path": None, "smallest": None})
    scores, optimal = flip(solution, smallest)
    return Finding(
        "refuted", {"flips": scores, "on_path": on_path, "optimal": optimal, "smallest": smallest}
    )


FINDERS = {
    "swe.fix-most-robust": partial(_for_all, maxims.FIX_MOST_ROBUST),
    "swe.fixing-is-unique": _fixing_is_unique,
    "swe.promote-lowest": partial(_listed, maxims.PROMOTE_LOWEST),
    "swe.promote-lowest-if-any": partial(_one_exception, _ROUNDS, STANDARD, 28, 5, _EXCEPTION),
    "swe.never-skip": partial(_for_all, maxims.NEVER_SKIP),
    "swe.d10-promote-lowest": partial(_listed, maxims.PROMOTE_LOWEST, _ROUNDS_WITH_D10, WITH_D10),
    "swe.d10-promote-lowest-if-any": partial(
        _one_exception, _ROUNDS_WITH_D10, WITH_D10, 30, 13, _EXCEPTION_WITH_D10,
    ),
    "swe.score-never-matters": _score_never_matters, "swe.ten-rounds": _ten_rounds,
    "swe.printed-optimum": _printed_optimum, "swe.new-only-until-eleven": _until_eleven,
}  # fmt: skip
