"""Risk in C++: grids of probabilities, and the counts of a round.

Arrays come back as pairs of lower and upper bounds, which are equal in doubles.
"""

from functools import partial

from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.games.risk import round_losses, win_table
from exactdice.games.risk import rules as risk_rules
from exactdice.games.risk.rules import STANDARD
from exactdice.jobs.crosscheck import Case, Check
from exactdice.memory import MEMORY_LIMIT
from exactdice.native import call, limit, solvers

#: Dice, sides, whether the attacker wins ties, and fighting units below which the attacker stops.
Rules = tuple[int, int, int, int, bool, int]

PUBLISHED = (3, 2, 6, 6, False, 1)

_MAX_INT = 2**31 - 1


def _read(rules):
    *numbers, stop_below = rules
    return call(solvers().RiskRules, *numbers, min(stop_below, _MAX_INT))


def grid(
    attackers, defenders, rules=PUBLISHED, *, intervals=False, memory_limit=MEMORY_LIMIT,
    progress=None,
):  # fmt: skip
    """Return winning probabilities of all armies up to a size, by [defenders, attackers]."""
    solve = solvers().risk_intervals if intervals else solvers().risk_doubles
    armies = [
        natural(attackers, "attackers", least=1, most=_MAX_INT - 1),
        natural(defenders, "defenders", least=1, most=_MAX_INT - 1),
    ]
    return call(solve, *armies, _read(rules), limit(memory_limit, "memory_limit"), progress)


def round_ways(attacker, defender, rules=PUBLISHED):
    """Return the number of rolls in which the attacker loses 0, 1, … units; exact."""
    ways = call(solvers().risk_round_ways, attacker, defender, _read(rules))
    return [int(way) for way in ways]


def bound(units, rules=PUBLISHED):
    """Largest relative error of a probability in doubles, for armies of so many units in all."""
    return mpq(call(solvers().risk_relative_bound, units, _read(rules)))


def numbers_of(rules):
    dice = rules.attacker_dice, rules.defender_dice, rules.attacker_sides, rules.defender_sides
    return (*dice, rules.ties is risk_rules.Ties.ATTACKER, rules.stop_below)


def check_risk(size, rules=STANDARD):
    check = Check("risk", f"{size} against {size}")
    exact = win_table(size, size, "fighting", rules)
    doubles, _ = grid(size, size, numbers_of(rules))
    lower, upper = grid(size, size, numbers_of(rules), intervals=True)
    check.model_size("armies", len(exact), doubles[1:, 1:].size)
    for a in range(1, min(size, rules.attacker_dice) + 1):
        for d in range(1, min(size, rules.defender_dice) + 1):
            law = round_losses(a, d, rules)
            ways = round_ways(a, d, numbers_of(rules))
            check.model_size(f"outcomes of {a} against {d}", len(law), sum(w > 0 for w in ways))
            for lost, number in enumerate(ways):
                chance = law.probability((lost, min(a, d) - lost))
                check.number(
                    f"{a} against {d} dice, {lost} lost", chance, mpq(number, sum(ways)), None,
                    mpq(0),
                )  # fmt: skip
    most = bound(2 * size, numbers_of(rules))
    for (a, d), chance in exact.items():
        check.number(
            f"{a} against {d}", chance, doubles[d, a].item(),
            (lower[d, a].item(), upper[d, a].item()), most * chance,
        )  # fmt: skip
    return check


def ladder():
    for units in (12, 40, 100, 300):
        yield Case("risk", f"{units} v {units}", partial(check_risk, units), units > 40)
