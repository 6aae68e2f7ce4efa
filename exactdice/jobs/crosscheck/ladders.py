"""The games that are cross-checked, and the sizes of each."""

from collections.abc import Sequence

from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.jobs.crosscheck.model import Case


def cases(games: Sequence[str] = (), *, large: bool = False) -> list[Case]:
    """List the cross-checks of some games.

    >>> [case.size for case in cases(["farkle"])]
    ['3 equal dice', '3 different dice']
    """
    for game in games:
        if game not in GAMES:
            raise InputError("game", game, f"one of {', '.join(GAMES)}")
    chosen = {name: game for name, game in GAMES.items() if name in (games or GAMES)}
    ladders = listed(chosen, "crosscheck")
    return [case for ladder in ladders for case in ladder() if large or not case.is_large]
