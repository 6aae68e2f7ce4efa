"""The games, one room each, all furnished alike; `GAMES` holds their records."""

from collections.abc import Mapping

from exactdice import NAMES_OF_GAMES
from exactdice.games.record import GameRecord
from exactdice.linked import LoadedOnUse, linked

__all__ = ["GAMES"]

#: The records of the games by their names, in the order in which they are listed.
GAMES: Mapping[str, GameRecord] = LoadedOnUse(
    NAMES_OF_GAMES, lambda name: linked(f"exactdice.games.{name}:GAME")
)
