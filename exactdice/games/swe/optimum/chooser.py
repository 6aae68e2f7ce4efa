"""The optimum by the best method for its size; all three methods are rigorous.

* *Exact search* over all blocks (`exactdice.games.swe.optimum.exact`), from any state, with the
  whole policy: 0.1 s for 14 rounds and 0.9 s for 22, on one core.
* *Exact search by intervals* (`exactdice.games.swe.optimum.interval_search`) from the empty table:
  0.05 s for 22 rounds and 17 s for 60.
* *Enclosure* by the C++ solver to some ten digits: 1.2 s for 60 rounds and 6 s for 80.

The choice depends on the size and the question, never on the clock, and the answer names it.

`judge` encloses the values of all actions in a state. The C++ solver bounds the dice that are
hardly ever made instead of solving them (`exactdice.native.swe_outlook`). If the intervals are
wide, or leave the best action open, values that depend on the score are solved piece by piece. The
regret of the certainly best action is 0; that of another one is bounded by the differences of its
ends from the opposite ends of the best value.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from exactdice.arithmetic import RationalLike, mpq, natural, rational, significant
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError
from exactdice.games.swe import rules
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.rules import CREATE, STANDARD, Action, ActionKind, Ladder, State
from exactdice.native import are_built, swe_outlook
from exactdice.native.swe_outlook import MAX_FACES, MAX_ROUNDS, MAX_RUNGS
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.games.swe.optimum.interval_search import Searched

#: Rounds up to which exact search over all blocks is as fast as loading the C++ solver.
MAX_SEARCHED = 14

#: Rounds up to which the exact optimum is the default; above, an enclosure.
MAX_EXACT = 60

#: Exact search from a state takes seconds up to so many rounds left, or rounds left plus weight.
MAX_LEFT, MAX_TOGETHER = 10, 22

#: Width in points of an enclosure above which values are solved piece by piece.
WIDEST = mpq(1, 10**6)


class Method(StrEnum):
    SEARCH = "exact search over all blocks"
    INTERVALS = "exact search by intervals"
    ENCLOSURE = "enclosure by intervals"


@dataclass(frozen=True, repr=False)
class SweOptimum(Reported, by="exactdice.games.swe.reports:optimum_report"):
    """The optimal expected final score of a game; returned by `solve`.

    * `rounds`, `ladder`, `start`: the game; None for a start from the empty table.
    * `method`, `counts`: how it was found, and the sizes of the computation by their names in the
      report.
    * `enclosure`: rigorous bounds of the optimum; a point if exact search found it.
    * `value`: the optimum, exact or else its enclosure.
    * `solution`, `searched`: the policy and other results of exact search, or of the search by
      intervals.
    """

    rounds: int
    ladder: Ladder
    start: State | None
    method: Method
    enclosure: Enclosure
    value: Enclosure
    counts: dict[str, int]
    solution: Solution | None = None
    searched: "Searched | None" = None

    def __str__(self) -> str:
        if self.value.point is None:
            places = self.value.places(10)
            shown = f"in [{self.value.rounded_down(places)}, {self.value.rounded_up(places)}]"
        else:
            shown = f"≈ {significant(self.value.point, 15)}"
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

    * `rounds`: rounds to play, at least 0.
    * `start`: the state at the start; by default the empty table with score 0. From a state, or
      without the C++ solver, exact search is the only method.
    * `exact`: whether to find the exact optimum for more than `MAX_EXACT` rounds, too.
    * `width`: largest accepted width of an enclosure in points, above 0; only a wider one is
      followed by a search for the exact optimum.
    * `run`: memory; workers, which are threads of the C++ solver; progress.

    Raises InputError if rounds, ladder, start or width are outside their domain, or `exact` and
    `width` are combined. Raises TooLargeError if it needs more memory than the limit.

    >>> solve(2).value
    Enclosure(mpq(129,64))
    >>> print(solve(10))
    optimum of 10 rounds ≈ 20.4836019572432, by exact search over all blocks
    """
    rounds, ladder = natural(rounds, "rounds"), Ladder.of(ladder)
    if start is not None:
        start = rules.check_state(*start, ladder)
    widest = None if width is None else rational(width, "width")
    check_width(widest, exact=exact)
    if start is not None or not _is_taken(rounds, ladder) or rounds <= MAX_SEARCHED:
        solution = search(rounds, ladder, start, run)
        blocks = {"blocks": len({*solution.afterstates, solution.start.dice})}
        point = Enclosure(solution.value)
        return SweOptimum(rounds, ladder, start, Method.SEARCH, point, point, blocks, solution)
    if widest is None:
        widest = mpq(0) if exact or rounds <= MAX_EXACT else None
    return by_intervals(rounds, ladder, widest=widest, run=run)


