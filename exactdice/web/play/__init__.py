"""Pages where people play: the questions that a table asks, put as the table puts them.

Each page is a form in one address, so it can be shared and works without scripts; what it shows are
the answers to questions that the command line knows, too, and it leads to them. The dice calculator
belongs to no game, and `against` are games that are played to their end.
"""

from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.web.play.against import AGAINST
from exactdice.web.play.dice import CALCULATOR, EXAMPLES
from exactdice.web.play.model import PlayPage

__all__ = ["EXAMPLES", "PLAY"]

#: The pages, in the order in which the first page lists them.
PLAY: tuple[PlayPage, ...] = (CALCULATOR, *listed(GAMES, "page"), AGAINST)
