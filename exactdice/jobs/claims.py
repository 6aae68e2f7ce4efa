"""Every claim, in the order of the register; all with their verdicts, and what is said of one."""

from dataclasses import dataclass

from exactdice import NAMES_OF_GAMES
from exactdice.claims.model import Claim, read_claims
from exactdice.claims.sentences import checkout, coq_theorem, stated, trusted
from exactdice.errors import InputError, OutputError
from exactdice.question import Question, argument
from exactdice.question.domains import Text
from exactdice.report.model import Quantity, Report, Table, listing, text_column
from exactdice.run import Run


def _claims() -> tuple[Claim, ...]:
    try:
        folder = checkout() / "proofs" / "claims"
    except OutputError:  # all other questions can be answered without proofs
        return ()
    tables = (folder / f"{game}.toml" for game in NAMES_OF_GAMES)
    return tuple(claim for table in tables if table.is_file() for claim in read_claims(table))


#: All claims, game by game; none if the package was installed without its proofs.
CLAIMS = _claims()


def claim_named(name: str) -> Claim:
    """Return the claim with that id.

    Raises OutputError if the package was installed without its proofs.
    """
    for claim in CLAIMS:
        if claim.id == name:
            return claim
    checkout()
    raise InputError("claim", name, "the id of a claim, listed in CLAIMS.md")


class ClaimName(Text):
    """Ids of claims."""

    def __init__(self) -> None:
        super().__init__(metavar="CLAIM")
        self.words = tuple(claim.id for claim in CLAIMS)  # for completion

    def read(self, value: object, name: str) -> str:
        """Read the id of a claim; without proofs, whose absence the answer reports, any text."""
        return claim_named(str(value)).id if CLAIMS else super().read(value, name)


@dataclass(frozen=True)
class Claims(Question, command="claims", example="claims risk.maximum-dice", takes="a moment"):
    """List the claims with their verdicts, or show one with its sentence, source and proof."""

    claim: str | None = argument(ClaimName(), "Id of a claim; none lists all.", default=None)

    def report(self, run: Run) -> Report:
        """Read the verdicts from the certificates; nothing is computed."""
        return _all() if self.claim is None else _one(claim_named(self.claim))


def _all() -> Report:
    root = checkout()
    rows = [
        (claim.id, verdict, said["says"])
        for claim in CLAIMS
        for verdict, said in [stated(claim, root)]
    ]
    table = Table(
        "claims",
        "Claims about the games",
        [
            text_column("claim", "id of the claim"),
            text_column("verdict", "how far it is established; open without a certificate"),
            text_column("statement", "what is claimed"),
        ],
        rows,
    )
    return Report("What is claimed of the games, and how far it is established", (), [table])


def _one(claim: Claim) -> Report:
    verdict, formal = stated(claim, checkout())
    certificate = f"proofs/certificates/{claim.id}.json" if verdict != "open" else ""
    coq = coq_theorem(claim)
    said = [
        ("sentence", "the claim with its verdict, as the checker makes it", formal["sentence"]),
        ("verdict", "how far it is established", verdict),
        ("source", "who says it", formal["source"]),
        ("domain", "what is quantified over", formal["domain"]),
        ("certificate", "what python3 proofs/check.py checks", certificate),
        ("method", "how it is decided and checked", claim.method),
        ("note", "what the verdict means", claim.note),
        ("trusts", "what one trusts who believes it, as proofs/TRUST.md says", trusted(claim)),
        ("coq", "theorem in proofs/coq", f"{coq['theorem']} in {coq['file']}" if coq else ""),
    ]
    quantities = [Quantity(text_column(name, what), words) for name, what, words in said if words]
    if claim.depends_on:
        column = listing("rests_on", "claims, and theorems of proofs/theorems/THEOREMS.md")
        quantities.append(Quantity(column, claim.depends_on))
    return Report(f"Claim {claim.id}", quantities)


#: The question of this room.
QUESTIONS = (Claims,)
