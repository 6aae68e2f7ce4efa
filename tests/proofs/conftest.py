"""The checker imports nothing of the package, so that following what it runs measures nothing."""

import sys
from pathlib import Path

import pytest

# The finders of verdicts, which certificates are also held against, are beside the tests of claims.
sys.path.append(str(Path(__file__).resolve().parents[1] / "claims"))


@pytest.fixture(autouse=True)
def no_cover():
    """Stop pytest-cov, which looks for a fixture of this name."""
