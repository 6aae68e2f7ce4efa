"""The plain search over whole states of the software-engineering game is beside its tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "games" / "swe"))
