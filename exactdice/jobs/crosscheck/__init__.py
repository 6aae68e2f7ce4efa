"""Floating point against exact arithmetic, game by game, on ladders of sizes.

A cross-check solves one game at one size exactly, in doubles where there are any, and in intervals.
It compares, in this order, the sizes of the two models; every double, converted to a rational
*exactly*, with the exact value, against the bound stated for the solver; every interval, which has
to contain the exact value; and every action that the fast solver would take, which has to be one of
the exactly optimal ones. What is outside is counted and the first of each kind is named.

Of the laws of policies in the software-engineering game, which the fast solver bounds from below,
the weight of every score is compared in the same way.

It stands on the games' exact solvers and on `exactdice.native` alike, and neither of those may know
of the other.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from exactdice.arithmetic import mpq, significant, text
from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.native import last_place, solvers
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Words
from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.report.provenance import Provenance
from exactdice.run import Run

__all__ = ["Case", "Check", "Tally", "cases"]


@dataclass(frozen=True)
class Check:
    """The result of one cross-check."""

    # game, size: what was solved
    game: str
    size: str
    # each size of the model that was compared, with what the exact and the fast solver say
    model_sizes: tuple[tuple[str, int, int], ...]
    numbers: int  # values compared
    # largest_absolute, largest_relative, largest_ulps: largest error of a double: absolute,
    # relative to the exact value, and in units in its last place
    largest_absolute: mpq
    largest_relative: mpq
    largest_ulps: mpq
    # largest part of its stated bound that an error took; at most 1 where all kept it
    bound_used: mpq
    outside_bound: int  # doubles whose error exceeds the stated bound
    not_enclosed: int  # intervals that do not contain the exact value
    # actions, ties, wrong_actions: decisions compared; those where several actions are exactly
    # optimal; and those where the action taken is not
    actions: int
    ties: int
    wrong_actions: int
    undecided: int  # decisions that the intervals leave open
    problems: tuple[str, ...]  # the first of each kind of failure, in words

    @property
    def passed(self) -> bool:
        """Whether nothing is outside."""
        return not self.problems


@dataclass(frozen=True)
class Case:
    """One rung of a ladder: a game at a size."""

    # game, size: what is solved
    game: str
    size: str
    run: Callable[[], Check]  # the cross-check
    is_large: bool = False  # whether it takes too long for a quick run of all tests


class Tally:
    """Counts as a cross-check goes along.

    >>> tally = Tally("coin", "1 toss")
    >>> tally.number("heads", mpq(1, 2), 0.5, (0.5, 0.5), mpq(0))
    >>> tally.check().passed
    True
    >>> tally.number("tails", mpq(1, 2), 0.25, (0.25, 0.75), mpq(1, 10))
    >>> tally.check().problems
    ('tails: the double is off by 1/4, more than its bound of 1/10',)

    `game`, `size`: what is solved.
    """

    def __init__(self, game: str, size: str) -> None:
        self.game, self.size = game, size
        self._sizes: list[tuple[str, int, int]] = []
        self._numbers = 0
        self._absolute = self._relative = self._ulps = self._used = mpq(0)
        self._outside = self._not_enclosed = 0
        self._actions = self._ties = self._wrong = self._undecided = 0
        self._problems: dict[str, str] = {}

    def model_size(self, name: str, exact: int, fast: int) -> None:
        """Compare a size of the models."""
        self._sizes.append((name, exact, fast))
        if exact != fast:
            self._fail(
                f"size {name}", f"{name}: {exact} in the exact model, {fast} in the fast one"
            )

    def number(
        self, name: str, exact: mpq, double: Any, ends: tuple[Any, Any] | None, bound: mpq
    ) -> None:
        """Compare a value."""
        self._numbers += 1
        found = mpq(double)
        error = abs(found - exact)
        self._absolute = max(self._absolute, error)
        if exact:
            self._relative = max(self._relative, error / abs(exact))
        self._ulps = max(self._ulps, error / last_place(found))
        if bound:
            self._used = max(self._used, error / bound)
        if error > bound:
            self._outside += 1
            self._fail(
                "bound",
                f"{name}: the double is off by {_brief(error)}, more than its bound of "
                f"{_brief(bound)}",
            )
        if ends is not None and not mpq(ends[0]) <= exact <= mpq(ends[1]):
            self._not_enclosed += 1
            self._fail("interval", f"{name}: the interval does not contain the exact value")

    def action(self, name: str, taken: Any, optimal: Iterable[Any]) -> None:
        """Compare the action taken with the exactly optimal ones."""
        best = list(optimal)
        self._actions += 1
        self._ties += len(best) > 1
        if taken not in best:
            self._wrong += 1
            listed = ", ".join(map(str, best))
            self._fail("action", f"{name}: takes {taken}, while optimal is {listed}")

    def excluded(self, name: str, action: Any) -> None:
        """Note an optimal action that intervals have excluded."""
        self._not_enclosed += 1
        self._fail("excluded", f"{name}: intervals exclude {action}, which is optimal")

    def undecided(self, number: int) -> None:
        """Note decisions that the intervals leave open."""
        self._undecided += number

    def _fail(self, kind: str, problem: str) -> None:
        self._problems.setdefault(kind, problem)

    def check(self) -> Check:
        """Return what was counted."""
        return Check(
            self.game,
            self.size,
            tuple(self._sizes),
            self._numbers,
            self._absolute,
            self._relative,
            self._ulps,
            self._used,
            self._outside,
            self._not_enclosed,
            self._actions,
            self._ties,
            self._wrong,
            self._undecided,
            tuple(self._problems.values()),
        )


def _brief(number: mpq) -> str:
    whole = text(number)
    return whole if len(whole) < 20 else significant(number, 3)


def cases(games: Sequence[str] = (), *, large: bool = False) -> list[Case]:
    """List the cross-checks of some games.

    >>> [case.size for case in cases(["farkle"])]
    ['3 equal dice', '3 different dice']
    """
    for game in games:
        if game not in GAMES:
            raise InputError("game", game, f"one of {', '.join(GAMES)}")
    chosen = {name: game for name, game in GAMES.items() if name in (games or GAMES)}
    ladders = listed(chosen, "crosscheck")
    return [case for ladder in ladders for case in ladder() if large or not case.is_large]


@dataclass(frozen=True)
class Crosscheck(
    Question, command="crosscheck", example="crosscheck farkle", takes="15 s; 40 s with --large"
):
    """Check the C++ solvers against the exact ones; exit status 1 if anything is outside."""

    games: tuple[str, ...] = argument(
        Words(*GAMES),
        f"Of {', '.join(GAMES)}; all where none is given.",
        metavar="GAME",
        many=True,
        default=(),
    )
    _: KW_ONLY
    large: bool = option(Flag(), "Take the large sizes too, which take minutes.")

    def report(self, run: Run) -> Report:
        """Run the cross-checks one after another."""
        chosen = cases(self.games, large=self.large)
        solvers()
        checks = []
        for done, case in enumerate(chosen):
            run.tell("cross-checks", done, len(chosen))
            checks.append(case.run())
        return _report(checks)


def _report(checks: Sequence[Check]) -> Report:
    """Report what was compared, how far the doubles are off, and what is outside."""
    problems = [(c.game, c.size, problem) for c in checks for problem in c.problems]
    game, size = text_column("game", "game"), text_column("size", "size that was solved")
    comparisons = Table(
        "checks",
        "Doubles and intervals against exact values",
        [
            game,
            size,
            whole("numbers", "values compared", "values"),
            exact("largest_relative", "largest relative error of a double", "", "relative error"),
            exact("largest_ulps", "the same in units in the last place", "ulp", "ulps"),
            exact("largest_absolute", "largest absolute error of a double", "", "absolute error"),
            exact("bound_used", "largest part that an error takes of its stated bound", "", "used"),
            whole("outside", "doubles off by more than their bound, and intervals that miss"),
            whole("actions", "decisions compared", "decisions"),
            whole("ties", "decisions in which several actions are exactly optimal", "decisions"),
            whole("wrong", "decisions in which the action taken is not optimal", "decisions"),
            whole("undecided", "decisions that the intervals leave open", "decisions"),
            flag("passed", "whether nothing is outside"),
        ],
        [
            (
                c.game,
                c.size,
                c.numbers,
                c.largest_relative,
                c.largest_ulps,
                c.largest_absolute,
                c.bound_used,
                c.outside_bound + c.not_enclosed,
                c.actions,
                c.ties,
                c.wrong_actions,
                c.undecided,
                c.passed,
            )
            for c in checks
        ],
    )
    sizes = Table(
        "model_sizes",
        "Sizes of the models",
        [
            game,
            size,
            text_column("what", "what is counted"),
            whole("exact", "in the exact model"),
            whole("fast", "in the fast model"),
        ],
        [(c.game, c.size, *counted) for c in checks for counted in c.model_sizes],
    )
    failures = Table(
        "problems",
        "What is outside",
        [game, size, text_column("problem", "the first failure of its kind")],
        problems,
    )
    failed = sum(not c.passed for c in checks)
    quantities = [
        Quantity(whole("checks_run", "cross-checks", "checks"), len(checks)),
        Quantity(whole("checks_failed", "cross-checks in which something is outside"), failed),
    ]
    return Report(
        "Cross-check of the C++ solvers against the exact ones",
        quantities,
        [comparisons, sizes, *([failures] if problems else [])],
        Provenance(conventions={"doubles": "converted to rationals exactly, then compared"}),
        f"{failed} of {len(checks)} cross-checks failed; the first: "
        f"{problems[0][0]}, {problems[0][1]}: {problems[0][2]}"
        if failed
        else "",
    )


#: The question of this room.
QUESTIONS = (Crosscheck,)
