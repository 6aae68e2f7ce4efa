"""A picture of an answer, 1200×630 as other sites show of a link: the number, and what it is."""

import io
from textwrap import wrap

from exactdice.report.model import Report

_INK, _PAPER, _SOFT, _ACCENT = "#1c2430", "#fdfdfc", "#55606e", "#0b5c96"


def card(_report: Report, big: str, sentence: str, foot: str) -> bytes:
    """Draw the picture; in a worker, for matplotlib takes a second to load."""
    from matplotlib.figure import Figure  # as above

    drawn = Figure(figsize=(12, 63 / 10), dpi=100, facecolor=_PAPER)

    def write(down: int, words: str, size: int, colour: str, weight: str = "normal") -> None:
        drawn.text(6 / 100, down / 100, words.replace("$", r"\$"), color=colour, fontsize=size,
                   fontweight=weight, va="top", linespacing=13 / 10)  # fmt: skip

    write(90, big, 90 if len(big) <= 14 else 52, _ACCENT, "bold")
    write(60, "\n".join(wrap(sentence, 46)[:3]), 30, _INK)
    write(25, "\n".join(wrap(foot, 84)[:2]), 17, _SOFT)
    write(11, "exactdice · exact answers about dice games", 17, _SOFT)
    stream = io.BytesIO()
    drawn.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
