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

from exactdice.arithmetic import RationalLike, natural, nearest_double, rational
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.swe.forward import Corner, moves
from exactdice.games.swe.law import ScoreLaw
from exactdice.games.swe.players import Policy, Repairs
from exactdice.games.swe.published import LEVELS
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import MAX_THREADS, Progress, call, enclosing, solvers
from exactdice.native.swe import MAX_FACES, MAX_ROUNDS, MAX_RUNGS

__all__ = ["law_from_below", "refined", "takes"]

_LEAST_BOUND = mpq(1, 10**300)  # a normal double
_UNIT = mpz(1) << 1074  # every double is a multiple of 1 over it

_BOUNDS = tuple(mpq(1, 10**exponent) for exponent in range(4, 16))
_CLOSE = mpq(1, 1000)
_GROWTH = 2  # the next bound takes 1.5 to 3.6 times as much, measured over 30, 60 and 100 rounds
#: Products that take as long as a word operation of `exactdice.games.swe.evaluation`, on two cores.
_PRODUCTS = 30


def takes(rounds: int, ladder: Ladder) -> bool:
    """Whether the C++ solver can follow games of so many rounds with this ladder."""
    return rounds <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES


def law_from_below(
    policy: Policy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    least: RationalLike,
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
        The game: at most 200 rounds, at most 8 rungs, and no die of more than a million faces.
    least
        Above 10⁻³⁰⁰ and below 1. Games are not followed into a set of dice that is entered with a
        smaller probability; nor, inside of one, where far less of them is left.
    largest
        No score is above it; the greatest of any play unless given.
    most_products
        After the weight of dice at which so many were made, all further games are left out; None
        for no limit.
    memory_limit
        Bytes beyond which the work is refused; None for no limit.
    threads
        Threads that share the work, 1 to 256, as many as there are processors unless given; the
        law does not depend on it.
    progress
        Called a few times a second with a part that rises from 0 to 1, by the weight of the dice.

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
    rounds, ladder = natural(rounds, "rounds", most=MAX_ROUNDS), Ladder.of(ladder)
    if not takes(rounds, ladder):
        wanted = f"at most {MAX_RUNGS} rungs, of dice of at most {MAX_FACES} faces"
        raise InputError("ladder", ladder, wanted)
    bound = rational(least, "least")
    if not _LEAST_BOUND <= bound < 1:
        raise InputError("least", least, "a number from 1e-300 up to, but without, 1")
    if threads is None:
        threads = min(os.cpu_count() or 1, MAX_THREADS)
    most = rounds * (rounds + 1) // 2 if largest is None else natural(largest, "largest")
    flow = call(
        solvers().SweFlow,
        list(ladder),
        rounds,
        lowest_first=policy.repairs is Repairs.LOWEST,
        least=enclosing(bound)[0],
        most_products=_double(most_products, "most_products"),
        memory_limit=_double(memory_limit, "memory_limit"),
        threads=natural(threads, "threads", least=1, most=MAX_THREADS),
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
    return ScoreLaw(found, _UNIT, most), int(flow.products)


def refined(
    policy: Policy,
    rounds: int,
    ladder: Ladder,
    largest: int,
    work_limit: int,
    memory_limit: int | None = MEMORY_LIMIT,
) -> ScoreLaw:
    """Bound the law ever more closely, until it tells what the README's tables do.

    That is, until their percentiles are certified and the mean is enclosed within a thousandth.

    Parameters
    ----------
    policy, rounds, ladder, largest
        As in `law_from_below`.
    work_limit
        What may be spent, in word operations as in `exactdice.games.swe.evaluation`.
    memory_limit
        Bytes that may be needed, None for any number; where they stop it, it returns what it has.

    Raises
    ------
    TooLargeError
        If they do not suffice for any law.
    """
    most = work_limit * _PRODUCTS
    law = ScoreLaw({}, _UNIT, largest)
    for least in _BOUNDS:
        try:
            closer, products = law_from_below(
                policy,
                rounds,
                ladder,
                least=least,
                largest=largest,
                most_products=most,
                memory_limit=memory_limit,
            )
        except TooLargeError:
            if not law.weights:
                raise
            break  # what was found before holds all the same
        law = min(law, closer, key=lambda either: either.missing)
        told = law.certifies(LEVELS.values()) and law.mean().width < _CLOSE
        if told or _GROWTH * products > most:
            break
    return law


def _double(limit: int | None, name: str) -> float:
    """Turn a limit into a double; one beyond all doubles limits nothing."""
    found = None if limit is None else nearest_double(mpq(natural(limit, name)))
    return inf if found is None else found
