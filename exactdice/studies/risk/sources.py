"""Published numbers about Risk, by source, as printed.

`POSTS_ROUND`, `POSTS_WIN`: the Risk post: the shares of the 36 rolls of one die a side that cost
the attacker and the defender a unit; the probability that 4 attackers, one of whom stays behind,
beat 2 (``6610505 % 10077696``). `OSBORNE`: table 2 of J. A. Osborne, Markov chains for the RISK
board game revisited, Mathematics Magazine 76 (2003): rolls of three dice against two, out of 7776,
by the losses of attacker and defender. `OSBORNE_WINS`: table 3 there: the probability, in
thousandths, that 1 to 10 fighting attackers (rows) beat 1 to 10 defenders (columns), as in several
programs that cite the paper and agree in all numbers.

`APP_…`: the README of SMG Studio's dice code of the app *Risk: Global Domination*,
https://github.com/smgstudio/risk-dice, with fighting units and the rules of territories in
`exactdice.games.risk.rules`. `APP_ROUND`: the attacker loses both units in a round of three dice
against two. `APP_ZOMBIES`: 300 beat 800 zombies, in single precision (exactly 0.88973326…).
`APP_CAPITAL`, `APP_CAPITAL_BALANCED`: 30 take a capital of 15 and lose 12, by dice and in a
balanced blitz. `APP_FOUR_FIFTHS`: fewest units with probability at least 4/5 against 50 in a
balanced blitz.
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
