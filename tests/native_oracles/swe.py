"""The software-engineering game in C++: any number of rounds that fits memory.

Blocks of equal dice with envelopes in the score, as in the exact solver, written anew; see
``cpp/include/exactdice/swe.hpp``. 50 rounds take 5 s, 60 take 30 s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import MAX_THREADS, Progress, call, enclosed, limit, solvers
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS

__all__ = [
    "Sizes",
    "Solved",
    "greatest_score",
    "relative_bound",
    "solve",
]


@dataclass(frozen=True)
class Sizes:
    """Sizes of the model and of its solution.

    Parameters
    ----------
    blocks
        Multisets of dice.
    states
        Rounds left (from 1) with a split of the dice into revenue and legacy, before a move.
    actions
        Legal actions, summed over those states.
    several_pieces
        States whose value is more than one line in the score, over scores that can be reached.
    undecided
        States with a choice that the numbers do not settle for certain.
    bytes
        Memory that the solution keeps, about.
    """

    blocks: int
    states: int
    actions: int
    several_pieces: int
    undecided: int
    bytes: int


@dataclass(frozen=True)
class Solved:
    """The optimum in floating point.

    Parameters
    ----------
    rounds, ladder
        The game.
    value
        What encloses the optimal expected score: rigorously for intervals; for doubles, both ends
        are the double itself.
    sizes
        What was solved.
    compiled
        The compiled solution: ``block(dice)``, ``afterstates(dice)``, ``all_revenue_choices(dice)``
        and ``dice_of_weight(w)`` give every state's lines and choices, as numpy arrays.
    """

    rounds: int
    ladder: tuple[int, ...]
    value: Enclosure
    sizes: Sizes
    compiled: Any


def relative_bound(rungs: int, rounds: int) -> mpq:
    """Largest relative error that a value in doubles can have.

    All terms are nonnegative and nothing is subtracted, so that roundings only add up.

    Examples
    --------
    >>> relative_bound(5, 30) < mpq(1, 10**12)
    True
    """
    return mpq(solvers().swe_relative_bound(rungs, rounds))


def greatest_score(played: int, weight: int, number: int) -> int:
    """Bound the score with which a move can make some dice out of others without legacy.

    There are at most j dice in round j, and `number` in any; what was not spent on creating and
    promoting was spent on fixing, and each failure that was fixed had cost a point at least.

    Parameters
    ----------
    played
        Rounds before the move.
    weight
        Σ (rung + 1)·number of the dice that it makes.
    number
        How many dice those are.

    Examples
    --------
    >>> greatest_score(played=3, weight=4, number=4), greatest_score(3, 2, 2)
    (6, 3)
    """
    rising = min(played, number)
    points = rising * (rising + 1) // 2 + (played - rising) * number
    return points - (played - (weight - 1))


def solve(
    rounds: int,
    ladder: Sequence[int] = (4, 6, 8, 12, 20),
    *,
    intervals: bool = False,
    threads: int = 1,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Solved:
    """Solve a game from the empty table.

    Parameters
    ----------
    rounds
        Rounds, 1 to 200.
    ladder
        Faces of the dice, ascending; at most 8.
    intervals
        Enclose the value rather than approximate it; about twice the time.
    threads
        Threads that share the work; the numbers do not depend on it.
    memory_limit
        Bytes beyond which the work is refused; None for no limit.
    progress
        Called with the part that is done. The interpreter is free meanwhile, and an interrupt is
        answered within a second.

    Raises
    ------
    InputError
        If an argument is out of range.
    TooLargeError
        If it would need more memory than the limit.

    Examples
    --------
    >>> solved = solve(10, intervals=True)
    >>> mpq("20.483601957243238") in solved.value, solved.sizes.blocks
    (True, 113)
    """
    faces = [natural(face, "ladder", least=2, most=MAX_FACES) for face in ladder]
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    kind = solvers().SweIntervals if intervals else solvers().SweDoubles
    compiled = call(
        kind,
        faces,
        rounds,
        natural(threads, "threads", least=1, most=MAX_THREADS),
        limit(memory_limit, "memory_limit"),
        progress,
    )
    return Solved(rounds, tuple(faces), enclosed(compiled.value), Sizes(**compiled.sizes), compiled)
