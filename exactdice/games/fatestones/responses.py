r"""Play against a random player over the whole game, exactly: the best response, rules of thumb.

A random player takes each die left with equal chance. The other player sees both hands and answers
as well as possible, over all deals of two hands of three dice out of one bag. A scratch starts the
whole game again, so it is worth what the whole game is worth: the edge V, wins minus losses, is the
fixed point of

.. math::

    V = \frac{1}{N} \sum_{(H, K)} \max_\pi \left( \alpha_\pi + \beta_\pi V \right),

over the N ordered pairs of disjoint hands and the policies π of one duel: α is wins minus losses,
β the chance of a scratch. In general that is piecewise linear in V. Here it is linear, because
**nobody can change the chance of a scratch against a random player**: a duel is a scratch when all
three rolls tie; the random player's order is a uniformly random permutation whatever the other
does, so the dice that meet form a uniformly random matching of the two hands, and

.. math:: \beta = \frac{1}{3!} \sum_\sigma \prod_i t_{i\sigma(i)},

the mean over matchings of the product of the tie chances (a permanent). So what is best does not
depend on V, and with A and B the means of α and β over the deals, :math:`V = A / (1 - B)`, for the
best response as for any other policy.

A rule of thumb is a policy without lots: it gives each die of the hand a score, seeing the dice
left in both hands, and rolls the one with the greatest; of equal ones the first of the hand. Two
rules are what a search would end with that models the opponent in a certain way and never errs:
the best response is the limit for an opponent who chooses at random, `seen` that for one who sees
the die before answering, as in a tree whose levels belong to the players in turn.

All sums are integers over one denominator, in 64 bits that are checked beforehand to be enough.
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
    """Hands of two and three dice of a bag of different dice, by number, and their pairs.

    `dice`: the bag, in the order that numbers its dice. `table`: outcomes of every pair of dice.
    `pairs`, `triples`: the hands of two and of three dice, as rows of ascending numbers of dice.
    `rest`: rest[h, i]: which pair is left of triple h after its i-th die is rolled.
    """

    def __init__(self, dice: Sequence[Die]) -> None:
        if len(set(dice)) < max(len(dice), 2 * HAND_SIZE):
            raise InputError("dice", len(dice), "a bag of at least six dice, all different")
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
        """Yield every hand of three with the hands that it can meet."""
        for hand in range(len(self.triples)):
            yield hand, self.disjoint(hand)

    def disjoint(self, hand: int) -> Counts:
        """Numbers of the triples that share no die with triple `hand`, ascending."""
        shared = self._holds[:, self.triples[hand]].any(axis=1)
        return np.flatnonzero(~shared)

    @cached_property
    def deals(self) -> int:
        """Number of ordered pairs of disjoint triples."""
        return len(self.triples) * comb(len(self.table.margins) - HAND_SIZE, HAND_SIZE)


@dataclass(frozen=True)
class BestResponse:
    """The best response to a random player, over all deals."""

    edge: mpq  # chance to win minus chance to lose the whole game, scratches played again
    duel_value: mpq  # wins minus losses in one duel, a scratch counted as neither
    scratch: mpq  # the chance that a duel is a scratch
    deals: int  # number of ordered pairs of hands


def best_response(dice: Sequence[Die] | None = None) -> BestResponse:
    """Solve the whole game of a best response against a random player.

    Parameters
    ----------
    dice
        The bag, of different dice; the game's own where it is None.

    Raises
    ------
    InputError
        If the bag holds fewer than six dice or one twice.
    TooLargeError
        If the common denominator would not fit 64 bits.

    Examples
    --------
    >>> dice = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> best_response(dice).edge
    mpq(525,1612)

    Notes
    -----
    All deals, 3 × 3 entries each: 3 s for the 18 123 840 deals of the game's own bag, once.
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
    """Tables of a bag whose sums fit: a deal's sums stay within 6·rolls³."""
    tables = BagTables(dice)
    if 6 * tables.table.rolls**3 * tables.deals >= 2**63:
        raise TooLargeError(
            f"dice: {len(tables.table.dice)} dice of {len(tables.table.dice[0])} faces need "
            "integers of more than 64 bits; give fewer dice or fewer faces"
        )
    return tables


def _best_gains_of_two(tables: BagTables) -> Counts:
    """Best wins minus losses of every pair against every pair, over 2·rolls², disjoint or not."""
    margins, ties, rolls = tables.table.margins, tables.table.ties, tables.table.rolls
    (a, b), (c, d) = tables.facing_pairs
    scaled = margins * rolls
    first = scaled[a, c] + ties[a, c] * margins[b, d] + scaled[a, d] + ties[a, d] * margins[b, c]
    second = scaled[b, c] + ties[b, c] * margins[a, d] + scaled[b, d] + ties[b, d] * margins[a, c]
    best: Counts = np.maximum(first, second)
    return best


@lru_cache(maxsize=8)
def scratch_share(tables: BagTables) -> mpq:
    """Chance of a scratch over all deals: the mean permanent of the 3×3 ties, over 3!."""
    ties, rolls = tables.table.ties, tables.table.rolls
    both = _ties_of_two(tables)
    ways = 0
    for hand, others in tables.meetings():
        others = others[others > hand]  # a deal and its mirror tie alike
        # Expanded along the first die of the hand.
        tied = ties[tables.triples[hand, 0]][tables.triples[others]]
        ways += int((tied * both[tables.rest[hand, 0]][tables.rest[others]]).sum())
    return mpq(2 * ways, 6 * rolls**3 * tables.deals)


