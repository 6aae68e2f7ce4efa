"""What each action is worth in any state, enclosed: for games too long for exact search.

The C++ solver looks at the dice that play can still make from the state, leaves out those that it
hardly ever makes, and encloses what it leaves out (`exactdice.native.swe_outlook`). So the values
are rigorous, and their width says what was neglected. If that is wide, or does not separate the
best action from the others, values that turn on the score are followed piece by piece.

The regret of an action that is certainly the best is 0; of any other it lies between the difference
of its upper end to the best lower end, at least 0, and that of its lower end to the best upper end.
"""

from typing import NamedTuple

from exactdice.arithmetic import mpq, natural
from exactdice.enclosure import Enclosure
from exactdice.games.swe.rules import Action, Kind, Ladder, State, check_state, weight
from exactdice.native import are_built, swe_outlook
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS, MAX_RUNGS
from exactdice.run import DEFAULT, Run

#: Rounds left up to which exact search takes seconds from any dice, and rounds left and weight of
#: the dice together.
MAX_LEFT, MAX_TOGETHER = 10, 22

#: Points by which an enclosure may be wide before bends are followed.
WIDEST = mpq(1, 10**6)


class Prospect(NamedTuple):
    """An action, what encloses its worth and its regret, and whether it is optimal, if sure."""

    action: Action
    value: Enclosure
    regret: Enclosure
    optimal: bool | None


class Outlook(NamedTuple):
    """What lies ahead of a state."""

    value: Enclosure  # what encloses the expected final score under optimal play
    prospects: tuple[Prospect, ...]  # the actions, in the canonical order
    sizes: swe_outlook.OutlookSizes  # what was solved


def searched_quickly(left: int, ladder: Ladder, state: State) -> bool:
    """Tell whether exact search is as good from a state: it takes seconds, or is all there is.

    >>> from exactdice.games.swe.rules import STANDARD, empty_table
    >>> searched_quickly(10, STANDARD, empty_table())
    True
    """
    short = left <= MAX_LEFT or weight(state.dice) + left <= MAX_TOGETHER
    fits = left <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES
    fits = fits and sum(state.dice) + left <= swe_outlook.MAX_DICE
    return short or not (fits and state.score <= swe_outlook.MAX_SCORE and are_built())


def judge(left: int, ladder: Ladder, state: State, run: Run = DEFAULT) -> Outlook:
    """Enclose what each action is worth.

    Raises TooLargeError if it would need more memory than the limit.

    >>> table = State((2, 1, 0, 0, 0), (0, 0, 0, 0, 0), 4)
    >>> for one in judge(30, Ladder(4, 6, 8, 12, 20), table).prospects:
    ...     print(one.action, one.value.decimal(6), one.regret.decimal(6), one.optimal)
    create 110.413263 6.687628 False
    promote 0 117.100892 0.000000 True
    promote 1 116.090078 1.010814 False

    Seconds for 61 rounds that are left, and tens of MB.
    """
    left, state = natural(left, "rounds left", least=1), check_state(*state, ladder)
    outlook = _solve(left, ladder, state, swe_outlook.ANY_BEND, run)
    if len(_rivals(outlook)) > 1 or outlook.value.width > WIDEST:
        outlook = _solve(left, ladder, state, 0, run)
    lowest, highest = outlook.value.lower, outlook.value.upper
    rivals = _rivals(outlook)
    prospects = []
    for move, worth in outlook.actions:
        optimal = (len(rivals) == 1 or None) if move in rivals else False
        regret = Enclosure(max(lowest - worth.upper, mpq(0)), highest - worth.lower)
        if optimal:
            regret = Enclosure(mpq(0), mpq(0))
        prospects.append(Prospect(_action(move, state), worth, regret, optimal))
    return Outlook(outlook.value, tuple(prospects), outlook.sizes)


def _rivals(outlook: swe_outlook.Outlook) -> list[int]:
    """List the moves that may be optimal."""
    return [move for move, worth in outlook.actions if worth.upper >= outlook.value.lower]


def _action(move: int, state: State) -> Action:
    if any(state.legacy):
        return Action(Kind.FIX, move)
    return Action(Kind.PROMOTE, move - 1) if move else Action(Kind.CREATE)


def _solve(left: int, ladder: Ladder, state: State, bend: int, run: Run) -> swe_outlook.Outlook:
    return swe_outlook.solve(
        left,
        ladder,
        *state,
        made=swe_outlook.HARDLY,
        bend=bend,
        threads=run.workers,
        memory_limit=run.memory,
        progress=lambda part: run.tell("thousandths", int(1000 * part), 1000),
    )
