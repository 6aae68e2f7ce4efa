r"""Exact solution of the reroll game.

What a reroll is worth depends only on the values that are held, so the decision process has two
kinds of state besides the end: the *rolls*, in which you choose, and the *partial holds*, in which
one more die is rolled and its value added. With V(x) the value of a roll and W(h) that of a hold,

.. math::

   V(x) = \max\bigl(\text{score}(x),\; \max_{h \subset x} W(h) - \text{penalty}\bigr),
   \qquad W(h) = \sum_v p_v\,W(h + v),

where a hold of all dice is a roll: W(x) = V(x). The game is worth W(()), the first roll being free.
For n dice of s sides there are C(n+s-1, n) rolls and as many partial holds as C(n+s-1, s), each
with s transitions, in place of a transition for every roll, action and outcome. Adding the points
scored so far to the state would change nothing: they are added to the value of every action alike.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import comb
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import decimal, text
from exactdice.games.reroll.rules import Hold, Number, Positions, Roll, Rules
from exactdice.memory import require_memory
from exactdice.report.notebook import Sheet, ShowsItself
from exactdice.solvers.certificate import Certificate
from exactdice.solvers.policy_iteration import policy_iteration
from exactdice.solvers.process import Choice, DecisionProcess, certain
from exactdice.solvers.solution import Solution

__all__ = ["END", "Solved", "best_score", "decision_process", "direct_process", "solve"]
__all__ += ["storage"]

END = "end"

# Measured: 168,000 choices (9 dice) add 140 MB, their share of the solution included.
_BYTES_A_CHOICE = 1000
_BYTES_A_TRANSITION = 60


def storage(rules: Rules) -> int:
    """Estimate the bytes that solving a game takes.

    Examples
    --------
    >>> storage(Rules(dice=6))
    12376000
    """
    return rules.choices * _BYTES_A_CHOICE


def decision_process(rules: Rules, *, force: bool = False) -> DecisionProcess[Any]:
    """State the game as a decision process on rolls, partial holds and the end.

    The actions of a roll are tuples of held positions, one for each different hold. A partial hold
    has the single action "roll", which adds one die.

    Raises
    ------
    TooLargeError
        If it takes more memory than the limit, unless forced.

    Examples
    --------
    >>> decision_process(Rules())
    DecisionProcess(85 states, 392 choices, 532 transitions)
    """
    if not force:
        require_memory(storage(rules), _named(rules), or_force=True)
    toward: dict[Any, Any] = {hold: certain(hold) for hold in rules.partial_holds}
    choices = _choices_of_rolls(rules, toward)
    die = rules.die
    for hold in toward:
        choices[hold] = [Choice("roll", mpq(0), die.map(_adding(hold)))]
    choices[END] = []
    return DecisionProcess(choices)


def _choices_of_rolls(rules: Rules, after: Mapping[Hold, Any]) -> dict[Any, list[Choice[Any]]]:
    """List the choices of every roll, with what comes after a reroll that holds some values."""
    end, cost, stick = certain(END), -rules.penalty, rules.sticking
    return {
        roll: [
            Choice(action, cost, after[hold])
            if action != stick
            else Choice(action, rules.stick_score(roll), end)
            for action, hold in rules.holds(roll)
        ]
        for roll in rules.rolls
    }


def _adding(hold: Hold) -> Callable[[Number], Hold]:
    return lambda value: tuple(sorted((*hold, value)))


def direct_process(rules: Rules, *, force: bool = False) -> DecisionProcess[Any]:
    """State the game as the coursework does: rolls, the end, and every outcome of every action.

    One sweep of value iteration over it is one sweep of the coursework's. The order of the states
    is that of `Rules.rolls`; of actions that hold the same values only the first is kept, which
    changes no maximum and no tie rule.

    Raises
    ------
    TooLargeError
        If it takes more memory than the limit, unless forced.

    Examples
    --------
    >>> direct_process(Rules(dice=2))
    DecisionProcess(22 states, 78 choices, 678 transitions)
    """
    if not force:
        states = comb(rules.dice + rules.sides - 1, rules.dice)
        transitions = rules.choices * states // 4  # a choice leads to a quarter of them or fewer
        require_memory(
            storage(rules) + transitions * _BYTES_A_TRANSITION, _named(rules), or_force=True
        )
    outcomes: dict[Hold, Any] = {hold: rules.outcomes(hold) for hold in rules.partial_holds}
    choices = _choices_of_rolls(rules, outcomes)
    choices[END] = []
    return DecisionProcess(choices)


def _named(rules: Rules) -> str:
    return f"a game of {rules.dice} dice of {rules.sides} sides"


@dataclass(frozen=True)
class Solved(ShowsItself):
    """Exact values and optimal play of one reroll game.

    Parameters
    ----------
    rules
        The game.
    value
        The expected score of optimal play, before the first roll.
    values
        The expected further score of optimal play from each roll.
    policy
        The first optimal action of each roll: a tuple of held positions.
    ties
        All optimal actions of each roll, in order; actions that hold equal dice are all listed.
    solution
        The solution of the decision process, which yields the certificate.
    """

    rules: Rules
    value: mpq
    values: Mapping[Roll, mpq] = field(repr=False)
    policy: Mapping[Roll, Positions] = field(repr=False)
    ties: Mapping[Roll, tuple[Positions, ...]] = field(repr=False)
    solution: Solution[Any] = field(repr=False)

    @property
    def method(self) -> str:
        """The solver that found it."""
        return self.solution.method

    @property
    def iterations(self) -> int:
        """How many policies were evaluated."""
        return self.solution.iterations

    def hold_value(self, roll: Roll, positions: Positions) -> mpq:
        """Expected further score once the dice at these positions are held and the penalty paid."""
        return self.solution.values[tuple(roll[place] for place in positions)]

    def certificate(self) -> Certificate[Any]:
        """Certificate of all values over `decision_process(rules)`."""
        return self.solution.certificate()

    def sticks(self, roll: Roll) -> bool:
        """Tell whether optimal play ends on a roll."""
        return self.policy[roll] == self.rules.sticking

    def _sheets(self) -> Iterator[Sheet]:
        rows = (
            (roll, tuple(roll[place] for place in self.policy[roll]), value)
            for roll, value in self.values.items()
        )
        caption = f"Value {self}"
        yield Sheet(caption, ["roll", "hold", "expected further score"], rows, len(self.values))

    def __str__(self) -> str:
        sticking = sum(self.sticks(roll) for roll in self.values)
        return (
            f"{text(self.value)} ≈ {decimal(self.value, 9)} "
            f"({len(self.values)} states, {sticking} of them stick)"
        )


def solve(rules: Rules, *, force: bool = False) -> Solved:
    """Solve a reroll game exactly, by policy iteration.

    Parameters
    ----------
    rules
        The game.
    force
        Go past the memory limit.

    Returns
    -------
    Solved
        Values as mpq, and policy by state.

    Raises
    ------
    TooLargeError
        If it takes more memory than the limit, unless forced.

    Notes
    -----
    The process has C(n+2s-1, n) choices, and a handful of linear systems are solved with one
    unknown for about each different hold that is played. On one core of a 2-core machine: 5 dice in
    0.1 s, 7 dice in 0.6 s, 9 dice in 2.5 s.

    Examples
    --------
    >>> solved = solve(Rules())
    >>> print(solved)
    103369/7744 ≈ 13.348269628 (56 states, 14 of them stick)
    >>> solved.policy[(1, 1, 1)], solved.policy[(4, 4, 4)], solved.policy[(3, 4, 5)]
    ((0, 1, 2), (), ())
    """
    solution = policy_iteration(decision_process(rules, force=force))
    rolls = rules.rolls
    return Solved(
        rules=rules,
        value=solution.values[()],
        values={roll: solution.values[roll] for roll in rolls},
        policy={roll: solution.policy[roll] for roll in rolls},
        ties={
            roll: tuple(
                sorted(
                    (
                        same
                        for action in solution.optimal_actions[roll]
                        for same in rules.equivalent(roll, action)
                    ),
                    key=lambda action: (len(action), action),
                )
            )
            for roll in rolls
        },
        solution=solution,
    )


def best_score(rules: Rules) -> tuple[Number, tuple[Roll, ...]]:
    """Find the best possible score and the first rolls that earn it.

    Every reroll costs something, so the best score comes from sticking on the first roll. Only
    rolls of positive probability count.

    Examples
    --------
    A pair of ones turns over beside a six as well:

    >>> best_score(Rules())
    (18, ((1, 1, 1), (1, 1, 6)))
    >>> best_score(Rules(dice=1))
    (6, ((6,),))
    """
    die = rules.die
    possible = [roll for roll in rules.rolls if all(value in die for value in roll)]
    best = max(rules.stick_score(roll) for roll in possible)
    return best, tuple(roll for roll in possible if rules.stick_score(roll) == best)
