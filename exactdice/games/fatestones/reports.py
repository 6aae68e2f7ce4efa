"""Reports of dice as such: sets, which beats which, rankings, triples; and of duels."""

from collections.abc import Sequence

from exactdice.arithmetic import decimal, mpq, rational, text
from exactdice.games.fatestones.beats import Beats, PairTable, Ranking
from exactdice.games.fatestones.confidence import PLACES
from exactdice.games.fatestones.exact import DuelSolution
from exactdice.games.fatestones.rules import DiceCollection, Die, encode_die, encode_hand
from exactdice.report.model import Quantity, Report, Table, exact, flag, listing, text_column, whole
from exactdice.report.provenance import Provenance

#: The bag and the deal, as conventions in words.
BAG = "the 32 six-face dice with faces 1 to 6 and mean 7/2, once each"
DEAL = "two hands of three dice out of the bag, without replacement"

VALUE = "wins minus losses, as the row player (player 1) sees them"


def in_words(chance: mpq) -> str:
    """Write a confidence as a decimal where it is a short one, else as p/q.

    >>> in_words(mpq(19, 20)), in_words(mpq(2, 3))
    ('0.95', '2/3')
    """
    short = decimal(chance, PLACES).rstrip("0")
    return short if rational(short) == chance else text(chance)


def duel_report(duel: DuelSolution, *, any_dice: bool = True) -> Report:
    """Report the equilibrium of the duel of two hands, of any dice or out of the game's bag."""
    row, column = duel.row_hand, duel.column_hand
    strategies = [
        Quantity(
            listing(side, f"chances with which the {side} player rolls each die first"),
            tuple(map(text, strategy)),
        )
        for side, strategy in (("row", duel.row), ("column", duel.column))
    ]
    first = Table(
        "first_choices",
        "First choices",
        [
            text_column("side", "the player"),
            text_column("die", "die of the player's hand"),
            exact("probability", "chance to roll it first"),
        ],
        [
            (side, encode_die(die), chance)
            for side, hand, strategy in (("row", row, duel.row), ("column", column, duel.column))
            for die, chance in zip(hand, strategy, strict=True)
        ],
    )
    payoff = Table(
        "payoff",
        "Payoff of each pair of first choices, when play goes on optimally",
        [
            text_column("row_die", "the row player's die"),
            text_column("column_die", "the column player's die"),
            exact("payoff", VALUE),
        ],
        [
            (encode_die(die), encode_die(against), entry)
            for die, entries_ in zip(row, duel.payoff, strict=True)
            for against, entry in zip(column, entries_, strict=True)
        ],
    )
    quantities = [
        Quantity(exact("value", f"{VALUE}, a scratch counted with its worth"), duel.value),
        *strategies,
        Quantity(text_column("method", "how the first choices were solved"), duel.method),
    ]
    title = f"FateStones: {encode_hand(row)} against {encode_hand(column)}"
    conventions = {
        "dice": "any" if any_dice else f"out of {BAG}",
        "scratch": f"worth {text(duel.scratch)} to the row player",
    }
    return Report(title, quantities, [first, payoff], Provenance(conventions=conventions))


def _provenance(which: DiceCollection, faces: int) -> Provenance:
    mean = "" if which is DiceCollection.ALL else f", mean {mpq(faces + 1, 2)}"
    return Provenance(
        conventions={
            "dice": f"{faces} faces with values 1 to {faces}{mean}",
            "beats": "wins more often than it loses; ties count for neither",
        }
    )


_DIE = text_column("die", "faces of the die")


def dice_report(dice: Sequence[Die], which: DiceCollection, faces: int) -> Report:
    """Report the dice of a set."""
    rows = []
    for die in dice:
        mean = mpq(sum(die), faces)
        variance = mpq(sum(face * face for face in die), faces) - mean * mean
        rows.append((encode_die(die), mean, variance))
    columns = [_DIE, exact("mean", "mean roll"), exact("variance", "variance of a roll")]
    return Report(
        f"Dice with {faces} faces: {len(dice)} of them",
        [Quantity(whole("count", "number of dice", "dice"), len(dice))],
        [Table("dice", "Dice", columns, rows)],
        _provenance(which, faces),
    )


