r"""Certificates of optimality, checked by sums and comparisons alone.

A certificate for a process holds a value :math:`v` and a rank for every state, and an action
:math:`\pi(s)` for every state that is not terminal. It proves that :math:`v` is the value of the
process and :math:`\pi` an optimal policy when

1. :math:`v(s) = 0` in every terminal state;
2. :math:`v(s) = r(s, \pi(s)) + \sum_t p(t \mid s, \pi(s))\,v(t)` in every other one;
3. :math:`v(s) \ge r(s, a) + \sum_t p(t \mid s, a)\,v(t)` for every other action;
4. the rank is 0 exactly in terminal states, and :math:`\pi(s)` leads to a state of lower rank with
   positive probability.

By 4 play ends with probability 1 under :math:`\pi`, so by 1 and 2 it earns exactly :math:`v`. Apply
3 step by step along any other policy under which play ends: it earns at most :math:`v`. Nothing of
the solvers is used here; the checker reads the process and adds fractions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic

from gmpy2 import mpq

from exactdice.arithmetic import rational, text
from exactdice.errors import ExactDiceError
from exactdice.solvers.process import Action, Choice, DecisionProcess, State

__all__ = ["Certificate", "CertificateError"]


class CertificateError(ExactDiceError, ValueError):
    """A certificate proves nothing; the text names the first condition that fails, and where."""

    exit_status = 1


@dataclass(frozen=True)
class Certificate(Generic[State]):
    """Values, an action for each state and a ranking.

    Examples
    --------
    >>> from exactdice.solvers.process import point_mass
    >>> process = DecisionProcess({1: [Choice("stop", 7, point_mass(0))], 0: []})
    >>> Certificate({1: mpq(7), 0: mpq(0)}, {1: "stop"}, {1: 1, 0: 0}).check(process)
    >>> Certificate({1: mpq(6), 0: mpq(0)}, {1: "stop"}, {1: 1, 0: 0}).check(process)
    Traceback (most recent call last):
    exactdice.solvers.certificate.CertificateError: certificate: the value of 1 is given as 6, but \
'stop' returns 7
    """

    values: Mapping[State, mpq] = field(repr=False)
    policy: Mapping[State, Action] = field(repr=False)
    ranks: Mapping[State, int] = field(repr=False)

    def check(self, process: DecisionProcess[State]) -> None:
        """Check every condition against a process, in one pass over its transitions.

        Raises
        ------
        CertificateError
            If a condition fails.
        """
        states = set(process.states)
        for name, covered in (("value", set(self.values)), ("rank", set(self.ranks))):
            if covered != states:
                odd = next(iter(covered ^ states))
                raise CertificateError(f"certificate: {odd!r} has a {name} or is a state, not both")
        for state in process.states:
            choices = process.choices(state)
            if choices:
                self._check_state(state, choices)
            elif self.values[state] != 0 or self.ranks[state] != 0 or state in self.policy:
                raise CertificateError(
                    f"certificate: {state!r} is terminal, so its value and rank must be 0 and it "
                    "has no action"
                )

    def _check_state(self, state: State, choices: tuple[Choice[State], ...]) -> None:
        value = self.values[state]
        chosen = None
        for choice in choices:
            returned = (
                rational(choice.reward)
                + sum(
                    (
                        weight * self.values[successor]
                        for successor, weight in choice.successors.items()
                    ),
                    mpq(0),
                )
                / choice.successors.denominator
            )
            is_chosen = state in self.policy and choice.action == self.policy[state]
            if returned > value or (is_chosen and returned != value):
                raise CertificateError(
                    f"certificate: the value of {state!r} is given as {text(value)}, but "
                    f"{choice.action!r} returns {text(returned)}"
                )
            if is_chosen:
                chosen = choice
        if chosen is None:
            raise CertificateError(f"certificate: {state!r} has no action, or none of its own")
        if (
            not 0
            <= min(self.ranks[successor] for successor in chosen.successors)
            < (self.ranks[state])
        ):
            raise CertificateError(
                f"certificate: {chosen.action!r} in {state!r} leads to no state of lower rank"
            )
