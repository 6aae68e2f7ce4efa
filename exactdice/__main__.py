"""The program `exactdice`, also as `python -m exactdice`.

Nothing is imported before an interrupt can be answered, so that it costs one line from the start.
A request to end (SIGTERM) is an interrupt that carries the exit status of its own.
"""

import gc
import sys


def _end(number: int, _frame: object) -> None:
    """Stop as an interrupt does."""
    raise KeyboardInterrupt(128 + number)  # as shells count


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
    try:
        import signal

        signal.signal(signal.SIGTERM, _end)
        from exactdice.errors import told

        gc.disable()  # what is imported stays: it need not be looked through, now or at the end
        try:
            _load_numbers()
            from exactdice.cli import main as run
        except ImportError as problem:  # of a library, or of what this system lacks
            line = told(problem)
            if line is None:
                raise
            print(f"exactdice: {line}", file=sys.stderr)
            return 2
        gc.freeze()
        gc.enable()
        return run()
    except KeyboardInterrupt as ending:
        print("exactdice: interrupted", file=sys.stderr)
        from exactdice.errors import exit_status

        return exit_status(ending)


if __name__ == "__main__":
    sys.exit(main())
