"""Cross-checks: the C++ solvers against exact arithmetic, game by game, at several sizes.

A cross-check solves one game at one size exactly, in doubles if available, and in intervals.
It compares the sizes of the two models; every double, converted to a rational *exactly*, with the
exact value, against the stated bound of the solver; every interval, which must contain the exact
value; and every action of the fast solver, which must be one of the optimal ones. Failures are
counted, and the first of each kind is named.

*The software-engineering game.* From the start, the solver of `exactdice.native.swe_outlook`
encloses the optimum and marks the creations and promotions that may be optimal with any dice; the
exact search of long games uses both. The enclosures must contain the exact values, and the marked
moves must include every optimal one, at every score that exact play can reach. For the distribution
of the final score under a policy, the probability of each score in doubles may not exceed the exact
one, no more may be missing than the solver states, and the score must be reachable. Games are
followed however improbable they are, so that only rounding is missing.

*Farkle.* The expected points of rolling every set of dice with every number of points, and whether
to roll or bank.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

from exactdice.arithmetic import mpq, significant, text
from exactdice.errors import InputError, Unquoted, one_named
from exactdice.games import GAMES
from exactdice.games.farkle import KCD, parse_dice
from exactdice.games.farkle import solve as best_turn
from exactdice.games.farkle.rules.rule_set import JOKER, RuleSet
from exactdice.games.record import listed
from exactdice.games.swe.distributions.evaluation import distribution_from_below, exact_distribution
from exactdice.games.swe.distributions.players import policy_from_text
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, ActionKind, Ladder, State, weight
from exactdice.native import farkle, last_place, solvers, swe_outlook
from exactdice.question import Question, argument, option
from exactdice.question.domains import Flag, Text
from exactdice.report.model import Report, Table, exact, flag, text_column, whole
from exactdice.run import Run

#: Probability that may be missing of a distribution from which no game was omitted.
MAX_MISSING = mpq(1, 2**40)
_LEAST = mpq(1, 10**200)
_NONE = mpq(0)


@dataclass
class Check:
    """One cross-check: its counts and failures."""

    game: str
    size: str
    # each compared size of the model, for the exact and the fast solver
    model_sizes: list[tuple[str, int, int]] = field(default_factory=list)
    numbers: int = 0  # values compared
    # the largest error of a double: absolute, relative to the exact value, in units in its last
    # place, and divided by its stated bound
    largest_absolute: mpq = _NONE
    largest_relative: mpq = _NONE
    largest_ulps: mpq = _NONE
    bound_used: mpq = _NONE
    outside_bound: int = 0  # doubles whose error exceeds the stated bound
    not_enclosed: int = 0  # intervals without the exact value
    actions: int = 0  # decisions compared
    ties: int = 0  # decisions with several optimal actions
    wrong: int = 0  # decisions in which the action taken is not optimal
    undecided: int = 0  # decisions that the intervals leave open
    failures: dict[str, str] = field(default_factory=dict)  # the first of each kind, in words

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self.failures.values())

    @property
    def passed(self) -> bool:
        return not self.failures

    def model_size(self, name: str, exact: int, fast: int) -> None:
        self.model_sizes.append((name, exact, fast))
        if exact != fast:
            self._fail(f"size {name}", f"{name}: {exact} in the exact model, {fast} in the other")

    def number(
        self, name: str, exact: mpq, double: Any, ends: tuple[Any, Any] | None, bound: mpq
    ) -> None:
        self.numbers += 1
        computed = mpq(double)
        error = abs(computed - exact)
        self.largest_absolute = max(self.largest_absolute, error)
        if exact:
            self.largest_relative = max(self.largest_relative, error / abs(exact))
        self.largest_ulps = max(self.largest_ulps, error / last_place(computed))
        if bound:
            self.bound_used = max(self.bound_used, error / bound)
        if error > bound:
            self.outside_bound += 1
            more = f"{_brief(error)}, more than its bound of {_brief(bound)}"
            self._fail("bound", f"{name}: the double is off by {more}")
        if ends is not None and not mpq(ends[0]) <= exact <= mpq(ends[1]):
            self.not_enclosed += 1
            self._fail("interval", f"{name}: the interval does not contain the exact value")

    def action(self, name: str, taken: Any, optimal: Iterable[Any]) -> None:
        best = list(optimal)
        self.actions += 1
        self.ties += len(best) > 1
        if taken not in best:
            self.wrong += 1
            self._fail("action", f"{name}: takes {taken}; optimal: {', '.join(map(str, best))}")

    def excluded(self, name: str, action: Any) -> None:
        self.not_enclosed += 1
        self._fail("excluded", f"{name}: intervals exclude {action}, which is optimal")

    def _fail(self, kind: str, problem: str) -> None:
        self.failures.setdefault(kind, problem)


@dataclass(frozen=True)
class Case:
    game: str
    size: str
    run: Callable[[], Check]  # the cross-check
    is_large: bool = False  # whether it takes too long for a quick run of all tests


def _brief(number: mpq) -> str:
    whole = text(number)
    return whole if len(whole) < 20 else significant(number, 3)


def cases(games: Sequence[str] = (), *, large: bool = False) -> list[Case]:
    asked = {name: one_named(GAMES, name, "game") for name in games or GAMES}
    chosen = {name: game for name, game in GAMES.items() if name in asked}
    ladders = listed(chosen, "crosscheck")
    return [case for ladder in ladders for case in ladder() if large or not case.is_large]


class ProjectCrosscheck(Question, example="farkle", takes="15 s; 40 s with --large"):
    """Check the C++ solvers against the exact ones; exit status 1 after a failure."""

    games: tuple[str, ...] = argument(
        Text(*GAMES), f"Any of {', '.join(GAMES)}. Default: all.", many=True, default=()
    )
    _: KW_ONLY
    large: bool = option(Flag(), "Check the large sizes too.")

    def report(self, run: Run) -> Report:
        chosen = cases(self.games, large=self.large)
        solvers()
        checks = []
        for done, case in enumerate(chosen):
            run.tell("cross-checks", done, len(chosen))
            checks.append(case.run())
        return _report(checks)


def _report(checks: Sequence[Check]) -> Report:
    problems = [(c.game, c.size, problem) for c in checks for problem in c.problems]
    game, size = text_column("game", "game"), text_column("size", "size that was solved")
    kind = text_column("problem", "the first failure of its kind")
    failed = sum(not c.passed for c in checks)
    first = "{}, {}: {}".format(*problems[0]) if problems else ""
    return Report.of(
        "Cross-check of the C++ solvers against the exact ones",
        {"doubles": "converted to rationals exactly, then compared"},
        whole("checks_run", "cross-checks", "checks")(len(checks)),
        whole("checks_failed", "cross-checks with a failure")(failed),
        Table.of(
            "checks",
            "Doubles and intervals against exact values",
            checks,
            game,
            size,
            whole("numbers", "values compared", "values"),
            exact("largest_relative", "largest relative error of a double", "", "relative error"),
            exact("largest_ulps", "largest error in units in the last place", "ulp", "ulps"),
            exact("largest_absolute", "largest absolute error of a double", "", "absolute error"),
            exact("bound_used", "largest error divided by its stated bound", "", "used"),
            whole("outside", "doubles beyond their bound, intervals without the exact value").by(
                lambda c: c.outside_bound + c.not_enclosed
            ),
            whole("actions", "decisions compared", "decisions"),
            whole("ties", "decisions with several optimal actions", "decisions"),
            whole("wrong", "decisions in which the action taken is not optimal", "decisions"),
            whole("undecided", "decisions that the intervals leave open", "decisions"),
            flag("passed", "whether there is no failure"),
        ),
        Table.of(
            "model_sizes",
            "Sizes of the models",
            ((c.game, c.size, *counted) for c in checks for counted in c.model_sizes),
            game,
            size,
            text_column("what", "quantity that is counted"),
            whole("exact", "in the exact model"),
            whole("fast", "in the fast model"),
        ),
        Table.of("problems", "Failures", problems, game, size, kind) if problems else None,
        failure=f"{failed} of {len(checks)} cross-checks failed; the first: {first}"
        if failed
        else "",
    )


def size_of(rounds: int, ladder: Ladder) -> str:
    others = "" if ladder == STANDARD else f" with {', '.join(f'd{faces}' for faces in ladder)}"
    return f"{rounds} rounds{others}"


def check_swe(rounds: int, ladder: Ladder = STANDARD) -> Check:
    """Cross-check a game from the empty table."""
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
    """Return the bit of a creation or promotion in the masks of the solver."""
    return 0 if action.kind is ActionKind.CREATE else action.rung + 1


def check_law(policy: str, rounds: int, ladder: Ladder = STANDARD) -> Check:
    check = Check("swe", f"distribution of {policy}, {size_of(rounds, ladder)}")
    played = policy_from_text(policy)
    exact = exact_distribution(played, rounds, ladder)
    law, _ = distribution_from_below(played, rounds, ladder, least=_LEAST)
    check.model_size("scores", len(exact.weights), len(law.weights))
    check.number("missing probability", mpq(0), law.missing, None, MAX_MISSING)
    for score in sorted({*exact.weights, *law.weights}):
        probability = mpq(exact.weights.get(score, 0), exact.denominator)
        weight = mpq(law.weights.get(score, 0), law.denominator)
        ends = (weight, weight + law.missing)
        check.number(f"a score of {score}", probability, weight, ends, law.missing)
    return check


def swe_ladder() -> Iterator[Case]:
    yield Case("swe", "9 rounds with the d10", partial(check_swe, 9, WITH_D10))
    for rounds in (5, 10, 14, 22):
        yield Case("swe", f"{rounds} rounds", partial(check_swe, rounds), rounds > 10)
    yield Case("swe", "distribution, d10", partial(check_law, "ExpLegacy(0.5)", 9, WITH_D10))
    for policy, rounds in (("Rand(0.5)", 12), ("PromoOnce", 20), ("Rand(0.2)", 22), ("Promo", 30)):
        run = partial(check_law, policy, rounds)
        yield Case("swe", f"distribution of {policy}, {rounds} rounds", run, rounds > 14)


def check_farkle(dice: str, rules: RuleSet = KCD) -> Check:
    pool = parse_dice(dice, most=rules.dice)
    target = rules.target
    if target is None:
        raise InputError("target", Unquoted("none"), "rules with a target")
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
    three, six = "1:1:1:1:1:1,2:1:1:1:1:1,1:1:1:1:2:1", "fair*6"
    different = f"{three},3:1:1:1:2:1,1:2:1:1:1:1,1:1:2:1:1:1"
    strict = KCD.varied(target=600, penalty=200, hot_dice=False)
    equal = partial(check_farkle, "fair*3", KCD.varied(target=1000))
    yield Case("farkle", "3 equal dice", equal)
    yield Case("farkle", "3 different dice", partial(check_farkle, three, strict))
    yield Case("farkle", "6 fair dice", partial(check_farkle, six), is_large=True)
    yield Case("farkle", "6 different dice", partial(check_farkle, different), is_large=True)
