"""Published numbers about the reroll game, by source.

`COURSEWORK`: the reroll coursework with its notebook, on three fair dice with penalty 1: counts,
scores, claims, its tolerance, and the game that its notebook plays with a random seed. `VALUE`: the
value of that game, by two older exact programs that share nothing with this package. `STORM`:
values for more fair dice, by Storm's exact engine (stormpy 2.0.0) on the model that
``benchmarks/reroll.py`` writes; for 4 and 5 dice also with every outcome of every action.
"""

from typing import Final

COURSEWORK: Final = {
    "states": 56,
    "best score": 18,
    "best roll": (1, 1, 1),
    "tolerance": "0.1",
    "sticks on": (1, 1, 1),
    "rerolls": (4, 4, 4),
    "totals": {(1, 1, 1): 18, (6, 6, 6): 3, (2, 2, 5): 15, (3, 4, 5): 12},
    "played": {"random seed": 111, "first roll": (2, 3, 4), "total": 15, "score": 14},
}

VALUE: Final = "103369/7744"

#: By the number of dice.
STORM: Final = {
    4: "1194555322/63428365",
    5: "9837105043897/408320410176",
    6: "17028000540729314/577514519483265",
    7: "5955554212622023660223861/170449813279509414076855",
}
