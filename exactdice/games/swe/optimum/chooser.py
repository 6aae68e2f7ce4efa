"""The optimum by the best method for its size: the one door for Python and the command line.

Three methods know the optimum, all rigorous:

* *exact search* over all blocks (`exactdice.games.swe.optimum.exact`), from any state; it knows the
  whole policy too;
* *exact search by intervals* (`exactdice.games.swe.optimum.interval_search`) from the empty table:
  the C++ solver encloses all values, and exact arithmetic settles what it leaves open;
* *enclosure*: the C++ solver alone, several times faster, to some ten digits.

Which one is taken depends on the size and on what is asked for, never on the clock; the answer
names it. Measured on one core: exact search takes 0.1 s for 14 rounds and 0.9 s for 22, search by
intervals 0.05 s for 22 and 17 s for 60; an enclosure 1.2 s for 60 and 6 s for 80.

*What each action is worth* in a state comes from exact search too, or from an enclosure (`judge`).
The C++ solver looks at the dice that play can still make from the state, leaves out those that it
hardly ever makes, and encloses what it leaves out (`exactdice.native.swe_outlook`). So the values
are rigorous, and their width says what was neglected. If that is wide, or does not separate the
best action from the others, values that turn on the score are followed piece by piece.

The regret of an action that is certainly the best is 0; of any other it lies between the difference
of its upper end to the best lower end, at least 0, and that of its lower end to the best upper end.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from exactdice.arithmetic import RationalLike, mpq, natural, rational, significant
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    check_state,
    weight,
)
from exactdice.native import are_built, swe_outlook
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS, MAX_RUNGS
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.games.swe.optimum.interval_search import Searched

#: Rounds up to which exact search over all blocks is as fast as loading the C++ solver.
MAX_SEARCHED = 14

#: Rounds up to which the exact optimum is searched by intervals unless asked for; beyond, enclosed.
MAX_EXACT = 60

#: Rounds left up to which exact search takes seconds from any dice, and rounds left and weight of
#: the dice together.
MAX_LEFT, MAX_TOGETHER = 10, 22

#: Points by which an enclosure may be wide before bends are followed.
WIDEST = mpq(1, 10**6)


class Method(StrEnum):
    """How an optimum was found."""

    SEARCH = "exact search over all blocks"
    INTERVALS = "exact search by intervals"
    ENCLOSURE = "enclosure by intervals"


@dataclass(frozen=True, repr=False)
class SweOptimum(Reported):
    """The optimal expected final score of a game; made by `solve`.

    Parameters
    ----------
    rounds, ladder, start
        The game; None for a start from the empty table.
    method
        How it was found.
    enclosure
        What encloses it; a point where it is exact and nothing was enclosed first.
    value
        The exact optimum, or else its enclosure.
    counts
        Sizes of what was solved, by the names that the report gives them.
    solution
        The whole policy, where exact search found it.
    searched
        What the search by intervals found, where that is the method.
    """

    reported_by: ClassVar = "exactdice.games.swe.reports.optimum:optimum_report"

    rounds: int
    ladder: Ladder
    start: State | None
    method: Method
    enclosure: Enclosure
    value: mpq | Enclosure
    counts: dict[str, int]
    solution: Solution | None = None
    searched: "Searched | None" = None

    def __str__(self) -> str:
        if isinstance(self.value, Enclosure):
            places = self.value.places(10)
            shown = f"in [{self.value.rounded_down(places)}, {self.value.rounded_up(places)}]"
        else:
            shown = f"≈ {significant(self.value, 15)}"
        return f"optimum of {self.rounds} rounds {shown}, by {self.method}"

    __repr__ = __str__


def solve(
    rounds: int,
    ladder: Ladder = STANDARD,
    start: State | None = None,
    *,
    exact: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> SweOptimum:
    """Find the optimum of a game by the best method for its size.

    Parameters
    ----------
    rounds
        Rounds to play, at least 0.
    ladder
        The dice.
    start
        Where the game starts; the empty table with score 0 unless given. From a state, and where
        the C++ solver is not built or does not take the game, exact search is the only method.
    exact
        Whether the exact optimum is wanted, whatever it takes; up to `MAX_EXACT` rounds it is found
        in any case.
    width
        The widest enclosure that will do, in points: then it is enclosed, and the exact optimum is
        found only where the enclosure is wider.
    run
        Memory; workers, which are threads of the C++ solver; progress.

    Raises
    ------
    InputError
        If rounds, ladder, start or width are out of their domain, or both a width and the exact
        optimum are asked for.
    TooLargeError
        If it needs more memory than the limit.

    Examples
    --------
    >>> solve(2).value
    mpq(129,64)
    >>> print(solve(10))
    optimum of 10 rounds ≈ 20.4836019572432, by exact search over all blocks
    """
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    if start is not None:
        start = check_state(*start, ladder)
    widest = None if width is None else rational(width, "width")
    if widest is not None and widest <= 0:
        raise InputError("width", width, "a number of points above 0")
    if widest is not None and exact:
        raise InputError("width", width, "none where the exact optimum is asked for")
    if start is not None or not _is_taken(rounds, ladder) or rounds <= MAX_SEARCHED:
        solution = search(rounds, ladder, start, run)
        blocks = {"blocks": len({*solution.afterstates, solution.start.dice})}
        point = Enclosure(solution.value, solution.value)
        return SweOptimum(
            rounds, ladder, start, Method.SEARCH, point, solution.value, blocks, solution=solution
        )
    if widest is None:
        widest = mpq(0) if exact or rounds <= MAX_EXACT else None
    return by_intervals(rounds, ladder, widest=widest, run=run)


def by_intervals(
    rounds: int, ladder: Ladder = STANDARD, *, widest: mpq | None = None, run: Run = DEFAULT
) -> SweOptimum:
    """Enclose the optimum from the empty table; find it where that is wider than `widest`."""
    from exactdice.games.swe.optimum.interval_search import enclose, optimum

    ladder = Ladder.of(ladder)
    enclosed = None if widest == 0 else enclose(rounds, ladder, run)
    if enclosed is not None and (widest is None or enclosed.value.width <= widest):
        method, value, counts = Method.ENCLOSURE, enclosed.value, asdict(enclosed.sizes)
        return SweOptimum(rounds, ladder, None, method, value, value, counts)
    searched = optimum(rounds, ladder, run, enclosed)
    names = ("blocks", "blocks_in_all", "certain", "compared")
    method, counts = Method.INTERVALS, {name: getattr(searched, name) for name in names}
    return SweOptimum(
        rounds, ladder, None, method, searched.enclosure, searched.value, counts, searched=searched
    )


def _is_taken(rounds: int, ladder: Ladder) -> bool:
    """Whether the C++ solver is there and takes the game."""
    fits = rounds <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES
    return fits and are_built()


class Prospect(NamedTuple):
    """An action, what encloses its worth and its regret, and whether it is optimal, if sure."""

    action: Action
    value: Enclosure
    regret: Enclosure
    optimal: bool | None


class ActionOutlook(NamedTuple):
    """What lies ahead of a state."""

    value: Enclosure  # what encloses the expected final score under optimal play
    prospects: tuple[Prospect, ...]  # the actions, in the canonical order
    sizes: swe_outlook.OutlookSizes  # what was solved


def searched_quickly(left: int, ladder: Ladder, state: State) -> bool:
    """Tell whether exact search is as good from a state: it takes seconds, or is all there is."""
    short = left <= MAX_LEFT or weight(state.dice) + left <= MAX_TOGETHER
    fits = sum(state.dice) + left <= swe_outlook.MAX_DICE and state.score <= swe_outlook.MAX_SCORE
    return short or not (fits and _is_taken(left, ladder))


def judge(left: int, ladder: Ladder, state: State, run: Run = DEFAULT) -> ActionOutlook:
    """Enclose what each action is worth.

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
    return ActionOutlook(outlook.value, tuple(prospects), outlook.sizes)


def _rivals(outlook: swe_outlook.Outlook) -> list[int]:
    """List the moves that may be optimal."""
    return [move for move, worth in outlook.actions if worth.upper >= outlook.value.lower]


def _action(move: int, state: State) -> Action:
    if any(state.legacy):
        return Action(ActionKind.FIX, move)
    return Action(ActionKind.PROMOTE, move - 1) if move else Action(ActionKind.CREATE)


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
