"""Leave out the doctests of the C++ solvers where these were not built: no compiler at install."""

from exactdice import native

_NEED_SOLVERS = [
    "exactdice/native/*",
    "exactdice/games/swe/laws/doubles.py",
    "exactdice/games/swe/optimum/interval_search.py",
    "exactdice/games/swe/optimum/chooser.py",
    "exactdice/jobs/crosscheck/*",
]

collect_ignore_glob = [] if native.are_built() else _NEED_SOLVERS
