"""Reports of what has a closed form: creating only, and the size of a game."""

from exactdice.games.swe.closed_forms.new_only import NewOnly
from exactdice.games.swe.closed_forms.reachable import reachability, split_weights
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.reports.common import VALUE, provenance, rounds_text
from exactdice.games.swe.rules import Ladder
from exactdice.report.model import Column, Report, Table, exact, whole
from exactdice.symbolic.ehrhart import count_points
from exactdice.symbolic.reports import statements_table


def _sizes(rounds: int, ladder: Ladder) -> tuple[int, int]:
    """Count the multisets of dice of a game, and their splits into revenue and legacy."""
    rungs = len(ladder)
    return count_points(range(1, rungs + 1), rounds), count_points(split_weights(rungs), rounds)


_SIZES: list[Column] = [
    whole("multisets", "multisets of dice that so many rounds can make", "multisets"),
    whole("splits", "those multisets, split into revenue and legacy", "states"),
]


def values_report(solution: Solution) -> Report:
    """Report the values of all games up to some rounds, beside creating alone, and their sizes."""
    values = [solution.value_at(solution.start, left) for left in range(solution.rounds + 1)]
    new_only = NewOnly(solution.ladder[0])
    games = Table(
        "games",
        "The optimum of each game",
        [
            whole("rounds", "rounds of the game", "rounds"),
            VALUE,
            exact("gain", "what the last round adds", "points"),
            exact("new_only", "the same when every die is new and none is promoted", "points"),
            *_SIZES,
        ],
        [
            (
                left,
                value,
                value - values[left - 1] if left else None,
                new_only.expected_score(left),
                *_sizes(left, solution.ladder),
            )
            for left, value in enumerate(values)
        ],
    )
    title = f"SWE: the optimum of games of up to {rounds_text(solution.rounds)}"
    return Report(title, (), [games], provenance(solution.ladder))


def sizes_report(rounds: int, ladder: Ladder) -> Report:
    """Report how many tables games of up to some rounds have, and the theorem that counts them."""
    games = Table(
        "games",
        "The size of each game",
        [whole("rounds", "rounds of the game", "rounds"), *_SIZES],
        [(played, *_sizes(played, ladder)) for played in range(rounds + 1)],
    )
    statements = statements_table([reachability(len(ladder))])
    title = f"SWE: tables of games of up to {rounds_text(rounds)}"
    return Report(title, (), [games, statements], provenance(ladder))
