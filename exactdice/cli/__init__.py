"""The command line: `exactdice GAME VERB …`."""

from exactdice.cli.app import main, run

__all__ = ["main", "run"]
