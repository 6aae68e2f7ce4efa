"""Reports of the optimum; conventions and wordings of all reports of the game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import or_

from exactdice.arithmetic import text
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.new_only import NewOnly
from exactdice.games.swe.optimum.chooser import ActionOutlook, Method, Prospect, SweOptimum
from exactdice.games.swe.optimum.envelope import Advice, ScoreLine
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.interval_search import Residue
from exactdice.games.swe.optimum.reachable import (
    OptimalPlay,
    can_be_reached,
    first_reached,
    layers,
    reachability,
    scores_between,
    search_steps,
    split_weights,
    splits_of,
)
from exactdice.games.swe.rules import Ladder, State, empty_table, weight
from exactdice.report.model import (
    Column,
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.symbolic.ehrhart import count_points
from exactdice.symbolic.statements import statements_table

ROUND = whole("round", "round that begins with the state", "rounds")

_COUNTS = {
    Method.SEARCH: {"blocks": ("reachable multisets of dice", "blocks")},
    Method.INTERVALS: {
        "blocks": ("blocks that were solved exactly", ""),
        "blocks_in_all": ("blocks of the game", ""),
        "certain": ("creations and promotions decided by intervals", ""),
        "compared": ("creations and promotions compared exactly", ""),
    },
    Method.ENCLOSURE: {
        "blocks": ("multisets of dice", "blocks"),
        "choices": ("decisions between creations and promotions", ""),
        "undecided": ("decisions that the intervals leave open", ""),
        "bytes": ("approximate peak memory of the values", "bytes"),
    },
}
_TITLES = {
    Method.INTERVALS: "Software-engineering game: exact optimum of {}, searched by intervals",
    Method.ENCLOSURE: "Software-engineering game: enclosure of the optimum of {}",
}


def enclosure_report(optimum: SweOptimum, residues: Sequence[Residue] = ()) -> Report:
    value = optimum.value.point
    quantities = [] if value is None else [VALUE(value)]
    meaning = "rigorous enclosure of the optimal expected final score"
    quantities.append(enclosed("enclosure", meaning, "points")(optimum.enclosure))
    meanings = _COUNTS[optimum.method]
    quantities += [whole(n, *meanings[n])(optimum.counts[n]) for n in meanings]
    compared = Table.of(
        "residues",
        "The optimum modulo primes",
        residues,
        whole("prime", "modulus"),
        whole("found", "optimum by backward induction"),
        whole("carried", "expected score of its policy, carried forward"),
        flag("same", "whether both agree").by(lambda one: one.found == one.carried),
    )
    wrong = [one.prime for one in residues if one.found != one.carried]
    problem = "the expected score of the policy differs from the optimum, modulo {}"
    return Report.of(
        _TITLES[optimum.method].format(f"{optimum.rounds} rounds"),
        conventions_of(optimum.ladder),
        *quantities,
        compared if residues else None,
        failure=problem.format(wrong[0]) if wrong else "",
        says=average(optimum.rounds),
    )


def optimum_report(optimum: SweOptimum) -> Report:
    method = text_column("method", "how it was found")(optimum.method.value)
    title = f"SWE: the optimum of {rounds_text(optimum.rounds)}"
    if optimum.method is not Method.SEARCH:
        report = enclosure_report(optimum)
        at = 1 if optimum.value.point is None else 2
        quantities = [*report.quantities[:at], method, *report.quantities[at:]]
        says = report.says
        return Report.of(title, report.provenance.conventions, *quantities, says=says)
    blocks = whole("blocks", *_COUNTS[Method.SEARCH]["blocks"])(optimum.counts["blocks"])
    quantities = [VALUE(optimum.enclosure.lower), method, blocks]
    start = ""
    if optimum.start is not None:
        start = f" from {state_text(optimum.start, optimum.ladder)}"
        column = flag("reachable", "whether the state is reachable from an empty table")
        steps = search_steps(optimum.start, weight(optimum.start.dice) + optimum.start.score)
        first = first_reached(optimum.start, optimum.ladder) if steps <= MAX_STEPS else None
        quantities.append(column(first is not None if steps <= MAX_STEPS else None))
    says = average(optimum.rounds) + start
    return Report.of(title + start, conventions_of(optimum.ladder), *quantities, says=says)


def average(rounds: int) -> str:
    return f"points on average in SWE of {rounds_text(rounds)}, played optimally"


def advice_report(
    rounds: int, now: int, state: State, ladder: Ladder, advice: list[Advice]
) -> Report:
    return Report.of(
        f"SWE: round {now} of {rounds} with {state_text(state, ladder)}",
        conventions_of(ladder),
        VALUE(max(a.value for a in advice)),
        reachable_quantity(state, now, ladder),
        actions_table(exact, advice, ladder),
        says=f"expected final score: {max(advice, key=lambda a: a.value).action.describe(ladder)}",
    )


def outlook_report(
    rounds: int, now: int, state: State, ladder: Ladder, outlook: ActionOutlook
) -> Report:
    optimal = "whether it is the best; empty if the enclosures leave it open"
    meaning = "rigorous enclosure of the expected final score"
    return Report.of(
        f"SWE: round {now} of {rounds} with {state_text(state, ladder)}",
        conventions_of(ladder),
        enclosed("enclosure", meaning, "points")(outlook.value),
        reachable_quantity(state, now, ladder),
        whole("blocks", "reachable multisets of dice", "blocks")(outlook.sizes.blocks),
        whole("solved", "solved; the others hardly ever occur", "blocks")(outlook.sizes.solved),
        actions_table(enclosed, outlook.prospects, ladder, optimal=optimal),
        says="expected final score: "
        + max(outlook.prospects, key=lambda p: p.value.middle).action.describe(ladder),
    )


def actions_table(
    number: Callable[[str, str, str], Column],
    actions: Iterable[Advice | Prospect],
    ladder: Ladder,
    *,
    value: str = "expected final score with optimal play after it",
    unit: str = "points",
    optimal: str = "whether no other action is better",
) -> Table:
    return Table.of(
        "actions",
        "Values of the actions",
        actions,
        text_column("action", "action").by(lambda a: a.action.describe(ladder)),
        number("value", value, unit),
        number("regret", "difference from the best action", unit),
        flag("optimal", optimal),
    )


def policy_report(solution: Solution, *, legacy: bool = False, path: bool = False) -> Report:
    states = Table.of(
        "states",
        "Optimal actions",
        (
            (now, state.revenue, state.legacy, *_span(held), line.A, line.B, named)
            for now, state, scores in _reached(solution, path=path)
            if legacy or not any(state.legacy)
            for held, line, named in _policy_rows(solution, now, state, scores)
        ),
        ROUND,
        REVENUE,
        LEGACY,
        whole("low", "least reachable score of the row", "points"),
        whole("high", "greatest reachable score of the row", "points"),
        exact("A", "value = A + B·score: expected points to come", "points"),
        exact("B", "probability that the score survives", ""),
        listing("optimal", "optimal actions, in the order that breaks ties"),
    )
    where = "under optimal play" if path else "in every reachable state"
    title = f"SWE: optimal actions in {rounds_text(solution.rounds)}, {where}"
    says = average(solution.rounds)
    value = VALUE(solution.value)
    return Report.of(title, conventions_of(solution.ladder), value, states, says=says)


def decisions_report(solution: Solution) -> Report:
    ladder = solution.ladder
    choices = {
        (state.revenue, now): [
            (action, reduce(or_, (held for held, *_ in rows)))
            for action, rows in groupby(
                _policy_rows(solution, now, state, scores), lambda row: row[2][0]
            )
        ]
        for now, state, scores in _reached(solution, path=True)
        if not any(state.legacy)
    }
    varied = {
        revenue
        for (revenue, _), first in choices.items()
        if sum(revenue) and not all(action.startswith("create") for action, _ in first)
    }
    ordered = sorted(choices.items(), key=lambda item: (sum(item[0][0]), item[0][0][::-1], item[0]))
    rows = [
        (dice_text(revenue, ladder), now, *_span(held), held.bit_count(), action, len(first) > 1)
        for (revenue, now), first in ordered
        if revenue in varied
        for action, held in first
    ]
    states = Table.of(
        "states",
        "First optimal action, for dice that do not always create",
        rows,
        text_column("dice", "revenue dice, without legacy dice"),
        ROUND,
        whole("low", "least score of the row under optimal play", "points"),
        whole("high", "greatest score of the row", "points"),
        whole("scores", "number of scores of the row", ""),
        text_column("action", "first optimal action"),
        flag("score_decides", "whether the action depends on the score"),
    )
    title = f"SWE: optimal play of {solution.rounds} rounds"
    return Report.of(title, conventions_of(ladder), states)


def _reached(solution: Solution, *, path: bool) -> Iterator[tuple[int, State, int]]:
    rounds = solution.rounds
    every = OptimalPlay(solution).layers(rounds) if path else layers(rounds - 1, solution.start)
    for now, layer in enumerate(every, 1):
        for dice in sorted(layer, key=lambda dice: (weight(dice), dice)):
            splits = splits_of(dice)
            for index, scores in enumerate(layer[dice]):
                if scores:
                    state = splits.state(index)
                    yield now, solution.with_least_score(state, rounds - now + 1), scores


def _policy_rows(
    solution: Solution, now: int, state: State, scores: int
) -> Iterator[tuple[int, ScoreLine, tuple[str, ...]]]:
    """Yield the scores, as bits, of each interval with one line and the same optimal actions."""
    candidates = solution.candidates(state, solution.rounds - now + 1)
    lines = candidates.lines()
    for choice in candidates.choices():
        named = tuple(action.describe(solution.ladder) for action in choice.actions)
        for line in lines:
            low, high = max(choice.low, line.low), min(choice.high, line.high)
            held = scores & scores_between(low, high) if low <= high else 0
            if held:
                yield held, line, named


def _span(scores: int) -> tuple[int, int]:
    return (scores & -scores).bit_length() - 1, scores.bit_length() - 1


def game_sizes(rounds: int, ladder: Ladder) -> tuple[int, int]:
    """Count the multisets of dice, and their splits, for the columns `SIZES`."""
    rungs = len(ladder)
    return count_points(range(1, rungs + 1), rounds), count_points(split_weights(rungs), rounds)


SIZES: list[Column] = [
    whole("multisets", "reachable multisets of dice", "multisets"),
    whole("splits", "splits of them into revenue and legacy", "states"),
]


def sizes_report(rounds: int, ladder: Ladder) -> Report:
    games = Table.of(
        "games",
        "The size of each game",
        ((played, *game_sizes(played, ladder)) for played in range(rounds + 1)),
        whole("rounds", "rounds of the game", "rounds"),
        *SIZES,
    )
    statements = statements_table([reachability(len(ladder))])
    title = f"SWE: sizes of games of up to {rounds_text(rounds)}"
    return Report.of(title, conventions_of(ladder), games, statements)


def values_report(solution: Solution) -> Report:
    values = [solution.value_at(solution.start, left) for left in range(solution.rounds + 1)]
    new_only, rows = NewOnly(solution.ladder[0]), []
    for left, value in enumerate(values):
        gain = value - values[left - 1] if left else None
        sizes = game_sizes(left, solution.ladder)
        rows.append((left, value, gain, new_only.expected_score(left), *sizes))
    games = Table.of(
        "games",
        "The optimum of each game",
        rows,
        whole("rounds", "rounds of the game", "rounds"),
        VALUE,
        exact("gain", "increase by the last round", "points"),
        exact("new_only", "expected final score without promotions", "points"),
        *SIZES,
    )
    title = f"SWE: the optimum of games of up to {rounds_text(solution.rounds)}"
    return Report.of(title, conventions_of(solution.ladder), games)


MAX_STEPS = 5_000_000  # of a search for a state; more take longer than half a minute

REVENUE = listing("revenue", "revenue dice on each rung, lowest first", "dice")
LEGACY = listing("legacy", "legacy dice on each rung, lowest first", "dice")
VALUE = exact("value", "expected final score under optimal play", "points")


def conventions_of(ladder: Ladder, **more: str) -> dict[str, str]:
    return {
        "ladder": ", ".join(f"d{text(faces)}" for faces in ladder),
        "start": "empty table, score 0, by default",
        "catastrophe": "no revenue die left after a roll: the score becomes 0",
        "ties": "fix from the highest rung, create, promote from the lowest rung",
    } | more


def dice_text(dice: tuple[int, ...], ladder: Ladder) -> str:
    """Return dice in words."""
    shown = [f"{n} d{faces}" for n, faces in zip(dice, ladder, strict=True) if n]
    return ", ".join(shown) or "none"


def state_text(state: State, ladder: Ladder) -> str:
    revenue, legacy = dice_text(state.revenue, ladder), dice_text(state.legacy, ladder)
    if state == empty_table(ladder):
        return "an empty table"
    return f"revenue {revenue}; legacy {legacy}; score {state.score}"


def rounds_text(rounds: int) -> str:
    return f"{rounds} round" if rounds == 1 else f"{rounds} rounds"


def reachable_quantity(state: State, now: int, ladder: Ladder) -> Quantity:
    is_short = search_steps(state, now - 1) <= MAX_STEPS
    reached = can_be_reached(state, now - 1, ladder) if is_short else None
    return flag("reachable", f"whether the state is reachable in {now - 1} rounds")(reached)


def require_existing(state: State, played: int) -> None:
    needed = weight(state.dice)
    if not bool(played) <= needed <= played:
        got = Unquoted(f"dice that take {rounds_text(needed)} to make")
        wanted = f"dice of 1 to {rounds_text(played)}" if played else "no dice before round 1"
        raise InputError("revenue and legacy", got, f"{wanted} (a die takes a round for each rung)")
