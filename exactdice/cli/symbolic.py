"""`exactdice symbolic …`: closed forms of Risk rounds, lattice points and catastrophes."""

from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.legacy_presenting import command, group
from exactdice.errors import InputError
from exactdice.report.model import Report
from exactdice.tables import symbolic as reports

__all__ = ["app"]

app = group()

#: Most rounds of one table of catastrophes; 200 take 1 s with dice of 4 faces, 8 s with 1000.
MAX_ROUNDS = 200


def _numbers(written: str, name: str) -> list[str]:
    """Split a list at its commas."""
    parts = [part.strip() for part in written.split(",")]
    if not all(parts):
        raise InputError(name, written, "whole numbers with commas between, such as 1,2,3")
    return parts


@command(app, "catastrophe")
def show_catastrophe(
    sides: Annotated[str, typer.Option(metavar="K", help="Faces of every die.")] = "4",
    rounds: Annotated[str, typer.Option(metavar="R", help="Rounds to play.")] = "10",
    revenue: Annotated[str, typer.Option(metavar="N", help="Revenue dice at the start.")] = "0",
    score: Annotated[str, typer.Option(metavar="S", help="Score at the start.")] = "0",
    dice: Annotated[
        str, typer.Option(metavar="K,K,…", help="Faces of dice that are rolled, never replaced.")
    ] = "",
) -> Report:
    """Catastrophes of the software-engineering game under new-only play."""
    return reports.catastrophe_report(
        natural(sides, "sides", least=1, most=1000),
        natural(rounds, "rounds", most=MAX_ROUNDS),
        natural(revenue, "revenue", most=1_000_000),
        natural(score, "score"),
        [natural(faces, "dice", least=1) for faces in _numbers(dice, "dice")] if dice else (),
    )
