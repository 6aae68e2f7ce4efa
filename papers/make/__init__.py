"""What the papers are made from: numbers as macros, tables as files, figures by name.

A `Paper` lists its figures and makes its files. `python -m papers.make` writes them into
``papers/generated`` and ``papers/figures``; the text of a paper reads every number from there, so
that it changes when the mathematics does.
"""

from papers.make.catalogue import PAPERS
from papers.make.sheets import Paper

__all__ = ["PAPERS", "Paper"]
