"""Figures that others print about Risk, by source, each as it is printed.

`POSTS_ROUND` and `POSTS_WIN` are from the Risk posts: the parts of the 36 rolls of one die a side
that cost the attacker and the defender a unit, and the chance of 4 attackers, of whom one stays
behind, to beat 2, which they write ``6610505 % 10077696``. `OSBORNE` is table 2 of J. A. Osborne,
Markov chains for the RISK board game revisited, Mathematics Magazine 76 (2003): the rolls of three
dice against two, out of 7776, by the losses of the attacker and of the defender.

Those whose names begin with `APP` are from the README of SMG Studio's dice code of the app *Risk:
Global Domination*, https://github.com/smgstudio/risk-dice, whose armies do not count the unit that
stays behind: `APP_ROUND`, that the attacker loses both units in a round of three dice against two;
`APP_ZOMBIES`, that 300 beat 800 zombies, in single precision, so that its last digit is rounding
(the exact chance is 0.88973326…); `APP_CAPITAL` and `APP_CAPITAL_BALANCED`, that 30 take a capital
of 15 and lose 12, by dice and in a balanced blitz; `APP_FOUR_FIFTHS`, the fewest units with a chance
of at least 4/5 against 50 in a balanced blitz. They come out under the rules of
`exactdice.games.risk.territories`: against zombies ties are the attacker's, and the defender of a
capital rolls up to three dice.
"""

from typing import Final

__all__ = ["OSBORNE", "POSTS_ROUND", "POSTS_WIN"]
__all__ += ["APP_CAPITAL", "APP_CAPITAL_BALANCED", "APP_FOUR_FIFTHS", "APP_ROUND", "APP_ZOMBIES"]

APP_ROUND: Final = "0.292566872427984"

APP_ZOMBIES: Final = "0.8897331"

APP_CAPITAL: Final = "0.0222128001707278"

APP_CAPITAL_BALANCED: Final = "0.0100282888709122"

APP_FOUR_FIFTHS: Final = 49

POSTS_ROUND: Final = {"attacker": "21/36", "defender": "15/36"}

POSTS_WIN: Final = "6610505/10077696"

OSBORNE: Final = {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}
