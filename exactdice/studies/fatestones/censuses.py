r"""Equilibria of all deals: the influence of the deal on the game.

Over all ordered pairs of disjoint hands of three dice out of one bag, with a scratch worth 0:

* The value of the whole game is 0 (theorem 16 (b) of `proofs/theorems/THEOREMS.md`), because the
  values of swapped hands cancel. `PairValues` checks the premises entry by entry.
* The mean absolute value is the advantage from the deal.
* A deal is *mixed* if the game of its first choices has no saddle point.

One of two swapped deals is solved, from a table of nine values of pairs against pairs and one game
of 3×3. (Reversal, f to 7 − f, is not such a symmetry: it changes the sign of every payoff, but does
not exchange the players.)

Every value is exact, but their sum would have a denominator of millions of digits. So absolute
values are rounded down to multiples of `RESOLUTION` before they are added, and the exact mean is
less than `RESOLUTION` above the reported one.

A census part covers the deals of some hands against later hands, and the same deals swapped. A bag
has each die with n faces and values 1 to n once, or those of a given total, hence mean. The game's
own bag has six faces of total 21.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from math import lcm
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from exactdice.arithmetic import brief, mpq, natural
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.fatestones.players import seldom
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import HAND_SIZE, Die, Hand, all_dice, bag, encode_die
from exactdice.processes import worker_pool
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.matrix_games import kernel_of_three, saddle_point
from exactdice.storage import check_writable, read_text, write_whole


class PairValues:
    """Equilibrium values of every hand of two against every other, with a scratch worth 0.

    The games of 2×2 have payoffs over rolls²; a value is one of them, at a saddle point, or
    (ad − bc)/(a + d − b − c), in 64-bit integers.
    """

    def __init__(self, tables: BagTables) -> None:
        self.tables = tables
        margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
        if 4 * rolls**4 >= 2**63:  # ad − bc, each factor at most rolls²; four of them in the total
            faces = len(tables.table.dice[0])
            raise TooLargeError(f"dice: {faces} faces need integers of more than 64 bits")
        (a, b), (c, d) = tables.facing_pairs
        upper = [margins[a, x] * rolls + ties[a, x] * margins[b, y] for x, y in ((c, d), (d, c))]
        lower = [margins[b, x] * rolls + ties[b, x] * margins[a, y] for x, y in ((c, d), (d, c))]
        floor = np.maximum(np.minimum(*upper), np.minimum(*lower))
        ceiling = np.minimum(*(np.maximum(*column) for column in zip(upper, lower, strict=True)))
        is_mixed = floor != ceiling
        value = upper[0] * lower[1] - upper[1] * lower[0]
        total = upper[0] + lower[1] - upper[1] - lower[0]
        numerators = np.where(is_mixed, value, floor)
        denominators = np.where(is_mixed, total, 1)
        divisors = np.gcd(numerators, denominators) * np.sign(denominators)
        numerators, denominators = numerators // divisors, denominators // divisors
        antisymmetric, symmetric = (margins, numerators), (ties, denominators)
        if not all(np.array_equal(each, -each.T) for each in antisymmetric) or not all(
            np.array_equal(each, each.T) for each in symmetric
        ):
            raise AssertionError("swapping hands must change the sign of a value and nothing else")
        # The games of 3×3 are solved in Python integers.
        self.numerators: list[list[int]] = numerators.tolist()
        self.denominators: list[list[int]] = denominators.tolist()
        self._margins: list[list[int]] = (margins * rolls**2).tolist()
        self._ties: list[list[int]] = ties.tolist()
        self.triples: list[list[int]] = tables.triples.tolist()
        self._rest: list[list[int]] = tables.rest.tolist()

    def value(self, hand: int, other: int) -> tuple[int, int, bool]:
        theirs, their_rests = self.triples[other], self._rest[other]
        values, over = [], []
        for die, rest in zip(self.triples[hand], self._rest[hand], strict=True):
            margins, ties = self._margins[die], self._ties[die]
            numerators, denominators = self.numerators[rest], self.denominators[rest]
            for against, remaining in zip(theirs, their_rests, strict=True):
                bottom = denominators[remaining]
                over.append(bottom)
                values.append(margins[against] * bottom + ties[against] * numerators[remaining])
        common = lcm(*over)
        if common > 1:
            values = [top * (common // bottom) for top, bottom in zip(values, over, strict=True)]
        payoff = (values[:3], values[3:6], values[6:])
        unit = common * self.tables.table.rolls**3
        saddle = saddle_point(payoff)
        if saddle is not None:
            return payoff[saddle[0]][saddle[1]], unit, False
        kernel = kernel_of_three(payoff)
        return kernel.value, kernel.total * unit, True


_UNITS = 10**30

#: Absolute values are rounded down to multiples of this before they are added.
RESOLUTION = mpq(1, _UNITS)

_FORMAT = "exactdice fatestones census 1"
_HANDS_A_TASK = 8


@dataclass
class Tally:
    deals: int = 0
    mixed: int = 0  # deals without a saddle point
    even: int = 0  # deals of value 0
    units: int = 0  # sum of absolute values in units of `RESOLUTION`, each rounded down
    # largest absolute value, as numerator and denominator
    largest: list[int] = field(default_factory=lambda: [0, 1])
    # numbers of the dice of the first deal with this value, the better hand's three first
    largest_deal: list[int] = field(default_factory=list)

    def count(
        self, value: tuple[int, int, bool], row: list[int], column: list[int], times: int = 2
    ) -> None:
        numerator, denominator, is_mixed = value
        size = abs(numerator)
        self.deals += times
        self.mixed += times * is_mixed
        self.even += times * (size == 0)
        self.units += times * (size * _UNITS // denominator)
        ahead, behind = (row, column) if numerator > 0 else (column, row)
        self._compare([size, denominator], ahead + behind)

    def add(self, other: "Tally") -> None:
        self.deals += other.deals
        self.mixed += other.mixed
        self.even += other.even
        self.units += other.units
        self._compare(other.largest, other.largest_deal)

    def _compare(self, largest: list[int], deal: list[int]) -> None:
        if largest[0] * self.largest[1] > self.largest[0] * largest[1]:
            self.largest, self.largest_deal = largest, deal


@dataclass(frozen=True)
class CensusSums(Reported, by="exactdice.studies.fatestones.reports:equilibria_report"):
    """Sums over the equilibria of many deals."""

    equilibrium: mpq  # value of the whole game: 0 by symmetry, which was checked
    pairs: int  # ordered pairs of hands; a sample is drawn with repetition
    mixed: int  # pairs whose first choices have no saddle point
    even: int  # pairs of value 0
    mean_absolute_value: mpq  # mean of the rounded absolute values
    largest: mpq  # the largest value
    largest_deal: tuple[Hand, Hand]  # the better and the worse hand of a deal with this value
    is_complete: bool  # whether it includes all deals, each once
    # both hands of each deal of a listed sample, its value to the first, and whether it is mixed
    deals: tuple[tuple[Hand, Hand, mpq, bool], ...] = ()

    @property
    def value(self) -> mpq:
        return self.equilibrium

    def __str__(self) -> str:
        extent = "all deals" if self.is_complete else f"a sample of {self.pairs} deals"
        mean = brief(self.mean_absolute_value, 8)
        return f"{extent}, worth {mean} to the better hand on average"


def census(
    dice: Sequence[Die] | None = None,
    *,
    state: str | None = None,
    save: Callable[[str], None] | None = None,
    run: Run = DEFAULT,
) -> CensusSums:
    """Solve every deal out of a bag of different dice, by default the game's own.

    `save` is called with the present state as text after every few hands; `state` resumes from such
    a text. About 10 µs for a deal and its swap: 90 s of processor time for 18 123 840 deals, shared
    by the workers of `run`. Raises InputError for an unsuitable bag or state.
    """
    held = tuple(bag() if dice is None else dice)
    digest = hashlib.sha256(",".join(map(encode_die, held)).encode()).hexdigest()
    done, sums = _resumed(state, digest)
    tables = BagTables(held)
    count = len(tables.triples)
    if not _is_possible(done, sums, tables):
        raise InputError("checkpoint", Unquoted("impossible sums"), _STATE)
    tasks = [range(s, min(s + _HANDS_A_TASK, count)) for s in range(done, count, _HANDS_A_TASK)]
    for task, part in zip(tasks, _tallies(held, tasks, run.workers), strict=True):
        sums.add(part)
        if save is not None:
            content = {"format": _FORMAT, "bag": digest, "hands": task.stop, "tally": asdict(sums)}
            save(json.dumps(content | {"sha256": _sum(content)}, indent=1) + "\n")
        run.tell("hands", task.stop, count)
    return _census(sums, held, is_complete=True)


def _resumed(state: str | None, digest: str) -> tuple[int, Tally]:
    if state is None:
        return 0, Tally()
    try:
        content = json.loads(state)
        if content.pop("sha256") != _sum(content):
            raise InputError("checkpoint", Unquoted("a changed state of a census"), _STATE)
        if content["format"] == _FORMAT and content["bag"] == digest:
            return content["hands"], Tally(**content["tally"])
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, AttributeError) as problem:
        raise InputError("checkpoint", Unquoted("another kind of file"), _STATE) from problem
    raise InputError("checkpoint", Unquoted("the state of another census"), _STATE)


def _is_possible(done: Any, tally: Any, tables: BagTables) -> bool:
    if not (isinstance(tally.largest, list) and isinstance(tally.largest_deal, list)):
        return False
    counts = [done, tally.deals, tally.mixed, tally.even, tally.units]
    counts += [*tally.largest, *tally.largest_deal]
    if any(type(number) is not int or number < 0 for number in counts):
        return False
    if done > len(tables.triples) or len(tally.largest) != 2 or tally.largest[1] == 0:
        return False
    deals = 2 * sum(int((tables.disjoint(hand) > hand).sum()) for hand in range(done))
    dice = len(tables.table.dice)
    return (
        tally.deals == deals
        and max(tally.mixed, tally.even) <= deals
        and tally.units <= deals * _UNITS
        and len(tally.largest_deal) in (0, 2 * HAND_SIZE)
        and all(die < dice for die in tally.largest_deal)
    )


def _sum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


_STATE = "a checkpoint of a census of the same bag"


def _tallies(held: tuple[Die, ...], tasks: list[range], workers: int) -> Iterator[Tally]:
    workers = natural(workers, "workers", least=1)
    if workers == 1:
        yield from map(partial(tally, PairValues(BagTables(held))), tasks)
        return
    with worker_pool(workers, start_worker, held) as pool:
        yield from pool.map(work, tasks)


_worker_values: PairValues


def start_worker(held: tuple[Die, ...]) -> None:
    global _worker_values  # one table per process
    _worker_values = PairValues(BagTables(held))


def work(task: range) -> Tally:
    return tally(_worker_values, task)


def tally(values: PairValues, hands: Iterable[int]) -> Tally:
    """Count the deals of some hands against later hands, and the same deals swapped."""
    sums = Tally()
    for hand in hands:
        for other in values.tables.disjoint(hand).tolist():
            if other > hand:
                sums.count(values.value(hand, other), values.triples[hand], values.triples[other])
    return sums


def resumed_census(checkpoint: Path, run: Run = DEFAULT) -> CensusSums:
    """Solve every deal out of the game's bag, saving the state every few seconds."""
    check_writable(checkpoint)
    state = read_text(checkpoint) or None
    return census(state=state, save=seldom(partial(write_whole, checkpoint)), run=run)


