r"""A turn of Farkle as a decision process for the general solvers.

The states are the rolls to come (points at stake and dice to roll), the menus that they show, and
the end; the choices on a menu are to bank its best score, or to keep one of its options and roll
on, in canonical order. Solved by the package's policy iteration or backward induction this is an
independent way to the values of `exact`, and its solutions carry certificates that a stranger can
check. It is far slower than the sweep, also as a model (`exactdice.models`): it is meant for
checking.
"""

from collections.abc import Iterator

from gmpy2 import mpq

from exactdice.dice import Distribution
from exactdice.games.farkle.exact import BestTurn
from exactdice.games.farkle.menus import Menu
from exactdice.solvers.process import Choice, DecisionProcess, point_mass

__all__ = ["END", "State", "turn_process"]

State = tuple[int, ...]
"""(points, dice left) before a roll, (points, dice rolled, place of the menu) after it."""

END: State = ()


def turn_process(turn: BestTurn) -> DecisionProcess[State]:
    """Write the turn as a decision process whose values are expected final points.

    Parameters
    ----------
    turn
        The game; its values are not used.

    Returns
    -------
    DecisionProcess
        With a state ``(points, number of the set of dice left)`` for every roll that may come.

    Examples
    --------
    >>> from exactdice.games.farkle import KCD, solve
    >>> from exactdice.solvers.backward_induction import backward_induction
    >>> turn = solve("fair*2", KCD.varied(target=200))
    >>> solution = backward_induction(turn_process(turn))
    >>> solution.values[0, 2] == turn.value
    True
    """
    choices: dict[State, list[Choice[State]]] = {END: []}
    for points in range(0, turn.end, turn.rules.unit):
        for dice_rolled in turn.dice.proper_states():
            offered = turn.menus.by_state[dice_rolled]
            showing: dict[State, int] = {}
            for place, (menu, weight) in enumerate(offered.menus.items()):
                shown = (points, dice_rolled, place)
                showing[shown] = weight
                choices[shown] = list(_ways_on(turn, points, menu))
            if offered.bust:
                showing[END] = offered.bust
            loss = mpq(-turn.rules.penalty * offered.bust, offered.denominator)
            roll = Choice("roll", loss, Distribution(showing))
            choices[points, dice_rolled] = [roll]
    return DecisionProcess(choices)


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
