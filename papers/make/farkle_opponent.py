"""The numbers of the paper on Farkle about playing to win, and about the choice of dice."""

from collections.abc import Sequence
from typing import Any

from exactdice.book.ten_thousand import PAIRS
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.rules.tables import rules_text
from exactdice.report.model import text_column
from papers.make.sheets import Macros, Shown, Sources, decimal, paper_table, percent, whole

__all__ = ["best_sets_table", "hundred_table", "looking_table", "needed_table", "numbers_to_win"]
__all__ += ["races_table"]

_RACE = "farkle race --target 4000"
_EVERYWHERE = "farkle race --target 4000 --play optimal --step 100"
_MOST_LOOKING = {"behind": (3200, 3950), "ahead": (3650, 3600)}  # of all scores, by the answer
_SCORES = (
    *("0,0", "2000,2000", "2000,3500", "3500,2000"),
    *(f"{own},{other}" for own, other in _MOST_LOOKING.values()),
)
_AT = "--target 4000 --scores 2000,3500"
_ROLL = "--roll 5,2,3 --points 400 --left 3 --target 4000"
_OWNED = "fair*4,odd*2,lucky,pie,devils-head"
_TWO_KINDS = "farkle best --own lousy-gambler*6,saint-antiochus-p*6 --target 2000 --count 7"
_HUNDRED = "sweep export farkle-best"
_NEEDED = f"{_HUNDRED}-needed"
_FACEBOOK = "farkle race --rules facebook --play optimal"
_RACES = {
    "Kingdom Come, to 4000": f"{_RACE} --play optimal",
    "Ten Thousand, to 10 000": "farkle race --rules ten-thousand --play optimal",
    "Facebook, to 10 000": _FACEBOOK,
    "Zilch, to 10 000": "farkle race --rules zilch --play optimal",
    "Zilch, four and two alike too": f"farkle race --rules '{rules_text(PAIRS)}' --play optimal",
}


def _less(first: Enclosure, second: Enclosure) -> Enclosure:
    return Enclosure(first.lower - second.upper, first.upper - second.lower)


def _points(difference: Enclosure, *parts: Any) -> Shown:
    """Show a difference of probabilities in percentage points."""
    hundredfold = Enclosure(100 * difference.lower, 100 * difference.upper)
    return Shown(hundredfold.decimal(2), parts)


def numbers_to_win(macros: Macros) -> None:
    """Add the macros of the section on playing to win."""
    both = macros.source(f"{_RACE} --play optimal")
    macros.percent("WinFirst", both.value("value"), 2)
    macros.add("Looking", percent(both.value("looking"), 2))
    blind = macros.source(f"{_RACE} --play optimal-points")
    macros.percent("WinBlind", blind.value("value"), 2)
    macros.add("LookingBlind", percent(blind.value("looking"), 2))
    plain = macros.source(_RACE)
    macros.percent("WinPoints", plain.value("value"), 2)
    advice = macros.source(f"farkle advise {_ROLL} --scores 2000,3500").table("choices")
    for name, number in (("RaceTarget", 4000), ("Behind", 2000), ("Ahead", 3500)):
        macros.asked(name, number)
    chances: dict[str, Any] = {
        then: advice.cell("chance", keep="5", then=then) for then in ("roll", "bank")
    }
    macros.percent("RollBehind", chances["roll"], 2)
    macros.percent("BankBehind", chances["bank"], 2)
    alone = macros.source(f"farkle advise {_ROLL}").table("choices")
    macros.add("RollRegret", decimal(alone.cell("regret", keep="5", then="roll"), 1))
    banks = macros.source(f"farkle thresholds {_AT}").table("thresholds")
    macros.add("BankOneBehind", whole(banks.cell("bank_from", dice=1)))
    rolls = banks.cell("roll", dice=2)
    for name, points in zip(("RollTwoBehind", "RollTwoAgain"), str(rolls).split(), strict=True):
        macros.add(name, Shown(rf"\text{{{points.replace('–', '--')}}}", (rolls,)))
    everywhere = macros.source(_EVERYWHERE)
    if everywhere.value("most_looking") != everywhere.value("behind_looking"):
        raise ValueError("the paper says that looking is worth most to a player who is behind")
    for who, scores in _MOST_LOOKING.items():
        there = tuple(everywhere.value(f"{who}_{name}") for name in ("own", "other"))
        if there != scores:
            raise ValueError(f"the table shows {scores} and not {there}")
        name = who.capitalize()
        macros.add(f"Looker{name}", whole(there[0]))
        macros.add(f"LookedAt{name}", whole(there[1]))
        macros.add(f"Looking{name}", percent(everywhere.value(f"{who}_looking"), 2))
        macros.add(f"Mean{name}", percent(everywhere.value(f"{who}_mean"), 1))
    _kinds(macros)
    published = macros.source(_FACEBOOK)
    macros.percent("Facebook", published.value("value"), 3)
    macros.add("LookingFacebook", percent(published.value("looking"), 2))
    owned = macros.source(f"farkle best --own {_OWNED} --target 4000 --count 5")
    macros.add("OwnedSets", whole(owned.value("candidates")))
    named = macros.source(_HUNDRED)
    macros.add("NamedSets", whole(named.value("candidates")))
    macros.add("BestSetsListed", whole(named.value("found")))


