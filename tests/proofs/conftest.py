"""Settings for the tests of the checkers, which import nothing of the package."""

import sys
from pathlib import Path

import pytest
from checker import check, without_deriving

# The independent search for verdicts, with which certificates are compared.
sys.path.append(str(Path(__file__).resolve().parents[1] / "claims"))


@pytest.fixture(autouse=True)
def no_cover():
    """Stop pytest-cov, which looks for a fixture with this name."""


@pytest.fixture
def derived_once(monkeypatch):
    without_deriving(monkeypatch)


@pytest.fixture
def register(tmp_path, monkeypatch, derived_once):
    """A copy of the register, as one file, that a test may change."""
    path = tmp_path / "CLAIMS.md"
    path.write_text(check.registered(), encoding="utf-8")
    monkeypatch.setattr(check, "REGISTER", (path,))
    return path
