"""What tests and doctests share: what is left out if not installed, and what is measured."""

import os
import signal
import sys
import types
from importlib.util import find_spec

import pytest

if "EXACTDICE_WITHOUT_GMPY2" in os.environ:  # as in a browser; tests take the same numbers
    sys.modules["gmpy2"] = None
    from exactdice import arithmetic

    sys.modules["gmpy2"] = types.SimpleNamespace(mpq=arithmetic.mpq, mpz=arithmetic.mpz)

from exactdice import native

#: For how many seconds of its processor time a test's lines are measured, and a slow test's.
#: Those of servers run in threads, which are not measured again, and those of papers late; those
#: of proofs are no package.
_MEASURED, _MEASURED_IF_SLOW = 0.15, 0.05
_WHOLE, _NOTHING = {"web", "papers"}, {"proofs"}

_NEED_SOLVERS = [
    "exactdice/native/*",
    "exactdice/games/farkle/sets/*",
    "exactdice/games/swe/distributions/evaluation.py",
    "exactdice/games/swe/optimum/interval_search.py",
    "exactdice/games/swe/optimum/interval_search.py",
    "exactdice/games/swe/optimum/chooser.py",
    "exactdice/jobs/crosscheck.py",
]

_NEED_SERVER = ["exactdice/web/*"]

collect_ignore_glob = [] if native.are_built() else _NEED_SOLVERS
if not all(map(find_spec, ("starlette", "jinja2", "uvicorn"))):
    collect_ignore_glob += _NEED_SERVER


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Measure lines while a test is young: later it mostly runs them again, and slowly."""
    plugin = item.config.pluginmanager.getplugin("_cov")
    measured = plugin and plugin.cov_controller and plugin.cov_controller.cov
    if not measured or item.get_closest_marker("no_cover") or _WHOLE & {*item.path.parts}:
        return (yield)
    stopped = []

    def stop(*_):
        measured.stop()
        sys.settrace(None)  # of the measuring that a worker has begun before, and goes on with
        stopped.append(True)

    before = signal.signal(signal.SIGVTALRM, stop)
    if _NOTHING & {*item.path.parts}:
        stop()
    else:
        is_slow = item.get_closest_marker("slow") and not item.get_closest_marker("measured")
        signal.setitimer(signal.ITIMER_VIRTUAL, _MEASURED_IF_SLOW if is_slow else _MEASURED)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if stopped:
            measured.start()
