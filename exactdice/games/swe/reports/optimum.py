"""Reports of the optimum: values, enclosures, advice and policies."""

from collections.abc import Iterator, Sequence

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.swe.claims.verdicts import OptimalPlay
from exactdice.games.swe.laws.residues import Residue
from exactdice.games.swe.optimum.advice import Advice
from exactdice.games.swe.optimum.chooser import Method, Optimum
from exactdice.games.swe.optimum.exact import Dice, Solution
from exactdice.games.swe.optimum.outlook import Outlook
from exactdice.games.swe.optimum.reachable import first_reached, search_steps, splits_of
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
from exactdice.games.swe.rules import Action, Ladder, State, weight
from exactdice.report.model import (
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

__all__ = [
    "advice_report",
    "decisions_report",
    "enclosure_report",
    "optimum_report",
    "outlook_report",
    "policy_report",
]

_LOW = whole("low", "least score for which the row holds", "points")
_HIGH = whole("high", "greatest score for which the row holds", "points")
_OPTIMAL = listing("optimal", "optimal actions, in the order that breaks ties")
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


def enclosure_report(found: Optimum, residues: Sequence[Residue] = ()) -> Report:
    """Report an optimum that intervals have enclosed or searched for, and what that took.

    Parameters
    ----------
    found
        The optimum.
    residues
        What it is modulo primes, in two ways; a failure where they differ.
    """
    quantities = [] if isinstance(found.value, Enclosure) else [Quantity(VALUE, found.value)]
    meaning = "rigorous enclosure of the optimal expected final score"
    quantities.append(Quantity(enclosed("enclosure", meaning, "points"), found.enclosure))
    meanings = _COUNTS[found.method]
    quantities += [Quantity(whole(n, *meanings[n]), found.counts[n]) for n in meanings]
    title = _TITLES[found.method].format(f"{found.rounds} rounds")
    wrong = [one.prime for one in residues if one.found != one.carried]
    return Report(
        title,
        quantities,
        [_residues_table(residues)] if residues else [],
        provenance(found.ladder),
        f"what the policy earns is not the optimum that was found, modulo {wrong[0]}"
        if wrong
        else "",
    )


def _residues_table(residues: Sequence[Residue]) -> Table:
    return Table(
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


def optimum_report(found: Optimum) -> Report:
    """Report the best that is known of an optimum, and how it was found."""
    method = Quantity(text_column("method", "how it was found"), found.method.value)
    if found.method is not Method.SEARCH:
        report = enclosure_report(found)
        first = [q for q in report.quantities if q.column.name in ("value", "enclosure")]
        rest = list(report.quantities[len(first) :])
        title = f"SWE: the optimum of {rounds_text(found.rounds)}"
        return Report(title, [*first, method, *rest], provenance=report.provenance)
    title = f"SWE: the optimum of {rounds_text(found.rounds)}"
    value = Quantity(VALUE, found.enclosure.lower)
    blocks = Quantity(whole("blocks", *_COUNTS[Method.SEARCH]["blocks"]), found.counts["blocks"])
    quantities = [value, method, blocks]
    if found.start is not None:
        title += f" from {state_text(found.start, found.ladder)}"
        column = flag("reachable", "whether play from an empty table can lead to the state")
        quantities.append(Quantity(column, _ever_reached(found.start, found.ladder)))
    return Report(title, quantities, provenance=provenance(found.ladder))


def advice_report(
    rounds: int, now: int, state: State, ladder: Ladder, advice: list[Advice]
) -> Report:
    """Report what each action is worth in a round of a game.

    Parameters
    ----------
    rounds, now
        Rounds of the game, and the number of the round that the state begins, from 1.
    state, ladder
        The state.
    advice
        What a solution says of it.
    """
    actions = Table(
        "actions",
        "What each action is worth",
        [
            text_column("action", "what to do"),
            exact("value", "expected final score, all that follows played optimally", "points"),
            exact("regret", "how much less than the best action", "points"),
            flag("optimal", "whether no other action is better"),
        ],
        [(a.action.describe(ladder), a.value, a.regret, a.optimal) for a in advice],
    )
    quantities = [
        Quantity(VALUE, max(a.value for a in advice)),
        reachable_quantity(state, now, ladder),
    ]
    title = f"SWE: round {now} of {rounds} with {state_text(state, ladder)}"
    return Report(title, quantities, [actions], provenance(ladder))


def outlook_report(rounds: int, now: int, state: State, ladder: Ladder, outlook: Outlook) -> Report:
    """Report what encloses the worth of each action in a round of a game.

    Parameters
    ----------
    rounds, now
        Rounds of the game, and the number of the round that the state begins, from 1.
    state, ladder
        The state.
    outlook
        What was found ahead of it.
    """
    actions = Table(
        "actions",
        "What each action is worth",
        [
            text_column("action", "what to do"),
            enclosed("value", "expected final score, all that follows played optimally", "points"),
            enclosed("regret", "how much less than the best action", "points"),
            flag("optimal", "whether it is the best; empty where the enclosures leave it open"),
        ],
        [(p.action.describe(ladder), p.value, p.regret, p.optimal) for p in outlook.prospects],
    )
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


def policy_report(solution: Solution, *, legacy: bool = False, path: bool = False) -> Report:
    """Report the optimal actions as functions of the score.

    Parameters
    ----------
    solution
        Of a game from the empty table.
    legacy
        Include the states with legacy dice, in which the choice is which of them to fix.
    path
        Only states that occur under optimal play.
    """
    listed = _on_path(solution) if path else _everywhere(solution)
    rows = [
        row
        for now, state in listed
        if legacy or not any(state.legacy)
        for row in _policy_rows(solution, now, state)
    ]
    states = Table(
        "states",
        "Optimal actions",
        [
            _ROUND,
            REVENUE,
            LEGACY,
            _LOW,
            _HIGH,
            exact("A", "value = A + B·score: points yet to be made", "points"),
            exact("B", "chance that the score survives", ""),
            _OPTIMAL,
        ],
        rows,
    )
    quantities = [Quantity(VALUE, solution.value)]
    where = "under optimal play" if path else "in every state"
    title = f"SWE: what is optimal in {rounds_text(solution.rounds)}, {where}"
    return Report(title, quantities, [states], provenance(solution.ladder))


def decisions_report(solution: Solution) -> Report:
    """Report where optimal play does something else than create, and whether the score decides."""
    ladder = solution.ladder
    choices: dict[tuple[tuple[int, ...], int], list[tuple[int, int, str]]] = {}
    for now, state in _on_path(solution):
        if any(state.legacy):
            continue
        bounds = choices.setdefault((state.revenue, now), [])
        for _, _, _, low, high, _, _, optimal in _policy_rows(solution, now, state):
            first = optimal[0]
            if bounds and bounds[-1][2] == first:
                bounds[-1] = (bounds[-1][0], high, first)
            else:
                bounds.append((low, high, first))
    varied = {
        revenue
        for (revenue, _), bounds in choices.items()
        if sum(revenue) and any(not action.startswith("create") for _, _, action in bounds)
    }
    ordered = sorted(choices.items(), key=lambda item: (sum(item[0][0]), item[0][0][::-1], item[0]))
    rows = [
        (dice_text(revenue, ladder), now, low, high, action, len(bounds) > 1)
        for (revenue, now), bounds in ordered
        if revenue in varied
        for low, high, action in bounds
    ]
    states = Table(
        "states",
        "First optimal action, for the dice with which it is not always to create",
        [
            text_column("dice", "revenue dice; there are no legacy dice"),
            whole("round", "number of the round that begins", "rounds"),
            whole("low", "least score of optimal play for which it holds", "points"),
            whole("high", "greatest such score", "points"),
            text_column("action", "the first optimal action"),
            flag("score_decides", "whether another score calls for another action"),
        ],
        rows,
    )
    title = f"SWE: optimal play of {solution.rounds} rounds"
    return Report(title, (), [states], provenance(ladder))


def _everywhere(solution: Solution) -> Iterator[tuple[int, State]]:
    """Yield each round with each split that play can reach in it, with the least score in reach."""
    blocks = [(dice, len(several)) for dice, several in solution.blocks()]
    for now in range(1, solution.rounds + 1):
        for dice, most_left in blocks:
            left = solution.rounds - now + 1
            if left <= most_left and (now == 1) == (dice == solution.start.dice):
                splits = splits_of(dice)
                for index in range(splits.number):
                    yield now, solution.with_least_score(splits.state(index), left)


def _on_path(solution: Solution) -> Iterator[tuple[int, State]]:
    """Yield each round with each split that occurs under optimal play, with the least score."""
    layers = OptimalPlay(solution).layers(solution.rounds)
    for now, layer in enumerate(layers, 1):
        for dice in sorted(layer, key=lambda dice: (weight(dice), dice)):
            splits = splits_of(dice)
            for index, scores in enumerate(layer[dice]):
                if scores:
                    left = solution.rounds - now + 1
                    yield now, solution.with_least_score(splits.state(index), left)


def _policy_rows(
    solution: Solution, now: int, state: State
) -> Iterator[tuple[int, Dice, Dice, int, int, mpq, mpq, tuple[str, ...]]]:
    """Yield a row for each range of scores with one line and the same optimal actions."""
    candidates = solution.candidates(state, solution.rounds - now + 1)
    lines = candidates.lines()
    for choice in candidates.choices():
        for line in lines:
            low, high = max(choice.low, line.low), min(choice.high, line.high)
            if low <= high:
                named = _names(choice.actions, solution.ladder)
                yield now, state.revenue, state.legacy, low, high, line.A, line.B, named


def _names(actions: tuple[Action, ...], ladder: Ladder) -> tuple[str, ...]:
    return tuple(action.describe(ladder) for action in actions)


def _ever_reached(state: State, ladder: Ladder) -> bool | None:
    if search_steps(state, weight(state.dice) + state.score) > MAX_STEPS:
        return None
    return first_reached(state, ladder) is not None
