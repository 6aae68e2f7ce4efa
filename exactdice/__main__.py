"""The program `exactdice`, also as `python -m exactdice`.

Nothing is imported before an interrupt can be answered, so that it costs one line from the start.
"""

import gc
import sys


def main() -> int:
    """Run the command of the process's words and return its exit status."""
    try:
        from exactdice.errors import told

        gc.disable()  # what is imported stays: it need not be looked through, now or at the end
        try:
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
    except KeyboardInterrupt:
        print("exactdice: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
