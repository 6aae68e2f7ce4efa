"""Generate the numbers (as macros), tables and figures of the papers.

A `Paper` lists its figures and makes its files. `python -m papers.make` writes them into
``papers/generated`` and ``papers/figures``; the text of a paper reads every number from there, so
that it changes when the mathematics does.
"""

from papers.make.catalogue import PAPERS
from papers.make.sheets import Paper

__all__ = ["PAPERS", "Paper"]
