"""Arrays of doubles, as the C++ solvers give them back."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Doubles: TypeAlias = npt.NDArray[np.float64]

#: Lower ends and upper ends; in doubles both are the same.
Ends: TypeAlias = tuple[Doubles, Doubles]
