"""Make the brute-force search of the software-engineering game importable."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "games" / "swe"))
