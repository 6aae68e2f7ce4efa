r"""Exact values of fixed moves, of chains and of components with cycles; and better moves.

Under fixed moves by which play ends an arena is an absorbing chain, and its values solve
:math:`v = r + P v`, which has exactly one solution. `evaluate` takes the system apart first:

1. strongly connected components (networkx), sinks first, so that a component sees only values that
   are known already; a component of one state without a loop is a single sum;
2. in a component with a cycle, a set of *cut* states is found that meets every cycle. Along the
   other states, in topological order, every value is an affine function of the cut values, with
   python-flint's rational polynomials as vectors of coefficients;
3. the cut states alone give a dense rational system, solved by FLINT's Dixon lifting.

A component of n states and m transitions with c cut states costs O(m·c) rational operations and
one solve with c unknowns, where c is often far below n.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq, fmpq_mat, fmpq_poly

from exactdice.arithmetic import from_flint, lcm, mpq, mpz, to_flint
from exactdice.solve.arena import MAX, Arena
from exactdice.solve.components import Component, cut_states

if TYPE_CHECKING:
    import networkx as nx


class Move(NamedTuple):
    """A choice over one denominator, its successors by index.

    It pays ``reward/denominator`` and leads to ``targets[k]`` with probability
    ``weights[k]/denominator``.
    """

    reward: mpz
    denominator: mpz
    targets: tuple[int, ...]
    weights: tuple[mpz, ...]

    def expected_return(self, values: Sequence[mpq]) -> mpq:
        """Return reward plus expected value of the successor."""
        if len(self.targets) == 1:
            return mpq(self.reward, self.denominator) + values[self.targets[0]]
        total = mpq(self.reward)
        for target, weight in zip(self.targets, self.weights, strict=True):
            total += weight * values[target]
        return total / self.denominator


def evaluate(moves: Sequence[Move | None]) -> list[mpq]:
    """Solve v = r + P v for the chosen moves of a proper policy.

    A walk that pays 1 a step and ends with probability 1/3 lasts 3 steps:

    >>> evaluate([Move(mpz(3), mpz(3), (0, 1), (mpz(2), mpz(1))), None])
    [mpq(3,1), mpq(0,1)]
    """
    import networkx as nx  # takes 0.1 s to load, so only where something is solved

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(moves)))
    for state, move in enumerate(moves):
        if move is not None:
            graph.add_edges_from((state, target) for target in move.targets)
    values = [mpq(0)] * len(moves)
    condensation = nx.condensation(graph)
    for component in reversed(list(nx.topological_sort(condensation))):
        members = condensation.nodes[component]["members"]
        if len(members) == 1:
            (state,) = members
            _evaluate_single(state, moves[state], values)
        else:
            _evaluate_cyclic(graph.subgraph(members), moves, values)
    return values


def _evaluate_single(state: int, move: Move | None, values: list[mpq]) -> None:
    if move is None:
        return
    if state not in move.targets:
        values[state] = move.expected_return(values)
        return
    staying = mpq(move.weights[move.targets.index(state)], move.denominator)
    values[state] = move.expected_return(values) / (1 - staying)  # values[state] is still 0


def _evaluate_cyclic(
    component: "nx.DiGraph[int]", moves: Sequence[Move | None], values: list[mpq]
) -> None:
    import networkx as nx

    cuts = cut_states(component)
    unknown = {state: 1 + column for column, state in enumerate(cuts)}
    forms = {
        state: fmpq_poly([0] * column + [1]) for state, column in unknown.items()
    }  # column 0 holds the constant
    rest = component.subgraph(state for state in component if state not in unknown)
    order = list(reversed(list(nx.topological_sort(rest))))

    def affine(state: int) -> fmpq_poly:
        move = _chosen(moves, state)
        total, constant = fmpq_poly(), mpq(move.reward)
        for target, weight in zip(move.targets, move.weights, strict=True):
            if target in component:
                total += int(weight) * forms[target]
            else:
                constant += weight * values[target]
        return (total + to_flint(constant)) / int(move.denominator)

    for state in order:
        forms[state] = affine(state)
    size = len(cuts)
    system = fmpq_mat(size, size)
    constants = fmpq_mat(size, 1)
    for row, state in enumerate(cuts):
        coefficients = affine(state).coeffs()
        coefficients += [fmpq(0)] * (size + 1 - len(coefficients))
        constants[row, 0] = coefficients[0]
        for column in range(size):
            system[row, column] = (1 if row == column else 0) - coefficients[1 + column]
    solution = system.solve(constants, algorithm="dixon")  # type: ignore[call-arg]
    for row, state in enumerate(cuts):
        values[state] = from_flint(solution[row, 0])
    for state in order:
        values[state] = _chosen(moves, state).expected_return(values)


def _chosen(moves: Sequence[Move | None], state: int) -> Move:
    move = moves[state]
    if move is None:
        raise AssertionError("a terminal state lies on no cycle")
    return move


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
