"""The numbers of the note "Four dice are safer than five"."""

from collections.abc import Mapping

from papers.make.sheets import Macros, Paper, Sources, decimal

__all__ = ["PAPER"]


def _build(sources: Sources) -> Mapping[str, str]:
    macros = Macros(sources)
    macros.add("ValueTen", decimal(macros.source("swe value 10").value("value"), 6))
    return {"numbers.tex": macros.content()}


PAPER = Paper("four", _build)
