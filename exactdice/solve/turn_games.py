r"""Exact values of chains, of decision processes and of games in which players take turns.

The values of an arena solve

.. math:: v(s) = \operatorname{opt}_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\, v(t)\Bigr],

opt being max, min or nothing, as the owner of s is MAX, MIN or chance. Components are solved one
by one, sinks first. One state without a loop is a comparison. A component with cycles is solved by
strategy iteration: the strategies are found in fixed point (`newton`), evaluated exactly, and
switched wherever an exact comparison says so; nothing is left to rounding. Evaluation uses one
common denominator of everything that the component leads to, so that in between only small
denominators occur.

Which policies count: for one player, those under which play ends with probability 1
(`stopping`). For two, the solution must hold with certainty: against the strategy found for
either player, play must end whatever the other does (`stopping`); where it does not, `NoValueError`
names states. Where a goal is to be reached, and play without end pays nothing, MAX alone must be
able to end it.

References
----------
Howard (1960) for one player; Hoffman and Karp, *Management Science* 12 (1966), for two.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import TooLargeError
from exactdice.solve.arena import END, Arena, Solved, Tell
from exactdice.solve.components import Component, components
from exactdice.solve.cycles import Cycle, best_return
from exactdice.solve.newton import FixedPoint, UnsettledError
from exactdice.solve.stopping import policy_of_component, settle_policy, undecided

_GUESS_BITS = 128
_MAX_ROUNDS = 30
# Measured: 500 unknowns take 1.5 s exactly, and time grows with their cube at least.
_MANY_CUTS = 1_500
# Measured: so many transitions take a second to be put in order.
_MOST_TRANSITIONS = 1_000_000
# Measured: transitions times bits of which denominators have so many take a second.
_MOST_WORK = 500_000_000
_FEW_BITS = 512
_UNEVEN = 2  # how much faster denominators may grow at first


def exact_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
    to_goal: bool = False,
) -> Solved:
    """Solve an arena exactly.

    Raises NoValueError if play need not end, or can gain without bound.

    Raises TooLargeError if a denominator grows longer than `most_bits`.

    Two players toss a coin in turn; the first head wins:

    >>> from exactdice.solve.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 1), (1, 2))
    >>> arena.end(mpq(1))
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 1), (3, 0))
    >>> arena.end(mpq(0))
    >>> exact_values(arena).values[0]
    mpq(2,3)
    """
    solver = _Solver(arena, names or range(len(arena)), most_bits)
    parts: Iterable[Component] = components(arena)
    if most_bits is not None:
        if arena.transitions > _MOST_TRANSITIONS:
            raise TooLargeError(
                f"model: {arena.transitions} transitions are too many for fractions of many "
                "digits; ask for an enclosure of some width"
            )
        parts = list(parts)
        solver.depths = _depths(arena, parts)
        solver.deepest = max(solver.depths)
    done = 0
    for component in parts:
        solver.solve(component)
        done += len(component.order) + len(component.cuts)
        if tell is not None and (done == len(arena) or not done % 512):
            tell(done, len(arena))
    values = solver.values[: len(arena)]
    chosen: Sequence[int] = solver.chosen
    if solver.has_cycles:
        guess = solver.guess.chosen
        chosen = settle_policy(arena, chosen, solver.ties, guess, solver.names, to_goal=to_goal)
    return Solved(values, values, chosen, solver.ties)


def _depths(arena: Arena, parts: Iterable[Component]) -> list[int]:
    """How many components at most lie between each state and an end."""
    depths, n = [0] * len(arena), len(arena)
    for component in parts:
        after = {depths[t % n] for state in component.states for t in arena.successors(state)}
        depth = max(after, default=-1) + 1
        for state in component.states:
            depths[state] = depth
    return depths


class _Solver:
    """Exact values so far, with a guess in fixed point that runs ahead of them."""

    def __init__(self, arena: Arena, names: Sequence[Any], most_bits: int | None) -> None:
        n = len(arena)
        self.arena, self.names, self.most_bits = arena, names, most_bits
        if most_bits is not None:
            self.most_bits = min(most_bits, _MOST_WORK // max(arena.transitions, 1))
        self.mirror = n if arena.changes_sides else 0
        self.values = [mpq(0)] * (n + self.mirror)
        self.chosen = array("q", [-1]) * n
        self.ties: dict[int, tuple[int, ...]] = {}
        self.guess = FixedPoint(arena, _GUESS_BITS)
        self.has_cycles = False
        self.depths, self.deepest = list[int](), 0  # where denominators must not grow too long

    def solve(self, component: Component) -> None:
        if component.cuts:
            self.has_cycles = True
            self._solve_cycle(component)
            return
        (state,) = component.order
        if self.arena.owners[state] == END:
            self._put(state, self.arena.payoffs[state], None)
        else:
            self._put(state, *best_return(self.arena, state, self.values))

    def _put(self, state: int, value: mpq, best: list[int] | None) -> None:
        if self.most_bits is not None and self._expected_bits(state, value) > self.most_bits:
            raise TooLargeError(
                f"model: exact values are fractions of more than {self.most_bits} bits; ask for "
                "an enclosure of some width"
            )
        self.values[state] = value
        if self.mirror:
            self.values[self.mirror + state] = -value
        self.guess.put_exactly(state, value)
        if best is not None:
            self.chosen[state] = best[0]
            if len(best) > 1:
                self.ties[state] = tuple(best)

    def _expected_bits(self, state: int, value: mpq) -> int:
        """Bits of the longest denominator, as far as lengths grow evenly with the depth.

        Where they have grown little yet, or may not go on, those of this one.
        """
        bits = int(value.denominator.bit_length())
        if bits < _FEW_BITS:
            return bits
        return max(bits, bits * self.deepest // (_UNEVEN * self.depths[state] or 1))

    def _solve_cycle(self, component: Component) -> None:
        if self.most_bits is not None and len(component.cuts) > _MANY_CUTS:
            raise TooLargeError(
                f"model: {len(component.states)} states lead to one another, too many to be solved "
                "exactly; ask for an enclosure of some width"
            )
        cycle = Cycle(self.arena, component, self.values)
        try:
            self.guess.solve(component)
            chosen = {state: self.guess.chosen[state] for state in component.states}
            cycle.evaluate(chosen)
        except (UnsettledError, ZeroDivisionError):
            chosen = policy_of_component(cycle, self.names)
        for _ in range(_MAX_ROUNDS):
            best = {state: cycle.best_moves(state) for state in component.states}
            improved = {state: moves[0] for state, (is_better, moves) in best.items() if is_better}
            if not improved:
                for state, (_, moves) in best.items():
                    self._put(state, cycle.value(state), moves)
                return
            chosen = chosen | improved
            try:
                cycle.evaluate(chosen)
            except ZeroDivisionError:
                chosen = policy_of_component(cycle, self.names)
        raise undecided(self.names, component.states)
