"""Risk in C++: grids of chances, and the counts of a round.

Rules are plain numbers: the most dice of attacker and defender, the sides of their dice, whether
the attacker wins ties, and the fighting units below which the attacker stops. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from typing import Any, TypeAlias

from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.games.risk import rules as risk_rules
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import Progress, call, limit, solvers
from exactdice.native.farkle import Ends

#: Most dice, sides, whether the attacker wins ties, and below how many units the attacker stops.
Rules: TypeAlias = tuple[int, int, int, int, bool, int]

#: The published rules: three dice against two, six sides, ties to the defender, to the last unit.
PUBLISHED: Rules = (3, 2, 6, 6, False, 1)

_MAX_INT = 2**31 - 1


def _read(rules: Rules) -> Any:
    *numbers, stop_below = rules
    return call(solvers().RiskRules, *numbers, min(stop_below, _MAX_INT))


def grid(
    attackers: int,
    defenders: int,
    rules: Rules = PUBLISHED,
    *,
    intervals: bool = False,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Ends:
    """Chances to win for every army up to a size.

    Parameters
    ----------
    attackers, defenders
        Fighting units of the largest armies, at least 1.
    rules
        House rules, with at most 2^53 rolls in a round.
    intervals
        Enclose the chances.
    memory_limit
        Bytes beyond which the work is refused; None for no limit.
    progress
        Called with the part that is done.

    Raises
    ------
    InputError
        If an argument is out of range.
    TooLargeError
        If the grid would need more memory than the limit.

    Returns
    -------
    tuple
        Lower and upper ends, each an array indexed by [defenders, attackers], from 0 up.

    Examples
    --------
    >>> lower, upper = grid(3, 2, intervals=True)
    >>> mpq(lower[2, 3]) <= mpq(6610505, 10077696) <= mpq(upper[2, 3])
    True
    """
    solve = solvers().risk_intervals if intervals else solvers().risk_doubles
    armies = [
        natural(attackers, "attackers", least=1, most=_MAX_INT - 1),
        natural(defenders, "defenders", least=1, most=_MAX_INT - 1),
    ]
    ends: Ends = call(solve, *armies, _read(rules), limit(memory_limit, "memory_limit"), progress)
    return ends


def round_ways(attacker: int, defender: int, rules: Rules = PUBLISHED) -> list[int]:
    """Ways of all rolls in which the attacker loses 0, 1, … units; exact.

    Examples
    --------
    >>> round_ways(3, 2)
    [2890, 2611, 2275]
    """
    ways = call(solvers().risk_round_ways, attacker, defender, _read(rules))
    return [int(way) for way in ways]


def bound(units: int, rules: Rules = PUBLISHED) -> mpq:
    """Largest relative error of a chance in doubles, for armies of so many units in all."""
    return mpq(call(solvers().risk_relative_bound, units, _read(rules)))


def numbers_of(rules: risk_rules.RiskRules) -> Rules:
    """Give the rules of a battle as the solver takes them."""
    dice = rules.attacker_dice, rules.defender_dice, rules.attacker_sides, rules.defender_sides
    return (*dice, rules.ties is risk_rules.Ties.ATTACKER, rules.stop_below)
