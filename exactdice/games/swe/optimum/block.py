r"""One block: all splits of one multiset of dice, solved round by round.

Rolling and fixing never change which dice there are; creating and promoting do, and need a table
without legacy. So the states with the same dice form a *block*. With *r* rounds left and a function
of the score in each split,

* :math:`W_r(k)` is the value before the player's move, in split *k*, with :math:`W_0(k; s) = s`;
* :math:`U_r(m)` is the value before the roll of *m* revenue dice.

Then :math:`U_r = \text{roll}(W_{r-1})`, and :math:`W_r(k)` is the maximum of :math:`U_r(k + e_i)`
over the legacy dice *i*; in the split without legacy it is the maximum of :math:`U_r` over the
blocks after a creation or a promotion, without legacy.

Almost all of these functions are one line :math:`A + B·s` over the reachable scores. The *A* of all
splits are packed into one big integer, and so are the *B*; functions with several pieces are
envelopes. The splits :math:`0 ≤ k_i ≤ T_i` of :math:`T_i` dice on rung *i* form a box of
:math:`\prod (T_i + 1)` cells, each with a slot of the same number of bits, rung 0 innermost.

**Rolling** :math:`m_i` dice with :math:`f_i` faces is the operator
:math:`(1 + (f_i - 1)E_i)^{m_i}` over :math:`f_i^{m_i}`, read at the cell :math:`k_i = 0`, where
:math:`E_i` steps to the cell with one more revenue die. Each surviving die adds *B* to *A*. Slots
that a shift fills with a cell of another row contain rubbish and are never read.

**Fixing** steps to the split with one more revenue die. A line that is above another at both ends
of a range of scores is above it throughout. The caller decides the other cells.

No slot overflows if *A* plus *B* times the greatest score stays below half a slot.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import bit_scan1, gcd, lcm, mpz
from exactdice.games.swe.optimum.envelope import Envelope, Piece, added, best, scaled
from exactdice.games.swe.rules import Dice, Ladder, State, weight

Envelopes: TypeAlias = dict[int, Envelope]  # of cells with several pieces


class PackedLines(NamedTuple):
    A: mpz
    B: mpz


@dataclass(frozen=True)
class Axis:
    rung: int
    number: int  # of dice
    faces: int
    cells: int  # distance between neighbours in this direction
    stride: int  # the same in bits
    bottom: mpz  # mask of the cells without a revenue die on this rung
    liftable: mpz  # mask of the cells with a legacy die on this rung


class Box:
    """The box of all splits of the dice on each rung of a ladder, with slots of some bits."""

    def __init__(self, dice: Sequence[int], ladder: Sequence[int], bits: int) -> None:
        self.bits = bits
        self.slot = (mpz(1) << bits) - 1
        self.cells = prod(number + 1 for number in dice)
        self.axes: list[Axis] = []
        cells = 1
        for rung, (number, faces) in enumerate(zip(dice, ladder, strict=True)):
            if number:
                stride, rows = cells * bits, self.cells // (cells * (number + 1))
                bottom, liftable = (
                    _repeated((mpz(1) << width) - 1, rows, stride * (number + 1))
                    for width in (stride, stride * number)
                )
                self.axes.append(Axis(rung, number, faces, cells, stride, bottom, liftable))
                cells *= number + 1
        self.ones = _repeated(mpz(1), cells, bits)
        self._guards = self.ones << (bits - 1)

    def split(self, cell: int) -> tuple[int, ...]:
        return tuple(cell // axis.cells % (axis.number + 1) for axis in self.axes)

    def cell(self, split: Sequence[int]) -> int:
        return sum(number * axis.cells for number, axis in zip(split, self.axes, strict=True))

    def line(self, lines: PackedLines, cell: int) -> tuple[mpz, mpz]:
        at = cell * self.bits
        return (lines.A >> at) & self.slot, (lines.B >> at) & self.slot

    def with_line(self, lines: PackedLines, cell: int, A: mpz, B: mpz) -> PackedLines:
        old = self.line(lines, cell)
        at = cell * self.bits
        return PackedLines(lines.A + ((A - old[0]) << at), lines.B + ((B - old[1]) << at))

    def roll(self, after: PackedLines) -> PackedLines:
        """Return the lines before the roll, times ∏ faces^number; if all fail, B of cell 0 is 0."""
        A, B = after.A, after.B - (after.B & self.slot)
        for axis in self.axes:
            survive, bottom = axis.faces - 1, axis.bottom
            scale = mpz(axis.faces) ** axis.number
            rolled_A, rolled_B = (A & bottom) * scale, (B & bottom) * scale
            for number in range(1, axis.number + 1):
                above = B >> axis.stride
                A += survive * ((A >> axis.stride) + above)
                B += survive * above
                scale //= axis.faces
                rolled_A += ((A & bottom) * scale) << (number * axis.stride)
                rolled_B += ((B & bottom) * scale) << (number * axis.stride)
            A, B = rolled_A, rolled_B
        return PackedLines(A, B)

    def roll_all(self, after: PackedLines) -> tuple[mpz, mpz]:
        A, B = after.A, after.B - (after.B & self.slot)
        for axis in reversed(self.axes):
            survive = axis.faces - 1
            for _ in range(axis.number):
                above = B >> axis.stride
                A += survive * ((A >> axis.stride) + above)
                B += survive * above
            row = (mpz(1) << axis.stride) - 1
            A, B = A & row, B & row
        return A, B

    def best_fix(self, rolled: PackedLines, highest_score: int) -> tuple[PackedLines, mpz]:
        """Return the lines of the best fix in each cell, and flags of the undecided cells."""
        best_A, best_B = mpz(0), mpz(0)
        best_end = mpz(0)
        undecided = mpz(0)
        for axis in self.axes:
            A = (rolled.A >> axis.stride) & axis.liftable
            B = (rolled.B >> axis.stride) & axis.liftable
            end = A + highest_score * B
            if not best_A:
                best_A, best_B, best_end = A, B, end
                continue
            at_zero, at_end = self._at_least(A, best_A), self._at_least(end, best_end)
            undecided |= at_zero ^ at_end
            replaced = at_zero & at_end
            mask = (replaced << self.bits) - replaced
            best_A ^= (best_A ^ A) & mask
            best_B ^= (best_B ^ B) & mask
            best_end ^= (best_end ^ end) & mask
        return PackedLines(best_A, best_B), undecided

    def before_fix(self, cells: Iterable[int]) -> set[int]:
        splits = ((cell, self.split(cell)) for cell in cells)
        return {c - a.cells for c, s in splits for k, a in zip(s, self.axes, strict=True) if k}

    def highest_fix(self, rolled: PackedLines) -> PackedLines:
        """Return the lines of fixing the highest rung in each cell."""
        A, B = mpz(0), mpz(0)
        for axis in self.axes:
            A ^= (A ^ (rolled.A >> axis.stride)) & axis.liftable
            B ^= (B ^ (rolled.B >> axis.stride)) & axis.liftable
        return PackedLines(A, B)

    def differing(self, first: PackedLines, second: PackedLines) -> list[int]:
        return self.marked((first.A ^ second.A) | (first.B ^ second.B))

    def _at_least(self, first: mpz, second: mpz) -> mpz:
        return (((first | self._guards) - second) >> (self.bits - 1)) & self.ones

    def marked(self, flags: mpz) -> list[int]:
        cells: list[int] = []
        at = bit_scan1(flags)
        while at is not None:
            cells.append(at // self.bits)
            at = bit_scan1(flags, (cells[-1] + 1) * self.bits)
        return cells


def _repeated(pattern: mpz, times: int, step: int) -> mpz:
    return pattern * (((mpz(1) << (times * step)) - 1) // ((mpz(1) << step) - 1))


class Exact(NamedTuple):
    """An envelope with integers A and B over a denominator."""

    denominator: mpz
    envelope: Envelope

    def reduced(self) -> "Exact":
        """Return it in lowest terms."""
        common = gcd(self.denominator, *(number for piece in self.envelope for number in piece[1:]))
        if common == 1:
            return self
        pieces = (Piece(start, A // common, B // common) for start, A, B in self.envelope)
        return Exact(self.denominator // common, tuple(pieces))


def over_one_denominator(several: Iterable[Exact]) -> tuple[mpz, list[Envelope]]:
    several = list(several)
    common = lcm(*(one.denominator for one in several))
    return common, [scaled(one.envelope, common // one.denominator) for one in several]


@dataclass(frozen=True)
class ScoreBounds:
    """Bounds of the reachable scores after some rounds from a start.

    Each round adds as many points as revenue dice survive it, at most one more than in the round
    before. So a player with c of them has scored at least 1 + 2 + … + c since a catastrophe or,
    without one, at least the part after the start. And each fix, except of the legacy dice of the
    start, needs a failure in the round before. From an empty table the upper bound is attained
    (theorem 26); not all scores below it are reachable.
    """

    dice: int  # revenue dice at the start
    legacy: int  # legacy dice at the start
    weight: int  # of all dice at the start
    score: int  # at the start

    @classmethod
    def from_start(cls, start: State) -> "ScoreBounds":
        return cls(sum(start.revenue), sum(start.legacy), weight(start.dice), start.score)

    def least(self, played: int, revenue: int) -> int:
        """Bound the score from below after `played` rounds, by the number of revenue dice."""
        if played == 0:
            return self.score
        climbed = revenue * (revenue + 1) // 2
        before = self.dice * (self.dice + 1) // 2
        return min(climbed, self.score + max(revenue, climbed - before))

    def greatest(self, played: int, dice: Sequence[int], revenue: int) -> int:
        """Bound the score from above; `dice` are all dice, revenue and legacy."""
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
        return self.least(played, revenue), self.greatest(played, dice, revenue)


class StateBlock:
    """All splits of some dice.

    `values`: W in the split without legacy, with 1, 2, … rounds left. `rounds`: rounds of the game.
    `bounds`: the reachable scores.
    """

    def __init__(
        self, dice: Dice, ladder: Ladder, values: Sequence[Exact], rounds: int, bounds: ScoreBounds
    ) -> None:
        self.dice = dice
        self.number = sum(dice)
        self.all_revenue_values = values
        self.rounds = rounds
        self.bounds = bounds
        self.growth = mpz(prod(mpz(f) ** n for f, n in zip(ladder, dice, strict=True)))
        denominators = [mpz(1)]
        for all_revenue in values:
            denominators.append(lcm(denominators[-1] * self.growth, all_revenue.denominator))
        self.denominators = denominators
        # A bound of all points, made by all dice, also later ones; a round more for rubbish.
        most = bounds.score + (rounds + 1) * (self.number + rounds) + 1
        bits = int((denominators[-1] * self.growth * most).bit_length()) + 1
        self.box = Box(self.dice, ladder, bits)

    def cell(self, revenue: Sequence[int]) -> int:
        return self.box.cell([revenue[axis.rung] for axis in self.box.axes])

    def score_range(self, left: int, revenue: int) -> tuple[int, int]:
        return self.bounds.between(self.rounds - left, self.dice, revenue)

    def rolled_range(self, left: int, revenue: int) -> tuple[int, int]:
        return self.score_range(left, max(0, revenue - 1))[0], self.score_range(left, revenue)[1]

    def backwards(self) -> "Iterator[BlockRound]":
        """Yield the rounds with 1, 2, …, len(all_revenue_values) left."""
        chosen = PackedLines(mpz(0), self.box.ones)  # with no rounds left, the score itself
        bent: Envelopes = {}
        for left in range(1, len(self.all_revenue_values) + 1):
            rolled = self.box.roll(chosen)
            several_rolled = self._rolled_several(left, rolled, chosen, bent)
            denominator = self.denominators[left]
            scale = denominator // (self.denominators[left - 1] * self.growth)
            if scale != 1:
                rolled = PackedLines(rolled.A * scale, rolled.B * scale)
                several_rolled = {m: scaled(e, scale) for m, e in several_rolled.items()}
            chosen, bent = self._chosen(left, rolled, several_rolled)
            yield BlockRound(self, left, denominator, rolled, several_rolled, chosen, bent)

    def afterstate_values(self) -> list[Exact]:
        all_revenue = self.box.cells - 1
        afterstates = []
        chosen = PackedLines(mpz(0), self.box.ones)  # with no rounds left, the score itself
        bent: Envelopes = {}
        for now in self.backwards():
            afterstates.append(Exact(now.denominator, now.after_move(all_revenue)).reduced())
            chosen, bent = now.chosen, now.several_chosen
        left = len(self.all_revenue_values) + 1
        line = self.box.roll_all(chosen)
        envelope = self._rolled_cell(left, all_revenue, line, chosen, bent)
        afterstates.append(Exact(self.denominators[-1] * self.growth, envelope).reduced())
        return afterstates

    def _rolled_several(
        self, left: int, rolled: PackedLines, chosen: PackedLines, bent: Envelopes
    ) -> Envelopes:
        """Return the envelopes U of the splits from which a roll can lead to several pieces."""
        cells: set[int] = set()
        for cell in bent:
            split = self.box.split(cell)
            above = (range(k, a.number + 1) for k, a in zip(split, self.box.axes, strict=True))
            cells.update(self.box.cell(before) for before in product(*above))
        return {
            cell: self._rolled_cell(left, cell, self.box.line(rolled, cell), chosen, bent)
            for cell in cells
        }

    def _rolled_cell(
        self, left: int, cell: int, line: tuple[mpz, mpz], chosen: PackedLines, bent: Envelopes
    ) -> Envelope:
        """Return U of one split: its packed line, which rolls only first lines, and the rest."""
        axes = self.box.axes
        before = self.box.split(cell)
        low, high = self.rolled_range(left, sum(before))
        parts: list[tuple[mpz, int, Sequence[Piece]]] = [(mpz(1), 0, [Piece(low, *line)])]
        for after, envelope in bent.items():
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
        self, left: int, rolled: PackedLines, several_rolled: Envelopes
    ) -> tuple[PackedLines, Envelopes]:
        box = self.box
        chosen, undecided = box.best_fix(rolled, self.score_range(left, self.number)[1])
        bent = {}
        for cell in {*box.marked(undecided), *box.before_fix(several_rolled)}:
            envelope = self._best_fix_of(left, cell, rolled, several_rolled)
            chosen = box.with_line(chosen, cell, envelope[0].A, envelope[0].B)
            if len(envelope) > 1:
                bent[cell] = envelope
        all_revenue = self.all_revenue_values[left - 1]
        envelope = scaled(all_revenue.envelope, self.denominators[left] // all_revenue.denominator)
        chosen = box.with_line(chosen, box.cells - 1, envelope[0].A, envelope[0].B)
        if len(envelope) > 1:
            bent[box.cells - 1] = envelope
        return chosen, bent

    def _best_fix_of(
        self, left: int, cell: int, rolled: PackedLines, several_rolled: Envelopes
    ) -> Envelope:
        split = self.box.split(cell)
        low, high = self.score_range(left, sum(split))
        pairs = zip(split, self.box.axes, strict=True)
        fixed = [cell + axis.cells for k, axis in pairs if k < axis.number]
        envelopes = (
            several_rolled.get(after) or (Piece(low, *self.box.line(rolled, after)),)
            for after in reversed(fixed)
        )
        return best(envelopes, low, high)


@dataclass(frozen=True)
class BlockRound:
    """The values of a block with some rounds left, over one denominator."""

    block: StateBlock
    left: int
    denominator: mpz
    rolled: PackedLines  # U
    several_rolled: Envelopes  # U of the cells that may have several pieces
    chosen: PackedLines  # W
    several_chosen: Envelopes

    def after_move(self, cell: int) -> Envelope:
        if cell in self.several_rolled:
            return self.several_rolled[cell]
        low, _ = self.block.rolled_range(self.left, sum(self.block.box.split(cell)))
        return (Piece(low, *self.block.box.line(self.rolled, cell)),)
