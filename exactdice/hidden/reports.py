"""Reports of brackets, made from them; none by solving."""

from typing import TYPE_CHECKING

from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.solve.turns import named

if TYPE_CHECKING:
    from exactdice.hidden.equilibrium import ValueBounds


def bracket_report(best: "ValueBounds", most_listed: int) -> Report:
    """Report a value or its bounds, and the strategies where they are not too long."""
    worth = best.enclosure()
    meaning = "value of the game for the first player"
    ends = (
        exact("lower", "what the first strategy is sure of"),
        exact("upper", "what the second strategy lets through at most"),
    )
    sides = best.form.sides
    quantities = [
        Quantity.of("value", meaning, worth),
        Quantity(ends[0], best.lower),
        Quantity(ends[1], best.upper),
        Quantity(flag("exact", "whether both bounds agree, so that both play best"), best.is_exact),
        Quantity(text_column("method", "how the strategies were found"), best.method),
        *(
            Quantity(whole(name, meaning), number)
            for name, meaning, number in (
                ("information_sets", "of both players", sum(len(s.parent) for s in sides)),
                ("sequences", "of both players", sum(s.sequences for s in sides)),
                ("histories", "ways in which play can end", best.form.histories),
            )
        ),
    ]
    is_short = sum(side.sequences for side in sides) <= most_listed
    tables = [_table(best, player) for player in (1, 2)] if is_short else []
    return Report("Game of hidden information", quantities, tables)


def _table(best: "ValueBounds", player: int) -> Table:
    strategy = best.strategy(player)
    columns = [
        text_column("knows", "what the player knows"),
        text_column("action", "what can be done"),
        exact("chance", "how likely it is done; nothing where the player avoids to be there"),
        exact("loss", "what it loses against the other strategy, times the chance to be there"),
    ]
    rows = [
        (
            named(known),
            named(action),
            strategy[known].get(action) if known in strategy else None,
            lost,
        )
        for known, losses in best.losses(player)
        for action, lost in losses.items()
    ]
    title = f"Strategy of the {('first', 'second')[player - 1]} player"
    return Table(f"player_{player}", title, columns, rows)
