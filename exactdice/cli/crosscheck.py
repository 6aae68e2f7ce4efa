"""`exactdice crosscheck …`: the fast solvers against the exact ones."""

from collections.abc import Sequence
from typing import Annotated

import typer

from exactdice.cli.legacy_presenting import reporting
from exactdice.cli.progress import progress_bar
from exactdice.native import solvers
from exactdice.report.model import (
    Quantity,
    Report,
    Table,
    exact,
    flag,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.sweeps.crosscheck import GAMES, Case, Check, cases

__all__ = ["crosscheck_report", "run"]


@reporting
def run(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help=f"Of {', '.join(GAMES)}; all where none is given."),
    ] = None,
    large: Annotated[
        bool, typer.Option("--large", help="Take the large sizes too, which take minutes.")
    ] = False,
) -> Report:
    """Check the C++ solvers against the exact ones; exit status 1 if anything is outside."""
    chosen = cases(games or (), large=large)
    solvers()
    return crosscheck_report(_checked(chosen))


def _checked(chosen: Sequence[Case]) -> list[Check]:
    checks = []
    with progress_bar("cross-checks") as tell:
        for done, case in enumerate(chosen):
            tell(done, len(chosen))
            checks.append(case.run())
    return checks


def crosscheck_report(checks: Sequence[Check]) -> Report:
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
