r"""The exact optimum of the software-engineering game, with its policy.

The states fall into blocks (`exactdice.games.swe.optimum.block`). A creation or a promotion raises
the *weight* of the dice, Σ (rung + 1)·number, by exactly 1. So the blocks are solved in order of
descending weight, and each needs from the next weight only the values right after a creation or a
promotion, without legacy. A `Solution` keeps only those; the values and optimal actions of any
state follow by solving its block in milliseconds. Every legal action is compared. The scores run
over bounds of the reachable ones; other states get a solution of their own.

Cost. With the standard ladder the blocks of R rounds are the lattice points of a simplex of
dimension 5, so their number grows as :math:`R^5/14400`, and the work faster (`benchmarks/swe.py`).
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import TypeAlias

from exactdice.arithmetic import mpq, natural, significant
from exactdice.games.swe import rules
from exactdice.games.swe.optimum.block import (
    BlockRound,
    Exact,
    ScoreBounds,
    StateBlock,
    over_one_denominator,
)
from exactdice.games.swe.optimum.envelope import Advice, Candidates, OptimalInterval, best
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Dice, Ladder, State
from exactdice.memory import MEMORY_LIMIT, stored_bytes
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import Simplex

Afterstates: TypeAlias = Mapping[Dice, tuple[Exact, ...]]

_BLOCKS_KEPT = 64  # solved blocks in a solution, for questions about neighbouring states
_ELSEWHERE_KEPT = 8  # solutions from states that another one does not cover


def successors(dice: Dice) -> list[Dice]:
    """List the dice after each creation or promotion, in the canonical order."""
    whole = State(dice, (0,) * len(dice))
    return [rules.act(whole, action).revenue for action in rules.legal_actions(whole)]


@dataclass(frozen=True, repr=False, eq=False)
class Solution(Reported, by="exactdice.games.swe.reports:values_report"):
    """The optimum of a game, with its policy; returned by `solve`."""

    rounds: int
    ladder: Ladder
    start: State
    # values right after the move that made the dice, without legacy, with 1, 2, … rounds left
    afterstates: Afterstates
    memory: int | None = MEMORY_LIMIT  # bytes for states that this solution does not cover
    _solved: "OrderedDict[Dice, list[BlockRound]]" = field(init=False, default_factory=OrderedDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "afterstates", MappingProxyType(self.afterstates))

    def __repr__(self) -> str:
        return f"Solution({self.rounds} rounds, {self.ladder}, value {significant(self.value, 10)})"

    @property
    def value(self) -> mpq:
        """The expected final score from the start under optimal play."""
        return self.value_at(self.start, self.rounds)

    def value_at(self, state: State, left: int) -> mpq:
        if left == 0:
            return mpq(rules.check_state(*state, self.ladder).score)
        return max(advice.value for advice in self.actions(state, left))

    def actions(self, state: State, left: int, *, skip: bool = False) -> list[Advice]:
        return self.candidates(state, left, skip=skip).advice(state.score)

    def optimal_action(self, state: State, left: int) -> Action:
        return self.candidates(state, left).optimal(state.score)[0]

    def choices(self, state: State, left: int) -> list[OptimalInterval]:
        """Return the optimal actions at the dice of a state as a function of the score.

        The scores include all that play from the start can reach there. If it cannot reach the
        score of `state`, they are those of a solution that starts there.
        """
        return self.candidates(state, left).choices()

    def candidates(self, state: State, left: int, *, skip: bool = False) -> Candidates:
        state = rules.check_state(*state, self.ladder)
        left = natural(left, "rounds left", least=1, most=self.rounds)
        if not self.covers(state, left):
            there = _solve_elsewhere(left, self.ladder, state, self.memory)
            return there.candidates(state, left, skip=skip)
        worth: dict[Action, Exact] = {}
        for action in rules.legal_actions(state, skip=skip):
            if action.kind in {ActionKind.FIX, ActionKind.SKIP}:
                now = self.block_rounds(state.dice)[left - 1]
                cell = now.block.cell(rules.act(state, action).revenue)
                worth[action] = Exact(now.denominator, now.after_move(cell))
            else:
                worth[action] = self.afterstates[rules.act(state, action).revenue][left - 1]
        common, envelopes = over_one_denominator(worth.values())
        of_actions = dict(zip(worth, envelopes, strict=True))
        return Candidates(common, of_actions, *self._score_range(state, left))

    def with_least_score(self, state: State, left: int) -> State:
        return state._replace(score=self._score_range(state, left)[0])

    def covers(self, state: State, left: int) -> bool:
        """Whether the solution has the value of a state, as it has of all reachable ones."""
        played = self.rounds - left
        if played == 0:
            return state == self.start
        gained = rules.weight(state.dice) - rules.weight(self.start.dice)
        most = min(sum(self.start.revenue) + played, sum(state.dice))
        low, high = self._score_range(state, left)
        return (
            (state.dice in self.afterstates or state.dice == self.start.dice)
            and gained <= played
            and sum(state.revenue) <= most
            and low <= state.score <= high
        )

    def block_rounds(self, dice: Dice) -> list[BlockRound]:
        if dice in self._solved:
            self._solved.move_to_end(dice)
        else:
            gained = rules.weight(dice) - rules.weight(self.start.dice)
            bounds, left = ScoreBounds.from_start(self.start), self.rounds - gained
            block = _block(dice, left, self.afterstates, self.rounds, self.ladder, bounds)
            self._solved[dice] = list(block.backwards())
            if len(self._solved) > _BLOCKS_KEPT:
                self._solved.popitem(last=False)
        return self._solved[dice]

    def blocks(self) -> "Iterator[tuple[Dice, list[BlockRound]]]":
        for level, several in enumerate(dice_by_level(self.start.dice, self.rounds)):
            if level < self.rounds:
                for dice in sorted(several):
                    yield dice, self.block_rounds(dice)

    def _score_range(self, state: State, left: int) -> tuple[int, int]:
        bounds = ScoreBounds.from_start(self.start)
        return bounds.between(self.rounds - left, state.dice, sum(state.revenue))


def solve(
    rounds: int, ladder: Ladder = STANDARD, start: State | None = None, run: Run = DEFAULT
) -> Solution:
    """Find the exact optimum of a game; from the empty table unless a start is given."""
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    start = rules.empty_table(ladder) if start is None else rules.check_state(*start, ladder)
    run.require(memory_estimate(rounds, ladder, start), f"the optimum of {rounds} rounds")
    bounds = ScoreBounds.from_start(start)
    afterstates: dict[Dice, tuple[Exact, ...]] = {}
    levels = dice_by_level(start.dice, rounds)
    blocks = sum(map(len, levels[1:]))
    for level in range(rounds, 0, -1):
        for dice in levels[level]:
            block = _block(dice, rounds - level, afterstates, rounds, ladder, bounds)
            afterstates[dice] = tuple(block.afterstate_values())
        run.tell("blocks", len(afterstates), blocks)
    return Solution(rounds, ladder, start, afterstates, memory=run.memory)


@lru_cache(maxsize=_ELSEWHERE_KEPT)
def _solve_elsewhere(left: int, ladder: Ladder, state: State, memory: int | None) -> Solution:
    return solve(left, ladder, state, Run(memory))


def dice_by_level(start: Dice, rounds: int) -> list[set[Dice]]:
    """Return the multisets of dice after 0, 1, …, `rounds` creations and promotions."""
    levels = [{start}]
    for _ in range(rounds):
        levels.append({after for dice in levels[-1] for after in successors(dice)})
    return levels


def _block(
    dice: Dice,
    left: int,
    afterstates: Afterstates,
    rounds: int,
    ladder: Ladder,
    bounds: ScoreBounds,
) -> StateBlock:
    all_revenue_values = []
    for now in range(1, left + 1):
        common, moves = over_one_denominator(afterstates[end][now - 1] for end in successors(dice))
        low, high = bounds.between(rounds - now, dice, sum(dice))
        all_revenue_values.append(Exact(common, best(moves, low, high)))
    return StateBlock(dice, ladder, all_revenue_values, rounds, bounds)


def memory_estimate(rounds: int, ladder: Ladder, start: State) -> int:
    """Estimate the bytes: three integers a multiset and round left, and the largest block."""
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    start = rules.check_state(*start, ladder)
    face_bits = ladder[-1].bit_length()
    levels = Simplex(range(1, len(ladder) + 1), rounds).level_counts()
    values = sum(count * (rounds - level + 1) for level, count in enumerate(levels))
    kept = stored_bytes(3 * values, rounds * rounds * face_bits // 10) + 300 * values
    cells = prod(number + 1 for number in start.dice)
    slot_bits = (sum(start.dice) + rounds) * (rounds + 1) * face_bits
    return kept + 4 * (rounds + 1) * cells * slot_bits // 8
