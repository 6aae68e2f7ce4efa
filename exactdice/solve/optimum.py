"""The answer to a question about a model: values, optimal actions, ties, regrets.

An `Optimum` is exact or enclosed. If it is exact, all values are rational numbers and all ties are
known. If it is enclosed, every value has rational bounds at most a stated width apart; an action is
called optimal only if the bounds exclude all others, and `Optimum.unsettled` lists the states in
which they do not.
"""

from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from exactdice.arithmetic import mpq, significant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.linked import linked
from exactdice.report import Reported
from exactdice.solve.arena import CHANCE, END, MAX, MIN, Arena, Solved
from exactdice.solve.game import Model
from exactdice.solve.stopping import ranks_against_free, ranks_of_policy

if TYPE_CHECKING:
    from exactdice.solve.certificate import Certificate

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, eq=False, kw_only=True)
class Optimum(Solved, Reported, Generic[State], by="exactdice.solve.reports:optimum_report"):
    """Values and optimal actions of all states of a model.

    `question` is the question in words, and `arena` the model as it was solved, in flat arrays; its
    ends or owners may differ from the model's. `closed` is `arena` with an additional end wherever
    nothing more is counted; the ranks refer to it. `goal` has the numbers of the states that count
    as reached, if the question is about reaching states.
    """

    draws: ClassVar = False  # whether infinite play is a draw
    judged: ClassVar = True  # whether actions have regrets

    model: Model[State]
    question: str
    arena: Arena
    closed: Arena | None = None
    goal: frozenset[int] | None = None

    def __repr__(self) -> str:
        return f"{self.question}: {significant(self.value.middle, 10)} ({self.method})"

    def __len__(self) -> int:
        return len(self.model)

    @property
    def is_exact(self) -> bool:
        """Whether every value is a known rational number."""
        return self.bits is None

    @property
    def value(self) -> Enclosure:
        """The value of the initial state, or its bounds; `Enclosure.exact` if `is_exact`."""
        return self.between(0)

    def value_of(self, state: State) -> Enclosure:
        """Return the value of a state; see `value`."""
        return self.between(self.model.number(state))

    def action(self, state: State) -> Any:
        """Return an optimal action, the first of several; None if no player chooses in the state.

        If both players move simultaneously, return their two mixed strategies as distributions.
        """
        number = self.model.number(state)
        if number in self.mixed:
            rows, columns = self.model.actions[number]
            row, column = self.mixed[number]
            return _drawn(rows, row), _drawn(columns, column)
        return self._named(number, self.chosen[number])

    def _named(self, number: int, move: int) -> Any:
        names = self.model.actions[number]
        if move < 0 or names is None or self.arena.owners[number] in (CHANCE, END):
            return None
        return names[move - self.arena.first_move[number]]

    @property
    def policy(self) -> dict[State, Any]:
        """An optimal action for every state in which one player chooses."""
        return {
            state: self._named(number, self.chosen[number])
            for number, state in self.model.deciding()
            if self.arena.owners[number] in (MAX, MIN)
        }

    def optimal_actions(self, state: State) -> tuple[Any, ...]:
        """Return all optimal actions of a state in which one player chooses.

        That of `action` comes first, the others in the order of the rules. In an enclosed answer
        these are the actions that the bounds do not exclude; see `unsettled`.
        """
        number = self.model.number(state)
        if self.arena.owners[number] not in (MAX, MIN):
            return ()
        chosen = self.chosen[number]
        others = (move for move in self.several.get(number, ()) if move != chosen)
        return tuple(self._named(number, move) for move in (chosen, *others))

    @property
    def unsettled(self) -> dict[State, tuple[Any, ...]]:
        """The states of an enclosed answer with several actions that may be optimal, and these."""
        if self.is_exact:
            return {}
        states = self.model.states
        return {states[number]: self.optimal_actions(states[number]) for number in self.several}

    def regret(self, state: State) -> dict[Any, Enclosure]:
        """Return the loss by each action of a state, if all later play is optimal.

        Never below 0; 0 for optimal actions.
        """
        number, arena = self.model.number(state), self.arena
        owner, n = arena.owners[number], len(arena)
        if owner not in (MAX, MIN):
            return {}
        regrets, best = {}, self.value_of(state)
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
        """Return the same answer with given moves in states that do not count on a goal."""
        chosen, mixed = array("q", self.chosen), dict(self.mixed)
        for number, move in moves.items():
            width = self.arena.columns.get(number)
            if width is None:
                chosen[number] = move
            else:
                height = len(self.arena.moves(number)) // width
                mixed[number] = (_pure(height), _pure(width))
        return replace(self, chosen=chosen, mixed=mixed)

    def _ranks(self) -> Sequence[Sequence[int]]:
        arena = self.closed or self.arena
        if self.model.players == 2 or self.goal is not None:
            return ranks_against_free(arena, self.chosen, self.mixed)
        return (ranks_of_policy(arena, self.chosen),) * 2

    def certificate(self) -> "Certificate[State]":
        """Return a certificate, which can be checked against the rules without solving them."""
        from exactdice.solve.certificate import Certificate

        states = self.model.states
        bounds = {state: self.between(number) for number, state in enumerate(states)}
        first, second = (dict(zip(states, ranks, strict=False)) for ranks in self._ranks())
        return Certificate(
            initial=states[0],
            lower={state: bound.lower for state, bound in bounds.items()},
            upper={state: bound.upper for state, bound in bounds.items()},
            policy=self.policy,
            mixed={states[number]: self.action(states[number]) for number in self.mixed},
            ranks_first_free=first,
            ranks_second_free=second,
            least=self.model.players < 2 and self.arena.is_owned(MIN),
            goal=None if self.goal is None else frozenset(states[i] for i in self.goal),
            draws=self.draws,
        )

    def write_certificate(self, path: Path | str) -> None:
        """Write the certificate to a file, for `proofs/certificate_check.py` and other checkers.

        Raises OutputError if the file cannot be written.
        """
        lines = "".join(f"{line}\n" for line in self.certificate_lines())
        linked("exactdice.storage:write_whole")(Path(path), lines)

    def certificate_lines(self) -> Iterator[str]:
        from exactdice.solve.certificate import certificate_lines

        return certificate_lines(self.certificate(), self.model, self.arena, self.question)


def require_answer(best: object) -> None:
    if not isinstance(best, Optimum):
        raise InputError("best", best, "the answer to a question")


def _pure(size: int) -> tuple[mpq, ...]:
    return (mpq(1),) + (mpq(0),) * (size - 1)


def _drawn(names: Sequence[Any], chances: Sequence[mpq]) -> Distribution[Any]:
    pairs = zip(names, chances, strict=True)
    return Distribution.from_probabilities({name: chance for name, chance in pairs if chance})
