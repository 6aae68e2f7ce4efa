r"""Plans for both players, found in double precision; exact sums prove their guarantees afterwards.

There are two methods. The first is von Stengel's linear program in the first player's plan x and
the values q of the second player's information sets,

.. math:: \max q_0 \quad\text{with}\quad E x = e,\; A^T x - F^T q \ge 0,\; x \ge 0,

given to HiGHS (interior points, then a basis). The basis selects the inequalities that hold with
equality; they are solved exactly (`_lifted`) by a variant of Dixon's lifting: a factorisation in
double precision finds the next 24 bits of the solution, the residual is computed in integers, and
fractions are recognised in the digits and verified in integers (Wan 2006). The second player's plan
solves the transposed equations.

The second is regret matching in C++ (``cpp/include/exactdice/regrets.hpp``), for games too large
for the first. No proof relies on either.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from exactdice.arithmetic import mpq, mpz, to_fraction
from exactdice.errors import MissingExtraError
from exactdice.hidden.sequences import Array, RealizationPlan, SequenceForm, Side, integers
from exactdice.linked import linked
from exactdice.native import call, solvers

_DIGIT = 24  # bits of the solution found at each step
_MOST_STEPS = 4096
_PRIME = 1_048_573  # below 2²⁰
_MOST_DENSE = 1000  # equations whose payoffs have many digits
_SMALL = 40  # equations, solved at once


def _library(name: str) -> Any:
    try:
        return linked(name)
    except ModuleNotFoundError as problem:
        library = name.partition(".")[0]
        raise MissingExtraError.of("strategies", library, "hidden") from problem


def _flow(side: Side) -> tuple[Array, Array, Array]:
    sets, sequences = len(side.parent), side.sequences
    rows = np.concatenate(([0], np.arange(1, sets + 1), side.owner + 1))
    columns = np.concatenate(([0], side.parent, np.arange(1, sequences)))
    return rows, columns, np.repeat([1, -1, 1], [1, sets, sequences - 1])


def equations(form: SequenceForm, payoffs: Array) -> Any:
    """The matrix of the program: E, and an inequality for each of the second's sequences."""
    one, two = (_flow(side) for side in form.sides)
    below, behind = len(form.sides[0].parent) + 1, form.sides[0].sequences
    rows = np.concatenate((one[0], two[1] + below, form.columns + below))
    columns = np.concatenate((one[1], two[0] + behind, form.rows))
    shape = below + form.sides[1].sequences, behind + len(form.sides[1].parent) + 1
    entries = np.concatenate((one[2], -two[2], payoffs))
    return _library("scipy.sparse").csc_matrix((entries, (rows, columns)), shape=shape)


def numbered(form: SequenceForm) -> Any:
    """Return the same matrix with the index + 2 of each payoff in its place."""
    return equations(form, np.arange(2, 2 + len(form.payoffs)))


def _doubles(form: SequenceForm) -> Array:
    if not form.is_large:
        return form.payoffs.astype(np.float64)
    shares = form.payoffs.astype(object) / (1 << form.bound.bit_length() - _DIGIT)
    return shares.astype(np.float64)


