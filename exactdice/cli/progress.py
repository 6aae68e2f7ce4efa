"""A progress bar on standard error, shown only where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress while the block runs; gives a function of what is done and of all there is.

    Examples
    --------
    >>> with progress_bar("counting") as tell:
    ...     tell(1, 2)
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
