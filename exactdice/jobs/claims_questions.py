"""What is claimed of the games: all claims with their verdicts, and all that is said of one."""

from dataclasses import dataclass

from exactdice.claims.folder import checkout
from exactdice.claims.model import Claim
from exactdice.claims.recomputation import stated
from exactdice.claims.sentences import coq_theorem
from exactdice.jobs.claims import CLAIMS, claim_named
from exactdice.jobs.verification import ClaimName
from exactdice.question import Question, argument
from exactdice.report.model import Quantity, Report, Table, listing, text_column
from exactdice.run import Run


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
        ("coq", "theorem in proofs/coq", f"{coq['theorem']} in {coq['file']}" if coq else ""),
    ]
    quantities = [Quantity(text_column(name, what), words) for name, what, words in said if words]
    if claim.depends_on:
        column = listing("rests_on", "claims, and theorems of proofs/theorems/THEOREMS.md")
        quantities.append(Quantity(column, claim.depends_on))
    return Report(f"Claim {claim.id}", quantities)


#: The question of this room.
QUESTIONS = (Claims,)
