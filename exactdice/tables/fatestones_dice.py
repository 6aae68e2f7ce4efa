"""Reports of dice as such: sets of them, which beats which, rankings, non-transitive triples."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial

import networkx as nx
from gmpy2 import mpq

from exactdice.games import fatestones
from exactdice.games.fatestones import Die
from exactdice.games.fatestones.counting import Convention
from exactdice.report.model import (
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.entry import Entry

__all__ = [
    "DiceSet",
    "beats_report",
    "count_report",
    "dice_in",
    "dice_report",
    "entries",
    "rankings_report",
]


class DiceSet(StrEnum):
    """Which dice with a number of faces."""

    ALL = "all"  #: values from 1 to the number of faces
    AVERAGE = "average"  #: those of them whose mean is that of the ordinary die


def dice_in(which: DiceSet, faces: int = 6) -> list[Die]:
    """List the dice of a set.

    Examples
    --------
    >>> len(dice_in(DiceSet.ALL)), len(dice_in(DiceSet.AVERAGE))
    (462, 32)
    """
    if which is DiceSet.ALL:
        return list(fatestones.all_dice(faces, faces))
    return list(fatestones.balanced_dice(faces))


def _provenance(which: DiceSet, faces: int) -> Provenance:
    mean = "" if which is DiceSet.ALL else f", mean {mpq(faces + 1, 2)}"
    return Provenance(
        conventions={
            "dice": f"{faces} faces with values 1 to {faces}{mean}",
            "beats": "wins more often than it loses; ties count for neither",
        }
    )


_DIE = text_column("die", "faces of the die")


def dice_report(which: DiceSet, faces: int = 6) -> Report:
    """Report the dice of a set."""
    dice = dice_in(which, faces)
    rows = []
    for die in dice:
        mean = mpq(sum(die), faces)
        variance = mpq(sum(face * face for face in die), faces) - mean * mean
        rows.append((fatestones.encode_die(die), mean, variance))
    columns = [_DIE, exact("mean", "mean roll"), exact("variance", "variance of a roll")]
    return Report(
        f"Dice with {faces} faces: {len(dice)} of them",
        [Quantity(whole("count", "number of dice", "dice"), len(dice))],
        [Table("dice", "Dice", columns, rows)],
        _provenance(which, faces),
    )


def beats_report(which: DiceSet, faces: int = 6, *, pairs: bool = False) -> Report:
    """Report which die beats which, and the cycles of that relation.

    Parameters
    ----------
    which, faces
        The dice.
    pairs
        Whether to list every ordered pair with its chances.
    """
    dice = dice_in(which, faces)
    graph = fatestones.beats_graph(dice)
    components = sorted(map(len, nx.strongly_connected_components(graph)), reverse=True)
    cycle = fatestones.longest_cycle(graph)
    dominance = fatestones.dominance_graph(dice).number_of_edges()
    quantities = [
        Quantity(whole("count", "number of dice", "dice"), len(dice)),
        Quantity(
            whole("beats", "ordered pairs of which the first die beats the second", "pairs"),
            graph.number_of_edges(),
        ),
        Quantity(
            whole("even", "unordered pairs of which neither beats the other", "pairs"),
            len(fatestones.even_pairs(dice)),
        ),
        Quantity(
            whole("dominates", "ordered pairs of which the first dominates stochastically"),
            dominance,
        ),
        Quantity(
            whole("three_cycles", "triples in which each die beats the next", "triples"),
            fatestones.three_cycles(dice),
        ),
        Quantity(
            listing("components", "sizes of the strongly connected components", "dice"),
            tuple(components),
        ),
        Quantity(whole("longest_cycle", "length of a longest cycle", "dice"), len(cycle)),
        Quantity(
            listing("cycle", "such a cycle: each die beats the next, the last the first"),
            tuple(map(fatestones.encode_die, cycle)),
        ),
    ]
    degrees = Table(
        "dice",
        "How many dice each beats",
        [
            _DIE,
            whole("beats", "dice that it beats", "dice"),
            whole("beaten_by", "dice that beat it", "dice"),
        ],
        [(fatestones.encode_die(die), graph.out_degree(die), graph.in_degree(die)) for die in dice],
    )
    tables = [degrees, _pairs(dice)] if pairs else [degrees]
    title = f"Which die beats which: {len(dice)} dice with {faces} faces"
    return Report(title, quantities, tables, _provenance(which, faces))


def _pairs(dice: Sequence[Die]) -> Table:
    table = fatestones.pair_table(dice)
    names = [fatestones.encode_die(die) for die in dice]
    rows = []
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            chances = table.comparison(i, j)
            rows.append((first, second, chances.win, chances.tie, chances.loss))
    columns = [
        text_column("first", "the first die"),
        text_column("second", "the second die"),
        exact("win", "chance that the first rolls higher"),
        exact("tie", "chance of a tie"),
        exact("loss", "chance that the second rolls higher"),
    ]
    return Table("pairs", "Chances of every pair", columns, rows)


def rankings_report(which: DiceSet, faces: int = 6) -> Report:
    """Report how each ranking orders the dice, and what it puts first and last."""
    dice = dice_in(which, faces)
    rankings = [fatestones.rank_dice(dice, name) for name in fatestones.RANKINGS]
    lowest, highest = (value_die * faces for value_die in ((1,), (faces,)))
    ends = Table(
        "ends",
        "First and last dice of each ranking",
        [
            text_column("ranking", "the ranking"),
            whole("first_count", "dice that share the highest score", "dice"),
            text_column("first", "the first of them"),
            whole("last_count", "dice that share the lowest score", "dice"),
            text_column("last", "the first of them"),
            flag("has_ends", "whether the die of ones alone is last and the highest alone first"),
        ],
        [
            (
                ranking.name,
                len(ranking.first),
                fatestones.encode_die(ranking.first[0]),
                len(ranking.last),
                fatestones.encode_die(ranking.last[0]),
                ranking.has_ends(lowest, highest),
            )
            for ranking in rankings
        ],
    )
    scores = {ranking.name: dict(ranking.scores) for ranking in rankings}
    columns = [exact(name.replace(" ", "_"), f"score by {name}") for name in scores]
    by_margin = [die for die, _ in fatestones.rank_dice(dice, "margin").scores]
    table = Table(
        "dice",
        "Scores of every die, in the order of the margin",
        [_DIE, *columns],
        [
            (fatestones.encode_die(die), *(score[die] for score in scores.values()))
            for die in by_margin
        ],
    )
    title = f"Rankings of {len(dice)} dice with {faces} faces"
    return Report(title, (), [ends, table], _provenance(which, faces))


def count_report(faces: int, values: int, convention: Convention = "more") -> Report:
    """Report how many triples of dice are non-transitive."""
    count = fatestones.count_nontransitive_triples(faces, values, convention)
    coefficients = fatestones.nontransitive_coefficients(faces, convention)
    table = Table(
        "coefficients",
        "Triples that show all of the values 1 to k and no others",
        [whole("k", "number of values"), whole("triples", "triples of dice")],
        list(enumerate(coefficients)),
    )
    beats = {
        "more": "wins more often than it loses",
        "majority": "wins with a chance of more than 1/2",
    }
    quantities = [
        Quantity(
            whole("value", "unordered triples of dice in which each beats the next", "triples"),
            count,
        ),
        Quantity(
            text_column("polynomial", "the same as a polynomial in the number N of values"),
            str(fatestones.nontransitive_polynomial(faces, convention)).replace("x", "N"),
        ),
        Quantity(
            whole("balanced", f"dice whose mean is {mpq(faces + 1, 2)}, with values 1 to {faces}"),
            fatestones.count_balanced_dice(faces),
        ),
        Quantity(
            whole("balanced_triples", "triples of those in which each wins more than it loses"),
            fatestones.balanced_three_cycles(faces),
        ),
    ]
    conventions = {"dice": f"{faces} faces with values 1 to {values}", "beats": beats[convention]}
    title = f"Non-transitive triples of dice with {faces} faces and values 1 to {values}"
    return Report(title, quantities, [table], Provenance(conventions=conventions))


def entries() -> Iterator[Entry]:
    """Entries of the main job."""
    for which in DiceSet:
        option = f"--set {which}"
        yield Entry(
            f"fatestones/dice-{which}",
            partial(dice_report, which),
            f"exactdice fatestones dice {option}",
        )
        yield Entry(
            f"fatestones/rankings-{which}",
            partial(rankings_report, which),
            f"exactdice fatestones rankings {option}",
        )
        pairs = which is DiceSet.AVERAGE
        yield Entry(
            f"fatestones/beats-{which}",
            partial(beats_report, which, pairs=pairs),
            f"exactdice fatestones beats {option}" + (" --pairs" if pairs else ""),
        )
    for convention in ("more", "majority"):
        yield Entry(
            f"fatestones/nontransitive-6-faces-{convention}",
            partial(count_report, 6, 6, convention),
            f"exactdice fatestones count 6 6 --convention {convention}",
        )
