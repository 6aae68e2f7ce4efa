"""Builds the C++ solvers on install, where that is possible; everything else is in setup.cfg.

The extension is optional: without a compiler, or without pybind11, the package installs all the
same and works exactly; a C++ solver that is asked for then says in one line what is missing.
"""

import sys
from pathlib import Path

from setuptools import setup

try:
    from pybind11.setup_helpers import ParallelCompile, Pybind11Extension
except ImportError:
    print("warning: pybind11 is missing, so the C++ solvers are not built", file=sys.stderr)
    extensions = []
else:
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
            extra_compile_args=["-O3", "-g0", "-frounding-math", "-ffp-contract=off", "-pthread"],
            extra_link_args=["-pthread"],
            optional=True,
        )
    ]

setup(ext_modules=extensions)
