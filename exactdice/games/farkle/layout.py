"""The menus of a game in flat arrays, as a sweep reads them, and the memory that answers take."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from exactdice.games.farkle.menus import Menus
from exactdice.run import DEFAULT, Run

__all__ = ["Layout", "layout_of", "require_sweep", "table_bytes"]

# Bytes of a row of a table of three columns, and of each digit in it, at the peak of writing it:
# measured over all formats, see the tests.
_ROW = 1800
_DIGIT = 8


@dataclass(frozen=True)
class Layout:
    """All menus of a game in flat arrays.

    Attributes
    ----------
    score, next_state, menu
        Of each option: units scored, state rolled next (0 for none), place of its menu.
    start, best, weight
        Of each menu: its first option, its highest score in units, its weight.
    first_menu
        Of each state, the place of its first menu; and one past the last.
    rollable
        States that have a menu.
    """

    score: NDArray[np.int64]
    next_state: NDArray[np.int64]
    menu: NDArray[np.int64]
    start: NDArray[np.int64]
    best: NDArray[np.int64]
    weight: NDArray[np.object_]
    first_menu: list[int]
    rollable: list[int]


@lru_cache(maxsize=16)
def layout_of(menus: Menus) -> Layout:
    """Flatten the menus of a game."""
    unit = menus.rules.unit
    score: list[int] = []
    next_state: list[int] = []
    menu_of: list[int] = []
    start: list[int] = []
    weight: list[int] = []
    first_menu = [0]
    for state in menus.by_state:
        for menu, w in state.menus.items():
            start.append(len(score))
            weight.append(w)
            for gained, left in menu:
                score.append(gained // unit)
                next_state.append(menus.next_state(left))
                menu_of.append(len(start) - 1)
        first_menu.append(len(start))
    scores = np.array(score, dtype=np.int64)
    starts = np.array(start, dtype=np.int64)
    weights = np.empty(len(weight), dtype=object)
    weights[:] = weight
    return Layout(
        score=scores,
        next_state=np.array(next_state, dtype=np.int64),
        menu=np.array(menu_of, dtype=np.int64),
        start=starts,
        best=scores[starts],  # menus list their highest score first
        weight=weights,
        first_menu=first_menu,
        rollable=[s for s in range(len(menus.by_state)) if first_menu[s] < first_menu[s + 1]],
    )


def require_sweep(menus: Menus, end: int, run: Run = DEFAULT, sweeps: int = 1) -> None:
    """Refuse sweeps from `end` points down that would not fit into memory.

    Raises
    ------
    TooLargeError
        With the estimate.
    """
    # Four bytes for each choice, eight for each key, some 150 for each worth of banking.
    of_level = 4 * sum(len(s.menus) for s in menus.by_state) + 8 * menus.dice.states + 150
    levels = (end + menus.rules.highest_score) // menus.rules.unit
    run.require(
        sweeps * levels * of_level,
        f"a turn in which one rolls up to {end} points",
    )


def table_bytes(rows: int, digits: int) -> int:
    """Bytes that a table takes at most while it is written, in whichever format.

    Parameters
    ----------
    rows
        Rows of the table.
    digits
        Digits of the fractions in a row.
    """
    return rows * (_ROW + _DIGIT * digits)
