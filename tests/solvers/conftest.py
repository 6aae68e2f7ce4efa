"""Put the oracles beside these tests in reach of them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
