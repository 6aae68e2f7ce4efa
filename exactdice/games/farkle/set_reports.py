"""Reports of the sets of dice that are worth many points: of one block, and of many together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import Overshoot
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.sets_above import SetsAbove
from exactdice.report.model import (
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    flag,
    number,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance

__all__ = ["merged_sets_report", "sets_report"]

_WORTH = enclosed("value", "expected points of the best turn", "points")
_SETS = whole("candidates", "sets of dice that there are")
_ENCLOSED = whole("enclosed", "sets that were enclosed one by one; the others by a common bound")
_FOUND = whole("found", "sets that may be worth as many points as were asked for")
_ABOVE = exact("above", "points that were asked for", "points")


def sets_report(
    found: SetsAbove,
    hold: DiceSet | None,
    without: DiceSet | None,
    rules: RuleSet,
    overshoot: Overshoot,
) -> Report:
    """Report the sets of one block."""
    quantities = [
        Quantity(_ABOVE, found.least),
        Quantity(_SETS, found.block.sets),
        Quantity(exact("bound", "no set is worth more", "points"), found.bound),
        Quantity(_ENCLOSED, found.enclosed),
        Quantity(_FOUND, len(found.found)),
    ]
    conventions = rules.conventions() | {
        "overshoot": str(overshoot),
        "hold": str(hold or "nothing"),
        "without": str(without or "nothing"),
        "dice": "the named ones, those with equal weights once",
    }
    title = f"Farkle: sets of named dice that are worth {found.least} points"
    provenance = Provenance(conventions=conventions)
    return Report(
        title, quantities, [_table([(str(d), worth) for d, worth in found.found])], provenance
    )


def merged_sets_report(reports: Iterable[Report]) -> Report:
    """Report the sets of blocks that have no set in common, ranked together.

    Parameters
    ----------
    reports
        The reports of the blocks, for the same points and under the same rules.
    """
    sets = count = 0
    above = mpq(0)
    found: list[tuple[str, Enclosure]] = []
    conventions: Mapping[str, str] = {}
    for report in reports:
        sets += int(number(report.value("candidates")))
        count += int(number(report.value("enclosed")))
        above = max(above, number(report.value("above")))
        conventions = report.provenance.conventions
        found += [
            (str(dice), worth)
            for dice, worth in report.table("sets").select("dice", "value")
            if isinstance(worth, Enclosure)
        ]
    found.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    quantities = [
        Quantity(_ABOVE, above),
        Quantity(_SETS, sets),
        Quantity(_ENCLOSED, count),
        Quantity(_FOUND, len(found)),
        Quantity(text_column("best", "the best set"), found[0][0] if found else ""),
        Quantity(_WORTH, found[0][1] if found else None),
    ]
    shared = {k: v for k, v in conventions.items() if k not in ("hold", "without")}
    title = f"Farkle: the best sets among all {sets} of the named dice"
    return Report(title, quantities, [_table(found)], Provenance(conventions=shared))


def _table(found: Sequence[tuple[str, Enclosure]]) -> Table:
    apart = [one[1].lower > other[1].upper for one, other in pairwise(found)]
    certain = [
        before and after for before, after in zip([True, *apart], [*apart, True], strict=True)
    ]
    return Table(
        "sets",
        "The sets, the best first",
        [
            whole("rank", "place among these sets"),
            text_column("dice", "the set"),
            _WORTH,
            flag("certain", "whether its enclosure meets no other"),
        ],
        [
            (rank, dice, worth, is_certain)
            for rank, ((dice, worth), is_certain) in enumerate(
                zip(found, certain, strict=True) if found else (), 1
            )
        ],
    )
