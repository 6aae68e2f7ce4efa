"""Builds the C++ solvers on install, where that is possible; everything else is in setup.cfg.

The extension is optional: without a compiler, or without pybind11, the package installs all the
same and works exactly; a C++ solver that is asked for then says in one line what is missing.

A wheel without the module is one of pure Python, for all platforms. Wheels and source distributions
are stamped with their origin (`exactdice/origin.py`), the module with the hash of its sources.

The environment variable EXACTDICE_NATIVE_CHECKS builds the module for its tests instead, with one
of the CHECKS below; `make native` does so.
"""

import os
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

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

# As in cpp/CMakeLists.txt: directed rounding honoured, nothing fused.
compiled = [*checked, "-frounding-math", "-ffp-contract=off", "-pthread"]
linked = [*(CHECKS[check] if check else []), "-pthread"]

# Whole numbers of 128 bits are not known to Microsoft's compiler.
if sys.platform == "win32" and "mingw" not in sysconfig.get_platform():
    print("warning: the C++ solvers want g++ or clang++, so they are not built", file=sys.stderr)
    Pybind11Extension = None

ORIGIN = runpy.run_path(str(Path("exactdice", "origin.py")))


#: Files to verify the claims of an installed package, copied to ``exactdice/share``.
SHARED = ("CLAIMS.md", "proofs/*.py", "proofs/*.md", "proofs/certificates/*")
SHARED += (
    "proofs/claims/*.toml",
    "proofs/coq/*.v",
    "proofs/coq/COVERS.json",
    "proofs/coq/_CoqProject",
)
SHARED += ("proofs/derivations/*.py", "proofs/theorems/**/*.md", "proofs/theorems/**/*.py")
SHARED += tuple(f"proofs/recomputed/*.{kind}" for kind in ("cpp", "py", "cert"))


class StampedPackage(build_py):
    """The package with its stamp and the proofs; an editable one is a checkout, which has them."""

    def run(self):
        """Copy the package and the proofs, and stamp them."""
        super().run()
        if not self.editable_mode:
            write_stamp(Path(self.build_lib))
            share = Path(self.build_lib, "exactdice", "share")
            for path in (path for pattern in SHARED for path in Path().glob(pattern)):
                self.mkpath(str((share / path).parent))
                self.copy_file(str(path), str(share / path))


class StampedSources(sdist):
    """The sources with their stamp."""

    def make_release_tree(self, base_dir, files):
        """Lay out the sources and stamp them."""
        super().make_release_tree(base_dir, files)
        write_stamp(Path(base_dir))


def write_stamp(folder):
    """Write what these sources are into a folder that holds the package."""
    stamp = folder / ORIGIN["STAMP"]
    stamp.unlink(missing_ok=True)  # it may be a link to that of the sources
    stamp.write_text(ORIGIN["stamp"](Path()), encoding="utf-8")


class WheelOfWhatWasBuilt(bdist_wheel):
    """A wheel that is tagged for one platform only if it holds the module."""

    def run(self):
        """Build, then see what kind of wheel that makes."""
        modules = [Path(path) for path in self.get_finalized_command("build_ext").get_outputs()]
        for module in modules:  # one of an earlier build must not stand in for this one
            module.unlink(missing_ok=True)
        self.run_command("build")
        if not any(module.exists() for module in modules):
            self.distribution.ext_modules = []
            self.root_is_pure = True
        super().run()


extensions = []
if Pybind11Extension is not None:
    ParallelCompile("NPY_NUM_BUILD_JOBS", default=2).install()
    cpp = Path("cpp")
    extensions = [
        Pybind11Extension(
            "exactdice.native._solvers",
            [str(cpp / "binding" / "module.cpp"), *sorted(map(str, (cpp / "src").glob("*.cpp")))],
            include_dirs=[str(cpp / "include"), str(cpp / "src")],
            depends=sorted(str(path) for path in cpp.rglob("*.[ch]pp")),
            define_macros=[("EXACTDICE_SOURCES", f'"{ORIGIN["built_from"](cpp)}"')],
            cxx_std=20,
            extra_compile_args=compiled,
            extra_link_args=linked,
            optional=not check,
        )
    ]

# A module built for its tests shares no file with one that is installed.
options = {"build": {"build_base": f"build/checks-{check}"}} if check else {}
setup(
    # gmpy2 has no types of its own: those that the package is checked with are installed beside it.
    packages=[*find_packages(include=["exactdice*"]), "gmpy2-stubs"],
    package_dir={"gmpy2-stubs": "stubs/gmpy2"},
    ext_modules=extensions,
    cmdclass={
        "build_py": StampedPackage,
        "sdist": StampedSources,
        "bdist_wheel": WheelOfWhatWasBuilt,
    },
    options=options,
)
