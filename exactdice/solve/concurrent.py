r"""Games with simultaneous moves in some states.

A state of `BOTH` is a matrix game whose entries are what follows (Shapley 1953),

.. math:: v(s) = \operatorname{val}_{ij} \Bigl[r(s, i, j) + \sum_t p(t \mid s, i, j)\, v(t)\Bigr].

If play cannot return to such states, each is one rational matrix game and the values are exact. If
it can, a value may be irrational and is enclosed. Newton's method (Pollatschek and Avi-Itzhak 1969)
finds strategies of both sides: solve the matrix games at the present values, then take the values
that the two strategies give each other. With the row strategies fixed, the value that the other
player can hold them to is a lower bound, and with the column strategies fixed the greatest value
against them is an upper bound; both are games of one player, whose values are enclosed with proof.
"""

from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import lcm
from typing import Any

from exactdice.arithmetic import mpq, rounded
from exactdice.errors import TooLargeError
from exactdice.solve.arena import (
    BOTH,
    CHANCE,
    END,
    MAX,
    MIN,
    Arena,
    Mixed,
    NoValueError,
    Solved,
    Tell,
    named,
)
from exactdice.solve.matrix_games import solve_matrix_game
from exactdice.solve.stopping import Component, closing_moves, components, ranks_against_free
from exactdice.solve.turn_games import (
    certified_bounds,
    choices_at_once,
    rounded_values,
    values_by_components,
)

_COARSE_BITS = 60
_GUARD_BITS = 30
_MAX_STEPS = 100
_STALLED = 6  # steps without a smaller change after which values are swept instead


def solve_concurrent(
    arena: Arena,
    width: mpq,
    *,
    names: Sequence[Any] | None = None,
    exact: bool = True,
    most_bits: int = 1 << 14,
    tell: Tell | None = None,
) -> Solved:
    """Solve an arena with simultaneous moves in some states."""
    known, names = len(arena), names or range(len(arena))
    if exact and not any(component.is_cyclic for component in components(arena)):
        with suppress(TooLargeError):
            return values_by_components(arena, names=names, most_bits=most_bits, tell=tell)
    if arena.changes_sides:  # what the other side sees stands behind, to be left out in the end
        arena, names = arena.unfolded(), [*names, *names]
    parts = list(components(arena))
    bits = int(mpq(1) / width).bit_length() + _GUARD_BITS
    search = _Search(arena, names)
    for done, component in enumerate(parts):
        search.solve(component, bits)
        if tell is not None:
            tell(done + 1, len(parts))
    endless = search.endless(known)
    if endless:  # a move that ties may go in circles for nothing
        search.settle(bits)
        endless = search.endless(known)
    if endless:
        raise NoValueError(
            f"model: play may never end from {named(endless)}, though one side would rather "
            "end it; use rules under which it ends"
        )
    return search.bounds(width).of_first(known)


class _Search:
    def __init__(self, arena: Arena, names: Sequence[Any]) -> None:
        n = len(arena)
        self.arena, self.names = arena, names
        self.values = [mpq(0)] * n
        self.chosen = array("q", [-1]) * n
        self.mixed: dict[int, Mixed] = {}
        for state, payoff in arena.payoffs.items():
            self.values[state] = payoff

    def solve(self, component: Component, bits: int) -> None:
        if component.is_cyclic:
            self._newton(component, _COARSE_BITS)
            self._newton(component, bits)
            return
        (state,) = component.states
        if self.arena.owners[state] != END:
            self.values[state] = rounded(self._best(state, bits), bits)

    def mirror(self, known: int) -> None:
        """Let both sides do the same in what they see: state s and `known` + s are one state."""
        for state in range(len(self.arena) - known):
            if state in self.mixed:
                row, column = self.mixed[state]
                self.mixed[known + state] = column, row
            elif self.chosen[state] >= 0:
                self.chosen[known + state] = self.chosen[state] + self.arena.first_move[known]

    def endless(self, known: int) -> list[Any]:
        self.mirror(known)
        ranks = ranks_against_free(self.arena, self.chosen, self.mixed)
        return [name for name, *each in zip(self.names, *ranks, strict=False) if min(each) < 0]

    def settle(self, bits: int) -> None:
        arena, near = self.arena, mpq(1, 1 << (bits - 8))

        def offers(state: int) -> list[int]:
            owner = arena.owners[state]
            if owner not in (MAX, MIN):
                return [self.chosen[state]]
            returns = {m: owner * arena.returned(m, self.values) for m in arena.moves(state)}
            return [move for move, got in returns.items() if got >= max(returns.values()) - near]

        self.chosen = array("q", closing_moves(arena, offers, self.mixed))

    def _best(self, state: int, bits: int) -> mpq:
        if self.arena.owners[state] == BOTH:
            solution = solve_matrix_game(choices_at_once(self.arena, state, self.values))
            self.mixed[state] = (
                _rounded_strategy(solution.row, bits),
                _rounded_strategy(solution.column, bits),
            )
            return solution.value
        value, best = self.arena.best_return(state, self.values)
        self.chosen[state] = best[0]
        return value

    def _newton(self, component: Component, bits: int) -> None:
        """Take steps until the values change only by rounding."""
        states = component.states
        still = mpq(1, 1 << (bits - 8))
        least, stalled = None, 0
        for _ in range(_MAX_STEPS):
            swept = {state: rounded(self._best(state, bits), bits) for state in states}
            change = max(abs(swept[state] - self.values[state]) for state in states)
            if change <= still:
                return
            stalled = 0 if least is None or change < least else stalled + 1
            least = change if least is None else min(least, change)
            valued = None if stalled > _STALLED else self._valued(component, bits)
            if valued is None:
                stalled = 0 if stalled > 4 * _STALLED else stalled
            for state, value in (swept if valued is None else valued).items():
                self.values[state] = value
        raise NoValueError(
            "model: strategies did not settle among "
            f"{named([self.names[state] for state in states])}; play may never end there"
        )

    def _valued(self, component: Component, bits: int) -> dict[int, mpq] | None:
        """Values that the present strategies give each other; None if play need not end."""
        states = component.states
        chain = fixed_strategies(self.arena, self.chosen, self.mixed, states, self.values)
        number = {state: i for i, state in enumerate(states)}
        try:
            values, _ = rounded_values(chain, bits + _GUARD_BITS, range(len(chain)))
        except NoValueError:
            return None
        return {s: rounded(values[number[s]], bits) for s in states}

    def bounds(self, width: mpq) -> Solved:
        against_rows = free_against(self.arena, self.chosen, self.mixed, free=MIN)
        against_columns = free_against(self.arena, self.chosen, self.mixed, free=MAX)
        low = certified_bounds(against_rows, width / 4, names=self.names)
        high = certified_bounds(against_columns, width / 4, names=self.names)
        low_bits, high_bits = low.bits or 0, high.bits or 0
        bits = max(low_bits, high_bits)
        lower = [bound << (bits - low_bits) for bound in low.lower]
        upper = [bound << (bits - high_bits) for bound in high.upper]
        several = {}
        for state in range(len(self.arena)):
            if self.arena.owners[state] in (MAX, MIN) and len(self.arena.moves(state)) > 1:
                owner, arena, one = self.arena.owners[state], self.arena, 1 << bits
                far, near = (upper, lower) if owner == MAX else (lower, upper)
                returns = {m: owner * arena.returned(m, far, one) for m in arena.moves(state)}
                moves = tuple(m for m, most in returns.items() if most >= owner * near[state])
                if len(moves) > 1:
                    several[state] = moves
        method = "enclosed by both strategies"
        return Solved(lower, upper, self.chosen, several, bits, self.mixed, method)


