r"""One block: all splits of one multiset of dice, solved round by round.

Rolling and fixing turn revenue into legacy and back, but never change which dice there are. Only
creating and promoting do, and they are possible only in the one split without legacy. So the states
with the same dice form a *block*, and blocks touch one another in that split alone. Let *r* be the
number of rounds left before a round begins, and write, as functions of the score,

* :math:`W_r(k)`: the value before the player's move, in split *k*, with :math:`W_0(k; s) = s`;
* :math:`U_r(m)`: the value after the move and before the roll, with *m* the revenue dice to roll.

Then :math:`U_r = \text{roll}(W_{r-1})`, and :math:`W_r(k)` is the greatest :math:`U_r(k + e_i)`
over the legacy dice *i*; in the split without legacy it is the greatest :math:`U_r` of the splits
without legacy of the blocks that a creation or a promotion leads to.

Almost all of these functions are one line over the scores that play can reach, and are kept packed
(`exactdice.games.swe.optimum.packed`). The few that are not are kept as envelopes beside them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import NamedTuple

from exactdice.arithmetic import gcd, lcm, mpz
from exactdice.games.swe.optimum.envelope import Envelope, Piece, added, best, scaled
from exactdice.games.swe.optimum.packed import Box, PackedLines
from exactdice.games.swe.rules import Ladder, State, weight


class Exact(NamedTuple):
    """An envelope whose A and B are integers over a denominator."""

    denominator: mpz
    envelope: Envelope

    def reduced(self) -> "Exact":
        """Return the same in lowest terms.

        >>> Exact(mpz(6), (Piece(0, mpz(4), mpz(2)),)).reduced()
        Exact(denominator=mpz(3), envelope=(Piece(start=0, A=mpz(2), B=mpz(1)),))
        """
        common = gcd(self.denominator, *(number for piece in self.envelope for number in piece[1:]))
        if common == 1:
            return self
        pieces = (Piece(start, A // common, B // common) for start, A, B in self.envelope)
        return Exact(self.denominator // common, tuple(pieces))


def over_one_denominator(several: Iterable[Exact]) -> tuple[mpz, list[Envelope]]:
    """Bring envelopes to their least common denominator."""
    several = list(several)
    common = lcm(*(one.denominator for one in several))
    return common, [scaled(one.envelope, common // one.denominator) for one in several]


@dataclass(frozen=True)
class ScoreBounds:
    """Bounds for the scores that play can reach after some rounds from a start.

    Each round adds as many points as revenue dice survive it, and there is at most one more of them
    than in the round before. So whoever holds c of them has scored at least 1 + 2 + … + c since a
    catastrophe; without one, at least the part of it that the start did not hold yet. And each fix,
    but for those of legacy dice that the start held, needs a die in legacy the round before: the
    greatest score from an empty table is just this bound (theorem 26), and not all below it are
    reached.
    """

    # dice, legacy, weight, score: revenue dice, legacy dice, the weight of all of them, and the
    # score at the start
    dice: int
    legacy: int
    weight: int
    score: int

    @classmethod
    def from_start(cls, start: State) -> "ScoreBounds":
        """Take the dice and the score of a start."""
        return cls(sum(start.revenue), sum(start.legacy), weight(start.dice), start.score)

    def least(self, played: int, revenue: int) -> int:
        """Bound the score from below after `played` rounds, with this many revenue dice left."""
        if played == 0:
            return self.score
        climbed = revenue * (revenue + 1) // 2
        before = self.dice * (self.dice + 1) // 2
        return min(climbed, self.score + max(revenue, climbed - before))

    def greatest(self, played: int, dice: Sequence[int], revenue: int) -> int:
        """Bound the score from above; `dice` are all dice by rung, revenue and legacy together."""
        if played == 0:
            return self.score
        if revenue == 0:
            return 0
        number, gained = sum(dice), weight(dice) - self.weight
        rising = max(0, min(played - 1, number - self.dice))
        earlier = rising * self.dice + rising * (rising + 1) // 2 + (played - 1 - rising) * number
        failed = max(0, played - gained - self.legacy)  # before each fix, from some round on
        return max(self.score + earlier - failed + revenue, self.least(played, revenue))

    def between(self, played: int, dice: Sequence[int], revenue: int) -> tuple[int, int]:
        """Bound the score from both sides."""
        return self.least(played, revenue), self.greatest(played, dice, revenue)


class StateBlock:
    """All splits of some dice, with up to `len(all_revenue_values)` rounds left.

    `dice`: how many dice there are on each rung. `ladder`: their faces. `all_revenue_values`: the
    envelope of W in the split without legacy, with 1, 2, … rounds left. `rounds`: rounds of the
    whole game, which tell how many were played. `bounds`: the scores that can be reached.
    """

    def __init__(
        self,
        dice: Sequence[int],
        ladder: Ladder,
        all_revenue_values: Sequence[Exact],
        rounds: int,
        bounds: ScoreBounds,
    ) -> None:
        self.dice = tuple(dice)
        self.number = sum(dice)
        self.all_revenue_values = all_revenue_values
        self.rounds = rounds
        self.bounds = bounds
        self.growth = mpz(prod(mpz(f) ** n for f, n in zip(ladder, dice, strict=True)))
        denominators = [mpz(1)]
        for all_revenue in all_revenue_values:
            denominators.append(lcm(denominators[-1] * self.growth, all_revenue.denominator))
        self.denominators = denominators
        # No more than all dice survive a round, those that are yet to be made included, so no score
        # and nothing that is yet to be scored is above this; a round more for slots with rubbish.
        most = bounds.score + (rounds + 1) * (self.number + rounds) + 1
        bits = int((denominators[-1] * self.growth * most).bit_length()) + 1
        self.box = Box(self.dice, ladder, bits)

    def cell(self, revenue: Sequence[int]) -> int:
        """Return the cell of a split, given as numbers of revenue dice on each rung."""
        return self.box.cell([revenue[axis.rung] for axis in self.box.axes])

    def score_range(self, left: int, revenue: int) -> tuple[int, int]:
        """Return bounds of the scores before a move, with some rounds left and revenue dice."""
        return self.bounds.between(self.rounds - left, self.dice, revenue)

    def rolled_range(self, left: int, revenue: int) -> tuple[int, int]:
        """Return bounds of the scores after a move: it raises the revenue dice by 1 or by 0."""
        return self.score_range(left, max(0, revenue - 1))[0], self.score_range(left, revenue)[1]

    def backwards(self) -> "Iterator[BlockRound]":
        """Yield the rounds with 1, 2, …, len(all_revenue_values) left."""
        chosen, several_pieces = self._end()
        for left in range(1, len(self.all_revenue_values) + 1):
            rolled = self.box.roll(chosen)
            several_rolled = self._rolled_several(left, rolled, chosen, several_pieces)
            scale = self.denominators[left] // (self.denominators[left - 1] * self.growth)
            if scale != 1:
                rolled = PackedLines(rolled.A * scale, rolled.B * scale)
                several_rolled = {m: scaled(e, scale) for m, e in several_rolled.items()}
            chosen, several_pieces = self._chosen(left, rolled, several_rolled)
            yield BlockRound(
                self, left, self.denominators[left], rolled, several_rolled, chosen, several_pieces
            )

    def afterstate_values(self) -> list[Exact]:
        """Return U of the all-revenue state with 1, 2, … rounds left, one more than W was given."""
        all_revenue = self.box.cells - 1
        afterstates = []
        chosen, several_pieces = self._end()
        for now in self.backwards():
            afterstates.append(Exact(now.denominator, now.after_move(all_revenue)).reduced())
            chosen, several_pieces = now.chosen, now.several_chosen
        left = len(self.all_revenue_values) + 1
        line = self.box.roll_all(chosen)
        envelope = self._rolled_cell(left, all_revenue, line, chosen, several_pieces)
        afterstates.append(Exact(self.denominators[-1] * self.growth, envelope).reduced())
        return afterstates

    def _end(self) -> tuple[PackedLines, dict[int, Envelope]]:
        """Return W with no rounds left: the score itself."""
        return PackedLines(mpz(0), self.box.ones), {}

    def _rolled_several(
        self,
        left: int,
        rolled: PackedLines,
        chosen: PackedLines,
        several_pieces: dict[int, Envelope],
    ) -> dict[int, Envelope]:
        """Return U, as envelopes, of the splits from which a roll can lead to several pieces."""
        cells: set[int] = set()
        for cell in several_pieces:
            split = self.box.split(cell)
            above = (
                range(k, axis.number + 1) for k, axis in zip(split, self.box.axes, strict=True)
            )
            cells.update(self.box.cell(before) for before in product(*above))
        return {
            cell: self._rolled_cell(left, cell, self.box.line(rolled, cell), chosen, several_pieces)
            for cell in cells
        }

    def _rolled_cell(
        self,
        left: int,
        cell: int,
        line: tuple[mpz, mpz],
        chosen: PackedLines,
        several_pieces: dict[int, Envelope],
    ) -> Envelope:
        """Return U of one split: its packed line, which rolls first lines only, and the rest."""
        axes = self.box.axes
        before = self.box.split(cell)
        low, high = self.rolled_range(left, sum(before))
        parts: list[tuple[mpz, int, Sequence[Piece]]] = [(mpz(1), 0, [Piece(low, *line)])]
        for after, envelope in several_pieces.items():
            kept = self.box.split(after)
            if all(k <= m for k, m in zip(kept, before, strict=True)):
                counts = (
                    comb(m, k) * mpz(axis.faces - 1) ** k * mpz(axis.faces) ** (axis.number - m)
                    for m, k, axis in zip(before, kept, axes, strict=True)
                )
                ways = prod(counts, start=mpz(1))
                first = envelope[0]
                rest = [Piece(e.start, e.A - first.A, e.B - first.B) for e in envelope]
                parts.append((ways, sum(kept), rest))
        return added(parts, low, high)

    def _chosen(
        self, left: int, rolled: PackedLines, several_rolled: dict[int, Envelope]
    ) -> tuple[PackedLines, dict[int, Envelope]]:
        """Return W: the best fix in each split, and the all-revenue state."""
        box = self.box
        chosen, undecided = box.best_fix(rolled, self.score_range(left, self.number)[1])
        cells = set(box.marked(undecided))
        for cell in several_rolled:
            split = box.split(cell)
            cells.update(cell - axis.cells for k, axis in zip(split, box.axes, strict=True) if k)
        several_pieces = {}
        for cell in cells:
            envelope = self._best_fix_of(left, cell, rolled, several_rolled)
            chosen = box.with_line(chosen, cell, envelope[0].A, envelope[0].B)
            if len(envelope) > 1:
                several_pieces[cell] = envelope
        all_revenue = self.all_revenue_values[left - 1]
        envelope = scaled(all_revenue.envelope, self.denominators[left] // all_revenue.denominator)
        chosen = box.with_line(chosen, box.cells - 1, envelope[0].A, envelope[0].B)
        if len(envelope) > 1:
            several_pieces[box.cells - 1] = envelope
        return chosen, several_pieces

    def _best_fix_of(
        self, left: int, cell: int, rolled: PackedLines, several_rolled: dict[int, Envelope]
    ) -> Envelope:
        split = self.box.split(cell)
        low, high = self.score_range(left, sum(split))
        fixed = [
            cell + axis.cells
            for k, axis in zip(split, self.box.axes, strict=True)
            if k < axis.number
        ]
        envelopes = (
            several_rolled.get(after) or (Piece(low, *self.box.line(rolled, after)),)
            for after in reversed(fixed)
        )
        return best(envelopes, low, high)


@dataclass(frozen=True)
class BlockRound:
    """The values of a block with some rounds left, over one denominator."""

    block: StateBlock  # the block
    left: int  # rounds left
    denominator: mpz  # denominator of everything here
    # rolled, several_rolled: U: the packed lines, and the envelopes of the cells that are not
    # surely one line
    rolled: PackedLines
    several_rolled: dict[int, Envelope]
    # chosen, several_chosen: W: the same, before the move
    chosen: PackedLines
    several_chosen: dict[int, Envelope]

    def after_move(self, cell: int) -> Envelope:
        """Return U of a cell, over the scores with which play can reach it."""
        if cell in self.several_rolled:
            return self.several_rolled[cell]
        low, _ = self.block.rolled_range(self.left, sum(self.block.box.split(cell)))
        return (Piece(low, *self.block.box.line(self.rolled, cell)),)
