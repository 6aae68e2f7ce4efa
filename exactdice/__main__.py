"""The program `exactdice`, also as `python -m exactdice`.

Signals are handled before anything is imported. While the program loads, SIGINT and SIGTERM end it
at once with one line and their exit status, because an error amid an import may become another
one; later they raise KeyboardInterrupt; after the command has ended they are ignored.
"""

import gc
import os
import re
import sys


def _end_at_once(number: int, _frame: object) -> None:
    os.write(2, b"exactdice: interrupted\n")
    os._exit(128 + number)  # as in shells


def _end(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(128 + number)


def _load_numbers() -> None:
    """Load gmpy2 without the packages' metadata, which gmpy2 reads for its version.

    Python would load its mail, archive and socket modules for that, a quarter of a command's time.
    The name of the metadata's folder contains the version too.
    """
    import importlib
    from types import ModuleType

    name = "importlib.metadata"
    if name in sys.modules:
        return
    folders = filter(os.path.isdir, sys.path)
    names = (each for path in folders for each in os.listdir(path))  # noqa: PTH208 - it is faster
    folder = next((each for each in names if re.fullmatch(r"gmpy2-.*\.dist-info", each)), None)
    if folder is None:
        return
    version = folder.split("-")[1].removesuffix(".dist")
    metadata = sys.modules[name] = ModuleType(name)
    vars(metadata)["version"] = lambda _package: version
    try:
        importlib.import_module("gmpy2")
    finally:
        del sys.modules[name]


def main() -> int:
    import signal

    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # it is ignored after `nohup`
    ends = [signal.SIGTERM, signal.SIGINT][: 1 + is_heard]
    for number in ends:
        signal.signal(number, _end_at_once)
    gc.disable()  # imported objects stay alive
    try:
        from exactdice.errors import told

        _load_numbers()
        from exactdice.cli import main as run
    except (MemoryError, SystemError):  # Python may lack memory for a message
        os.write(2, b"exactdice: too little memory to start (ulimit -v); raise the limit\n")
        return 2
    except ImportError as problem:  # a library or a feature of the system is missing
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
    except KeyboardInterrupt as ending:  # before or after the command
        print("exactdice: interrupted", file=sys.stderr)
        return int(ending.args[0])
    for number in ends:
        signal.signal(number, signal.SIG_IGN)  # the answer is complete
    return status


if __name__ == "__main__":
    sys.exit(main())
