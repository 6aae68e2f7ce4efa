"""What building the package says."""

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_build_without_pybind11_says_that_it_leaves_the_solvers_out(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pybind11.setup_helpers", None)
    monkeypatch.setattr(sys, "argv", ["setup.py", "--name"])
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py", run_name="__main__")
    captured = capsys.readouterr()
    assert "exactdice" in captured.out
    assert "pybind11 is missing, so the C++ solvers are not built" in captured.err
