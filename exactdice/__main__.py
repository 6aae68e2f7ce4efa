"""The program `exactdice`, also as `python -m exactdice`.

Nothing is imported before an interrupt can be answered, so that it costs one line from the start.
"""

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command of the process's words and return its exit status."""
    try:
        from exactdice.errors import UnsupportedSystemError

        try:
            from exactdice.cli import main as run
        except UnsupportedSystemError as problem:
            print(f"exactdice: {problem}", file=sys.stderr)
            return problem.exit_status
        return run()
    except KeyboardInterrupt:
        print("exactdice: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
