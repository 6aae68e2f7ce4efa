r"""The equilibrium of every deal: how much of the game the deal decides.

Over all ordered pairs of disjoint hands of three dice out of one bag, with a scratch worth 0:

* the equilibrium value of the whole game is 0. The margins of the dice are antisymmetric and their
  ties symmetric, so swapping two hands turns every matrix game into minus its transpose, first for
  single dice, then for pairs, then for triples; the values of swapped hands cancel, the mean over
  deals is 0, and 0 is thus what a scratch is worth. The fixed point is unique, because a scratch
  has a chance below 1. `PairValues` checks the premises entry by entry;
* the mean absolute value is the advantage that the deal gives to one side or the other;
* a deal is *mixed* when the game of its first choices has no saddle point.

Of two deals that are swapped one is solved, from nine values of pairs against pairs, which are kept
in one table, and one game of 3×3. (Reversal, which turns each face f into 7 − f, is no such
symmetry: it changes the sign of every payoff, but not which player wants the most and which the
least.)

Every value is exact, but their sum has a denominator of millions of digits: three deals of four
bring a new one, of some 25 digits. So absolute values are rounded down to multiples of
`RESOLUTION` before they are added, and the mean lies less than that above the one stated.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import lcm
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np

from exactdice.arithmetic import brief, mpq, natural
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.fatestones.log import seldom
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import HAND_SIZE, Die, Hand, bag, encode_die
from exactdice.processes import worker_pool
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.matrix_games import kernel_of_three, saddle_point
from exactdice.storage import check_writable, read_text, write_whole


class PairValues:
    """Equilibrium values of every hand of two against every other, with a scratch worth 0.

    The games of 2×2 have payoffs over rolls²; a saddle point is one of them, and a mixed value is
    (ad − bc)/(a + d − b − c) of them, in 64-bit integers. Dice that both hands hold do no harm.
    """

    def __init__(self, tables: BagTables) -> None:
        self.tables = tables
        margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
        if 4 * rolls**4 >= 2**63:  # ad − bc, each factor at most rolls²; four of them in the total
            raise TooLargeError(
                f"dice: {len(tables.table.dice[0])} faces need integers of more than 64 bits; give "
                "dice of fewer faces"
            )
        (a, b), (c, d) = tables.facing_pairs
        upper = [margins[a, x] * rolls + ties[a, x] * margins[b, y] for x, y in ((c, d), (d, c))]
        lower = [margins[b, x] * rolls + ties[b, x] * margins[a, y] for x, y in ((c, d), (d, c))]
        floor = np.maximum(np.minimum(*upper), np.minimum(*lower))
        is_mixed = floor != np.minimum(
            np.maximum(upper[0], lower[0]), np.maximum(upper[1], lower[1])
        )
        value = upper[0] * lower[1] - upper[1] * lower[0]
        total = upper[0] + lower[1] - upper[1] - lower[0]
        numerators = np.where(is_mixed, value, floor)
        denominators = np.where(is_mixed, total, 1)
        divisors = np.gcd(numerators, denominators) * np.sign(denominators)
        numerators, denominators = numerators // divisors, denominators // divisors
        if not (
            np.array_equal(margins, -margins.T)
            and np.array_equal(ties, ties.T)
            and np.array_equal(numerators, -numerators.T)
            and np.array_equal(denominators, denominators.T)
        ):
            raise AssertionError("swapping hands must change the sign of a value and nothing else")
        # Python lists: the games of 3×3 are solved in Python's integers, one by one.
        self.numerators: list[list[int]] = numerators.tolist()
        self.denominators: list[list[int]] = denominators.tolist()
        self._margins: list[list[int]] = (margins * rolls**2).tolist()
        self._ties: list[list[int]] = ties.tolist()
        self.triples: list[list[int]] = tables.triples.tolist()
        self._rest: list[list[int]] = tables.rest.tolist()

    def value(self, hand: int, other: int) -> tuple[int, int, bool]:
        """Value of triple `hand` against triple `other`: numerator, denominator, and if mixed."""
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
    """Sums over deals."""

    # deals, mixed, even: deals; those without a saddle point; those of value 0
    deals: int = 0
    mixed: int = 0
    even: int = 0
    units: int = 0  # sum of absolute values in units of `RESOLUTION`, each rounded down
    # largest absolute value, as numerator and denominator
    largest: list[int] = field(default_factory=lambda: [0, 1])
    # numbers of the dice of the first deal that has it, the better hand's three first
    largest_deal: list[int] = field(default_factory=list)

    def count(
        self, value: tuple[int, int, bool], row: list[int], column: list[int], times: int = 2
    ) -> None:
        """Count a deal, given its value's numerator and denominator and whether it is mixed."""
        numerator, denominator, is_mixed = value
        size = abs(numerator)
        self.deals += times
        self.mixed += times * is_mixed
        self.even += times * (size == 0)
        self.units += times * (size * _UNITS // denominator)
        ahead, behind = (row, column) if numerator > 0 else (column, row)
        self._compare([size, denominator], ahead + behind)

    def add(self, other: "Tally") -> None:
        """Add the sums over further deals."""
        self.deals += other.deals
        self.mixed += other.mixed
        self.even += other.even
        self.units += other.units
        self._compare(other.largest, other.largest_deal)

    def _compare(self, largest: list[int], deal: list[int]) -> None:
        if largest[0] * self.largest[1] > self.largest[0] * largest[1]:
            self.largest, self.largest_deal = largest, deal


@dataclass(frozen=True)
class CensusSums(Reported):
    """What the equilibria of many deals add up to."""

    reported_by: ClassVar = "exactdice.studies.fatestones.reports:equilibria_report"

    equilibrium: mpq  # value of the whole game: 0, by the symmetry that was checked
    pairs: int  # ordered pairs of hands; drawn with repetition where the census is a sample
    mixed: int  # those in which the first choices have no saddle point
    even: int  # those of value 0
    # mean of the absolute values as rounded down: the exact mean is less than `RESOLUTION` above
    mean_absolute_value: mpq
    largest: mpq  # the largest value
    largest_deal: tuple[Hand, Hand]  # the better and the worse hand of one deal that has it
    is_complete: bool  # whether all deals were taken, each once
    # both hands of each deal, its value to the first and whether it is mixed, where they were asked
    # for
    deals: tuple[tuple[Hand, Hand, mpq, bool], ...] = ()

    @property
    def value(self) -> mpq:
        """What the whole game is worth to player 1."""
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
    """Solve every deal out of one bag.

    Parameters
    ----------
    dice
        The bag, of different dice; the game's own where it is None.
    state
        What `save` was last given by a run that did not end; the census goes on from there.
    save
        Called with the state as text after every few hands.
    run
        Hears of the hands done; its workers are processes that share the work.

    Raises
    ------
    InputError
        If the bag is too small or holds a die twice, or the state is of another census or states
        more hands or other numbers of deals than there are.

    Examples
    --------
    >>> result = census([(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)])
    >>> result.pairs, result.mixed
    (20, 8)

    Notes
    -----
    About 10 µs for a deal and its swap: 18 123 840 deals in a minute and a half of processor time.
    """
    held = tuple(bag() if dice is None else dice)
    digest = hashlib.sha256(",".join(map(encode_die, held)).encode()).hexdigest()
    done, sums = _resumed(state, digest)
    tables = BagTables(held)
    count = len(tables.triples)
    if not _is_possible(done, sums, tables):
        raise InputError("checkpoint", Unquoted("sums that no census has"), _STATE)
    tasks = [range(s, min(s + _HANDS_A_TASK, count)) for s in range(done, count, _HANDS_A_TASK)]
    for task, part in zip(tasks, _tallies(held, tasks, run.workers), strict=True):
        sums.add(part)
        if save is not None:
            content = {"format": _FORMAT, "bag": digest, "hands": task.stop, "tally": asdict(sums)}
            save(json.dumps(content | {"sha256": _sum(content)}, indent=1) + "\n")
        run.tell("hands", task.stop, count)
    return _census(sums, held, is_complete=True)


def _resumed(state: str | None, digest: str) -> tuple[int, Tally]:
    """Hands done and their sums."""
    if state is None:
        return 0, Tally()
    try:
        content = json.loads(state)
        if content.pop("sha256") != _sum(content):
            raise InputError("checkpoint", Unquoted("a changed state of a census"), _STATE)
        if content["format"] == _FORMAT and content["bag"] == digest:
            return content["hands"], Tally(**content["tally"])
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, AttributeError) as problem:
        raise InputError("checkpoint", Unquoted("no state of a census"), _STATE) from problem
    raise InputError("checkpoint", Unquoted("the state of another census"), _STATE)


