"""Claims: what is said of the games, how far it is established, and by which certificate."""

from exactdice.claims.certificates import Certificate, certificate_of, read_certificate
from exactdice.claims.model import CitedFact, Claim, Finding, Verdict
from exactdice.claims.verification import Outcome, verify, write_proofs
from exactdice.jobs.claims import CLAIMS, claim_named

__all__ = [
    "CLAIMS",
    "Certificate",
    "CitedFact",
    "Claim",
    "Finding",
    "Outcome",
    "Verdict",
    "certificate_of",
    "claim_named",
    "read_certificate",
    "verify",
    "write_proofs",
]
