"""The software-engineering game: what lies ahead of a state, moves left out, and laws from below.

From the start the solver of `exactdice.native.swe_outlook` encloses the optimum and says which
creations and promotions may be optimal with any dice; the exact search of long games relies on
both. Its enclosures have to hold the exact values, and the moves that it leaves every exactly
optimal one, at every score that exact play can reach.

Of the law of the final score under a policy the weight of each score in doubles is compared with
the exact probability, which it may not exceed and of which no more may be missing than the solver
says; and the score is one that exact play can reach. Games are followed however improbable they
are, so that only rounding is missing.
"""

from collections.abc import Iterator
from functools import partial

from exactdice.arithmetic import mpq
from exactdice.games.swe.laws.evaluation import exact_law, law_from_below
from exactdice.games.swe.laws.players import policy_from_text
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, ActionKind, Ladder, State, weight
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import swe_outlook
from exactdice.run import Run

#: What may be missing of a law of which no game was left out.
MAX_MISSING = mpq(1, 2**40)
_LEAST = mpq(1, 10**200)


def size_of(rounds: int, ladder: Ladder) -> str:
    """Name the size of a game."""
    others = "" if ladder == STANDARD else f" with {', '.join(f'd{faces}' for faces in ladder)}"
    return f"{rounds} rounds{others}"


def check_swe(rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check a game from the empty table.

    >>> check_swe(4).passed
    True
    """
    check = Check("swe", size_of(rounds, ladder))
    exact = solve(rounds, ladder, run=Run(memory=None))
    nothing = (0,) * len(ladder)
    ahead = swe_outlook.solve(rounds, ladder, nothing, nothing)
    bent = swe_outlook.solve(rounds, ladder, nothing, nothing, bend=swe_outlook.ANY_BEND)
    for outlook in (ahead, bent):
        ends = outlook.value.lower, outlook.value.upper
        check.number("the optimum", exact.value, outlook.value.middle, ends, outlook.value.width)
        _compare_moves(check, exact, outlook)
    return check


def _compare_moves(check: Check, exact: Solution, outlook: swe_outlook.Outlook) -> None:
    """Look for the exactly optimal creations and promotions among those that are left."""
    tables = [dice for dice in sorted(exact.afterstates) if weight(dice) < exact.rounds]
    check.model_size("blocks", len(exact.afterstates) + 1, outlook.sizes.blocks)
    for dice in tables:
        for left, mask in enumerate(outlook.possible(dice), 1):
            state = State(dice, (0,) * len(dice))
            candidates = exact.candidates(state, left)
            for score in {candidates.low, candidates.high}:
                advised = exact.actions(state._replace(score=score), left)
                optimal = [advice.action for advice in advised if advice.optimal]
                possible = [action for action in optimal if mask >> _number_of(action) & 1]
                name = f"{dice}, {left} rounds left, score {score}"
                check.action(name, possible[0] if possible else "none of them", optimal)
                for action in set(optimal) - set(possible):
                    check.excluded(name, action)


def _number_of(action: Action) -> int:
    """Return the bit by which the solver calls a creation or promotion."""
    return 0 if action.kind is ActionKind.CREATE else action.rung + 1


def check_law(policy: str, rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check the law of a policy."""
    check = Check("swe", f"law of {policy}, {size_of(rounds, ladder)}")
    played = policy_from_text(policy)
    exact = exact_law(played, rounds, ladder)
    law, _ = law_from_below(played, rounds, ladder, least=_LEAST)
    check.model_size("scores", len(exact.weights), len(law.weights))
    check.number("what is missing", mpq(0), law.missing, None, MAX_MISSING)
    for score in sorted({*exact.weights, *law.weights}):
        probability = mpq(exact.weights.get(score, 0), exact.denominator)
        weight = mpq(law.weights.get(score, 0), law.denominator)
        ends = (weight, weight + law.missing)
        check.number(f"a score of {score}", probability, weight, ends, law.missing)
    return check


def ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    yield Case("swe", "9 rounds with the d10", partial(check_swe, 9, WITH_D10))
    for rounds in (5, 10, 14, 22):
        yield Case("swe", f"{rounds} rounds", partial(check_swe, rounds), rounds > 10)
    yield Case("swe", "law with the d10", partial(check_law, "ExpLegacy(0.5)", 9, WITH_D10))
    for policy, rounds in (("Rand(0.5)", 12), ("PromoOnce", 20), ("Rand(0.2)", 22), ("Promo", 30)):
        run = partial(check_law, policy, rounds)
        yield Case("swe", f"law of {policy}, {rounds} rounds", run, rounds > 14)
