"""Put interval iteration, an oracle of the solvers' tests, in reach of the tests of this game."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "solvers"))
