"""Risk: every chance of a grid, and the counts of every round."""

from functools import partial

from gmpy2 import mpq

from exactdice.games.risk import round_losses, win_table
from exactdice.games.risk.rules import STANDARD
from exactdice.jobs.crosscheck import Case, Check
from native_oracles import risk as fast

__all__ = ["check_risk", "ladder"]


def check_risk(size, rules=STANDARD):
    check = Check("risk", f"{size} against {size}")
    exact = win_table(size, size, "fighting", rules)
    doubles, _ = fast.grid(size, size, fast.numbers_of(rules))
    lower, upper = fast.grid(size, size, fast.numbers_of(rules), intervals=True)
    check.model_size("armies", len(exact), doubles[1:, 1:].size)
    for a in range(1, min(size, rules.attacker_dice) + 1):
        for d in range(1, min(size, rules.defender_dice) + 1):
            law = round_losses(a, d, rules)
            ways = fast.round_ways(a, d, fast.numbers_of(rules))
            check.model_size(f"outcomes of {a} against {d}", len(law), sum(w > 0 for w in ways))
            for lost, number in enumerate(ways):
                chance = law.probability((lost, min(a, d) - lost))
                check.number(
                    f"{a} against {d} dice, {lost} lost", chance, mpq(number, sum(ways)), None,
                    mpq(0),
                )  # fmt: skip
    bound = fast.bound(2 * size, fast.numbers_of(rules))
    for (a, d), chance in exact.items():
        check.number(
            f"{a} against {d}", chance, doubles[d, a].item(),
            (lower[d, a].item(), upper[d, a].item()), bound * chance,
        )  # fmt: skip
    return check


def ladder():
    for units in (12, 40, 100, 300):
        yield Case("risk", f"{units} v {units}", partial(check_risk, units), units > 40)
