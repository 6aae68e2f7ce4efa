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
from math import comb
from typing import Any, overload

from gmpy2 import mpq

from exactdice.arithmetic import rational
from exactdice.games.reroll.exact import END, decision_process, memory_estimate
from exactdice.games.reroll.rules import STANDARD, Positions, Roll, Rules
from exactdice.report.model import Report
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solvers.policy_iteration import policy_iteration
from exactdice.solvers.process import Choice, DecisionProcess
from exactdice.solvers.solution import Solution, solution_from_values

__all__ = ["Interval", "PenaltyIntervals", "penalty_intervals"]

# Measured: 3 dice of 6 sides, 2 of 10 and 1 of 150 have 56, 51 and 150 intervals, about as many as
# rolls, and each keeps 400 to 800 bytes a roll; at most 1000 are taken while they are found.
_BYTES_A_ROLL = 1000


@dataclass(frozen=True)
class Interval:
    """An open interval of the penalty on which the optimal policy stays the same.

    Parameters
    ----------
    above, below
        Its ends; `below` is None for the last, which has no upper end.
    total
        The expected total on sticking, from before the first roll.
    rerolls
        The expected number of rerolls. The game is worth total − penalty·rerolls.
    policy
        The first optimal action of each roll.
    optimal_actions
        All optimal actions of each roll, one for each different hold.
    changed
        Rolls at which the policy of the interval before is no longer optimal.
    """

    above: mpq
    below: mpq | None
    total: mpq
    rerolls: mpq
    policy: Mapping[Roll, Positions] = field(repr=False)
    optimal_actions: Mapping[Roll, tuple[Positions, ...]] = field(repr=False)
    changed: tuple[Roll, ...]

    def value(self, penalty: mpq) -> mpq:
        """Expected score of optimal play at a penalty of the interval, ends included."""
        return self.total - penalty * self.rerolls

    def __contains__(self, penalty: mpq) -> bool:
        return bool(self.above < penalty and (self.below is None or penalty < self.below))


@dataclass(frozen=True)
class PenaltyIntervals(Reported, Sequence[Interval]):
    """The intervals of one game from 0 upwards, the last without an upper end."""

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

    def report(self) -> Report:
        """Report the intervals and what changes between them."""
        from exactdice.games.reroll.reports import breakpoints_report

        return breakpoints_report(self)


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
    base = decision_process(rules, run)
    counting = base.restricted(_always, _rerolls_counted(rules))
    penalty = mpq(0)
    solution = policy_iteration(_at(base, rules, penalty))
    policy: Mapping[Any, Any] = solution.policy
    found: list[Interval] = []
    while True:
        slopes = _right_slopes(solution, rules, policy)
        step = _next_step(solution, slopes, counting)
        found.append(_interval(rules, penalty, step, solution, slopes, policy if found else None))
        sticking = sum(action == rules.sticking for action in found[-1].policy.values())
        run.tell("rolls on which play sticks", sticking, len(found[-1].policy))
        if step is None:
            return PenaltyIntervals(rules, tuple(found))
        policy = slopes.policy
        penalty += step
        values = [solution.values[state] + step * slopes.values[state] for state in base.states]
        solution = solution_from_values(
            _at(base, rules, penalty), values, "continuation", solution.iterations + 1
        )


def _always(_state: Any, _choice: Choice[Any]) -> bool:
    return True


def _is_reroll(rules: Rules, state: Any, choice: Choice[Any]) -> bool:
    return state != END and len(state) == rules.dice and choice.action != rules.sticking


def _at(base: DecisionProcess[Any], rules: Rules, penalty: mpq) -> DecisionProcess[Any]:
    """Put another penalty on every reroll."""

    def reward(state: Any, choice: Choice[Any]) -> mpq:
        return -penalty if _is_reroll(rules, state, choice) else rational(choice.reward)

    return base.restricted(_always, reward)


def _rerolls_counted(rules: Rules) -> Callable[[Any, Choice[Any]], int]:
    return lambda state, choice: -1 if _is_reroll(rules, state, choice) else 0


def _right_slopes(
    solution: Solution[Any], rules: Rules, policy: Mapping[Any, Any]
) -> Solution[Any]:
    """Fewest expected rerolls among the optimal policies, as negative values."""
    optimal = {state: set(actions) for state, actions in solution.optimal_actions.items()}

    def is_tied(state: Any, choice: Choice[Any]) -> bool:
        return choice.action in optimal[state]

    tied = solution.process.restricted(is_tied, _rerolls_counted(rules))
    return policy_iteration(tied, policy)


def _next_step(
    solution: Solution[Any], slopes: Solution[Any], counting: DecisionProcess[Any]
) -> mpq | None:
    """How far the penalty can grow before an action that falls short has caught up."""
    values = [solution.values[state] for state in counting.states]
    rates = [slopes.values[state] for state in counting.states]
    step = None
    for state, (offered, counted) in enumerate(
        zip(solution.process.moves, counting.moves, strict=True)
    ):
        for move, count in zip(offered, counted, strict=True):
            gained = count.expected_return(rates) - rates[state]
            if gained > 0:
                reached = (values[state] - move.expected_return(values)) / gained
                step = reached if step is None else min(step, reached)
    return step


def _interval(
    rules: Rules,
    above: mpq,
    step: mpq | None,
    solution: Solution[Any],
    slopes: Solution[Any],
    before: Mapping[Any, Any] | None,
) -> Interval:
    rerolls = -slopes.values[()]
    optimal = {roll: slopes.optimal_actions[roll] for roll in rules.rolls}
    return Interval(
        above=above,
        below=None if step is None else above + step,
        total=solution.values[()] + above * rerolls,
        rerolls=rerolls,
        policy={roll: slopes.policy[roll] for roll in rules.rolls},
        optimal_actions=optimal,
        changed=()
        if before is None
        else tuple(roll for roll in rules.rolls if before[roll] not in optimal[roll]),
    )
