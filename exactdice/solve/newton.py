r"""Approximate values of an arena in fixed point, by Newton's method on its cut states.

Values are integers over :math:`2^k`. In a component with cut states c, one sweep along the others
takes values :math:`x_c` assumed for the cut states to the values :math:`F(x)_c` that follow for
them when every state takes its best move. The solution is the fixed point of F, which is piecewise
linear; with the slopes B of the piece in force,

.. math:: x \leftarrow x + (I - B)^{-1} (F(x) - x)

is policy iteration (Puterman and Brumelle 1979): it is exact as soon as the best moves no longer
change. For one side alone F is convex or concave, and the steps converge. Where both sides own
states, a strategy of MIN is held fixed while MAX is solved and improved afterwards (Hoffman and
Karp 1966), if the joint steps do not settle.

What comes out is rounded and proves nothing. `turn_games` and `bounds` prove what they state.

With one cut state, slopes are integers too; with more, they are doubles, which limits only how
many digits each step gains.
"""

from array import array
from collections.abc import Callable, Sequence
from operator import mul
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.memory import require_memory
from exactdice.solve.arena import CHANCE, END, MAX, MIN, Arena
from exactdice.solve.components import Component

_SLOPE_BITS = 96
_ONE = 1 << _SLOPE_BITS
_MAX_STEPS = 80
_MAX_IMPROVEMENTS = 200
_STILL = 2  # units of the last place within which a cut state is taken to be solved
_TIED = 4  # units of the last place by which a later move must be better to be preferred


class UnsettledError(ArithmeticError):
    """The steps found no fixed point: perhaps play can go on for ever. Never reaches a user."""


