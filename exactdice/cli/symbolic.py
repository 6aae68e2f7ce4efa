"""`exactdice symbolic …`: closed forms of Risk rounds, lattice points and catastrophes."""

from typing import Annotated

import typer

from exactdice.arithmetic import natural
from exactdice.cli.presenting import command, group, one_of
from exactdice.cli.progress import progress_bar
from exactdice.errors import InputError
from exactdice.games.risk import Ties, Units
from exactdice.symbolic.ehrhart_polynomials import read_weights
from exactdice.symbolic.risk_battles import MOST_UNITS
from exactdice.symbolic.risk_rounds import MOST_DICE
from exactdice.tables import symbolic as reports
from exactdice.tables.model import Report

__all__ = ["app"]

app = group()

#: Most rounds of one table of catastrophes; 200 take 1 s with dice of 4 faces, 8 s with 1000.
MOST_ROUNDS = 200

_TiesOption = Annotated[
    str, typer.Option(metavar="|".join(Ties), help="Who wins a pair of equal dice.")
]


def _numbers(written: str, name: str) -> list[str]:
    """Split a list at its commas."""
    parts = [part.strip() for part in written.split(",")]
    if not all(parts):
        raise InputError(name, written, "whole numbers with commas between, such as 1,2,3")
    return parts


@command(app, "risk-round")
def show_risk_round(
    attackers: Annotated[str, typer.Argument(metavar="A", help="Dice of the attacker.")],
    defenders: Annotated[str, typer.Argument(metavar="D", help="Dice of the defender.")],
    ties: _TiesOption = "defender",
) -> Report:
    """Losses in one round of A dice against D, as polynomials in the sides s."""
    return reports.risk_round_report(
        natural(attackers, "attackers", least=1, most=MOST_DICE),
        natural(defenders, "defenders", least=1, most=MOST_DICE),
        one_of(ties, list(Ties), "ties"),
    )


@command(app, "risk-battle")
def show_risk_battle(
    attackers: Annotated[str, typer.Argument(metavar="A", help="Attacking units.")],
    defenders: Annotated[str, typer.Argument(metavar="D", help="Defending units.")],
    units: Annotated[
        str,
        typer.Option(metavar="|".join(Units), help="Whether A counts the unit that stays behind."),
    ] = "total",
    sides: Annotated[str, typer.Option(metavar="S", help="Sides for the value.")] = "6",
    ties: _TiesOption = "defender",
) -> Report:
    """Probability that A attackers beat D, as a function of the sides s."""
    return reports.battle_report(
        natural(attackers, "attackers", most=MOST_UNITS),
        natural(defenders, "defenders", least=1, most=MOST_UNITS),
        Units(one_of(units, list(Units), "units")),
        natural(sides, "sides", least=1),
        one_of(ties, list(Ties), "ties"),
    )


@command(app, "ehrhart")
def show_ehrhart(
    weights: Annotated[str, typer.Argument(metavar="W,W,…", help="Weights, such as 1,2,3,4,5.")],
    count: Annotated[str, typer.Option(metavar="N", help="Count the points for n = N.")] = "",
) -> Report:
    """Number of x ≥ 0 with Σ w·x ≤ n, as a quasi-polynomial in n."""
    read = read_weights(_numbers(weights, "weights"))
    count_at = natural(count, "count") if count else None
    with progress_bar("steps") as progress:
        return reports.ehrhart_report(read, count_at, progress)


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
        natural(rounds, "rounds", most=MOST_ROUNDS),
        natural(revenue, "revenue", most=1_000_000),
        natural(score, "score"),
        [natural(faces, "dice", least=1) for faces in _numbers(dice, "dice")] if dice else (),
    )
