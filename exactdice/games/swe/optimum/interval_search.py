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

**What rests on what.** That a policy earns the value is shown twice: here from the end of the game
backwards, and from its start forwards, modulo primes (`exactdice.games.swe.laws.residues`). That no
policy earns more rests on the exact comparisons, and where a creation or promotion was left out, on
the enclosures: on their roundings, on the bounds of the scores in reach, and on theorem 9, by which
the highest legacy die is fixed in them. Tests hold the moves left out against exact search over all
states, and the cross-check holds those of 50 rounds against another solver in intervals, which
compares every fix (`exactdice.jobs.crosscheck`). For 100 rounds that solver,
``exactdice.native.swe.solve(100, intervals=True, memory_limit=None)``, has found in 73 minutes,
with 5.5 GB of memory, an enclosure of the optimum 1.6·10⁻¹⁰ wide: so whatever may be wrong with a
move left out, no policy earns 10⁻¹⁰ more than the value.

The enclosure goes in levels (`exactdice.run`), and so does the search, whose first one is what
the enclosure leaves possible; then there is one for each weight.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq, mpz, natural
from exactdice.enclosure import Enclosure
from exactdice.games.swe.optimum.block import Exact, ScoreBounds, StateBlock, over_one_denominator
from exactdice.games.swe.optimum.envelope import Piece, best, line_at, value_at
from exactdice.games.swe.optimum.exact import successors
from exactdice.games.swe.rules import STANDARD, Dice, Ladder, empty_table, weight
from exactdice.native import swe_outlook
from exactdice.native.swe_outlook import MAX_ROUNDS
from exactdice.run import DEFAULT, Run, run_levels
from exactdice.symbolic.ehrhart import Simplex

#: What to do without legacy: from a score on, the dice that a creation or promotion makes.
Decision: TypeAlias = tuple[tuple[int, Dice], ...]

#: How wide an enclosure may be, as a part of the value, before bends are followed.
WIDEST = mpq(1, 10**9)


@dataclass(frozen=True)
class Searched:
    """The exact optimum from the empty table, and what it took."""

    rounds: int
    ladder: Ladder
    value: mpq  # the optimal expected final score
    enclosure: Enclosure  # what intervals say of it
    blocks: int  # blocks that were solved exactly
    blocks_in_all: int  # blocks of the game
    # certain, compared: numbers of rounds left, over those blocks, at which a single creation or
    # promotion stayed possible, and at which several were compared exactly
    certain: int
    compared: int
    # for each of those blocks the decision with 1, 2, … rounds left
    policy: Mapping[Dice, Sequence[Decision]]


def memory_estimate(rounds: int, ladder: Sequence[int]) -> int:
    """Estimate the bytes that the solution in intervals takes, from above.

    For each multiset of dice its places, and the moves that stay possible; the values of a few
    weights come on top. 80 rounds took 80 MB, and 220 bytes for each multiset.

    >>> memory_estimate(100, (4, 6, 8, 12, 20)) < 2**29
    True
    """
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    return 400 * Simplex(range(1, len(ladder) + 1), rounds).size


