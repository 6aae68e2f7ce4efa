"""Keep the last throw, the game of the tutorial `docs/tutorials/own-claim.md`.

Throw a six-sided die at most n times. After each throw you stop and keep its number, or throw
again; you must keep the last throw. The value is the expected number kept under optimal play.
"""

from exactdice.games.record import GameRecord

GAME = GameRecord(home=__name__, title="keep the last throw", description="Keep the last throw.")
