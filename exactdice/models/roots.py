"""Values of models as algebraic numbers, where both players choose at once and may come back."""

from collections.abc import Hashable
from typing import TypeVar

from gmpy2 import mpq

from exactdice.errors import InputError
from exactdice.models.optimum import Optimum
from exactdice.solvers.algebraic import AlgebraicNumber, algebraic_value

__all__ = ["as_algebraic"]

State = TypeVar("State", bound=Hashable)


def as_algebraic(best: Optimum[State], state: State) -> AlgebraicNumber | None:
    """The value of a state in which both choose at once, by its minimal polynomial.

    Parameters
    ----------
    best
        An enclosed answer, as narrow as the roots of the polynomial need.
    state
        A state of `Both` that leads to itself, and otherwise to states of exactly known value.

    Returns
    -------
    AlgebraicNumber or None
        None where the optimal strategies are not unique as far as the bounds tell, or the bounds
        are too wide.

    Raises
    ------
    InputError
        If the state is no such state.

    Examples
    --------
    Matching pennies for 1 or 2; when they differ, a coin decides whether to play again:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Both, End, Game, optimum
    >>> coin = Distribution({"again": 1, 0: 1})
    >>> game = {("h", "h"): End(1), ("t", "t"): End(2), ("h", "t"): coin, ("t", "h"): coin}
    >>> model = Game("again", lambda s: Both(game) if s == "again" else End(0)).explored()
    >>> as_algebraic(optimum(model), "again").polynomial
    (8, -12, 3)
    """
    model, arena = best.model, best.arena
    number = model.number(state)
    if number not in best.mixed:
        raise InputError("state", state, "a state in which both players choose at once")
    width = arena.columns[number]
    known, again = [], []
    for move in arena.moves(number):
        constant, slope = arena.rewards[arena.reward[move]], mpq(0)
        denominator = arena.denominators[arena.law[move]]
        for target, weight in arena.leads(move):
            if target == number:
                slope += mpq(weight, denominator)
                continue
            value = arena.payoffs.get(target, best.enclosure(model.states[target]).point)
            if value is None:
                raise InputError("state", state, "a state that leads to itself and to known values")
            constant += mpq(weight, denominator) * value
        known.append(constant)
        again.append(slope)
    row, column = best.mixed[number]
    tiny = mpq(1, 1 << 20)
    kernel = (
        [i for i, chance in enumerate(row) if chance > tiny],
        [j for j, chance in enumerate(column) if chance > tiny],
    )
    return algebraic_value(
        [known[start : start + width] for start in range(0, len(known), width)],
        [again[start : start + width] for start in range(0, len(again), width)],
        kernel,
        best.enclosure(state),
    )
