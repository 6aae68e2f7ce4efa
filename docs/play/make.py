"""Build the static page that computes without a server, for `make site` and `make play`.

Pyodide's core is fetched from npm and the wheels from PyPI, once, into ``build/play``; the page
loads nothing from other hosts. Our wheel is pure Python, built from this checkout.
"""

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import asdict
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any
from urllib.parse import unquote

import addresses
import jinja2
import markupsafe
from answering import answer

from exactdice.cli.help import TOPICS
from exactdice.report.html import STYLE
from exactdice.rooms import classes, question
from exactdice.typed import EXAMPLES
from exactdice.web.forms import canonical, example_of, fields_of, path_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "play"

PYODIDE = "314.0.7"
LOCK = "pyodide-lock.json"  # lists packages that could be loaded from elsewhere
LIBRARY = "python_stdlib.zip"
PACKED = ("pyodide.asm.wasm", "pyodide.asm.mjs")  # 11 MB; static hosts may not compress them
WHEELS = ("click==8.5.1", "python-flint==0.9.0", "networkx==3.6.1")
#: Hashes of what is fetched; that of Pyodide agrees with the one that npm states.
SHA256 = {
    "pyodide-314.0.7.tgz": "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    "click-8.5.1-py3-none-any.whl":
        "8bb5376d2006950386f8c6427613334a2acadc5f559cb80e638d00b4df957e37",
    "networkx-3.6.1-py3-none-any.whl":
        "d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762",
    "python_flint-0.9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl":
        "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3",
}  # fmt: skip
#: Libraries that few questions import, with their wheels: half of all bytes.
LATER = {"flint": "python_flint", "networkx": "networkx"}
PLATFORM = ("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--abi=cp314")
PAGE = ("index.html", "frame.html", "play.css", "licences.txt")
PAGE += ("play.js", "asking.js", "here.js", "worker.js")

#: Rooms with questions that the page can answer.
OFFERED = ("dice", "risk", "reroll", "swe", "farkle", "fatestones", "book", "symbolic")
START = "12 v 8"  # the default question
PROGRAM = 'output [highest 3 of 4d6] named "best three of four"\noutput 3d6 named "three"\n'
#: Games of the book that take only seconds in a browser.
SMALL_GAMES = [f"book {name}" for name in ("craps", "snakes-and-ladders", "ur", "cant-stop")]
SMALL_GAMES += ["book shut-the-box", "book sic-bo", "book left-center-right", "book orchard"]
#: Files of our wheel that the page does not need.
LEFT_OUT = (
    "exactdice/share/",
    "_pyrepl/",
    "unittest/",
    "xmlrpc/",
    "xml/dom/",
    "xml/sax/",
    "pdb.py",
)
LEFT_OUT += (
    "doctest.py",
    "imaplib.py",
    "mailbox.py",
    "pydoc.py",
    "pydoc_data/",
    "wsgiref/",
    "_pyio.py",  # the next one too exists in C
    "_pydatetime.py",
    "asyncio/windows_events.py",
    "asyncio/proactor_events.py",
    "http/server.py",
    "smtplib.py",
    "ftplib.py",
)  # some of Python's library
LEFT_OUT += tuple(f"exactdice/web/{name}.py" for name in ("application", "asking", "serving"))
LEFT_OUT += ("exactdice/web/templates/", "exactdice/web/static/pages.js")
LEFT_OUT += ("exactdice/web/static/chart.js",)
NOT_OF_JINJA = ("constants", "ext", "meta", "nativetypes", "sandbox")
LONGEST = 130_000  # characters of a stored answer


def engine() -> tuple[Path, list[Path]]:
    """Fetch Pyodide's core and the wheels, unless they exist; return its folder and the wheels."""
    KEPT.mkdir(parents=True, exist_ok=True)
    archive = KEPT / f"pyodide-{PYODIDE}.tgz"
    if not archive.exists():
        npm = shutil.which("npm") or sys.exit(
            "make: npm is needed to fetch Pyodide; install Node.js"
        )
        subprocess.run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], cwd=KEPT, check=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(KEPT)]
    for wheel in WHEELS:
        name = wheel.partition("==")[0].replace("-", "_")
        if not list(KEPT.glob(f"{name}-*.whl")):
            subprocess.run([*pip, "--only-binary", ":all:", *PLATFORM, wheel], check=True)
    wheels = sorted(KEPT.glob("[!e]*.whl"))
    for path in (archive, *wheels):
        if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256.get(path.name):
            sys.exit(f"make: {path} has another hash than in docs/play/make.py; remove it")
    with tarfile.open(archive) as packed:
        packed.extractall(KEPT, filter="data")
    return KEPT / "package", wheels


def our_wheel() -> Path:
    """Build our wheel without the C++ solvers, which do not run in browsers."""
    for old in KEPT.glob("exactdice-*.whl"):
        old.unlink()
    words = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(KEPT)]
    without_compiler = os.environ | {"CXX": "false", "CC": "false"}
    source = KEPT / "source"
    shutil.rmtree(source, ignore_errors=True)
    left_out = ["*.so", "__pycache__", "build", ".venv", ".git", "*.egg-info"]
    left_out += ["recomputed", "derivations", "stepping"]  # programs for readers of proofs
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*left_out))
    subprocess.run(
        [sys.executable, "-m", "pip", *words, str(source)], check=True, env=without_compiler
    )
    return next(KEPT.glob("exactdice-*.whl"))


@cache
def answered(words: str) -> str:
    """Return the answer of the page."""
    return answer(words, lambda *_: None)


