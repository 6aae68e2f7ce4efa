"""Pig with two dice: a game in one folder, of which the package has to be told its name only.

Copied to `exactdice/games/pig`, with "pig" among `NAMES_OF_GAMES` in `exactdice/__init__.py`, it is
a game like the others: `exactdice pig value`, `xd.pig`, `ask("pig advise 19")`, its forms in the
browser. `tests/games/test_one_more_game.py` does so with a copy of the package.
"""

from exactdice.games.record import GameRecord

GAME = GameRecord(__name__, "two-dice Pig", "Two-dice Pig: the best turn, and when to hold.")
