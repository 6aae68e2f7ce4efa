r"""Exact values and certified bounds of chains, decision processes and alternating games.

The values of an arena solve

.. math:: v(s) = \operatorname{opt}_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\, v(t)\Bigr],

opt being max, min or nothing for an owner MAX, MIN or chance. The C++ solvers find them digit by
digit (`exactdice.solve.lifting`) if they are built and take the arena. Otherwise components are
solved one by one, sinks first: a state without a loop is a comparison, and a component with cycles
is solved by policies (`exactdice.solve.cycles`), over one common denominator of everything that it
leads to, so that only small denominators occur in between.

For one player, policies count under which play ends with probability 1. For two players, play must
end against the strategy found for either, whatever the other does (`exactdice.solve.stopping`);
otherwise `NoValueError` names states. If a goal is to be reached, and infinite play pays nothing,
MAX alone must be able to end play.

Bounds are integers over :math:`2^k`: :math:`\ell(s) \le v(s) \le u(s)`. They come from values
:math:`\tilde v` in fixed point (`rounded_values`) and the expected number :math:`h` of moves until
play ends under the strategies found, as :math:`\tilde v \mp \delta h`: each move costs :math:`h`
one, which covers its rounding. They are proved by inequalities, checked in integers for every state
and move,

.. math:: u(s) \ge r(s, a) + \sum_t p(t \mid s, a)\, u(t), \qquad
          \ell(s) \le r(s, a) + \sum_t p(t \mid s, a)\, \ell(t),

the first for every move of MAX and the chosen ones of MIN, the second for the chosen ones of MAX
and every one of MIN, and by the end of play (`stopping`): step by step, against any strategy of the
other player, the chosen moves guarantee :math:`\ell` and concede no more than :math:`u`. This is
the fallback of `lifting.enclosed_values`, which takes less time. A chosen move is *proved* to be
the only optimal one if the bounds separate it strictly from all others; otherwise the moves are
ties.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from exactdice.arithmetic import mpq, rounded, significant
from exactdice.errors import TooLargeError
from exactdice.solve.arena import BOTH, END, MAX, Arena, Mixed, NoValueError, Solved, Tell, named
from exactdice.solve.stopping import Component, components, settle_policy, undecided

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
    """Solve an arena exactly."""
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
    """Solve as `exact_values` in Python, from a guess of `exactdice.solve.lifting` if any."""
    solver = _Solver(arena.unfolded(), [*names, *names], most_bits)
    if guess is not None:
        solver.start = arena.moves_of_both(guess.chosen.tolist())
        solver.depths = guess.process.depths().tolist()
    solver.known = len(arena)
    solver.run(tell)
    values, known = solver.values, len(arena)
    # Equations have several solutions only if play may never end.
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
    """Return values times 2 to the power of `bits` and good moves, without proof."""
    solver = _Solver(arena, names, None, bits)
    solver.run(tell)
    return solver.values, solver.policy


def _depths(arena: Arena, parts: Iterable[Component]) -> list[int]:
    depths = [0] * len(arena)
    for component in parts:
        after = {depths[t] for state in component.states for t in arena.successors(state)}
        depth = max(after, default=-1) + 1
        for state in component.states:
            depths[state] = depth
    return depths


def choices_at_once(arena: Arena, state: int, values: Sequence[Any]) -> list[list[mpq]]:
    width = arena.columns[state]
    returns = [arena.returned(move, values) for move in arena.moves(state)]
    return [returns[start : start + width] for start in range(0, len(returns), width)]


class _Solver:
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
            # Without cycles, or without a guess, bounds take as long.
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
            from exactdice.solve.cycles import FEW_JOINED, MOST_JOINED, Cycle

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
            from exactdice.solve.matrix_games import solve_matrix_game

            solution = solve_matrix_game(choices_at_once(self.arena, state, self.values))
            self._put(state, solution.value, [-1])
            self.mixed[state] = solution.row, solution.column
        else:
            self._put(state, *self.arena.best_return(state, self.values))

    def _copy(self, component: Component) -> None:
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
        bits = int(value.denominator.bit_length())
        if bits < _FEW_BITS:
            return bits
        return max(bits, bits * self.deepest // (_UNEVEN * self.depths[state % self.known] or 1))


_GUARD_BITS = 40
_LENGTH_BITS = 16
_MAX_TRIES = 6


def certified_bounds(
    arena: Arena, width: mpq, *, names: Sequence[Any] | None = None, tell: Tell | None = None
) -> Solved:
    """Enclose all values of an arena within a width: a few integer products for each transition."""
    from exactdice.solve.lifting import enclosed_values  # loads numpy

    names = names or range(len(arena))
    bounds = enclosed_values(arena, width, names=names, tell=tell)
    if bounds is not None:
        return bounds
    known, arena, names = len(arena), arena.unfolded(), [*names, *names]
    bits = int(mpq(1) / width).bit_length() + _GUARD_BITS
    for _ in range(_MAX_TRIES):
        values, chosen = rounded_values(arena, bits, names, tell)
        chosen = settle_policy(arena, chosen, {}, chosen, names)
        fixed = [int((v.numerator << bits) // v.denominator) for v in values]
        lengths = _lengths(arena, bits, fixed, chosen, names)
        bounds = _proved(arena, bits, fixed, chosen, lengths, names)
        widest = max(above - below for below, above in zip(bounds.lower, bounds.upper, strict=True))
        if mpq(widest, 1 << bits) <= width:
            bounds = replace(bounds, method=f"enclosed within {significant(width, 1)}")
            return bounds.of_first(known)
        bits += int(mpq(widest, 1 << bits) / width).bit_length() + 2
    raise NoValueError("model: no bounds of this width were found; ask for exact values")


def _lengths(
    arena: Arena, bits: int, values: list[int], chosen: Sequence[int], names: Sequence[Any]
) -> list[int]:
    """Expected number of moves to the end, in units of 2^-16; near ties count the longer way."""
    longest, near = Arena(), 1 << (bits // 2)
    for state, owner in enumerate(arena.owners):
        if owner == END:
            longest.end(mpq(0))
            continue
        moves: Sequence[int] = (chosen[state],)
        if len(arena.moves(state)) > 1:
            returned = {m: arena.returned(m, values, 1 << bits) for m in arena.moves(state)}
            moves = [m for m, r in returned.items() if abs(r - values[state]) < near] or moves
        longest.open(MAX)
        for move in moves:
            longest.move(mpq(1), arena.weights[arena.law[move]], arena.heads(move))
    try:
        lengths, _ = rounded_values(longest, _LENGTH_BITS, names)
    except NoValueError:
        raise NoValueError(
            f"model: from {named([names[0]])} on play can go in a circle at no loss, so no bounds "
            "can be proved; ask for exact values"
        ) from None
    return [int(length * (1 << _LENGTH_BITS)) for length in lengths]


def _proved(
    arena: Arena,
    bits: int,
    values: list[int],
    chosen: Sequence[int],
    lengths: list[int],
    names: Sequence[Any],
) -> Solved:
    """Bounds around the values, as narrow as the inequalities allow."""
    shift = _LENGTH_BITS
    for _ in range(24):
        upper = [v + (h >> shift) + 1 for v, h in zip(values, lengths, strict=True)]
        lower = [v - (h >> shift) - 1 for v, h in zip(values, lengths, strict=True)]
        for state, payoff in arena.payoffs.items():
            lower[state] = values[state]
            upper[state] = lower[state] + (mpq(lower[state], 1 << bits) != payoff)
        unsettled = _unsettled(arena, bits, lower, upper, chosen)
        if unsettled is not None:
            return Solved(lower, upper, chosen, unsettled, bits)
        shift -= 2
        lengths = lengths if shift >= 0 else [h << 2 for h in lengths]
        shift = max(shift, 0)
    problem = f"model: no bounds can be proved from {named([names[0]])} on; ask for exact values"
    raise NoValueError(problem)


def _unsettled(
    arena: Arena, bits: int, lower: list[int], upper: list[int], chosen: Sequence[int]
) -> dict[int, tuple[int, ...]] | None:
    """States in which other moves may be as good as the chosen one; None if a bound fails."""
    several, one = dict[int, tuple[int, ...]](), 1 << bits
    for state, owner in enumerate(arena.owners):
        if owner == END:
            continue
        move = chosen[state]
        if (
            arena.returned(move, lower, one) < lower[state]
            or arena.returned(move, upper, one) > upper[state]
        ):
            return None
        far, near = (upper, lower) if owner == MAX else (lower, upper)
        others = [move]
        for other in arena.moves(state):
            if other != move:
                bound = arena.returned(other, far, one)
                if owner * bound > owner * far[state]:
                    return None
                if owner * bound >= owner * near[state]:
                    others.append(other)
        if len(others) > 1:
            several[state] = tuple(sorted(others))
    return several
