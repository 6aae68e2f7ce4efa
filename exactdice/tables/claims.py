"""The report of a verification: a row a claim, and what failed."""

from collections.abc import Callable, Sequence
from pathlib import Path

from exactdice.claims.model import Claim
from exactdice.claims.verification import Outcome, verify, write_proofs
from exactdice.storage import write_whole
from exactdice.tables.model import Quantity, Report, Table, flag, text_column, whole
from exactdice.tables.provenance import Provenance

__all__ = ["verification_report", "writing_report"]


def verification_report(
    claims: Sequence[Claim],
    root: Path,
    *,
    from_scratch: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Verify claims and tabulate what became of each.

    Parameters
    ----------
    claims, root, from_scratch
        As for `exactdice.claims.verification.verify`.
    progress
        Called with the claims done and all of them.

    Examples
    --------
    >>> from exactdice.claims.registry import claim_named
    >>> from exactdice.claims.verification import checkout
    >>> verification_report([claim_named("reroll.states")], checkout()).value("failed")
    0
    """
    outcomes = []
    for outcome in verify(claims, root, from_scratch=from_scratch):
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), len(claims))
    failed = [outcome for outcome in outcomes if outcome.problem]
    table = Table(
        "claims",
        "Verification",
        [
            text_column("claim", "id of the claim"),
            text_column("verdict", "verdict of its certificate; open where there is none"),
            flag("recomputed", "whether it was computed again and compared byte for byte"),
            text_column("problem", "what is wrong with the certificate"),
        ],
        [(o.claim.id, o.verdict, o.recomputed, o.problem) for o in outcomes],
    )
    summary = [
        Quantity(whole("verified", "claims compared with their certificates"), _compared(outcomes)),
        Quantity(whole("failed", "certificates with a problem"), len(failed)),
        Quantity(
            whole("not_recomputed", "certificates of which only the form was looked at"),
            sum(outcome.claim.find is not None and not outcome.recomputed for outcome in outcomes),
        ),
    ]
    compared = "proofs/certificates, compared byte for byte"
    if not from_scratch:
        compared += "; those that take long only where they are named, or with --from-scratch"
    return Report(
        "Claims against their certificates",
        summary,
        [table],
        Provenance(conventions={"certificates": compared}),
        failure="; ".join(f"{outcome.claim.id}: {outcome.problem}" for outcome in failed),
    )


def _compared(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.recomputed and not outcome.problem for outcome in outcomes)


def writing_report(root: Path) -> Report:
    """Compute every claim and write all certificates and CLAIMS.md anew."""
    written = write_proofs(root, write_whole)
    table = Table(
        "claims",
        "Certificates written",
        [text_column("claim", "id of the claim"), text_column("verdict", "its verdict")],
        [(certificate.claim, certificate.verdict) for certificate in written],
    )
    count = Quantity(whole("written", "certificates written"), len(written))
    return Report("Certificates and CLAIMS.md, computed and written", [count], [table])
