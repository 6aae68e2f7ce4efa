"""The built-in sweeps, and how the words of a command become a sweep.

``farkle-best`` searches for the hundred best sets of six named dice of Farkle, in blocks by how
many of the two best kinds, weighted and favourable, they contain; ``farkle-best-needed`` counts
only the points needed. ``fatestones-census`` computes the equilibria of all deals, for each bag of
at least six dice with 4, 5 or 6 faces: all dice with 4, and those with equal means with 5 and 6.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb
from pathlib import Path

from exactdice import NAMES_OF_GAMES
from exactdice.errors import ConflictError, InputError
from exactdice.linked import linked
from exactdice.report.model import Provenance, Report
from exactdice.run import DEFAULT, Run
from exactdice.sweeps.model import Sweep, canonical, from_file, from_grid
from exactdice.sweeps.reports import Reducer, exporting, read_reducer, stored_reports
from exactdice.sweeps.store import Store


@dataclass(frozen=True)
class BuiltIn:
    description: str
    units: Callable[[], Sequence[str]]  # returns its questions in order
    reduce: Reducer | None = None  # by default a table of rows


def _farkle_best(points: int, more: str = "") -> list[str]:
    blocks = []
    for weighted in range(6, -1, -1):
        for favourable in range(6 - weighted, -1, -1):
            counts = {"weighted": weighted, "favourable": favourable}
            hold = ",".join(f"{name}*{count}" for name, count in counts.items() if count)
            without = ",".join(name for name, count in counts.items() if not count)
            options = f"--hold '{hold}' " if hold else ""
            options += f"--without {without}" if without else ""
            blocks.append(f"farkle sets --above {points} {options}{more}")
    return blocks


_DEALS_A_PART = 500_000


def _census() -> list[str]:
    home = linked("exactdice.studies.fatestones.censuses")
    asked: list[tuple[int, int | None]] = [(5, total) for total in home.bags(5)]
    asked += [(4, None), (6, 21)]  # with four faces, no mean has six dice
    asked += [(6, total) for total in home.bags(6)]
    parts = []
    for faces, total in dict.fromkeys(asked):
        options = f"--faces {faces}" + (f" --total {total}" if total else "")
        for first, last in _hand_blocks(len(home.bag_of(faces, total))):
            parts.append(f"fatestones census-part {first} {last} {options}")
    return parts


def _hand_blocks(dice: int) -> Iterator[tuple[int, int]]:
    hands, others = comb(dice, 3), comb(dice - 3, 3)
    first = 0
    while first < hands:
        last, deals = first, 0
        while last < hands - 1 and deals < _DEALS_A_PART:
            deals += others * (hands - last) // hands
            last += 1
        yield first, last
        first = last + 1


def _merged(name: str) -> Reducer:
    def reduce(asked: Sweep, store: Store) -> Report:
        report: Report = linked(name)(stored_reports(asked, store))
        words = {"parts": "combined in the order of the sweep"}
        provenance = Provenance(exporting(asked), {**report.provenance.conventions, **words})
        return replace(report, provenance=provenance)

    return reduce


BUILT_IN = {
    "farkle-best": BuiltIn(
        "The best sets of six of all named dice.",
        partial(_farkle_best, 4560),
        _merged("exactdice.games.farkle.races.reports:merged_sets_report"),
    ),
    "farkle-best-needed": BuiltIn(
        "The same if only the points needed count.",
        partial(_farkle_best, 3990, " --overshoot needed"),
        _merged("exactdice.games.farkle.races.reports:merged_sets_report"),
    ),
    "fatestones-census": BuiltIn(
        "The census of FateStones for dice of 4, 5 and 6 faces.",
        _census,
        _merged("exactdice.studies.fatestones.reports:merged_census_report"),
    ),
    "risk-dice": BuiltIn(
        "Whether rolling all dice is optimal in Risk, up to 100 against 100.",
        lambda: [f"risk dice 100 100 --order {x}" for x in ("announced", "simultaneous")],
    ),
    "verify": BuiltIn(
        "All claims, computed again from scratch.",
        lambda: [f"verify {x.id}" for x in linked("exactdice.jobs.claims:CLAIMS") if x.kind],
    ),
    "tables-long": BuiltIn(
        "The questions of project tables --long.",
        lambda: [entry.question for entry in linked("exactdice.jobs.catalogue:LONG")],
    ),
    "crosscheck": BuiltIn(
        "The large cross-checks, game by game.",
        lambda: [f"project crosscheck {game} --large" for game in NAMES_OF_GAMES],
    ),
    "swe-optimum": BuiltIn(
        "The exact optimum of SWE to 100 rounds, level by level.",
        lambda: [f"swe enclosure {r} --exact --residues" for r in range(10, 101, 10)],
    ),
}


def define(asked: str, over: Sequence[str] = (), reducer: str = "", run: Run = DEFAULT) -> Sweep:
    if reducer:
        read_reducer(reducer)
    if asked in BUILT_IN:
        if over or reducer:
            raise ConflictError("sweep", f"{asked} is built in; omit --over and --reduce")
        units = tuple(canonical(unit) for unit in BUILT_IN[asked].units())
        return Sweep(asked, units, f"built-in {asked}")
    if not over and "{" not in asked and Path(asked).is_file():
        return from_file(Path(asked), reducer or "rows", run)
    if not over and len(asked.split()) < 2:
        wanted = "a file of questions, a question with --over, or a built-in sweep"
        raise InputError("sweep", asked, f'{wanted}; list them with "exactdice sweep run --help"')
    return from_grid(asked, over, reducer or "rows", run)


def reducer_of(asked: Sweep) -> Reducer:
    kind, _, name = asked.reducer.partition(" ")
    if kind == "built-in" and name in BUILT_IN:
        return BUILT_IN[name].reduce or read_reducer("rows")
    return read_reducer(asked.reducer)
