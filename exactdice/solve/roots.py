"""Values of models as algebraic numbers, where both players choose at once and may come back."""

from collections.abc import Hashable
from typing import Any, TypeVar

from exactdice.arithmetic import mpq
from exactdice.errors import InputError
from exactdice.solve.algebraic import AlgebraicNumber, Form, Stage, algebraic_value
from exactdice.solve.arena import BOTH, CHANCE, MIN
from exactdice.solve.optimum import Optimum

State = TypeVar("State", bound=Hashable)


def as_algebraic(best: Optimum[State], state: State) -> AlgebraicNumber | None:
    """The value of a state by its minimal polynomial, where few lead to one another.

    Parameters
    ----------
    best
        An enclosed answer, as narrow as the roots of the polynomial need.
    state
        A state that leads, by way of at most five others of values that are not known exactly, to
        states of exactly known value.

    Returns
    -------
    AlgebraicNumber or None
        None where the optimal strategies are not unique as far as the bounds tell, or the bounds
        are too wide.

    Raises
    ------
    InputError
        If the state's value is known exactly.
    TooLargeError
        If it leads to more such states, or more choices are mixed than elimination can do.

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
    model = best.model
    first = model.number(state)
    if best.enclosure(state).point is not None:
        raise InputError("state", state, "a state of which the value is not known exactly")
    unknowns = {first: 0}
    for number in (listed := [first]):  # grows
        for seen in best.arena.successors(number):
            target = seen % len(model.states)
            if target not in unknowns and best.enclosure(model.states[target]).point is None:
                unknowns[target] = len(unknowns)
                listed.append(target)
    return algebraic_value(
        [_stage(best, number, unknowns) for number in listed],
        [best.enclosure(model.states[number]) for number in listed],
    )


def _stage(best: Optimum[Any], number: int, unknowns: dict[int, int]) -> Stage:
    """The matrix of a state, and the rows and columns that its strategies mix."""
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
    """What a move returns, as a form of the unknown values."""
    arena, n = best.arena, len(best.arena)
    denominator = arena.denominators[arena.law[move]]
    constant, slopes = arena.rewards[arena.reward[move]], dict[int, mpq]()
    for target, weight in arena.leads(move):
        share = mpq(weight if target < n else -weight, denominator)
        unknown = unknowns.get(target % n)
        if unknown is None:
            constant += share * best.enclosure(best.model.states[target % n]).lower  # a point
        else:
            slopes[unknown] = slopes.get(unknown, mpq(0)) + share
    return constant, slopes
