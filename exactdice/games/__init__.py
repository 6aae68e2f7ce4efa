"""The games, one room each, all furnished alike; `GAMES` holds their records."""

from exactdice import NAMES_OF_GAMES
from exactdice.games.record import GameRecord
from exactdice.linked import linked

__all__ = ["GAMES"]

#: The records of the games by their names, in the order in which they are listed.
GAMES: dict[str, GameRecord] = {
    name: linked(f"exactdice.games.{name}:GAME") for name in NAMES_OF_GAMES
}
