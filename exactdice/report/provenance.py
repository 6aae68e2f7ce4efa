"""Where an output came from: the command, the version, the commit and the conventions in force."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from exactdice import __version__
from exactdice.origin import commit


@dataclass(frozen=True)
class Provenance:
    """What a reader needs in order to produce the same output again."""

    command: str = ""  # the command that gives this output, without output options
    # name to value of every convention that the numbers depend on, in the order shown
    conventions: Mapping[str, str] = field(default_factory=dict)

    @property
    def producer(self) -> str:
        """Package, version and commit."""
        return f"exactdice {__version__}, commit {commit()}"
