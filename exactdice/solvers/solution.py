"""The answer to a decision process, and the sweep that all exact solvers share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from gmpy2 import mpq

from exactdice.report.model import Quantity, Report, Table, exact, text_column, whole
from exactdice.report.notebook import Reported
from exactdice.solvers.certificate import Certificate, CertificateError
from exactdice.solvers.process import Action, DecisionProcess, State
from exactdice.solvers.scaled_values import ScaledValues
from exactdice.solvers.termination import closing_policy, ranking

__all__ = ["Solution", "best_moves", "solution_from_values"]


@dataclass(frozen=True)
class Solution(Reported, Generic[State]):
    """Exact values and optimal play of a decision process.

    Parameters
    ----------
    process
        The process that it solves.
    values
        The value of every state, 0 for terminal ones.
    policy
        An optimal proper policy: the action of every state that is not terminal. It is the first
        optimal action of each state, unless taking the first everywhere could go on for ever; then
        it is in each state the first that can bring the end nearer.
    optimal_actions
        All optimal actions of every state that is not terminal, in the order of its choices. Where
        a cycle of them gains nothing, not every combination of optimal actions ends.
    method
        The solver that found it.
    iterations
        How many policies it evaluated, or sweeps it made.
    """

    process: DecisionProcess[State] = field(repr=False)
    values: Mapping[State, mpq] = field(repr=False)
    policy: Mapping[State, Action] = field(repr=False)
    optimal_actions: Mapping[State, tuple[Action, ...]] = field(repr=False)
    method: str
    iterations: int

    def report(self) -> Report:
        """Report the value and the action of every state."""
        states = Table(
            "states",
            "Values and actions",
            [
                text_column("state", "state"),
                exact("value", "greatest expected total reward from there"),
                text_column("action", "an optimal action; empty where the game has ended"),
            ],
            [
                (str(state), value, str(self.policy[state]) if state in self.policy else "")
                for state, value in self.values.items()
            ],
        )
        summary = [
            Quantity(text_column("method", "the solver"), self.method),
            Quantity(whole("iterations", "policies evaluated, or sweeps made"), self.iterations),
        ]
        return Report(f"A decision process of {len(self.values)} states", summary, [states])

    def certificate(self) -> Certificate[State]:
        """Write down what a stranger needs to check the values and the policy.

        The ranking is found by a search backwards from the terminal states.

        Raises
        ------
        CertificateError
            If the policy can go on for ever.
        """
        moves = [
            self.process.moves[i][self.process.position(state, self.policy[state])]
            if state in self.policy
            else None
            for i, state in enumerate(self.process.states)
        ]
        ranks = {
            state: rank
            for state, rank in zip(self.process.states, ranking(moves), strict=True)
            if rank is not None
        }
        if len(ranks) < len(self.process.states):
            raise CertificateError("certificate: the policy of the solution can go on for ever")
        return Certificate(self.values, self.policy, ranks)


def best_moves(
    process: DecisionProcess[State], values: Sequence[mpq]
) -> list[tuple[mpq, list[int]]]:
    """Find for every state the greatest return of a move, and the places of the moves with it.

    Terminal states give (0, []). All comparisons are of integers over one denominator; the cost is
    one product for each transition.
    """
    scaled = ScaledValues(values)
    return [scaled.best(offered) for offered in process.moves]


def solution_from_values(
    process: DecisionProcess[State], values: Sequence[mpq], method: str, iterations: int
) -> Solution[State]:
    """Complete exact optimal values to a solution: tied actions and a proper policy among them."""
    tied = [places for _, places in best_moves(process, values)]
    chosen: list[int | None] = [places[0] if places else None for places in tied]
    terminal = [not offered for offered in process.moves]
    if None in ranking(
        [
            None if place is None else offered[place]
            for place, offered in zip(chosen, process.moves, strict=True)
        ]
    ):
        offers = [
            [offered[place] for place in places]
            for offered, places in zip(process.moves, tied, strict=True)
        ]
        _, nearer = closing_policy(offers, terminal)
        chosen = [
            None if place is None else places[place]
            for place, places in zip(nearer, tied, strict=True)
        ]
    actions = {state: process.actions(state) for state in process.states}
    return Solution(
        process=process,
        values=dict(zip(process.states, values, strict=True)),
        policy={
            state: actions[state][place]
            for state, place in zip(process.states, chosen, strict=True)
            if place is not None
        },
        optimal_actions={
            state: tuple(actions[state][place] for place in places)
            for state, places in zip(process.states, tied, strict=True)
            if places
        },
        method=method,
        iterations=iterations,
    )
