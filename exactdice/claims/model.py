r"""Claims, and the tables in which they are written.

A claim is a statement with its domain, its source and a *verdict*:

* **proved**: for the whole stated domain, by computation, or by a written proof whose
  computational steps are checked;
* **verified up to N**: exhaustively, for a domain cut off at the bound N;
* **refuted**: by the smallest counterexample in a stated order;
* **open**: with the present evidence;
* **not checkable**: its source does not publish the data that would decide it.

The table of a game is a TOML file of ``proofs/claims``. ``[risk.table]`` begins the claim with that
id, and its fields follow; texts may be broken into lines anywhere. Fields before the first claim
apply to every claim that does not override them; ``game`` is the name of the game in sentences.
``proofs/check.py`` reads the same tables and derives every <name> in them, and the verdicts, which
are stored in certificates. A claim without a certificate is open or not
checkable.

Facts that others proved are not claims: they are in cited.toml.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["Claim", "Content", "read_claims", "read_table"]

#: Content of a certificate: objects, lists, texts and whole numbers; rationals are texts.
Content: TypeAlias = Any


@dataclass(frozen=True)
class Claim:
    """A statement about the games.

    `id` is ``game.name``, also the name of its certificate; `title`, the name of the game in
    sentences. `says` and `formula` are the statement in words and as a formula; here and in the
    `domain`, <name> stands for a number or word found by the derivation. `source` is a document, a
    paper, or this package. `method` tells how the verdict is reached and the certificate checked,
    and `kind` is the kind of the certificate, empty without one. `order` is the order in which a
    counterexample is the smallest. `note` is the meaning of the verdict: counterexample, value or
    evidence. `rests` lists the claims, theorems and cited facts that the verdict uses, `coq` the
    theorem in Coq that covers it, `refutes` how a refuted statement is related to its source, and
    `why` the reason if the checker derives the evidence instead
    of reading a witness. `lacks` names missing data of a claim that is not checkable. `shown_by`
    lists questions whose answers show the statement. `is_long` marks computations of more than some
    seconds.
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
    lacks: str = ""
    shown_by: tuple[str, ...] = ()
    is_long: bool = False

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.id.partition(".")[0]

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Claims and theorems that the verdict uses."""
        return tuple(name for name in self.rests if "." in name or name.startswith("theorem "))

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the cited facts that the verdict uses."""
        return tuple(name for name in self.rests if name not in self.depends_on)


def read_table(path: Path) -> dict[str, Content]:
    """Read a table of claims or cited facts; line breaks in its texts become spaces."""
    content: dict[str, Content] = _in_lines(tomllib.loads(path.read_text(encoding="utf-8")))
    return content


def read_claims(path: Path) -> Iterator[Claim]:
    """Yield the claims of the table of a game.

    >>> from exactdice.claims.certificates import checkout
    >>> claim, *_ = read_claims(checkout() / "proofs" / "claims" / "risk.toml")
    >>> claim.id, claim.source
    ('risk.one-against-one', 'the Risk post')
    """
    content = read_table(path)
    shared = {key: content[key] for key in ("domain", "source") if key in content}
    for name, fields in content[path.stem].items():
        yield Claim(f"{path.stem}.{name}", content["game"], **{**shared, **fields})


def _in_lines(value: Content) -> Content:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, dict):
        return {key: _in_lines(part) for key, part in value.items()}
    return tuple(value) if isinstance(value, list) else value
