"""Leave out the doctests of the C++ solvers where these were not built: no compiler at install."""

from exactdice import native

collect_ignore_glob = [] if native.are_built() else ["exactdice/native/*", "exactdice/sweeps/*"]
