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
    dice_text,
    provenance,
    reachable_quantity,
    rounds_text,
    state_text,
)
from exactdice.games.swe.rules import Ladder, State, weight
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
from exactdice.symbolic.reports import statements_table

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
    quantities = [] if isinstance(optimum.value, Enclosure) else [Quantity(VALUE, optimum.value)]
    meaning = "rigorous enclosure of the optimal expected final score"
    quantities.append(Quantity(enclosed("enclosure", meaning, "points"), optimum.enclosure))
    meanings = _COUNTS[optimum.method]
    quantities += [Quantity(whole(n, *meanings[n]), optimum.counts[n]) for n in meanings]
    title = _TITLES[optimum.method].format(f"{optimum.rounds} rounds")
    compared = Table(
        "residues",
        "The optimum modulo primes",
        [
            whole("prime", "the prime"),
            whole("found", "the optimum that was found backwards, by comparing lines"),
            whole("carried", "what its policy earns, carried forward from the empty table"),
            flag("same", "whether they are the same"),
        ],
        [(one.prime, one.found, one.carried, one.found == one.carried) for one in residues],
    )
    wrong = [one.prime for one in residues if one.found != one.carried]
    problem = "what the policy earns is not the optimum that was found, modulo {}"
    return Report(
        title,
        quantities,
        [compared] if residues else [],
        provenance(optimum.ladder),
        problem.format(wrong[0]) if wrong else "",
    )


def optimum_report(optimum: SweOptimum) -> Report:
    """Report the best that is known of an optimum, and how it was found."""
    method = Quantity(text_column("method", "how it was found"), optimum.method.value)
    title = f"SWE: the optimum of {rounds_text(optimum.rounds)}"
    if optimum.method is not Method.SEARCH:
        report = enclosure_report(optimum)
        at = 1 if isinstance(optimum.value, Enclosure) else 2
        quantities = [*report.quantities[:at], method, *report.quantities[at:]]
        return Report(title, quantities, provenance=report.provenance)
    value = Quantity(VALUE, optimum.enclosure.lower)
    blocks = Quantity(whole("blocks", *_COUNTS[Method.SEARCH]["blocks"]), optimum.counts["blocks"])
    quantities = [value, method, blocks]
    if optimum.start is not None:
        title += f" from {state_text(optimum.start, optimum.ladder)}"
        column = flag("reachable", "whether play from an empty table can lead to the state")
        steps = search_steps(optimum.start, weight(optimum.start.dice) + optimum.start.score)
        first = first_reached(optimum.start, optimum.ladder) if steps <= MAX_STEPS else None
        quantities.append(Quantity(column, first is not None if steps <= MAX_STEPS else None))
    return Report(title, quantities, provenance=provenance(optimum.ladder))


def advice_report(
    rounds: int, now: int, state: State, ladder: Ladder, advice: list[Advice]
) -> Report:
    """Report what each action is worth in a round of a game."""
    actions = _actions_table(exact, "whether no other action is better", advice, ladder)
    quantities = [
        Quantity(VALUE, max(a.value for a in advice)),
        reachable_quantity(state, now, ladder),
    ]
    title = f"SWE: round {now} of {rounds} with {state_text(state, ladder)}"
    return Report(title, quantities, [actions], provenance(ladder))


def outlook_report(
    rounds: int, now: int, state: State, ladder: Ladder, outlook: ActionOutlook
) -> Report:
    """Report what encloses the worth of each action in a round of a game."""
    optimal = "whether it is the best; empty where the enclosures leave it open"
    actions = _actions_table(enclosed, optimal, outlook.prospects, ladder)
    quantities = [
        Quantity(
            enclosed("enclosure", "rigorous enclosure of the expected final score", "points"),
            outlook.value,
        ),
        reachable_quantity(state, now, ladder),
        Quantity(
            whole("blocks", "multisets of dice that play can make", "blocks"), outlook.sizes.blocks
        ),
        Quantity(
            whole("solved", "of which were looked at; the rest hardly ever occur", "blocks"),
            outlook.sizes.solved,
        ),
    ]
    title = f"SWE: round {now} of {rounds} with {state_text(state, ladder)}"
    return Report(title, quantities, [actions], provenance(ladder))


