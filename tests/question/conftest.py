"""Put the strategies of questions in reach of the tests beside them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
