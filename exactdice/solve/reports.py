"""Reports of answers to models; they solve nothing."""

from itertools import product
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import mpq
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
from exactdice.solve.arena import MAX, MIN
from exactdice.solve.turns import Other, named

if TYPE_CHECKING:
    from exactdice.solve.endless import EndlessOptimum
    from exactdice.solve.game import Model
    from exactdice.solve.laws import TotalDistribution, WinDrawLoss
    from exactdice.solve.optimum import Optimum
    from exactdice.solve.play import Simulation
    from exactdice.solve.players import PerfectEquilibrium

#: Number of states with a choice above which a report lists none of them.
MOST_LISTED = 1000


def _column(name: str, meaning: str, *, is_exact: bool) -> Column:
    return exact(name, meaning) if is_exact else enclosed(name, meaning)


def optimum_report(best: "Optimum[Any]", most_listed: int = MOST_LISTED) -> Report:
    model = best.model
    value = _column("value", f"{best.question}, from the initial state", is_exact=best.is_exact)
    unsettled = "states in which several actions may be optimal"
    states = [state for _, state in model.deciding() if best.action(state) is not None]
    is_listed = 0 < len(states) <= most_listed
    return Report.of(
        best.question.capitalize(),
        _endless_play(best),
        value(best.value),
        flag("exact", "whether values are rational numbers, not bounds")(best.is_exact),
        text_column("method", "how the value was found")(best.method),
        *_sizes(model),
        None if best.is_exact else whole("unsettled", unsettled, "states")(len(best.unsettled)),
        _policy(best, states) if is_listed else None,
        _regrets(best, states) if is_listed and best.judged else None,
        _strategies(best) if 0 < len(best.mixed) <= most_listed else None,
    )


def model_report(model: "Model[Any]", most_listed: int = MOST_LISTED) -> Report:
    listed = _transitions(model) if len(model) <= most_listed else ()
    columns = [text_column("state", "state"), text_column("action", "action, if a player chooses"),
               exact("reward", "reward, or payoff of a terminal state"),
               text_column("next", "state after it; empty if play ends"),
               exact("probability", "its probability")]  # fmt: skip
    table = Table.of("outcomes", "What can happen", listed, *columns)
    return Report.of("Model", {}, *_sizes(model), table if listed else None)


def _sizes(model: "Model[Any]") -> list[Quantity]:
    return [
        whole("states", "reachable states", "states")(len(model)),
        whole("moves", "moves of all states", "moves")(len(model.arena.law)),
        whole("transitions", "transitions of all moves", "transitions")(model.arena.transitions),
    ]


def _transitions(model: "Model[Any]") -> list[tuple[Any, ...]]:
    arena, states, n = model.arena, model.states, len(model)
    rows: list[tuple[Any, ...]]
    rows = [(named(states[s]), "", payoff, "", None) for s, payoff in arena.payoffs.items()]
    for number, state in model.unended():
        names = model.actions[number] or [""]
        names = [*product(*names)] if number in arena.columns else names
        for action, move in zip(names, arena.moves(number), strict=True):
            paid, of = arena.rewards[arena.reward[move]], arena.denominators[arena.law[move]]
            for target, weight in arena.leads(move):
                after = states[target] if target < n else Other(states[target - n])
                rows.append((named(state), named(action), paid, named(after), mpq(weight, of)))
    return rows


def _endless_play(best: "Optimum[Any]") -> dict[str, str]:
    if best.goal is not None:
        return {"endless play": "does not reach the goal"}
    if best.model.players == 1 and (best.arena.is_owned(MAX) or best.arena.is_owned(MIN)):
        return {"endless play": "excluded; only policies under which play ends count"}
    return {}


