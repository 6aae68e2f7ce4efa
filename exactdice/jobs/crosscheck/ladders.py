"""Cross-checks of the two games that C++ solves: the software-engineering game, and Farkle.

*The software-engineering game.* From the start the solver of `exactdice.native.swe_outlook`
encloses the optimum and says which creations and promotions may be optimal with any dice; the exact
search of long games relies on both. Its enclosures have to hold the exact values, and the moves
that it leaves every exactly optimal one, at every score that exact play can reach.

Of the law of the final score under a policy the weight of each score in doubles is compared with
the exact probability, which it may not exceed and of which no more may be missing than the solver
says; and the score is one that exact play can reach. Games are followed however improbable they
are, so that only rounding is missing.

*Farkle.* The worth of rolling every set of dice with every number of points, and roll or bank.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle import KCD, parse_dice
from exactdice.games.farkle import solve as best_turn
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet
from exactdice.games.swe.distributions.evaluation import distribution_from_below, exact_distribution
from exactdice.games.swe.distributions.players import policy_from_text
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, ActionKind, Ladder, State, weight
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import farkle, swe_outlook
from exactdice.run import Run

#: What may be missing of a law of which no game was left out.
MAX_MISSING = mpq(1, 2**40)
_LEAST = mpq(1, 10**200)


def size_of(rounds: int, ladder: Ladder) -> str:
    """Name the size of a game."""
    others = "" if ladder == STANDARD else f" with {', '.join(f'd{faces}' for faces in ladder)}"
    return f"{rounds} rounds{others}"


def check_swe(rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check a game from the empty table.

    >>> check_swe(4).passed
    True
    """
    check = Check("swe", size_of(rounds, ladder))
    exact = solve(rounds, ladder, run=Run(memory=None))
    nothing = (0,) * len(ladder)
    ahead = swe_outlook.solve(rounds, ladder, nothing, nothing)
    bent = swe_outlook.solve(rounds, ladder, nothing, nothing, bend=swe_outlook.ANY_BEND)
    for outlook in (ahead, bent):
        ends = outlook.value.lower, outlook.value.upper
        check.number("the optimum", exact.value, outlook.value.middle, ends, outlook.value.width)
        _compare_moves(check, exact, outlook)
    return check


def _compare_moves(check: Check, exact: Solution, outlook: swe_outlook.Outlook) -> None:
    """Look for the exactly optimal creations and promotions among those that are left."""
    tables = [dice for dice in sorted(exact.afterstates) if weight(dice) < exact.rounds]
    check.model_size("blocks", len(exact.afterstates) + 1, outlook.sizes.blocks)
    for dice in tables:
        for left, mask in enumerate(outlook.possible(dice), 1):
            state = State(dice, (0,) * len(dice))
            candidates = exact.candidates(state, left)
            for score in {candidates.low, candidates.high}:
                advised = exact.actions(state._replace(score=score), left)
                optimal = [advice.action for advice in advised if advice.optimal]
                possible = [action for action in optimal if mask >> _number_of(action) & 1]
                name = f"{dice}, {left} rounds left, score {score}"
                check.action(name, possible[0] if possible else "none of them", optimal)
                for action in set(optimal) - set(possible):
                    check.excluded(name, action)


def _number_of(action: Action) -> int:
    """Return the bit by which the solver calls a creation or promotion."""
    return 0 if action.kind is ActionKind.CREATE else action.rung + 1


def check_law(policy: str, rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check the law of a policy."""
    check = Check("swe", f"law of {policy}, {size_of(rounds, ladder)}")
    played = policy_from_text(policy)
    exact = exact_distribution(played, rounds, ladder)
    law, _ = distribution_from_below(played, rounds, ladder, least=_LEAST)
    check.model_size("scores", len(exact.weights), len(law.weights))
    check.number("what is missing", mpq(0), law.missing, None, MAX_MISSING)
    for score in sorted({*exact.weights, *law.weights}):
        probability = mpq(exact.weights.get(score, 0), exact.denominator)
        weight = mpq(law.weights.get(score, 0), law.denominator)
        ends = (weight, weight + law.missing)
        check.number(f"a score of {score}", probability, weight, ends, law.missing)
    return check


def swe_ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    yield Case("swe", "9 rounds with the d10", partial(check_swe, 9, WITH_D10))
    for rounds in (5, 10, 14, 22):
        yield Case("swe", f"{rounds} rounds", partial(check_swe, rounds), rounds > 10)
    yield Case("swe", "law with the d10", partial(check_law, "ExpLegacy(0.5)", 9, WITH_D10))
    for policy, rounds in (("Rand(0.5)", 12), ("PromoOnce", 20), ("Rand(0.2)", 22), ("Promo", 30)):
        run = partial(check_law, policy, rounds)
        yield Case("swe", f"law of {policy}, {rounds} rounds", run, rounds > 14)


def check_farkle(dice: str, rules: RuleSet = KCD) -> Check:
    """Cross-check the best turn with some dice, up to the target of the rules."""
    pool = parse_dice(dice, most=rules.dice)
    target = rules.target
    if target is None:
        raise InputError("target", Unquoted("none"), "the points to reach")
    check = Check("farkle", f"{pool} to {target}")
    exact = best_turn(pool, rules)
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


def farkle_ladder() -> Iterator[Case]:
    """Sizes to check, ascending."""
    three, six = "1:1:1:1:1:1,2:1:1:1:1:1,1:1:1:1:2:1", "fair*6"
    different = f"{three},3:1:1:1:2:1,1:2:1:1:1:1,1:1:2:1:1:1"
    strict = KCD.varied(target=600, penalty=200, hot_dice=False)
    equal = partial(check_farkle, "fair*3", KCD.varied(target=1000))
    yield Case("farkle", "3 equal dice", equal)
    yield Case("farkle", "3 different dice", partial(check_farkle, three, strict))
    yield Case("farkle", "6 fair dice", partial(check_farkle, six), is_large=True)
    yield Case("farkle", "6 different dice", partial(check_farkle, different), is_large=True)
