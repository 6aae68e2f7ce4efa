r"""Certified bounds of the values of an arena, for values too long to be written as fractions.

Bounds are integers over :math:`2^k`: :math:`\ell(s) \le v(s) \le u(s)`. They come from values
:math:`\tilde v` found in fixed point (`newton`) and the expected number :math:`h` of moves until
play ends under the strategies found, as :math:`\tilde v \mp \delta h`: each move costs :math:`h`
one, which pays for what was rounded there. That alone proves nothing. What does are the
inequalities, checked in integers for every state and move,

.. math:: u(s) \ge r(s, a) + \sum_t p(t \mid s, a)\, u(t), \qquad
          \ell(s) \le r(s, a) + \sum_t p(t \mid s, a)\, \ell(t),

the first for every move of MAX and the chosen ones of MIN, the second for the chosen ones of MAX
and every one of MIN, and that play ends (`stopping`): step by step along any strategy of the other
player, the chosen ones are sure of :math:`\ell` and concede no more than :math:`u`.

So bounds are found where the C++ solvers are not built, or find none; else they come from
`exactdice.solve.enclosing`, in less time.

A chosen move is *proved* to be the only optimal one of its state where the bounds keep every other
move strictly apart from it. Where they do not, the moves are named as unsettled ties.
"""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from operator import mul
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import mpq, significant
from exactdice.solve.arena import END, MAX, MIN, Arena, NoValueError, Solved, Tell, named
from exactdice.solve.components import Component, components
from exactdice.solve.cycles import Cycle
from exactdice.solve.newton import FixedPoint, UnsettledError
from exactdice.solve.stopping import policy_of_component, settle_policy

if TYPE_CHECKING:
    from exactdice.solve.lifting import Guess

_GUARD_BITS = 40
_LENGTH_BITS = 16
_MAX_TRIES = 6


def certified_bounds(
    arena: Arena,
    width: mpq,
    *,
    names: Sequence[Any] | None = None,
    tell: Tell | None = None,
    guess: "Guess | None" = None,
) -> Solved:
    """Enclose all values of an arena within a width, from a guess if there is one.

    Raises NoValueError if play need not end, or no bounds can be proved, as where moves that cost
    nothing lead round in a circle; exact values may be found all the same.

    >>> from exactdice.solve.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 2), (1, 0)); arena.end(mpq(1, 3))
    >>> bounds = certified_bounds(arena, mpq(1, 1000))
    >>> bounds.lower[0] * 3 <= 2**bounds.bits <= bounds.upper[0] * 3
    True

    A few integer products of about log₂(1/width) bits for each transition.
    """
    from exactdice.solve.enclosing import enclosed_values  # loads numpy

    names = names or range(len(arena))
    bounds = enclosed_values(arena, width, names=names, tell=tell, guess=guess)
    if bounds is not None:
        return bounds
    parts = list(components(arena))
    bits = int(mpq(1) / width).bit_length() + _GUARD_BITS
    for _ in range(_MAX_TRIES):
        fixed = _solved(arena, parts, bits, names, tell)
        lengths = _lengths(arena, parts, fixed, names)
        bounds = _proved(arena, fixed, lengths, names)
        widest = max(above - below for below, above in zip(bounds.lower, bounds.upper, strict=True))
        if mpq(widest, 1 << bits) <= width:
            return replace(bounds, method=f"enclosed within {significant(width, 1)}")
        bits += int(mpq(widest, 1 << bits) / width).bit_length() + 2
    raise NoValueError("model: no bounds of the width asked for are found; ask for exact values")


def _solved(
    arena: Arena, parts: list[Component], bits: int, names: Sequence[Any], tell: Tell | None
) -> FixedPoint:
    fixed = FixedPoint(arena, bits)
    done = 0
    for component in parts:
        try:
            fixed.solve(component)
        except UnsettledError:
            _solve_exactly(arena, component, fixed, names)
        done += len(component.order) + len(component.cuts)
        if tell is not None and (done == len(arena) or not done % 512):
            tell(done, len(arena))
    if any(component.cuts for component in parts):
        fixed.chosen = array("q", settle_policy(arena, fixed.chosen, {}, fixed.chosen, names))
    return fixed


def _solve_exactly(
    arena: Arena, component: Component, fixed: FixedPoint, names: Sequence[Any]
) -> None:
    """Values of a component by exact policy iteration, given rounded ones around it."""
    scale = 1 << fixed.bits
    inside = set(component.states)
    around = {
        target: mpq(fixed.values[target], scale)
        for state in component.states
        for target in arena.successors(state)
        if target % len(arena) not in inside
    }
    cycle = Cycle(arena, component, around)
    for state, move in policy_of_component(cycle, names).items():
        fixed.put_exactly(state, cycle.value(state))
        fixed.chosen[state] = move


