"""The main job: every exact table of every game, by name.

Each game's room of reports lists its own entries; `exactdice tables` writes each of them in text,
CSV, JSON and LaTeX.
"""

from exactdice.jobs import catalogue
from exactdice.tables.entry import FORMATS, Entry

__all__ = ["CATALOGUE", "FORMATS", "LONG", "Entry"]

#: Every report of the main job, in the order in which they are written.
CATALOGUE: tuple[Entry | catalogue.Entry, ...] = (
    *(e for e in catalogue.CATALOGUE if not e.name.startswith("symbolic/")),
    *(e for e in catalogue.CATALOGUE if e.name.startswith("fatestones/")),
    *(e for e in catalogue.CATALOGUE if e.name.startswith("symbolic/")),
)

#: Reports that take minutes each; they are written where they are asked for.
LONG: tuple[Entry | catalogue.Entry, ...] = (*catalogue.LONG,)
