"""The software-engineering game in C++: any number of rounds that fits memory.

Blocks of equal dice with envelopes in the score, as in the exact solver, written independently; see
``cpp/include/exactdice/swe.hpp``. 50 rounds take 5 s, 60 take 30 s.
"""

from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import MAX_THREADS, call, enclosed, limit, solvers
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS

__all__ = ["Sizes", "Solved", "greatest_score", "relative_bound", "solve"]


@dataclass(frozen=True)
class Sizes:
    blocks: int  # multisets of dice
    states: int  # rounds left (from 1) with a split of the dice, before a move
    actions: int  # legal actions, summed over the states
    several_pieces: int  # states whose value is more than one line in the score
    undecided: int  # states with a choice that the intervals leave open
    bytes: int  # approximate memory


@dataclass(frozen=True)
class Solved:
    rounds: int
    ladder: tuple[int, ...]
    value: Enclosure  # in doubles both ends are the double itself
    sizes: Sizes
    compiled: Any  # block(dice), afterstates(dice), all_revenue_choices(dice), dice_of_weight(w)


def relative_bound(rungs, rounds):
    """Largest relative error in doubles; all terms are nonnegative, so roundings only add up."""
    return mpq(solvers().swe_relative_bound(rungs, rounds))


def greatest_score(played, weight, number):
    """Bound the score at which a move can create `number` dice of Σ (rung + 1)·number = `weight`.

    There are at most j dice in round j, and `number` in any round. Rounds not spent on creating and
    promoting were spent on fixing, and each fixed failure had cost at least one point.
    """
    rising = min(played, number)
    points = rising * (rising + 1) // 2 + (played - rising) * number
    return points - (played - (weight - 1))


def solve(
    rounds, ladder=(4, 6, 8, 12, 20), *, intervals=False, threads=1, memory_limit=MEMORY_LIMIT,
    progress=None,
):  # fmt: skip
    """Solve a game from the empty table; the compiled solution gives numpy arrays by block."""
    faces = [natural(face, "ladder", least=2, most=MAX_FACES) for face in ladder]
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    kind = solvers().SweIntervals if intervals else solvers().SweDoubles
    compiled = call(
        kind, faces, rounds, natural(threads, "threads", least=1, most=MAX_THREADS),
        limit(memory_limit, "memory_limit"), progress,
    )  # fmt: skip
    return Solved(rounds, tuple(faces), enclosed(compiled.value), Sizes(**compiled.sizes), compiled)
