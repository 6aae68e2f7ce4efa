"""The software-engineering game: the law of the final score under a policy, from below.

Of each score the weight in doubles is compared with the exact probability, which it may not exceed
and of which no more may be missing than the solver says; and the score is one that exact play can
reach. Games are followed however improbable they are, so that only rounding is missing.
"""

from collections.abc import Iterator
from functools import partial

from exactdice.arithmetic import mpq
from exactdice.games.swe.laws.evaluation import exact_law, law_from_below
from exactdice.games.swe.laws.players import policy_from_text
from exactdice.games.swe.rules import STANDARD, WITH_D10, Ladder
from exactdice.jobs.crosscheck.model import Case, Check, Tally

#: What may be missing of a law of which no game was left out.
MAX_MISSING = mpq(1, 2**40)
_LEAST = mpq(1, 10**200)


def size_of(rounds: int, ladder: Ladder) -> str:
    """Name the size of a game.

    >>> size_of(9, STANDARD), size_of(9, Ladder(4, 6))
    ('9 rounds', '9 rounds with d4, d6')
    """
    others = "" if ladder == STANDARD else f" with {', '.join(f'd{faces}' for faces in ladder)}"
    return f"{rounds} rounds{others}"


def check_law(policy: str, rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check the law of a policy.

    >>> check_law("Promo", 5).passed
    True
    """
    tally = Tally("swe", f"law of {policy}, {size_of(rounds, ladder)}")
    played = policy_from_text(policy)
    exact = exact_law(played, rounds, ladder)
    law, _ = law_from_below(played, rounds, ladder, least=_LEAST)
    tally.model_size("scores", len(exact.weights), len(law.weights))
    tally.number("what is missing", mpq(0), law.missing, None, MAX_MISSING)
    for score in sorted({*exact.weights, *law.weights}):
        probability = mpq(exact.weights.get(score, 0), exact.denominator)
        weight = mpq(law.weights.get(score, 0), law.denominator)
        ends = (weight, weight + law.missing)
        tally.number(f"a score of {score}", probability, weight, ends, law.missing)
    return tally.check()


def ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    yield Case("swe", "law with the d10", partial(check_law, "ExpLegacy(0.5)", 9, WITH_D10))
    for policy, rounds in (("Rand(0.5)", 12), ("PromoOnce", 20), ("Rand(0.2)", 22), ("Promo", 30)):
        run = partial(check_law, policy, rounds)
        yield Case("swe", f"law of {policy}, {rounds} rounds", run, rounds > 14)
