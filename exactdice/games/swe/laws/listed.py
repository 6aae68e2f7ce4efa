"""Policies by name: those of the README, and Optimal, which is solved before it is evaluated."""

from collections.abc import Sequence
from functools import lru_cache

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.swe.closed_forms.reachable import split_weights
from exactdice.games.swe.laws.evaluation import WORK_LIMIT, Evaluation, evaluate
from exactdice.games.swe.laws.optimal import Optimal, evaluate_optimal
from exactdice.games.swe.laws.players import OPTIMAL, Policy, Rand, policy_from_text, policy_name
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.sources import FIGURES
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import count_points

#: Rounds up to which the optimal player is evaluated beside the policies; it takes seconds there.
OPTIMAL_ROUNDS = 30

_WORD = 12  # ns of a word operation, measured over 100 rounds


def policy_names(rounds: int, *, fixed: bool = False) -> list[str]:
    """List the README's policies in its order, each with what it ran as, and Optimal last.

    >>> names = policy_names(10)
    >>> names[:2], names[-3:]
    (['NewOnly', 'Promo'], ['NewThenPromo(0.9)', 'NewThenPromoAsRun(0.9)', 'Optimal'])
    """
    names = []
    for name in FIGURES[10]:
        if not (fixed and isinstance(policy_from_text(name).simplified(), Rand)):
            names.append(name)
        if "Then" in name:
            names.append(name.replace("(", "AsRun("))
    return [*names, "Optimal"] if rounds <= OPTIMAL_ROUNDS else names


def nanoseconds(names: Sequence[str], rounds: int, ladder: Ladder, work_limit: int) -> int:
    """Estimate the time to evaluate policies by their names, in nanoseconds.

    Those that draw lots every round go through all splits of dice, 40 µs each (measured over 20 to
    30 rounds), as far as the work allows; beside them the others take next to nothing.
    """
    lots = sum(
        name != OPTIMAL and isinstance(policy_from_text(name).simplified(), Rand) for name in names
    )
    splits = count_points(split_weights(len(ladder)), rounds)
    return lots * min(40_000 * splits, work_limit * _WORD)


def policy_called(name: str, rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT) -> Policy:
    """Return the policy with a name; Optimal is solved for the game."""
    name = policy_name(name)
    if name == OPTIMAL:
        return Optimal(_solved(rounds, ladder, run))
    return policy_from_text(name)


def evaluated(
    name: str,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    work_limit: int = WORK_LIMIT,
    run: Run = DEFAULT,
) -> Evaluation:
    """Evaluate a policy by its name, as `exactdice.games.swe.laws.evaluation.evaluate` does.

    >>> evaluated("Optimal", 4).exact_mean == evaluated("NewOnly", 4).exact_mean
    True
    """
    policy = policy_called(name, rounds, ladder, run)
    if isinstance(policy, Optimal):
        return evaluate_optimal(policy.solution, work_limit=work_limit, run=run)
    return evaluate(policy, rounds, ladder, work_limit=work_limit, run=run)


def exact_law_called(
    name: str,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    work_limit: int = WORK_LIMIT,
    run: Run = DEFAULT,
) -> Distribution[int]:
    """Return the exact law of the final score under a policy by its name."""
    law = evaluated(name, rounds, ladder, work_limit=work_limit, run=run).law
    if not law.exact:
        raise InputError("policy", name, f"one whose law is known exactly over {rounds} rounds")
    return law.distribution()


def _solved(rounds: int, ladder: Ladder, run: Run) -> Solution:
    return _solved_once(rounds, ladder, Run(run.memory))


@lru_cache(maxsize=4)
def _solved_once(rounds: int, ladder: Ladder, run: Run) -> Solution:
    return solve(rounds, ladder, run=run)
