"""Reports of the sets of dice that are worth many points: of one block, and of many together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.sets.best import BestSets
from exactdice.games.farkle.sets.bounds import SetsAbove
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.report.model import (
    Report,
    Table,
    column_for,
    enclosed,
    exact,
    flag,
    listing,
    number,
    text_column,
    whole,
)

_WORTH = enclosed("value", "expected points of the best turn", "points")
_SETS = whole("candidates", "sets of dice that there are")
_ENCLOSED = whole("enclosed", "sets that were enclosed one by one; the others by a common bound")
_FOUND = whole("found", "sets that may be worth as many points as were asked for")
_ABOVE = exact("above", "points that were asked for", "points")


_WORTHS = {
    "points": ("expected gain of the best turn", "points"),
    "turns": ("least expected number of turns to the target", "turns"),
    "win": ("probability to win, moving first", ""),
}


def best_sets_report(best: BestSets, own: DiceSet, rules: RuleSet, **more: str) -> Report:
    """Report the best sets of dice among those owned."""
    meaning, unit = _WORTHS[best.aim]
    column = column_for(ranked.worth for ranked in best.sets)("value", meaning, unit)
    return Report.of(
        "Farkle: the best dice of those owned",
        rules.conventions() | {"own": str(own)} | more,
        text_column("best", "the best set")(str(best.sets[0].dice)),
        column(best.sets[0].worth),
        whole("candidates", "sets that can be taken")(best.candidates),
        whole("enclosed", "sets whose worth was enclosed")(best.enclosed),
        Table.of(
            "sets",
            "The best sets, the best first",
            (
                (rank, str(one.dice), one.worth, one.is_certain, tuple(map(str, one.ties)))
                for rank, one in enumerate(best.sets, 1)
            ),
            whole("rank", "place among all sets"),
            text_column("dice", "the set"),
            column,
            flag("certain", "whether its place is proved"),
            listing("ties", "other sets that are worth exactly the same"),
        ),
    )


def sets_report(
    above: SetsAbove,
    hold: DiceSet | None,
    without: DiceSet | None,
    rules: RuleSet,
    overshoot: Overshoot,
) -> Report:
    """Report the sets of one block."""
    conventions = rules.conventions() | {
        "overshoot": str(overshoot),
        "hold": str(hold or "nothing"),
        "without": str(without or "nothing"),
        "dice": "the named ones, those with equal weights once",
    }
    return Report.of(
        f"Farkle: sets of named dice that are worth {above.least} points",
        conventions,
        _ABOVE(above.least),
        _SETS(above.block.sets),
        exact("bound", "no set is worth more", "points")(above.bound),
        _ENCLOSED(above.enclosed),
        _FOUND(len(above.found)),
        _table([(str(d), worth) for d, worth in above.found]),
    )


def merged_sets_report(reports: Iterable[Report]) -> Report:
    """Report the sets of blocks that have no set in common, ranked together.

    The blocks are for the same points and under the same rules.
    """
    sets = count = 0
    above = mpq(0)
    ranked: list[tuple[str, Enclosure]] = []
    conventions: Mapping[str, str] = {}
    for report in reports:
        sets += int(number(report.value("candidates")))
        count += int(number(report.value("enclosed")))
        above = max(above, number(report.value("above")))
        conventions = report.provenance.conventions
        ranked += [
            (str(dice), worth)
            for dice, worth in report.table("sets").select("dice", "value")
            if isinstance(worth, Enclosure)
        ]
    ranked.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    shared = {k: v for k, v in conventions.items() if k not in ("hold", "without")}
    return Report.of(
        f"Farkle: the best sets among all {sets} of the named dice",
        shared,
        _ABOVE(above),
        _SETS(sets),
        _ENCLOSED(count),
        _FOUND(len(ranked)),
        text_column("best", "the best set")(ranked[0][0] if ranked else ""),
        _WORTH(ranked[0][1] if ranked else None),
        _table(ranked),
    )


def _table(ranked: Sequence[tuple[str, Enclosure]]) -> Table:
    highest = [*accumulate((worth.upper for _, worth in reversed(ranked)), max)]  # of later ones
    apart = [worth.lower > most for (_, worth), most in zip(ranked, highest[-2::-1], strict=False)]
    certain = (
        before and after for before, after in zip([True, *apart], [*apart, True], strict=True)
    )
    return Table.of(
        "sets",
        "The sets, the best first",
        (
            (n, *pair, proved)
            for n, (pair, proved) in enumerate(zip(ranked, certain, strict=False), 1)
        ),
        whole("rank", "place among these sets"),
        text_column("dice", "the set"),
        _WORTH,
        flag("certain", "whether its enclosure meets no other"),
    )
