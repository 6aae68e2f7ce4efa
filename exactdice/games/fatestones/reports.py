"""Reports of FateStones, each made from a result: dice, rankings, duels and simulated games."""

from collections.abc import Iterator, Sequence

from exactdice.arithmetic import decimal, mpq, rational, text
from exactdice.enclosure import percent
from exactdice.games.fatestones.beats import Beats, PairTable, Ranking
from exactdice.games.fatestones.confidence import PLACES, chance_interval
from exactdice.games.fatestones.exact import DuelSolution
from exactdice.games.fatestones.players import DuelRound, Score
from exactdice.games.fatestones.rules import DiceCollection, Die, encode_die, encode_hand
from exactdice.report.model import ColumnOf, Report, Table, exact, flag, listing, text_column, whole

#: The bag and the deal, as conventions in words.
BAG = "the 32 six-face dice with faces 1 to 6 and mean 7/2, once each"
DEAL = "two hands of three dice out of the bag, without replacement"

VALUE = "wins minus losses of the row player (player 1)"

_DIE = text_column("die", "faces of the die")
_COUNT = whole("count", "number of dice", "dice")
_PLAYERS = listing("players", "player 1 and player 2")


def in_words(chance: mpq) -> str:
    short = decimal(chance, PLACES).rstrip("0")
    return short if rational(short) == chance else text(chance)


def duel_report(duel: DuelSolution, *, any_dice: bool = True) -> Report:
    row, column = duel.row_hand, duel.column_hand
    sides = (("row", row, duel.row), ("column", column, duel.column))
    hands = f"with optimal play, {encode_hand(row)} against {encode_hand(column)}"
    says = ("An even duel", f"{hands}: both win equally often", "0")
    if edge := abs(duel.value):
        player = 1 if duel.value > 0 else 2
        says = (percent(edge, 2), f"edge of player {player} {hands}", text(edge))
    return Report.of(
        f"FateStones: {encode_hand(row)} against {encode_hand(column)}",
        {
            "dice": "any" if any_dice else f"out of {BAG}",
            "scratch": f"worth {text(duel.scratch)} to the row player",
        },
        exact("value", f"{VALUE}, plus the payoff of a scratch")(duel.value),
        *(
            listing(side, f"probabilities to roll each die of the {side} player first")(
                tuple(map(text, strategy))
            )
            for side, _, strategy in sides
        ),
        text_column("method", "how the first choices were solved")(duel.method),
        Table.of(
            "first_choices",
            "First choices",
            (
                (side, encode_die(die), chance)
                for side, hand, strategy in sides
                for die, chance in zip(hand, strategy, strict=True)
            ),
            text_column("side", "player"),
            text_column("die", "die of the player's hand"),
            exact("probability", "probability to roll it first"),
        ),
        Table.of(
            "payoff",
            "Payoff of each pair of first choices, under optimal play after a tie",
            (
                (encode_die(die), encode_die(against), entry)
                for die, entries_ in zip(row, duel.payoff, strict=True)
                for against, entry in zip(column, entries_, strict=True)
            ),
            text_column("row_die", "the row player's die"),
            text_column("column_die", "the column player's die"),
            exact("payoff", VALUE),
        ),
        says=says,
    )


def _conventions(which: DiceCollection, faces: int) -> dict[str, str]:
    mean = "" if which is DiceCollection.ALL else f", mean {mpq(faces + 1, 2)}"
    return {
        "dice": f"{faces} faces with values 1 to {faces}{mean}",
        "beats": "wins more often than it loses; ties do not count",
    }


