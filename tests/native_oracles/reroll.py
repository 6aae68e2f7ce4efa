"""The reroll game in C++: the value of every roll, with its check against exact values."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.games.reroll.exact import solve
from exactdice.games.reroll.rules import RerollRules
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import call, enclosed, enclosing, solvers
from exactdice.native.farkle import Ends

__all__ = ["RerollSolved", "check_reroll", "ladder", "reroll"]


@dataclass(frozen=True)
class RerollSolved:
    rolls: npt.NDArray[np.int32]  # number of dice per side, one row per roll, in order
    holds: npt.NDArray[np.int32]  # how many dice of each side to hold
    values: Ends  # of each roll
    value: Enclosure  # before the first roll
    choices: int  # pairs of a roll and a hold
    undecided: int  # rolls whose best hold is not certain


def reroll(dice, values, bias, penalty, *, intervals=False, progress=None):
    """Solve a reroll game of 1 to 60 dice."""
    solve = solvers().reroll_intervals if intervals else solvers().reroll_doubles
    found = call(
        solve, natural(dice, "dice", least=1, most=60), [enclosing(mpq(value)) for value in values],
        [enclosing(mpq(chance)) for chance in bias], enclosing(mpq(penalty)), progress,
    )  # fmt: skip
    return RerollSolved(
        found["rolls"], found["holds"], found["values"], enclosed(found["value"]), found["choices"],
        found["undecided"],
    )  # fmt: skip


def check_reroll(rules):
    """Cross-check a reroll game.

    The iteration in doubles stops by rounding, so its stated bound is no theorem: 2^-40 of the
    largest score or penalty. The intervals are rigorous.
    """
    check = Check("reroll", f"{rules.dice} dice of {rules.sides} sides")
    exact = solve(rules)
    arguments = (
        rules.dice, [mpq(value) for value in rules.values], list(rules.bias), rules.penalty,
    )  # fmt: skip
    doubles = reroll(*arguments)
    intervals = reroll(*arguments, intervals=True)
    check.model_size("rolls", len(rules.rolls), len(doubles.rolls))
    check.model_size("choices", rules.choices, doubles.choices)
    greatest = max(abs(mpq(rules.stick_score(roll))) for roll in rules.rolls)
    bound = max(greatest, rules.penalty) * mpq(1, 2**40)
    ends = intervals.value.lower, intervals.value.upper
    check.number("the first roll", exact.value, doubles.value.lower, ends, bound)
    for index, counts in enumerate(doubles.rolls.tolist()):
        roll = tuple(
            value for value, count in zip(rules.values, counts, strict=True) for _ in range(count)
        )
        check.number(
            f"roll {roll}", exact.values[roll], doubles.values[0][index].item(),
            (intervals.values[0][index].item(), intervals.values[1][index].item()), bound,
        )  # fmt: skip
        held = [
            value
            for value, count in zip(rules.values, doubles.holds[index].tolist(), strict=True)
            for _ in range(count)
        ]
        optimal = {tuple(roll[place] for place in action) for action in exact.ties[roll]}
        check.action(f"roll {roll}", tuple(held), optimal)
    check.undecided += intervals.undecided
    return check


def ladder():
    biased = RerollRules(dice=3, values=["-1", "1/3", 2, "7/2"], bias=["0.1", "0.2", "0.3", "0.4"])
    yield Case("reroll", "3 biased dice", partial(check_reroll, biased))
    for dice in (1, 3, 4, 5, 7):
        yield Case(
            "reroll", f"{dice} dice", partial(check_reroll, RerollRules(dice=dice)), dice > 4
        )
