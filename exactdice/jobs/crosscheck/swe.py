"""The software-engineering game: what lies ahead of a state, in intervals, and the moves left out.

From the start the solver of `exactdice.native.swe_outlook` encloses the optimum and says which
creations and promotions may be optimal with any dice; the exact search of long games relies on
both. Its enclosures have to hold the exact values, and the moves that it leaves every exactly
optimal one, at every score that exact play can reach.
"""

from collections.abc import Iterator
from functools import partial

from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, Kind, Ladder, State, weight
from exactdice.jobs.crosscheck import swe_laws
from exactdice.jobs.crosscheck.model import Case, Check, Tally
from exactdice.native import swe_outlook
from exactdice.run import Run


def check_swe(rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check a game from the empty table.

    >>> check_swe(4).passed
    True
    """
    tally = Tally("swe", swe_laws.size_of(rounds, ladder))
    exact = solve(rounds, ladder, run=Run(memory=None))
    nothing = (0,) * len(ladder)
    ahead = swe_outlook.solve(rounds, ladder, nothing, nothing)
    bent = swe_outlook.solve(rounds, ladder, nothing, nothing, bend=swe_outlook.ANY_BEND)
    for outlook in (ahead, bent):
        ends = outlook.value.lower, outlook.value.upper
        tally.number("the optimum", exact.value, outlook.value.middle, ends, outlook.value.width)
        _compare_moves(tally, exact, outlook)
    return tally.check()


def _compare_moves(tally: Tally, exact: Solution, outlook: swe_outlook.Outlook) -> None:
    """Look for the exactly optimal creations and promotions among those that are left."""
    tables = [dice for dice in sorted(exact.afterstates) if weight(dice) < exact.rounds]
    tally.model_size("blocks", len(exact.afterstates) + 1, outlook.sizes.blocks)
    for dice in tables:
        for left, mask in enumerate(outlook.possible(dice), 1):
            state = State(dice, (0,) * len(dice))
            candidates = exact.candidates(state, left)
            for score in {candidates.low, candidates.high}:
                advised = exact.actions(state._replace(score=score), left)
                optimal = [advice.action for advice in advised if advice.optimal]
                possible = [action for action in optimal if mask >> _number_of(action) & 1]
                name = f"{dice}, {left} rounds left, score {score}"
                tally.action(name, possible[0] if possible else "none of them", optimal)
                for action in set(optimal) - set(possible):
                    tally.excluded(name, action)


def _number_of(action: Action) -> int:
    """Return the bit by which the solver calls a creation or promotion."""
    return 0 if action.kind is Kind.CREATE else action.rung + 1


def ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    yield Case("swe", "9 rounds with the d10", partial(check_swe, 9, WITH_D10))
    for rounds in (5, 10, 14, 22):
        yield Case("swe", f"{rounds} rounds", partial(check_swe, rounds), rounds > 10)
    yield from swe_laws.ladder()
