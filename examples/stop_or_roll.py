"""Roll as often as you like: a 1 loses all, and you may stop with the sum so far, up to 30.

exactdice book examples/stop_or_roll.py --certificate stop_or_roll.cert
"""

from exactdice.dice import fair
from exactdice.models import Choice, End, Game, Moves, point_mass


def moves(total: int | str) -> Moves:
    """What can be done: a state is the sum so far, or a word when play has ended."""
    if isinstance(total, str):
        return End(0)
    stop = Choice("stop", total, point_mass("stopped"))
    roll = Choice("roll", 0, fair(6).map(lambda face: total + face if face > 1 else "lost"))
    return [stop, roll] if total < 30 else [stop]


game = Game(0, moves)
