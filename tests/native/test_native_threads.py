"""Python objects in the C++ solvers while the interpreter lock is released.

A solver lets go of the interpreter while it works, so whatever it does to a Python object then,
destroying its callback included, races with every other thread. Such a race shows as a count of
references that drifts: one too few, and the object is destroyed under whoever still holds it.

``make native`` runs these tests in builds that stop at the first count changed without the
interpreter, and with the sanitizers; `EXACTDICE_STRESS` multiplies the rounds.
"""

import gc
import os
import signal
import sys
import threading
import weakref
from contextlib import suppress
from itertools import product
from operator import mul

import pytest
from gmpy2 import mpq
from native_oracles import fatestones, reroll, risk, swe

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions.forward import AllRevenue, moves
from exactdice.games.swe.distributions.players import policy_from_text
from exactdice.games.swe.rules import STANDARD
from exactdice.native import farkle
from exactdice.native.swe_outlook import law_from_below
from exactdice.run import Run

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")

STRESS = int(os.environ.get("EXACTDICE_STRESS", "1"))
SIDES = [mpq(side) for side in range(1, 7)]
FAIR = [mpq(1, 6)] * 6
SINGLES = [([1], 100), ([5], 50)]
BAG = [[1, 1, 1, 6, 6, 6], [2, 2, 2, 5, 5, 5], [3, 3, 3, 4, 4, 4], [1, 2, 3, 4, 5, 6]] * 3
RANDOM = policy_from_text("Rand(0.5)")


def _moves(dice, played):
    return moves(RANDOM, AllRevenue(dice, played), 9, STANDARD)


#: Every solver with a callback. The thread that started the solver calls it after a piece of work;
#: if other threads do the work, perhaps never.
SOLVERS = {
    "swe": lambda call, threads=1: swe.solve(9, threads=threads, progress=call),
    "swe in intervals": lambda call, threads=1: swe.solve(
        9, intervals=True, threads=threads, progress=call
    ),
    "swe laws": lambda call, threads=1: law_from_below(
        _moves,
        9,
        STANDARD,
        lowest_first=False,
        least=mpq(1, 10**9),
        run=Run(None, threads, lambda _, part, __: call(part)),
    ),
    "risk": lambda call, _=1: risk.grid(9, 9, progress=call),
    "farkle": lambda call, _=1: farkle.farkle_turn([FAIR] * 2, SINGLES, 500, progress=call),
    "reroll": lambda call, _=1: reroll.reroll(3, SIDES, FAIR, mpq(1), progress=call),
    "fatestones": lambda call, threads=1: fatestones.census(BAG, threads=threads, progress=call),
}


class EnoughError(Exception):
    """Raised by a callback to stop its solver."""


def in_threads(number, work):
    failures = []

    def guarded(i):
        try:
            work(i)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        raise failure


@pytest.fixture
def often_switching():
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 100)
    yield
    sys.setswitchinterval(before)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_callbacks_live_only_while_the_solver_works(solver):
    def fine(part):
        seen.append(part)

    def stumbling(part):
        raise EnoughError

    seen = []
    SOLVERS[solver](fine)
    assert seen, "the solver did not call back, so nothing is tested here"
    with pytest.raises(EnoughError):
        SOLVERS[solver](stumbling)
    gone = [weakref.ref(fine), weakref.ref(stumbling)]
    del fine, stumbling
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


@pytest.mark.slow
def test_callbacks_in_cycles_are_collected():
    def fine(part):
        """Hold, as an attribute, the solution that it helps to find."""

    fine.solution = swe.solve(9, progress=fine)
    gone = weakref.ref(fine)
    del fine
    gc.collect()
    assert gone() is None


@pytest.mark.slow
@pytest.mark.usefixtures("often_switching")
def test_threads_keep_reference_counts_of_shared_callbacks():
    def stumbling(part):
        stumbled.add(threading.get_ident())
        raise EnoughError

    def work(i):
        for _ in range(20 * STRESS):
            with suppress(EnoughError):
                list(SOLVERS.values())[i](stumbling, 2)

    stumbled = set()
    before = sys.getrefcount(stumbling)
    in_threads(len(SOLVERS), work)
    gc.collect()
    assert stumbled
    assert sys.getrefcount(stumbling) == before


@pytest.mark.slow
@pytest.mark.usefixtures("often_switching")
def test_games_refused_in_threads_leave_the_callback_alone():
    def ignored(part):
        """Stand for a callback that is never called."""

    def work(i):
        intervals = i % 2 == 1
        for _ in range(300 * STRESS):
            with pytest.raises(TooLargeError):
                swe.solve(100, intervals=intervals, memory_limit=1, progress=ignored)
            with pytest.raises(InputError):
                swe.solve(10, (6, 4), intervals=intervals, progress=ignored)
            names = [ignored] * 50  # counts go up and down in every thread
            del names

    before = sys.getrefcount(ignored)
    in_threads(4, work)
    gc.collect()
    assert sys.getrefcount(ignored) == before


@pytest.mark.slow
def test_interrupts_stop_only_the_solver_of_the_main_thread():
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    stop = threading.Event()
    solved = []

    def work():
        while not stop.is_set():
            solved.append(swe.solve(12, threads=2, progress=seen.append).sizes.blocks)

    seen = []
    others = [threading.Thread(target=work) for _ in range(2)]
    try:
        for thread in others:
            thread.start()
        references = sys.getrefcount(seen)
        for _ in range(3 * STRESS):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(KeyboardInterrupt):
                swe.solve(70, intervals=True, threads=2, progress=seen.append)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        stop.set()
        for thread in others:
            thread.join()
        signal.signal(signal.SIGALRM, before)
    gc.collect()
    # How many (T₁ … T₅) have T₁ + 2T₂ + … + 5T₅ ≤ 12: enumeration.
    multisets = product(*(range(12 // step + 1) for step in range(1, 6)))
    fitting = [dice for dice in multisets if sum(map(mul, dice, range(1, 6))) <= 12]
    assert set(solved) == {len(fitting)}
    assert sys.getrefcount(seen) <= references
