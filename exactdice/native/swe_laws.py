"""The law of the final score under a policy of the software-engineering game, from below, in C++.

All numbers are nonnegative doubles and every operation is rounded down. So each weight is at most
the probability that it stands for, and what is missing from 1 bounds every error at once: the same
kind of law as `exactdice.games.swe.evaluation.enclosed_law`, and quantiles that it certifies are
exact. The algorithm, which follows games from corner to corner of each block, is in
``cpp/include/exactdice/swe_laws.hpp``; where they go from a corner is asked of the policy here.

Cost: for each set of dice that is met with a probability above a bound, a box of all its splits is
rolled until nothing is left in it, and the laws that enter in each round are multiplied by those of
a stay. For Rand(0.5) over 100 rounds and a bound of 10⁻⁷ these are 4·10¹¹ products, about a minute.
"""

import os
from math import inf

from gmpy2 import mpq, mpz

from exactdice.arithmetic import nearest_double
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.forward import Corner, moves
from exactdice.games.swe.law import ScoreLaw
from exactdice.games.swe.players import Policy, Repairs
from exactdice.games.swe.published import LEVELS
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import Progress, call, enclosing, solvers

__all__ = ["law_from_below", "refined", "takes"]

_MOST_ROUNDS = 200
_MOST_RUNGS = 8
_UNIT = mpz(1) << 1074  # every double is a multiple of 1 over it

_BOUNDS = tuple(mpq(1, 10**exponent) for exponent in range(4, 16))
_CLOSE = mpq(1, 1000)
_GROWTH = 2  # the next bound takes about so many times as much
#: Products that take as long as a word operation of `exactdice.games.swe.evaluation`, on two cores.
_PRODUCTS = 30


def takes(rounds: int, ladder: Ladder) -> bool:
    """Whether the C++ solver can follow games of so many rounds with this ladder."""
    return rounds <= _MOST_ROUNDS and len(ladder) <= _MOST_RUNGS


def law_from_below(
    policy: Policy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    least: mpq,
    largest: int | None = None,
    most_products: int | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[ScoreLaw, int]:
    """Bound the law of the final score from below, and count the products that it took.

    Parameters
    ----------
    policy
        Any policy that fixes the highest rung first, or the lowest.
    rounds, ladder
        The game: at most 200 rounds, at most 8 rungs.
    least
        Games are not followed into a set of dice that is met with a smaller probability.
    largest
        No score is above it; the greatest of any play unless given.
    most_products
        After so many, all further games are left out; None for no limit.
    memory_limit
        Bytes beyond which the work is refused; None for no limit.
    threads
        Threads that share the work, as many as there are processors unless given; the law does not
        depend on it.
    progress
        Called with the part of the sets of one weight that is done.

    Raises
    ------
    InputError
        If an argument is out of range.
    TooLargeError
        If it would need more memory than the limit.

    Examples
    --------
    >>> from exactdice.games.swe.players import NewOnly
    >>> law, _ = law_from_below(NewOnly(), 2, least=mpq(1, 10**12))
    >>> law.missing < mpq(1, 10**14), mpq(7, 64) in law.cdf(0)
    (True, True)
    """
    if policy.repairs is Repairs.OTHER:
        wanted = "one that fixes the highest rung first or the lowest"
        raise InputError("policy", Unquoted(policy.name), wanted)
    flow = call(
        solvers().SweFlow,
        list(ladder),
        rounds,
        lowest_first=policy.repairs is Repairs.LOWEST,
        least=enclosing(least)[0],
        most_products=_double(most_products),
        memory_limit=_double(memory_limit),
        threads=threads or os.cpu_count() or 1,
        progress=progress,
    )
    while True:
        call(flow.run)
        for dice, ends in flow.leaving():
            for round_ in ends:
                corner = Corner(tuple(dice), round_)
                for low, high, after, chance in moves(policy, corner, rounds, ladder):
                    end = -1 if high is None else high
                    flow.send(dice, round_, low, end, after, enclosing(chance)[1])
        if not call(flow.advance):
            break
    weights = {score: mpz(mpq(weight) * _UNIT) for score, weight in enumerate(flow.final_scores)}
    found = {score: weight for score, weight in weights.items() if weight}
    most = rounds * (rounds + 1) // 2 if largest is None else largest
    return ScoreLaw(found, _UNIT, most), int(flow.products)


def refined(policy: Policy, rounds: int, ladder: Ladder, largest: int, work_limit: int) -> ScoreLaw:
    """Bound the law ever more closely, until it tells what the README's tables do.

    That is, until their percentiles are certified and the mean is enclosed within a thousandth.

    Parameters
    ----------
    policy, rounds, ladder, largest
        As in `law_from_below`.
    work_limit
        What may be spent, in word operations as in `exactdice.games.swe.evaluation`.
    """
    most = work_limit * _PRODUCTS
    law = ScoreLaw({}, _UNIT, largest)
    for least in _BOUNDS:
        closer, products = law_from_below(
            policy, rounds, ladder, least=least, largest=largest, most_products=most
        )
        law = min(law, closer, key=lambda either: either.missing)
        told = law.certifies(LEVELS.values()) and law.mean().width < _CLOSE
        if told or _GROWTH * products > most:
            break
    return law


def _double(limit: int | None) -> float:
    """Turn a limit into a double; one beyond all doubles limits nothing."""
    return inf if limit is None else nearest_double(mpq(limit)) or inf