def _ties_of_two(tables: BagTables) -> Counts:
    """The permanent of the 2×2 ties of every pair against every pair."""
    ties = tables.table.ties
    (a, b), (c, d) = tables.facing_pairs
    permanents: Counts = ties[a, c] * ties[b, d] + ties[a, d] * ties[b, c]
    return permanents


@dataclass(frozen=True)
class RandomPlay:
    """What happens in one duel of two random players, over all deals."""

    win: mpq  # chance that row wins; column's is the same
    scratch: mpq  # chance of a scratch
    tied: tuple[mpq, mpq, mpq]  # chances that the first roll, the first two, and all three tie

    @property
    def ties(self) -> mpq:
        """Mean number of tied rolls, those of scratches included."""
        return sum(self.tied, mpq(0))


def random_play(dice: Sequence[Die] | None = None) -> RandomPlay:
    """Chances in one duel of two random players, over all deals out of one bag.

    The dice that meet in the first, second and third roll are six different dice of the bag in
    random order, so r rolls in a row tie with the mean, over ordered choices of 2r different dice,
    of the product of r tie chances.

    All deals, three products each: half a second for the game's own bag, once.
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
    """What a player looks at who rolls the die with the greatest score."""

    FIRST = "first-roll"
    RANK = "rank"
    CAUTIOUS = "cautious"
    SEEN = "seen"
    WIDE = "wide"
    NARROW = "narrow"

    @property
    def meaning(self) -> str:
        """The score, in words."""
        return _MEANINGS[self]


_MEANINGS = {
    Heuristic.FIRST: "margin of the coming roll against a die at random",
    Heuristic.RANK: "margin against all dice of the bag",
    Heuristic.CAUTIOUS: "margin of the coming roll against the worst die",
    Heuristic.SEEN: "worth of the duel if each die is seen before the answer",
    Heuristic.WIDE: "sum of the squares of the faces",
    Heuristic.NARROW: "the same, least",
}


@dataclass(frozen=True)
class RuleOfThumb:
    """What a rule of thumb earns against a random player."""

    heuristic: Heuristic  # the rule
    edge: mpq  # chance to win minus chance to lose the whole game, scratches played again
    duel_value: mpq  # wins minus losses in one duel, a scratch counted as neither


def rules_of_thumb(dice: Sequence[Die] | None = None, run: Run = DEFAULT) -> list[RuleOfThumb]:
    """Find what each rule of thumb earns against a random player over all deals.

    All deals, 3 × 3 entries each, for each rule.
    """
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
        for rule in Heuristic:
            chosen = _greatest([die.score(rule) for die in met])
            kept = earned[rule][tables.rest[hand, chosen], left]
            totals[rule] += int(gains[chosen, deals].sum())
            totals[rule] += int((tied[chosen, :, deals].T * kept).sum())
    decided = 1 - scratch_share(tables)
    for rule, total in totals.items():
        duel_value = mpq(total, 6 * rolls**3 * tables.deals)
        yield RuleOfThumb(rule, duel_value / decided, duel_value)


def _with_two(tables: BagTables) -> tuple[dict[Heuristic, Counts], Counts]:
    """What every pair is worth against every pair.

    Under each rule against a player at random, over 2·rolls², and to a player whose every die is
    seen before it is answered, over rolls².
    """
    margins, rolls = tables.table.margins, tables.table.rolls
    own, faced = tables.facing_pairs
    met = [
        _Meeting.of(tables, own[first], faced, rolls, margins[own[1 - first], faced[::-1]])
        for first in (0, 1)
    ]
    worths = np.stack([die.answered.sum(axis=0) for die in met])
    earned = {
        rule: np.choose(_greatest([die.score(rule) for die in met]), worths) for rule in Heuristic
    }
    return earned, np.maximum.reduce([die.answered.min(axis=0) for die in met])


@dataclass(frozen=True)
class _Meeting:
    """A die and the dice that it may meet, along the first axis."""

    margin: Counts
    tie: Counts
    #: What the duel is worth after each of them to a player whose dice are seen.
    answered: Counts
    #: The die's margin against the whole bag, and its sum of squares.
    rank: Counts
    squares: Counts

    @staticmethod
    def of(tables: BagTables, die: Counts, faced: Counts, unit: int, after: Counts) -> "_Meeting":
        """Look up a die against dice, of which each leads to `after` where they tie."""
        table = tables.table
        margin, tie = table.margins[die, faced], table.ties[die, faced]
        rank, squares = (
            np.broadcast_to(of_dice[die], margin.shape[1:])
            for of_dice in (table.margins.sum(axis=1), (np.array(table.dice) ** 2).sum(axis=1))
        )
        return _Meeting(margin, tie, margin * unit + tie * after, rank, squares)

    def score(self, rule: Heuristic) -> Counts:
        """Return what the rule looks at."""
        match rule:
            case Heuristic.FIRST:
                score = self.margin.sum(axis=0)
            case Heuristic.RANK:
                score = self.rank
            case Heuristic.CAUTIOUS:
                score = self.margin.min(axis=0)
            case Heuristic.SEEN:
                score = self.answered.min(axis=0)
            case Heuristic.WIDE:
                score = self.squares
            case Heuristic.NARROW:
                score = -self.squares
        scores: Counts = score
        return scores


def _greatest(scores: Sequence[Counts]) -> Counts:
    """The number of the greatest score, of equal ones the first."""
    greatest: Counts = np.argmax(np.stack(scores), axis=0)
    return greatest
