"""Make the brute-force searches of two games importable."""

import sys
from pathlib import Path

GAMES = Path(__file__).resolve().parents[1] / "games"
sys.path += [str(GAMES / "swe"), str(GAMES / "farkle")]
