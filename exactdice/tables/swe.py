"""Reports of the software-engineering game's optimum: values, advice, policies and claims."""

from collections.abc import Callable, Iterator
from functools import partial

from exactdice.arithmetic import text
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe import (
    STANDARD,
    WITH_D10,
    Action,
    Ladder,
    Solution,
    State,
    empty_table,
    solve,
    weight,
)
from exactdice.games.swe.reachable import can_be_reached, first_reached, search_steps, splits_of
from exactdice.games.swe.verdicts import Counterexample, OptimalPlay, Verdict, settle
from exactdice.memory import MEMORY_LIMIT
from exactdice.report.model import (
    Cell,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.entry import Entry

__all__ = [
    "advice_report",
    "claims_report",
    "dice_text",
    "entries",
    "long_entries",
    "policy_report",
    "reachable_quantity",
    "require_existing",
    "state_text",
    "swe_provenance",
    "value_report",
    "values_report",
]

Progress = Callable[[int, int], None]

_MAX_STEPS = 5_000_000  # of a search for a state; more would take longer than half a minute

_REVENUE = listing("revenue", "revenue dice on each rung, lowest first", "dice")
_LEGACY = listing("legacy", "legacy dice on each rung, lowest first", "dice")
_SCORE = whole("score", "score before the round", "points")
_LOW = whole("low", "least score for which the row holds", "points")
_HIGH = whole("high", "greatest score for which the row holds", "points")
_VALUE = exact("value", "expected final score under optimal play", "points")
_OPTIMAL = listing("optimal", "optimal actions, in the order that breaks ties")


def swe_provenance(ladder: Ladder) -> Provenance:
    """Return the conventions that every report of the game depends on."""
    return Provenance(
        conventions={
            "ladder": ", ".join(f"d{text(faces)}" for faces in ladder),
            "start": "empty table, score 0, unless said otherwise",
            "catastrophe": "no revenue die left after a roll: the score becomes 0",
            "ties": "fix from the highest rung, create, promote from the lowest rung",
        }
    )


def dice_text(dice: tuple[int, ...], ladder: Ladder) -> str:
    """Write dice as a person would: ``2 d4, 1 d8``.

    Examples
    --------
    >>> dice_text((2, 0, 1, 0, 0), STANDARD), dice_text((0,) * 5, STANDARD)
    ('2 d4, 1 d8', 'none')
    """
    shown = [f"{n} d{faces}" for n, faces in zip(dice, ladder, strict=True) if n]
    return ", ".join(shown) or "none"


def value_report(
    rounds: int,
    ladder: Ladder = STANDARD,
    start: State | None = None,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the value of a game, from the empty table or from a state."""
    solution = solve(rounds, ladder, start, memory_limit=memory_limit, progress=progress)
    quantities = [
        Quantity(_VALUE, solution.value),
        Quantity(
            whole("blocks", "multisets of dice that play can make", "blocks"),
            len({*solution.launched, solution.start.dice}),
        ),
    ]
    title = f"SWE: the optimum of {_rounds_text(solution.rounds)}"
    if start is not None:
        title += f" from {state_text(start, ladder)}"
        column = flag("reachable", "whether play from an empty table can lead to the state")
        quantities.append(Quantity(column, _ever_reached(start, ladder)))
    return Report(title, quantities, provenance=swe_provenance(ladder))


def values_report(
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the values of all games up to some rounds, and what each round adds."""
    solution = solve(rounds, ladder, memory_limit=memory_limit, progress=progress)
    values = [solution.value_at(solution.start, left) for left in range(rounds + 1)]
    games = Table(
        "games",
        "The optimum of each game",
        [
            whole("rounds", "rounds of the game", "rounds"),
            _VALUE,
            exact("gain", "what the last round adds", "points"),
        ],
        [
            (left, value, value - values[left - 1] if left else None)
            for left, value in enumerate(values)
        ],
    )
    title = f"SWE: the optimum of games of up to {_rounds_text(rounds)}"
    return Report(title, (), [games], swe_provenance(ladder))


def advice_report(
    rounds: int,
    now: int,
    state: State,
    ladder: Ladder = STANDARD,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report what each action is worth in a round of a game.

    Parameters
    ----------
    rounds, now
        Rounds of the game, and the number of the round that the state begins, from 1.
    state
        The state.

    Raises
    ------
    InputError
        If there are more or fewer dice than so many rounds can have made.
    """
    require_existing(state, now - 1)
    left = rounds - now + 1
    solution = solve(left, ladder, state, memory_limit=memory_limit, progress=progress)
    advice = solution.actions(state, left)
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
        Quantity(_VALUE, max(a.value for a in advice)),
        reachable_quantity(state, now, ladder),
    ]
    title = f"SWE: round {now} of {rounds} with {state_text(state, ladder)}"
    return Report(title, quantities, [actions], swe_provenance(ladder))


def reachable_quantity(state: State, now: int, ladder: Ladder) -> Quantity:
    """Say whether play can lead to a state by the round that begins; nothing if that takes long."""
    steps = search_steps(state, now - 1)
    return Quantity(
        flag("reachable", f"whether play can lead to the state in {now - 1} rounds"),
        can_be_reached(state, now - 1, ladder) if steps <= _MAX_STEPS else None,
    )


def policy_report(
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    legacy: bool = False,
    path: bool = False,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the optimal actions as functions of the score.

    Parameters
    ----------
    rounds, ladder
        The game.
    legacy
        Include the states with legacy dice, in which the choice is which of them to fix.
    path
        Only states that occur under optimal play.
    """
    solution = solve(rounds, ladder, memory_limit=memory_limit, progress=progress)
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
            whole("round", "number of the round that the state begins", "rounds"),
            _REVENUE,
            _LEGACY,
            _LOW,
            _HIGH,
            exact("A", "value = A + B·score: points yet to be made", "points"),
            exact("B", "chance that the score survives", ""),
            _OPTIMAL,
        ],
        rows,
    )
    quantities = [Quantity(_VALUE, solution.value)]
    where = "under optimal play" if path else "in every state"
    title = f"SWE: what is optimal in {_rounds_text(rounds)}, {where}"
    return Report(title, quantities, [states], swe_provenance(ladder))


def claims_report(
    rounds: int,
    ladder: Ladder = STANDARD,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
    progress: Progress | None = None,
) -> Report:
    """Report the verdicts on the claims of the game's README, for all games up to some rounds."""
    verdicts = settle(rounds, ladder, memory_limit=memory_limit, progress=progress)
    claims = Table(
        "claims",
        "Claims about optimal play",
        [
            text_column("claim", "name"),
            text_column("statement", "what it says"),
            whole("rounds", "checked in games of at most so many rounds, or of exactly so many"),
            flag("complete", "whether it was checked in all states that play can reach"),
            flag(
                "holds",
                "whether it holds in all states checked; nothing where that is open or there is no "
                "such state",
            ),
            flag("holds_on_path", "the same for states that occur under optimal play"),
            whole("cases", "states checked, once for each game and round", "states"),
            whole("exceptions", "states in which it fails", "states"),
            flag("occurs", "whether any of the states checked occurs under optimal play"),
        ],
        [_claim_row(verdict) for verdict in verdicts],
    )
    examples = Table(
        "counterexamples",
        "Smallest counterexamples among the states checked",
        [
            text_column("claim", "name"),
            flag(
                "on_path",
                "the smallest that occurs under optimal play, or else of all states checked; "
                "where that is not complete, an earlier one may exist",
            ),
            whole("rounds", "rounds of the game", "rounds"),
            whole("round", "number of the round that the state begins", "rounds"),
            _REVENUE,
            _LEGACY,
            _SCORE,
            text_column("claimed", "action that the claim names"),
            text_column("better", "action that is better"),
            exact("loss", "how much less the claimed action is worth", "points"),
        ],
        [row for verdict in verdicts for row in _example_rows(verdict)],
    )
    title = f"SWE: claims about optimal play, games of at most {_rounds_text(rounds)}"
    return Report(title, (), [claims, examples], swe_provenance(ladder))


def _claim_row(verdict: Verdict) -> tuple[Cell, ...]:
    return (
        verdict.claim.name,
        verdict.claim.statement,
        verdict.rounds,
        verdict.complete,
        verdict.holds,
        verdict.holds_on_path,
        verdict.cases,
        verdict.exceptions,
        verdict.occurs,
    )


def _example_rows(verdict: Verdict) -> Iterator[tuple[Cell, ...]]:
    ladder = verdict.ladder
    for on_path, example in ((False, verdict.counterexample), (True, verdict.on_path)):
        if example is not None:
            yield verdict.claim.name, on_path, *_example_cells(example, ladder)


def _example_cells(example: Counterexample, ladder: Ladder) -> tuple[Cell, ...]:
    return (
        example.rounds,
        example.played + 1,
        *example.state,
        example.claimed.describe(ladder),
        example.better.describe(ladder),
        example.loss,
    )


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


def _policy_rows(solution: Solution, now: int, state: State) -> Iterator[tuple[Cell, ...]]:
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


def require_existing(state: State, played: int) -> None:
    """Refuse dice that cannot be there after so many rounds."""
    needed = weight(state.dice)
    least = 1 if played else 0
    if not least <= needed <= played:
        got = Unquoted(f"dice that take {_rounds_text(needed)} to make")
        raise InputError(
            "revenue and legacy",
            got,
            f"dice that can be there after {_rounds_text(played)}: each die takes one round for "
            "each rung up to its own, and the first round makes one",
        )


def _ever_reached(state: State, ladder: Ladder) -> bool | None:
    if search_steps(state, weight(state.dice) + state.score) > _MAX_STEPS:
        return None
    return first_reached(state, ladder) is not None


def _rounds_text(rounds: int) -> str:
    return f"{rounds} round" if rounds == 1 else f"{rounds} rounds"


def state_text(state: State, ladder: Ladder) -> str:
    """Write a state as a person would."""
    revenue, legacy = dice_text(state.revenue, ladder), dice_text(state.legacy, ladder)
    if state == empty_table(ladder):
        return "an empty table"
    return f"revenue {revenue}; legacy {legacy}; score {state.score}"


def entries() -> Iterator[Entry]:
    """List the reports of the optimum that the main job writes; the claims take half a minute."""
    yield Entry("swe/values-30", partial(values_report, 30), "exactdice swe values 30")
    for rounds in (10, 12):
        yield Entry(
            f"swe/policy-{rounds}-path",
            partial(policy_report, rounds, path=True),
            f"exactdice swe policy {rounds} --path",
        )
    yield Entry("swe/claims-22", partial(claims_report, 22), "exactdice swe lemmas 22")
    yield Entry(
        "swe/claims-16-d10",
        partial(claims_report, 16, WITH_D10),
        "exactdice swe lemmas 16 --ladder 4,6,8,10,12,20",
    )


def long_entries() -> Iterator[Entry]:
    """List the tables of the optimum that take minutes."""
    yield Entry("swe/claims-30", partial(claims_report, 30), "exactdice swe lemmas 30")
    yield Entry(
        "swe/claims-26-d10",
        partial(claims_report, 26, WITH_D10),
        "exactdice swe lemmas 26 --ladder 4,6,8,10,12,20",
    )
