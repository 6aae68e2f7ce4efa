"""The law of the final score under a policy of the software-engineering game, from below, in C++.

All numbers are nonnegative doubles and every operation is rounded down. So each weight is at most
the probability that it stands for, and what is missing from 1 bounds every error at once. The
algorithm, which follows games from one all-revenue state of each block to the next, is in
``cpp/include/exactdice/swe_laws.hpp``; where they go from such a state is asked of the caller.

Cost: for each set of dice that is met with a probability above a bound, a box of all its splits is
rolled until nothing is left in it, and the laws that enter in each round are multiplied by those of
a stay. For Rand(0.5) over 100 rounds and a bound of 10⁻⁷ these are 4·10¹¹ products, about a minute
on two cores.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from exactdice.arithmetic import RationalLike, mpq, mpz, natural, rational
from exactdice.errors import InputError
from exactdice.native import MAX_THREADS, Progress, call, enclosing, limit, solvers
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS, MAX_RUNGS

#: Every double is a whole multiple of 1 over it.
DENOMINATOR = mpz(1) << 1074

_LEAST_BOUND = mpq(1, 10**300)  # a normal double

#: Where a policy goes from all dice revenue after a round: the scores from low up to, but without,
#: high (None for all), the dice after the move, and its chance.
Moves: TypeAlias = Callable[
    [tuple[int, ...], int], Iterable[tuple[int, int | None, Sequence[int], mpq]]
]


def takes(rounds: int, ladder: Sequence[int]) -> bool:
    """Whether the C++ solver can follow games of so many rounds with this ladder."""
    return rounds <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES


def law_from_below(
    moves: Moves,
    rounds: int,
    ladder: Sequence[int],
    *,
    lowest_first: bool,
    least: RationalLike,
    most_products: int | None = None,
    memory_limit: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[dict[int, mpz], int]:
    """Bound the law of the final score from below, and count the products that it took.

    Raises TooLargeError if it would need more memory than the limit.

    One round of one die with four faces:

    >>> def create(dice, round):
    ...     return [(0, None, (1,), mpq(1))]
    >>> weights, _ = law_from_below(create, 1, [4], lowest_first=False, least="1/1000")
    >>> {score: str(mpq(weight, DENOMINATOR)) for score, weight in weights.items()}
    {0: '1/4', 1: '3/4'}
    """
    rounds = natural(rounds, "rounds", most=MAX_ROUNDS)
    if not takes(rounds, ladder):
        wanted = f"at most {MAX_RUNGS} rungs, of dice of at most {MAX_FACES} faces"
        raise InputError("ladder", ladder, wanted)
    bound = rational(least, "least")
    if not _LEAST_BOUND <= bound < 1:
        raise InputError("least", least, "a number from 1e-300 up to, but without, 1")
    flow = call(
        solvers().SweFlow,
        list(ladder),
        rounds,
        lowest_first=lowest_first,
        least=enclosing(bound)[0],
        most_products=limit(most_products, "most_products"),
        memory_limit=limit(memory_limit, "memory_limit"),
        threads=natural(threads, "threads", least=1, most=MAX_THREADS),
        progress=progress,
    )
    while True:
        call(flow.run)
        for dice, ends in flow.leaving():
            for round_ in ends:
                for low, high, after, chance in moves(tuple(dice), round_):
                    end = -1 if high is None else high
                    flow.send(dice, round_, low, end, list(after), enclosing(chance)[1])
        if not call(flow.advance):
            break
    scores = enumerate(flow.final_scores)
    weights = {score: mpz(mpq(weight) * DENOMINATOR) for score, weight in scores if weight}
    return weights, int(flow.products)
