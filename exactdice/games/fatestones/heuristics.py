r"""Rules of thumb against a random player over the whole game, exactly.

A rule of thumb is a policy without lots: it gives each die of the hand a score, seeing the dice
left in both hands, and rolls the one with the greatest; of equal ones the first of the hand. What
it earns against a player who takes each die left with equal chance is a sum over all deals, as for
the best response (:mod:`~exactdice.games.fatestones.responses`), and so is its edge: nobody can
change the chance of a scratch against that player, hence

.. math:: V = A / (1 - S)

with A the mean of wins minus losses in a duel in which a scratch counts as neither, and S the
chance of a scratch.

Two rules are what a search would end with that models the opponent in a certain way and never errs:
the best response is the limit for an opponent who chooses at random, `seen` that for one who sees
the die before answering, as in a tree whose levels belong to the players in turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.responses import BagTables, Integers, bag_tables, scratch_share
from exactdice.games.fatestones.rules import Die, bag
from exactdice.run import DEFAULT, Run


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

    Raises TooLargeError if the common denominator would not fit 64 bits.

    >>> dice = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> rules_of_thumb(dice)[0].edge
    mpq(511,1612)

    All deals, 3 × 3 entries each, for each rule.
    """
    return list(_rules(bag() if dice is None else tuple(dice), run))


def _rules(dice: tuple[Die, ...], run: Run) -> Iterator[RuleOfThumb]:
    tables = bag_tables(dice)
    rolls = tables.table.rolls
    earned, seen = _with_two(tables)
    totals = dict.fromkeys(Heuristic, 0)
    for hand in range(len(tables.triples)):
        run.tell("hands", hand, len(tables.triples))
        others = tables.disjoint(hand)
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


def _with_two(tables: BagTables) -> tuple[dict[Heuristic, Integers], Integers]:
    """What every pair is worth against every pair.

    Under each rule against a player at random, over 2·rolls², and to a player whose every die is
    seen before it is answered, over rolls².
    """
    margins, rolls = tables.table.margins, tables.table.rolls
    own, faced = tables.pairs.T[:, :, None], tables.pairs.T[:, None, :]
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

    margin: Integers
    tie: Integers
    #: What the duel is worth after each of them to a player whose dice are seen.
    answered: Integers
    #: The die's margin against the whole bag, and its sum of squares.
    rank: Integers
    squares: Integers

    @staticmethod
    def of(
        tables: BagTables, die: Integers, faced: Integers, unit: int, after: Integers
    ) -> "_Meeting":
        """Look up a die against dice, of which each leads to `after` where they tie."""
        table = tables.table
        margin, tie = table.margins[die, faced], table.ties[die, faced]
        rank, squares = (
            np.broadcast_to(of_dice[die], margin.shape[1:])
            for of_dice in (table.margins.sum(axis=1), (np.array(table.dice) ** 2).sum(axis=1))
        )
        return _Meeting(margin, tie, margin * unit + tie * after, rank, squares)

    def score(self, rule: Heuristic) -> Integers:
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
        scores: Integers = score
        return scores


def _greatest(scores: Sequence[Integers]) -> Integers:
    """The number of the greatest score, of equal ones the first."""
    greatest: Integers = np.argmax(np.stack(scores), axis=0)
    return greatest
