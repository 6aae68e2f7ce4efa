"""Reports of the software-engineering game where intervals have searched: enclosures and optima."""

from dataclasses import asdict
from typing import Any

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.swe import Ladder
from exactdice.native.swe import Solved
from exactdice.report.model import Quantity, Report, exact, whole
from exactdice.tables.swe import swe_provenance

__all__ = ["enclosure_report", "searched_optimum_report"]

_MEANINGS = {
    "blocks": ("multisets of dice", "blocks"),
    "states": ("rounds left with a split into revenue and legacy", "states"),
    "actions": ("legal actions, over those states", "actions"),
    "crooked": ("states whose value is more than one line in the score", "states"),
    "undecided": ("states with a choice that the intervals leave open", "states"),
    "bytes": ("memory that the solution keeps, about", "bytes"),
}


def _ends(enclosure: Enclosure) -> list[Quantity]:
    described = "end of a rigorous enclosure of the optimal expected final score"
    return [
        Quantity(exact("lower", f"lower {described}", "points"), enclosure.lower),
        Quantity(exact("upper", f"upper {described}", "points"), enclosure.upper),
    ]


def enclosure_report(solved: Solved) -> Report:
    """Report the enclosure of an optimum, and the sizes of what was solved.

    Parameters
    ----------
    solved
        A solution in intervals.
    """
    sizes = [
        Quantity(whole(name, *_MEANINGS[name]), number)
        for name, number in asdict(solved.sizes).items()
    ]
    return Report(
        f"Software-engineering game: enclosure of the optimum of {solved.rounds} rounds",
        [*_ends(solved.value), *sizes],
        provenance=swe_provenance(Ladder(*solved.ladder)),
    )


def searched_optimum_report(
    rounds: int, ladder: Ladder, value: mpq, enclosure: Enclosure, counts: dict[str, Any]
) -> Report:
    """Report an exact optimum that intervals have searched for.

    Parameters
    ----------
    rounds, ladder
        The game.
    value, enclosure
        The exact optimum, and what intervals said of it.
    counts
        ``blocks`` solved exactly, ``blocks_in_all``, and the decisions that were ``certain`` and
        ``compared`` exactly.
    """
    meanings = {
        "blocks": "blocks that were solved exactly",
        "blocks_in_all": "blocks of the game",
        "certain": "creations and promotions that intervals settled",
        "compared": "choices of them that were compared exactly",
    }
    return Report(
        f"Software-engineering game: exact optimum of {rounds} rounds, searched by intervals",
        [
            Quantity(exact("value", "expected final score under optimal play", "points"), value),
            *_ends(enclosure),
            *(Quantity(whole(name, meanings[name]), counts[name]) for name in meanings),
        ],
        provenance=swe_provenance(ladder),
    )
