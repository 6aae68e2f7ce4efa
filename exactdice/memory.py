"""Memory limits: estimated before a computation starts, and measured while it runs.

A computation that does not fit is rejected with its estimate (`require_memory`); one that takes
more than estimated, or too long, is stopped (`kept_within`). `exactdice.run.Run` sets the limits.
"""

import _thread
import gc
import io
import mmap
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import BinaryIO

from exactdice.errors import ExactDiceError, TooLargeError

#: The default limit in bytes.
MEMORY_LIMIT = 2 * 2**30

#: How to allow more, in Python; `exactdice.run.by_command` rewrites it for commands.
ALLOW_MORE = "or raise the limit with Run(memory=…)"

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_LARGEST = 1000 * 2**40  # larger sizes are not printed exactly

_MEASURED = "/proc/self/statm"  # on Linux; its second number is the resident pages
_OF_ALL = "/proc/meminfo"  # on Linux: memory available to all processes
_SPARE = 1 << 27  # below this the machine would begin to swap
_BETWEEN = 1, 5  # a fifth of a second between two measurements
_AT_FIRST = 1, 50
_PATIENCE = 600  # measurements, while a library is imported: two minutes
_AGAIN = 10  # seconds until an interrupt that nothing has ended is repeated

_M_TRIM_THRESHOLD, _KEPT = -1, 1 << 28  # parameters of mallopt in <malloc.h>
_M_MMAP_THRESHOLD, _LONE = -3, 1 << 25  # the largest that glibc takes
_M_ARENA_MAX = -8

_OVERHEAD = 48  # bytes of a Python integer besides its digits, and of its slot in a list


