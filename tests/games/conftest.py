"""Make the strategies of questions importable by the tests of every game."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "question"))
