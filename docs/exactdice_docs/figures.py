"""The page of all figures: every figure of `exactdice plot`, its command and exact numbers."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from exactdice.jobs.plots import FIGURES, Figure
from exactdice.report.writers import Format, rendered_files
from exactdice.storage import OutputFolder, source_identity

__all__ = ["made", "pages"]

_DIGITS = 10


def made(folder: Path) -> dict[str, Path]:
    """Draw every figure; return the paths of the files by name in the site."""
    kept = OutputFolder(folder)
    source = source_identity()
    names: list[str] = []
    for figure in FIGURES:
        made_by = f"{figure.name}, {source}" if source else ""
        there = kept.current(made_by)
        if not there:
            report = figure.data()
            files = dict(rendered_files(report, Format.CSV, figure.name, digits=_DIGITS))
            files[f"{figure.name}.svg"] = figure.picture(report, "svg")
            kept.write(files, made_by)
            there = list(files)
        names += there
    kept.keep_only(set(names))
    return {f"figures/{name}": folder / name for name in names}


def pages(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the page, with links to the files that were made."""
    beside = sorted(name.removeprefix("figures/") for name in names)
    cards = "\n".join(_card(figure, beside) for figure in FIGURES)
    yield (
        "figures/index.md",
        "# Figures\n\nEvery figure that the package draws, with its command and exact numbers.\n"
        "The [gallery](../gallery.md) shows a selection.\n\n" + cards,
    )


def _card(figure: Figure, beside: Iterable[str]) -> str:
    numbers = [
        name
        for name in beside
        if name.endswith(".csv") and name.startswith((f"{figure.name}.", f"{figure.name}-"))
    ]
    links = " ".join(f'<a href="{name}">{name}</a>' for name in numbers)
    smallest, usual, largest = figure.sizes
    return f"""## {figure.name}

<img src="{figure.name}.svg" alt="{figure.caption}" class="figure">

{figure.caption}. `--size` sets the number of {figure.size_means}, from {smallest} to {largest}; it
is {usual} in this figure.

```sh
exactdice plot {figure.name} --output {figure.name}.pdf
```

Numbers: {links}
"""