def sample_census(
    count: int, seed: int, dice: Sequence[Die] | None = None, *, lists: bool = False
) -> CensusSums:
    """Solve `count` uniform deals, 20 µs each; `lists` keeps each deal with its value."""
    count = natural(count, "sample", least=1)
    random = Random(natural(seed, "seed"))  # noqa: S311 - a reproducible sample, no secret
    held = tuple(bag() if dice is None else dice)
    values = PairValues(BagTables(held))
    number = {tuple(triple): i for i, triple in enumerate(values.tables.triples.tolist())}
    sums = Tally()
    listed: list[tuple[Hand, Hand, mpq, bool]] = []
    for _ in range(count):
        drawn = random.sample(range(len(held)), 2 * HAND_SIZE)
        row, column = sorted(drawn[:HAND_SIZE]), sorted(drawn[HAND_SIZE:])
        value = values.value(number[tuple(row)], number[tuple(column)])
        sums.count(value, row, column, 1)
        if lists:
            first, second = (tuple(held[die] for die in hand) for hand in (row, column))
            listed.append((first, second, mpq(value[0], value[1]), value[2]))
    return replace(_census(sums, held, is_complete=False), deals=tuple(listed))


def _census(tally: Tally, held: tuple[Die, ...], *, is_complete: bool) -> CensusSums:
    dice: list[Any] = [held[die] for die in tally.largest_deal]
    hands = tuple(dice[:HAND_SIZE]), tuple(dice[HAND_SIZE:])
    counts = tally.deals, tally.mixed, tally.even
    mean, largest = mpq(tally.units, tally.deals * _UNITS), mpq(*tally.largest)
    return CensusSums(mpq(0), *counts, mean, largest, hands, is_complete)


