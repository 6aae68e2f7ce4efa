"""Farkle: the worth of rolling every set of dice with every number of points, and roll or bank."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle import KCD, parse_dice, solve
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import farkle


def check_farkle(dice: str, rules: RuleSet = KCD) -> Check:
    """Cross-check the best turn with some dice, up to the target of the rules."""
    pool = parse_dice(dice, most=rules.dice)
    target = rules.target
    if target is None:
        raise InputError("target", Unquoted("none"), "the points to reach")
    check = Check("farkle", f"{pool} to {target}")
    exact = solve(pool, rules)
    kinds = [[mpq(w, die.denominator) for w in die.weights] for die in pool.dice]
    combinations = [(c.faces, c.score) for c in rules.combinations]
    options: dict[str, Any] = {
        "jokers": [JOKER in die.faces for die in pool.dice],
        "most_dice": rules.dice,
        "minimum_bank": rules.minimum_bank,
        "penalty": rules.penalty,
        "hot_dice": rules.hot_dice,
    }
    doubles = farkle.farkle_turn(kinds, combinations, target, **options)
    intervals = farkle.farkle_turn(kinds, combinations, target, intervals=True, **options)
    masks = 1 << len(pool.dice)
    check.model_size("points", target // rules.unit, doubles.worth[0].shape[1])
    if len(pool.kinds) == len(pool.dice):
        check.model_size("sets of dice", pool.states, doubles.worth[0].shape[0])
        menus = sum(len(state.menus) for state in exact.menus.by_state)
        check.model_size("menus", menus, doubles.menus)
    for mask in range(1, masks):
        chosen = [die for place, die in enumerate(pool.dice) if mask >> place & 1]
        state = pool.state_of(chosen)
        for level in range(target // rules.unit):
            points = level * rules.unit
            name = f"{pool.describe(state)} with {points} points"
            worth = exact.rolling_worth(points, state)
            check.number(
                name,
                worth,
                doubles.worth[0][mask, level].item(),
                (intervals.worth[0][mask, level].item(), intervals.worth[1][mask, level].item()),
                doubles.bound * (worth + rules.penalty),
            )
            banked = exact.banking_worth(points)
            optimal = [] if banked is None else ["bank"] if banked >= worth else []
            optimal += ["roll"] if banked is None or worth >= banked else []
            check.action(name, "roll" if doubles.roll[mask, level] == 1 else "bank", optimal)
            check.undecided += int(intervals.roll[mask, level] < 0)
    return check


def ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    three, six = "1:1:1:1:1:1,2:1:1:1:1:1,1:1:1:1:2:1", "fair*6"
    different = f"{three},3:1:1:1:2:1,1:2:1:1:1:1,1:1:2:1:1:1"
    strict = KCD.varied(target=600, penalty=200, hot_dice=False)
    equal = partial(check_farkle, "fair*3", KCD.varied(target=1000))
    yield Case("farkle", "3 equal dice", equal)
    yield Case("farkle", "3 different dice", partial(check_farkle, three, strict))
    yield Case("farkle", "6 fair dice", partial(check_farkle, six), is_large=True)
    yield Case("farkle", "6 different dice", partial(check_farkle, different), is_large=True)
