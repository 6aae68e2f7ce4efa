"""Published numbers of the reroll coursework with its notebook, on three fair dice with penalty 1.

Counts, scores, claims, its tolerance, and the game that its notebook plays with a random seed.
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
