r"""What a claim is.

A claim is a statement with its domain, where it comes from, and a *verdict*:

* **proved**: for all of the stated domain, by computation, or by a written proof whose
  computational steps are checked;
* **verified up to N**: exhaustively, with the domain cut off at the bound N;
* **refuted**: with the smallest counterexample in a stated order;
* **open**: with the evidence there is.

A `Finding` is what a computation of this package says about a claim: the verdict, and the numbers
that somebody else can check. Written down it is a certificate (`exactdice.claims.certificates`),
which the program ``proofs/check.py`` checks without this package. A claim without a certificate is
open, whatever is believed of it.

Facts that others proved are no claims: they are kept apart, in cited.toml.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactdice.errors import InputError

__all__ = ["Claim", "Content", "Finding"]

#: What a certificate is made of: objects, lists, texts and whole numbers; rationals are texts.
Content: TypeAlias = Any


@dataclass(frozen=True)
class Finding:
    """What a computation says about a claim.

    Parameters
    ----------
    verdict
        How far the claim is established by it: ``proved``, ``verified up to N``, ``refuted`` or
        ``open``.
    evidence
        Values, witness or counts, for a certificate.

    Examples
    --------
    >>> Finding("true", {})
    Traceback (most recent call last):
    exactdice.errors.InputError: verdict: got 'true'; give proved, verified up to N, refuted or open
    """

    verdict: str
    evidence: Mapping[str, Content]

    def __post_init__(self) -> None:
        if not re.fullmatch("proved|verified up to [0-9]+|refuted|open", self.verdict):
            raise InputError("verdict", self.verdict, "proved, verified up to N, refuted or open")


@dataclass(frozen=True)
class Claim:
    """A statement about the games.

    Parameters
    ----------
    id
        ``game.name``, which is also the name of its certificate.
    title
        What sentences call the game.
    statement, latex
        What is said, in words and as a formula. In the words and in the domain <name> stands for
        the number that the finding holds under that name.
    source
        Who says it: one of the documents, a paper, or this package.
    domain
        What is quantified over.
    method
        How the verdict is reached, and how the certificate is checked.
    kind
        The kind of its certificate; empty where there is none.
    parameters
        The numbers that the domain is bounded by, for the certificate.
    find
        Computes the finding; None for a claim that is open.
    order
        The order in which a counterexample is the smallest; empty for other claims.
    note
        What the verdict means in words: the counterexample, the value, the evidence.
    depends_on
        Claims and theorems that the verdict rests on.
    cites
        Keys of the cited facts that it rests on.
    shown_by
        Questions whose answers show what is said, as texts.
    is_long
        Whether computing it takes more than some seconds.
    """

    id: str
    title: str
    statement: str
    source: str
    domain: str
    method: str
    latex: str = ""
    kind: str = ""
    parameters: Mapping[str, Content] = field(default_factory=dict)
    find: Callable[[], Finding] | None = None
    order: str = ""
    note: str = ""
    depends_on: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    shown_by: tuple[str, ...] = ()
    is_long: bool = False

    @property
    def game(self) -> str:
        """The name of the game that is spoken of."""
        return self.id.partition(".")[0]
