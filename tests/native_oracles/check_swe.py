"""The software-engineering game: every block's values as functions of the score, and the policy.

For each block, values right after the move that creates its dice are compared: at the smallest and
largest reachable score, where a line of either solution starts, and one below. The policy is
compared in every split of the dice; of all states, about `decisions` have their actions compared.
"""

from functools import partial
from math import prod

from gmpy2 import mpq

from exactdice.games.swe.optimum.envelope import value_at
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import (
    STANDARD,
    WITH_D10,
    Action,
    ActionKind,
    State,
    legal_actions,
    weight,
)
from exactdice.jobs.crosscheck import Case, Check, size_of
from exactdice.run import Run
from native_oracles import swe as native

__all__ = ["check_swe", "decisions_of", "ladder", "move_of"]


def check_swe(rounds, ladder=STANDARD, *, decisions=1500):
    check = Check("swe", size_of(rounds, ladder))
    exact = solve(rounds, ladder, run=Run(memory=None))
    doubles = native.solve(rounds, ladder)
    intervals = native.solve(rounds, ladder, intervals=True)
    bound = native.relative_bound(len(ladder), rounds)
    _compare_sizes(check, exact, doubles.sizes)
    check.number(
        "the optimum", exact.value, doubles.value.lower,
        (intervals.value.lower, intervals.value.upper), bound * exact.value,
    )  # fmt: skip
    for dice in exact.afterstates:
        _compare_values(check, exact, dice, doubles.compiled, intervals.compiled, bound)
    every = max(1, doubles.sizes.states // decisions)
    _compare_actions(check, exact, doubles.compiled, intervals.compiled, every)
    check.undecided += intervals.sizes.undecided
    return check


def _compare_sizes(check, exact, sizes):
    """Count the exact model from its own blocks and from the rules."""
    states = actions = 1  # the empty table, where one can only create
    for dice in exact.afterstates:
        layers = exact.rounds - weight(dice)
        splits = prod(number + 1 for number in dice)
        all_revenue = len(legal_actions(State(dice, (0,) * len(dice))))
        fixes = sum(splits // (number + 1) * number for number in dice)
        states += layers * splits
        actions += layers * (all_revenue + fixes)
    check.model_size("blocks", len(exact.afterstates) + 1, sizes.blocks)
    check.model_size("states", states, sizes.states)
    check.model_size("actions", actions, sizes.actions)


def _line(pieces, left, score):
    """Return the index of the line for some rounds left and a score, or of the first one."""
    of_state = (pieces["state"] == left).nonzero()[0]
    started = of_state[pieces["start"][of_state] <= score]
    return int(started[-1] if len(started) else of_state[0])


def _value(pieces, left, score):
    """Return bounds of the value, computed exactly from the bounds of its line."""
    index = _line(pieces, left, score)
    (A_low, A_high), (B_low, B_high) = pieces["A"], pieces["B"]
    return (
        mpq(A_low[index].item()) + mpq(B_low[index].item()) * score,
        mpq(A_high[index].item()) + mpq(B_high[index].item()) * score,
    )


def _compare_values(check, exact, dice, doubles, intervals, bound):
    middle, ends = doubles.afterstates(list(dice)), intervals.afterstates(list(dice))
    for left, afterstates in enumerate(exact.afterstates[dice], 1):
        low = int(middle["start"][_line(middle, left, 0)])
        high = native.greatest_score(exact.rounds - left, weight(dice), sum(dice))
        turns = {piece.start for piece in afterstates.envelope}
        turns |= set(middle["start"][middle["state"] == left].tolist())
        turns |= {turn - 1 for turn in turns} | {low, high}
        for score in sorted(turn for turn in turns if low <= turn <= max(low, high)):
            value = mpq(value_at(afterstates.envelope, score), afterstates.denominator)
            check.number(
                f"dice {dice}, {left} rounds left, score {score}", value,
                _value(middle, left, score)[0], _value(ends, left, score), bound * value,
            )  # fmt: skip


def decisions_of(compiled, dice):
    """Yield rounds left, state, move taken, moves possible, and highest score of each choice."""
    block = compiled.block(list(dice))
    choices = block["choices"]
    for index in range(len(choices["state"])):
        entry = choices["state"][index]
        revenue = tuple(block["revenue"][entry].tolist())
        legacy = tuple(t - r for t, r in zip(dice, revenue, strict=True))
        yield (
            int(block["left"][entry]), State(revenue, legacy, int(choices["low"][index])),
            int(choices["taken"][index]), int(choices["possible"][index]),
            int(choices["high"][index]),
        )  # fmt: skip


def move_of(state, number):
    """Return the move with a number in the C++ solvers."""
    if any(state.legacy):
        return Action(ActionKind.FIX, number)
    return Action(ActionKind.PROMOTE, number - 1) if number else Action(ActionKind.CREATE)


def _compare_actions(check, exact, doubles, intervals, every):
    count = 0
    empty = (0,) * len(exact.ladder)
    for dice in [empty, *sorted(exact.afterstates)]:
        both = zip(decisions_of(doubles, dice), decisions_of(intervals, dice), strict=False)
        for (left, state, taken, _, high), enclosed in both:
            count += 1
            if count % every:
                continue
            for score in {state.score, high}:
                here = state._replace(score=score)
                optimal = [a.action for a in exact.actions(here, left) if a.optimal]
                name = f"{here}, {left} rounds left"
                check.action(name, move_of(state, taken), optimal)
                same = enclosed[:2] == (left, state) and enclosed[4] == high
                for action in optimal if same else ():
                    if not any(
                        enclosed[3] >> number & 1 and move_of(state, number) == action
                        for number in range(len(empty) + 1)
                    ):
                        check.excluded(name, action)


def ladder():
    yield Case("swe", "9 rounds with the d10", partial(check_swe, 9, WITH_D10))
    for rounds in (5, 10, 14, 22, 30):
        yield Case("swe", f"{rounds} rounds", partial(check_swe, rounds), rounds > 14)
