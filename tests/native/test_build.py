"""Messages of building the package, and which build the tests run."""

import os
import runpy
import sys
from pathlib import Path

import pytest

from exactdice import native

ROOT = Path(__file__).resolve().parents[2]


def test_a_build_without_pybind11_says_that_it_leaves_the_solvers_out(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pybind11.setup_helpers", None)
    monkeypatch.setattr(sys, "argv", ["setup.py", "--name"])
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py", run_name="__main__")
    captured = capsys.readouterr()
    assert "exactdice" in captured.out
    assert "pybind11 is missing, so the C++ solvers are not built" in captured.err


def test_a_build_by_microsoft_s_compiler_says_so_too(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("sysconfig.get_platform", lambda: "win-amd64")
    monkeypatch.setattr(sys, "argv", ["setup.py", "--name"])
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py", run_name="__main__")
    assert "the C++ solvers want g++ or clang++, so they are not built" in capsys.readouterr().err


@pytest.mark.skipif("EXACTDICE_NATIVE_CHECKS" not in os.environ, reason="a plain build")
def test_a_build_that_is_checked_is_the_one_that_runs():
    check = os.environ["EXACTDICE_NATIVE_CHECKS"]
    assert Path(native.solvers().__file__).is_relative_to(ROOT / "build" / f"checked-{check}")
