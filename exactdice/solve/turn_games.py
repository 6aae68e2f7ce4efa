r"""Exact values of chains, of decision processes and of games in which players take turns.

The values of an arena solve

.. math:: v(s) = \operatorname{opt}_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\, v(t)\Bigr],

opt being max, min or nothing, as the owner of s is MAX, MIN or chance. They are found by the C++
solvers, digit by digit (`exactdice.solve.lifting`), where these are built and take the arena. Else
components are solved one by one, sinks first: one state without a loop is a comparison, and a
component with cycles is solved by policies (`exactdice.solve.cycles`), over one common denominator
of everything that it leads to, so that in between only small denominators occur.

Which policies count: for one player, those under which play ends with probability 1. For two, the
solution must hold with certainty: against the strategy found for either player, play must end
whatever the other does (`exactdice.solve.stopping`); where it does not, `NoValueError` names
states. Where a goal is to be reached, and play without end pays nothing, MAX alone must be able to
end it.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import TooLargeError
from exactdice.solve.arena import BOTH, END, Arena, Mixed, Solved, Tell
from exactdice.solve.components import Component, components
from exactdice.solve.cycles import FEW_JOINED, MOST_JOINED, Cycle, best_return, rounded
from exactdice.solve.matrix_games import solve_matrix_game
from exactdice.solve.stopping import settle_policy, undecided

# Measured: so many transitions take a second to be put in order.
_MOST_TRANSITIONS = 1_000_000
# Measured: transitions times bits of which denominators have so many take a second.
_MOST_WORK = 500_000_000
_FEW_BITS = 512
_UNKNOWN = -2  # of a state that is not solved yet; −1 is said of ends
_UNEVEN = 2  # how much faster denominators may grow at first


def exact_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
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
    from exactdice.solve.lifting import guess_of, lifted_values  # loads numpy

    names, guess = names or range(len(arena)), guess_of(arena)
    limits: dict[str, Any] = {
        "names": names, "most_bits": most_bits, "tell": tell, "guess": guess
    }  # fmt: skip
    return (guess and lifted_values(arena, **limits)) or values_by_components(arena, **limits)


def values_by_components(
    arena: Arena,
    *,
    names: Sequence[Any],
    most_bits: int | None = None,
    tell: Tell | None = None,
    to_goal: bool = False,
    guess: Any = None,
) -> Solved:
    """As `exact_values`, in Python alone, from a guess of `exactdice.solve.lifting` if any."""
    solver = _Solver(arena.unfolded(), [*names, *names], most_bits)
    if guess is not None:
        solver.start = arena.moves_of_both(guess.chosen.tolist())
        solver.depths = guess.process.depths().tolist()
    solver.known = len(arena)
    solver.run(tell)
    values, known = solver.values, len(arena)
    # Equations have several solutions only if play can go on for ever.
    unlike = [s for s, other in enumerate(values[known:]) if values[s] != -other]
    if unlike:
        raise undecided(names, unlike)
    solved = Solved(values, values, solver.chosen, solver.ties, mixed=solver.mixed)
    solved = solved.of_first(known)
    if not solver.has_cycles:
        return solved
    chosen = settle_policy(
        arena,
        solved.chosen,
        solved.several,
        solver.policy[:known],
        names,
        to_goal=to_goal,
        process=None if guess is None else guess.process,
    )
    return replace(solved, chosen=chosen)


def rounded_values(
    arena: Arena, bits: int, names: Sequence[Any], tell: Tell | None = None
) -> tuple[list[mpq], Sequence[int]]:
    """Values, over 2 to the power of `bits`, of good moves, and these; it proves nothing.

    For an arena that does not change sides. Raises NoValueError as `exact_values`.
    """
    solver = _Solver(arena, names, None, bits)
    solver.run(tell)
    return solver.values, solver.policy


def _depths(arena: Arena, parts: Iterable[Component]) -> list[int]:
    """How many components at most lie between each state and an end."""
    depths = [0] * len(arena)
    for component in parts:
        after = {depths[t] for state in component.states for t in arena.successors(state)}
        depth = max(after, default=-1) + 1
        for state in component.states:
            depths[state] = depth
    return depths


def choices_at_once(arena: Arena, state: int, values: Sequence[Any]) -> list[list[mpq]]:
    """What each pair of choices returns, by values by number of state."""
    width = arena.columns[state]
    returns = [arena.returned(move, values) for move in arena.moves(state)]
    return [returns[start : start + width] for start in range(0, len(returns), width)]


class _Solver:
    """Values so far, of an arena that does not change sides: exact ones, or over 2^bits."""

    def __init__(
        self, arena: Arena, names: Sequence[Any], most_bits: int | None, bits: int | None = None
    ) -> None:
        n = len(arena)
        self.arena, self.names, self.bits, self.most_bits = arena, names, bits, most_bits
        if most_bits is not None:
            self.most_bits = min(most_bits, _MOST_WORK // max(arena.transitions, 1))
        self.values = [mpq(0)] * n
        # the first best moves, and moves by which play leaves each component
        self.chosen, self.policy = array("q", [_UNKNOWN]) * n, array("q", [_UNKNOWN]) * n
        self.ties: dict[int, tuple[int, ...]] = {}
        self.mixed: dict[int, Mixed] = {}
        self.has_cycles = False
        # good moves; how many states there are, the others being these as the other side sees them
        self.start: Sequence[int] | None = None
        self.known = n
        # where denominators must not grow too long; of the states that are known
        self.depths, self.deepest = list[int](), 0

    def run(self, tell: Tell | None) -> None:
        arena = self.arena
        parts: Iterable[Component] = components(arena)
        if self.most_bits is not None:
            parts = list(parts)
            # Without cycles, and where nothing is known beforehand, bounds take as long.
            is_long = self.start is not None or any(part.is_cyclic for part in parts)
            if is_long and arena.transitions > _MOST_TRANSITIONS:
                raise TooLargeError(
                    f"model: {arena.transitions} transitions are too many for fractions of many "
                    "digits; ask for an enclosure of some width"
                )
            self.depths = self.depths or _depths(arena, parts)
            self.deepest = max(self.depths)
        done = 0
        for component in parts:
            self.solve(component)
            done += len(component.states)
            if tell is not None and (done == len(arena) or not done % 512):
                tell(done, len(arena))

    def solve(self, component: Component) -> None:
        mirror = (component.states[0] + self.known) % len(self.arena)
        if self.known < len(self.arena) and self.policy[mirror] != _UNKNOWN:
            self._copy(component)
            return
        if component.is_cyclic:
            self.has_cycles = True
            most = MOST_JOINED if self.most_bits is None else FEW_JOINED
            cycle = Cycle(self.arena, component.states, self.values, self.bits, most)
            for state, move in cycle.solve(self.names, self.start).items():
                self._put(state, cycle.value(state), cycle.best_moves(state)[1], move)
            return
        (state,) = component.states
        if self.arena.owners[state] == END:
            self._put(state, self.arena.payoffs[state], [-1])
        elif self.arena.owners[state] == BOTH:
            solution = solve_matrix_game(choices_at_once(self.arena, state, self.values))
            self._put(state, solution.value, [-1])
            self.mixed[state] = solution.row, solution.column
        else:
            self._put(state, *best_return(self.arena, state, self.values))

    def _copy(self, component: Component) -> None:
        """Values of states that are solved as the other side sees them."""
        for state in component.states:
            mirror = (state + self.known) % len(self.arena)
            shift = self.arena.first_move[state] - self.arena.first_move[mirror]
            self.values[state] = -self.values[mirror]
            for moves in (self.chosen, self.policy):
                moves[state] = moves[mirror] + shift if moves[mirror] >= 0 else -1
            if mirror in self.mixed:
                self.mixed[state] = self.mixed[mirror][::-1]
            if mirror in self.ties:
                self.ties[state] = tuple(move + shift for move in self.ties[mirror])

    def _put(self, state: int, value: mpq, best: list[int], move: int | None = None) -> None:
        if self.most_bits is not None and self._expected_bits(state, value) > self.most_bits:
            raise TooLargeError(
                f"model: exact values are fractions of more than {self.most_bits} bits; ask for "
                "an enclosure of some width"
            )
        self.values[state] = rounded(value, self.bits)
        self.chosen[state], self.policy[state] = best[0], best[0] if move is None else move
        if len(best) > 1:
            self.ties[state] = tuple(best)

    def _expected_bits(self, state: int, value: mpq) -> int:
        """Bits of the longest denominator, as far as lengths grow evenly with the depth.

        Where they have grown little yet, or may not go on, those of this one.
        """
        bits = int(value.denominator.bit_length())
        if bits < _FEW_BITS:
            return bits
        return max(bits, bits * self.deepest // (_UNEVEN * self.depths[state % self.known] or 1))