def stored_bytes(numbers: int, bits: int) -> int:
    """Bytes of `numbers` Python integers of at most `bits` bits."""
    return numbers * (bits // 8 + _OVERHEAD)


def require_memory(needed: int, what: str, *, limit: int | None = None) -> None:
    """Raise TooLargeError, with the estimate, if more bytes are needed than the limit."""
    most, left = MEMORY_LIMIT if limit is None else limit, left_by_the_system()
    if left is not None and needed > left:
        raise TooLargeError(
            f"{what} needs about {size(needed, up=True)}, more than the {size(left)} that the "
            "system allows this process (ulimit -v); ask for less"
        )
    if needed > most:
        more = "" if limit is None else f", {ALLOW_MORE}"
        raise TooLargeError(
            f"{what} needs about {size(needed, up=True)}, more "
            f"than the limit of {size(most)}; ask for less{more}"
        )


def size(amount: int, *, up: bool = False) -> str:
    """Write a number of bytes in tenths of a unit, rounded down or up."""
    if amount > _LARGEST:
        return "1000 TiB or more"
    power = min(max(amount.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    tenths, rest = divmod(amount * 10, 1024**power)
    tenths += up and rest > 0
    fraction = f".{tenths % 10}" if power else ""
    return f"{tenths // 10}{fraction} {_UNITS[power]}"


def _text_of(file: str) -> str:
    with open(file, encoding="ascii") as opened:  # noqa: PTH123 - pathlib loads slowly
        return opened.read()


def memory_taken() -> int | None:
    """Resident bytes of this process; None if the system does not tell."""
    try:
        return int(_text_of(_MEASURED).split()[1]) * mmap.PAGESIZE
    except OSError:
        return None


def left_by_the_system() -> int | None:
    """Bytes left under the address-space limit of this process; None if unlimited."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
    except ImportError:  # only POSIX systems have such limits
        return None
    if most == resource.RLIM_INFINITY or not os.path.exists(_MEASURED):  # noqa: PTH110
        return None
    return int(max(most - int(_text_of(_MEASURED).split()[0]) * mmap.PAGESIZE, 0))


def left_for_all() -> int:
    """Bytes that the machine can provide without swapping; very many if unknown."""
    try:
        return int(_text_of(_OF_ALL).partition("MemAvailable:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        return _LARGEST


if left_by_the_system() is not None:
    # numpy's library interrupts the process if it cannot reserve memory for its threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@contextmanager
def kept_within(limit: int | None, check: Callable[[], None] | None = None) -> Iterator[None]:
    """Stop the block if the process takes `limit` bytes more than at its beginning.

    The block is stopped by an interrupt between two steps of Python, so that it can clean up; also
    if `check`, which is called now and then, raises an error. Only the main thread can be stopped,
    and only if interrupts are not ignored; otherwise nothing is measured.
    """
    before, room = None if limit is None else memory_taken(), left_by_the_system()
    is_main = threading.current_thread() is threading.main_thread()
    is_watched = is_main and not (before is None and check is None and room is None)
    if not is_watched or room is not None:
        _keep_what_is_freed()
    if not is_watched:
        yield
        return

    def look() -> None:
        if limit is not None and before is not None:
            taken = (memory_taken() or 0) - before
            if taken > limit:
                raise TooLargeError(
                    f"this takes more than the limit of {size(limit)}; ask for less, {ALLOW_MORE}"
                )
            if taken > _LONE and left_for_all() < _SPARE:
                raise TooLargeError(
                    f"this takes {size(taken)}, and the machine has less than "
                    f"{size(_SPARE)} left for all; ask for less"
                )
        if room is not None and (left_by_the_system() or 0) < min(room // 8, _LONE):
            raise TooLargeError(
                f"this takes nearly all of the {size(room)} allowed to it (ulimit -v); ask for less"
            )
        if check is not None:
            check()

    watch = _Watch(look)
    try:
        try:
            watch.start()
            yield
        finally:
            watch.end()
    except KeyboardInterrupt:
        watch.end()  # the interrupt may have come while the watch was ended
        if watch.problem is not None:
            _Watch.sent = None
            raise watch.problem from None
        raise


def limit_met() -> ExactDiceError | None:
    """Return the limit behind an interrupt that `kept_within` sent; only once.

    If a library's call fails while the interrupt is on its way, Python raises the interrupt after
    the block, where `kept_within` cannot catch it.
    """
    problem, _Watch.sent = _Watch.sent, None
    return problem


def in_pieces(file: BinaryIO) -> bytes:
    """Read a file in pieces, so that a limit can stop it: a device has no end."""
    whole = io.BytesIO()
    while piece := file.read(1 << 20):
        whole.write(piece)
    return whole.getvalue()


@cache
def _keep_what_is_freed() -> None:
    """Have glibc keep freed memory, instead of returning it to the system page by page.

    A long recurrence frees and allocates integers of a hundred kilobytes at each step, which would
    take half of its time. Other C libraries are not changed.
    """
    import ctypes

    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(_M_TRIM_THRESHOLD, _KEPT)
        library.mallopt(_M_MMAP_THRESHOLD, _LONE)
        if left_by_the_system() is not None:  # each thread would reserve 64 MiB
            library.mallopt(_M_ARENA_MAX, 1)


def _imports(frame: FrameType | None) -> int:
    count = 0
    while frame is not None:
        count, frame = count + (frame.f_code.co_name == "_find_and_load"), frame.f_back
    return count


def _main_frame() -> FrameType | None:
    collects = gc.isenabled()
    gc.disable()  # Python 3.11 waits forever if it collects while it lists frames
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    if collects:
        gc.enable()
    return frame


class _Watch(threading.Thread):
    """A thread that checks the limits repeatedly, and then interrupts the main thread.

    It waits for the end of an import: a half-imported library would fail at its next use. Python
    ignores an interrupt that arrives in a finalizer, so another one follows until the work ends.
    """

    #: Why the main thread was interrupted, until that is raised.
    sent: ExactDiceError | None = None

    def __init__(self, look: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.problem: ExactDiceError | None = None
        self._imports, self._patience = _imports(sys._getframe()), _PATIENCE
        # Locks, because an interrupt within the methods of an Event can leave it locked for good.
        self._look, self._lock, self._works = look, threading.Lock(), threading.Lock()
        self._works.acquire()

    def run(self) -> None:
        pause = min(part / whole for part, whole in (_AT_FIRST, _BETWEEN))
        while not self._works.acquire(timeout=pause):
            _keep_what_is_freed()  # short work needs no ctypes
            pause = _BETWEEN[0] / _BETWEEN[1]
            try:
                self._look()
            except ExactDiceError as problem:
                self._patience -= 1
                if self._patience > 0 and _imports(_main_frame()) > self._imports:
                    continue
                with self._lock:
                    if self._works.locked():
                        self.problem = _Watch.sent = problem
                        _thread.interrupt_main()
                pause = _AGAIN

    def end(self) -> None:
        with self._lock:  # an interrupt has been sent, or will not be sent
            if self._works.locked():
                self._works.release()