@dataclass(frozen=True)
class CensusPart:
    dice: tuple[Die, ...]  # the bag
    hands: range  # numbers of the hands
    sums: Tally


def bag_of(faces: int, total: int | None = None) -> tuple[Die, ...]:
    dice = tuple(die for die in all_dice(faces, faces) if total in (None, sum(die)))
    if len(dice) < 2 * HAND_SIZE:
        raise InputError("total", Unquoted(f"{len(dice)} dice"), "a bag of at least six dice")
    return dice


def bag_text(faces: int, total: int | None = None) -> str:
    of_total = f" of total {total}" if total else ""
    size = f"the {len(bag_of(faces, total))} dice with {faces} faces"
    return f"{size}, values 1 to {faces}{of_total}, once each"


def bags(faces: int) -> list[int]:
    """Return the totals with at least six dice."""
    counts = Counter(sum(die) for die in all_dice(faces, faces))
    return [total for total, count in sorted(counts.items()) if count >= 2 * HAND_SIZE]


@lru_cache(maxsize=1)  # a process computes several parts of one bag
def _values(dice: tuple[Die, ...]) -> PairValues:
    return PairValues(BagTables(dice))


def census_part(dice: Sequence[Die], first: int, last: int, run: Run = DEFAULT) -> CensusPart:
    values = _values(tuple(dice))
    count = len(values.triples)
    end = natural(last, "last", most=count - 1)
    hands = range(natural(first, "first", most=end), end + 1)
    sums = Tally()
    for hand in hands:
        run.tell("hands", hand - hands.start, len(hands))
        sums.add(tally(values, [hand]))
    return CensusPart(tuple(dice), hands, sums)
