"""Laws from below in doubles: the policies of the game before the C++ solver that follows them.

The same kind of law as `exactdice.games.swe.laws.evaluation.enclosed_law`, and quantiles that it
certifies are exact; `exactdice.native.swe_laws` says how its weights are bounded and what it costs.
"""

from collections.abc import Iterator
from functools import partial

from exactdice.arithmetic import RationalLike, mpq, natural
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.swe.laws.forward import AllRevenue, moves
from exactdice.games.swe.laws.law import ScoreLaw
from exactdice.games.swe.laws.players import Policy, Repairs
from exactdice.games.swe.rules import STANDARD, Ladder
from exactdice.games.swe.sources import LEVELS
from exactdice.native import swe_laws
from exactdice.run import DEFAULT, Run

_BOUNDS = tuple(mpq(1, 10**exponent) for exponent in range(4, 16))
_CLOSE = mpq(1, 1000)
_GROWTH = 2  # the next bound takes 1.5 to 3.6 times as much, measured over 30, 60 and 100 rounds
#: Products that take as long as a word operation of `exactdice.games.swe.laws.evaluation`, on two
#: cores.
_PRODUCTS = 30


def law_from_below(
    policy: Policy,
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    least: RationalLike,
    largest: int | None = None,
    most_products: int | None = None,
    run: Run = DEFAULT,
) -> tuple[ScoreLaw, int]:
    """Bound the law of the final score from below, and count the products that it took.

    Raises TooLargeError if it would need more memory than the limit.

    >>> from exactdice.games.swe.laws.players import NewOnly
    >>> law, _ = law_from_below(NewOnly(), 2, least=mpq(1, 10**12))
    >>> law.missing < mpq(1, 10**14), mpq(7, 64) in law.cdf(0)
    (True, True)
    """
    if policy.repairs is Repairs.OTHER:
        wanted = "one that fixes the highest rung first or the lowest"
        raise InputError("policy", Unquoted(policy.name), wanted)
    ladder = Ladder.of(ladder)
    weights, products = swe_laws.law_from_below(
        partial(_moves, policy, rounds, ladder),
        rounds,
        ladder,
        lowest_first=policy.repairs is Repairs.LOWEST,
        least=least,
        most_products=most_products,
        memory_limit=run.memory,
        threads=run.workers,
        progress=(lambda part: run.tell("thousandths", int(1000 * part), 1000)),
    )
    rounds = natural(rounds, "rounds")
    most = rounds * (rounds + 1) // 2 if largest is None else natural(largest, "largest")
    return ScoreLaw(weights, swe_laws.DENOMINATOR, most), products


def _moves(
    policy: Policy, rounds: int, ladder: Ladder, dice: tuple[int, ...], played: int
) -> Iterator[tuple[int, int | None, tuple[int, ...], mpq]]:
    return moves(policy, AllRevenue(dice, played), rounds, ladder)


def refined(
    policy: Policy,
    rounds: int,
    ladder: Ladder,
    largest: int,
    work_limit: int,
    run: Run = DEFAULT,
) -> ScoreLaw:
    """Bound the law ever more closely, until it tells what the README's tables do.

    That is, until their percentiles are certified and the mean is enclosed within a thousandth.

    Raises TooLargeError if the memory does not suffice for any law.
    """
    most = work_limit * _PRODUCTS
    law: ScoreLaw | None = None
    for least in _BOUNDS:
        try:
            closer, products = law_from_below(
                policy,
                rounds,
                ladder,
                least=least,
                largest=largest,
                most_products=most,
                run=Run(run.memory, run.workers),
            )
        except TooLargeError:
            if law is None:
                raise
            break  # what was found before holds all the same
        law = min(law or closer, closer, key=lambda either: either.missing)
        is_close = law.certifies(LEVELS.values()) and law.mean().width < _CLOSE
        if is_close or _GROWTH * products > most:
            break
    assert law is not None  # noqa: S101 - there are bounds, and the first either raised or gave one
    return law
