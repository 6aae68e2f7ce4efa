r"""Plans for both players, found in doubles; exact sums settle afterwards what they are worth.

Two ways. The first is von Stengel's linear program in the first player's plan x and the values q of
the second player's information sets,

.. math:: \max q_0 \quad\text{with}\quad E x = e,\; A^T x - F^T q \ge 0,\; x \ge 0,

given to HiGHS (interior points, then a basis). The basis says which inequalities are equations,
which are solved exactly (`_lifted`) by digits, as by Dixon, but from the left: a factorisation in
doubles finds the next 24 bits of the solution, what they leave is reckoned in whole numbers, and
fractions are recognised in the digits and put to the test in whole numbers (Wan 2006). The second
player's plan solves the transposed equations.

The second is regret matching, for what is too large for the first: each information set mixes its
actions as their regrets are, the last counted twice as a forecast and those below 0 forgotten, and
plans averaged with weights t² (predictive CFR⁺: Farina, Kroer and Sandholm 2021). Both say
nothing that is relied upon.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from exactdice.arithmetic import mpz
from exactdice.errors import MissingExtraError
from exactdice.hidden.sequences import Array, Plan, SequenceForm, Side, integers
from exactdice.linked import linked

_DIGIT = 24  # bits of the solution found at each step
_MOST_STEPS = 4096


def _library(name: str) -> Any:
    try:
        return linked(name)
    except ModuleNotFoundError:
        raise MissingExtraError(
            f"{name.partition('.')[0]} is missing, which guesses plans; install it: "
            "pip install 'exactdice[hidden]'"
        ) from None


def _flow(side: Side, sparse: Any, np: Any) -> Any:
    """The matrix E of the equations of a plan: a row for its beginning, and one a set."""
    sets, sequences = len(side.parent), side.sequences
    rows = np.concatenate(([0], np.arange(1, sets + 1), side.owner + 1))
    columns = np.concatenate(([0], side.parent, np.arange(1, sequences)))
    signs = np.concatenate(([1], np.full(sets, -1), np.full(sequences - 1, 1)))
    return sparse.csr_matrix((signs, (rows, columns)), shape=(sets + 1, sequences))


def _scaled_payoffs(form: SequenceForm, sparse: Any, np: Any) -> Any:
    """The matrix A in doubles, times its denominator."""
    shape = form.sides[0].sequences, form.sides[1].sequences
    return sparse.csr_matrix(
        (form.payoffs.astype(np.float64), (form.rows, form.columns)), shape=shape
    )


class Program:
    """The linear program of a game, solved by HiGHS."""

    def __init__(self, form: SequenceForm) -> None:
        import numpy as np

        self._highs, self._sparse = _library("highspy"), _library("scipy.sparse")
        self.form = form
        one, two = (_flow(side, self._sparse, np) for side in form.sides)
        payoffs = _scaled_payoffs(form, self._sparse, np)
        self.matrix = self._sparse.bmat([[one, None], [payoffs.T, -two.T]]).tocsc()
        self._solver = self._solved(np)
        solution = self._solver.getSolution()
        self._columns = np.array(solution.col_value)
        self._prices = np.array(solution.row_dual)

    def _solved(self, np: Any) -> Any:
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
        solver = highs.Highs()
        solver.setOptionValue("output_flag", False)  # noqa: FBT003 # the name of HiGHS's option
        solver.setOptionValue("solver", "ipm")
        solver.passModel(program)
        solver.run()
        return solver

    def near(self) -> tuple[Plan, Plan]:
        """Plans near to best, in whole numbers."""
        one, two = self.form.sides
        prices = abs(self._prices[len(one.parent) + 1 :])
        scale = self.form.largest_scale()
        return rounded(one, self._columns[: one.sequences], scale), rounded(two, prices, scale)

    def exact(self) -> tuple[Plan, Plan] | None:
        """Plans that solve the equations of the basis; None where there are none, or no basis."""
        import numpy as np

        basis, basic = self._solver.getBasis(), self._highs.HighsBasisStatus.kBasic
        columns = np.flatnonzero([status == basic for status in basis.col_status])
        rows = np.flatnonzero([status != basic for status in basis.row_status])
        one, two = self.form.sides
        start, value = np.searchsorted(rows, 0), np.searchsorted(columns, one.sequences)
        if not basis.valid or len(rows) != len(columns) or rows[start] or not len(columns):
            return None
        equations = self.matrix[rows][:, columns].tocsc()
        plan = _lifted(equations, int(start), self.form)
        prices = _lifted(equations.T.tocsc(), int(value), self.form)
        if plan is None or prices is None:
            return None
        passed = len(one.parent) + 1
        weights = [_spread(plan[0], columns, one.sequences, 0)]
        weights.append(_spread(prices[0], rows - passed, two.sequences, 0))
        plans = []
        for side, whole in zip((one, two), weights, strict=True):
            whole = whole if whole[0] >= 0 else -whole
            if whole[0] == 0 or not side.is_plan(whole):
                return None
            plans.append(Plan(side, integers(list(whole))))
        return plans[0], plans[1]


def _spread(values: list[mpz], places: Array, size: int, empty: int) -> Array:
    """Values at their places below a size, among others that are empty."""
    import numpy as np

    whole = np.full(size, empty, dtype=object)
    for value, place in zip(values, places.tolist(), strict=True):
        if 0 <= place < size:
            whole[place] = int(value)
    return whole


def _lifted(equations: Any, place: int, form: SequenceForm) -> tuple[list[mpz], mpz] | None:
    """Solve equations in whole numbers, whose right side is 1 at a place and else 0.

    The solution comes as numerators over one denominator; None where it is not recognised.
    """
    import numpy as np

    if form.payoffs.dtype == object:
        return None
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
            if solution and _solves(whole.tocoo(), solution, right):
                return solution
    return None


def _recognised(digits: list[Array]) -> tuple[list[mpz], mpz] | None:
    """Find fractions over one denominator that agree with digits, of half as many bits as they."""
    bits = _DIGIT * len(digits)
    one, most = mpz(1) << bits, bits // 2 - 8
    numbers = [mpz(0)] * len(digits[0])
    for digit in digits:
        numbers = [
            (number << _DIGIT) + more for number, more in zip(numbers, digit.tolist(), strict=True)
        ]
    denominator, close = mpz(1), mpz(1) << (bits - most)
    for number in numbers:
        scaled = number * denominator
        if abs(scaled - (((scaled + (one >> 1)) >> bits) << bits)) < close * denominator:
            continue
        factor = _denominator_of(scaled, one, close * denominator)
        denominator *= factor
        if not factor or denominator.bit_length() > most:
            return None
    return [(number * denominator + (one >> 1)) >> bits for number in numbers], denominator


def _denominator_of(number: mpz, one: mpz, close: mpz) -> mpz:
    """Least denominator of a continued fraction that is close to number/one; 0 where none is."""
    top, bottom = number, one
    p, q, next_p, next_q = mpz(0), mpz(1), mpz(1), mpz(0)
    while bottom:
        whole = top // bottom
        top, bottom = bottom, top - whole * bottom
        p, q, next_p, next_q = next_p, next_q, whole * next_p + p, whole * next_q + q
        if abs(number * next_q - next_p * one) < close:
            return next_q
    return mpz(0)


def _solves(whole: Any, solution: tuple[list[mpz], mpz], right: Array) -> bool:
    """Whether numerators solve the equations times their denominator, in whole numbers."""
    sums = [mpz(0)] * len(right)
    numerators, denominator = solution
    for row, column, entry in zip(
        whole.row.tolist(), whole.col.tolist(), whole.data.tolist(), strict=True
    ):
        sums[row] += entry * numerators[column]
    return all(
        total == denominator * wanted for total, wanted in zip(sums, right.tolist(), strict=True)
    )


def rounded(side: Side, weights: Array, scale: mpz) -> Plan:
    """Round weights to a plan of that scale: each set shares out what its parent has."""
    import numpy as np

    fits = scale.bit_length() <= 53
    whole = np.zeros(side.sequences, dtype=np.int64 if fits else object)
    whole[0] = int(scale)
    for sets, sequences, begins in side.ranges():
        widths = np.diff(np.append(begins, sequences.stop - sequences.start))
        positive = np.maximum(np.nan_to_num(weights[sequences].astype(np.float64)), 0)
        totals = np.repeat(np.add.reduceat(positive, begins), widths)
        positive = np.where(totals > 0, positive, 1)
        sums = np.cumsum(positive)
        before = np.repeat(np.concatenate(([0], sums))[begins], widths)
        ends = begins + widths - 1
        share = (sums - before) / np.repeat((sums[ends] - before[begins]), widths)
        had = np.repeat(whole[side.parent[sets]], widths)
        if fits:
            upto = np.minimum(np.floor(had * share).astype(np.int64), had)
        else:
            steps = (share * (1 << 52)).astype(np.int64).astype(object)
            upto = (had * steps) >> 52
        upto = np.minimum(np.maximum(upto, 0), had)
        upto[ends] = had[ends]
        shares = upto.copy()
        shares[1:] -= upto[:-1]
        shares[begins] = upto[begins]
        whole[sequences] = shares
    return Plan(side, whole)


class _Regrets:
    """What one player regrets, and the mean of the plans so far."""

    def __init__(self, side: Side, np: Any) -> None:
        self.side, self.np = side, np
        self.regrets = np.zeros(side.sequences, dtype=np.float64)
        self.forecast = np.zeros(side.sequences, dtype=np.float64)
        self.mean = np.zeros(side.sequences, dtype=np.float64)
        self.widths = np.diff(side.first)
        self.levels = list(side.ranges())

    def mixed(self) -> tuple[Array, Array]:
        """The chance of each action where it is chosen, and the plan that this makes."""
        np, side = self.np, self.side
        wanted = np.maximum(self.regrets + self.forecast, 0)
        chances, plan = np.ones_like(wanted), np.ones_like(wanted)
        if len(side.parent):
            sums = np.repeat(np.add.reduceat(wanted[1:], side.first[:-1] - 1), self.widths)
            even = 1 / np.repeat(self.widths, self.widths)
            chances[1:] = np.where(sums > 0, wanted[1:] / np.where(sums > 0, sums, 1), even)
        for sets, sequences, _ in self.levels:
            widths = self.widths[sets]
            plan[sequences] = chances[sequences] * np.repeat(plan[side.parent[sets]], widths)
        return chances, plan

    def learn(self, gains: Array, chances: Array, plan: Array, weight: int) -> None:
        """Regret what was not done, when the other's plan brings these gains."""
        np, side = self.np, self.side
        returns = gains.copy()
        for sets, sequences, begins in reversed(self.levels):
            values = np.add.reduceat(chances[sequences] * returns[sequences], begins)
            self.forecast[sequences] = returns[sequences] - np.repeat(values, self.widths[sets])
            returns += np.bincount(side.parent[sets], values, side.sequences)
        self.regrets = np.maximum(self.regrets + self.forecast, 0)
        self.mean += plan * weight


def by_regrets(form: SequenceForm) -> Iterator[Callable[[], tuple[Plan, Plan]]]:
    """After each round of regret matching a function that gives the mean plans so far."""
    import numpy as np

    sparse = _library("scipy.sparse")
    payoffs = _scaled_payoffs(form, sparse, np)
    transposed = payoffs.T.tocsr()
    one, two = (_Regrets(side, np) for side in form.sides)
    scale = form.largest_scale()

    def means() -> tuple[Plan, Plan]:
        return rounded(one.side, one.mean, scale), rounded(two.side, two.mean, scale)

    theirs = two.mixed()
    for turn in count(1):
        mine = one.mixed()
        one.learn(payoffs @ theirs[1], *mine, turn**2)
        mine = one.mixed()
        two.learn(-(transposed @ mine[1]), *theirs, turn**2)
        theirs = two.mixed()
        yield means