def _is_possible(done: Any, tally: Any, tables: BagTables) -> bool:
    """Whether the first hands, as many as were done, can have such sums."""
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
    """Sum that shows whether a saved state is as it was saved."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


_STATE = "what a census of the same bag has saved, or none"


def _tallies(held: tuple[Die, ...], tasks: list[range], workers: int) -> Iterator[Tally]:
    workers = natural(workers, "workers", least=1)
    if workers == 1:
        yield from map(partial(tally, PairValues(BagTables(held))), tasks)
        return
    with worker_pool(workers, start_worker, held) as pool:
        yield from pool.map(work, tasks)


_worker_values: PairValues


def start_worker(held: tuple[Die, ...]) -> None:
    """Build the tables of a process that shares the work."""
    global _worker_values  # one table a process, built once
    _worker_values = PairValues(BagTables(held))


def work(task: range) -> Tally:
    """Tally some hands, in a process that was started."""
    return tally(_worker_values, task)


def tally(values: PairValues, hands: Iterable[int]) -> Tally:
    """Count the deals of some hands against later ones, and the same deals swapped."""
    sums = Tally()
    for hand in hands:
        for other in values.tables.disjoint(hand).tolist():
            if other > hand:
                sums.count(values.value(hand, other), values.triples[hand], values.triples[other])
    return sums


def resumed_census(checkpoint: Path, run: Run = DEFAULT) -> CensusSums:
    """Solve every deal out of the game's bag, and lose at most the last seconds when killed."""
    check_writable(checkpoint)
    state = read_text(checkpoint) or None
    return census(state=state, save=seldom(partial(write_whole, checkpoint)), run=run)


def sample_census(
    count: int, seed: int, dice: Sequence[Die] | None = None, *, lists: bool = False
) -> CensusSums:
    """Solve deals drawn at random, each with the same chance and independently.

    Parameters
    ----------
    count
        How many.
    seed
        Of the random draw; the same seed draws the same deals.
    dice
        The bag; the game's own where it is None.
    lists
        Whether to list each deal with its value.

    Examples
    --------
    >>> sample_census(100, seed=1).pairs
    100

    Notes
    -----
    The table of pairs takes 0.2 s, a deal some 20 µs.
    """
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
    return CensusSums(
        mpq(0),
        tally.deals,
        tally.mixed,
        tally.even,
        mpq(tally.units, tally.deals * _UNITS),
        mpq(*tally.largest),
        (tuple(dice[:HAND_SIZE]), tuple(dice[HAND_SIZE:])),
        is_complete,
    )
