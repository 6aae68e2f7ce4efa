"""The numbers of the paper on Farkle."""

import re
from collections.abc import Mapping
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.report.model import Formula, text_column
from papers.make.farkle_opponent import (
    best_sets_table,
    hundred_table,
    looking_table,
    needed_table,
    numbers_to_win,
    races_table,
)
from papers.make.sheets import (
    Macros,
    Paper,
    Shown,
    Sources,
    Worked,
    decimal,
    exact,
    formula,
    paper_table,
    whole,
    worked,
)

__all__ = ["PAPER"]

_SETS = ("fair*6", "fair*5,weighted", "fair*5,devils-head", "fair*5,favourable", "fair*3,odd*3")
_TYPESET = re.compile(r"^([A-Z]\w+)_(\d)$")
_ENOUGH = 10  # rolls that come within a thousandth of a point of the optimum
_WORDS = ("One", "Two", "Three", "Four", "Five")
_CASES = (
    ("target 6000, a roll past it counts in full", ""),
    ("target 6000, only the points needed count", " --overshoot needed"),
    ("no target", " --target none"),
    ("target 4000", " --target 4000"),
)


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "thresholds.tex": _thresholds(sources),
        "dice.tex": _dice(sources),
        "sets.tex": _sets(sources),
        "readme.tex": _readme(sources),
        "looking.tex": looking_table(sources),
        "races.tex": races_table(sources),
        "best.tex": best_sets_table(sources),
        "hundred.tex": hundred_table(sources),
        "needed.tex": needed_table(sources),
    }


def _names(sources: Sources) -> list[str]:
    return [str(name) for name in sources.ask("farkle dice").table("dice").cells("name")]


def _command(name: str) -> str:
    return f"farkle value --dice fair*5,{name}"


def _worth(sources: Sources) -> dict[str, Any]:
    """Expected points with five fair dice and one of each name."""
    return {name: sources.ask(_command(name)).value("value") for name in _names(sources)}


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    turn = macros.source("farkle value")
    value: Any = turn.value("value")
    macros.add("Value", decimal(value, 4))
    macros.add("ValueDigits", whole(worked(len(value.denominator.digits()), value)))
    macros.percent("Bust", turn.value("bust_probability"))
    macros.add("Rolls", decimal(turn.value("expected_rolls"), 3))
    for name, option in (
        ("ValueNeeded", "--overshoot needed"),
        ("ValueUncapped", "--target none"),
        ("ValuePatch", "--rules patch"),
    ):
        macros.add(name, decimal(macros.source(f"farkle value {option}").value("value"), 4))
    uncapped = macros.source("farkle thresholds --target none")
    macros.add("CertainBank", whole(uncapped.value("certain_banking")))
    _rules(macros)
    horizon = macros.source("farkle horizon 32")
    for rolls, word in enumerate(_WORDS[:3], 1):
        bounded = horizon.table("horizon").cell("gain", rolls=rolls)
        macros.add(f"Optimal{word}", exact(bounded))
        macros.add(f"Optimal{word}Decimal", decimal(bounded, 4))
    macros.add("FixedPoint", whole(horizon.value("fixed_point")))
    optimum: Any = horizon.value("value")
    gains: Any = horizon.table("horizon").cells("gain")
    macros.add("EnoughRolls", whole(horizon.table("horizon").cell("rolls", rolls=_ENOUGH)))
    gap = worked(optimum - gains[_ENOUGH - 1], optimum, gains[_ENOUGH - 1])
    macros.add("EnoughGap", decimal(gap, 5))
    macros.add("LastGap", _power_of_ten(worked(optimum - gains[-1], optimum, gains[-1])))
    readme = macros.source("farkle printed")
    printed = readme.table("statements")
    macros.add("PrintedOne", formula(printed.cell("printed", about="Optimal_1")))
    macros.add("PrintedTwo", formula(printed.cell("printed", about="Optimal_2")))
    macros.add("Refuted", whole(readme.value("refuted")))
    macros.add("Checked", whole(readme.value("checked")))
    found = macros.source("farkle thresholds")
    macros.add("Target", whole(found.value("target")))
    for dice, word in enumerate(_WORDS, 1):
        bank = found.table("thresholds").cell("bank_from", dice=dice)
        macros.add(f"Bank{word}", whole(bank))
    kept = macros.source("farkle advise --roll 1,1,2,3,4,4").table("choices")
    for word, faces in (("KeepOne", "1"), ("KeepBoth", "1,1")):
        macros.add(word, decimal(kept.cell("value", keep=faces, then="roll"), 1))
    macros.add("NamedDice", whole(macros.source("farkle dice").value("count")))
    worth = _worth(sources)
    best = max(worth, key=lambda name: worth[name])
    macros.add("BestDie", Shown(f"\\text{{\\emph{{{best}}}}}", (best,)))
    for place, name in enumerate((best, "fair")):
        macros.source(_command(name), more=place > 0)
    gain = worked(worth[best] - worth["fair"], worth[best], worth["fair"])
    macros.add("BestGain", decimal(gain, 1))
    numbers_to_win(macros)
    return macros.content()


def _rules(macros: Macros) -> None:
    """Make the table of scoring combinations under both sets of rules."""
    scores = macros.source("farkle rules").table("combinations")
    triples = {word: ",".join(3 * str(n)) for n, word in enumerate(("Ones", "Twos", "Threes"), 1)}
    for word, faces in (
        *(("One", "1"), ("Five", "5")),
        *triples.items(),
        *(("Sixes", "6,6,6"), ("Low", "1,2,3,4,5"), ("High", "2,3,4,5,6"), ("Full", "1,2,3,4,5,6")),
    ):
        macros.add(f"Score{word}", whole(scores.cell("score", faces=faces)))
    scores = macros.source("farkle rules --rules patch").table("combinations")
    for word, faces in (
        *(("Ones", "1,1,1"), ("Four", "1,1,1,1"), ("Five", "1,1,1,1,1"), ("Six", "1,1,1,1,1,1")),
        *(("Full", "1,2,3,4,5,6"), ("Triplets", "1,1,1,2,2,2")),
    ):
        macros.add(f"Patch{word}", whole(scores.cell("score", faces=faces)))
    patch = macros.source("farkle thresholds --rules patch")
    macros.add("PatchTarget", whole(patch.value("target")))


