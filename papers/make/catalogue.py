"""All papers."""

from papers.make import farkle, fatestones, four, method, reroll, risk, roll, swe
from papers.make.sheets import Paper

__all__ = ["PAPERS"]

#: Every paper, in the order in which their data are made.
PAPERS: tuple[Paper, ...] = (
    risk.PAPER,
    roll.PAPER,
    reroll.PAPER,
    swe.PAPER,
    four.PAPER,
    fatestones.PAPER,
    farkle.PAPER,
    method.PAPER,
)
