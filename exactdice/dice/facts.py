"""Conditions, and several facts of one roll after a colon: ``8d6: count 6 > count 1``.

Totals, counts and kept sums of the roll have a joint distribution. For each of its outcomes they
are replaced by numbers; other dice in the expression are new rolls.
"""

from collections.abc import Callable, Sequence
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, mixture
from exactdice.dice.nodes import Counted, Kept, Node, Number, numbers, within
from exactdice.run import Run


class Conditional(Node):
    yes: Node
    condition: Node
    no: Node
    binds = -3

    @property
    def is_event(self) -> bool:
        return self.yes.is_event and self.no.is_event

    def _law(self, run: Run) -> Any:
        chance = self.condition.law(run).probability_that(bool)
        parts = ((chance, self.yes), (1 - chance, self.no))
        return _mixed([(chance, part.law(run)) for chance, part in parts if chance])

    def __str__(self) -> str:
        return f"{within(self.yes, -2)} if {within(self.condition, -2)} else {self.no}"


class Total(Node):
    """The roll before the colon: its total, or its dice for a change."""

    places: Sequence[int] = ()  # of its dice; none if it is not a number of dice
    number_of_dice: int = 0

    def __str__(self) -> str:
        return "total"


class AboutRoll(Node):
    roll: Node
    body: Node
    binds = -4

    @property
    def is_event(self) -> bool:
        return self.body.is_event

    def _law(self, run: Run) -> Any:
        facts: dict[str, Node] = {}
        _with_facts(self.body, lambda fact: facts.setdefault(str(fact), fact))
        if not facts:
            return self.body.law(run)
        joint, parts = _joint(self.roll, [*facts.values()], run), []
        for row, chance in joint.probabilities().items():
            known = {name: Number(value) for name, value in zip(facts, row, strict=True)}
            body = _with_facts(self.body, lambda fact: known[str(fact)])  # noqa: B023 - used here
            parts.append((chance, body.law(run)))
        return _mixed(parts)

    def __str__(self) -> str:
        return f"{within(self.roll, -3)}: {within(self.body, -3)}"


def _with_facts(part: Any, of: Callable[[Node], Node]) -> Any:
    """Replace the parts of an expression that are about the roll before the colon."""
    if isinstance(part, tuple):
        return tuple(_with_facts(one, of) for one in part)
    if not isinstance(part, Node):
        return part
    inner: Any = part
    while isinstance(inner, Kept | Counted):
        inner = inner.of
    if isinstance(inner, Total):
        return of(part)
    return part.but(**{n: _with_facts(one, of) for n, one in vars(part).items() if n != "body"})


def _joint(roll: Node, facts: Sequence[Any], run: Run) -> Any:
    if all(isinstance(fact, Total) for fact in facts):
        return Node.pool(roll, run).sum().map(lambda total: (total,))
    dice = roll.pool(run)
    of = [fact.counted if isinstance(fact, Counted) else int for fact in facts]
    places = [(fact.of if isinstance(fact, Counted) else fact).places for fact in facts]
    kept = [{*(some or range(len(dice)))} for some in places]
    if all(len(ranks) == len(dice) for ranks in kept):
        return dice.facts(run, **{f"fact{i}": one for i, one in enumerate(of)})

    def step(state: tuple[int, ...], face: int, shown: int) -> tuple[int, ...]:
        placed, *values = state
        here = {*range(placed, placed + shown)}
        sums = zip(values, of, kept, strict=True)
        return placed + shown, *(v + one(face) * len(ranks & here) for v, one, ranks in sums)

    return dice.fold((0,) * (len(facts) + 1), step, run=run).map(lambda state: state[1:])


def _mixed(parts: Sequence[tuple[mpq, Any]]) -> Any:
    """Return a mixture; truth values count as numbers beside numbers."""
    if all(isinstance(law, Distribution) and isinstance(next(iter(law)), bool) for _, law in parts):
        return mixture(parts)
    return mixture([(chance, numbers(law)) for chance, law in parts])
