"""The FateStones README: its table of results of games for each pair of players.

Games without a winner are scratches, ties are tied rolls.
"""

from typing import Final

README_GAMES: Final = 10_000

#: Wins, losses and ties of player 1, by both players.
README_RESULTS: Final = {
    ("random", "random"): (4913, 5031, 2033),
    ("mcts:10", "random"): (4951, 5006, 2025),
    ("mcts:50", "random"): (4910, 5061, 1959),
    ("mcts:10", "mcts:10"): (5025, 4940, 1969),
}
