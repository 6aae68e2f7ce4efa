"""The command line: `exactdice GAME VERB …`."""

from exactdice.cli.app import main

__all__ = ["main"]
