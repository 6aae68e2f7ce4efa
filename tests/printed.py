"""Published numbers that only tests compare with, by game and source, as printed.

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

FateStones: `README_DICE` is in its README. `EULER_376`: problem 376 of Project Euler, on six faces,
where a die beats another by winning more than half of all rolls: a probability, and numbers of
triples by the number of values (7 in the statement, 30 from freeCodeCamp). `A121228`, `A076822`:
OEIS sequences from n = 1. `ROSETTA`: the task Non-transitive dice of Rosetta Code. `EDGE`: the edge
of the best response by an independent policy iteration over all deals.

`REROLL_VALUE`: the value of the coursework's game, three fair dice with penalty 1, by two older
exact programs that share nothing with this package. `REROLL_STORM`: values for more fair dice, by
their number, by Storm's exact engine (stormpy 2.0.0) on the model that ``benchmarks/reroll.py``
writes; for 4 and 5 dice also with every outcome of every action.
"""

from typing import Final

from exactdice.arithmetic import rational

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

README_DICE: Final = {"dice": 462, "dice of mean 7/2": 32}

EULER_376: Final = {7: 9780, 30: 973059630185670}
#: Probability that 144444 beats 333336.
EULER_376_CHANCE: Final = "25/36"

A121228: Final = (0, 0, 5, 13, 1732)

A076822: Final = (*(1, 1, 2, 5, 12, 32, 94, 289, 910, 2934, 9686, 32540, 110780, 381676, 1328980),)
#: The last listed term, n = 27.
A076822_27: Final = 6850369296298

#: Cycles of three of the dice with four faces and four values.
ROSETTA: Final = 1

EDGE: Final = "90873934003/2525018387424"

REROLL_VALUE: Final = "103369/7744"

REROLL_STORM: Final = {
    4: "1194555322/63428365",
    5: "9837105043897/408320410176",
    6: "17028000540729314/577514519483265",
    7: "5955554212622023660223861/170449813279509414076855",
}

#: Optimum from an empty table by rounds: 10 by the README (the output of its dp.py), 12, truncated,
#: by an exact program that is independent of this package.
SWE_OPTIMUM = {10: rational("20.483601957243238"), 12: rational("26.0970676")}

#: Mean of creating only by rounds, truncated, by that program.
SWE_NEW_ONLY = {100: rational("184.861091969536")}
