"""Where certificates and proofs lie: in the checkout of the package, or in the current folder.

An installed package has them not; an unpacked source distribution beside it does.
"""

from pathlib import Path

from exactdice.errors import OutputError


def checkout() -> Path:
    """Return the folder of the checkout that the package runs from, or else the current one.

    Raises OutputError if the package was installed, and the current folder is no checkout or
    unpacked source distribution.
    """
    for root in (Path(__file__).resolve().parents[2], Path.cwd()):
        if (root / "proofs" / "certificates").is_dir():
            return root
    raise OutputError(
        "proofs: no certificates beside the package or in this folder; run it in a checkout, or in "
        "an unpacked source distribution"
    )
