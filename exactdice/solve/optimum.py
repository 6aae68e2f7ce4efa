r"""The answer to a question about a model: values, best actions, ties, regrets.

An `Optimum` is exact or enclosed. Exact, every value is a rational number and every tie a tie.
Enclosed, every value lies between two rationals at most a stated width apart; an action is stated
to be optimal only where the bounds keep all others strictly below it, and where they do not, the
actions that may be optimal are named by `unsettled`.
"""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from exactdice.arithmetic import mpq, significant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.report.notebook import Reported
from exactdice.solve.arena import CHANCE, END, MAX, MIN, Arena, Solved
from exactdice.solve.game import Model
from exactdice.solve.stopping import ranks_against_free, ranks_of_policy

if TYPE_CHECKING:
    from exactdice.solve.certificate import Certificate

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, eq=False, kw_only=True)
class Optimum(Solved, Reported, Generic[State]):
    """Values and best play of every state of a model; by number they are those of `Solved`.

    Parameters
    ----------
    model
        The model that was asked about.
    question
        What was asked, in words.
    arena
        What was solved: the model in flat arrays, perhaps with other ends or owners.
    closed
        `arena` with an end also where nothing more is counted on; what the ranks are of.
    goal
        Where the question is about reaching states, those that count as reached.
    """

    reported_by: ClassVar = "exactdice.solve.reports:optimum_report"

    model: Model[State]
    question: str
    arena: Arena
    closed: Arena | None = None
    goal: frozenset[int] | None = None

    def __repr__(self) -> str:
        return f"{self.question}: {significant(self.enclosure().middle, 10)} ({self.method})"

    @property
    def is_exact(self) -> bool:
        """Whether every value is a rational number that is known."""
        return self.bits is None

    @property
    def value(self) -> mpq | Enclosure:
        """The value of the initial state: a rational number where `is_exact`, else bounds."""
        return self.value_of(self.model.states[0])

    def value_of(self, state: State) -> mpq | Enclosure:
        """The value of a state; see `value`."""
        return self.enclosure(state).number

    def enclosure(self, state: State | None = None) -> Enclosure:
        """Bounds of the value of a state, the initial one where None; equal where it is exact."""
        return self.between(0 if state is None else self.model.number(state))

    def action(self, state: State) -> Any:
        """A best action of a state, the first of several; None where nobody chooses.

        Where both choose at once, the pair of their mixed strategies, as distributions.
        """
        number = self.model.number(state)
        if number in self.mixed:
            rows, columns = self.model.actions[number]
            row, column = self.mixed[number]
            return _drawn(rows, row), _drawn(columns, column)
        return self._named(number, self.chosen[number])

    def _named(self, number: int, move: int) -> Any:
        """The name of a move of the model; None where it had no choice."""
        names = self.model.actions[number]
        if move < 0 or names is None or self.arena.owners[number] in (CHANCE, END):
            return None
        return names[move - self.arena.first_move[number]]

    @property
    def policy(self) -> dict[State, Any]:
        """A best action of every state in which one player chooses."""
        return {
            state: self._named(number, self.chosen[number])
            for number, state in self.model.deciding()
            if self.arena.owners[number] in (MAX, MIN)
        }

    def optimal_actions(self, state: State) -> tuple[Any, ...]:
        """All best actions of a state in which one player chooses, that of `action` first.

        The others are in the order of the rules. In an enclosed answer those that may be best; see
        `unsettled`.
        """
        number = self.model.number(state)
        if self.arena.owners[number] not in (MAX, MIN):
            return ()
        chosen = self.chosen[number]
        others = (move for move in self.several.get(number, ()) if move != chosen)
        return tuple(self._named(number, move) for move in (chosen, *others))

    @property
    def unsettled(self) -> dict[State, tuple[Any, ...]]:
        """States of an enclosed answer in which it is open which of several actions is best."""
        if self.is_exact:
            return {}
        states = self.model.states
        return {states[number]: self.optimal_actions(states[number]) for number in self.several}

    def regret(self, state: State) -> dict[Any, Enclosure]:
        """How much each action of a state loses against the best, all play after it being optimal.

        Never below 0, and 0 for optimal actions.
        """
        number, arena = self.model.number(state), self.arena
        owner, n = arena.owners[number], len(arena)
        if owner not in (MAX, MIN):
            return {}
        regrets, best = {}, self.enclosure(state)
        seen = {t: self.between(t % n) * (1 if t < n else -1) for t in arena.successors(number)}
        below, above = ({t: getattr(at, e) for t, at in seen.items()} for e in ("lower", "upper"))
        for move in arena.moves(number):
            low, high = arena.returned(move, below), arena.returned(move, above)
            less, more = (best.lower - high, best.upper - low)
            if owner == MIN:
                less, more = low - best.upper, high - best.lower
            regrets[self._named(number, move)] = Enclosure(max(less, mpq(0)), max(more, mpq(0)))
        return regrets

    def staying(self, moves: Mapping[int, int]) -> "Optimum[State]":
        """The same answer with given moves in states from which a goal is not counted on."""
        chosen, mixed = array("q", self.chosen), dict(self.mixed)
        for number, move in moves.items():
            width = self.arena.columns.get(number)
            if width is None:
                chosen[number] = move
            else:
                height = len(self.arena.moves(number)) // width
                mixed[number] = (_pure(height), _pure(width))
        return replace(self, chosen=chosen, mixed=mixed)

    def certificate(self) -> "Certificate[State]":
        """Write down what a stranger needs to check the values and the actions by the rules."""
        from exactdice.solve.certificate import Certificate

        states, arena, n = self.model.states, self.arena, len(self.model.states)
        if self.model.players == 2 or self.goal is not None:
            against = ranks_against_free(self.closed or arena, self.chosen, self.mixed)
        else:
            once = ranks_of_policy(self.closed or arena, self.chosen)
            against = (once, once)
        bounds = [self.between(i) for i in range(n)]
        return Certificate(
            initial=states[0],
            lower={state: bounds[i].lower for i, state in enumerate(states)},
            upper={state: bounds[i].upper for i, state in enumerate(states)},
            policy={
                state: self._named(i, self.chosen[i])
                for i, state in enumerate(states)
                if arena.owners[i] in (MAX, MIN)
            },
            mixed={states[i]: self.action(states[i]) for i in self.mixed},
            ranks_first_free=dict(zip(states, against[0], strict=True)),
            ranks_second_free=dict(zip(states, against[1], strict=True)),
            least=self.model.players < 2 and arena.is_owned(MIN),
            goal=None if self.goal is None else frozenset(states[i] for i in self.goal),
        )

    def write_certificate(self, path: Path | str) -> None:
        """Write what proves the values into a file, for a checker that needs no exactdice.

        Parameters
        ----------
        path
            The file; `proofs/certificate_check.py` checks it.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        from exactdice.solve.certificate_file import write_certificate

        write_certificate(path, self.certificate(), self.model, self.arena, self.question)


def require_answer(best: object) -> None:
    """Refuse what is no answer to a question."""
    if not isinstance(best, Optimum):
        raise InputError("best", best, "the answer to a question")


def _pure(size: int) -> tuple[mpq, ...]:
    return (mpq(1),) + (mpq(0),) * (size - 1)


def _drawn(names: Sequence[Any], chances: Sequence[mpq]) -> Distribution[Any]:
    return Distribution.from_probabilities(
        {name: chance for name, chance in zip(names, chances, strict=True) if chance}
    )
