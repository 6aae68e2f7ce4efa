"""The gallery: every figure of `exactdice plot`, its command, and its exact numbers."""

from collections.abc import Iterator
from pathlib import Path

from exactdice.jobs.plots import FIGURES, Figure
from exactdice.report.writers import Format, render
from exactdice.storage import OutputFolder, source_identity

__all__ = ["made", "pages"]


def made(folder: Path) -> dict[str, Path]:
    """Draw every figure; name in the site, and where each file is."""
    kept = OutputFolder(folder)
    source = source_identity()
    kept.keep_only({name for figure in FIGURES for name in _names(figure)})
    for figure in FIGURES:
        if not all(kept.is_current(name, source) for name in _names(figure)):
            report = figure.data()
            drawn, numbers = figure.picture(report, "svg"), render(report, Format.CSV)
            kept.write(dict(zip(_names(figure), (drawn, numbers), strict=True)), source)
    return {f"figures/{name}": folder / name for figure in FIGURES for name in _names(figure)}


def _names(figure: Figure) -> tuple[str, str]:
    return f"{figure.name}.svg", f"{figure.name}.csv"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the one page of the gallery."""
    cards = "\n".join(map(_card, FIGURES))
    yield (
        "figures/index.md",
        "# Figures\n\nEvery figure that the package draws, with its command. Beside each picture\n"
        "lie the rationals that it is drawn from.\n\n" + cards,
    )


def _card(figure: Figure) -> str:
    picture, numbers = _names(figure)
    return f"""## {figure.name}

<img src="{picture}" alt="{figure.caption}" class="figure">

{figure.caption}. Its size counts {figure.size_means}: {figure.size} here, and at least
{figure.smallest} and at most {figure.largest} where you draw it.

```sh
exactdice plot {figure.name} --output {figure.name}.pdf
```

<a href="{numbers}">The numbers as CSV</a>
"""
