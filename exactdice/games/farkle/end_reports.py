"""Reports of how a turn ends, exactly or enclosed."""

from collections.abc import Sequence

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import Overshoot
from exactdice.games.farkle.forward import EnclosedEnd, TurnEnd
from exactdice.games.farkle.reports import ENCLOSED, turn_provenance
from exactdice.games.farkle.rules import RuleSet
from exactdice.report.model import (
    Cell,
    Column,
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    whole,
)

__all__ = ["MAX_SHOWN_LAW", "enclosed_end_report", "end_report"]

#: Bytes of exact chances of which a report is made; its text takes some ten times as much.
MAX_SHOWN_LAW = 1 << 22

_TITLE = "Farkle: how a turn ends"
_VALUE = "value", "expected points of the turn", "points"
_BUST = "bust_probability", "probability to bust"
_VARIANCE = "variance", "variance of the points", "points²"
_ROLLS = "expected_rolls", "expected number of rolls", "rolls"
_CHANCE = "probability", "probability"
_AT_LEAST = "at_least", "probability of at least so many points"


def end_report(
    end: TurnEnd, rules: RuleSet, dice: DiceSet, overshoot: Overshoot, policy: str
) -> Report:
    """Report how a turn ends under a policy, which is named in words."""
    law = end.distribution(rules.penalty)
    rows, rest = [], mpq(1)
    for points, chance in law.probabilities().items():
        rows.append((points, chance, rest))
        rest -= chance
    quantities = [
        Quantity(exact(*_VALUE), law.mean()),
        Quantity(exact(*_BUST), end.bust),
        Quantity(exact(*_VARIANCE), law.variance()),
        Quantity(exact(*_ROLLS), end.rolls),
    ]
    provenance = turn_provenance(rules, dice, overshoot, policy=policy)
    return Report(_TITLE, quantities, [_law(exact(*_CHANCE), exact(*_AT_LEAST), rows)], provenance)


def enclosed_end_report(
    end: EnclosedEnd, rules: RuleSet, dice: DiceSet, overshoot: Overshoot, policy: str
) -> Report:
    """Report bounds on how a turn ends, where exact chances would be too large."""
    law = end.distribution(rules.penalty)
    rows, rest = [], sum((chance.lower for chance in law.values()), mpq(0))
    for points, chance in law.items():
        rows.append((points, chance, Enclosure(rest, rest + end.lost)))
        rest -= chance.lower
    quantities = [
        Quantity(enclosed(*_VALUE), end.mean(rules.penalty)),
        Quantity(enclosed(*_BUST), end.bust),
        Quantity(enclosed(*_VARIANCE), end.variance(rules.penalty)),
        Quantity(enclosed(*_ROLLS), end.rolls),
    ]
    table = _law(enclosed(*_CHANCE), enclosed(*_AT_LEAST), rows)
    provenance = turn_provenance(rules, dice, overshoot, policy=policy, arithmetic=ENCLOSED)
    return Report(_TITLE, quantities, [table], provenance)


def _law(chance: Column, at_least: Column, rows: Sequence[Sequence[Cell]]) -> Table:
    points = whole("points", "points of the turn", "points")
    return Table("points", "Points of the turn", [points, chance, at_least], rows)
