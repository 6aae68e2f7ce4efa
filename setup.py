"""Builds the C++ solvers on install, where that is possible; everything else is in setup.cfg.

The extension is optional: without a compiler, or without pybind11, the package installs all the
same and works exactly; a C++ solver that is asked for then says in one line what is missing.

The environment variable EXACTDICE_NATIVE_CHECKS builds the module for its tests instead, with one
of the CHECKS below; `make native` does so.
"""

import os
import sys
from pathlib import Path

from setuptools import setup

try:
    from pybind11.setup_helpers import ParallelCompile, Pybind11Extension
except ImportError:
    print("warning: pybind11 is missing, so the C++ solvers are not built", file=sys.stderr)
    Pybind11Extension = None

# What the compiler is told, by what is checked: that the interpreter is held wherever a count of
# references changes; memory; threads.
CHECKS = {
    "gil": ["-DPYBIND11_ASSERT_GIL_HELD_INCREF_DECREF"],
    "asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "tsan": ["-fsanitize=thread"],
}
check = os.environ.get("EXACTDICE_NATIVE_CHECKS")
if check and check not in CHECKS:
    sys.exit(f"error: EXACTDICE_NATIVE_CHECKS: {check!r}; give one of {', '.join(CHECKS)}")
checked = [*CHECKS[check], "-O1", "-g", "-fno-omit-frame-pointer"] if check else ["-O3", "-g0"]

extensions = []
if Pybind11Extension is not None:
    ParallelCompile("NPY_NUM_BUILD_JOBS", default=2).install()
    cpp = Path("cpp")
    extensions = [
        Pybind11Extension(
            "exactdice.native._solvers",
            sorted(str(path) for part in ("src", "binding") for path in (cpp / part).glob("*.cpp")),
            include_dirs=[str(cpp / "include"), str(cpp / "src")],
            depends=sorted(str(path) for path in cpp.rglob("*.hpp")),
            cxx_std=20,
            # As in cpp/CMakeLists.txt: directed rounding honoured, nothing fused.
            extra_compile_args=[*checked, "-frounding-math", "-ffp-contract=off", "-pthread"],
            extra_link_args=[*(CHECKS[check] if check else []), "-pthread"],
            optional=not check,
        )
    ]

# A module built for its tests shares no file with one that is installed.
options = {"build": {"build_base": f"build/checks-{check}"}} if check else {}
setup(ext_modules=extensions, options=options)
