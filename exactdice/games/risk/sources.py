"""Figures that others print about Risk, by source, each as it is printed.

`POSTS_ROUND` and `POSTS_WIN` are from the Risk posts: the parts of the 36 rolls of one die a side
that cost the attacker and the defender a unit, and the chance of 4 attackers, of whom one stays
behind, to beat 2, which they write ``6610505 % 10077696``. `OSBORNE` is table 2 of J. A. Osborne,
Markov chains for the RISK board game revisited, Mathematics Magazine 76 (2003): the rolls of three
dice against two, out of 7776, by the losses of the attacker and of the defender.
"""

from typing import Final

__all__ = ["OSBORNE", "POSTS_ROUND", "POSTS_WIN"]

POSTS_ROUND: Final = {"attacker": "21/36", "defender": "15/36"}

POSTS_WIN: Final = "6610505/10077696"

OSBORNE: Final = {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}
