"""The reroll game: the value of every roll, and what is held of it."""

from functools import partial

from gmpy2 import mpq

from exactdice.games.reroll.exact import solve
from exactdice.games.reroll.rules import RerollRules
from exactdice.jobs.crosscheck import Case, Check
from native_oracles import reroll as native

__all__ = ["check_reroll", "ladder"]


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
    doubles = native.reroll(*arguments)
    intervals = native.reroll(*arguments, intervals=True)
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
