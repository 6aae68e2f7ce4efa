r"""A turn of Farkle as a game for the general solvers: the rules as a program.

The states are the rolls to come (points at stake and dice to roll), the menus that they show, and
the end; the choices on a menu are to bank its best score, or to keep one of its options and roll
on, in canonical order. Solved as a model this is an independent way to the values of `exact`, with
a certificate that a stranger can check. It is far slower than the sweep: it is meant for checking.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.questions import Export
from exactdice.games.farkle.questions import Turn
from exactdice.games.farkle.rules.menus import Menu
from exactdice.games.farkle.turn.exact import BestTurn
from exactdice.models import Chance, Choice, End, Game, point_mass
from exactdice.run import Run

State = tuple[int, ...]
"""(points, dice left) before a roll, (points, dice rolled, place of the menu) after it."""

END: State = ()


@dataclass(frozen=True)
class ExportFarkle(
    Export,
    Turn,
    command="model export-farkle",
    example="model export-farkle turn.umb --target 500",
    takes="2 s to 2000 points, 6 s to 10000",
):
    """Write a turn of Farkle as a decision process: rolls, what they offer, and the end."""

    def listed(self, run: Run) -> tuple[str, ExplicitModel]:
        """Explore the turn."""
        title = f"Farkle: a turn with {self.dice}, as a decision process"
        return title, explicit(as_game(self.solved(run)).explored(run))


def as_game(turn: BestTurn) -> Game[State]:
    """Write a turn as a game whose value is its expected final points.

    >>> from exactdice.games.farkle import KCD, solve
    >>> from exactdice.models import optimum
    >>> turn = solve("fair*2", KCD.varied(target=200))
    >>> optimum(as_game(turn)).value == turn.value
    True
    """

    def moves(state: State) -> Any:
        if state == END:
            return End(0)
        points, dice = state[:2]
        offered = turn.menus.by_state[dice]
        if len(state) == 3:
            return list(_ways_on(turn, points, list(offered.menus)[state[2]]))
        showing: dict[State, int] = {
            (points, dice, place): weight for place, weight in enumerate(offered.menus.values())
        }
        if offered.bust:
            showing[END] = offered.bust
        loss = mpq(-turn.rules.penalty * offered.bust, offered.denominator)
        return Chance(loss, Distribution(showing))

    return Game((0, max(turn.dice.proper_states())), moves)


def _ways_on(turn: BestTurn, points: int, menu: Menu) -> Iterator[Choice[State]]:
    """Bank the best score, or keep an option and roll on."""
    banked = turn.banking_worth(points + menu[0][0])
    if banked is not None:
        yield Choice("bank", banked, point_mass(END))
    for score, left in menu:
        reached, following = points + score, turn.menus.next_state(left)
        if following and reached < turn.end:
            yield Choice((score, left), 0, point_mass((reached, following)))
        elif banked is None:
            yield Choice((score, left), 0, point_mass(END))  # nothing to roll, nothing to bank


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (ExportFarkle,)
