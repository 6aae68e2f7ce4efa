"""Floating point against exact arithmetic, game by game, on ladders of sizes.

A cross-check solves one game at one size exactly, in doubles where there are any, and in intervals.
It compares, in this order, the sizes of the two models; every double, converted to a rational
*exactly*, with the exact value, against the bound stated for the solver; every interval, which has
to contain the exact value; and every action that the fast solver would take, which has to be one of
the exactly optimal ones. What is outside is counted and the first of each kind is named.

It stands on the games' exact solvers and on `exactdice.native` alike, and neither of those may know
of the other.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from exactdice.arithmetic import mpq, significant, text
from exactdice.errors import one_named
from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.native import last_place, solvers
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Text
from exactdice.report.model import Report, Table, exact, flag, text_column, whole
from exactdice.run import Run

__all__ = ["Case", "Check", "cases"]

_NONE = mpq(0)


@dataclass
class Check:
    """One cross-check: what was solved, and what is counted as it goes along.

    >>> check = Check("coin", "1 toss")
    >>> check.number("heads", mpq(1, 2), 0.5, (0.5, 0.5), mpq(0))
    >>> check.passed
    True
    >>> check.number("tails", mpq(1, 2), 0.25, (0.25, 0.75), mpq(1, 10))
    >>> check.problems
    ('tails: the double is off by 1/4, more than its bound of 1/10',)
    """

    game: str
    size: str
    # each size of the model that was compared, with what the exact and the fast solver say
    model_sizes: list[tuple[str, int, int]] = field(default_factory=list)
    numbers: int = 0  # values compared
    # the largest error of a double: absolute, relative to the exact value, and in units in its last
    # place; and the largest part that one took of its stated bound, at most 1 where all kept it
    largest_absolute: mpq = _NONE
    largest_relative: mpq = _NONE
    largest_ulps: mpq = _NONE
    bound_used: mpq = _NONE
    outside_bound: int = 0  # doubles whose error exceeds the stated bound
    not_enclosed: int = 0  # intervals that do not contain the exact value
    actions: int = 0  # decisions compared
    ties: int = 0  # those in which several actions are exactly optimal
    wrong_actions: int = 0  # those in which the action taken is not
    undecided: int = 0  # decisions that the intervals leave open
    failures: dict[str, str] = field(default_factory=dict)  # the first of each kind, in words

    @property
    def problems(self) -> tuple[str, ...]:
        """The first of each kind of failure, in words."""
        return tuple(self.failures.values())

    @property
    def passed(self) -> bool:
        """Whether nothing is outside."""
        return not self.failures

    def model_size(self, name: str, exact: int, fast: int) -> None:
        """Compare a size of the models."""
        self.model_sizes.append((name, exact, fast))
        if exact != fast:
            self._fail(
                f"size {name}", f"{name}: {exact} in the exact model, {fast} in the fast one"
            )

    def number(
        self, name: str, exact: mpq, double: Any, ends: tuple[Any, Any] | None, bound: mpq
    ) -> None:
        """Compare a value."""
        self.numbers += 1
        computed = mpq(double)
        error = abs(computed - exact)
        self.largest_absolute = max(self.largest_absolute, error)
        if exact:
            self.largest_relative = max(self.largest_relative, error / abs(exact))
        self.largest_ulps = max(self.largest_ulps, error / last_place(computed))
        if bound:
            self.bound_used = max(self.bound_used, error / bound)
        if error > bound:
            self.outside_bound += 1
            self._fail(
                "bound",
                f"{name}: the double is off by {_brief(error)}, more than its bound of "
                f"{_brief(bound)}",
            )
        if ends is not None and not mpq(ends[0]) <= exact <= mpq(ends[1]):
            self.not_enclosed += 1
            self._fail("interval", f"{name}: the interval does not contain the exact value")

    def action(self, name: str, taken: Any, optimal: Iterable[Any]) -> None:
        """Compare the action taken with the exactly optimal ones."""
        best = list(optimal)
        self.actions += 1
        self.ties += len(best) > 1
        if taken not in best:
            self.wrong_actions += 1
            listed = ", ".join(map(str, best))
            self._fail("action", f"{name}: takes {taken}, while optimal is {listed}")

    def excluded(self, name: str, action: Any) -> None:
        """Note an optimal action that intervals have excluded."""
        self.not_enclosed += 1
        self._fail("excluded", f"{name}: intervals exclude {action}, which is optimal")

    def _fail(self, kind: str, problem: str) -> None:
        self.failures.setdefault(kind, problem)


@dataclass(frozen=True)
class Case:
    """One rung of a ladder: a game at a size."""

    game: str
    size: str
    run: Callable[[], Check]  # the cross-check
    is_large: bool = False  # whether it takes too long for a quick run of all tests


def _brief(number: mpq) -> str:
    whole = text(number)
    return whole if len(whole) < 20 else significant(number, 3)


def cases(games: Sequence[str] = (), *, large: bool = False) -> list[Case]:
    """List the cross-checks of some games."""
    asked = {name: one_named(GAMES, name, "game") for name in games or GAMES}
    chosen = {name: game for name, game in GAMES.items() if name in asked}
    ladders = listed(chosen, "crosscheck")
    return [case for ladder in ladders for case in ladder() if large or not case.is_large]


@dataclass(frozen=True)
class ProjectCrosscheck(
    Question,
    command="project crosscheck",
    example="project crosscheck farkle",
    takes="15 s; 40 s with --large",
):
    """Check the C++ solvers against the exact ones; exit status 1 if anything is outside."""

    games: tuple[str, ...] = argument(
        Text(*GAMES),
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
    kind = text_column("problem", "the first failure of its kind")
    failed = sum(not c.passed for c in checks)
    first = "{}, {}: {}".format(*problems[0]) if problems else ""
    return Report.of(
        "Cross-check of the C++ solvers against the exact ones",
        {"doubles": "converted to rationals exactly, then compared"},
        whole("checks_run", "cross-checks", "checks")(len(checks)),
        whole("checks_failed", "cross-checks in which something is outside")(failed),
        Table.of(
            "checks",
            "Doubles and intervals against exact values",
            checks,
            game,
            size,
            whole("numbers", "values compared", "values"),
            exact("largest_relative", "largest relative error of a double", "", "relative error"),
            exact("largest_ulps", "the same in units in the last place", "ulp", "ulps"),
            exact("largest_absolute", "largest absolute error of a double", "", "absolute error"),
            exact("bound_used", "largest part that an error takes of its stated bound", "", "used"),
            whole("outside", "doubles off by more than their bound, and intervals that miss").by(
                lambda c: c.outside_bound + c.not_enclosed
            ),
            whole("actions", "decisions compared", "decisions"),
            whole("ties", "decisions in which several actions are exactly optimal", "decisions"),
            whole("wrong", "decisions in which the action taken is not optimal", "decisions").by(
                lambda c: c.wrong_actions
            ),
            whole("undecided", "decisions that the intervals leave open", "decisions"),
            flag("passed", "whether nothing is outside"),
        ),
        Table.of(
            "model_sizes",
            "Sizes of the models",
            ((c.game, c.size, *counted) for c in checks for counted in c.model_sizes),
            game,
            size,
            text_column("what", "what is counted"),
            whole("exact", "in the exact model"),
            whole("fast", "in the fast model"),
        ),
        Table.of("problems", "What is outside", problems, game, size, kind) if problems else None,
        failure=f"{failed} of {len(checks)} cross-checks failed; the first: {first}"
        if failed
        else "",
    )


QUESTIONS = (ProjectCrosscheck,)
