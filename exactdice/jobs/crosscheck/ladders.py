"""The games that are cross-checked, and the sizes of each."""

from collections.abc import Sequence
from importlib import import_module

from exactdice import GAMES
from exactdice.errors import InputError
from exactdice.jobs.crosscheck.model import Case

__all__ = ["cases"]


def cases(games: Sequence[str] = (), *, large: bool = False) -> list[Case]:
    """List the cross-checks of some games.

    Parameters
    ----------
    games
        Names of games; all of them where empty.
    large
        The large sizes too.

    Raises
    ------
    InputError
        If a game is unknown.

    Examples
    --------
    >>> [case.size for case in cases(["risk"])]
    ['12 v 12', '40 v 40']
    """
    for game in games:
        if game not in GAMES:
            raise InputError("game", game, f"one of {', '.join(GAMES)}")
    chosen: list[Case] = []  # by a module of the game's name beside this one
    for game in GAMES:
        if game in (games or GAMES):
            ladder = import_module(f"exactdice.jobs.crosscheck.{game}").ladder
            chosen += [case for case in ladder() if large or not case.is_large]
    return chosen
