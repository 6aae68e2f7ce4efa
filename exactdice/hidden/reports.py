"""Report of a value or its bounds."""

from dataclasses import replace
from typing import TYPE_CHECKING

from exactdice.errors import one_named
from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.solve.turns import named

if TYPE_CHECKING:
    from exactdice.hidden.equilibrium import ValueBounds


def bracket_report(best: "ValueBounds", most_listed: int) -> Report:
    sides = best.form.sides
    sequences = sum(side.sequences for side in sides)
    return Report.of(
        "Game with hidden information",
        {},
        Quantity.of("value", "value of the game for the first player", best.value),
        exact("lower", "payoff that the first strategy guarantees")(best.lower),
        exact("upper", "payoff that the second strategy allows at most")(best.upper),
        flag("exact", "whether the bounds agree, so that both strategies are optimal")(
            best.is_exact
        ),
        text_column("method", "how the strategies were found")(best.method),
        whole("information_sets", "information sets of both players")(
            sum(len(side.parent) for side in sides)
        ),
        whole("sequences", "sequences of actions of both players")(sequences),
        whole("histories", "complete plays")(best.form.histories),
        *(_table(best, player) for player in (1, 2) if sequences <= most_listed),
    )


def knowledge_report(best: "ValueBounds", told: str) -> Report:
    """Report what to do with a knowledge of a player, written as in the tables of strategies."""
    tables = [_table(best, player) for player in (1, 2)]
    known = [str(row[0]) for table in tables for row in table.rows]
    told = one_named(
        {each.replace(" ", ""): each for each in known}, told.replace(" ", ""), "state"
    )
    tables = [replace(t, rows=[row for row in t.rows if row[0] == told]) for t in tables]
    value = Quantity.of("value", "value of the game for the first player", best.value)
    return Report.of(f"What to do: {told}", {}, value, *(table for table in tables if table.rows))


def _table(best: "ValueBounds", player: int) -> Table:
    chances = best.strategy(player)
    return Table.of(
        f"player_{player}",
        f"Strategy of the {('first', 'second')[player - 1]} player",
        (
            (named(known), named(action), chances.get(known, {}).get(action), lost)
            for known, losses in best.losses(player)
            for action, lost in losses.items()
        ),
        text_column("knows", "knowledge of the player"),
        text_column("action", "possible action"),
        exact("chance", "its probability; empty if the player avoids this information set"),
        exact("loss", "loss against the other strategy, times the probability to be there"),
    )
