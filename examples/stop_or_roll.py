"""Roll as often as you like and add up: a 1 loses everything, and you must stop at 30.

exactdice book examples/stop_or_roll.py --certificate stop_or_roll.cert
"""

from exactdice.dice import fair
from exactdice.models import Choice, End, Game, Moves, point_mass


def moves(total: int | str) -> Moves:
    """Return the actions. A state is the sum so far, or a word if the game has ended."""
    if isinstance(total, str):
        return End(0)
    stop = Choice("stop", total, point_mass("stopped"))
    roll = Choice("roll", 0, fair(6).map(lambda face: total + face if face > 1 else "lost"))
    return [stop, roll] if total < 30 else [stop]


game = Game(0, moves)