class FixedPoint:
    """Values and best moves of an arena, solved component by component, sinks first.

    `arena`: without states of `BOTH`. `bits`: values are integers over 2 to the power of this.
    `moves`: the moves to choose among in a state; all of its own where None. `reward`: what to
    count instead of each move's reward, the same for all moves; their own where None. `values`: the
    value of each state; in an arena that changes sides, then their negatives. `chosen`: the number
    of each state's best move, the first of those that are equal as far as rounding tells; −1 where
    play has ended.
    """

    def __init__(
        self,
        arena: Arena,
        bits: int,
        *,
        moves: Callable[[int], Sequence[int]] | None = None,
        reward: int | None = None,
    ) -> None:
        self.arena, self.bits = arena, bits
        self.moves: Callable[[int], Sequence[int]] = moves or arena.moves
        n = len(arena)
        self.mirror = n if arena.changes_sides else 0
        self.values = [0] * (n + self.mirror)
        self.slopes = [0] * (n + self.mirror)
        self.chosen = array("q", [-1]) * n
        for state, payoff in arena.payoffs.items():
            self.put_exactly(state, payoff if reward is None else mpq(0))
        self.frozen = False  # whether MIN keeps to its chosen moves
        # A law of equal weights needs a sum only.
        self.weights = [None if set(weights) == {1} else weights for weights in arena.weights]
        if reward is None:
            self.rewards = [self.scaled(exact) for exact in arena.rewards]
        else:
            self.rewards = [reward << bits] * len(arena.rewards)

    def scaled(self, number: mpq) -> int:
        """A rational over the power of two, rounded down."""
        return int((number.numerator << self.bits) // number.denominator)

    def put(self, state: int, value: int) -> None:
        """Set the value of a state, seen by either side."""
        self.values[state] = value
        if self.mirror:
            self.values[self.mirror + state] = -value

    def put_exactly(self, state: int, value: mpq) -> None:
        """Set the value of a state to a rational, rounded down."""
        self.put(state, self.scaled(value))

    def solve(self, component: Component) -> None:
        """Solve one component, all that it leads to being solved.

        Raises UnsettledError if the steps find no fixed point.
        """
        if component.cuts:
            step = self._one_cut if len(component.cuts) == 1 else self._many_cuts
            try:
                step(component)
            except UnsettledError:
                if self.mirror or not _both_sides(self.arena, component):
                    raise
                self._by_strategies(component, step)
        else:
            self._sweep(component.order)

    def best(self, state: int) -> int:
        """Greatest, or for MIN least, return of the moves of a state; notes the move."""
        owner = self.arena.owners[state]
        if owner == END:
            return self.values[state]
        moves = self.moves(state)
        if self.frozen and owner == MIN:
            moves = (self.chosen[state],)
        best, choice = 0, -1
        for move in moves:
            total = self.returned(move)
            if choice < 0 or (
                total > best + _TIED if owner == MAX else owner == MIN and total < best - _TIED
            ):
                best, choice = total, move
        self.chosen[state] = choice
        return best

    def returned(self, move: int) -> int:
        """What a move returns, by the present values."""
        arena = self.arena
        number = arena.law[move]
        heads = map(
            self.values.__getitem__,
            arena.targets[arena.first_target[move] : arena.first_target[move + 1]],
        )
        factors = self.weights[number]
        total = sum(heads) if factors is None else sum(map(mul, factors, heads))
        return total // arena.denominators[number] + self.rewards[arena.reward[move]]

    def _sweep(self, states: tuple[int, ...]) -> bool:
        """Give states their best values in order; tell whether a best move changed."""
        changed = False
        chosen, mirror, values = self.chosen, self.mirror, self.values
        for state in states:
            before = chosen[state]
            values[state] = value = self.best(state)
            if mirror:
                values[mirror + state] = -value
            if chosen[state] != before:
                changed = True
        return changed

    def _slope(self, state: int) -> int:
        """How fast the return of the chosen move grows with the value of the one cut state."""
        arena, move = self.arena, self.chosen[state]
        number = arena.law[move]
        heads = map(
            self.slopes.__getitem__,
            arena.targets[arena.first_target[move] : arena.first_target[move + 1]],
        )
        factors = self.weights[number]
        total = sum(heads) if factors is None else sum(map(mul, factors, heads))
        return total // arena.denominators[number]

    def _put_slope(self, state: int, slope: int) -> None:
        self.slopes[state] = slope
        if self.mirror:
            self.slopes[self.mirror + state] = -slope

    def _one_cut(self, component: Component) -> None:
        try:
            self._steps_of_one_cut(component)
        finally:
            for state in component.states:
                self._put_slope(state, 0)

    def _steps_of_one_cut(self, component: Component) -> None:
        (cut,) = component.cuts
        x = self.values[cut]
        slope = None
        for _ in range(_MAX_STEPS):
            changed = self._sweep(component.order)
            before = self.chosen[cut]
            gap = self.best(cut) - x
            changed = changed or self.chosen[cut] != before
            if abs(gap) <= _STILL:
                return
            if changed or slope is None:
                self._put_slope(cut, _ONE)
                for state in component.order:
                    self._put_slope(state, self._slope(state))
                slope = self._slope(cut)
            if slope >= _ONE - 1:
                raise UnsettledError
            x += (gap << _SLOPE_BITS) // (_ONE - slope)
            self.put(cut, x)
        raise UnsettledError

    def _many_cuts(self, component: Component) -> None:
        import numpy as np

        cuts = component.cuts
        # The slopes of all its states, and the matrix with its inverse.
        require_memory(
            8 * len(cuts) * (len(component.order) + 5 * len(cuts)),
            f"model: a component of {len(component.states)} states that lead to one another",
        )
        inverse = None
        for _ in range(_MAX_STEPS):
            changed = self._sweep(component.order)
            before = [self.chosen[cut] for cut in cuts]
            gaps = [self.best(cut) - self.values[cut] for cut in cuts]
            changed = changed or before != [self.chosen[cut] for cut in cuts]
            if max(map(abs, gaps)) <= _STILL:
                return
            if changed or inverse is None:
                try:
                    inverse = np.linalg.inv(np.eye(len(cuts)) - self._jacobian(component))
                except np.linalg.LinAlgError:
                    raise UnsettledError from None
            shift = max(0, max(gap.bit_length() for gap in gaps) - 900)
            steps = inverse @ np.array([gap >> shift for gap in gaps], dtype=np.float64)
            if not np.isfinite(steps).all():
                raise UnsettledError
            for cut, step in zip(cuts, steps.tolist(), strict=True):
                self.put(cut, self.values[cut] + (int(step) << shift))
        raise UnsettledError

    def _jacobian(self, component: Component) -> Any:
        """Slopes of F at the chosen moves, as a matrix of doubles."""
        import numpy as np

        arena, n, c = self.arena, len(self.arena), len(component.cuts)
        rows = {state: i for i, state in enumerate(component.states)}
        slopes = np.zeros((len(rows) + c, c))
        first = len(component.order)
        slopes[first : first + c] = np.eye(c)
        for place, state in enumerate((*component.order, *component.cuts)):
            total = np.zeros(c)
            move = self.chosen[state]
            for target, weight in arena.leads(move):
                row = rows.get(target % n)
                if row is not None:
                    total += slopes[row] * np.float64(weight if target < n else -weight)
            total /= np.float64(arena.denominators[arena.law[move]])
            slopes[place if place < first else place + c] = total
        return slopes[first + c :]

    def _by_strategies(self, component: Component, step: Callable[[Component], None]) -> None:
        """Hold MIN's strategy fixed, solve for MAX, improve MIN's, until nothing improves."""
        owners = self.arena.owners
        minors = [state for state in component.states if owners[state] == MIN]
        for state in minors:
            if self.chosen[state] < 0:
                self.chosen[state] = self.moves(state)[0]
        try:
            for _ in range(_MAX_IMPROVEMENTS):
                self.frozen = True
                step(component)
                self.frozen = False
                before = [self.chosen[state] for state in minors]
                for state, move in zip(minors, before, strict=True):
                    value = self.values[state]
                    if self.best(state) >= value - _TIED:
                        self.chosen[state] = move
                if before == [self.chosen[state] for state in minors]:
                    return
        finally:
            self.frozen = False
        raise UnsettledError


def _both_sides(arena: Arena, component: Component) -> bool:
    owners = {arena.owners[state] for state in component.states}
    return MAX in owners and MIN in owners


def one_side(arena: Arena, states: tuple[int, ...]) -> int | None:
    """The only side that chooses among these states, CHANCE where none does, None where both do."""
    owners = {arena.owners[state] for state in states} - {CHANCE, END}
    if arena.changes_sides or len(owners) > 1:
        return None
    return owners.pop() if owners else CHANCE