def dice_report(dice: Sequence[Die], which: DiceCollection, faces: int) -> Report:
    def mean(die: Die, power: int = 1) -> mpq:
        return mpq(sum(face**power for face in die), faces)

    return Report.of(
        f"Dice with {faces} faces: {len(dice)} of them",
        _conventions(which, faces),
        _COUNT(len(dice)),
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
    dice, graph, table = relation.table.dice, relation.graph, relation.table
    return Report.of(
        f"Which die beats which: {len(dice)} dice with {faces} faces",
        _conventions(which, faces),
        _COUNT(len(dice)),
        whole("beats", "ordered pairs in which the first die beats the second", "pairs")(
            graph.number_of_edges()
        ),
        whole("even", "unordered pairs without a winner", "pairs")(relation.even),
        whole("dominates", "ordered pairs in which the first die dominates stochastically")(
            relation.dominance
        ),
        whole("three_cycles", "triples in which each beats the next", "triples")(
            relation.three_cycles
        ),
        listing("components", "sizes of strongly connected components", "dice")(
            relation.components
        ),
        whole("longest_cycle", "length of a longest cycle", "dice")(len(relation.cycle)),
        listing("cycle", "such a cycle: each die beats the next, the last the first")(
            tuple(map(encode_die, relation.cycle))
        ),
        exact("largest_margin", "largest probability to win minus probability to lose of a pair")(
            mpq(int(table.margins.max()), table.rolls)
        ),
        Table.of(
            "dice",
            "Number of dice that each die beats",
            dice,
            _DIE.by(encode_die),
            whole("beats", "dice that it beats", "dice").by(graph.out_degree),
            whole("beaten_by", "dice that beat it", "dice").by(graph.in_degree),
        ),
        _pairs(table) if pairs else None,
    )


def two_dice_report(table: PairTable) -> Report:
    chances = table.comparison(0, 1)
    names = [encode_die(die) for die in table.dice]
    order = (chances.win > chances.loss) - (chances.win < chances.loss)
    verb = {1: "beats", 0: "is even with", -1: "is beaten by"}[order]
    return Report.of(
        f"{names[0]} {verb} {names[1]}",
        {},
        exact("value", f"probability that {names[0]} rolls higher")(chances.win),
        exact("tie", "probability of a tie")(chances.tie),
        exact("loss", f"probability that {names[1]} rolls higher")(chances.loss),
        says=f"{names[0]} rolls higher than {names[1]}",
    )


def _pairs(table: PairTable) -> Table:
    names = [encode_die(die) for die in table.dice]
    return Table.of(
        "pairs",
        "Probabilities of every pair",
        (
            (first, second, chances.win, chances.tie, chances.loss, chances.win - chances.loss)
            for i, first in enumerate(names)
            for j, second in enumerate(names)
            for chances in [table.comparison(i, j)]
        ),
        text_column("first", "first die"),
        text_column("second", "second die"),
        exact("win", "probability that the first rolls higher"),
        exact("tie", "probability of a tie"),
        exact("loss", "probability that the second rolls higher"),
        exact("margin", "first probability minus the second"),
    )


def rankings_report(rankings: Sequence[Ranking], which: DiceCollection, faces: int) -> Report:
    lowest, highest = (1,) * faces, (faces,) * faces
    scores = {ranking.name: dict(ranking.scores) for ranking in rankings}
    by_margin = [die for die, _ in next(r for r in rankings if r.name == "margin").scores]

    def end(side: str, word: str) -> Iterator[ColumnOf]:
        count = whole(f"{side}_count", f"dice that share the {word} score", "dice")
        yield count.by(lambda r: len(getattr(r, side)))
        first = text_column(side, f"first of the dice with the {word} score")
        yield first.by(lambda r: encode_die(getattr(r, side)[0]))

    return Report.of(
        f"Rankings of {len(by_margin)} dice with {faces} faces",
        _conventions(which, faces),
        Table.of(
            "ends",
            "First and last dice of each ranking",
            rankings,
            text_column("ranking", "name of the ranking").by(lambda r: r.name),
            *end("first", "highest"),
            *end("last", "lowest"),
            flag("has_ends", "whether only the die of ones is last and only the highest first").by(
                lambda r: r.has_ends(lowest, highest)
            ),
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


# Games that are played -----------------------------------------------------------------------


def simulation_report(
    names: tuple[str, str],
    score: Score,
    edge: mpq | None,
    seed: int,
    *,
    replay: bool,
    confidence: mpq,
    bag: str = BAG,
) -> Report:
    low, high = chance_interval(score.wins, score.wins + score.losses, confidence)
    return Report.of(
        f"FateStones: {score.games} games of {names[0]} against {names[1]}",
        {
            "bag": bag,
            "deal": DEAL,
            "scratch": "starts the game again" if replay else "ends the game without a winner",
            "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
            "seed": str(seed),
        },
        _PLAYERS(names),
        *(column(getattr(score, column.name)) for column in _COUNTS),
        exact("edge", "wins minus losses per game, simulated")(score.edge),
        exact("win_low", "lower bound of the probability to win a decided game")(low),
        exact("win_high", "upper bound of the probability to win a decided game")(high),
        exact("exact_edge", "exact wins minus losses per game, if known")(edge),
    )


_COUNTS = (
    whole("games", "games played", "games"),
    whole("wins", "games that player 1 won", "games"),
    whole("losses", "games that player 2 won", "games"),
    whole("scratches", "duels in which all dice tied", "duels"),
    whole("ties", "tied rolls, including those of scratches", "rolls"),
)


def play_report(names: Sequence[str], rolls: Sequence[DuelRound], seed: int) -> Report:
    last, rows = rolls[-1], []
    for roll in rolls:
        one, two = roll.row_hand, roll.column_hand
        hands = (tuple(map(encode_die, hand)) for hand in (one, two))
        dice = map(encode_die, (one[roll.row_choice], two[roll.column_choice]))
        rows.append((*hands, *dice, roll.row_face, roll.column_face, roll.outcome))
    return Report.of(
        f"FateStones: a duel of {names[0]} against {names[1]}",
        {"seed": str(seed)},
        _PLAYERS(tuple(names)),
        whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: scratch")(last.outcome),
        flag("scratch", "whether all dice tied")(last.is_scratch),
        Table.of(
            "rolls",
            "Rolls",
            rows,
            *(listing(f"hand_{side}", f"dice of player {side}") for side in (1, 2)),
            *(text_column(f"die_{side}", f"die rolled by player {side}") for side in (1, 2)),
            *(whole(f"face_{side}", f"face rolled by player {side}") for side in (1, 2)),
            whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: a tie"),
        ),
        says=(
            ("All dice tied", "Player 1 wins", "Player 2 wins")[last.outcome],
            f"a duel of {names[0]} against {names[1]}",
        ),
    )
