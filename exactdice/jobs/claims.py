"""All claims in the order of the register: their verdicts, details of one, and verification."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from pathlib import Path

from exactdice import NAMES_OF_GAMES
from exactdice.claims import certificates
from exactdice.claims.certificates import Recomputed
from exactdice.claims.model import Claim, read_claims
from exactdice.errors import ConflictError, InputError, OutputError, choices
from exactdice.question import Question, argument, option
from exactdice.question.domains import File, Flag, Text
from exactdice.report.model import Quantity, Report, Table, flag, listing, text_column, whole
from exactdice.run import Run
from exactdice.storage import write_whole


def _claims() -> tuple[Claim, ...]:
    try:
        folder = certificates.checkout() / "proofs" / "claims"
    except OutputError:  # all other questions can be answered without proofs
        return ()
    tables = (folder / f"{game}.toml" for game in (*NAMES_OF_GAMES, "book"))
    return tuple(claim for table in tables if table.is_file() for claim in read_claims(table))


#: All claims, game by game; none if the package was installed without its proofs.
CLAIMS = _claims()


def claim_named(name: str) -> Claim:
    for claim in CLAIMS:
        if claim.id == name:
            return claim
    certificates.checkout()
    known = choices([claim.id for claim in CLAIMS], name, "exactdice claims")
    raise InputError("claim", name, known)


class ClaimName(Text):
    def __init__(self) -> None:
        super().__init__(metavar="CLAIM")
        self.words = tuple(claim.id for claim in CLAIMS)  # for completion

    def read(self, value: object, name: str) -> str:
        return claim_named(str(value)).id if CLAIMS else super().read(value, name)


class Claims(Question, example="risk.maximum-dice"):
    """List the claims with their verdicts, or show one with its sentence, source and proof."""

    claim: str | None = argument(ClaimName(), "Id of a claim; none lists all.", default=None)

    def report(self, run: Run) -> Report:
        return _all() if self.claim is None else _one(claim_named(self.claim))


def _all() -> Report:
    root = certificates.checkout()
    rows = [
        (claim.id, verdict, said["says"])
        for claim in CLAIMS
        for verdict, said in [certificates.stated(claim, root)]
    ]
    table = Table(
        "claims",
        "Claims about the games",
        [
            text_column("claim", "id of the claim"),
            text_column("verdict", "proved, refuted, open, or verified up to a bound"),
            text_column("statement", "the claim in words"),
        ],
        rows,
    )
    return Report("Claims about the games and their status", (), [table])


def _one(claim: Claim) -> Report:
    verdict, formal = certificates.stated(claim, certificates.checkout())
    certificate = f"proofs/certificates/{claim.id}.json" if claim.kind else ""
    coq = certificates.coq_theorem(claim)
    said = [
        ("sentence", "the claim with its verdict, written by the checker", formal["sentence"]),
        ("verdict", "proved, refuted, open, not checkable, or verified up to a bound", verdict),
        ("source", "origin of the claim", formal["source"]),
        ("domain", "domain of the quantifiers", formal["domain"]),
        ("certificate", "file that python3 proofs/check.py checks", certificate),
        ("method", "how it is decided and checked", claim.method),
        ("note", "meaning of the verdict", claim.note),
        ("trusts", "what the verdict relies on (see proofs/TRUST.md)", certificates.trusted(claim)),
        ("coq", "theorem in proofs/coq", f"{coq['theorem']} in {coq['file']}" if coq else ""),
    ]
    quantities = [Quantity(text_column(name, what), words) for name, what, words in said if words]
    if claim.depends_on:
        column = listing("rests_on", "claims, and theorems of proofs/theorems/THEOREMS.md")
        quantities.append(Quantity(column, claim.depends_on))
    return Report(f"Claim {claim.id}", quantities)


class Verify(
    Question,
    example="risk.table",
    takes="half a minute; a minute with --from-scratch",
    has_files=True,
):
    """Compute claims again, and compare them with their certificates and CLAIMS.md."""

    claims: tuple[str, ...] = argument(
        ClaimName(),
        'Claim ids (see "exactdice claims"). Default: all except the slow ones.',
        many=True,
        default=(),
    )
    _: KW_ONLY
    from_scratch: bool = option(Flag(), "Compute the slow claims too.")
    root: Path | None = option(
        File(), "Folder that contains proofs. Default: the checkout.", metavar="FOLDER"
    )
    write: bool = option(Flag(), "Compute all claims; write their certificates and CLAIMS.md.")

    def check(self) -> None:
        if self.root and not (self.root / "proofs" / "certificates").is_dir():
            raise InputError("root", str(self.root), "a folder that contains proofs/certificates")
        if self.write and (self.claims or self.from_scratch):
            raise ConflictError("write", "computes all claims; omit CLAIM and --from-scratch")

    def report(self, run: Run) -> Report:
        root = self.root or certificates.checkout()
        if self.write:
            return _writing_report(certificates.write_proofs(CLAIMS, root, write_whole))
        chosen = [claim_named(name) for name in self.claims] or list(CLAIMS)
        from_scratch = self.from_scratch or bool(self.claims)
        return _verification_report(chosen, root, run, from_scratch=from_scratch)


def _verification_report(
    claims: Sequence[Claim], root: Path, run: Run, *, from_scratch: bool
) -> Report:
    outcomes: list[Recomputed] = []
    register = ""
    for outcome in certificates.verify(claims, root, from_scratch=from_scratch):
        if isinstance(outcome, str):
            register = outcome
        else:
            outcomes.append(outcome)
            run.tell("claims", len(outcomes), len(claims))
    failed = [outcome for outcome in outcomes if outcome.problem]
    compared = sum(outcome.recomputed and not outcome.problem for outcome in outcomes)
    unread = sum(bool(outcome.claim.kind) and not outcome.recomputed for outcome in outcomes)
    problems = [f"{outcome.claim.id}: {outcome.problem}" for outcome in failed]
    how = "proofs/certificates, compared byte for byte with the present output of proofs/derive.py"
    if not from_scratch:
        how += "; slow claims only by name or with --from-scratch"
    return Report.of(
        "Claims compared with their certificates",
        {"certificates": how},
        whole("verified", "claims compared with their certificates")(compared),
        whole("failed", "certificates with a problem")(len(failed)),
        whole("not_recomputed", "certificates whose form only was checked")(unread),
        flag("register", "whether CLAIMS.md agrees with them")(not register),
        Table.of(
            "claims",
            "Verification",
            ((o.claim.id, o.verdict, o.recomputed, o.problem) for o in outcomes),
            text_column("claim", "id of the claim"),
            text_column("verdict", "verdict of its certificate; open without one"),
            flag("recomputed", "whether it was computed again and compared byte for byte"),
            text_column("problem", "problem of the certificate"),
        ),
        failure="; ".join([*problems, *filter(None, [register])]),
    )


def _writing_report(written: Mapping[str, str]) -> Report:
    claim, verdict = text_column("claim", "id of the claim"), text_column("verdict", "its verdict")
    return Report.of(
        "Certificates and CLAIMS.md, computed and written",
        {},
        whole("written", "certificates written")(len(written)),
        Table.of("claims", "Certificates written", list(written.items()), claim, verdict),
    )
