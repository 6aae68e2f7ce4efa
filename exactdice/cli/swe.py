"""`exactdice swe …`: the optimum of the software-engineering game, and claims about it."""

from dataclasses import dataclass
from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.presenting import OptionGroup, command, group
from exactdice.cli.progress import progress_bar
from exactdice.games.swe import Ladder, State, check_state
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import swe as native
from exactdice.sweeps.float_first import optimum
from exactdice.tables import swe as reports
from exactdice.tables.model import Report
from exactdice.tables.swe_enclosure import enclosure_report, searched_optimum_report

__all__ = ["app"]

app = group()

_Rounds = Annotated[str, typer.Argument(metavar="R", help="Rounds of the game.")]
_Force = Annotated[bool, typer.Option("--force", help="Go past the memory limit.")]


def _read_ladder(
    ladder: Annotated[
        str, typer.Option(metavar="F,F,…", help="Faces of the dice, ascending.")
    ] = "4,6,8,12,20",
) -> Ladder:
    return Ladder.read(ladder)


@dataclass(frozen=True)
class _Position:
    """The dice and the score that a command was given, as text; the ladder tells their number."""

    revenue: str
    legacy: str
    score: str

    def state(self, ladder: Ladder) -> State:
        revenue = _pool(self.revenue, "revenue", ladder)
        legacy = _pool(self.legacy, "legacy", ladder)
        return check_state(revenue, legacy, natural(self.score or 0, "score"), ladder)

    def given(self) -> bool:
        return bool(self.revenue or self.legacy or self.score)


def _pool(given: str, name: str, ladder: Ladder) -> list[int]:
    """Read how many dice there are on each rung; none where nothing is given."""
    return [natural(number, name) for number in given.split(",")] if given else [0] * len(ladder)


def _read_position(
    score: Annotated[str, typer.Option(metavar="S", help="Score.")] = "",
    revenue: Annotated[
        str, typer.Option(metavar="N,N,…", help="Revenue dice on each rung, lowest first.")
    ] = "",
    legacy: Annotated[
        str, typer.Option(metavar="N,N,…", help="Legacy dice on each rung, lowest first.")
    ] = "",
) -> _Position:
    return _Position(revenue, legacy, score)


_LadderOption = Annotated[Ladder, OptionGroup(_read_ladder)]
_PositionOptions = Annotated[_Position, OptionGroup(_read_position)]


def _limit(force: bool) -> int | None:
    return None if force else MEMORY_LIMIT


@command(app, "value")
def show_value(
    rounds: _Rounds,
    ladder: _LadderOption,
    position: _PositionOptions,
    force: _Force = False,
) -> Report:
    """Expected final score under optimal play, from an empty table or from a state."""
    start = position.state(ladder) if position.given() else None
    with progress_bar("blocks") as progress:
        return reports.value_report(
            natural(rounds, "rounds"), ladder, start, memory_limit=_limit(force), progress=progress
        )


@command(app, "enclosure")
def show_enclosure(
    rounds: _Rounds,
    ladder: _LadderOption,
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
def show_values(rounds: _Rounds, ladder: _LadderOption, force: _Force = False) -> Report:
    """Expected final score under optimal play for every game of at most R rounds."""
    with progress_bar("blocks") as progress:
        return reports.values_report(
            natural(rounds, "rounds"), ladder, memory_limit=_limit(force), progress=progress
        )


@command(app, "advise")
def show_advice(
    rounds: _Rounds,
    ladder: _LadderOption,
    position: _PositionOptions,
    now: Annotated[
        str, typer.Option("--round", metavar="T", help="The round that begins, from 1.")
    ] = "1",
    force: _Force = False,
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
            memory_limit=_limit(force),
            progress=progress,
        )


@command(app, "policy")
def show_policy(
    rounds: _Rounds,
    ladder: _LadderOption,
    legacy: Annotated[
        bool, typer.Option("--legacy", help="States with legacy dice too: which one to fix.")
    ] = False,
    path: Annotated[
        bool, typer.Option("--path", help="Only states that occur under optimal play.")
    ] = False,
    force: _Force = False,
) -> Report:
    """Optimal actions in every state, and from which score on."""
    with progress_bar("blocks") as progress:
        return reports.policy_report(
            natural(rounds, "rounds"),
            ladder,
            legacy=legacy,
            path=path,
            memory_limit=_limit(force),
            progress=progress,
        )


@command(app, "lemmas")
def show_claims(rounds: _Rounds, ladder: _LadderOption, force: _Force = False) -> Report:
    """Verdicts on the claims about optimal play, for all games of at most R rounds."""
    with progress_bar("rounds, four times") as progress:
        return reports.claims_report(
            natural(rounds, "rounds", least=1),
            ladder,
            memory_limit=_limit(force),
            progress=progress,
        )
