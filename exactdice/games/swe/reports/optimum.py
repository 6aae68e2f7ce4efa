"""Reports of the optimum: values, enclosures, advice, policies, maxims, and the size of games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import or_

from exactdice.enclosure import Enclosure
from exactdice.games.swe.laws.residues import Residue
from exactdice.games.swe.new_only import NewOnly
from exactdice.games.swe.optimum.chooser import ActionOutlook, Method, Prospect, SweOptimum
from exactdice.games.swe.optimum.envelope import Advice, ScoreLine
from exactdice.games.swe.optimum.exact import Solution
from exactdice.games.swe.optimum.reachable import (
    OptimalPlay,
    first_reached,
    layers,
    reachability,
    scores_between,
    search_steps,
    split_weights,
    splits_of,
)
from exactdice.games.swe.reports.common import (
    LEGACY,
    MAX_STEPS,
    REVENUE,
    VALUE,
    conventions_of,
    dice_text,
    reachable_quantity,
    rounds_text,
    state_text,
)
from exactdice.games.swe.rules import Ladder, State, weight
from exactdice.report.model import (
    Column,
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

_ROUND = whole("round", "number of the round that the state begins", "rounds")

_COUNTS = {
    Method.SEARCH: {"blocks": ("multisets of dice that play can make", "blocks")},
    Method.INTERVALS: {
        "blocks": ("blocks that were solved exactly", ""),
        "blocks_in_all": ("blocks of the game", ""),
        "certain": ("creations and promotions that intervals settled", ""),
        "compared": ("choices of them that were compared exactly", ""),
    },
    Method.ENCLOSURE: {
        "blocks": ("multisets of dice", "blocks"),
        "choices": ("multisets of dice with a number of rounds left, to create or promote", ""),
        "undecided": ("choices among them that the intervals leave open", ""),
        "bytes": ("memory that the values take at once, about", "bytes"),
    },
}
_TITLES = {
    Method.INTERVALS: "Software-engineering game: exact optimum of {}, searched by intervals",
    Method.ENCLOSURE: "Software-engineering game: enclosure of the optimum of {}",
}


def enclosure_report(optimum: SweOptimum, residues: Sequence[Residue] = ()) -> Report:
    """Report an optimum that intervals have enclosed or searched for, and what that took."""
    quantities = [] if isinstance(optimum.value, Enclosure) else [VALUE(optimum.value)]
    meaning = "rigorous enclosure of the optimal expected final score"
    quantities.append(enclosed("enclosure", meaning, "points")(optimum.enclosure))
    meanings = _COUNTS[optimum.method]
    quantities += [whole(n, *meanings[n])(optimum.counts[n]) for n in meanings]
    compared = Table.of(
        "residues",
        "The optimum modulo primes",
        residues,
        whole("prime", "the prime"),
        whole("found", "the optimum that was found backwards, by comparing lines"),
        whole("carried", "what its policy earns, carried forward from the empty table"),
        flag("same", "whether they are the same").by(lambda one: one.found == one.carried),
    )
    wrong = [one.prime for one in residues if one.found != one.carried]
    problem = "what the policy earns is not the optimum that was found, modulo {}"
    return Report.of(
        _TITLES[optimum.method].format(f"{optimum.rounds} rounds"),
        conventions_of(optimum.ladder),
        *quantities,
        compared if residues else None,
        failure=problem.format(wrong[0]) if wrong else "",
    )


def optimum_report(optimum: SweOptimum) -> Report:
    """Report the best that is known of an optimum, and how it was found."""
    method = text_column("method", "how it was found")(optimum.method.value)
    title = f"SWE: the optimum of {rounds_text(optimum.rounds)}"
    if optimum.method is not Method.SEARCH:
        report = enclosure_report(optimum)
        at = 1 if isinstance(optimum.value, Enclosure) else 2
        quantities = [*report.quantities[:at], method, *report.quantities[at:]]
        return Report.of(title, report.provenance.conventions, *quantities)
    value = VALUE(optimum.enclosure.lower)
    blocks = whole("blocks", *_COUNTS[Method.SEARCH]["blocks"])(optimum.counts["blocks"])
    quantities = [value, method, blocks]
    if optimum.start is not None:
        title += f" from {state_text(optimum.start, optimum.ladder)}"
        column = flag("reachable", "whether play from an empty table can lead to the state")
        steps = search_steps(optimum.start, weight(optimum.start.dice) + optimum.start.score)
        first = first_reached(optimum.start, optimum.ladder) if steps <= MAX_STEPS else None
        quantities.append(column(first is not None if steps <= MAX_STEPS else None))
    return Report.of(title, conventions_of(optimum.ladder), *quantities)


def advice_report(
    rounds: int, now: int, state: State, ladder: Ladder, advice: list[Advice]
) -> Report:
    """Report what each action is worth in a round of a game."""
    return Report.of(
        f"SWE: round {now} of {rounds} with {state_text(state, ladder)}",
        conventions_of(ladder),
        VALUE(max(a.value for a in advice)),
        reachable_quantity(state, now, ladder),
        _actions_table(exact, "whether no other action is better", advice, ladder),
    )


def outlook_report(
    rounds: int, now: int, state: State, ladder: Ladder, outlook: ActionOutlook
) -> Report:
    """Report what encloses the worth of each action in a round of a game."""
    optimal = "whether it is the best; empty where the enclosures leave it open"
    return Report.of(
        f"SWE: round {now} of {rounds} with {state_text(state, ladder)}",
        conventions_of(ladder),
        enclosed("enclosure", "rigorous enclosure of the expected final score", "points")(
            outlook.value
        ),
        reachable_quantity(state, now, ladder),
        whole("blocks", "multisets of dice that play can make", "blocks")(outlook.sizes.blocks),
        whole("solved", "of which were looked at; the rest hardly ever occur", "blocks")(
            outlook.sizes.solved
        ),
        _actions_table(enclosed, optimal, outlook.prospects, ladder),
    )


def _actions_table(
    number: Callable[[str, str, str], Column],
    optimal: str,
    actions: Iterable[Advice | Prospect],
    ladder: Ladder,
) -> Table:
    return Table.of(
        "actions",
        "What each action is worth",
        actions,
        text_column("action", "what to do").by(lambda a: a.action.describe(ladder)),
        number("value", "expected final score, all that follows played optimally", "points"),
        number("regret", "how much less than the best action", "points"),
        flag("optimal", optimal),
    )


def policy_report(solution: Solution, *, legacy: bool = False, path: bool = False) -> Report:
    """Report the optimal actions as functions of the score."""
    states = Table.of(
        "states",
        "Optimal actions",
        (
            (now, state.revenue, state.legacy, *_span(held), line.A, line.B, named)
            for now, state, scores in _reached(solution, path=path)
            if legacy or not any(state.legacy)
            for held, line, named in _policy_rows(solution, now, state, scores)
        ),
        _ROUND,
        REVENUE,
        LEGACY,
        whole("low", "least score, of those that are reached, for which the row holds", "points"),
        whole("high", "greatest such score; not all between are reached", "points"),
        exact("A", "value = A + B·score: points yet to be made", "points"),
        exact("B", "chance that the score survives", ""),
        listing("optimal", "optimal actions, in the order that breaks ties"),
    )
    where = "under optimal play" if path else "in every state that play reaches"
    title = f"SWE: what is optimal in {rounds_text(solution.rounds)}, {where}"
    return Report.of(title, conventions_of(solution.ladder), VALUE(solution.value), states)


def decisions_report(solution: Solution) -> Report:
    """Report where optimal play does something else than create, and whether the score decides."""
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
        "First optimal action, for the dice with which it is not always to create",
        rows,
        text_column("dice", "revenue dice; there are no legacy dice"),
        whole("round", "number of the round that begins", "rounds"),
        whole("low", "least score of optimal play for which it holds", "points"),
        whole("high", "greatest such score", "points"),
        whole("scores", "how many such scores there are", ""),
        text_column("action", "the first optimal action"),
        flag("score_decides", "whether another score calls for another action"),
    )
    return Report.of(
        f"SWE: optimal play of {solution.rounds} rounds", conventions_of(ladder), states
    )


def _reached(solution: Solution, *, path: bool) -> Iterator[tuple[int, State, int]]:
    """Yield each round with each split that is reached, by any play or by optimal play alone.

    With it come the scores that are reached, as bits; the state has the least that is covered.
    """
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
    """Yield the scores, as bits, of each stretch with one line and the same optimal actions."""
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
    """Return the least and the greatest of scores that are held as bits."""
    return (scores & -scores).bit_length() - 1, scores.bit_length() - 1


def game_sizes(rounds: int, ladder: Ladder) -> tuple[int, int]:
    """Count the multisets of dice of a game, and their splits into revenue and legacy."""
    rungs = len(ladder)
    return count_points(range(1, rungs + 1), rounds), count_points(split_weights(rungs), rounds)


#: What `game_sizes` counts.
SIZES: list[Column] = [
    whole("multisets", "multisets of dice that so many rounds can make", "multisets"),
    whole("splits", "those multisets, split into revenue and legacy", "states"),
]


def sizes_report(rounds: int, ladder: Ladder) -> Report:
    """Report how many tables games of up to some rounds have, and the theorem that counts them."""
    games = Table.of(
        "games",
        "The size of each game",
        ((played, *game_sizes(played, ladder)) for played in range(rounds + 1)),
        whole("rounds", "rounds of the game", "rounds"),
        *SIZES,
    )
    statements = statements_table([reachability(len(ladder))])
    title = f"SWE: tables of games of up to {rounds_text(rounds)}"
    return Report.of(title, conventions_of(ladder), games, statements)


def values_report(solution: Solution) -> Report:
    """Report the values of all games up to some rounds, beside creating alone, and their sizes."""
    values = [solution.value_at(solution.start, left) for left in range(solution.rounds + 1)]
    new_only = NewOnly(solution.ladder[0])
    games = Table.of(
        "games",
        "The optimum of each game",
        (
            (
                left,
                value,
                value - values[left - 1] if left else None,
                new_only.expected_score(left),
                *game_sizes(left, solution.ladder),
            )
            for left, value in enumerate(values)
        ),
        whole("rounds", "rounds of the game", "rounds"),
        VALUE,
        exact("gain", "what the last round adds", "points"),
        exact("new_only", "the same when every die is new and none is promoted", "points"),
        *SIZES,
    )
    title = f"SWE: the optimum of games of up to {rounds_text(solution.rounds)}"
    return Report.of(title, conventions_of(solution.ladder), games)