def beats_report(
    relation: Beats, which: DiceCollection, faces: int, *, pairs: bool = False
) -> Report:
    """Report which die beats which, and the cycles of that relation."""
    dice, graph, table = relation.table.dice, relation.graph, relation.table
    quantities = [
        Quantity(whole("count", "number of dice", "dice"), len(dice)),
        Quantity(
            whole("beats", "ordered pairs of which the first die beats the second", "pairs"),
            graph.number_of_edges(),
        ),
        Quantity(
            whole("even", "unordered pairs of which neither beats the other", "pairs"),
            relation.even,
        ),
        Quantity(
            whole("dominates", "ordered pairs of which the first dominates stochastically"),
            relation.dominance,
        ),
        Quantity(
            whole("three_cycles", "triples in which each die beats the next", "triples"),
            relation.three_cycles,
        ),
        Quantity(
            listing("components", "sizes of the strongly connected components", "dice"),
            relation.components,
        ),
        Quantity(whole("longest_cycle", "length of a longest cycle", "dice"), len(relation.cycle)),
        Quantity(
            listing("cycle", "such a cycle: each die beats the next, the last the first"),
            tuple(map(encode_die, relation.cycle)),
        ),
        Quantity(
            exact("largest_margin", "largest chance to win less chance to lose of any pair"),
            mpq(int(table.margins.max()), table.rolls),
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
        [(encode_die(die), graph.out_degree(die), graph.in_degree(die)) for die in dice],
    )
    tables = [degrees, _pairs(table)] if pairs else [degrees]
    title = f"Which die beats which: {len(dice)} dice with {faces} faces"
    return Report(title, quantities, tables, _provenance(which, faces))


def two_dice_report(table: PairTable) -> Report:
    """Report how often the first of two dice rolls higher than the second."""
    chances = table.comparison(0, 1)
    names = [encode_die(die) for die in table.dice]
    quantities = [
        Quantity(exact("value", f"chance that {names[0]} rolls higher"), chances.win),
        Quantity(exact("tie", "chance of a tie"), chances.tie),
        Quantity(exact("loss", f"chance that {names[1]} rolls higher"), chances.loss),
    ]
    order = (chances.win > chances.loss) - (chances.win < chances.loss)
    verb = {1: "beats", 0: "is even with", -1: "is beaten by"}[order]
    return Report(f"{names[0]} {verb} {names[1]}", quantities)


def _pairs(table: PairTable) -> Table:
    names = [encode_die(die) for die in table.dice]
    rows = []
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            chances = table.comparison(i, j)
            rows.append(
                (first, second, chances.win, chances.tie, chances.loss, chances.win - chances.loss)
            )
    columns = [
        text_column("first", "the first die"),
        text_column("second", "the second die"),
        exact("win", "chance that the first rolls higher"),
        exact("tie", "chance of a tie"),
        exact("loss", "chance that the second rolls higher"),
        exact("margin", "the first chance less the second"),
    ]
    return Table("pairs", "Chances of every pair", columns, rows)


def rankings_report(rankings: Sequence[Ranking], which: DiceCollection, faces: int) -> Report:
    """Report how each ranking orders the dice, and what it puts first and last."""
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
                encode_die(ranking.first[0]),
                len(ranking.last),
                encode_die(ranking.last[0]),
                ranking.has_ends(lowest, highest),
            )
            for ranking in rankings
        ],
    )
    scores = {ranking.name: dict(ranking.scores) for ranking in rankings}
    columns = [exact(name.replace(" ", "_"), f"score by {name}") for name in scores]
    by_margin = [die for die, _ in next(r for r in rankings if r.name == "margin").scores]
    table = Table(
        "dice",
        "Scores of every die, in the order of the margin",
        [_DIE, *columns],
        [(encode_die(die), *(score[die] for score in scores.values())) for die in by_margin],
    )
    title = f"Rankings of {len(by_margin)} dice with {faces} faces"
    return Report(title, (), [ends, table], _provenance(which, faces))
