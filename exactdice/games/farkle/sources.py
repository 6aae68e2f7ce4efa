"""Figures that others print about Farkle, by source, each as it is printed.

`README` is the KCD Farkle README: it counts the work of a naive solution for six dice and a target
of 6000, and prints values of Optimal_n at the start of a turn. `EARLIER` are Optimal_1, Optimal_2
and Optimal_3 there by the recurrence of the README, cut off, as two programs found them
independently of each other before this package was begun. Weights of named dice are data, with
their sources at the head of ``named_dice.csv``.
"""

from typing import Final

#: By what is counted or valued.
README: Final = {
    "values of P": "120",
    "sets of dice": "64",
    "outputs of one step": "7680",
    "rolls of six dice": "46656",
    "selections from six dice": "64",
    "computations of one step": "2.29e10",
    "rolls with missing dice": "117649",
    "computations of Hold beforehand": "903544320",
    "computations of a step after that": "358318080",
    "both together": "1.261e9",
    "Optimal_1": "399",
    "Optimal_2": "517.9492",
    "Optimal_3": "517.9492",
    "rolls that are enough": "2",
}

EARLIER: Final = ("399.11", "505.51", "547.35")