def _actions_table(
    number: Callable[[str, str, str], Column],
    optimal: str,
    actions: Iterable[Advice | Prospect],
    ladder: Ladder,
) -> Table:
    return Table(
        "actions",
        "What each action is worth",
        [
            text_column("action", "what to do"),
            number("value", "expected final score, all that follows played optimally", "points"),
            number("regret", "how much less than the best action", "points"),
            flag("optimal", optimal),
        ],
        [(a.action.describe(ladder), a.value, a.regret, a.optimal) for a in actions],
    )


def policy_report(solution: Solution, *, legacy: bool = False, path: bool = False) -> Report:
    """Report the optimal actions as functions of the score."""
    rows = [
        (now, state.revenue, state.legacy, *_span(held), line.A, line.B, named)
        for now, state, scores in _reached(solution, path=path)
        if legacy or not any(state.legacy)
        for held, line, named in _policy_rows(solution, now, state, scores)
    ]
    states = Table(
        "states",
        "Optimal actions",
        [
            _ROUND,
            REVENUE,
            LEGACY,
            whole(
                "low", "least score, of those that are reached, for which the row holds", "points"
            ),
            whole("high", "greatest such score; not all between are reached", "points"),
            exact("A", "value = A + B·score: points yet to be made", "points"),
            exact("B", "chance that the score survives", ""),
            listing("optimal", "optimal actions, in the order that breaks ties"),
        ],
        rows,
    )
    quantities = [Quantity(VALUE, solution.value)]
    where = "under optimal play" if path else "in every state that play reaches"
    title = f"SWE: what is optimal in {rounds_text(solution.rounds)}, {where}"
    return Report(title, quantities, [states], provenance(solution.ladder))


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
        (
            dice_text(revenue, ladder),
            now,
            *_span(held),
            held.bit_count(),
            action,
            len(first) > 1,
        )
        for (revenue, now), first in ordered
        if revenue in varied
        for action, held in first
    ]
    states = Table(
        "states",
        "First optimal action, for the dice with which it is not always to create",
        [
            text_column("dice", "revenue dice; there are no legacy dice"),
            whole("round", "number of the round that begins", "rounds"),
            whole("low", "least score of optimal play for which it holds", "points"),
            whole("high", "greatest such score", "points"),
            whole("scores", "how many such scores there are", ""),
            text_column("action", "the first optimal action"),
            flag("score_decides", "whether another score calls for another action"),
        ],
        rows,
    )
    title = f"SWE: optimal play of {solution.rounds} rounds"
    return Report(title, (), [states], provenance(ladder))


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
    games = Table(
        "games",
        "The size of each game",
        [whole("rounds", "rounds of the game", "rounds"), *SIZES],
        [(played, *game_sizes(played, ladder)) for played in range(rounds + 1)],
    )
    statements = statements_table([reachability(len(ladder))])
    title = f"SWE: tables of games of up to {rounds_text(rounds)}"
    return Report(title, (), [games, statements], provenance(ladder))


def values_report(solution: Solution) -> Report:
    """Report the values of all games up to some rounds, beside creating alone, and their sizes."""
    values = [solution.value_at(solution.start, left) for left in range(solution.rounds + 1)]
    new_only = NewOnly(solution.ladder[0])
    games = Table(
        "games",
        "The optimum of each game",
        [
            whole("rounds", "rounds of the game", "rounds"),
            VALUE,
            exact("gain", "what the last round adds", "points"),
            exact("new_only", "the same when every die is new and none is promoted", "points"),
            *SIZES,
        ],
        [
            (
                left,
                value,
                value - values[left - 1] if left else None,
                new_only.expected_score(left),
                *game_sizes(left, solution.ladder),
            )
            for left, value in enumerate(values)
        ],
    )
    title = f"SWE: the optimum of games of up to {rounds_text(solution.rounds)}"
    return Report(title, (), [games], provenance(solution.ladder))
