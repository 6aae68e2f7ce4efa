r"""Algebraic values: simultaneous moves in states to which play can return.

Let a few states lead to one another, and otherwise only to states of known rational value. Every
state is a matrix game whose entries are linear in the values :math:`v` of these states; if one side
chooses it has one row or one column, and for chance one entry. On the rows and columns that optimal
strategies mix (the kernel of Shapley and Snow 1950) the values therefore solve

.. math:: \det\bigl(A_s(v)_{IJ} - v_s J\bigr) = 0 \quad \text{for every state } s,

J being the matrix of ones. This is proved for intervals known to contain the values: ball
arithmetic shows that for all numbers in the intervals the kernels' weights are positive, and every
row and column outside a kernel is strictly worse. Then the kernels are kernels at the values too.
The other unknowns are eliminated by resultants, which vanish wherever all equations do, so the
value is a root of the result. Factors without a root in the interval are dropped; if one factor
with one root remains (Sturm), that is the value and its minimal polynomial. If the optimal
strategies are not unique this fails, and the value stays enclosed.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple, TypeAlias, TypeVar

from flint import Ordering, arb, arb_mat, fmpq, fmpq_mpoly_ctx, fmpq_poly, fmpz_poly

from exactdice.arithmetic import from_flint, mpq, to_flint
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.solve.arena import BOTH, CHANCE, MIN
from exactdice.solve.optimum import Optimum

State = TypeVar("State", bound=Hashable)

#: A constant, and what each unknown is multiplied by.
Form: TypeAlias = tuple[mpq, dict[int, mpq]]

_MOST_STATES = 6
_MOST_DEGREE = 24  # bounds the degree of the polynomial; resultants of more take minutes


class Stage(NamedTuple):
    """A matrix game whose entries are forms of the unknown values, and its supposed kernel."""

    matrix: list[list[Form]]
    rows: list[int]
    columns: list[int]


@dataclass(frozen=True)
class AlgebraicNumber:
    """A root of an irreducible polynomial."""

    # whole coefficients of the minimal polynomial, the constant first; without common divisor, the
    # last one positive
    polynomial: tuple[int, ...]
    interval: Enclosure  # rationals between which it is the polynomial's only root

    @property
    def degree(self) -> int:
        return len(self.polynomial) - 1

    def holds(self) -> bool:
        """Whether the interval contains exactly one root, by Sturm's theorem in rationals."""
        return _roots_within(fmpq_poly(list(self.polynomial)), self.interval) == 1

    def __str__(self) -> str:
        shown = str(fmpz_poly(list(self.polynomial))).replace("+ (-", "- ").replace(")", "")
        return f"root of {shown} between {self.interval.lower} and {self.interval.upper}"


