"""Sweeps: many questions, answered by many workers, stored, and combined into one report.

`model` defines a sweep, `store` keeps the answers, `engine` computes them with a workforce,
`reports` combines them, and `catalogue` contains the built-in sweeps.
"""

from exactdice.sweeps.engine import Cluster, Given, Processes, run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, StoredAnswer, UnitStatus

__all__ = ["Cluster", "Given", "Processes", "Store", "StoredAnswer", "Sweep", "UnitStatus"]
__all__ += ["run_sweep"]
