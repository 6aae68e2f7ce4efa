"""Pig with two dice: a game in one folder.

Copy it to `exactdice/games/pig`, and add "pig" to `NAMES_OF_GAMES` in `exactdice/__init__.py`. Then
it works like the other games: `exactdice pig value`, `xd.pig`, `ask("pig advise 19")`, web forms.
`tests/games/test_one_more_game.py` does this in a copy of the package.
"""

from exactdice.games.record import GameRecord

GAME = GameRecord(__name__, "two-dice Pig", "Two-dice Pig: the best turn, and when to hold.")