class Program:
    """The linear program of a game, solved by HiGHS."""

    def __init__(self, form: SequenceForm) -> None:
        self._highs, self.form = _library("highspy"), form
        self.matrix = equations(form, _doubles(form))
        self._solver = self._solved()

    def _solved(self) -> Any:
        highs = self._highs
        height, width = self.matrix.shape
        plans, sets = self.form.sides[0].sequences, len(self.form.sides[0].parent)
        program = highs.HighsLp()
        program.num_row_, program.num_col_ = height, width
        cost, lower, upper = (np.zeros(size) for size in (width, width, height))
        cost[plans], lower[plans:] = -1, -highs.kHighsInf
        upper[sets + 1 :] = highs.kHighsInf
        begin = np.zeros(height)
        begin[0] = upper[0] = 1
        program.col_cost_, program.col_lower_ = cost, lower
        program.col_upper_ = np.full(width, highs.kHighsInf)
        program.row_lower_, program.row_upper_ = begin, upper
        program.a_matrix_.format_ = highs.MatrixFormat.kColwise
        program.a_matrix_.start_ = self.matrix.indptr
        program.a_matrix_.index_ = self.matrix.indices
        program.a_matrix_.value_ = self.matrix.data
        quiet = type("Quiet", (highs.Highs,), {"enableCallbacks": lambda _: None})
        solver = quiet()  # enabling callbacks prints a line
        solver.setOptionValue("output_flag", False)  # noqa: FBT003 # the name of HiGHS's option
        if height < _SMALL:
            solver.setOptionValue("presolve", "off")
        solver.setOptionValue("solver", "simplex" if height < _SMALL else "ipm")
        solver.passModel(program)
        solver.run()
        return solver

    @cached_property
    def numbers(self) -> Any:
        return numbered(self.form)

    def near(self) -> tuple[RealizationPlan, RealizationPlan]:
        (one, two), solution = self.form.sides, self._solver.getSolution()
        columns, scale = np.array(solution.col_value), self.form.largest_scale()
        prices = abs(np.array(solution.row_dual)[len(one.parent) + 1 :])
        return rounded(one, columns[: one.sequences], scale), rounded(two, prices, scale)

    def keep_to(self, never: Array, always: Array) -> None:
        self._solver.setOptionValue("solver", "simplex")
        none = np.zeros(len(never))
        self._solver.changeColsBounds(len(never), never.astype(np.int32), none, none)
        for sequence in always.tolist():
            self._solver.changeRowBounds(sequence + len(self.form.sides[0].parent) + 1, 0, 0)

    def prefer(self, taken: Array, lost: Array) -> None:
        """Maximise weights of sequences of the first player, and losses of the second's."""
        cost = np.zeros(self.matrix.shape[1])
        cost[taken] -= 1
        rows = self.matrix.tocsr()[lost + len(self.form.sides[0].parent) + 1]
        cost -= np.asarray(rows.sum(axis=0)).ravel()
        self._solver.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)
        self._solver.run()

    def plan(self, player: int) -> RealizationPlan | None:
        """Solve the equations of the basis for a plan; None without a basis or such a plan."""
        basis, basic = self._solver.getBasis(), self._highs.HighsBasisStatus.kBasic
        columns = np.flatnonzero([status == basic for status in basis.col_status])
        rows = np.flatnonzero([status != basic for status in basis.row_status])
        side, passed = self.form.sides[player - 1], len(self.form.sides[0].parent) + 1
        value = np.searchsorted(columns, self.form.sides[0].sequences)
        if not basis.valid or len(rows) != len(columns) or rows[:1].any() or not len(columns):
            return None
        sequences, place = (columns, 0) if player == 1 else (rows - passed, int(value))
        dense = self.form.is_large or len(rows) < _SMALL
        square = (self.numbers if dense else self.matrix)[rows][:, columns]
        square = square if player == 1 else square.T
        found = _eliminated(self.form, square, place) if dense else _lifted(square.tocsc(), place)
        if found is None:
            return None
        weights = np.full(side.sequences, 0, dtype=object)
        for number, sequence in zip(found[0], sequences.tolist(), strict=True):
            if 0 <= sequence < side.sequences:
                weights[sequence] = int(number)
        weights = weights if weights[0] >= 0 else -weights
        return (
            RealizationPlan(side, integers(weights.tolist()))
            if weights[0] and side.is_plan(weights)
            else None
        )


def whole_matrix(form: SequenceForm, part: Any) -> Any:
    payoffs = form.payoffs.tolist()
    return linked("flint").fmpz_mat(
        [
            [payoffs[entry - 2] if entry > 1 else entry for entry in row]
            for row in part.toarray().astype(int).tolist()
        ]
    )


def _eliminated(form: SequenceForm, square: Any, place: int) -> tuple[list[mpz], mpz] | None:
    """As `_lifted`, for payoffs of many digits."""
    size = square.shape[0]
    if size > _MOST_DENSE:
        return None
    right = linked("flint").fmpz_mat([[int(row == place)] for row in range(size)])
    try:
        solution = whole_matrix(form, square).solve(right).numer_denom()
    except ZeroDivisionError:
        return None
    return [mpz(int(row[0])) for row in solution[0].tolist()], mpz(int(solution[1]))


