"""Reports of answers to models: each made from an answer, none by solving."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from exactdice.report.model import (
    Cell,
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
from exactdice.report.provenance import Provenance
from exactdice.solve.arena import MAX, MIN
from exactdice.solve.turns import named

if TYPE_CHECKING:
    from exactdice.solve.endless import EndlessOptimum
    from exactdice.solve.laws import TotalDistribution, WinDrawLoss
    from exactdice.solve.optimum import Optimum
    from exactdice.solve.simulation import Simulation

#: States with a choice above which a report lists none of them: nobody reads so long a table.
MOST_LISTED = 1000


def _column(name: str, meaning: str, *, is_exact: bool) -> Column:
    return exact(name, meaning) if is_exact else enclosed(name, meaning)


def optimum_report(best: "Optimum[Any]", most_listed: int = MOST_LISTED) -> Report:
    """Report the value of a model, and of each state with a choice what is best or loses."""
    model, arena = best.model, best.arena
    value = _column("value", f"{best.question}, from the initial state", is_exact=best.is_exact)
    quantities = [
        Quantity(value, best.enclosure()),
        Quantity(
            flag("exact", "whether values are rational numbers, and not bounds"), best.is_exact
        ),
        Quantity(text_column("method", "how the value was found"), best.method),
        Quantity(whole("states", "states that play can come to", "states"), len(model.states)),
        Quantity(whole("moves", "moves of all states", "moves"), len(arena.law)),
        Quantity(
            whole("transitions", "transitions of all moves", "transitions"), arena.transitions
        ),
    ]
    choosing = [
        (number, state) for number, state in model.deciding() if best.action(state) is not None
    ]
    if not best.is_exact:
        unsettled = whole(
            "unsettled", "states of which the bounds leave open which action is best", "states"
        )
        quantities.append(Quantity(unsettled, len(best.unsettled)))
    tables = []
    if 0 < len(choosing) <= most_listed:
        states = [state for _, state in choosing]
        tables.append(_policy(best, states))
        if regrets := _regrets(best, states):
            tables.append(regrets)
    if 0 < len(best.mixed) <= most_listed:
        tables.append(_strategies(best))
    provenance = Provenance(conventions=_endless_play(best))
    return Report(best.question.capitalize(), quantities, tables, provenance)


def _endless_play(best: "Optimum[Any]") -> dict[str, str]:
    """What play that never ends counts for, where somebody might keep it up."""
    if best.goal is not None:
        return {"endless play": "does not reach the goal"}
    if best.model.players == 1 and (best.arena.is_owned(MAX) or best.arena.is_owned(MIN)):
        return {"endless play": "does not count; values are of policies under which play ends"}
    return {}


def _policy(best: "Optimum[Any]", states: list[Any]) -> Table:
    value = _column("value", "value of the state", is_exact=best.is_exact)
    ties = "all best actions" if best.is_exact else "all actions that may be best"
    columns = [
        text_column("state", "state in which somebody chooses"),
        text_column("action", "a best action, the first of several"),
        listing("ties", ties),
        value,
    ]
    rows = [
        (
            named(state),
            named(best.action(state)),
            tuple(map(named, best.optimal_actions(state))),
            best.enclosure(state),
        )
        for state in states
    ]
    return Table("policy", "Best actions", columns, rows)


def _regrets(best: "Optimum[Any]", states: list[Any]) -> Table | None:
    """The regret of every action; None where a policy left no choice."""
    regret = _column(
        "regret", "what the action loses, all play after it being optimal", is_exact=best.is_exact
    )
    columns = [
        text_column("state", "state in which somebody chooses"),
        text_column("action", "action"),
        regret,
    ]
    rows = [
        (named(state), named(action), lost)
        for state in states
        for action, lost in best.regret(state).items()
    ]
    return Table("regrets", "Regret of every action", columns, rows) if rows else None


def _strategies(best: "Optimum[Any]") -> Table:
    columns = [
        text_column("state", "state in which both players choose at once"),
        whole("player", "1 or 2"),
        text_column("choice", "choice of that player"),
        exact("probability", "probability of the choice"),
    ]
    return Table("strategies", "Strategies where both choose", columns, _shares(best))


def _shares(best: "Optimum[Any]") -> Iterator[tuple[Cell, ...]]:
    for number in best.mixed:
        state = best.model.states[number]
        for player, strategy in enumerate(best.action(state), start=1):
            for choice, chance in strategy.probabilities().items():
                yield named(state), player, named(choice), chance


def endless_report(best: "EndlessOptimum[Any]", most_listed: int = MOST_LISTED) -> Report:
    """Report the value of a game in which endless play is a draw, and best play.

    Actions are listed only where at most so many states have a choice.
    """
    chances = best.win_draw_loss()
    quantities = [
        Quantity(exact("value", "value of the game, endless play being a draw"), best.value),
        *win_draw_loss_report(chances).quantities,
        Quantity(
            flag("endless", "whether best play from the initial state never ends"),
            best.is_endless(best.model.states[0]),
        ),
        Quantity(whole("states", "states that play can come to", "states"), len(best.model.states)),
    ]
    policy = best.policy
    tables = []
    if 0 < len(policy) <= most_listed:
        columns = [
            text_column("state", "state in which somebody chooses"),
            text_column("action", "a best action"),
            exact("value", "value of the state"),
            flag("endless", "whether best play from it never ends"),
        ]
        rows = [
            (named(state), named(action), best.value_of(state), best.is_endless(state))
            for state, action in policy.items()
        ]
        tables.append(Table("policy", "Best actions", columns, rows))
    provenance = Provenance(conventions={"endless play": "a draw, which pays nothing"})
    return Report("Value of the game, endless play being a draw", quantities, tables, provenance)


def law_report(law: "TotalDistribution") -> Report:
    """Report the mean and the variance of a total."""
    return Report(
        f"Law of the {law.total} under a policy",
        [
            Quantity(exact("mean", f"mean of the {law.total}"), law.mean),
            Quantity(exact("variance", f"variance of the {law.total}"), law.variance),
        ],
    )


def win_draw_loss_report(chances: "WinDrawLoss") -> Report:
    """Report the chances of a win, a draw and a loss."""
    return Report(
        "Chances of the first player",
        [
            Quantity.of("win", "probability that the payoff is above 0", chances.win),
            Quantity.of("draw", "probability that the payoff is 0", chances.draw),
            Quantity.of("loss", "probability that the payoff is below 0", chances.loss),
        ],
    )


def simulation_report(sample: "Simulation") -> Report:
    """Report the mean of a sample, its error, and the exact value beside."""
    return Report(
        "Simulation",
        [
            Quantity(whole("plays", "plays that were made", "plays"), sample.plays),
            Quantity(exact("mean", "mean of the sample"), sample.mean),
            Quantity(exact("variance", "variance of a play in the sample"), sample.variance),
            Quantity.of("value", "what the mean comes near", sample.exact),
        ],
    )