def check_width(width: mpq | None, *, exact: bool) -> None:
    if width is not None and width <= 0:
        raise InputError("width", width, "a number of points above 0")
    if width is not None and exact:
        raise ConflictError("width", "cannot be combined with --exact")


def by_intervals(
    rounds: int, ladder: Ladder = STANDARD, *, widest: mpq | None = None, run: Run = DEFAULT
) -> SweOptimum:
    from exactdice.games.swe.optimum.interval_search import enclose, optimum

    ladder = Ladder.of(ladder)
    enclosed = None if widest == 0 else enclose(rounds, ladder, run)
    if enclosed is not None and (widest is None or enclosed.value.width <= widest):
        method, value, counts = Method.ENCLOSURE, enclosed.value, asdict(enclosed.sizes)
        return SweOptimum(rounds, ladder, None, method, value, value, counts)
    searched = optimum(rounds, ladder, run, enclosed)
    names = ("blocks", "blocks_in_all", "certain", "compared")
    method, counts = Method.INTERVALS, {name: getattr(searched, name) for name in names}
    ends = searched.enclosure, Enclosure(searched.value)
    return SweOptimum(rounds, ladder, None, method, *ends, counts, searched=searched)


def _is_taken(rounds: int, ladder: Ladder) -> bool:
    fits = rounds <= MAX_ROUNDS and len(ladder) <= MAX_RUNGS and ladder[-1] <= MAX_FACES
    return fits and are_built()


class Prospect(NamedTuple):
    action: Action
    value: Enclosure
    regret: Enclosure
    optimal: bool | None  # None if open


class ActionOutlook(NamedTuple):
    """Bounds of the value of a state and its actions."""

    value: Enclosure
    prospects: tuple[Prospect, ...]  # in the canonical order
    sizes: swe_outlook.OutlookSizes


def searched_quickly(left: int, ladder: Ladder, state: State) -> bool:
    """Whether exact search from a state takes seconds, or is the only method."""
    short = left <= MAX_LEFT or rules.weight(state.dice) + left <= MAX_TOGETHER
    fits = sum(state.dice) + left <= swe_outlook.MAX_DICE and state.score <= swe_outlook.MAX_SCORE
    return short or not (fits and _is_taken(left, ladder))


def judge(left: int, ladder: Ladder, state: State, run: Run = DEFAULT) -> ActionOutlook:
    """Enclose the value of each action; 61 rounds left take seconds and tens of MB."""
    left, state = natural(left, "rounds left", least=1), rules.check_state(*state, ladder)
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
    return [move for move, worth in outlook.actions if worth.upper >= outlook.value.lower]


def _action(move: int, state: State) -> Action:
    if any(state.legacy):
        return Action(ActionKind.FIX, move)
    return Action(ActionKind.PROMOTE, move - 1) if move else CREATE


def _solve(left: int, ladder: Ladder, state: State, bend: int, run: Run) -> swe_outlook.Outlook:
    return swe_outlook.solve(left, ladder, *state, made=swe_outlook.HARDLY, bend=bend, run=run)