def kinds() -> list[dict[str, Any]]:
    """Describe the questions that the page offers, for its forms."""
    return [
        {
            "path": path_of(asked),
            "command": asked.command,
            "example": asked.example,
            "help": asked.summary(),
            "fields": [
                asdict(field)
                for field in fields_of(asked, {n: [v] for n, v in example_of(asked).items()})
            ],
        }
        for room in OFFERED
        for asked in classes(room)
        if not question(asked.example).is_interactive
        if "missing" not in json.loads(answered(asked.example))
    ]


def make(output: Path) -> None:
    """Write the page into a new folder."""
    core, wheels = engine()
    shutil.rmtree(output, ignore_errors=True)
    (output / "answers").mkdir(parents=True)
    (output / "engine").mkdir()
    for name in PAGE:
        shutil.copy(HERE / name, output)
    allow_script_of_frame(output)
    static = ROOT / "exactdice" / "web" / "static"  # the server's own
    for name in ("chart.js", *(f"die-{face}.svg" for face in range(1, 7))):
        shutil.copy(static / name, output)
    (output / "pages.css").write_text(STYLE + (static / "pages.css").read_text())
    shutil.copy(core / "pyodide.mjs", output / "engine")
    nothing = json.loads((core / LOCK).read_text()) | {"packages": {}}
    (output / "engine" / LOCK).write_text(json.dumps(nothing))
    for name in PACKED:
        content = gzip.compress((core / name).read_bytes(), mtime=0)
        (output / "engine" / f"{name}.packed").write_bytes(content)
    with zipfile.ZipFile(output / "engine" / LIBRARY, "w", zipfile.ZIP_DEFLATED) as library:
        put_into(library, core / LIBRARY)
    later = {library: next(one for one in wheels if one.name.startswith(name))
             for library, name in LATER.items()}  # fmt: skip
    for wheel in later.values():
        shutil.copy(wheel, output)
    with zipfile.ZipFile(output / "exactdice.zip", "w", zipfile.ZIP_DEFLATED) as ours:
        for path in (*HERE.glob("a*.py"), ROOT / "proofs" / "certificate_check.py"):
            ours.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        addresses.compiled(KEPT / "compiled")
        for path in sorted((KEPT / "compiled").glob("*.py")):
            name = f"compiled/{path.name}"
            ours.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for wheel in {our_wheel(), *wheels} - {*later.values()}:
            put_into(ours, wheel)
        for module in (jinja2, markupsafe):  # of this environment; without markupsafe's C
            files = sorted(Path(module.__file__).parent.glob("*.py"))
            for path in (path for path in files if path.stem not in NOT_OF_JINJA):
                name = f"{module.__name__}/{path.name}"
                ours.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    words = ["node", HERE / "compile.mjs", core, output, START, "risk win 4 2", "output d6"]
    subprocess.run([*words, *EXAMPLES[:2]], check=True)
    offered = kinds()
    program = canonical(question({"question": "anydice", "program": PROGRAM}))
    written = re.findall(r'<a href="#([^"]+)">', (HERE / "index.html").read_text())
    shown = [START, *map(unquote, written), *EXAMPLES]  # the links of the page, as they are written
    asked = dict.fromkeys([*shown, program, *SMALL_GAMES, *(kind["example"] for kind in offered)])
    known = [words for words in asked if len(answered(words)) < LONGEST]
    own = dedent(re.search(r"^  \"\"\".*^  game = .*?$", TOPICS["game"][1], re.M | re.S)[0])
    start = {"kinds": offered, "own": f"{own}\n", "program": PROGRAM}
    (output / "questions.json").write_text(json.dumps(start))
    stored = json.dumps({"known": known, "first": json.loads(answered(START))})
    page = (output / "index.html").read_text().replace("STORED", stored.replace("</", "<\\/"))
    (output / "index.html").write_text(page)
    for number, words in enumerate(known):
        (output / "answers" / f"{number}.json").write_text(answered(words))
    version = hashlib.sha256()
    files = [path.relative_to(output).as_posix() for path in sorted(output.rglob("*.*"))]
    for name in files:
        version.update(name.encode() + (output / name).read_bytes())
    edition = version.hexdigest()[:16]
    parts = {"version": edition, "later": {name: one.name for name, one in later.items()}}
    (output / "parts.json").write_text(json.dumps(parts))
    worker = (HERE / "offline.js").read_text().replace("VERSION", edition)
    hashes = {name: hashlib.sha256((output / name).read_bytes()).hexdigest()
              for name in ("parts.json", *files)}  # fmt: skip
    (output / "offline.js").write_text(worker.replace("FILES", json.dumps(hashes)))
    put_into_manual(output)


def allow_script_of_frame(output: Path) -> None:
    """Allow the script of the frame, by its hash, in its policy and in that of the page."""
    script = re.search(r"<script>(.*)</script>", (output / "frame.html").read_text(), re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    for path in (output / "frame.html", output / "index.html"):
        path.write_text(path.read_text().replace("sha256-FRAME", f"sha256-{digest}"))


def put_into(ours: zipfile.ZipFile, wheel: Path) -> None:
    """Put the modules and data of a wheel into our archive."""
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if not (".data/" in name or name.endswith("/RECORD") or name.startswith(LEFT_OUT)):
                ours.writestr(zipfile.ZipInfo(name), packed.read(name), zipfile.ZIP_DEFLATED)


def put_into_manual(play: Path) -> None:
    """Add buttons to the examples of the manual, which run them there."""
    for path in play.parent.rglob("*.html"):
        text, home = path.read_text(), os.path.relpath(play, path.parent)
        script = f'<script type="module" src="{home}/here.js"></script>'
        is_run = "data-run=" in text or 'class="cell_input' in text
        if is_run and script not in text:
            path.write_text(text.replace("</body>", f"{script}\n</body>"))


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve())
