"""The numbers of the paper on Farkle."""

from collections.abc import Mapping

from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.games.farkle import (
    KCD,
    PATCH,
    Chaser,
    fixed_point,
    horizon,
    named_dice,
    parse_dice,
    solve,
    thresholds,
    turn_end,
)
from exactdice.games.farkle.readme import statements
from exactdice.jobs.papers.legacy_sheets import Macros, Paper, paper_table
from exactdice.jobs.papers.stored import StoredData
from exactdice.report.model import text_column

__all__ = ["PAPER"]

_SETS = ("fair*6", "fair*5,weighted", "fair*5,devils-head", "fair*5,favourable", "fair*3,odd*3")
_WORDS = ("One", "Two", "Three")


def _build(_stored: StoredData) -> Mapping[str, str]:
    worth = {name: solve(f"fair*5,{name}").value() for name in named_dice()}
    return {
        "numbers.tex": _numbers(worth),
        "thresholds.tex": _thresholds(),
        "dice.tex": _dice(worth),
        "sets.tex": _sets(),
        "readme.tex": _readme(),
    }


def _numbers(worth: Mapping[str, mpq]) -> str:
    macros = Macros("exactdice farkle value")
    turn = solve("fair*6")
    value, end = turn.value(), turn_end(turn)
    macros.decimal("Value", value, 4)
    macros.whole("ValueDigits", len(str(value.denominator)))
    macros.percent("Bust", end.bust)
    macros.decimal("Rolls", end.rolls, 3)
    macros.whole("Target", KCD.target or 0)
    macros.source("exactdice farkle value --overshoot needed")
    macros.decimal("ValueNeeded", solve("fair*6", KCD, "needed").value(), 4)
    macros.source("exactdice farkle value --target none")
    uncapped = solve("fair*6", KCD.varied(target=None))
    macros.decimal("ValueUncapped", uncapped.value(), 4)
    macros.whole("CertainBank", uncapped.end)
    macros.source("exactdice farkle value --rules patch")
    macros.decimal("ValuePatch", solve("fair*6", PATCH).value(), 4)
    macros.source("exactdice farkle horizon 3")
    for word, bounded in zip(_WORDS, horizon(turn, len(_WORDS)), strict=True):
        macros.exact(f"Optimal{word}", bounded)
        macros.decimal(f"Optimal{word}Decimal", bounded, 4)
    macros.whole("FixedPoint", fixed_point(turn))
    macros.source("exactdice farkle readme")
    printed = {s.about: s.printed for s in statements()}
    macros.text("PrintedOne", printed["Optimal_1"])
    macros.text("PrintedTwo", printed["Optimal_2"])
    macros.whole("Refuted", sum(not s.agrees for s in statements()))
    macros.whole("Checked", len(statements()))
    macros.source("exactdice farkle thresholds")
    for found in thresholds(turn):
        if found.bank_from is not None:
            word = ("Zero", "One", "Two", "Three", "Four", "Five", "Six")[
                turn.dice.size(found.left)
            ]
            macros.whole(f"Bank{word}", found.bank_from)
    macros.source("exactdice farkle dice")
    macros.whole("NamedDice", len(worth))
    best = max(worth, key=lambda name: worth[name])
    macros.text("BestDie", f"\\emph{{{best}}}")
    macros.decimal("BestGain", worth[best] - worth["fair"], 1)
    return macros.content()


def _thresholds() -> str:
    cases = (
        ("target 6000, a roll past it counts in full", solve("fair*6")),
        ("target 6000, only the points needed count", solve("fair*6", KCD, "needed")),
        ("no target", solve("fair*6", KCD.varied(target=None))),
        ("target 4000", solve("fair*6", KCD.varied(target=4000))),
    )
    rows = []
    for name, turn in cases:
        bank = {turn.dice.size(t.left): t.bank_from for t in thresholds(turn)}
        cells = ["always roll" if bank[n] is None else str(bank[n]) for n in range(1, 7)]
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
        "exactdice farkle thresholds",
    )


def _dice(worth: Mapping[str, mpq]) -> str:
    order = sorted(worth, key=lambda name: (-worth[name], name))
    fair = worth["fair"]
    shown = [*order[:8], *(["fair"] if "fair" not in order[:8] else []), *order[-4:]]
    rows: list[tuple[str, ...]] = []
    for name in dict.fromkeys(shown):
        die = named_dice()[name]
        weights = " ".join(map(str, die.weights)) + (" (joker for 1)" if die.joker else "")
        gain = worth[name] - fair
        rows.append((name, weights, decimal(worth[name], 2), decimal(gain, 2)))
    return paper_table(
        "Expected points of a turn with five fair dice and one of the named dice: the best eight, "
        "a fair die, and the worst four of the list",
        "dice",
        [
            text_column("name", "die", heading="die"),
            text_column("weights", "weights of the faces 1 to 6", heading="weights of 1 to 6"),
            text_column("value", "expected points", heading="points"),
            text_column("gain", "more than with a fair die", heading="gain"),
        ],
        rows,
        "exactdice farkle value --dice fair*5,NAME",
    )


def _sets() -> str:
    rows = []
    for dice in _SETS:
        turn = solve(dice)
        end = turn_end(turn)
        chaser = Chaser(parse_dice(dice), KCD.varied(target=4000))
        rows.append(
            (
                dice.replace("*", " × ").replace(",", ", "),
                decimal(turn.value(), 2),
                decimal(end.bust, 4),
                decimal(end.rolls, 3),
                decimal(chaser.expected_turns().middle, 4),
            )
        )
    return paper_table(
        "Sets of dice: expected points, chance to bust and rolls of a turn played for points, and "
        "the expected number of turns to 4000 points",
        "sets",
        [
            text_column("dice", "dice"),
            text_column("value", "expected points", heading="points"),
            text_column("bust", "chance to bust", heading="busts"),
            text_column("rolls", "rolls"),
            text_column("turns", "turns", heading="turns to 4000"),
        ],
        rows,
        "exactdice farkle turns --dice DICE --target 4000",
    )


def _readme() -> str:
    rows = []
    for s in statements():
        shown = mpq(s.computed)
        computed = str(shown) if shown.denominator == 1 else decimal(shown, 4)
        rows.append((s.about, s.printed, computed, "yes" if s.agrees else "no"))
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
        "exactdice farkle readme",
    )


PAPER = Paper("farkle", _build, {"farkle-thresholds": None, "farkle-turn": None})
