"""What a cross-check counts, and when it passes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import mpq, significant, text
from exactdice.native import last_place


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
