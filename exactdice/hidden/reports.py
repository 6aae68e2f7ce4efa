"""Reports of brackets, made from them; none by solving."""

from typing import TYPE_CHECKING

from exactdice.report.model import Quantity, Report, Table, exact, flag, text_column, whole
from exactdice.solve.turns import named

if TYPE_CHECKING:
    from exactdice.hidden.equilibrium import ValueBounds


def bracket_report(best: "ValueBounds", most_listed: int) -> Report:
    """Report a value or its bounds, and the strategies where they are not too long."""
    sides = best.form.sides
    sequences = sum(side.sequences for side in sides)
    upper = exact("upper", "what the second strategy lets through at most")
    exactly = flag("exact", "whether both bounds agree, so that both play best")
    return Report.of(
        "Game of hidden information",
        {},
        Quantity.of("value", "value of the game for the first player", best.enclosure()),
        exact("lower", "what the first strategy is sure of")(best.lower),
        upper(best.upper),
        exactly(best.is_exact),
        text_column("method", "how the strategies were found")(best.method),
        whole("information_sets", "of both players")(sum(len(side.parent) for side in sides)),
        whole("sequences", "of both players")(sequences),
        whole("histories", "ways in which play can end")(best.form.histories),
        *(_table(best, player) for player in (1, 2) if sequences <= most_listed),
    )


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
        text_column("knows", "what the player knows"),
        text_column("action", "what can be done"),
        exact("chance", "how likely it is done; nothing where the player avoids to be there"),
        exact("loss", "what it loses against the other strategy, times the chance to be there"),
    )
