"""All papers."""

from exactdice.tables.papers import reroll, risk
from exactdice.tables.papers.sheets import Paper

__all__ = ["PAPERS"]

#: Every paper, in the order in which their data are made.
PAPERS: tuple[Paper, ...] = (risk.PAPER, reroll.PAPER)
