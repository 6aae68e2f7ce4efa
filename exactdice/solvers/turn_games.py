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
(`process`). For two, the solution must hold with certainty: against the strategy found for either
player, play must end whatever the other does (`stopping`); where it does not, `NoValueError` names
states.

References
----------
Howard (1960) for one player; Hoffman and Karp, *Management Science* 12 (1966), for two.
"""

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import lcm, mpq, mpz

from exactdice.dice import Distribution
from exactdice.errors import TooLargeError
from exactdice.solvers.arena import END, MAX, MIN, Arena
from exactdice.solvers.components import Component, components
from exactdice.solvers.evaluation import evaluate
from exactdice.solvers.newton import FixedPoint, UnsettledError, one_side
from exactdice.solvers.policy_iteration import policy_iteration
from exactdice.solvers.process import Choice, DecisionProcess, Move, NoValueError
from exactdice.solvers.stopping import closing_moves, ranks_against_free, ranks_of_policy
from exactdice.solvers.termination import named

__all__ = ["ExactValues", "best_return", "exact_values", "policy_of_component", "settle_policy"]

_GUESS_BITS = 128
_MAX_ROUNDS = 30
# Measured: 500 unknowns take 1.5 s exactly, and time grows with their cube at least.
_MANY_CUTS = 1_500

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class ExactValues:
    """Values of an arena with optimal moves.

    Parameters
    ----------
    values
        The value of every state.
    chosen
        The number of an optimal move of each state, −1 where play has ended; together they make
        play end.
    ties
        All optimal moves of the states that have several.
    """

    values: Sequence[mpq]
    chosen: Sequence[int]
    ties: dict[int, tuple[int, ...]]


def exact_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
) -> ExactValues:
    """Solve an arena exactly.

    Parameters
    ----------
    arena
        Without states of `BOTH`.
    names
        What to call the states in an error; their numbers where None.
    most_bits
        Give up where a denominator grows longer than this, or would after very long work.
    tell
        Called with the number of states solved and of all states.

    Raises
    ------
    NoValueError
        If play need not end, or can gain without bound.
    TooLargeError
        If a denominator grows longer than `most_bits`.

    Examples
    --------
    Two players toss a coin in turn; the first head wins:

    >>> from exactdice.solvers.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 1), (1, 2))
    >>> arena.end(mpq(1))
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 1), (3, 0))
    >>> arena.end(mpq(0))
    >>> exact_values(arena).values[0]
    mpq(2,3)
    """
    solver = _Solver(arena, names or range(len(arena)), most_bits)
    done = 0
    for component in components(arena):
        solver.solve(component)
        done += len(component.order) + len(component.cuts)
        if tell is not None and (done == len(arena) or not done % 512):
            tell(done, len(arena))
    values = solver.values[: len(arena)]
    chosen: Sequence[int] = solver.chosen
    if solver.has_cycles:
        chosen = settle_policy(arena, chosen, solver.ties, solver.guess.chosen, solver.names)
    return ExactValues(values, chosen, solver.ties)


class _Solver:
    """Exact values so far, with a guess in fixed point that runs ahead of them."""

    def __init__(self, arena: Arena, names: Sequence[Any], most_bits: int | None) -> None:
        n = len(arena)
        self.arena, self.names, self.most_bits = arena, names, most_bits
        self.mirror = n if arena.changes_sides else 0
        self.values = [mpq(0)] * (n + self.mirror)
        self.chosen = array("q", [-1]) * n
        self.ties: dict[int, tuple[int, ...]] = {}
        self.guess = FixedPoint(arena, _GUESS_BITS)
        self.has_cycles = False

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
        if self.most_bits is not None and value.denominator.bit_length() > self.most_bits:
            raise TooLargeError(
                f"model: the exact value is a fraction of more than {self.most_bits} bits; ask for "
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

    def _solve_cycle(self, component: Component) -> None:
        if self.most_bits is not None and len(component.cuts) > _MANY_CUTS:
            raise TooLargeError(
                f"model: {len(component.states)} states lead to one another, too many to be solved "
                "exactly; ask for an enclosure of some width"
            )
        cycle = _Cycle(self.arena, component, self.values)
        try:
            self.guess.solve(component)
            chosen = {state: self.guess.chosen[state] for state in component.states}
            cycle.evaluate(chosen)
        except (UnsettledError, ZeroDivisionError):
            chosen = self._from_proper_policy(component)
            cycle.evaluate(chosen)
        for _ in range(_MAX_ROUNDS):
            found = cycle.best_returns()
            improved = {
                state: best[0]
                for state, (value, best) in found.items()
                if value != cycle.scaled[state]
            }
            if not improved:
                for state, (value, best) in found.items():
                    exact = mpq(value.numerator, value.denominator * cycle.common)
                    self._put(state, exact, best)
                return
            chosen = chosen | improved
            try:
                cycle.evaluate(chosen)
            except ZeroDivisionError:
                chosen = self._from_proper_policy(component)
                cycle.evaluate(chosen)
        raise _undecided(self.names, component)

    def _from_proper_policy(self, component: Component) -> dict[int, int]:
        found = policy_of_component(self.arena, component, self.values, self.names)
        return {state: move for state, (_, move) in found.items()}


def policy_of_component(
    arena: Arena, component: Component, values: Any, names: Sequence[Any]
) -> dict[int, tuple[mpq, int]]:
    """Solve a component in which one side chooses at most, by `policy_iteration`.

    Parameters
    ----------
    values
        The values of the states that the component leads to, by number.

    Returns
    -------
    dict
        The value and the number of an optimal move of each of its states; the moves make play
        leave it.
    """
    side = one_side(arena, component.states)
    if side is None:
        raise _undecided(names, component)
    sign, number = (-1 if side == MIN else 1), {s: names[s] for s in component.states}

    def as_choice(move: int) -> Choice[Hashable]:
        weights: dict[Hashable, int] = {}
        total = mpq(0)
        for target, weight in arena.leads(move):
            name = number.get(target, _OUT)
            weights[name] = weights.get(name, 0) + weight
            if name is _OUT:
                total += weight * values[target]
        reward = arena.rewards[arena.reward[move]] + total / arena.denominators[arena.law[move]]
        return Choice(move, sign * reward, Distribution(weights))

    process = DecisionProcess[Hashable](
        {number[s]: [as_choice(move) for move in arena.moves(s)] for s in component.states}
        | {_OUT: []}
    )
    solution = policy_iteration(process)
    return {s: (sign * solution.values[name], solution.policy[name]) for s, name in number.items()}


def _undecided(names: Sequence[Any], component: Component) -> NoValueError:
    states = named([names[state] for state in component.states])
    return NoValueError(
        f"model: play can go on for ever among {states}, and what that is worth is not said"
    )


class _Out:
    """What lies outside a component."""

    def __repr__(self) -> str:
        return "the rest of the game"


_OUT = _Out()


def best_return(arena: Arena, state: int, values: Any, common: Any = 1) -> tuple[mpq, list[int]]:
    """Best return of a state's moves, times a common denominator of `values`, and all such moves.

    `values` holds the values times `common`, by number of state.
    """
    owner = arena.owners[state]
    best: mpq | None = None
    moves: list[int] = []
    for move in arena.moves(state):
        total = sum([weight * values[target] for target, weight in arena.leads(move)], mpq(0))
        total = total / arena.denominators[arena.law[move]]
        total += arena.rewards[arena.reward[move]] * common
        if best is None or (total > best if owner == MAX else total < best):
            best, moves = total, [move]
        elif total == best:
            moves.append(move)
    if best is None:
        raise AssertionError("a state that is no end has a move")
    return best, moves


class _Cycle:
    """One component with cycles: exact values of chosen moves, times a common denominator.

    `scaled` holds the values of the states of the component and of those it leads to, times
    `common`, the common denominator of the latter.
    """

    def __init__(self, arena: Arena, component: Component, values: Sequence[mpq]) -> None:
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

    def best_returns(self) -> dict[int, tuple[mpq, list[int]]]:
        return {
            state: best_return(self.arena, state, self.scaled, self.common) for state in self.states
        }

    def evaluate(self, chosen: dict[int, int]) -> None:
        """Put the values of the chosen moves into `scaled`.

        Raises
        ------
        ZeroDivisionError
            If play need not leave the component.
        """
        if len(self.component.cuts) == 1:
            found = self._one_cut(chosen)
        else:
            found = evaluate([*(self._as_move(chosen[state]) for state in self.states), None])
        for state, value in zip(self.states, found, strict=False):
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


def settle_policy(
    arena: Arena,
    first: Sequence[int],
    ties: dict[int, tuple[int, ...]],
    guess: Sequence[int],
    names: Sequence[Any],
) -> Sequence[int]:
    """Choose among tied moves so that play ends.

    The first of each tie where that makes play end; else those of the guess; else the first of
    each that can bring the end nearer. With two players, play has to end against either free one.

    Raises
    ------
    NoValueError
        If none of the three does.
    """
    if not ties:
        candidates: list[Callable[[], Sequence[int]]] = [lambda: first]
    else:
        candidates = [
            lambda: first,
            lambda: [
                after if before >= 0 and after in ties.get(state, ()) else before
                for state, (before, after) in enumerate(zip(first, guess, strict=True))
            ],
            lambda: closing_moves(
                arena, lambda state: ties.get(state, () if first[state] < 0 else (first[state],))
            ),
        ]
    two = arena.changes_sides or (arena.is_owned(MAX) and arena.is_owned(MIN))
    for candidate in candidates:
        chosen = candidate()
        if two:
            ranks = [min(pair) for pair in zip(*ranks_against_free(arena, chosen), strict=True)]
        else:
            ranks = ranks_of_policy(arena, chosen)
        if -1 not in ranks:
            return chosen
    endless = [names[state] for state, rank in enumerate(ranks) if rank < 0]
    raise NoValueError(
        f"model: play can go on for ever from {named(endless)}, though both or one would rather "
        "end it; give rules under which it ends"
        if two
        else f"model: no policy ends play with probability 1 from {named(endless)}"
    )
