"""Leave out the doctests of what was not installed: the C++ solvers, and the server's libraries."""

from importlib.util import find_spec

from exactdice import native

_NEED_SOLVERS = [
    "exactdice/native/*",
    "exactdice/games/farkle/races/intervals.py",
    "exactdice/games/farkle/sets/*",
    "exactdice/games/swe/laws/evaluation.py",
    "exactdice/games/swe/laws/residues.py",
    "exactdice/games/swe/optimum/interval_search.py",
    "exactdice/games/swe/optimum/chooser.py",
    "exactdice/jobs/crosscheck/*",
]

_NEED_SERVER = ["exactdice/web/*"]

collect_ignore_glob = [] if native.are_built() else _NEED_SOLVERS
if not all(map(find_spec, ("starlette", "jinja2", "uvicorn"))):
    collect_ignore_glob += _NEED_SERVER
