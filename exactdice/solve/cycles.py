"""One component with cycles: the exact values of fixed moves, and the moves that are better."""

from typing import Any

from exactdice.arithmetic import lcm, mpq, mpz
from exactdice.solve.arena import MAX, Arena
from exactdice.solve.components import Component
from exactdice.solve.evaluation import Move, evaluate


def best_return(arena: Arena, state: int, values: Any, common: Any = 1) -> tuple[mpq, list[int]]:
    """Best return of a state's moves, times a common denominator of `values`, and all such moves.

    `values` holds the values times `common`, by number of state.
    """
    owner = arena.owners[state]
    best: mpq | None = None
    moves: list[int] = []
    for move in arena.moves(state):
        returned = arena.returned(move, values, common)
        if best is None or (returned > best if owner == MAX else returned < best):
            best, moves = returned, [move]
        elif returned == best:
            moves.append(move)
    if best is None:
        raise AssertionError("a state that is no end has a move")
    return best, moves


class Cycle:
    """One component with cycles: exact values of chosen moves, times a common denominator.

    `scaled` holds the values of the states of the component and of those it leads to, times
    `common`, the common denominator of the latter.
    """

    def __init__(self, arena: Arena, component: Component, values: Any) -> None:
        self.arena, self.component = arena, component
        self.states = component.states
        n = len(arena)
        self.mirror = n if arena.changes_sides else 0
        inside = set(self.states)
        self.number = {state: place for place, state in enumerate(self.states)}
        self.outside = {
            target
            for state in self.states
            for target in arena.successors(state)
            if target % n not in inside
        }
        self.common = lcm(1, *{values[target].denominator for target in self.outside})
        self.scaled: dict[int, mpq] = {}
        for target in self.outside:
            value = values[target]
            self.scaled[target] = mpq(value.numerator * (self.common // value.denominator))

    def value(self, state: int) -> mpq:
        """The value of a state of the component under the moves evaluated last."""
        scaled = self.scaled[state]
        return mpq(scaled.numerator, scaled.denominator * self.common)

    def best_moves(self, state: int) -> tuple[bool, list[int]]:
        """Whether some move returns more to its owner than the value, and all best moves."""
        best, moves = best_return(self.arena, state, self.scaled, self.common)
        return best != self.scaled[state], moves

    def better(self, side: int) -> dict[int, int]:
        """The first best move of each state of one side in which it returns more than the value."""
        owners = self.arena.owners
        best = {s: self.best_moves(s) for s in self.states if owners[s] == side}
        return {state: moves[0] for state, (is_better, moves) in best.items() if is_better}

    def evaluate(self, chosen: dict[int, int]) -> None:
        """Put the values of the chosen moves into `scaled`.

        Raises ZeroDivisionError if play need not leave the component.
        """
        if len(self.component.cuts) == 1:
            values = self._one_cut(chosen)
        else:
            values = evaluate([*(self._as_move(chosen[state]) for state in self.states), None])
        for state, value in zip(self.states, values, strict=False):
            self.scaled[state] = value
            if self.mirror:
                self.scaled[self.mirror + state] = -value

    def _split(self, move: int) -> tuple[mpq, list[tuple[int, int]]]:
        """What a move returns from outside, times its denominator, and signed weights inside."""
        arena, n = self.arena, len(self.arena)
        constant = arena.rewards[arena.reward[move]] * self.common
        constant *= arena.denominators[arena.law[move]]
        inside = []
        for target, weight in arena.leads(move):
            if target in self.outside:
                constant += weight * self.scaled[target]
            else:
                inside.append((target, weight) if target < n else (target - n, -weight))
        return constant, inside

    def _as_move(self, move: int) -> Move:
        """A move with states by place; what leaves the component leads to a place after them."""
        constant, inside = self._split(move)
        weights: dict[int, mpz] = {}
        for state, weight in inside:
            place = self.number[state]
            weights[place] = weights.get(place, mpz(0)) + weight
        grow, whole = constant.denominator, mpz(self.arena.denominators[self.arena.law[move]])
        leaving = whole - sum(weights.values())
        if leaving:
            weights[len(self.states)] = leaving
        return Move(
            constant.numerator,
            whole * grow,
            tuple(weights),
            tuple(weight * grow for weight in weights.values()),
        )

    def _one_cut(self, chosen: dict[int, int]) -> list[mpq]:
        """Every value is a constant plus a slope times the value of the one cut state."""
        arena = self.arena
        (cut,) = self.component.cuts
        forms: dict[int, tuple[mpq, mpq]] = {cut: (mpq(0), mpq(1))}
        for state in self.states:  # the cut state last
            constant, inside = self._split(chosen[state])
            slope = mpq(0)
            for target, weight in inside:
                constant += weight * forms[target][0]
                slope += weight * forms[target][1]
            denominator = arena.denominators[arena.law[chosen[state]]]
            if state == cut:
                x = constant / (denominator - slope)
            else:
                forms[state] = (constant / denominator, slope / denominator)
        return [constant + slope * x for constant, slope in map(forms.__getitem__, self.states)]
