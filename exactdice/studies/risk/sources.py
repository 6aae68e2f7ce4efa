"""Figures that others print about Risk, by source, each as it is printed.

`POSTS_ROUND` and `POSTS_WIN` are from the Risk post: the parts of the 36 rolls of one die a side
that cost the attacker and the defender a unit, and the chance of 4 attackers, of whom one stays
behind, to beat 2, which they write ``6610505 % 10077696``. `OSBORNE` is table 2 of J. A. Osborne,
Markov chains for the RISK board game revisited, Mathematics Magazine 76 (2003): the rolls of three
dice against two, out of 7776, by the losses of the attacker and of the defender. `OSBORNE_WINS` is
table 3 there: the chance in thousandths that 1 to 10 attackers that fight (rows) beat 1 to 10
defenders (columns), as several published programs that name the paper have copied it, which agree
in all hundred figures.

Those whose names begin with `APP` are from the README of SMG Studio's dice code of the app *Risk:
Global Domination*, https://github.com/smgstudio/risk-dice, whose armies do not count the unit that
stays behind: `APP_ROUND`, that the attacker loses both units in a round of three dice against two;
`APP_ZOMBIES`, that 300 beat 800 zombies, in single precision, so that its last digit is rounding
(the exact chance is 0.88973326…); `APP_CAPITAL` and `APP_CAPITAL_BALANCED`, that 30 take a capital
of 15 and lose 12, by dice and in a balanced blitz; `APP_FOUR_FIFTHS`, the fewest units with a
chance of at least 4/5 against 50 in a balanced blitz. They come out under the rules of
`exactdice.games.risk.campaigns`: against zombies ties are the attacker's, and the defender of a
capital rolls up to three dice.
"""

from typing import Final

APP_ROUND: Final = "0.292566872427984"

APP_ZOMBIES: Final = "0.8897331"

APP_CAPITAL: Final = "0.0222128001707278"

APP_CAPITAL_BALANCED: Final = "0.0100282888709122"

APP_FOUR_FIFTHS: Final = 49

POSTS_ROUND: Final = {"attacker": "21/36", "defender": "15/36"}

POSTS_WIN: Final = "6610505/10077696"

OSBORNE: Final = {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}

OSBORNE_WINS: Final = (
    (417, 106, 27, 7, 2, 0, 0, 0, 0, 0),
    (754, 363, 206, 91, 49, 21, 11, 5, 3, 1),
    (916, 656, 470, 315, 206, 134, 84, 54, 33, 21),
    (972, 785, 642, 477, 359, 253, 181, 123, 86, 57),
    (990, 890, 769, 638, 506, 397, 297, 224, 162, 118),
    (997, 934, 857, 745, 638, 521, 423, 329, 258, 193),
    (999, 967, 910, 834, 736, 640, 536, 446, 357, 287),
    (1000, 980, 947, 888, 818, 730, 643, 547, 464, 380),
    (1000, 990, 967, 930, 873, 808, 726, 646, 558, 480),
    (1000, 994, 981, 954, 916, 861, 800, 724, 650, 568),
)
