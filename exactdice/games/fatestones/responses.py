r"""Exact results against a random player over the whole game: best response and rules of thumb.

A random player chooses each die left with equal probability. The other player sees both hands, over
all deals of two hands of three dice out of one bag. A scratch starts the whole game again, so the
edge V, wins minus losses, is the fixed point of

.. math::

    V = \frac{1}{N} \sum_{(H, K)} \max_\pi \left( \alpha_\pi + \beta_\pi V \right),

over the N ordered pairs of disjoint hands and the policies π of one duel: α is wins minus losses,
β the probability of a scratch. In general the right side is piecewise linear in V. Here it is
linear, because **the probability of a scratch against a random player is the same for all
policies**: :math:`\beta = \frac{1}{3!} \sum_\sigma \prod_i t_{i\sigma(i)}` with the probabilities t
of ties, by theorem 16 (a) of `proofs/theorems/THEOREMS.md`. So the best response does not depend on
V, and with A and B the means of α and β over the deals, :math:`V = A / (1 - B)`, for every policy.

A rule of thumb is a deterministic policy: it gives each die of the hand a score, given the dice
left in both hands, and rolls the first die with the greatest score. The rule `seen` is optimal
against an opponent who sees the die before answering, as in a game tree with alternating moves.

All sums are integers over one denominator, checked beforehand to fit 64 bits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

import numpy as np

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.beats import Counts, PairTable, pair_table
from exactdice.games.fatestones.rules import HAND_SIZE, Die, bag
from exactdice.run import DEFAULT, Run


class BagTables:
    """Numbered hands of two and three dice of a bag of different dice.

    `table`: outcomes of every pair of dice. `pairs`, `triples`: the hands of two and of three dice,
    as rows of ascending numbers of dice. `rest[h, i]`: the pair left of triple h without its i-th
    die.
    """

    def __init__(self, dice: Sequence[Die]) -> None:
        if len(set(dice)) < max(len(dice), 2 * HAND_SIZE):
            raise InputError("dice", len(dice), "a bag of at least six different dice")
        self.table: PairTable = pair_table(dice)
        count = len(dice)
        self.pairs: Counts = np.array(list(combinations(range(count), 2)))
        self.triples: Counts = np.array(list(combinations(range(count), HAND_SIZE)))
        number: Counts = np.full((count, count), -1, dtype=np.int64)
        number[self.pairs[:, 0], self.pairs[:, 1]] = np.arange(len(self.pairs))
        a, b, c = self.triples.T
        self.rest: Counts = np.stack([number[b, c], number[a, c], number[a, b]], axis=1)
        self._holds = np.zeros((len(self.triples), count), dtype=bool)
        self._holds[np.arange(len(self.triples))[:, None], self.triples] = True

    @property
    def facing_pairs(self) -> tuple[Counts, Counts]:
        """The dice of row's pairs, down, and of column's, across."""
        return self.pairs.T[:, :, None], self.pairs.T[:, None, :]

    def meetings(self) -> Iterator[tuple[int, Counts]]:
        """Yield every triple with the triples disjoint from it."""
        for hand in range(len(self.triples)):
            yield hand, self.disjoint(hand)

    def disjoint(self, hand: int) -> Counts:
        """Return the numbers of the triples disjoint from triple `hand`, ascending."""
        shared = self._holds[:, self.triples[hand]].any(axis=1)
        return np.flatnonzero(~shared)

    @cached_property
    def deals(self) -> int:
        return len(self.triples) * comb(len(self.table.margins) - HAND_SIZE, HAND_SIZE)


@dataclass(frozen=True)
class BestResponse:
    """The best response to a random player, over all deals."""

    edge: mpq  # probability to win minus that to lose the whole game, scratches played again
    duel_value: mpq  # wins minus losses in one duel
    scratch: mpq  # probability that a duel is a scratch
    deals: int  # number of ordered pairs of hands


def best_response(dice: Sequence[Die] | None = None) -> BestResponse:
    """Return the exact best response to a random player in the whole game.

    * `dice`: the bag, of at least six different dice; the game's own by default.

    Raises InputError if the bag is too small or has a die twice. Raises TooLargeError if the common
    denominator does not fit 64 bits.

    >>> dice = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> best_response(dice).edge
    mpq(525,1612)

    All deals, 3 × 3 entries each: 3 s for the 18 123 840 deals of the game's own bag, then cached.
    """
    return _best_response(bag() if dice is None else tuple(dice))


@lru_cache(maxsize=8)
def _best_response(dice: tuple[Die, ...]) -> BestResponse:
    tables = bag_tables(dice)
    margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
    gains2 = _best_gains_of_two(tables)
    wins = margins[:, tables.triples].sum(axis=2) * (2 * rolls**2)  # of a die against a hand
    gains = 0
    for hand, others in tables.meetings():
        facing, rests = tables.triples[others], tables.rest[others]
        worth = [
            wins[die][others] + np.einsum("ij,ij->i", ties[die][facing], gains2[rest][rests])
            for die, rest in zip(tables.triples[hand], tables.rest[hand], strict=True)
        ]
        gains += int(np.maximum.reduce(worth).sum())
    duel_value = mpq(gains, 6 * rolls**3 * tables.deals)
    scratch = scratch_share(tables)
    return BestResponse(duel_value / (mpq(1) - scratch), duel_value, scratch, tables.deals)


@lru_cache(maxsize=8)
def bag_tables(dice: tuple[Die, ...]) -> BagTables:
    """Return the tables of a bag, if its sums fit 64 bits: at most 6·rolls³ for each deal."""
    tables = BagTables(dice)
    if 6 * tables.table.rolls**3 * tables.deals >= 2**63:
        raise TooLargeError(
            f"dice: {len(tables.table.dice)} dice of {len(tables.table.dice[0])} faces need "
            "integers of more than 64 bits"
        )
    return tables


def _best_gains_of_two(tables: BagTables) -> Counts:
    """Return the best wins minus losses of every pair against every pair, over 2·rolls²."""
    margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
    (a, b), (c, d) = tables.facing_pairs
    scaled = margins * rolls
    first = scaled[a, c] + ties[a, c] * margins[b, d] + scaled[a, d] + ties[a, d] * margins[b, c]
    second = scaled[b, c] + ties[b, c] * margins[a, d] + scaled[b, d] + ties[b, d] * margins[a, c]
    best: Counts = np.maximum(first, second)
    return best


@lru_cache(maxsize=8)
def scratch_share(tables: BagTables) -> mpq:
    """Return the probability of a scratch over all deals: the mean permanent of ties, over 3!."""
    ties, rolls = tables.table.ties, tables.table.rolls
    both = _ties_of_two(tables)
    ways = 0
    for hand, others in tables.meetings():
        others = others[others > hand]  # a deal and its mirror tie equally often
        # Expanded along the first die of the hand.
        tied = ties[tables.triples[hand, 0]][tables.triples[others]]
        ways += int((tied * both[tables.rest[hand, 0]][tables.rest[others]]).sum())
    return mpq(2 * ways, 6 * rolls**3 * tables.deals)


def _ties_of_two(tables: BagTables) -> Counts:
    ties = tables.table.ties
    (a, b), (c, d) = tables.facing_pairs
    permanents: Counts = ties[a, c] * ties[b, d] + ties[a, d] * ties[b, c]
    return permanents


@dataclass(frozen=True)
class RandomPlay:
    """Probabilities of one duel of two random players, over all deals."""

    win: mpq  # probability that row wins; column's is the same
    scratch: mpq
    tied: tuple[mpq, mpq, mpq]  # probability that the first roll, the first two, and all three tie

    @property
    def ties(self) -> mpq:
        return sum(self.tied, mpq(0))


def random_play(dice: Sequence[Die] | None = None) -> RandomPlay:
    """Return the probabilities of one duel of two random players, over all deals out of one bag.

    The dice of the three rolls are six different dice of the bag in random order. So the first r
    rolls tie with the mean, over ordered choices of 2r different dice, of the product of r
    probabilities of ties. 0.5 s for the game's own bag, then cached.
    """
    return _random_play(bag() if dice is None else tuple(dice))


@lru_cache(maxsize=8)
def _random_play(dice: tuple[Die, ...]) -> RandomPlay:
    tables = bag_tables(dice)
    ties, rolls = tables.table.ties, tables.table.rolls
    count = len(tables.table.dice)
    one = mpq(int(ties.sum() - ties.diagonal().sum()), rolls * count * (count - 1))
    (a, b), (c, d) = tables.facing_pairs
    apart = (a != c) & (a != d) & (b != c) & (b != d)
    two = mpq(int(_ties_of_two(tables)[apart].sum()), 2 * rolls**2 * int(apart.sum()))
    three = scratch_share(tables)
    return RandomPlay((mpq(1) - three) / mpq(2), three, (one, two, three))


class Heuristic(StrEnum):
    FIRST = "first-roll"
    RANK = "rank"
    CAUTIOUS = "cautious"
    SEEN = "seen"
    WIDE = "wide"
    NARROW = "narrow"


#: The scores in words.
MEANINGS = {
    Heuristic.FIRST: "margin of the next roll against a random die",
    Heuristic.RANK: "margin against all dice of the bag",
    Heuristic.CAUTIOUS: "margin of the next roll against the worst die",
    Heuristic.SEEN: "value of the duel if the opponent sees each die before answering",
    Heuristic.WIDE: "sum of the squares of the faces",
    Heuristic.NARROW: "minus the sum of the squares of the faces",
}


@dataclass(frozen=True)
class RuleOfThumb:
    """Result of a rule of thumb against a random player, as in `BestResponse`."""

    heuristic: Heuristic
    edge: mpq
    duel_value: mpq


def rules_of_thumb(dice: Sequence[Die] | None = None, run: Run = DEFAULT) -> list[RuleOfThumb]:
    """Return the result of each rule of thumb against a random player over all deals."""
    return list(_rules(bag() if dice is None else tuple(dice), run))


def _rules(dice: tuple[Die, ...], run: Run) -> Iterator[RuleOfThumb]:
    tables = bag_tables(dice)
    rolls = tables.table.rolls
    earned, seen = _with_two(tables)
    totals = dict.fromkeys(Heuristic, 0)
    for hand, others in tables.meetings():
        run.tell("hands", hand, len(tables.triples))
        left, deals = tables.rest[others].T, np.arange(len(others))
        met = [
            _Meeting.of(tables, die, tables.triples[others].T, rolls**2, seen[rest, left])
            for die, rest in zip(tables.triples[hand], tables.rest[hand], strict=True)
        ]
        gains = np.stack([die.margin.sum(axis=0) for die in met]) * (2 * rolls**2)
        tied = np.stack([die.tie for die in met])
        scored = [die.scores() for die in met]
        for rule in Heuristic:
            chosen = _greatest([scores[rule] for scores in scored])
            kept = earned[rule][tables.rest[hand, chosen], left]
            totals[rule] += int(gains[chosen, deals].sum())
            totals[rule] += int((tied[chosen, :, deals].T * kept).sum())
    decided = 1 - scratch_share(tables)
    for rule, total in totals.items():
        duel_value = mpq(total, 6 * rolls**3 * tables.deals)
        yield RuleOfThumb(rule, duel_value / decided, duel_value)


def _with_two(tables: BagTables) -> tuple[dict[Heuristic, Counts], Counts]:
    """Return the values of every pair against every pair.

    By each rule against a random player, over 2·rolls²; and of a player whose dice are seen before
    the answer, over rolls².
    """
    margins, rolls = tables.table.margins, tables.table.rolls
    own, faced = tables.facing_pairs
    met = [
        _Meeting.of(tables, own[first], faced, rolls, margins[own[1 - first], faced[::-1]])
        for first in (0, 1)
    ]
    worths = np.stack([die.answered.sum(axis=0) for die in met])
    first, second = (die.scores() for die in met)
    earned = {rule: np.choose(_greatest([first[rule], second[rule]]), worths) for rule in Heuristic}
    return earned, np.maximum.reduce([die.answered.min(axis=0) for die in met])


@dataclass(frozen=True)
class _Meeting:
    margin: Counts
    tie: Counts
    answered: Counts  # value after each of them for a player whose dice are seen
    rank: Counts  # margin against the whole bag
    squares: Counts

    @staticmethod
    def of(tables: BagTables, die: Counts, faced: Counts, unit: int, after: Counts) -> "_Meeting":
        """Look up a die against dice, with value `after` each tie."""
        table = tables.table
        margin, tie = table.margins[die, faced], table.ties[die, faced]
        rank, squares = (
            np.broadcast_to(of_dice[die], margin.shape[1:])
            for of_dice in (table.margins.sum(axis=1), (np.array(table.dice) ** 2).sum(axis=1))
        )
        return _Meeting(margin, tie, margin * unit + tie * after, rank, squares)

    def scores(self) -> dict[Heuristic, Counts]:
        return {
            Heuristic.FIRST: self.margin.sum(axis=0),
            Heuristic.RANK: self.rank,
            Heuristic.CAUTIOUS: self.margin.min(axis=0),
            Heuristic.SEEN: self.answered.min(axis=0),
            Heuristic.WIDE: self.squares,
            Heuristic.NARROW: -self.squares,
        }


def _greatest(scores: Sequence[Counts]) -> Counts:
    greatest: Counts = np.argmax(np.stack(scores), axis=0)
    return greatest
