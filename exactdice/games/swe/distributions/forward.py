r"""All games of a policy carried forward together, block by block.

Rolling and fixing never change the numbers T of all dice, revenue and legacy together; creations
and promotions do, and need a table without legacy. So the game moves through *blocks*, one for each
T, and leaves a block only from its *all-revenue state*. A creation or a promotion adds 1 to the
weight Σ (rung + 1)·Tᵢ. So the blocks run in ascending weight, and the policy decides only in
all-revenue states. An array contains the packed scores (`exactdice.games.swe.distributions`) of the
games in each split of a block. Repairs take the highest rung first, or the lowest if the policy
says so. A roll thins the revenue of one rung after another: Σ (Tᵢ + 1) products for a split.

`ExactWeights` are integers over one denominator for each block and round. `RoundedWeights` are
multiples of 2^−bits, rounded down at every step. All terms are nonnegative, so the results are
lower bounds, and the missing part of the total weight bounds every error.

Cost: for each block that is entered, (rounds − weight) × splits × Σ (Tᵢ + 1) products. Moments by
exact weights are linear in the entering weights, so each block is computed once for all random
policies, in twice as many products of shorter integers.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, lcm, prod
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from exactdice.arithmetic import mpq, mpz
from exactdice.errors import TooLargeError
from exactdice.games.swe.distributions import Moments, Scores
from exactdice.games.swe.distributions.players import PolicyMoment, Rand, Repairs, RulePolicy
from exactdice.games.swe.rules import Dice, Ladder, State, act, weight

#: Most sets of dice of an exact run; Rand makes 5326 of them over 30 rounds.
MAX_BLOCKS = 6000

Block = Any  # a numpy array of mpz, with one axis for each rung that has dice
Entries: TypeAlias = dict[int, mpz]  # packed scores by round


class AllRevenue(NamedTuple):
    """All dice revenue at the end of a round; round 0 is the empty table."""

    dice: Dice
    round: int


def carry_forward(
    policy: RulePolicy, rounds: int, ladder: Ladder, scores: Scores, weights: "Weights"
) -> mpz:
    final = mpz(0)
    level: dict[Dice, Entries] = {(0,) * len(ladder): {0: weights.one}}
    while level:
        following: dict[Dice, Entries] = defaultdict(lambda: defaultdict(mpz))
        for dice, entries in level.items():
            if not weights.keeps(sum(map(scores.wipe, entries.values()), mpz(0))):
                continue
            lowest = policy.repairs is Repairs.LOWEST
            # All policies Rand(p) share their blocks; others hardly do.
            is_common = isinstance(policy, Rand) and isinstance(scores, Moments) and any(dice)
            if is_common and isinstance(weights, ExactWeights):
                rows = _run_by_stays(dice, entries, rounds, scores, weights, lowest=lowest)
            else:
                rows = _run_block(dice, entries, rounds, scores, weights, lowest=lowest)
            for round_, finished, rest in rows:
                if round_ == rounds:
                    final += weights.close(finished + rest.sum(), dice)
                elif finished:
                    all_revenue = AllRevenue(dice, round_)
                    for low, high, after, chance in moves(policy, all_revenue, rounds, ladder):
                        if part := scores.between(finished, low, high):
                            entering = weights.enter(part, chance, all_revenue, after)
                            following[after][round_ + 1] += entering
        level = following
    return final


def moves(
    policy: RulePolicy, all_revenue: AllRevenue, rounds: int, ladder: Ladder
) -> Iterator[tuple[int, int | None, Dice, mpq]]:
    """Yield the decisions in an all-revenue state: scores low up to high, new dice, probability."""
    turn = PolicyMoment(all_revenue.round + 1, rounds, ladder)
    none = (0,) * len(ladder)
    lows = (0, *policy.changes_at(all_revenue.dice, turn))
    for low, high in zip(lows, (*lows[1:], None), strict=True):
        for action, chance in policy.improvements(all_revenue.dice, turn, low).items():
            yield low, high, act(State(all_revenue.dice, none, low), action).revenue, chance


def _run_block(
    dice: Dice, entries: Entries, rounds: int, scores: Scores, weights: "Weights", lowest: bool
) -> Iterator[tuple[int, mpz, Block]]:
    shape = tuple(number + 1 for number in dice if number)
    if not shape:  # no roll on the empty table
        yield 0, entries[0], np.full(1, mpz(0), dtype=object)
        return
    all_revenue = (-1,) * len(shape)
    survivors = np.indices(shape).sum(axis=0).astype(object)
    block = np.full(shape, mpz(0), dtype=object)
    for round_ in range(min(entries), rounds + 1):
        block = repaired(weights.carry(block, dice, round_), len(shape), lowest=lowest)
        block[all_revenue] += entries.get(round_, 0)
        block = _scored(weights.roll(block, dice), survivors, scores)
        finished = block[all_revenue]
        block[all_revenue] = mpz(0)
        yield round_, finished, block


def _run_by_stays(
    dice: Dice, entries: Entries, rounds: int, scores: Any, weights: "ExactWeights", lowest: bool
) -> Iterator[tuple[int, mpz, Block]]:
    """Yield the same as `_run_block`, from the moments of stays of all lengths."""
    stays = _stays(dice, weights.ladder, rounds - weight(dice) + 1, lowest=lowest)
    growth = prod(mpz(faces) ** number for number, faces in pools(dice, weights.ladder))
    for round_ in range(min(entries), rounds + 1):
        finished = rest = mpz(0)
        for entered, packed in entries.items():
            if entered <= round_:
                leaving, staying = stays[round_ - entered]
                held = weights.before[dice][entered] * growth ** (round_ - entered + 1)
                packed = packed * (weights.after[dice][round_] // held)
                finished += scores.after(packed, *leaving)
                if round_ == rounds:
                    rest += scores.after(packed, *staying)
        yield round_, finished, np.full(1, rest, dtype=object)


@lru_cache(maxsize=1 << 14)
def _stays(dice: Dice, ladder: Ladder, rounds: int, *, lowest: bool) -> list[tuple[Any, Any]]:
    """Moments of stays of 1, 2, … rounds in a block, over ∏ faces^dice for each round."""
    counted = pools(dice, ladder)
    bits = rounds * sum(number * faces.bit_length() for number, faces in counted)
    scores = Moments(bits + 2 * (rounds * sum(dice)).bit_length())
    shape = tuple(number + 1 for number, _ in counted)
    survivors = np.indices(shape).sum(axis=0).astype(object)[..., np.newaxis]
    block: Block = np.full((*shape, 2), mpz(0), dtype=object)
    all_revenue, stays = (-1,) * len(shape), []
    block[all_revenue] = mpz(1), mpz(0)
    for _ in range(rounds):
        for axis, (number, faces) in enumerate(counted):
            block = thinned(block, survival(number, faces), axis)
        block = scores.gain(block, survivors)
        block.reshape(-1, 2)[0] = mpz(0), scores.wipe(block.flat[0] + block.flat[1])
        leaving = [scores.sums(packed) for packed in block[all_revenue]]
        block[all_revenue] = mpz(0), mpz(0)
        staying = [scores.sums(packed) for packed in block.reshape(-1, 2).sum(axis=0)]
        stays.append((leaving, staying))
        block = repaired(block, len(shape), lowest=lowest)
    return stays


def repaired(block: Block, rungs: int, *, lowest: bool) -> Block:
    """Fix one die in every split; the first axes are the rungs. No game may be all revenue."""
    after = np.full(block.shape, mpz(0), dtype=object)
    for axis in range(rungs):
        # The rungs that are fixed before this one have no legacy dice.
        before: tuple[Any, ...] = ((-1 if lowest else slice(None)),) * axis
        behind: tuple[Any, ...] = ((slice(None) if lowest else -1),) * (rungs - axis - 1)
        after[(*before, slice(1, None), *behind)] += block[(*before, slice(0, -1), *behind)]
    return after


def _scored(block: Block, survivors: Block, scores: Scores) -> Block:
    after: Block = scores.gain(block, survivors)
    after.flat[0] = scores.wipe(block.flat[0])
    return after


def thinned(block: Block, matrix: Block, axis: int) -> Block:
    rows = block.reshape(prod(block.shape[:axis]), block.shape[axis], -1)
    return np.matmul(matrix, rows).reshape(block.shape)


def pools(dice: Dice, ladder: Ladder) -> list[tuple[int, int]]:
    return [(number, faces) for number, faces in zip(dice, ladder, strict=True) if number]


@cache
def survival(number: int, faces: int) -> Block:
    """Weights over faces^number for k (row) of n (column) dice to survive a roll."""
    matrix = np.full((number + 1, number + 1), mpz(0), dtype=object)
    for n in range(number + 1):
        for k in range(n + 1):
            matrix[k, n] = comb(n, k) * mpz(faces - 1) ** k * mpz(faces) ** (number - n)
    return matrix


@dataclass(frozen=True)
class ExactWeights:
    """Integers over a denominator that is planned for each block and round."""

    one: ClassVar = mpz(1)

    ladder: Ladder
    before: dict[Dice, dict[int, int]]  # denominators before the roll of a round
    after: dict[Dice, dict[int, int]]  # and after it
    final: int  # common denominator at the end

    @classmethod
    def plan(
        cls, policy: RulePolicy, rounds: int, ladder: Ladder, most: int = MAX_BLOCKS
    ) -> "ExactWeights":
        """Walk through all blocks that a policy can enter and find the denominators."""
        before: dict[Dice, dict[int, int]] = {}
        after: dict[Dice, dict[int, int]] = {}
        final = 1
        level: dict[Dice, dict[int, int]] = {(0,) * len(ladder): {0: 1}}
        while level:
            following: dict[Dice, dict[int, int]] = defaultdict(dict)
            if len(after) + len(level) > most:
                raise TooLargeError(
                    f"{policy.name} over {rounds} rounds makes more than {most} different sets of "
                    "dice, too many for an exact run; use fewer rounds, or an enclosure"
                )
            for dice, entering in level.items():
                growth = prod(faces**number for faces, number in zip(ladder, dice, strict=True))
                before[dice], after[dice] = {}, {}
                current = 1
                for round_ in range(min(entering), rounds + 1 if any(dice) else 1):
                    current = before[dice][round_] = lcm(current, entering.get(round_, 1))
                    current = after[dice][round_] = current * growth
                    if round_ < rounds:
                        all_revenue = AllRevenue(dice, round_)
                        for _, _, new, chance in moves(policy, all_revenue, rounds, ladder):
                            known = following[new].get(round_ + 1, 1)
                            needed = current * int(chance.denominator)
                            following[new][round_ + 1] = lcm(known, needed)
                final = lcm(final, current) if round_ == rounds else final
            level = following
        return cls(ladder, before, after, final)

    def enter(self, packed: mpz, chance: mpq, all_revenue: AllRevenue, after: Dice) -> mpz:
        held = self.after[all_revenue.dice][all_revenue.round] * chance.denominator
        return packed * (chance.numerator * (self.before[after][all_revenue.round + 1] // held))

    def carry(self, block: Block, dice: Dice, round_: int) -> Block:
        held = self.after[dice].get(round_ - 1, 1)
        factor = self.before[dice][round_] // held
        return block if factor == 1 else block * mpz(factor)

    def roll(self, block: Block, dice: Dice) -> Block:
        for axis, (number, faces) in enumerate(pools(dice, self.ladder)):
            block = thinned(block, survival(number, faces), axis)
        return block

    def close(self, packed: mpz, dice: Dice) -> mpz:
        last = max(self.after[dice])
        return packed * (self.final // self.after[dice][last])

    def keeps(self, total: mpz) -> bool:
        return bool(total)


class RoundedWeights:
    """Multiples of 2^−bits, rounded down; probabilities are multiples of 2^−grain.

    Blocks with a total weight below 2^−least are left out, and so are all blocks after
    `most_products` products. `slots`: number of possible scores.
    """

    spare = 32  # bits of the denominator of a roll before it is divided out

    def __init__(self, ladder: Ladder, *, bits: int, grain: int, least: int, slots: int) -> None:
        self.most_products: int | None = None
        self.one = mpz(1) << bits
        self.ladder, self.bits, self.grain = ladder, bits, grain
        self.least = mpz(1) << (bits - least)
        self.width = bits + grain + self.spare + 2
        every_slot = ((mpz(1) << (self.width * slots)) - 1) // ((mpz(1) << self.width) - 1)
        # A weight takes at most bits + 1 bits; a shift fills the rest of its slot with rubbish.
        self.mask = every_slot * ((mpz(1) << (bits + 1)) - 1)
        self.products = 0

    def enter(self, packed: mpz, chance: mpq, all_revenue: AllRevenue, after: Dice) -> mpz:
        return packed if chance == 1 else self._times(packed, chance.numerator, chance.denominator)

    def carry(self, block: Block, dice: Dice, round_: int) -> Block:
        return block

    def roll(self, block: Block, dice: Dice) -> Block:
        """Multiply, and round down as rarely as the slots permit."""
        self.products += block.size * sum(number + 1 for number in dice if number)
        held = mpz(1)
        for axis, (number, faces) in enumerate(pools(dice, self.ladder)):
            growth = mpz(faces) ** number
            if (held * growth).bit_length() > self.spare:
                block, held = self._times(block, mpz(1), held), mpz(1)
            if growth.bit_length() > self.spare:
                chances = (survival(number, faces) << self.grain) // growth  # rounded down
                block = thinned(block, chances, axis)
                block = (block >> self.grain) & self.mask
            else:
                block, held = thinned(block, survival(number, faces), axis), held * growth
        return self._times(block, mpz(1), held)

    def close(self, packed: mpz, dice: Dice) -> mpz:
        return packed

    def keeps(self, total: mpz) -> bool:
        exhausted = self.most_products is not None and self.products > self.most_products
        return bool(total >= self.least) and not exhausted

    def _times(self, packed: Any, numerator: mpz, denominator: mpz) -> Any:
        """Multiply every slot by a fraction of at most 1 and round down."""
        if numerator == denominator:
            return packed
        # Count the grain from the first bit of 1/denominator, if the slots have room for it.
        shift = self.grain + min(self.spare, denominator.bit_length() - 1)
        return ((packed * ((numerator << shift) // denominator)) >> shift) & self.mask


Weights: TypeAlias = ExactWeights | RoundedWeights