def _lifted(equations: Any, place: int) -> tuple[list[mpz], mpz] | None:
    """Solve integer equations with a unit right side: numerators and denominator, or None."""
    whole = equations.tocsr().astype(np.int64)
    try:
        factors = _library("scipy.sparse.linalg").splu(equations)
    except RuntimeError:  # singular
        return None
    right = np.zeros(equations.shape[0], dtype=np.int64)
    right[place] = 1
    rest, digits = right, []
    for step in range(1, _MOST_STEPS + 1):
        digit = np.rint(factors.solve(rest.astype(np.float64) * (1 << _DIGIT)))
        if not np.isfinite(digit).all() or abs(digit).max() >= 1 << 53:
            return None
        digits.append(digit.astype(np.int64))
        rest = (rest << _DIGIT) - whole @ digits[-1]
        if abs(rest).max() >= 1 << 62 - _DIGIT:
            return None
        if step >= 4 and step & (step - 1) == 0:
            solution = _recognised(digits)
            if solution and _solves(whole, solution, right):
                return solution
    return None


def _recognised(digits: list[Array]) -> tuple[list[mpz], mpz] | None:
    """Find fractions over a common denominator that agree with digits to half of their bits."""
    bits = _DIGIT * len(digits)
    one, most = mpz(1) << bits, bits // 2 - 8
    numbers = [mpz(0)] * len(digits[0])
    for digit in digits:
        numbers = [(n << _DIGIT) + more for n, more in zip(numbers, digit.tolist(), strict=True)]
    denominator, close = mpz(1), mpz(1) << (bits - most)
    for number in numbers:
        scaled = number * denominator
        if abs(scaled - (((scaled + (one >> 1)) >> bits) << bits)) >= close * denominator:
            least = to_fraction(mpq(scaled, one)).limit_denominator(int((1 << most) // denominator))
            denominator *= least.denominator
        if denominator.bit_length() > most:
            return None
    return [(number * denominator + (one >> 1)) >> bits for number in numbers], denominator


def _solves(whole: Any, solution: tuple[list[mpz], mpz], right: Array) -> bool:
    numerators, denominator = solution
    rests = np.array([int(number % _PRIME) for number in numerators])
    return not ((whole @ rests - right * int(denominator % _PRIME)) % _PRIME).any()


def rounded(side: Side, weights: Array, scale: mpz) -> RealizationPlan:
    """Round weights to a plan of that scale, below 2⁵³: each set splits its parent's weight."""
    whole = np.zeros(side.sequences, dtype=np.int64)
    whole[0] = int(scale)
    for sets, sequences, begins in side.ranges():
        widths = np.diff(np.append(begins, sequences.stop - sequences.start))
        positive = np.maximum(np.nan_to_num(weights[sequences]), 0)
        totals = np.repeat(np.add.reduceat(positive, begins), widths)
        chances = np.where(totals > 0, positive, 1 / np.repeat(widths, widths))
        chances /= np.where(totals > 0, totals, 1)
        shares = np.floor(np.repeat(whole[side.parent[sets]], widths) * chances).astype(np.int64)
        likeliest = np.repeat(np.maximum.reduceat(chances, begins), widths)
        greatest = np.flatnonzero(chances == likeliest)
        to = greatest[np.searchsorted(greatest, begins)]  # they get the remainder
        shares[to] += whole[side.parent[sets]] - np.add.reduceat(shares, begins)
        whole[sequences] = shares
    return RealizationPlan(side, whole)


def by_regrets(form: SequenceForm) -> Callable[[int], tuple[RealizationPlan, RealizationPlan]]:
    """Return a function that runs more rounds of regret matching, and returns the mean plans."""
    arrays = [array for side in form.sides for array in (side.parent, side.first)]
    match = call(solvers().Match, *arrays, form.rows, form.columns, _doubles(form))
    scale = form.largest_scale()

    def play(rounds: int) -> tuple[RealizationPlan, RealizationPlan]:
        call(match.play, rounds)
        one, two = (rounded(s, match.mean(p), scale) for p, s in enumerate(form.sides, 1))
        return one, two

    return play