def _rounded_strategy(chances: Sequence[mpq], bits: int) -> tuple[mpq, ...]:
    shares = [rounded(chance, bits) for chance in chances]
    greatest = max(range(len(shares)), key=shares.__getitem__)
    shares[greatest] += 1 - sum(shares, mpq(0))
    return tuple(shares)


def fixed_strategies(
    arena: Arena,
    chosen: Sequence[int],
    mixed: Mapping[int, Mixed],
    states: Sequence[int] | None = None,
    values: Sequence[mpq] | None = None,
) -> Arena:
    """Return the chain under fixed moves and strategies; with `values`, only for some states."""
    chain = Arena()
    chain.changes_sides = arena.changes_sides
    kept = range(len(arena)) if states is None else states
    number = {state: i for i, state in enumerate(kept)}
    outside = len(kept)
    for state in kept:
        owner = arena.owners[state]
        if owner == END:
            chain.end(arena.payoffs[state])
            continue
        chain.open(CHANCE)
        if owner == BOTH:
            row, column = mixed[state]
            shares = [p * q for p in row for q in column]
            chances = list(zip(shares, arena.moves(state), strict=True))
        else:
            chances = [(mpq(1), chosen[state])]
        reward, parts = _drawn(arena, chances)
        if values is not None:
            reward += sum((c * values[t] for t, c in parts.items() if t not in number), mpq(0))
            parts = _merged(parts, number, outside)
        _add(chain, reward, parts)
    if values is not None:
        chain.end(mpq(0))
    return chain


def free_against(
    arena: Arena, chosen: Sequence[int], mixed: Mapping[int, Mixed], *, free: int
) -> Arena:
    alone = Arena()
    for state, owner in enumerate(arena.owners):
        if owner == END:
            alone.end(arena.payoffs[state])
        elif owner == BOTH:
            width, first = arena.columns[state], arena.first_move[state]
            row, column = mixed[state]
            alone.open(free)
            if free == MAX:
                for i in range(len(row)):
                    offered = [(q, first + i * width + j) for j, q in enumerate(column)]
                    _add(alone, *_drawn(arena, offered))
            else:
                for j in range(width):
                    offered = [(p, first + i * width + j) for i, p in enumerate(row)]
                    _add(alone, *_drawn(arena, offered))
        else:
            alone.open(owner if owner == free else CHANCE)
            for move in arena.moves(state) if owner == free else (chosen[state],):
                _add(alone, *_drawn(arena, [(mpq(1), move)]))
    return alone


def _drawn(arena: Arena, chances: list[tuple[mpq, int]]) -> tuple[mpq, dict[int, mpq]]:
    reward, parts = mpq(0), dict[int, mpq]()
    for chance, move in chances:
        if chance:
            reward += chance * arena.rewards[arena.reward[move]]
            share = chance / arena.denominators[arena.law[move]]
            for target, weight in arena.leads(move):
                parts[target] = parts.get(target, mpq(0)) + weight * share
    return reward, parts


def _merged(parts: dict[int, mpq], number: dict[int, int], outside: int) -> dict[int, mpq]:
    merged: dict[int, mpq] = {}
    for target, chance in parts.items():
        place = number.get(target, outside)
        merged[place] = merged.get(place, mpq(0)) + chance
    return merged


def _add(arena: Arena, reward: mpq, parts: dict[int, mpq]) -> None:
    common = lcm(*(int(chance.denominator) for chance in parts.values()))
    arena.move(reward, tuple(int(chance * common) for chance in parts.values()), tuple(parts))
