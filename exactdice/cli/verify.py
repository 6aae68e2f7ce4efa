"""`exactdice verify`: claims computed again, against their certificates."""

from pathlib import Path
from typing import Annotated

import typer

from exactdice.claims.verification import checkout
from exactdice.cli.legacy_presenting import reporting
from exactdice.cli.progress import progress_bar
from exactdice.errors import InputError, Unquoted
from exactdice.jobs.claims import CLAIMS, claim_named
from exactdice.report.model import Report
from exactdice.tables import claims as reports

__all__ = ["run"]


@reporting
def run(
    claims: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CLAIM",
            help="Ids of claims, as in CLAIMS.md; if none, all but those that take long.",
        ),
    ] = None,
    from_scratch: Annotated[
        bool, typer.Option("--from-scratch", help="Compute the claims that take long, too.")
    ] = False,
    root: Annotated[
        str,
        typer.Option(
            "--root", metavar="FOLDER", help="The folder that holds proofs; that of the checkout."
        ),
    ] = "",
    write: Annotated[
        bool, typer.Option("--write", help="Write all certificates and CLAIMS.md anew.")
    ] = False,
) -> Report:
    """Compute claims again and compare their certificates byte for byte."""
    chosen = [claim_named(name) for name in claims or ()] or list(CLAIMS)
    folder = Path(root) if root else checkout()
    if not (folder / "proofs" / "certificates").is_dir():
        raise InputError("root", root, "a folder that holds proofs/certificates")
    if write:
        if claims or from_scratch:
            raise InputError("write", Unquoted("other arguments"), "--write alone: it computes all")
        return reports.writing_report(folder)
    with progress_bar("claims") as progress:
        return reports.verification_report(
            chosen, folder, from_scratch=from_scratch or bool(claims), progress=progress
        )
