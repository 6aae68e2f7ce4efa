"""The numbers of the paper on FateStones."""

from collections.abc import Mapping
from typing import Any

import networkx as nx
from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.games import fatestones
from exactdice.jobs.papers.legacy_sheets import Macros, Paper, paper_table
from exactdice.jobs.papers.stored import StoredData
from exactdice.report.model import Report, text_column, whole
from exactdice.tables.fatestones_play import README_RESULTS

__all__ = ["PAPER"]

_GAMES = 10_000  # a configuration in the FateStones README
_DUELS = (
    ("111666,123456,222555", "114456,333336,122556"),
    ("113556,133455,114555", "122466,223446,233355"),
    ("134445,144444,234444", "233346,333336,333444"),
)


def _build(stored: StoredData) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(stored.report("fatestones-census.json")),
        "document.tex": _document(),
        "duels.tex": _duels(),
        "edges.tex": _edges(),
    }


def _numbers(census: Report) -> str:
    macros = Macros("exactdice fatestones beats")
    dice = fatestones.bag()
    graph = fatestones.beats_graph(dice)
    macros.whole("AllDice", sum(1 for _ in fatestones.all_dice()))
    macros.whole("Dice", len(dice))
    macros.whole("Beats", graph.number_of_edges())
    macros.whole("Even", len(fatestones.even_pairs(dice)))
    macros.whole("Triples", fatestones.three_cycles(dice))
    macros.whole("LongestCycle", len(fatestones.longest_cycle(graph)))
    components = sorted(map(len, nx.strongly_connected_components(graph)), reverse=True)
    macros.whole("LargestComponent", components[0])
    margins = fatestones.pair_table(dice)
    macros.decimal("LargestMargin", mpq(int(margins.margins.max()), margins.rolls), 3)
    macros.source("exactdice fatestones census")
    answer, play = fatestones.best_response(), fatestones.random_play()
    macros.whole("Deals", answer.deals)
    macros.exact("Edge", answer.edge)
    macros.decimal("EdgeDecimal", answer.edge, 4)
    macros.percent("EdgePercent", answer.edge, 2)
    macros.percent("WinPercent", (1 + answer.edge) / 2, 2)
    macros.percent("Scratch", play.scratch, 2)
    macros.decimal("RandomTies", play.ties * _GAMES, 0)
    macros.decimal("RandomWins", play.win * _GAMES, 0)
    macros.percent("Confidence", mpq(95, 100), 0)
    macros.whole("GamesNeeded", fatestones.games_needed(answer.edge, "0.95", "0.95"))
    macros.whole("Games", _GAMES)
    macros.percent("Power", fatestones.power(_GAMES, answer.edge, "0.95"), 1)
    seen = fatestones.least_edge_seen(_GAMES, "0.95", "0.95")
    macros.decimal("LeastEdge", seen, 4)
    pairs, mixed = census.value("pairs"), census.value("mixed")
    if pairs != answer.deals or census.value("best_response_edge") != answer.edge:
        raise AssertionError("the stored census is of another game than the best response")
    macros.percent("Mixed", mpq(mixed, pairs), 1)
    macros.percent("MeanAdvantage", mpq(census.value("mean_absolute_value")), 1)
    macros.exact("Largest", mpq(census.value("largest_value")))
    for name in ("better", "worse"):
        hand: Any = census.value(f"{name}_hand")
        macros.text(f"Hand{name.title()}", ", ".join(map(str, hand)))
    return macros.content()


def _document() -> str:
    expected = {
        ("random", "random"): fatestones.random_play(),
    }
    rows = []
    for first, second, wins, losses, ties in README_RESULTS:
        decided = wins + losses
        low, high = fatestones.chance_interval(wins, decided, "0.95")
        known = expected.get((first, second))
        rows.append(
            (
                f"{first} against {second}",
                *(wins, losses, ties),
                decimal(low, 4),
                decimal(high, 4),
                "" if known is None else decimal(known.ties * _GAMES, 0),
            )
        )
    return paper_table(
        "The results that the game's author published, with exact intervals (confidence 95 %) for "
        "the chance of the first player to win a decided game, and the expected number of ties",
        "document",
        [
            text_column("players", "players"),
            whole("wins", "wins"),
            whole("losses", "losses"),
            whole("ties", "ties"),
            text_column("low", "lower end", heading="from"),
            text_column("high", "upper end", heading="to"),
            text_column("expected", "expected ties", heading="expected ties"),
        ],
        rows,
        "exactdice fatestones results",
    )


def _duels() -> str:
    rows = []
    for row, column in _DUELS:
        duel = fatestones.solve_duel(fatestones.decode_hand(row), fatestones.decode_hand(column))
        chances = [" ".join(decimal(p, 3) for p in side) for side in (duel.row, duel.column)]
        hands = [hand.replace(",", " ") for hand in (row, column)]
        rows.append((*hands, decimal(duel.value, 4), *chances))
    return paper_table(
        "Three deals solved: the value to the first player, and the chances with which either "
        "player rolls each die first",
        "duels",
        [
            text_column("row", "first hand", heading="first hand"),
            text_column("column", "second hand", heading="second hand"),
            text_column("value", "value"),
            text_column("row_play", "first player's chances", heading="first player"),
            text_column("column_play", "second player's chances", heading="second player"),
        ],
        rows,
        "exactdice fatestones duel HAND HAND",
        small=True,
    )


def _edges() -> str:
    answer = fatestones.best_response()
    rows = []
    for games in (1_000, 5_000, 10_000, 20_000, 50_000):
        seen = fatestones.least_edge_seen(games, "0.95", "0.95")
        rows.append(
            (games, decimal(fatestones.power(games, answer.edge, "0.95"), 4), decimal(seen, 4))
        )
    return paper_table(
        "What a number of games can show: the chance that a one-sided exact test (confidence 95 %) "
        "sees the edge of best play, and the least edge that it sees with a chance of 95 %",
        "edges",
        [
            whole("games", "games"),
            text_column("power", "chance", heading="sees best play"),
            text_column("least", "least edge", heading="least edge seen"),
        ],
        rows,
        "exactdice fatestones census",
    )


PAPER = Paper("fatestones", _build, {"fatestones-beats": None, "fatestones-deals": None})
