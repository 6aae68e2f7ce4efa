"""What a finder returns: a verdict, and the evidence that the certificate holds."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

#: What a certificate is made of: objects, lists, texts and whole numbers; rationals are texts.
Content: TypeAlias = Any


class Finding(NamedTuple):
    """The verdict and the evidence for a claim, as the package's own solvers find them."""

    verdict: str
    evidence: Mapping[str, Content]
