"""FateStones in C++.

Arguments are exact numbers as everywhere in the package. They cross into doubles here: the nearest
one for the solvers in doubles, and the two that enclose them for intervals. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Ends",
]

Doubles: TypeAlias = npt.NDArray[np.float64]
Ends: TypeAlias = tuple[Doubles, Doubles]

_MEMORY_LIMIT = 8 * 2**30
_MAX_INT = 2**31 - 1
