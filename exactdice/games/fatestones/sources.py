"""Published numbers about FateStones and its dice, by source, as printed.

`README`: the FateStones README, with numbers of dice and a table of results of 10000 games for each
pair of players; games without a winner are scratches, ties are tied rolls. `EULER_376`: problem 376
of Project Euler, on six faces, where a die beats another by winning more than half of all rolls: a
probability, and numbers of triples by the number of values (7 in the statement, 30 from
freeCodeCamp). `A121228`, `A076822`: OEIS sequences from n = 1. `ROSETTA`: the task Non-transitive
dice of Rosetta Code. `EDGE`: the edge of the best response by an independent policy iteration over
all deals.
"""

from typing import Final

README: Final = {"dice": 462, "dice of mean 7/2": 32}

README_GAMES: Final = 10_000

#: Wins, losses and ties of player 1, by both players.
README_RESULTS: Final = {
    ("random", "random"): (4913, 5031, 2033),
    ("mcts:10", "random"): (4951, 5006, 2025),
    ("mcts:50", "random"): (4910, 5061, 1959),
    ("mcts:10", "mcts:10"): (5025, 4940, 1969),
}

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
