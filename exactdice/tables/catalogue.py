"""The main job: every exact table of every game, by name.

Each entry builds one report; `exactdice tables` writes each in text, CSV, JSON and LaTeX.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from exactdice.games.risk import Order, Units
from exactdice.tables import risk
from exactdice.tables.model import Report
from exactdice.tables.writers import Format, render

__all__ = ["CATALOGUE", "FORMATS", "Entry"]

#: The formats that the main job writes.
FORMATS = (Format.TEXT, Format.CSV, Format.JSON, Format.LATEX)


@dataclass(frozen=True)
class Entry:
    """One report of the main job.

    Parameters
    ----------
    name
        Where it is written, as ``game/table`` without a suffix.
    build
        Makes the report.
    command
        The command that prints the same report alone.
    """

    name: str
    build: Callable[[], Report]
    command: str

    def files(self, digits: int = 10) -> Iterator[tuple[str, str]]:
        """Yield the name and the content of each file of this entry."""
        report = self.build()
        provenance = replace(report.provenance, command=self.command)
        for output_format in FORMATS:
            content = render(replace(report, provenance=provenance), output_format, digits)
            yield self.name + output_format.suffix, content


def _risk() -> Iterator[Entry]:
    for a, d in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)):
        yield Entry(
            f"risk/round-{a}-{d}",
            lambda a=a, d=d: risk.round_report(a, d),  # type: ignore[misc]
            f"exactdice risk round {a} {d}",
        )
    yield Entry(
        "risk/win-10x10",
        lambda: risk.table_report(10, 10, Units.TOTAL),
        "exactdice risk table 10 10",
    )
    yield Entry(
        "risk/win-10x10-fighting",
        lambda: risk.table_report(10, 10, Units.FIGHTING),
        "exactdice risk table 10 10 --units fighting",
    )
    yield Entry(
        "risk/survivors-10-10",
        lambda: risk.survivors_report(10, 10, Units.TOTAL),
        "exactdice risk survivors 10 10",
    )
    yield Entry(
        "risk/campaign-12-3-2-1",
        lambda: risk.campaign_report(12, [3, 2, 1], Units.TOTAL),
        "exactdice risk campaign 12 3 2 1",
    )
    for order in Order:
        yield Entry(
            f"risk/dice-{order}-10x10",
            lambda order=order: risk.dice_report(10, 10, order, Units.TOTAL),  # type: ignore[misc]
            f"exactdice risk dice 10 10 --order {order}",
        )


#: Every report of the main job, in the order in which they are written.
CATALOGUE: tuple[Entry, ...] = (*_risk(),)