def _lengths(
    arena: Arena, parts: list[Component], fixed: FixedPoint, names: Sequence[Any]
) -> list[int]:
    """Expected number of moves to the end, in units of 2^-16, under the chosen moves.

    Where another move is as good as the chosen one as far as can be seen, the longer way counts.
    """
    near = 1 << (fixed.bits // 2)
    several: dict[int, list[int]] = {}
    for state in range(len(arena)):
        if arena.owners[state] in (MAX, MIN) and len(arena.moves(state)) > 1:
            tied = [
                move
                for move in arena.moves(state)
                if abs(fixed.returned(move) - fixed.values[state]) < near
            ]
            if len(tied) > 1:
                several[state] = tied
    forgetful = arena.forgetting_sides() if arena.changes_sides else arena
    longest = forgetful.owned_as(lambda owner: MAX if owner == MIN else owner)
    chosen = fixed.chosen
    steps = FixedPoint(
        longest,
        _LENGTH_BITS,
        moves=lambda state: several.get(state) or (chosen[state],),
        reward=1,
    )
    for component in parts:
        try:
            steps.solve(component)
        except UnsettledError:
            endless = named([names[state] for state in component.states])
            raise NoValueError(
                f"model: play can go on for ever at no loss among {endless}, so that no bounds can "
                "be proved; ask for exact values"
            ) from None
    return steps.values


def _proved(arena: Arena, fixed: FixedPoint, lengths: list[int], names: Sequence[Any]) -> Solved:
    """Bounds around the values, as narrow as the inequalities allow."""
    bits, n = fixed.bits, len(arena)
    shift = _LENGTH_BITS
    for _ in range(24):
        upper = [v + (h >> shift) + 1 for v, h in zip(fixed.values, lengths, strict=False)]
        lower = [v - (h >> shift) - 1 for v, h in zip(fixed.values, lengths, strict=False)]
        for state, payoff in arena.payoffs.items():
            lower[state] = fixed.values[state]
            upper[state] = lower[state] + (mpq(lower[state], 1 << bits) != payoff)
        unsettled = _Inequalities(arena, bits, lower, upper, fixed.chosen).unsettled()
        if unsettled is not None:
            return Solved(lower[:n], upper[:n], fixed.chosen, unsettled, bits)
        shift -= 2
        lengths = lengths if shift >= 0 else [h << 2 for h in lengths]
        shift = max(shift, 0)
    raise NoValueError(
        f"model: no bounds can be proved from {named([names[0]])} on; ask for exact values"
    )


class _Inequalities:
    """The inequalities of the module docstring, in integers."""

    def __init__(
        self,
        arena: Arena,
        bits: int,
        lower: list[int],
        upper: list[int],
        chosen: Sequence[int],
    ) -> None:
        self.arena, self.chosen = arena, chosen
        self.lower, self.upper = lower, upper
        turned = arena.changes_sides
        self.below = lower + [-bound for bound in upper] if turned else lower
        self.above = upper + [-bound for bound in lower] if turned else upper
        # Rewards rounded both ways; the sums are divided, rounding outwards, by the callers.
        self.rewards = (
            [(r.numerator << bits) // r.denominator for r in arena.rewards],
            [-((-r.numerator << bits) // r.denominator) for r in arena.rewards],
        )

    def at_least(self, move: int) -> int:
        """A lower bound of what a move returns."""
        return self._sum(move, self.below) // self._denominator(move) + int(
            self.rewards[0][self.arena.reward[move]]
        )

    def at_most(self, move: int) -> int:
        """An upper bound of what a move returns."""
        return -(-self._sum(move, self.above) // self._denominator(move)) + int(
            self.rewards[1][self.arena.reward[move]]
        )

    def _denominator(self, move: int) -> int:
        return self.arena.denominators[self.arena.law[move]]

    def _sum(self, move: int, bounds: list[int]) -> int:
        arena = self.arena
        heads = arena.targets[arena.first_target[move] : arena.first_target[move + 1]]
        return sum(map(mul, arena.weights[arena.law[move]], map(bounds.__getitem__, heads)))

    def unsettled(self) -> dict[int, tuple[int, ...]] | None:
        """States in which other moves may be as good as the chosen one; None if a bound fails."""
        arena, several = self.arena, dict[int, tuple[int, ...]]()
        for state in range(len(arena)):
            owner = arena.owners[state]
            if owner == END:
                continue
            lower, upper, move = self.lower[state], self.upper[state], self.chosen[state]
            if self.at_least(move) < lower or self.at_most(move) > upper:
                return None
            others = []
            for other in arena.moves(state):
                if other != move and owner == MAX:
                    bound = self.at_most(other)
                    if bound > upper:
                        return None
                    if bound >= lower:
                        others.append(other)
                elif other != move and owner == MIN:
                    bound = self.at_least(other)
                    if bound < lower:
                        return None
                    if bound <= upper:
                        others.append(other)
            if others:
                several[state] = tuple(sorted([*others, move]))
        return several
