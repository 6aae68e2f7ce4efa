"""`exactdice swe …`: the optimum of the software-engineering game, and claims about it."""

from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli import swe_policies
from exactdice.cli.legacy_presenting import command, group
from exactdice.cli.progress import progress_bar
from exactdice.cli.swe_options import (
    Force,
    LadderOption,
    PositionOptions,
    Round,
    Rounds,
    memory_limit,
)
from exactdice.native import swe as native
from exactdice.report.model import Report
from exactdice.sweeps.float_first import optimum
from exactdice.tables import swe as reports
from exactdice.tables.swe_enclosure import enclosure_report, searched_optimum_report

__all__ = ["app"]

app = group()


@command(app, "value")
def show_value(
    rounds: Rounds,
    ladder: LadderOption,
    position: PositionOptions,
    force: Force = False,
) -> Report:
    """Expected final score under optimal play, from an empty table or from a state."""
    start = position.state(ladder) if position.is_given else None
    with progress_bar("blocks") as progress:
        return reports.value_report(
            natural(rounds, "rounds"),
            ladder,
            start,
            memory_limit=memory_limit(force),
            progress=progress,
        )


@command(app, "enclosure")
def show_enclosure(
    rounds: Rounds,
    ladder: LadderOption,
    threads: Annotated[str, typer.Option(metavar="N", help="Threads that share the work.")] = "1",
    find_exact: Annotated[
        bool, typer.Option("--exact", help="Then the exact optimum, from what stays possible.")
    ] = False,
) -> Report:
    """Rigorous enclosure of the optimum by the C++ solver, for many rounds."""
    many = natural(rounds, "rounds", least=1, most=200)
    several = natural(threads, "threads", least=1, most=256)
    if not find_exact:
        solved = native.solve(many, ladder, intervals=True, threads=several)
        return enclosure_report(solved)
    with progress_bar("blocks") as progress:
        found = optimum(many, ladder, threads=several, progress=progress)
    return searched_optimum_report(many, ladder, found.value, found.enclosure, vars(found))


@command(app, "values")
def show_values(rounds: Rounds, ladder: LadderOption, force: Force = False) -> Report:
    """Expected final score under optimal play for every game of at most R rounds."""
    with progress_bar("blocks") as progress:
        return reports.values_report(
            natural(rounds, "rounds"), ladder, memory_limit=memory_limit(force), progress=progress
        )


@command(app, "advise")
def show_advice(
    rounds: Rounds,
    ladder: LadderOption,
    position: PositionOptions,
    now: Round = "1",
    force: Force = False,
) -> Report:
    """What each action is worth in round T, and what it costs against the best."""
    total = natural(rounds, "rounds", least=1)
    current = natural(now, "round", least=1, most=total)
    with progress_bar("blocks") as progress:
        return reports.advice_report(
            total,
            current,
            position.state(ladder),
            ladder,
            memory_limit=memory_limit(force),
            progress=progress,
        )


@command(app, "policy")
def show_policy(
    rounds: Rounds,
    ladder: LadderOption,
    legacy: Annotated[
        bool, typer.Option("--legacy", help="States with legacy dice too: which one to fix.")
    ] = False,
    path: Annotated[
        bool, typer.Option("--path", help="Only states that occur under optimal play.")
    ] = False,
    force: Force = False,
) -> Report:
    """Optimal actions in every state, and from which score on."""
    with progress_bar("blocks") as progress:
        return reports.policy_report(
            natural(rounds, "rounds"),
            ladder,
            legacy=legacy,
            path=path,
            memory_limit=memory_limit(force),
            progress=progress,
        )


@command(app, "lemmas")
def show_claims(rounds: Rounds, ladder: LadderOption, force: Force = False) -> Report:
    """Verdicts on the claims about optimal play, for all games of at most R rounds."""
    with progress_bar("rounds, four times") as progress:
        return reports.claims_report(
            natural(rounds, "rounds", least=1),
            ladder,
            memory_limit=memory_limit(force),
            progress=progress,
        )


swe_policies.add_to(app)
