"""Policies by name: those of the README, and Optimal, which is solved before it is evaluated.

Optimal plays the first optimal action in the canonical order: among equals it creates, and fixes
the highest rung. Its choices depend on the score only if a catastrophe is near enough to matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.distributions.evaluation import WORK_LIMIT, Evaluation, evaluate
from exactdice.games.swe.distributions.players import (
    OPTIMAL,
    Chances,
    PolicyMoment,
    Rand,
    Repairs,
    RulePolicy,
    policy_from_text,
    policy_name,
)
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.optimum.reachable import split_weights
from exactdice.games.swe.rules import STANDARD, Action, Dice, Ladder, State, empty_table
from exactdice.games.swe.sources import FIGURES
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import count_points

#: Rounds up to which Optimal is listed with the policies; it takes seconds.
OPTIMAL_ROUNDS = 30

_WORD = 12  # ns of a word operation, measured over 100 rounds


@dataclass(frozen=True, eq=False)
class Optimal(RulePolicy):
    """Play a solution."""

    solution: Solution  # of a game from the empty table

    family = "Optimal"
    repairs = Repairs.OTHER
    looks_at_score = True

    def __post_init__(self) -> None:
        if self.solution.start != empty_table(self.solution.ladder):
            got = Unquoted("a solution from a state with dice or a score")
            raise InputError("solution", got, "a solution from the empty table")

    def choices(self, state: State, turn: PolicyMoment) -> Chances:
        return {self.solution.optimal_action(state, self._left(turn)): mpq(1)}

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        """Return the first optimal action at the nearest score that is reachable with the dice."""
        pieces = self._pieces(dice, turn)
        action = next((action for low, action in reversed(pieces) if low <= score), pieces[0][1])
        return {action: mpq(1)}

    def changes_at(self, dice: Dice, turn: PolicyMoment) -> tuple[int, ...]:
        return tuple(low for low, _ in self._pieces(dice, turn)[1:])

    def _pieces(self, dice: Dice, turn: PolicyMoment) -> list[tuple[int, Action]]:
        left = self._left(turn)
        state = self.solution.with_least_score(State(dice, (0,) * len(dice)), left)
        pieces: list[tuple[int, Action]] = []
        for choice in self.solution.choices(state, left):
            if not pieces or pieces[-1][1] != choice.actions[0]:
                pieces.append((choice.low, choice.actions[0]))
        return pieces

    def _left(self, turn: PolicyMoment) -> int:
        if (turn.rounds, turn.ladder) != (self.solution.rounds, self.solution.ladder):
            got = Unquoted(f"{turn.rounds} rounds with {turn.ladder}")
            raise InputError("game", got, f"the solved game, {self.solution!r}")
        return turn.rounds - turn.round + 1


class _HighestFirst(Optimal):
    """Play a solution, but fix the highest rung first."""

    repairs = Repairs.HIGHEST
    choices = RulePolicy.choices


def evaluate_optimal(
    solution: Solution,
    *,
    work: int = WORK_LIMIT,
    in_doubles: bool | None = None,
    run: Run = DEFAULT,
) -> Evaluation:
    """Evaluate optimal play: the exact value from the solution, and the distribution of the score.

    The distribution is that of fixing the highest rung first. That this is optimal, too, is
    checked: the bounds of the mean must contain the value of the solution.
    """
    evaluation = evaluate(
        _HighestFirst(solution),
        solution.rounds,
        solution.ladder,
        work=work,
        in_doubles=in_doubles,
        run=run,
    )
    if solution.value not in evaluation.mean:
        raise ArithmeticError("optimal play does not fix the highest rung first")
    return replace(evaluation, mean=Enclosure.of(solution.value))


def policy_names(rounds: int, *, fixed: bool = False) -> list[str]:
    """List the README's policies in its order, also as they ran, and Optimal last."""
    names = []
    for name in FIGURES[10]:
        if not (fixed and isinstance(policy_from_text(name).simplified(), Rand)):
            names.append(name)
        if "Then" in name:
            names.append(name.replace("(", "AsRun("))
    return [*names, "Optimal"] if rounds <= OPTIMAL_ROUNDS else names


def nanoseconds(names: Sequence[str], rounds: int, ladder: Ladder, work: int) -> int:
    """Estimate the time of evaluating policies: 40 µs a split of dice for random ones."""
    policies = (policy_from_text(name).simplified() for name in names if name != OPTIMAL)
    drawn = sum(isinstance(policy, Rand) for policy in policies)
    splits = count_points(split_weights(len(ladder)), rounds)
    return drawn * min(40_000 * splits, work * _WORD)


def policy_called(
    name: str, rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT
) -> RulePolicy:
    name = policy_name(name)
    if name == OPTIMAL:
        return Optimal(_solved(rounds, ladder, Run(run.memory)))
    return policy_from_text(name)


def evaluated(
    name: str, rounds: int, ladder: Ladder = STANDARD, *, work: int = WORK_LIMIT, run: Run = DEFAULT
) -> Evaluation:
    """Evaluate a policy by its name."""
    policy = policy_called(name, rounds, ladder, run)
    if isinstance(policy, Optimal):
        return evaluate_optimal(policy.solution, work=work, run=run)
    return evaluate(policy, rounds, ladder, work=work, run=run)


def exact_distribution_called(
    name: str, rounds: int, ladder: Ladder = STANDARD, *, work: int = WORK_LIMIT, run: Run = DEFAULT
) -> Distribution[int]:
    scores = evaluated(name, rounds, ladder, work=work, run=run).scores
    if not scores.exact:
        wanted = f"a policy whose exact distribution over {rounds} rounds takes less work"
        raise InputError("policy", name, wanted)
    return scores.distribution()


@lru_cache(maxsize=4)
def _solved(rounds: int, ladder: Ladder, run: Run) -> Solution:
    return solve(rounds, ladder, run=run)
