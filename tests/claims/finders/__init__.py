"""Verdict and evidence of each claim by the package's own solvers, by its id."""

from finders import (
    book,
    farkle,
    fatestones,
    reroll,
    risk,
    swe_optimal_play,
    swe_policies,
    swe_structure,
)

FINDERS = {
    **risk.FINDERS, **swe_optimal_play.FINDERS, **swe_policies.FINDERS, **swe_structure.FINDERS,
    **reroll.FINDERS, **farkle.FINDERS, **fatestones.FINDERS, **book.FINDERS,
}  # fmt: skip
