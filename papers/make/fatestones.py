"""The numbers of the paper on FateStones."""

from collections.abc import Mapping
from typing import Any

from exactdice.report.model import number, text_column
from exactdice.report.model import whole as whole_column
from papers.make.sheets import (
    Macros,
    Paper,
    Shown,
    Sources,
    decimal,
    exact,
    paper_table,
    percent,
    whole,
    worked,
)

__all__ = ["PAPER"]

_BAGS = "sweep export fatestones-census"
_GAMES = 10_000  # of each pair of players in the FateStones README
_POWER = f"fatestones power 1000 5000 {_GAMES} 20000 50000"
_DUELS = (
    "fatestones duel 111666,123456,222555 114456,333336,122556",
    "fatestones duel 113556,133455,114555 122466,223446,233355",
    "fatestones duel 134445,144444,234444 233346,333336,333444",
)


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "document.tex": _document(sources),
        "duels.tex": _duels(sources),
        "edges.tex": _edges(sources),
        "heuristics.tex": _heuristics(sources),
    }


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    macros.add("AllDice", whole(macros.source("fatestones dice --set all").value("count")))
    beats = macros.source("fatestones beats --pairs")
    for name, quantity in (
        ("Dice", "count"),
        ("Beats", "beats"),
        ("Even", "even"),
        ("Triples", "three_cycles"),
        ("LongestCycle", "longest_cycle"),
    ):
        macros.add(name, whole(beats.value(quantity)))
    components: Any = beats.value("components")
    macros.add("LargestComponent", whole(components[0]))
    macros.add("LargestMargin", decimal(beats.value("largest_margin"), 3))
    census = macros.source("fatestones census")
    pairs, edge = census.value("pairs"), census.value("best_response_edge")
    if sources.ask(_POWER).value("edge") != edge:
        raise AssertionError("the stored census is of another game than the best response")
    macros.add("Deals", whole(pairs))
    macros.add("Edge", exact(edge))
    macros.add("EdgeDecimal", decimal(edge, 4))
    macros.percent("EdgePercent", edge, 2)
    macros.percent("WinPercent", census.value("best_response_win"), 2)
    macros.percent("Scratch", census.value("scratch"), 2)
    mixed = census.value("mixed")
    macros.percent("Mixed", worked(number(mixed) / number(pairs), mixed, pairs), 1)
    macros.percent("MeanAdvantage", census.value("mean_absolute_value"), 1)
    macros.add("Largest", exact(census.value("largest_value")))
    for side in ("better", "worse"):
        hand: Any = census.value(f"{side}_hand")
        macros.add(f"Hand{side.title()}", Shown(r",\ ".join(map(str, hand)), hand))
    results = macros.source("fatestones printed").table("results")
    players = {"player_1": "random", "player_2": "random"}
    macros.add("RandomTies", decimal(results.cell("expected_ties", **players), 0))
    macros.add("RandomWins", decimal(results.cell("expected_wins", **players), 0))
    decided = [
        worked(number(wins) + number(losses), wins, losses)
        for wins, losses in results.select("wins", "losses")
    ]
    macros.add("DecidedLeast", whole(min(decided, key=lambda games: games.value)))
    macros.add("DecidedMost", whole(max(decided, key=lambda games: games.value)))
    rules = macros.source("fatestones heuristics").table("rules")
    for name, rule in (("First", "first-roll"), ("Rank", "rank"), ("Seen", "seen")):
        macros.percent(f"{name}Share", rules.cell("share", rule=rule), 1)
    power = macros.source(_POWER)
    macros.percent("Confidence", power.value("confidence"), 0)
    macros.add("GamesNeeded", whole(power.value("games_needed")))
    macros.asked("Games", _GAMES)
    shown = power.table("games")
    macros.percent("Power", shown.cell("power", games=_GAMES), 1)
    macros.percent("HalfPower", shown.cell("half_power", games=_GAMES), 0)
    macros.add("LeastEdge", decimal(shown.cell("least_edge", games=_GAMES), 4))
    half = worked(number(power.value("edge")) / 2, power.value("edge"))
    macros.add("HalfEdge", decimal(half, 4))
    least = dict(shown.select("games", "least_edge"))
    few = [games for games, edge in least.items() if edge > half.value]
    macros.add("GamesTooFew", whole(max(few)))
    macros.add("GamesEnough", whole(min(least.keys() - few)))
    return macros.content()


