"""The program `exactdice`, also as `python -m exactdice`.

Nothing is imported before an interrupt (SIGINT) and a request to end (SIGTERM) can be answered with
one line and the exit status of the signal: while the program loads at once, for there is nothing to
clean up, and an error raised amid an import may come out as another one; later by an interrupt; and
not at all once the command has ended.
"""

import gc
import os
import sys


def _end_at_once(number: int, _frame: object) -> None:
    os.write(2, b"exactdice: interrupted\n")
    os._exit(128 + number)  # as shells count


def _end(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(128 + number)


def _load_numbers() -> None:
    """Load gmpy2, which asks the metadata of packages for its version.

    To read them Python loads its mail, archives and sockets, a quarter of what a command takes; the
    name of their folder says the version too.
    """
    import importlib
    from pathlib import Path
    from types import ModuleType

    name = "importlib.metadata"
    if name in sys.modules:
        return
    folders = (folder for path in sys.path for folder in Path(path).glob("gmpy2-*.dist-info"))
    folder = next(folders, None)
    if folder is None:
        return
    version = folder.name.split("-")[1].removesuffix(".dist")
    metadata = sys.modules[name] = ModuleType(name)
    vars(metadata)["version"] = lambda _package: version
    try:
        importlib.import_module("gmpy2")
    finally:
        del sys.modules[name]


def main() -> int:
    """Run the command of the process's words and return its exit status."""
    import signal

    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # as it is behind `nohup`
    ends = [signal.SIGTERM, signal.SIGINT][: 1 + is_heard]
    for number in ends:
        signal.signal(number, _end_at_once)
    gc.disable()  # what is imported stays: it need not be looked through, now or at the end
    try:
        from exactdice.errors import told

        _load_numbers()
        from exactdice.cli import main as run
    except (MemoryError, SystemError):  # where Python has no room for more words
        os.write(2, b"exactdice: the system leaves too little memory to load it (ulimit -v)\n")
        return 2
    except ImportError as problem:  # of a library, or of what this system lacks
        line = told(problem)
        if line is None:
            raise
        print(f"exactdice: {line}", file=sys.stderr)
        return 2
    gc.freeze()
    gc.enable()
    try:
        for number in ends:
            signal.signal(number, _end)
        status = run()
    except KeyboardInterrupt as ending:  # before it began, or after it has ended
        print("exactdice: interrupted", file=sys.stderr)
        return int(ending.args[0])
    for number in ends:
        signal.signal(number, signal.SIG_IGN)  # the answer is whole: nothing is left to stop
    return status


if __name__ == "__main__":
    sys.exit(main())
