"""Measurements: requested memory, allocations, output of programs and of LaTeX."""

import gc
import shutil
import subprocess
import sys
import tracemalloc

import pytest

from exactdice.run import Run

_HAS_BOOKTABS = (
    bool(shutil.which("pdflatex"))
    and not subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode
)
needs_pdflatex = pytest.mark.skipif(not _HAS_BOOKTABS, reason="no LaTeX with booktabs here")


def executed(program, *words, **more):
    """Run Python code in a new process; without code exactdice itself."""
    code = ["-c", program] if program else ["-m", "exactdice"]
    return subprocess.run([sys.executable, *code, *words], capture_output=True, text=True, **more)


def asking():
    asked = []

    class Asking(Run):
        def require(self, needed, what):
            asked.append((needed, what))

    return Asking(), asked


def allocated(work):
    gc.collect()
    tracemalloc.start()
    try:
        done = work()
        return tracemalloc.get_traced_memory()[1], done
    finally:
        tracemalloc.stop()


def set_by_pdflatex(body, folder):
    packages = r"\usepackage[utf8]{inputenc}\usepackage{array,booktabs,longtable}"
    page = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{body}\\end{{document}}\n"
    (folder / "t.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout
