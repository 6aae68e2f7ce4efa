"""Verification: claims computed again, against their certificates."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from exactdice.claims.model import Claim
from exactdice.claims.recomputation import Recomputed, verify, write_proofs
from exactdice.claims.sentences import checkout
from exactdice.errors import InputError, Unquoted
from exactdice.jobs.claims import CLAIMS, ClaimName, claim_named
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag
from exactdice.report.model import Provenance, Quantity, Report, Table, flag, text_column, whole
from exactdice.run import Run
from exactdice.storage import write_whole


@dataclass(frozen=True)
class Verify(
    Question,
    command="verify",
    example="verify risk.table",
    takes="half a minute; a minute with --from-scratch",
    has_files=True,
):
    """Compute claims again, and compare their certificates byte for byte, and CLAIMS.md."""

    claims: tuple[str, ...] = argument(
        ClaimName(),
        "Ids of claims, as exactdice claims lists them; if none, all but those that take long.",
        metavar="CLAIM",
        many=True,
        default=(),
    )
    _: KW_ONLY
    from_scratch: bool = option(Flag(), "Compute the claims that take long, too.")
    root: Path | None = option(
        File(), "The folder that holds proofs; that of the checkout.", metavar="FOLDER"
    )
    write: bool = option(Flag(), "Write all certificates and CLAIMS.md anew.")

    def check(self) -> None:
        """Refuse a folder without proofs, and to write a part of them."""
        if self.root and not (self.root / "proofs" / "certificates").is_dir():
            raise InputError("root", str(self.root), "a folder that holds proofs/certificates")
        if self.write and (self.claims or self.from_scratch):
            raise InputError("write", Unquoted("other arguments"), "--write alone: it computes all")

    def report(self, run: Run) -> Report:
        """Compute the claims."""
        root = self.root or checkout()
        if self.write:
            return _writing_report(write_proofs(CLAIMS, root, write_whole))
        chosen = [claim_named(name) for name in self.claims] or list(CLAIMS)
        from_scratch = self.from_scratch or bool(self.claims)
        return _verification_report(chosen, root, run, from_scratch=from_scratch)


def _verification_report(
    claims: Sequence[Claim], root: Path, run: Run, *, from_scratch: bool
) -> Report:
    outcomes: list[Recomputed] = []
    register = ""
    for outcome in verify(claims, root, from_scratch=from_scratch):
        if isinstance(outcome, str):
            register = outcome
        else:
            outcomes.append(outcome)
            run.tell("claims", len(outcomes), len(claims))
    failed = [outcome for outcome in outcomes if outcome.problem]
    compared = sum(outcome.recomputed and not outcome.problem for outcome in outcomes)
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
        Quantity(whole("verified", "claims compared with their certificates"), compared),
        Quantity(whole("failed", "certificates with a problem"), len(failed)),
        Quantity(
            whole("not_recomputed", "certificates of which only the form was looked at"),
            sum(bool(outcome.claim.kind) and not outcome.recomputed for outcome in outcomes),
        ),
        Quantity(flag("register", "whether CLAIMS.md is made of them"), not register),
    ]
    problems = [f"{outcome.claim.id}: {outcome.problem}" for outcome in failed]
    how = "proofs/certificates, compared byte for byte with what proofs/derive.py makes now"
    how += ", by the derivations of proofs/check.py"
    if not from_scratch:
        how += "; those that take long only where they are named, or with --from-scratch"
    return Report(
        "Claims against their certificates",
        summary,
        [table],
        Provenance(conventions={"certificates": how}),
        failure="; ".join([*problems, *filter(None, [register])]),
    )


def _writing_report(written: Mapping[str, str]) -> Report:
    table = Table(
        "claims",
        "Certificates written",
        [text_column("claim", "id of the claim"), text_column("verdict", "its verdict")],
        list(written.items()),
    )
    count = Quantity(whole("written", "certificates written"), len(written))
    return Report("Certificates and CLAIMS.md, computed and written", [count], [table])


QUESTIONS = (Verify,)
