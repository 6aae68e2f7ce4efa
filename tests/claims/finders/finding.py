"""The result of a finder: a verdict and the evidence of its certificate."""

from collections.abc import Mapping
from typing import Any, NamedTuple

#: Objects, lists, texts and whole numbers; rationals are texts.
Content = Any


class Finding(NamedTuple):
    """The verdict and the evidence for a claim, as the package's own solvers find them."""

    verdict: str
    evidence: Mapping[str, Content]