def _kinds(macros: Macros) -> None:
    """Compare the best set for points with the best one to win, of two kinds of dice."""
    by_points = macros.source(f"{_TWO_KINDS} --by points")
    sets = by_points.table("sets")
    most: Any = by_points.value("best")
    macros.add("KindsPoints", decimal(sets.cell("value", dice=most), 1))
    by_win = macros.source(f"{_TWO_KINDS} --by win", more=True)
    to_win: Any = by_win.value("best")
    if (most, to_win) != ("saint-antiochus-p*6", "lousy-gambler*6"):
        raise ValueError(f"the paper says otherwise of {most} and {to_win}")
    macros.add("KindsPointsToWin", decimal(sets.cell("value", dice=to_win), 1))
    chances = by_win.table("sets")
    macros.asked("KindsTarget", 2000)
    wins: Any = chances.cell("value", dice=to_win)
    less: Any = chances.cell("value", dice=most)
    macros.percent("KindsWin", wins, 2)
    macros.percent("KindsPointsWin", less, 2)
    macros.add("KindsApart", _points(_less(wins, less), wins, less))


def looking_table(sources: Sources) -> str:
    """Make the table of the gain from considering the opponent's score."""
    rows, commands = [], []
    for scores in _SCORES:
        both = f"{_RACE} --play optimal --scores {scores}"
        blind = f"{_RACE} --play optimal-points --scores {scores}"
        cells = [
            sources.ask(asked).value(name)
            for asked in (both, blind)
            for name in ("value", "looking")
        ]
        rows.append((scores.replace(",", " to "), *(percent(cell, 2) for cell in cells)))
        commands += [both, blind]
    return paper_table(
        "Chance in per cent that a player wins who is to move and plays to win, and how much of it "
        "is lost by playing for points: against an opponent who plays to win, and against one who "
        "plays for points. Six fair dice each, to 4000 points",
        "looking",
        [
            text_column("scores", "scores, that of the player first", heading="scores"),
            text_column("win", "chance against an opponent who looks", heading="wins"),
            text_column("looking", "what looking is worth", heading="by looking"),
            text_column("blind", "chance against one who does not", heading="wins, other blind"),
            text_column("more", "what looking is worth", heading="by looking"),
        ],
        rows,
        sources,
        commands,
    )


def races_table(sources: Sources) -> str:
    """Make the table of races under several rule variants."""
    rows = []
    for name, command in _RACES.items():
        race = sources.ask(command)
        rows.append((name, *(percent(race.value(what), 3) for what in ("value", "looking"))))
    return paper_table(
        "Chance in per cent that the player who begins wins a race by several rules, six fair dice "
        "each and both playing to win, and how much of it that player owes to looking. By the "
        "rules of Facebook and of Zilch every third bust in a row costs 500 points. In the last "
        "row four dice alike and two alike count as three pairs",
        "races",
        [
            text_column("rules", "rules", heading="rules"),
            text_column("win", "chance of the first", heading="wins"),
            text_column("looking", "what looking is worth", heading="by looking"),
        ],
        rows,
        sources,
        list(_RACES.values()),
    )


def best_sets_table(sources: Sources) -> str:
    """Make the table of the best sets from given dice."""
    return _ranking(
        sources,
        f"farkle best --own {_OWNED} --target 4000 --count 5",
        range(1, 6),
        "The best six of four fair dice, two of odd, and one each of lucky, pie and devils-head, "
        "by the expected points of a turn to 4000, a roll past it counting in full; their order is "
        "proved",
        "best",
    )


def hundred_table(sources: Sources) -> str:
    """Make the table of some of the best hundred sets among all of the named dice."""
    return _ranking(
        sources,
        _HUNDRED,
        (1, 2, 3, 4, 5, 10, 25, 50, 100),
        "Of the best hundred sets of six among all sets of the named dice, by the expected points "
        "of a turn to 6000, a roll past it counting in full, the first and some later ones; the "
        "order of all hundred is proved. In the last column only the points needed count, and the "
        "order is another",
        "hundred",
        needed=True,
    )


def needed_table(sources: Sources) -> str:
    """Make the same table if only the points needed count."""
    return _ranking(
        sources,
        _NEEDED,
        (1, 2, 3, 4, 5, 10, 25, 50, 100),
        "The first and some later ones of the best hundred sets of six among all sets of the named "
        "dice where only the points needed to 6000 count; their order is proved too",
        "needed",
    )


def _ranking(
    sources: Sources,
    command: str,
    places: Sequence[int],
    caption: str,
    label: str,
    *,
    needed: bool = False,
) -> str:
    """Make a table of places among the best sets.

    With `needed` it also shows their values if only the points needed count.
    """
    sets = sources.ask(command).table("sets")
    if len(sets.cells("rank")) < places[-1] or not all(sets.cells("certain")):
        raise ValueError(f"the {places[-1]} places of {command} are not proved")
    asked, rows = [command], []
    values: list[Any] = []
    for rank in places:
        dice, worth = (sets.cell(name, rank=rank) for name in ("dice", "value"))
        in_words = str(dice).replace("*", " × ").replace(",", ", ")
        points = [worth]
        if needed:
            asked.append(f"farkle value --dice {dice} --overshoot needed")
            points.append(sources.ask(asked[-1]).value("value"))
            values.append(points[-1])
        rows.append((rank, in_words, *(decimal(number, 2) for number in points)))
    if needed and values == sorted(values, reverse=True):
        raise ValueError("the paper says that the points needed order the sets in another way")
    columns = [
        text_column("rank", "place", heading=""),
        text_column("dice", "dice"),
        text_column("value", "expected points", heading="points"),
    ]
    columns += [text_column("needed", "points needed", heading="needed")] if needed else []
    return paper_table(caption, label, columns, rows, sources, asked)
