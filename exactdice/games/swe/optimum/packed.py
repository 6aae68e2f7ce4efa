r"""Lines of all splits of one multiset of dice, packed into two big integers.

Let there be :math:`T_i` dice on rung *i* of the ladder, revenue and legacy together. A *split* says
how many of them, :math:`0 ≤ k_i ≤ T_i`, are revenue. The splits form a box of
:math:`\prod (T_i + 1)` cells. The lines :math:`A + B·s` of all cells are held as two integers, one
for the *A* and one for the *B*, in which each cell has a slot of the same number of bits, rung 0
innermost. So a sum, a product with a small integer or a comparison of all cells costs a few
operations on big integers, whatever their number is.

**Rolling** :math:`m_i` dice with :math:`f_i` faces is the operator
:math:`(1 + (f_i - 1)E_i)^{m_i}` over :math:`f_i^{m_i}`, read at the cell :math:`k_i = 0`, where
:math:`E_i` steps to the cell with one more revenue die. One die after another, it is a shift by the
stride of the rung, a product and a sum; the rungs follow one another (a Kronecker product). Each
die that survives adds 1 to the score, that is, *B* to *A*. Slots in which a shift brings in a cell
of another row hold rubbish, and are never read.

**Fixing** steps from a split to the one with one more revenue die; the best of the fixes is a
comparison of shifted boxes, slot by slot, at two scores. A line that is above another at both ends
of the scores' range is above it throughout. Cells in which neither line is above are left to the
caller.

No slot overflows as long as *A* and *B* times the greatest score in play, added up, stay below half
of a slot; all numbers are at least 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactdice.arithmetic import bit_scan1, mpz


class PackedLines(NamedTuple):
    """The packed A and the packed B of all cells."""

    A: mpz
    B: mpz


@dataclass(frozen=True)
class Axis:
    """A rung that has dice, as one direction of the box."""

    # rung, number, faces: the rung of the ladder, how many dice stand on it and how many faces they
    # have
    rung: int
    number: int
    faces: int
    # cells, stride: the distance between neighbours in this direction, in cells and in bits
    cells: int
    stride: int
    bottom: mpz  # mask of the slots of all cells with no revenue die on this rung
    liftable: mpz  # mask of the slots of all cells with a legacy die on this rung


class Box:
    """The box of all splits of the dice, with slots of a given width.

    `dice`: how many dice there are on each rung. `ladder`: the faces of the dice on each rung.
    `bits`: the width of a slot.
    """

    def __init__(self, dice: Sequence[int], ladder: Sequence[int], bits: int) -> None:
        self.bits = bits
        self.slot = (mpz(1) << bits) - 1
        cells = 1
        shapes = []
        for rung, (number, faces) in enumerate(zip(dice, ladder, strict=True)):
            if number:
                shapes.append((rung, number, faces, cells))
                cells *= number + 1
        self.cells = cells
        self.axes = [self._axis(*shape) for shape in shapes]
        self.ones = _repeated(mpz(1), cells, bits)
        self._guards = self.ones << (bits - 1)

    def _axis(self, rung: int, number: int, faces: int, cells: int) -> Axis:
        stride = cells * self.bits
        row = stride * (number + 1)
        rows = self.cells // (cells * (number + 1))
        return Axis(
            rung,
            number,
            faces,
            cells,
            stride,
            bottom=_repeated((mpz(1) << stride) - 1, rows, row),
            liftable=_repeated((mpz(1) << (stride * number)) - 1, rows, row),
        )

    def split(self, cell: int) -> tuple[int, ...]:
        """Return how many dice of each axis are revenue in a cell."""
        return tuple(cell // axis.cells % (axis.number + 1) for axis in self.axes)

    def cell(self, split: Sequence[int]) -> int:
        """Return the cell of a split, given as numbers of revenue dice of each axis."""
        return sum(number * axis.cells for number, axis in zip(split, self.axes, strict=True))

    def line(self, lines: PackedLines, cell: int) -> tuple[mpz, mpz]:
        """Return A and B of one cell."""
        at = cell * self.bits
        return (lines.A >> at) & self.slot, (lines.B >> at) & self.slot

    def with_line(self, lines: PackedLines, cell: int, A: mpz, B: mpz) -> PackedLines:
        """Return the lines with those of one cell replaced."""
        old = self.line(lines, cell)
        at = cell * self.bits
        return PackedLines(lines.A + ((A - old[0]) << at), lines.B + ((B - old[1]) << at))

    def roll(self, after: PackedLines) -> PackedLines:
        """Return the lines before the roll of all revenue dice, from those after it.

        The result is over a denominator that is greater by the factor ∏ faces^number, the same for
        all cells. Where all dice fail the score is lost: B of cell 0 counts as 0.
        """
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
        """Return only the line of the cell without legacy before the roll; cheaper than `roll`."""
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
        """Choose the best legacy die to fix in each cell, comparing at score 0 and the highest."""
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

    def highest_fix(self, rolled: PackedLines) -> PackedLines:
        """Return the lines of fixing the legacy die on the highest rung, in each cell."""
        A, B = mpz(0), mpz(0)
        for axis in self.axes:
            A ^= (A ^ (rolled.A >> axis.stride)) & axis.liftable
            B ^= (B ^ (rolled.B >> axis.stride)) & axis.liftable
        return PackedLines(A, B)

    def differing(self, first: PackedLines, second: PackedLines) -> list[int]:
        """List the cells in which two boxes do not hold the same line."""
        return self.marked((first.A ^ second.A) | (first.B ^ second.B))

    def _at_least(self, first: mpz, second: mpz) -> mpz:
        """Return 1 in the slots in which the first number is at least the second."""
        return (((first | self._guards) - second) >> (self.bits - 1)) & self.ones

    def marked(self, flags: mpz) -> list[int]:
        """List the cells whose slot is not 0."""
        cells: list[int] = []
        at = bit_scan1(flags)
        while at is not None:
            cells.append(at // self.bits)
            at = bit_scan1(flags, (cells[-1] + 1) * self.bits)
        return cells


def _repeated(pattern: mpz, times: int, step: int) -> mpz:
    """Return Σ pattern·2^(step·i) over i < times."""
    return pattern * (((mpz(1) << (times * step)) - 1) // ((mpz(1) << step) - 1))
