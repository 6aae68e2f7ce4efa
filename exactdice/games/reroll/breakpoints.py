r"""Where the optimal policy of the reroll game changes with the penalty, exactly.

For a fixed policy every value is affine in the penalty λ: the expected total less λ times the
expected number of rerolls. So the optimal value V(λ) is convex and piecewise affine, and between
two of its breakpoints the set of optimal actions of each state does not change. The whole range
λ > 0 is swept from the left:

* just above a penalty λ₀, a policy is optimal if it is optimal at λ₀ and, among the policies that
  are, has the fewest expected rerolls. That is a decision process of its own: the actions that are
  optimal at λ₀, each reroll costing 1. Its values are the slopes of V to the right of λ₀;
* with values and slopes, every other action has a penalty at which it would catch up, and the
  least of them above λ₀ is the next breakpoint. Where there is none, the policy is optimal for all
  greater penalties; it sticks on everything, in the end.

It starts from λ₀ = 0, where every state is worth the best score that can be reached from it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import Any, ClassVar, overload

from exactdice.arithmetic import RationalLike, mpq
from exactdice.enclosure import point_of
from exactdice.games.reroll.exact import END, as_model, memory_estimate, solved_exactly
from exactdice.games.reroll.rules import STANDARD, Positions, Roll, Rules
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import valued
from exactdice.solve.turns import Choice, End

# Measured: 3 dice of 6 sides, 2 of 10 and 1 of 150 have 56, 51 and 150 intervals, about as many as
# rolls, and each keeps 400 to 800 bytes a roll; at most 1000 are taken while they are found.
_BYTES_A_ROLL = 1000


@dataclass(frozen=True)
class Interval:
    """An open interval of the penalty on which the optimal policy stays the same."""

    # above, below: its ends; `below` is None for the last, which has no upper end
    above: mpq
    below: mpq | None
    total: mpq  # the expected total on sticking, from before the first roll
    rerolls: mpq  # the expected number of rerolls. The game is worth total − penalty·rerolls
    policy: Mapping[Roll, Positions] = field(repr=False)  # the first optimal action of each roll
    # all optimal actions of each roll, one for each different hold
    optimal_actions: Mapping[Roll, tuple[Positions, ...]] = field(repr=False)
    # rolls at which the policy of the interval before is no longer optimal
    changed: tuple[Roll, ...]

    def value(self, penalty: mpq) -> mpq:
        """Expected score of optimal play at a penalty of the interval, ends included."""
        return self.total - penalty * self.rerolls

    def __contains__(self, penalty: mpq) -> bool:
        return bool(self.above < penalty and (self.below is None or penalty < self.below))


@dataclass(frozen=True)
class PenaltyIntervals(Reported, Sequence[Interval]):
    """The intervals of one game from 0 upwards, the last without an upper end."""

    reported_by: ClassVar = "exactdice.games.reroll.reports:breakpoints_report"

    rules: Rules
    intervals: tuple[Interval, ...] = field(repr=False)

    @overload
    def __getitem__(self, place: int) -> Interval: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Interval, ...]: ...

    def __getitem__(self, place: int | slice) -> Interval | tuple[Interval, ...]:
        return self.intervals[place]

    def __len__(self) -> int:
        return len(self.intervals)

    def __str__(self) -> str:
        return f"{len(self)} intervals of the penalty"


def penalty_intervals(rules: Rules = STANDARD, run: Run = DEFAULT) -> PenaltyIntervals:
    """Divide the range of the penalty into intervals with one optimal policy each.

    Parameters
    ----------
    rules
        The game; its own penalty plays no part.
    run
        Limits the memory; hears for each interval on how many rolls its policy sticks, and how many
        there are: in the last it sticks on all.

    Returns
    -------
    PenaltyIntervals
        A sequence of them, from 0 upwards.

    Raises
    ------
    TooLargeError
        If the intervals with their policies would take more memory than the limit.

    Notes
    -----
    One exact policy iteration for each interval, on the actions that are tied at its lower end.

    Examples
    --------
    One coin with values 1 and 2: throw a 1 again as long as that costs less than 1/2.

    >>> [(str(i.above), str(i.below), i.policy[(1,)])
    ...     for i in penalty_intervals(Rules(dice=1, sides=2))]
    [('0', '1/2', ()), ('1/2', 'None', (0,))]
    """
    states = comb(rules.dice + rules.sides - 1, rules.dice)
    run.require(
        memory_estimate(rules) + states**2 * _BYTES_A_ROLL,
        f"a list of the policies of {rules.dice} dice of {rules.sides} sides",
    )
    base = as_model(rules, run)
    choices = cache(base.game.moves)
    counting = _restricted(base, choices, _rerolls_counted(rules))
    penalty = mpq(0)
    model = _restricted(base, choices, _priced(rules, penalty))
    best = solved_exactly(model)
    intervals: list[Interval] = []
    while True:
        slopes = _right_slopes(best, choices, _rerolls_counted(rules))
        step = _next_step(best, slopes, counting)
        before = intervals[-1].policy if intervals else None
        intervals.append(_interval(rules, penalty, step, best, slopes, before))
        sticking = sum(action == rules.sticking for action in intervals[-1].policy.values())
        run.tell("rolls on which play sticks", sticking, len(intervals[-1].policy))
        if step is None:
            return PenaltyIntervals(rules, tuple(intervals))
        penalty += step
        model = _restricted(base, choices, _priced(rules, penalty))
        pairs = zip(best.lower, slopes.lower, strict=True)
        best = valued(model, [value + step * slope for value, slope in pairs])


def _restricted(
    base: Model[Any],
    choices: Callable[[Any], Any],
    reward: Callable[[Any, Choice[Any]], RationalLike],
    keep: Callable[[Any, Choice[Any]], bool] = lambda _state, _choice: True,
) -> Model[Any]:
    """The same states with other rewards, and perhaps only some of the choices."""

    def moves(state: Any) -> Any:
        if state == END:
            return End(0)
        return [
            Choice(choice.action, reward(state, choice), choice.successors)
            for choice in choices(state)
            if keep(state, choice)
        ]

    return Game(base.game.initial, moves).explored(Run(memory=None), also=base.states)


def _is_reroll(rules: Rules, state: Any, choice: Choice[Any]) -> bool:
    return len(state) == rules.dice and choice.action != rules.sticking


def _priced(rules: Rules, penalty: mpq) -> Callable[[Any, Choice[Any]], RationalLike]:
    """Put another penalty on every reroll."""
    return lambda state, choice: -penalty if _is_reroll(rules, state, choice) else choice.reward


def _rerolls_counted(rules: Rules) -> Callable[[Any, Choice[Any]], RationalLike]:
    return lambda state, choice: -1 if _is_reroll(rules, state, choice) else 0


def _right_slopes(
    best: Optimum[Any],
    choices: Callable[[Any], Any],
    reward: Callable[[Any, Choice[Any]], RationalLike],
) -> Optimum[Any]:
    """Fewest expected rerolls among the optimal policies, as negative values."""
    optimal = {state: best.optimal_actions(state) for state in best.model.states}
    tied = _restricted(
        best.model, choices, reward, lambda state, choice: choice.action in optimal[state]
    )
    return solved_exactly(tied)


def _next_step(best: Optimum[Any], slopes: Optimum[Any], counting: Model[Any]) -> mpq | None:
    """How far the penalty can grow before an action that falls short has caught up."""
    values, rates, arena = best.lower, slopes.lower, counting.arena
    step = None
    for state in range(len(arena)):
        for move in arena.moves(state):
            gained = arena.returned(move, rates) - rates[state]
            if gained > 0:
                reached = (values[state] - best.arena.returned(move, values)) / gained
                step = reached if step is None else min(step, reached)
    return step


def _interval(
    rules: Rules,
    above: mpq,
    step: mpq | None,
    best: Optimum[Any],
    slopes: Optimum[Any],
    before: Mapping[Any, Any] | None,
) -> Interval:
    rerolls = point_of(-slopes.value)
    optimal = {roll: slopes.optimal_actions(roll) for roll in rules.rolls}
    return Interval(
        above=above,
        below=None if step is None else above + step,
        total=point_of(best.value) + above * rerolls,
        rerolls=rerolls,
        policy={roll: slopes.action(roll) for roll in rules.rolls},
        optimal_actions=optimal,
        changed=()
        if before is None
        else tuple(roll for roll in rules.rolls if before[roll] not in optimal[roll]),
    )
