r"""Interval iteration: bounds below and above that provably close on the value.

Two vectors are swept together. The lower one starts at the exact value of a proper policy; the
upper one at a bound that no policy can exceed. Both are kept as integers over a power of two,
rounded down and up, so that after every sweep the value lies between them, whatever was rounded.
Where rounding stops their progress the power is raised.

Sweeping from above can stick where play may stay for ever at no cost, or never come down where
nothing bounds the start. Both are met in the graph:

1. end components whose moves all pay 0 are collapsed to one state: within them play moves freely;
2. of the end components that are left, moves that stay inside must pay at most 0. Leave these out
   and collapse again: no cycle is left that a policy can keep to, and the exact value of that
   process, in which moving inside is free, bounds the value of the first.

After 1, staying for ever has value minus infinity, so the sweeps have one fixed point and reach it
from both sides. A process with positive rewards inside an end component is refused;
`policy_iteration` takes it.

References
----------
Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", *Theoretical Computer
Science* 735 (2018). Baier and others, "Ensuring the reliability of your model checker: interval
iteration for Markov decision processes", CAV 2017.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from end_components import collapse, end_components
from gmpy2 import mpq, mpz

from exactdice.arithmetic import RationalLike, natural, rational
from exactdice.errors import InputError
from exactdice.solvers.evaluation import evaluate
from exactdice.solvers.policy_iteration import policy_iteration
from exactdice.solvers.process import DecisionProcess, Move, State
from exactdice.solvers.termination import named, proper_policy
from exactdice.solvers.value_iteration import ConvergenceError

__all__ = ["IntervalIteration", "interval_iteration"]


@dataclass(frozen=True)
class IntervalIteration(Generic[State]):
    """Where interval iteration stopped: dyadic bounds lower[s] ≤ V(s) ≤ upper[s] of every state."""

    lower: Mapping[State, mpq] = field(repr=False)
    upper: Mapping[State, mpq] = field(repr=False)
    sweeps: int

    @property
    def width(self) -> mpq:
        """The greatest distance between the bounds of a state."""
        return max(self.upper[state] - self.lower[state] for state in self.lower)


def interval_iteration(
    process: DecisionProcess[State], tolerance: RationalLike, *, most_sweeps: int = 100_000
) -> IntervalIteration[State]:
    """Enclose all values in intervals no wider than a tolerance.

    Parameters
    ----------
    process
        A process in which no move with positive reward stays inside an end component.
    tolerance
        The greatest width, above 0.
    most_sweeps
        Give up after so many.

    Raises
    ------
    InputError
        If the tolerance is not above 0 or a positive reward lies inside an end component.
    NoValueError
        If no policy is proper.
    ConvergenceError
        If `most_sweeps` were not enough.

    Examples
    --------
    >>> from exactdice.dice import Distribution
    >>> from exactdice.solvers.process import Choice
    >>> process = DecisionProcess({0: [Choice("walk", -1, Distribution({0: 2, 1: 1}))], 1: []})
    >>> bounds = interval_iteration(process, "1e-9")
    >>> bounds.lower[0] <= -3 <= bounds.upper[0], bounds.width <= mpq(1, 10**9)
    (True, True)
    """
    width = rational(tolerance, "tolerance")
    if width <= 0:
        raise InputError("tolerance", tolerance, "a number above 0")
    most_sweeps = natural(most_sweeps, "most_sweeps", least=1)
    proper_policy(process)  # raises where there is none, which the quotient would no longer show
    free, representative = collapse(
        process, end_components(process, _pays_nothing), drops=_pays_nothing
    )
    lower = _proper_values(free)
    upper = _upper_bound(process, free)
    bits = int((1 / width).numerator.bit_length()) + 4
    low = [_scaled(value, bits, down=True) for value in lower]
    high = [_scaled(value, bits, down=False) for value in upper]
    sweeps = 0
    while any(
        above - below > width * (mpz(1) << bits) for below, above in zip(low, high, strict=True)
    ):
        if sweeps == most_sweeps:
            raise ConvergenceError(
                f"interval iteration: still wider than {tolerance} after {most_sweeps} sweeps"
            )
        sweeps += 1
        moved = _sweep(free.moves, low, bits, _floor, max)
        moved = _sweep(free.moves, high, bits, _ceiling, min) or moved
        if not moved:
            low = [value << bits for value in low]
            high = [value << bits for value in high]
            bits *= 2
    unit = mpz(1) << bits
    place = {state: i for i, state in enumerate(free.states)}
    index = [place[name] for name in representative]
    return IntervalIteration(
        lower={s: mpq(low[i], unit) for s, i in zip(process.states, index, strict=True)},
        upper={s: mpq(high[i], unit) for s, i in zip(process.states, index, strict=True)},
        sweeps=sweeps,
    )


def _pays_nothing(move: Move) -> bool:
    return bool(move.reward == 0)


def _proper_values(process: DecisionProcess[State]) -> list[mpq]:
    places = proper_policy(process)
    return evaluate(
        [
            None if place is None else offered[place]
            for place, offered in zip(places, process.moves, strict=True)
        ]
    )


def _upper_bound(process: DecisionProcess[State], free: DecisionProcess[int]) -> list[mpq]:
    components = end_components(free)
    for component in components:
        gaining = [
            state
            for state in sorted(component)
            for move in free.moves[state]
            if move.reward > 0 and component.issuperset(move.targets)
        ]
        if gaining:
            states = [process.states[free.states[state]] for state in gaining]
            raise InputError(
                "process",
                named(states),
                "one without positive rewards on cycles; policy_iteration takes any",
            )
    relaxed, representative = collapse(free, components)
    values = policy_iteration(relaxed).values
    return [values[name] for name in representative]


def _scaled(value: mpq, bits: int, *, down: bool) -> mpz:
    numerator = value.numerator << bits
    return (_floor if down else _ceiling)(numerator, value.denominator)


def _floor(numerator: mpz, denominator: mpz) -> mpz:
    return numerator // denominator


def _ceiling(numerator: mpz, denominator: mpz) -> mpz:
    return -(-numerator // denominator)


def _sweep(
    moves: Sequence[Sequence[Move]],
    values: list[mpz],
    bits: int,
    rounded: Callable[[mpz, mpz], mpz],
    tighter: Callable[[mpz, mpz], mpz],
) -> bool:
    """Update one bound in place, never loosening it; tell whether anything moved."""
    unit, moved = mpz(1) << bits, False
    for state, offered in enumerate(moves):
        if offered:
            best = max(
                rounded(move.scaled_return(values, unit), move.denominator) for move in offered
            )
            bound = tighter(values[state], best)
            if bound != values[state]:
                values[state], moved = bound, True
    return moved
