"""All papers."""

from papers.make import farkle, fatestones, method, reroll, risk, swe
from papers.make.sheets import Paper

__all__ = ["PAPERS"]

#: Every paper, in the order in which their data are made.
PAPERS: tuple[Paper, ...] = (
    risk.PAPER,
    reroll.PAPER,
    swe.PAPER,
    fatestones.PAPER,
    farkle.PAPER,
    method.PAPER,
)
