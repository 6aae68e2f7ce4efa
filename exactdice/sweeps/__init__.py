"""Sweeps: many questions, answered by many workers, kept in a store, made into one report.

`exactdice.sweeps.model` says what a sweep is, `store` keeps the answers, `workforce` says who
computes, `engine` brings them together, `reducers` make a report of the answers, and `catalogue`
has the sweeps that are built in.
"""

from exactdice.sweeps.engine import run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, StoredAnswer, UnitStatus
from exactdice.sweeps.workforce import Cluster, Given, Processes

__all__ = [
    "Cluster",
    "Given",
    "Processes",
    "Store",
    "StoredAnswer",
    "Sweep",
    "UnitStatus",
    "run_sweep",
]
