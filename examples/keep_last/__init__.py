"""Keep the last throw: the game of the tutorial `docs/tutorials/own-claim.md`, furnished like ours.

Throw a six-sided die at most n times. After each throw you stop and keep it, or throw again; the
last throw is kept. The value is what is kept on average under optimal play.
"""

from exactdice.games.record import GameRecord

GAME = GameRecord(
    home=__name__,
    title="keep the last throw",
    description="Keep the last throw.",
)
