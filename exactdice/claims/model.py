r"""What a claim is, and the tables of all claims.

A claim is a statement with its domain, where it comes from, and a *verdict*:

* **proved**: for all of the stated domain, by computation, or by a written proof whose
  computational steps are checked;
* **verified up to N**: exhaustively, with the domain cut off at the bound N;
* **refuted**: with the smallest counterexample in a stated order;
* **open**: with the evidence there is.

The table of a game is a file of ``proofs/claims`` in TOML. ``[risk.table]`` begins the claim of
that id, and below it are its fields; texts may be broken into lines anywhere. ``game`` is what
sentences call the game, and what else is before the first claim holds for every claim that does not
say otherwise. The program ``proofs/check.py`` reads the same tables, and derives every <name> in
them and the verdicts, which are in certificates. A claim without a certificate is open.

Facts that others proved are no claims: they are in cited.toml.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["Claim", "Content", "read_claims", "read_table"]

#: What a certificate is made of: objects, lists, texts and whole numbers; rationals are texts.
Content: TypeAlias = Any


@dataclass(frozen=True)
class Claim:
    """A statement about the games.

    Parameters
    ----------
    id
        ``game.name``, which is also the name of its certificate.
    title
        What sentences call the game.
    says, formula
        What is said, in words and as a formula. In these and in the domain <name> stands for the
        number or word that its derivation finds under that name.
    source
        Who says it: one of the documents, a paper, or this package.
    domain
        What is quantified over.
    method
        How the verdict is reached, and how the certificate is checked.
    kind
        The kind of its certificate; empty if there is none.
    order
        The order in which a counterexample is the smallest; empty for other claims.
    note
        What the verdict means in words: the counterexample, the value, the evidence.
    rests
        Claims, theorems and cited facts that the verdict rests on.
    coq
        The theorem in Coq that covers it; empty if there is none.
    refutes
        How a refuted claim is related to what its source says; empty for others.
    why
        Why the checker derives the evidence; empty if it reads a witness.
    shown_by
        Questions whose answers show what is said, as texts.
    is_long
        Whether computing it takes more than some seconds.
    """

    id: str
    title: str
    says: str
    source: str
    domain: str
    method: str
    formula: str = ""
    kind: str = ""
    order: str = ""
    note: str = ""
    rests: tuple[str, ...] = ()
    coq: str = ""
    refutes: str = ""
    why: str = ""
    shown_by: tuple[str, ...] = ()
    is_long: bool = False

    @property
    def game(self) -> str:
        """The name of the game that is spoken of."""
        return self.id.partition(".")[0]

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Claims and theorems that the verdict rests on."""
        return tuple(name for name in self.rests if "." in name or name.startswith("theorem "))

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the cited facts that the verdict rests on."""
        return tuple(name for name in self.rests if name not in self.depends_on)


def read_table(path: Path) -> dict[str, Content]:
    """Read a table of claims or cited facts, its texts without breaks of lines."""
    content: dict[str, Content] = _said(tomllib.loads(path.read_text(encoding="utf-8")))
    return content


def read_claims(path: Path) -> Iterator[Claim]:
    """Yield the claims of the table of a game.

    >>> from exactdice.claims.sentences import checkout
    >>> claim, *_ = read_claims(checkout() / "proofs" / "claims" / "risk.toml")
    >>> claim.id, claim.source
    ('risk.one-against-one', 'the Risk post')
    """
    content = read_table(path)
    shared = {key: content[key] for key in ("domain", "source") if key in content}
    for name, fields in content[path.stem].items():
        yield Claim(f"{path.stem}.{name}", content["game"], **{**shared, **fields})


def _said(value: Content) -> Content:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, dict):
        return {key: _said(part) for key, part in value.items()}
    return tuple(value) if isinstance(value, list) else value