def _document(sources: Sources) -> str:
    command = "fatestones printed"
    rows = []
    for row in sources.ask(command).table("results").rows:
        first, second, wins, losses, _, ties, low, high, _, _, expected = row
        rows.append(
            (
                f"{first} against {second}",
                *(wins, losses, ties),
                decimal(low, 4),
                decimal(high, 4),
                "" if expected is None else decimal(expected, 0),
            )
        )
    return paper_table(
        "The results that the game's author published, with exact intervals (confidence 95$\\,$%) "
        "for the chance of the first player to win a decided game, and the expected number of ties",
        "document",
        [
            text_column("players", "players"),
            whole_column("wins", "wins"),
            whole_column("losses", "losses"),
            whole_column("ties", "ties"),
            text_column("low", "lower end", heading="from"),
            text_column("high", "upper end", heading="to"),
            text_column("expected", "expected ties", heading="expected ties"),
        ],
        rows,
        sources,
        [command],
    )


def _duels(sources: Sources) -> str:
    rows = []
    for command in _DUELS:
        answer = sources.ask(command)
        first = answer.table("first_choices").rows
        sides: list[list[tuple[Any, Shown]]] = [
            [(die, decimal(chance, 3)) for player, die, chance in first if player == side]
            for side in ("row", "column")
        ]
        value: Any = decimal(answer.value("value"), 4)
        for own, other in zip(*sides, strict=True):
            rows.append((*own, *other, value))
            value = ""
    return paper_table(
        "Three deals solved: the chances with which either player rolls each die first, and the "
        "value of the deal to the first player",
        "duels",
        [
            text_column("row", "first player's die", heading="first player"),
            text_column("row_play", "first player's chances", heading="chance"),
            text_column("column", "second player's die", heading="second player"),
            text_column("column_play", "second player's chances", heading="chance"),
            text_column("value", "value"),
        ],
        rows,
        sources,
        _DUELS,
    )


def _heuristics(sources: Sources) -> str:
    command = "fatestones heuristics"
    answer = sources.ask(command)
    rows: list[tuple[Any, ...]] = [
        (score, decimal(edge, 4), percent(win, 2), percent(share, 1))
        for _, score, edge, win, share in answer.table("rules").rows
    ]
    edge, win = answer.value("best_response_edge"), answer.value("best_response_win")
    rows.append(("the best response", decimal(edge, 4), percent(win, 2), ""))
    return paper_table(
        "Rules of thumb against a player who chooses at random, over all deals: roll the die "
        "with the greatest score, of equal ones the first in ascending order. The margin of a "
        "roll is its wins minus losses",
        "heuristics",
        [
            text_column("score", "score"),
            text_column("edge", "edge", heading="edge"),
            text_column("win", "chance to win", heading="won [%]"),
            text_column("share", "part of the best edge", heading="share [%]"),
        ],
        rows,
        sources,
        [command],
    )


def _edges(sources: Sources) -> str:
    rows = [
        (games, decimal(power, 4), decimal(half, 4), decimal(least, 4))
        for games, power, half, least in sources.ask(_POWER).table("games").rows
    ]
    return paper_table(
        "What a number of decided games can show: the chance that the test (confidence 95$\\,$%) "
        "sees the edge of best play, the chance that it sees half of it, and the edge that it sees "
        "with a chance of 95$\\,$%",
        "edges",
        [
            whole_column("games", "games"),
            text_column("power", "chance", heading="sees best play"),
            text_column("half", "chance", heading="sees half"),
            text_column("least", "least edge", heading="edge seen so often"),
        ],
        rows,
        sources,
        [_POWER],
    )


PAPER = Paper(
    "fatestones",
    _build,
    {"fatestones-beats": None, "fatestones-deals": None, "fatestones-bags": _BAGS},
)
