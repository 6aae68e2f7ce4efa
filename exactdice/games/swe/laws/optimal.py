"""The optimal player, as a policy among the others.

It plays the first optimal action in the canonical order, so among equals it creates, and fixes the
highest rung. Its choices depend on the score only where a catastrophe is near enough to matter.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.laws.evaluation import WORK_LIMIT, Evaluation, evaluate
from exactdice.games.swe.laws.players import Policy, Repairs, Turn
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.rules import Action, State, empty_table
from exactdice.run import DEFAULT, Run


@dataclass(frozen=True, eq=False)
class Optimal(Policy):
    """Play a solution.

    >>> from exactdice.games.swe.optimum.exact import solve
    >>> player = Optimal(solve(3))
    >>> print(*player.improvements((1, 0, 0, 0, 0), Turn(2, 3), 1))
    create
    """

    solution: Solution  # what `exactdice.games.swe.solve` returns, for a game from the empty table

    family = "Optimal"
    repairs = Repairs.OTHER
    looks_at_score = True

    def __post_init__(self) -> None:
        if self.solution.start != empty_table(self.solution.ladder):
            got = Unquoted("one that starts with dice or a score")
            raise InputError("solution", got, "one that starts from the empty table")

    def choices(self, state: State, turn: Turn) -> Mapping[Action, mpq]:
        """Return the first optimal action; which legacy die to fix is the solution's choice too."""
        return {self.solution.optimal_action(state, self._left(turn)): mpq(1)}

    def improvements(self, dice: tuple[int, ...], turn: Turn, score: int) -> Mapping[Action, mpq]:
        """Return the first optimal action at a score that play can reach with these dice.

        A score below the least that can be reached is answered as that one, and one above the
        greatest likewise.
        """
        pieces = self._pieces(dice, turn)
        action = next((action for low, action in reversed(pieces) if low <= score), pieces[0][1])
        return {action: mpq(1)}

    def changes_at(self, dice: tuple[int, ...], turn: Turn) -> tuple[int, ...]:
        """Return the scores from which on another action is the first optimal one."""
        return tuple(low for low, _ in self._pieces(dice, turn)[1:])

    def _pieces(self, dice: tuple[int, ...], turn: Turn) -> list[tuple[int, Action]]:
        """List where each first optimal action begins, in ascending scores."""
        left = self._left(turn)
        state = self.solution.with_least_score(State(dice, (0,) * len(dice)), left)
        pieces: list[tuple[int, Action]] = []
        for choice in self.solution.choices(state, left):
            if not pieces or pieces[-1][1] != choice.actions[0]:
                pieces.append((choice.low, choice.actions[0]))
        return pieces

    def _left(self, turn: Turn) -> int:
        """Rounds left, of a game that must be the one that was solved."""
        if (turn.rounds, turn.ladder) != (self.solution.rounds, self.solution.ladder):
            got = Unquoted(f"{turn.rounds} rounds with {turn.ladder}")
            raise InputError("game", got, f"the game that was solved, {self.solution!r}")
        return turn.rounds - turn.round + 1


class _HighestFirst(Optimal):
    """Play a solution but fix the highest rung first, which is optimal too if the mean says so."""

    repairs = Repairs.HIGHEST
    choices = Policy.choices


def evaluate_optimal(
    solution: Solution,
    *,
    work_limit: int = WORK_LIMIT,
    in_doubles: bool | None = None,
    run: Run = DEFAULT,
) -> Evaluation:
    """Evaluate optimal play: the exact value from the solution, and the law of the final score.

    The law is carried forward with legacy dice fixed highest rung first. That this is optimal too
    is not assumed but checked: the mean of an exact law must be the value of the solution. Of a
    law that is only enclosed, the enclosure of the mean must hold the value, which says less.

    Raises TooLargeError as in `exactdice.games.swe.evaluate`.

    Raises ArithmeticError if the mean is another; then fixing the highest rung first would not be
    optimal.

    >>> from exactdice.games.swe.optimum.exact import solve
    >>> solution = solve(4)
    >>> evaluate_optimal(solution).exact_mean == solution.value
    True
    """
    evaluation = evaluate(
        _HighestFirst(solution),
        solution.rounds,
        solution.ladder,
        work_limit=work_limit,
        in_doubles=in_doubles,
        run=run,
    )
    value = Enclosure.of(solution.value)
    if solution.value not in evaluation.mean:
        raise ArithmeticError("optimal play does not fix the highest rung first")
    return replace(evaluation, mean=value)
