"""Put the strategies of questions in reach of the tests of this game."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "question"))
