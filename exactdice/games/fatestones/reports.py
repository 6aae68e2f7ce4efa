"""Reports of dice as such: sets, which beats which, rankings, triples; and of duels."""

from collections.abc import Sequence

from exactdice.arithmetic import decimal, mpq, rational, text
from exactdice.games.fatestones.beats import Beats, PairTable, Ranking
from exactdice.games.fatestones.confidence import PLACES
from exactdice.games.fatestones.exact import DuelSolution
from exactdice.games.fatestones.rules import DiceCollection, Die, encode_die, encode_hand
from exactdice.report.model import Report, Table, exact, flag, listing, text_column, whole

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
        listing(side, f"chances with which the {side} player rolls each die first")(
            tuple(map(text, strategy))
        )
        for side, strategy in (("row", duel.row), ("column", duel.column))
    ]
    first = Table.of(
        "first_choices",
        "First choices",
        (
            (side, encode_die(die), chance)
            for side, hand, strategy in (("row", row, duel.row), ("column", column, duel.column))
            for die, chance in zip(hand, strategy, strict=True)
        ),
        text_column("side", "the player"),
        text_column("die", "die of the player's hand"),
        exact("probability", "chance to roll it first"),
    )
    return Report.of(
        f"FateStones: {encode_hand(row)} against {encode_hand(column)}",
        {
            "dice": "any" if any_dice else f"out of {BAG}",
            "scratch": f"worth {text(duel.scratch)} to the row player",
        },
        exact("value", f"{VALUE}, a scratch counted with its worth")(duel.value),
        *strategies,
        text_column("method", "how the first choices were solved")(duel.method),
        first,
        Table.of(
            "payoff",
            "Payoff of each pair of first choices, when play goes on optimally",
            (
                (encode_die(die), encode_die(against), entry)
                for die, entries_ in zip(row, duel.payoff, strict=True)
                for against, entry in zip(column, entries_, strict=True)
            ),
            text_column("row_die", "the row player's die"),
            text_column("column_die", "the column player's die"),
            exact("payoff", VALUE),
        ),
    )


def _conventions(which: DiceCollection, faces: int) -> dict[str, str]:
    mean = "" if which is DiceCollection.ALL else f", mean {mpq(faces + 1, 2)}"
    return {
        "dice": f"{faces} faces with values 1 to {faces}{mean}",
        "beats": "wins more often than it loses; ties count for neither",
    }


_DIE = text_column("die", "faces of the die")


def dice_report(dice: Sequence[Die], which: DiceCollection, faces: int) -> Report:
    """Report the dice of a set."""

    def mean(die: Die, power: int = 1) -> mpq:
        return mpq(sum(face**power for face in die), faces)

    return Report.of(
        f"Dice with {faces} faces: {len(dice)} of them",
        _conventions(which, faces),
        whole("count", "number of dice", "dice")(len(dice)),
        Table.of(
            "dice",
            "Dice",
            dice,
            _DIE.by(encode_die),
            exact("mean", "mean roll").by(mean),
            exact("variance", "variance of a roll").by(lambda die: mean(die, 2) - mean(die) ** 2),
        ),
    )


def beats_report(
    relation: Beats, which: DiceCollection, faces: int, *, pairs: bool = False
) -> Report:
    """Report which die beats which, and the cycles of that relation."""
    dice, graph, table = relation.table.dice, relation.graph, relation.table
    return Report.of(
        f"Which die beats which: {len(dice)} dice with {faces} faces",
        _conventions(which, faces),
        whole("count", "number of dice", "dice")(len(dice)),
        whole("beats", "ordered pairs of which the first die beats the second", "pairs")(
            graph.number_of_edges()
        ),
        whole("even", "unordered pairs of which neither beats the other", "pairs")(relation.even),
        whole("dominates", "ordered pairs of which the first dominates stochastically")(
            relation.dominance
        ),
        whole("three_cycles", "triples in which each die beats the next", "triples")(
            relation.three_cycles
        ),
        listing("components", "sizes of the strongly connected components", "dice")(
            relation.components
        ),
        whole("longest_cycle", "length of a longest cycle", "dice")(len(relation.cycle)),
        listing("cycle", "such a cycle: each die beats the next, the last the first")(
            tuple(map(encode_die, relation.cycle))
        ),
        exact("largest_margin", "largest chance to win less chance to lose of any pair")(
            mpq(int(table.margins.max()), table.rolls)
        ),
        Table.of(
            "dice",
            "How many dice each beats",
            dice,
            _DIE.by(encode_die),
            whole("beats", "dice that it beats", "dice").by(graph.out_degree),
            whole("beaten_by", "dice that beat it", "dice").by(graph.in_degree),
        ),
        _pairs(table) if pairs else None,
    )


def two_dice_report(table: PairTable) -> Report:
    """Report how often the first of two dice rolls higher than the second."""
    chances = table.comparison(0, 1)
    names = [encode_die(die) for die in table.dice]
    order = (chances.win > chances.loss) - (chances.win < chances.loss)
    verb = {1: "beats", 0: "is even with", -1: "is beaten by"}[order]
    return Report.of(
        f"{names[0]} {verb} {names[1]}",
        {},
        exact("value", f"chance that {names[0]} rolls higher")(chances.win),
        exact("tie", "chance of a tie")(chances.tie),
        exact("loss", f"chance that {names[1]} rolls higher")(chances.loss),
    )


def _pairs(table: PairTable) -> Table:
    names = [encode_die(die) for die in table.dice]
    return Table.of(
        "pairs",
        "Chances of every pair",
        (
            (first, second, chances.win, chances.tie, chances.loss, chances.win - chances.loss)
            for i, first in enumerate(names)
            for j, second in enumerate(names)
            for chances in [table.comparison(i, j)]
        ),
        text_column("first", "the first die"),
        text_column("second", "the second die"),
        exact("win", "chance that the first rolls higher"),
        exact("tie", "chance of a tie"),
        exact("loss", "chance that the second rolls higher"),
        exact("margin", "the first chance less the second"),
    )


def rankings_report(rankings: Sequence[Ranking], which: DiceCollection, faces: int) -> Report:
    """Report how each ranking orders the dice, and what it puts first and last."""
    lowest, highest = (value_die * faces for value_die in ((1,), (faces,)))
    scores = {ranking.name: dict(ranking.scores) for ranking in rankings}
    by_margin = [die for die, _ in next(r for r in rankings if r.name == "margin").scores]
    return Report.of(
        f"Rankings of {len(by_margin)} dice with {faces} faces",
        _conventions(which, faces),
        Table.of(
            "ends",
            "First and last dice of each ranking",
            rankings,
            text_column("ranking", "the ranking").by(lambda r: r.name),
            whole("first_count", "dice that share the highest score", "dice").by(
                lambda r: len(r.first)
            ),
            text_column("first", "the first of them").by(lambda r: encode_die(r.first[0])),
            whole("last_count", "dice that share the lowest score", "dice").by(
                lambda r: len(r.last)
            ),
            text_column("last", "the first of them").by(lambda r: encode_die(r.last[0])),
            flag(
                "has_ends", "whether the die of ones alone is last and the highest alone first"
            ).by(lambda r: r.has_ends(lowest, highest)),
        ),
        Table.of(
            "dice",
            "Scores of every die, in the order of the margin",
            by_margin,
            _DIE.by(encode_die),
            *(
                exact(name.replace(" ", "_"), f"score by {name}").by(of_die.__getitem__)
                for name, of_die in scores.items()
            ),
        ),
    )
