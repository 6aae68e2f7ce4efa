"""The software-engineering game's optimum, exactly, where intervals have searched first.

Exact search spends its time on blocks that optimal play never sees. Intervals solve all blocks in
little time (`exactdice.native.swe_outlook`), and say of every creation and promotion whether it is
*certainly* not optimal: its upper end lies below the lower end of another. What is left possible is
followed from the empty table, with as many rounds left as play can have there. Only the blocks that
are met are then solved in exact arithmetic, in descending weight; where more than one move stayed
possible they are compared exactly. The fix of every split is compared exactly in any case; the
intervals rest on the proof that the highest legacy die is the one to fix.

The value is exact and optimal: an action is only ever left out on the word of an enclosure, and the
enclosures are rigorous. The exact value must lie in the enclosure of the optimum, which is checked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import lcm, mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.games.swe.optimum.block import Block, Exact, ScoreBounds
from exactdice.games.swe.optimum.envelope import best, scaled, value_at
from exactdice.games.swe.optimum.exact import successors
from exactdice.games.swe.rules import STANDARD, Ladder, empty_table, weight
from exactdice.native import swe_outlook
from exactdice.native.swe import MAX_ROUNDS
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import Simplex

__all__ = ["WIDEST", "Searched", "enclose", "memory_estimate", "optimum"]

Dice: TypeAlias = tuple[int, ...]

#: How wide an enclosure may be, as a part of the value, before bends are followed.
WIDEST = mpq(1, 10**9)


@dataclass(frozen=True)
class Searched:
    """The exact optimum from the empty table, and what it took.

    Parameters
    ----------
    rounds, ladder
        The game.
    value
        The optimal expected final score.
    enclosure
        What intervals say of it.
    blocks
        Blocks that were solved exactly.
    blocks_in_all
        Blocks of the game.
    certain, compared
        Numbers of rounds left, over those blocks, at which a single creation or promotion stayed
        possible, and at which several were compared exactly.
    """

    rounds: int
    ladder: Ladder
    value: mpq
    enclosure: Enclosure
    blocks: int
    blocks_in_all: int
    certain: int
    compared: int

    def counts(self) -> dict[str, int]:
        """Return what it took, by name."""
        names = ("blocks", "blocks_in_all", "certain", "compared")
        return {name: getattr(self, name) for name in names}


def memory_estimate(rounds: int, ladder: Sequence[int]) -> int:
    """Estimate the bytes that the solution in intervals takes, from above.

    For each multiset of dice its places, and the moves that stay possible; the values of a few
    weights come on top. 80 rounds took 80 MB, and 220 bytes for each multiset.

    Examples
    --------
    >>> memory_estimate(100, (4, 6, 8, 12, 20)) < 2**29
    True
    """
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    return 400 * Simplex(range(1, len(ladder) + 1), rounds).size


def enclose(rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT) -> swe_outlook.Outlook:
    """Solve a game from the empty table in intervals.

    Values that turn on the score are enclosed between two lines first, and followed piece by piece
    only where that leaves the optimum open by more than `WIDEST` of itself.

    Parameters
    ----------
    rounds, ladder
        The game: 1 to 200 rounds, at most 8 rungs.
    run
        Memory; workers, which are threads; it hears of the thousandths that are done.

    Raises
    ------
    InputError
        If an argument is out of range.
    TooLargeError
        If it would need more memory than the limit.

    Examples
    --------
    >>> mpq("20.483601957243238") in enclose(10).value
    True

    Notes
    -----
    60 rounds take 4 s on one core, 70 take 10 s, and 80 take 26 s and 80 MB.
    """
    run.require(memory_estimate(rounds, ladder), f"the enclosure of {rounds} rounds")
    nothing = (0,) * len(ladder)

    def solve(bend: int) -> swe_outlook.Outlook:
        return swe_outlook.solve(
            rounds,
            ladder,
            nothing,
            nothing,
            bend=bend,
            threads=run.workers,
            memory_limit=run.memory,
            progress=lambda part: run.tell("thousandths", int(1000 * part), 1000),
        )

    found = solve(swe_outlook.ANY_BEND)
    return found if found.value.width <= WIDEST * found.value.lower else solve(0)


def optimum(
    rounds: int,
    ladder: Ladder = STANDARD,
    run: Run = DEFAULT,
    enclosed: swe_outlook.Outlook | None = None,
) -> Searched:
    """Find the exact optimum of a game from the empty table.

    Parameters
    ----------
    rounds
        Rounds, 1 to 200.
    ladder
        The dice.
    run
        Memory and workers of `enclose`; it hears of the blocks solved exactly.
    enclosed
        The same game in intervals; it is enclosed here unless given.

    Raises
    ------
    InputError
        If an argument is out of range.
    AssertionError
        If the exact value is not in its enclosure, which would be a mistake in this package.

    Examples
    --------
    >>> found = optimum(12)
    >>> found.value in found.enclosure, found.blocks, found.blocks_in_all
    (True, 22, 197)

    Notes
    -----
    30 rounds take 0.3 s on one core, 40 take 2 s, 50 take 6 s; from 40 rounds on most of the time
    goes into exact arithmetic.
    """
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    if enclosed is None:
        enclosed = enclose(rounds, ladder, run)
    possible, most_left = _follow(enclosed, rounds, len(ladder))
    order = sorted(most_left, key=lambda dice: (-weight(dice), dice))
    afterstates: dict[Dice, tuple[Exact, ...]] = {}
    bounds = ScoreBounds.from_start(empty_table(ladder))
    for done, dice in enumerate(order, 1):
        all_revenue_values = [
            _all_revenue(dice, left, possible[dice][left - 1], afterstates, rounds, bounds)
            for left in range(1, most_left[dice])
        ]
        afterstates[dice] = tuple(
            Block(dice, ladder, all_revenue_values, rounds, bounds).afterstate_values()
        )
        run.tell("blocks", done, len(order))
    first = afterstates[(1,) + (0,) * (len(ladder) - 1)][rounds - 1]
    value = mpq(value_at(first.envelope, 0), first.denominator)
    if value not in enclosed.value:
        raise AssertionError("the exact optimum lies outside its enclosure")
    moves = [len(after) for of_dice in possible.values() for after in of_dice]
    return Searched(
        rounds,
        ladder,
        value,
        enclosed.value,
        len(order),
        enclosed.sizes.blocks,
        sum(number == 1 for number in moves),
        sum(number > 1 for number in moves),
    )


def _follow(
    enclosed: swe_outlook.Outlook, rounds: int, rungs: int
) -> tuple[dict[Dice, list[list[Dice]]], dict[Dice, int]]:
    """Follow the moves that may be optimal from the empty table.

    Returns
    -------
    tuple
        For each multiset of dice the dice after each possible move, with 1, 2, … rounds left; and
        the most rounds that can be left when the move is made that makes these dice.
    """
    start = (0,) * rungs
    first = successors(start)[0]
    most_left = {first: rounds}
    possible: dict[Dice, list[list[Dice]]] = {}
    level = [first]
    while level:
        found: dict[Dice, int] = {}
        for dice in level:
            possible[dice] = _possible(enclosed, dice, most_left[dice] - 1)
            for left, moves in enumerate(possible[dice], 1):
                for after in moves:
                    found[after] = max(found.get(after, 0), left)
        most_left |= found
        level = sorted(found)
    return possible, most_left


def _possible(enclosed: swe_outlook.Outlook, dice: Dice, most: int) -> list[list[Dice]]:
    """List the dice after each move that may be optimal, with 1, 2, …, `most` rounds left."""
    masks = enclosed.possible(dice)[:most]
    rungs = [rung for rung, number in enumerate(dice[:-1]) if number]
    moves = list(zip([0, *(rung + 1 for rung in rungs)], successors(dice), strict=True))
    return [[after for number, after in moves if mask >> number & 1] for mask in masks]


def _all_revenue(
    dice: Dice,
    left: int,
    moves: list[Dice],
    afterstates: Mapping[Dice, tuple[Exact, ...]],
    rounds: int,
    bounds: ScoreBounds,
) -> Exact:
    """Return the exact value without legacy: the best of the moves that may be optimal."""
    several = [afterstates[after][left - 1] for after in moves]
    common = lcm(*(one.denominator for one in several))
    number = sum(dice)
    low, high = bounds.least(rounds - left, number), bounds.greatest(rounds - left, number, number)
    envelopes = (scaled(one.envelope, common // one.denominator) for one in several)
    return Exact(common, best(envelopes, low, high))