def enclose(rounds: int, ladder: Ladder = STANDARD, run: Run = DEFAULT) -> swe_outlook.Outlook:
    """Solve a game from the empty table in intervals.

    Values that turn on the score are enclosed between two lines first, and followed piece by piece
    only where that leaves the optimum open by more than `WIDEST` of itself.

    >>> mpq("20.483601957243238") in enclose(10).value
    True

    60 rounds take a second on one core, 80 take 6 s and 80 MB.
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
            kept=run.kept,
            name=_enclosure(rounds, ladder, bend),
        )

    outlook = solve(swe_outlook.ANY_BEND)
    return outlook if outlook.value.width <= WIDEST * outlook.value.lower else solve(0)


def _enclosure(rounds: int, ladder: Ladder, bend: int) -> str:
    """Name the computation of an enclosure, whose levels are written in the order of our bytes."""
    game = f"{rounds} rounds, ladder {ladder}, bends to {bend}"
    return f"swe enclosure, {game}, {sys.byteorder}-endian"


def optimum(
    rounds: int,
    ladder: Ladder = STANDARD,
    run: Run = DEFAULT,
    enclosed: swe_outlook.Outlook | None = None,
) -> Searched:
    """Find the exact optimum of a game from the empty table.

    30 rounds take 0.3 s on one core, 40 take 2 s, 50 take 6 s; from 40 rounds on most of the time
    goes into exact arithmetic.
    """
    rounds = natural(rounds, "rounds", least=1, most=MAX_ROUNDS)
    bounds = ScoreBounds.from_start(empty_table(ladder))

    def step(level: int, before: _Search | None) -> _Search:
        if before is None:
            return _follow(enclosed or enclose(rounds, ladder, run), rounds, len(ladder))
        return _solve_weight(rounds + 1 - level, before, rounds, ladder, bounds, run)

    search = run_levels(
        run.kept,
        f"swe optimum, {rounds} rounds, ladder {ladder}",
        rounds + 1,
        step,
        write=_written,
        read=_read,
    )
    if run.kept:
        for bend in (swe_outlook.ANY_BEND, 0):
            run.kept.forget(_enclosure(rounds, ladder, bend))
    first = search.afterstates[_first(len(ladder))][rounds - 1]
    value = mpq(value_at(first.envelope, 0), first.denominator)
    if value not in search.enclosure:
        raise AssertionError("the exact optimum lies outside its enclosure")
    moves = [len(after) for of_dice in search.possible.values() for after in of_dice]
    return Searched(
        rounds,
        ladder,
        value,
        search.enclosure,
        len(search.possible),
        search.blocks_in_all,
        sum(number == 1 for number in moves),
        sum(number > 1 for number in moves),
        search.policy(),
    )


def _first(rungs: int) -> Dice:
    """Return the dice after the first round: a creation is the only move on an empty table."""
    return (1,) + (0,) * (rungs - 1)


@dataclass(frozen=True)
class _Search:
    """What is known after a level."""

    # enclosure, blocks_in_all: of the whole game, by intervals
    enclosure: Enclosure
    blocks_in_all: int
    # for each multiset of dice that is met the dice after each possible move, with 1, 2, … rounds
    # left, one round less than there can be when the move is made that makes them
    possible: Mapping[Dice, Sequence[Sequence[Dice]]]
    # the values right after that move, for the dice of the last weight that was solved
    afterstates: Mapping[Dice, Sequence[Exact]]
    # the decisions where several moves were possible, by dice and rounds left
    compared: Mapping[tuple[Dice, int], Decision]

    def policy(self) -> dict[Dice, list[Decision]]:
        """Give every decision."""
        return {
            dice: [
                ((0, moves[0]),) if len(moves) == 1 else self.compared[dice, left]
                for left, moves in enumerate(of_dice, 1)
            ]
            for dice, of_dice in self.possible.items()
        }


def _follow(enclosed: swe_outlook.Outlook, rounds: int, rungs: int) -> _Search:
    """Follow the moves that may be optimal from the empty table."""
    most_left = {_first(rungs): rounds}
    possible: dict[Dice, list[list[Dice]]] = {}
    level = [_first(rungs)]
    while level:
        following: dict[Dice, int] = {}
        for dice in level:
            possible[dice] = _possible(enclosed, dice, most_left[dice] - 1)
            for left, moves in enumerate(possible[dice], 1):
                for after in moves:
                    following[after] = max(following.get(after, 0), left)
        most_left |= following
        level = sorted(following)
    return _Search(enclosed.value, enclosed.sizes.blocks, possible, {}, {})


def _possible(enclosed: swe_outlook.Outlook, dice: Dice, most: int) -> list[list[Dice]]:
    """List the dice after each move that may be optimal, with 1, 2, …, `most` rounds left."""
    masks = enclosed.possible(dice)[:most]
    rungs = [rung for rung, number in enumerate(dice[:-1]) if number]
    moves = list(zip([0, *(rung + 1 for rung in rungs)], successors(dice), strict=True))
    return [[after for number, after in moves if mask >> number & 1] for mask in masks]


def _solve_weight(
    level: int, before: _Search, rounds: int, ladder: Ladder, bounds: ScoreBounds, run: Run
) -> _Search:
    afterstates: dict[Dice, tuple[Exact, ...]] = {}
    compared = dict(before.compared)
    done = sum(weight(dice) > level for dice in before.possible)
    for dice in sorted(dice for dice in before.possible if weight(dice) == level):
        values = []
        for left, moves in enumerate(before.possible[dice], 1):
            value, decision = _all_revenue(dice, left, moves, before.afterstates, rounds, bounds)
            values.append(value)
            if len(moves) > 1:
                compared[dice, left] = decision
        afterstates[dice] = tuple(
            StateBlock(dice, ladder, values, rounds, bounds).afterstate_values()
        )
        done += 1
        run.tell("blocks", done, len(before.possible))
    return replace(before, afterstates=afterstates, compared=compared)


def _all_revenue(
    dice: Dice,
    left: int,
    moves: Sequence[Dice],
    afterstates: Mapping[Dice, Sequence[Exact]],
    rounds: int,
    bounds: ScoreBounds,
) -> tuple[Exact, Decision]:
    """Return the exact value without legacy, and at which scores it is which move's."""
    common, envelopes = over_one_denominator(afterstates[after][left - 1] for after in moves)
    upper = best(envelopes, *bounds.between(rounds - left, dice, sum(dice)))
    taken = [
        (
            piece.start,
            next(
                after
                for after, one in zip(moves, envelopes, strict=True)
                if line_at(one, piece.start)[1:] == piece[1:]
            ),
        )
        for piece in upper
    ]
    return Exact(common, upper), tuple(next(same) for _, same in groupby(taken, lambda one: one[1]))


def _written(search: _Search) -> bytes:
    content = {
        "enclosure": [str(search.enclosure.lower), str(search.enclosure.upper)],
        "blocks_in_all": search.blocks_in_all,
        "possible": list(search.possible.items()),
        "afterstates": [
            (dice, [(f"{d:x}", [(start, f"{A:x}", f"{B:x}") for start, A, B in e]) for d, e in of])
            for dice, of in search.afterstates.items()
        ],
        "compared": [(*key, decision) for key, decision in search.compared.items()],
    }
    return json.dumps(content).encode()


def _read(written: bytes) -> _Search:
    content: dict[str, Any] = json.loads(written)
    lower, upper = map(mpq, content["enclosure"])
    return _Search(
        Enclosure(lower, upper),
        content["blocks_in_all"],
        {
            tuple(dice): [[tuple(after) for after in moves] for moves in of]
            for dice, of in content["possible"]
        },
        {
            tuple(dice): tuple(
                Exact(
                    mpz(d, 16),
                    tuple(Piece(start, mpz(A, 16), mpz(B, 16)) for start, A, B in envelope),
                )
                for d, envelope in of
            )
            for dice, of in content["afterstates"]
        },
        {
            (tuple(dice), left): tuple((score, tuple(after)) for score, after in decision)
            for dice, left, decision in content["compared"]
        },
    )