def _power_of_ten(small: Worked) -> Shown:
    """Typeset a small number with two digits and a power of ten."""
    below = len(str(small.value.denominator // small.value.numerator))
    digits = decimal(worked(small.value * 10**below, *small.parts), 1).text
    return Shown(rf"{digits}\cdot10^{{-{below}}}", small.parts)


def _thresholds(sources: Sources) -> str:
    commands = [f"farkle thresholds{option}" for _, option in _CASES]
    rows = []
    for (name, _), command in zip(_CASES, commands, strict=True):
        found = sources.ask(command).table("thresholds")
        ends = [found.cell("bank_from", dice=dice) for dice in range(1, 7)]
        plain = (Shown(str(end), (end,)) for end in ends)
        cells = ["always roll" if end is None else next(plain) for end in ends]
        rows.append((name, *cells))
    return paper_table(
        "Points of the turn from which banking is at least as good as rolling the dice that are "
        "left, six fair dice, at the start of a game",
        "thresholds",
        [
            text_column("case", "convention", heading="dice left:"),
            *(text_column(f"n{n}", "dice", heading=str(n)) for n in range(1, 7)),
        ],
        rows,
        sources,
        commands,
    )


def _dice(sources: Sources) -> str:
    worth, named = _worth(sources), sources.ask("farkle dice").table("dice")
    order = sorted(worth, key=lambda name: (-worth[name], name))
    shown = list(dict.fromkeys([*order[:8], "fair", *order[-4:]]))
    if order[2] != "devils-head" or not named.cell("joker", name=order[2]):
        raise ValueError(f"the paper says otherwise of {order[2]}, the third die")
    rows = []
    for name in shown:
        weights: Any = named.cell("weights", name=name)
        joker = " (joker for 1)" if named.cell("joker", name=name) else ""
        gain = worked(worth[name] - worth["fair"], worth[name], worth["fair"])
        faces = " ".join(map(str, weights)) + joker
        rows.append((name, faces, decimal(worth[name], 2), decimal(gain, 2)))
    return paper_table(
        "Expected points of a turn to 6000, a roll past it counting in full, with five fair dice "
        "and one of the named dice: the best eight, a fair die, and the worst four of the list",
        "dice",
        [
            text_column("name", "die", heading="die"),
            text_column("weights", "weights of the faces 1 to 6", heading="weights of 1 to 6"),
            text_column("value", "expected points", heading="points"),
            text_column("gain", "more than with a fair die", heading="gain"),
        ],
        rows,
        sources,
        ["farkle dice", *map(_command, shown)],
    )


def _sets(sources: Sources) -> str:
    rows, commands = [], []
    for dice in _SETS:
        asked = [f"farkle value --dice {dice}", f"farkle turns --dice {dice} --target 4000"]
        turn, race = map(sources.ask, asked)
        rows.append(
            (
                dice.replace("*", " × ").replace(",", ", "),
                decimal(turn.value("value"), 2),
                decimal(turn.value("bust_probability"), 4),
                decimal(turn.value("expected_rolls"), 3),
                decimal(race.value("expected_turns"), 4),
            )
        )
        commands += asked
    return paper_table(
        "Sets of dice: expected points, chance to bust and rolls of a turn to 6000 played for "
        "points, a roll past it counting in full, and the expected number of turns to 4000 points "
        "if each is played for the points that still count",
        "sets",
        [
            text_column("dice", "dice"),
            text_column("value", "expected points", heading="points"),
            text_column("bust", "chance to bust", heading="busts"),
            text_column("rolls", "rolls"),
            text_column("turns", "turns", heading="turns to 4000"),
        ],
        rows,
        sources,
        commands,
    )


def _typeset(figure: Any) -> Shown:
    """Typeset a printed number, with its power of ten and thousands separators."""
    words = str(figure)
    digits, _, power = words.partition("e")
    if power:
        return Shown(rf"{digits}\cdot10^{{{power}}}", (figure,))
    return Shown(whole(mpq(digits)).text if digits.isdigit() else digits, (figure,))


def _readme(sources: Sources) -> str:
    printed = sources.ask("farkle printed").table("statements")
    rows = []
    for about in printed.cells("about"):
        number: Any = printed.cell("computed", about=about)
        is_whole = number.denominator == 1
        shown = whole(number) if is_whole else decimal(number, 4)
        agrees = "yes" if printed.cell("agrees", about=about) else "no"
        figure: Any = printed.cell("printed", about=about)
        name = Formula(*[_TYPESET.sub(r"\\mathrm{\1}_{\2}", str(about))] * 2)
        rows.append((name if name != about else about, _typeset(figure), shown, agrees))
    return paper_table(
        "Figures printed in the README of a public Farkle solver, and what the same definitions "
        "give",
        "readme",
        [
            text_column("about", "figure", heading="figure"),
            text_column("printed", "printed"),
            text_column("computed", "computed"),
            text_column("agrees", "agrees"),
        ],
        rows,
        sources,
        ["farkle printed"],
    )


PAPER = Paper(
    "farkle",
    _build,
    {
        "farkle-thresholds": None,
        "farkle-turn": None,
        "farkle-opponent": None,
        "farkle-looking": None,
    },
)
