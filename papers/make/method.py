"""The numbers of the paper on the method and the book."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from exactdice.report.model import text_column
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
from papers.make.stored import BOOK

__all__ = ["PAPER"]

_GAMES = {
    "risk": "Risk",
    "swe": "software-engineering game",
    "reroll": "reroll game",
    "fatestones": "FateStones",
    "farkle": "Farkle",
    "book": "book of dice",
}
_VERDICTS = ("proved", "verified", "refuted", "open", "not checkable")
_LONG = {
    ("yahtzee", "free"): "free joker",
    ("yahtzee", "forced"): "forced joker",
    ("yahtzee", "own"): "own box first",
    ("pig", "pig"): "to 100, one die",
    ("pig", "skunk"): "to 100, two dice",
}
_QUICK = {
    ("craps", "pass"): "the shooter wins",
    ("snakes-and-ladders", "milton-bradley"): "moves of one player",
    ("orchard", "first"): "the first orchard",
    ("threes", "two"): "two dice",
    ("ten-thousand", "zilch"): "4 and 2 as three pairs",
    ("ten-thousand", "faces"): "4 and 2 not so",
    ("sic-bo", "chuck-a-luck"): "1, 2 or 3 to 1",
}
_NAMES = {
    "yahtzee": "Yahtzee",
    "pig": "Pig",
    "craps": "Craps",
    "snakes-and-ladders": "Snakes and ladders",
    "orchard": "Orchard",
    "threes": "Threes",
    "sic-bo": "Sic Bo",
    "ten-thousand": "Zilch",
}
_PLACES = 7  # and more if a number was printed with more


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "claims.tex": _claims(sources),
        "gallery.tex": _gallery(sources),
    }


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    small = macros.source("risk win 4 2")
    macros.add("WinFourTwo", exact(small.value("value")))
    reroll = macros.source("reroll theta --tolerance 1/10")
    macros.add("Gap", exact(reroll.value("gap")))
    macros.add("GapDecimal", decimal(reroll.value("gap"), 4))
    claims = macros.source("swe claims 30")
    worst = claims.table("counterexamples")
    if_any: dict[str, Any] = {"claim": "promote the lowest, where promoting", "on_path": False}
    macros.add("IfAnyGame", whole(worst.cell("rounds", **if_any)))
    macros.add("IfAnyLoss", decimal(worst.cell("loss", **if_any), 4))
    longest = macros.source("swe enclosure 100 --exact")
    value: Any = longest.value("value")
    macros.add("Longest", decimal(value, 4))
    macros.add("LongestDigits", whole(worked(len(value.denominator.digits()), value)))
    macros.asked("LongestRounds", 100)
    readme = macros.source("farkle printed")
    macros.add("Refuted", whole(readme.value("refuted")))
    macros.add("Checked", whole(readme.value("checked")))
    turn: Any = macros.source("farkle value").value("value")
    macros.add("Turn", decimal(turn, 4))
    macros.add("TurnDigits", whole(worked(len(turn.denominator.digits()), turn)))
    edge = macros.source("fatestones census")
    macros.add("Edge", percent(edge.value("best_response_edge"), 3))
    listed = macros.source("claims").table("claims")
    verdicts: list[Any] = listed.cells("verdict")
    macros.add("Claims", whole(worked(len(verdicts), *verdicts)))
    for verdict, count in _counted(verdicts).items():
        if count == 0:
            continue
        parts = [each for each in verdicts if str(each).startswith(verdict)]
        macros.add(f"Claims{verdict.title().replace(' ', '')}", whole(worked(count, *parts)))
    book = macros.source("book")
    pages: list[Any] = book.table("pages").cells("game")
    macros.add("Pages", whole(worked(len(pages), *pages)))
    variants: list[Any] = book.table("variants").cells("variant")
    macros.add("Variants", whole(worked(len(variants), *variants)))
    printed: list[Any] = book.table("pages").cells("printed")
    macros.add("Printed", whole(worked(sum(printed), *printed)))
    return macros.content()


def _counted(verdicts: list[Any]) -> dict[str, int]:
    counts = Counter(re.sub(" up to.*", "", str(verdict)) for verdict in verdicts)
    if set(counts) - set(_VERDICTS):
        raise ValueError(f"verdicts that the paper does not name: {set(counts) - set(_VERDICTS)}")
    return {verdict: counts[verdict] for verdict in _VERDICTS}


def _claims(sources: Sources) -> str:
    rows: list[tuple[Any, ...]] = []
    listed = sources.ask("claims").table("claims")
    given = [name for name, count in _counted(listed.cells("verdict")).items() if count]
    both: list[Any] = list(zip(listed.cells("claim"), listed.cells("verdict"), strict=True))
    for game, name in _GAMES.items():
        counts = _counted([verdict for claim, verdict in both if str(claim).startswith(f"{game}.")])
        rows.append((name, *(counts[verdict] for verdict in given), sum(counts.values())))
    if sum(row[-1] for row in rows) != len(both):
        raise ValueError("there are claims about another game")
    return paper_table(
        "Claims about five games and the book, by their verdicts",
        "claims",
        [
            text_column("game", "game", heading="game"),
            *(whole_column(verdict, verdict) for verdict in given),
            whole_column("all", "all claims", heading="all"),
        ],
        rows,
        sources,
        ["claims"],
    )


def _gallery(sources: Sources) -> str:
    rows: list[tuple[str | Shown, ...]] = []
    index = sources.ask(BOOK).table("index")
    for (game, variant), rules in _LONG.items():
        of = {"game": game, "variant": variant}
        rows += _rows(game, rules, index.cell("value", **of), index.cell("verdict", **of))
    commands = [f"book {game} --variant {variant}" for game, variant in _QUICK]
    for ((game, _), rules), command in zip(_QUICK.items(), commands, strict=True):
        answer = sources.ask(command)
        rows += _rows(game, rules, answer.value("value"), answer.value("verdict"))
    return paper_table(
        "Some games of the book: numbers that were printed, what the rules give, rounded, and a "
        "verdict on each number in the digits in which it was printed",
        "gallery",
        [
            text_column("game", "game", heading="game"),
            text_column("rules", "rules", heading="rules"),
            text_column("printed", "printed", heading="printed"),
            text_column("value", "value", heading="value"),
            text_column("verdict", "verdict", heading="verdict"),
        ],
        rows,
        sources,
        [BOOK, *commands],
        small=True,
    )


def _rows(game: str, rules: str, value: Any, verdicts: Any) -> Iterator[tuple[str | Shown, ...]]:
    """Make the rows of a variant: one for each printed number."""
    for told in str(verdicts).split("; "):
        number, _, judged = told.partition(": ")
        number = "a fraction" if "/" in number and len(number) > 12 else number
        places = max(_PLACES, len(number.partition(".")[2]))
        yield _NAMES[game], rules, number, decimal(value, places), judged.partition(":")[0]


PAPER = Paper("method", _build)