def _policy(best: "Optimum[Any]", states: list[Any]) -> Table:
    ties = "all optimal actions" if best.is_exact else "all actions that may be optimal"
    return Table.of(
        "policy",
        "Optimal actions",
        states,
        text_column("state", "state in which a player chooses").by(named),
        text_column("action", "the first optimal action").by(
            lambda state: named(best.action(state))
        ),
        listing("ties", ties).by(lambda state: tuple(map(named, best.optimal_actions(state)))),
        _column("value", "value of the state", is_exact=best.is_exact).by(best.value_of),
    )


def _regrets(best: "Optimum[Any]", states: list[Any]) -> Table | None:
    meaning = "loss by the action if all later play is optimal"
    table = Table.of(
        "regrets",
        "Regret of every action",
        (
            (named(state), named(action), lost)
            for state in states
            for action, lost in best.regret(state).items()
        ),
        text_column("state", "state in which a player chooses"),
        text_column("action", "action"),
        _column("regret", meaning, is_exact=best.is_exact),
    )
    return table if table.rows else None


def _strategies(best: "Optimum[Any]") -> Table:
    return Table.of(
        "strategies",
        "Strategies at simultaneous moves",
        (
            (named(best.model.states[number]), player, named(choice), chance)
            for number in best.mixed
            for player, strategy in enumerate(best.action(best.model.states[number]), start=1)
            for choice, chance in strategy.probabilities().items()
        ),
        text_column("state", "state with simultaneous moves"),
        whole("player", "1 or 2"),
        text_column("choice", "choice of that player"),
        exact("probability", "probability of the choice"),
    )


def endless_report(best: "EndlessOptimum[Any]", most_listed: int = MOST_LISTED) -> Report:
    states, policy = best.model.states, best.policy
    table = Table.of(
        "policy",
        "Optimal actions",
        policy if len(policy) <= most_listed else (),
        text_column("state", "state in which a player chooses").by(named),
        text_column("action", "the first optimal action").by(lambda state: named(policy[state])),
        exact("value", "value of the state").by(best.value_of),
        flag("endless", "whether optimal play from it never ends").by(best.is_endless),
    )
    is_endless = flag("endless", "whether optimal play from the initial state never ends")
    return Report.of(
        "Value of the game, infinite play being a draw",
        {"endless play": "a draw, which pays nothing"},
        exact("value", "value of the game, infinite play being a draw")(best.value),
        *win_draw_loss_report(best.win_draw_loss()).quantities,
        is_endless(best.is_endless(states[0])),
        whole("states", "reachable states", "states")(len(states)),
        table if table.rows else None,
    )


def perfect_report(best: "PerfectEquilibrium[Any]") -> Report:
    columns = [whole("player", "player"), exact("value", "value of the player")]
    return Report.of(
        "Subgame-perfect equilibrium",
        {"ties": "the first best action in the order of the rules"},
        text_column("other_equilibria", "values if ties are broken otherwise")(best.others),
        whole("states", "reachable states", "states")(len(best.model.states)),
        Table.of("seats", "Players", [*enumerate(best.value, 1)], *columns),
    )


def law_report(law: "TotalDistribution") -> Report:
    return Report.of(
        f"Distribution of the {law.total} under a policy",
        {},
        exact("mean", f"mean of the {law.total}")(law.mean),
        exact("variance", f"variance of the {law.total}")(law.variance),
    )


def win_draw_loss_report(chances: "WinDrawLoss") -> Report:
    return Report.of(
        "Probabilities for the first player",
        {},
        Quantity.of("win", "probability that the payoff is above 0", chances.win),
        Quantity.of("draw", "probability that the payoff is 0", chances.draw),
        Quantity.of("loss", "probability that the payoff is below 0", chances.loss),
    )


def simulation_report(sample: "Simulation") -> Report:
    return Report.of(
        "Simulation",
        {},
        whole("plays", "number of plays", "plays")(sample.plays),
        exact("mean", "mean of the sample")(sample.mean),
        exact("variance", "variance of a play in the sample")(sample.variance),
        Quantity.of("value", "exact value, to which the mean tends", sample.exact),
    )