def _roots_within(polynomial: fmpq_poly, interval: Enclosure) -> int:
    chain = [polynomial, polynomial.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    return _changes(chain, interval.lower) - _changes(chain, interval.upper)


def _changes(chain: list[fmpq_poly], at: mpq) -> int:
    signs = [value for value in (from_flint(part(to_flint(at))) for part in chain) if value]
    return sum(before * after < 0 for before, after in pairwise(signs))


def algebraic_value(
    stages: Sequence[Stage], enclosures: Sequence[Enclosure]
) -> AlgebraicNumber | None:
    """Return the value of the first of some matrix games whose entries are forms of their values.

    Raises TooLargeError if there are more than 6 states, or the kernels so large that elimination
    would take long.
    """
    if any(len(stage.rows) != len(stage.columns) for stage in stages):
        return None
    if len(stages) > _MOST_STATES or prod(len(stage.rows) for stage in stages) > _MOST_DEGREE:
        raise TooLargeError(
            f"algebraic value: {len(stages)} states lead to one another; expected at most "
            f"{_MOST_STATES}, in which few choices are mixed, or keep to the enclosure"
        )
    balls = [arb(to_flint(one.middle), arb(to_flint(one.width / 2)).upper()) for one in enclosures]
    if not all(_is_strict(stage, balls) for stage in stages):
        return None
    polynomial = _eliminated(_equations(stages), balls)
    return None if polynomial is None else _root(polynomial, enclosures[0])


def _equations(stages: Sequence[Stage]) -> list[Any]:
    unknowns = len(stages)
    context = fmpq_mpoly_ctx.get([f"v{i}" for i in range(unknowns)], Ordering.lex)
    generators = context.gens()

    def polynomial(form: Form, less: int) -> Any:
        constant, slopes = form
        total = context.constant(to_flint(constant)) - generators[less]
        for unknown, slope in slopes.items():
            total += to_flint(slope) * generators[unknown]
        return total

    return [
        _determinant(
            [[polynomial(stage.matrix[i][j], own) for j in stage.columns] for i in stage.rows]
        )
        for own, stage in enumerate(stages)
    ]


def _determinant(matrix: list[list[Any]]) -> Any:
    if len(matrix) == 1:
        return matrix[0][0]
    rest = matrix[1:]
    parts = (
        (-1) ** j * entry * _determinant([row[:j] + row[j + 1 :] for row in rest])
        for j, entry in enumerate(matrix[0])
    )
    return sum(parts, 0 * matrix[0][0])


def _eliminated(equations: list[Any], balls: Sequence[arb]) -> fmpq_poly | None:
    """A polynomial of the first unknown that vanishes at its value, if one is found."""
    left = [_vanishing(equation, balls) for equation in equations]
    for unknown in range(len(balls) - 1, 0, -1):
        holding = [p for p in left if p.degrees()[unknown]]
        left = [p for p in left if not p.degrees()[unknown]]
        if not holding:
            continue
        pivot = min(holding, key=lambda p: p.degrees()[unknown])
        for other in holding:
            if other is not pivot:
                made = other.resultant(pivot, unknown)
                if made.is_zero():
                    return None
                left.append(_vanishing(made, balls))
    alone = [p for p in left if p.degrees()[0]]
    if not alone:
        return None
    least = min(alone, key=lambda p: p.degrees()[0])
    coefficients = [fmpq(0)] * (least.degrees()[0] + 1)
    for powers, coefficient in least.to_dict().items():
        coefficients[powers[0]] = coefficient
    return fmpq_poly(coefficients)


def _vanishing(polynomial: Any, balls: Sequence[arb]) -> Any:
    _, factors = polynomial.factor()
    kept = [factor for factor, _ in factors if _value(factor, balls).contains(0)]
    return prod(kept[1:], start=kept[0]) if kept else polynomial


def _value(polynomial: Any, balls: Sequence[arb]) -> arb:
    total = arb(0)
    for powers, coefficient in polynomial.to_dict().items():
        parts = (ball ** int(power) for ball, power in zip(balls, powers, strict=True))
        total += prod(parts, start=arb(coefficient))
    return total


def _root(polynomial: fmpq_poly, enclosure: Enclosure) -> AlgebraicNumber | None:
    _, factors = fmpz_poly(polynomial.numer()).factor()
    candidates = []
    for factor, _ in factors:
        sign = 1 if factor[factor.degree()] > 0 else -1
        coefficients = tuple(sign * int(factor[k]) for k in range(factor.degree() + 1))
        candidate = AlgebraicNumber(coefficients, enclosure)
        rational = fmpq_poly(factor)
        if rational(to_flint(enclosure.lower)) * rational(to_flint(enclosure.upper)) <= 0:
            candidates.append(candidate)
        elif _roots_within(rational, enclosure):
            return None
    return candidates[0] if len(candidates) == 1 and candidates[0].holds() else None


def _is_strict(stage: Stage, balls: Sequence[arb]) -> bool:
    """Whether, all over the balls, the kernel has positive weights and all else is worse."""
    rows, columns = stage.rows, stage.columns
    matrix = [
        [
            sum(
                (arb(to_flint(b)) * balls[unknown] for unknown, b in slopes.items()),
                arb(to_flint(a)),
            )
            for a, slopes in row
        ]
        for row in stage.matrix
    ]
    size = len(rows)
    # Weights y and value w with Σ_j a_ij y_j = w for the rows of the kernel, Σ y = 1; and x alike.
    try:
        y = _equalised([[matrix[i][j] for j in columns] for i in rows])
        x = _equalised([[matrix[i][j] for i in rows] for j in columns])
    except ZeroDivisionError:
        return False
    value = y[size]
    if not all(weight > 0 for weight in (*y[:size], *x[:size])):
        return False
    paid = (
        sum((matrix[i][j] * y[k] for k, j in enumerate(columns)), arb(0))
        for i in range(len(matrix))
        if i not in rows
    )
    earned = (
        sum((matrix[i][j] * x[k] for k, i in enumerate(rows)), arb(0))
        for j in range(len(matrix[0]))
        if j not in columns
    )
    return all(row < value for row in paid) and all(column > value for column in earned)


def _equalised(square: list[list[arb]]) -> list[arb]:
    """Weights that make all rows pay the same, and then that amount."""
    size = len(square)
    system = [[*row, arb(-1)] for row in square] + [[arb(1)] * size + [arb(0)]]
    right = [[arb(0)]] * size + [[arb(1)]]
    solved = arb_mat(system).solve(arb_mat(right))
    return [solved[i, 0] for i in range(size + 1)]


def as_algebraic(best: Optimum[State], state: State) -> AlgebraicNumber | None:
    """Return the value of a state with its minimal polynomial, if few states lead to one another.

    * `best`: an enclosed answer, narrow enough to separate the roots of the polynomial.
    * `state`: a state whose value is not known exactly, and that leads to states of known value
      through at most five others like it.

    Returns None if the bounds do not show that the optimal strategies are unique, or are too wide.
    Raises TooLargeError for more states, or more mixed choices than elimination can handle.

    Matching pennies for 1 or 2; if they differ, a coin decides whether to play again:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Both, End, Game, optimum
    >>> coin = Distribution({"again": 1, 0: 1})
    >>> game = {("h", "h"): End(1), ("t", "t"): End(2), ("h", "t"): coin, ("t", "h"): coin}
    >>> model = Game("again", lambda s: Both(game) if s == "again" else End(0)).explored()
    >>> as_algebraic(optimum(model), "again").polynomial
    (8, -12, 3)
    """
    model = best.model
    first = model.number(state)
    if best.value_of(state).point is not None:
        raise InputError("state", state, "a state of which the value is not known exactly")
    unknowns = {first: 0}
    for number in (listed := [first]):  # grows
        for seen in best.arena.successors(number):
            target = seen % len(model.states)
            if target not in unknowns and best.value_of(model.states[target]).point is None:
                unknowns[target] = len(unknowns)
                listed.append(target)
    return algebraic_value(
        [_stage(best, number, unknowns) for number in listed],
        [best.value_of(model.states[number]) for number in listed],
    )


def _stage(best: Optimum[Any], number: int, unknowns: dict[int, int]) -> Stage:
    arena = best.arena
    forms = [_form(best, move, unknowns) for move in arena.moves(number)]
    owner = arena.owners[number]
    if owner == BOTH:
        width = arena.columns[number]
        row, column = best.mixed[number]
        tiny = mpq(1, 1 << 20)
        return Stage(
            [forms[start : start + width] for start in range(0, len(forms), width)],
            [i for i, chance in enumerate(row) if chance > tiny],
            [j for j, chance in enumerate(column) if chance > tiny],
        )
    chosen = 0 if owner == CHANCE else best.chosen[number] - arena.first_move[number]
    if owner == MIN:
        return Stage([forms], [0], [chosen])
    return Stage([[form] for form in forms], [chosen], [0])


def _form(best: Optimum[Any], move: int, unknowns: dict[int, int]) -> Form:
    arena, n = best.arena, len(best.arena)
    denominator = arena.denominators[arena.law[move]]
    constant, slopes = arena.rewards[arena.reward[move]], dict[int, mpq]()
    for target, weight in arena.leads(move):
        share = mpq(weight if target < n else -weight, denominator)
        unknown = unknowns.get(target % n)
        if unknown is None:
            constant += share * best.value_of(best.model.states[target % n]).lower  # a point
        else:
            slopes[unknown] = slopes.get(unknown, mpq(0)) + share
    return constant, slopes
