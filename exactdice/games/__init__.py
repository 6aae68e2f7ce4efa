"""The games, one subpackage each with the same layout; `GAMES` maps names to their records."""

from collections.abc import Mapping

from exactdice import NAMES_OF_GAMES
from exactdice.games.record import GameRecord
from exactdice.linked import LoadedOnUse, linked

__all__ = ["GAMES"]

#: The records of the games by name, in the order of lists.
GAMES: Mapping[str, GameRecord] = LoadedOnUse(
    NAMES_OF_GAMES, lambda name: linked(f"exactdice.games.{name}:GAME")
)
