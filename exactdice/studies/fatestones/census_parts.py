"""The census in parts, and out of other bags: dice of other sizes, and of other means.

A part is the deals of some hands, by their numbers, against later hands, and the same deals
swapped; the parts of all hands add up to a census (`exactdice.studies.fatestones.censuses`). A bag
holds once each die with a number of faces and values from 1 to that number: all of them, or those
whose faces have a given total, hence a given mean. The game's own bag has six faces of total 21.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import HAND_SIZE, Die, Hand, all_dice, encode_hand
from exactdice.report.model import Report, Table, exact, number, text_column, whole
from exactdice.run import DEFAULT, Run
from exactdice.studies.fatestones.censuses import RESOLUTION, PairValues, Tally, tally


@dataclass(frozen=True)
class CensusPart:
    """What the deals of some hands add up to."""

    dice: tuple[Die, ...]  # the bag
    hands: range  # numbers of the hands
    sums: Tally  # the sums over their deals


def bag_of(faces: int, total: int | None = None) -> tuple[Die, ...]:
    """List the dice of a bag."""
    dice = tuple(die for die in all_dice(faces, faces) if total in (None, sum(die)))
    if len(dice) < 2 * HAND_SIZE:
        raise InputError("total", Unquoted(f"{len(dice)} dice"), "a bag of at least six")
    return dice


def bag_text(faces: int, total: int | None = None) -> str:
    """Say what is in a bag."""
    of_total = f" of total {total}" if total else ""
    size = f"the {len(bag_of(faces, total))} dice with {faces} faces"
    return f"{size}, values 1 to {faces}{of_total}, once each"


def bags(faces: int) -> list[int]:
    """List the totals of which there are six or more dice."""
    counts = Counter(sum(die) for die in all_dice(faces, faces))
    return [total for total, count in sorted(counts.items()) if count >= 2 * HAND_SIZE]


@lru_cache(maxsize=1)  # a process computes several parts of one bag
def _values(dice: tuple[Die, ...]) -> PairValues:
    return PairValues(BagTables(dice))


def census_part(dice: Sequence[Die], first: int, last: int, run: Run = DEFAULT) -> CensusPart:
    """Solve the deals of some hands.

    >>> bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> census_part(bag, 0, 19).sums.deals
    20

    About 10 µs for a deal and its swap, and the table of pairs once for a bag.
    """
    values = _values(tuple(dice))
    count = len(values.triples)
    end = natural(last, "last", most=count - 1)
    hands = range(natural(first, "first", most=end), end + 1)
    sums = Tally()
    for hand in hands:
        run.tell("hands", hand - hands.start, len(hands))
        sums.add(tally(values, [hand]))
    return CensusPart(tuple(dice), hands, sums)


_PAIRS = whole("pairs", "ordered pairs of hands solved", "deals")
_MIXED = whole("mixed", "those whose first choices have no saddle point")
_EVEN = whole("even", "those of value 0")
_LARGEST = exact("largest_value", "largest value of a deal")
_BETTER = text_column("better_hand", "the better hand of the first deal that has it")
_WORSE = text_column("worse_hand", "the worse hand of that deal")
_SUM = exact("sum", "absolute values, each rounded down to a multiple of the resolution, added")


def part_report(part: CensusPart, bag: str) -> Report:
    """Report the sums over the deals of some hands."""
    sums = part.sums
    better, worse = _hands(part)
    hands = f"{part.hands.start} to {part.hands.stop - 1}, against later ones, and swapped"
    return Report.of(
        f"FateStones: deals out of {bag}",
        {"bag": bag, "hands": hands, "scratch": "worth 0"},
        _PAIRS(sums.deals),
        _MIXED(sums.mixed),
        _EVEN(sums.even),
        _SUM(sums.units * RESOLUTION),
        _LARGEST(mpq(*sums.largest)),
        _BETTER(better),
        _WORSE(worse),
    )


def _hands(part: CensusPart) -> tuple[str, str]:
    dice = [part.dice[die] for die in part.sums.largest_deal]
    if not dice:
        return "", ""
    better: Hand = tuple(dice[:HAND_SIZE])
    worse: Hand = tuple(dice[HAND_SIZE:])
    return encode_hand(better), encode_hand(worse)


def merged_census_report(parts: Iterable[Report]) -> Report:
    """Report the census of each bag, from the reports of its parts in the order of hands."""
    bags: dict[str, list[Report]] = {}
    for part in parts:
        bags.setdefault(part.provenance.conventions["bag"], []).append(part)
    columns = [
        text_column("bag", "the bag"),
        _PAIRS,
        _MIXED,
        _EVEN,
        exact(
            "mean_absolute_value",
            "mean advantage that the deal gives, less than the resolution below the exact one",
        ),
        _LARGEST,
        _BETTER,
        _WORSE,
    ]
    table = Table.of("bags", "Bags", ((bag, *_row(of)) for bag, of in bags.items()), *columns)
    conventions = {
        "deal": "two hands of three dice out of the bag, without replacement",
        "scratch": "worth 0, which is what the whole game is worth",
    }
    resolution = exact("resolution", "each mean is less than this too low")(RESOLUTION)
    title = "FateStones: what the deal is worth, by the bag"
    return Report.of(title, conventions, resolution, table)


def _row(parts: Sequence[Report]) -> tuple[int, int, int, mpq, mpq, str, str]:
    def added(name: str) -> mpq:
        return sum((number(part.value(name)) for part in parts), mpq(0))

    pairs = added("pairs")
    best = max(parts, key=lambda part: number(part.value("largest_value")))  # the first of equals
    return (
        int(pairs),
        int(added("mixed")),
        int(added("even")),
        added("sum") / pairs,
        number(best.value("largest_value")),
        str(best.value("better_hand") or ""),
        str(best.value("worse_hand") or ""),
    )
