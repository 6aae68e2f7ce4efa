"""Figures that others print about Risk.

`OSBORNE` is Table 3 of J. A. Osborne, Markov chains for the RISK board game revisited, Mathematics
Magazine 76 (2003), 129–135: the chance in thousandths that an attacker with 1 to 10 fighting units
(rows) beats 1 to 10 defenders (columns). The figures are as several published programs that name
the paper have copied them, which agree in all hundred.
"""

from typing import Final

__all__ = ["OSBORNE"]

OSBORNE: Final = (
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
