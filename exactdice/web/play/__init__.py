"""Pages where people play: a game's questions, asked as at the table.

Each page is a form in one address, so it can be shared and works without scripts. Its numbers are
answers to questions of the command line, to which it links.
"""

from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.web.play.advice import ANYDICE, CALCULATOR, EXAMPLES
from exactdice.web.play.against import AGAINST
from exactdice.web.play.model import PlayPage

__all__ = ["EXAMPLES", "PLAY"]

#: The pages, in the order of the first page.
PLAY: tuple[PlayPage, ...] = (CALCULATOR, ANYDICE, *listed(GAMES, "page"), AGAINST)
