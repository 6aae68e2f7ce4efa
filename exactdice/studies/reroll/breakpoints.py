r"""Penalties at which the optimal policy of the reroll game changes, exactly.

For a fixed policy every value is affine in the penalty λ: the expected total minus λ times the
expected number of rerolls. So the optimal value V(λ) is convex and piecewise affine, and between
two breakpoints the set of optimal actions of each state is constant. The range λ > 0 is swept from
the left:

* Just above λ₀ a policy is optimal if it is optimal at λ₀ and has the fewest expected rerolls of
  all such policies. This is a Markov decision process with the actions that are optimal at λ₀ and
  cost 1 for each reroll. Its values are the slopes of V to the right of λ₀.
* Values and slopes give the penalty at which each other action becomes optimal. The smallest above
  λ₀ is the next breakpoint. If there is none, the policy, which always sticks, stays optimal.

It starts from λ₀ = 0, where the value of every state is the best score reachable from it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, overload

from exactdice.arithmetic import RationalLike, mpq
from exactdice.games.reroll.exact import END, as_model, memory_estimate, solved_exactly
from exactdice.games.reroll.rules import STANDARD, Positions, RerollRules, Roll
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import valued
from exactdice.solve.turns import Choice, End

# Measured: 3 dice of 6 sides, 2 of 10 and 1 of 150 have 56, 51 and 150 intervals, about as many as
# rolls; each keeps 400 to 800 bytes a roll, and at most 1000 during the computation.
_BYTES_A_ROLL = 1000


@dataclass(frozen=True)
class Interval:
    """An open interval of the penalty on which the optimal policy stays the same."""

    above: mpq
    below: mpq | None  # None if unlimited
    total: mpq  # the expected total when sticking, before the first roll
    rerolls: mpq  # the expected number of rerolls; the value is total − penalty·rerolls
    policy: Mapping[Roll, Positions] = field(repr=False)  # the first optimal action of each roll
    # all optimal actions of each roll, one for each different hold
    optimal_actions: Mapping[Roll, tuple[Positions, ...]] = field(repr=False)
    changed: tuple[Roll, ...]  # rolls at which the previous policy is no longer optimal

    def value(self, penalty: mpq) -> mpq:
        return self.total - penalty * self.rerolls

    def __contains__(self, penalty: mpq) -> bool:
        return bool(self.above < penalty and (self.below is None or penalty < self.below))


@dataclass(frozen=True)
class PenaltyIntervals(
    Reported, Sequence[Interval], by="exactdice.studies.reroll.questions:breakpoints_report"
):
    """The intervals of one game from 0 upwards, the last one unlimited."""

    rules: RerollRules
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


def penalty_intervals(rules: RerollRules = STANDARD, run: Run = DEFAULT) -> PenaltyIntervals:
    """Divide the range of the penalty into intervals with one optimal policy each.

    Ignores the penalty of `rules`. Takes one exact policy iteration for each interval. Raises
    TooLargeError if the memory limit is too small.
    """
    states = comb(rules.dice + rules.sides - 1, rules.dice)
    run.require(
        memory_estimate(rules) + states**2 * _BYTES_A_ROLL,
        f"a list of the policies of {rules.dice} dice of {rules.sides} sides",
    )
    game = _Game(rules, as_model(rules, run))
    counting = game.counting_rerolls()
    penalty = mpq(0)
    best = solved_exactly(game.paying(penalty))
    intervals: list[Interval] = []
    while True:
        optimal = {roll: best.optimal_actions(roll) for roll in rules.rolls}
        slopes = solved_exactly(game.counting_rerolls(optimal))
        step = _next_step(best, slopes, counting)
        before = intervals[-1].policy if intervals else None
        intervals.append(_interval(rules, penalty, step, best, slopes, before))
        sticking = sum(action == rules.sticking for action in intervals[-1].policy.values())
        run.tell("rolls on which play sticks", sticking, len(intervals[-1].policy))
        if step is None:
            return PenaltyIntervals(rules, tuple(intervals))
        penalty += step
        pairs = zip(best.lower, slopes.lower, strict=True)
        best = valued(game.paying(penalty), [value + step * slope for value, slope in pairs])


class _Game:
    """The states of a game and their choices, for models with other rewards."""

    def __init__(self, rules: RerollRules, base: Model[Any]) -> None:
        self.rules, self.states = rules, base.states
        self.choices: dict[Any, Any] = {s: base.game.moves(s) for s in base.states if s != END}

    def paying(self, penalty: mpq) -> Model[Any]:
        return self._model(-penalty, 1, {})

    def counting_rerolls(self, only: Mapping[Any, Collection[Any]] | None = None) -> Model[Any]:
        """Return the game in which a reroll costs 1 and nothing pays; with the actions `only`."""
        return self._model(mpq(-1), 0, only or {})

    def _model(self, reroll: mpq, points: int, only: Mapping[Any, Collection[Any]]) -> Model[Any]:
        rules = self.rules

        def paid(state: Any, choice: Choice[Any]) -> RationalLike:
            is_reroll = len(state) == rules.dice and choice.action != rules.sticking
            return reroll if is_reroll else points * choice.reward

        def moves(state: Any) -> Any:
            if state == END:
                return End(0)
            return [
                Choice(choice.action, paid(state, choice), choice.successors)
                for choice in self.choices[state]
                if state not in only or choice.action in only[state]
            ]

        return Game((), moves).explored(Run(memory=None), also=self.states)


def _next_step(best: Optimum[Any], slopes: Optimum[Any], counting: Model[Any]) -> mpq | None:
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
    rules: RerollRules,
    above: mpq,
    step: mpq | None,
    best: Optimum[Any],
    slopes: Optimum[Any],
    before: Mapping[Any, Any] | None,
) -> Interval:
    rerolls = (-slopes.value).exact
    optimal = {roll: slopes.optimal_actions(roll) for roll in rules.rolls}
    return Interval(
        above=above,
        below=None if step is None else above + step,
        total=best.value.exact + above * rerolls,
        rerolls=rerolls,
        policy={roll: slopes.action(roll) for roll in rules.rolls},
        optimal_actions=optimal,
        changed=()
        if before is None
        else tuple(roll for roll in rules.rolls if before[roll] not in optimal[roll]),
    )
