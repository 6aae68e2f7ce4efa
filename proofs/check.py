#!/usr/bin/env python3
"""Check the certificates of exactdice with only the standard library of Python 3.11 or later.

    python3 proofs/check.py [--programs] [FILE ...]

The program does not import exactdice. A module of the folder `derivations` derives each game again
from its rules. Every number of a certificate must equal the derived one; a witness must satisfy its
equations. If a claim covers infinitely many cases, it names a theorem of the folder `theorems`: the
certificate contains the hash of its text, and its computational steps are run. The sentences of the
folder `claims` contain a <name> for each number, which the derivation fills in. The resulting
sentences are compared with the certificates and with CLAIMS.md and DETAILS.md, except explanations. With FILE,
only the claims of these files are compared. Some certificates name programs of the folder
`recomputed`. With --programs these are compiled (by c++ or $CXX) and run, and must accept;
without it, the printed line says "if". Coq is not run: use `make coq`. Prints one line for each
certificate; exit status 1 on any failure. FORMAT.md describes certificates.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - and no line here needs more than 3.6 to be read
    sys.exit(f"check.py: needs Python 3.11 or later, and this is {sys.version.split()[0]}")
if __name__ == "__main__":  # run only the standard library and the sources in this folder
    sys.dont_write_bytecode = True
    sys.pycache_prefix = __file__  # not a folder, so compiled files are never read
    if not sys.flags.safe_path:
        del sys.path[0]  # this folder is appended last
    sys.path[:] = [path for path in sys.path if "-packages" not in path]

from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDERS = {"__pycache__", "certificates", "claims", "coq", "derivations"}
FOLDERS |= {"recomputed", "stepping", "theorems"}


def strangers():
    """Yield unknown files, which might be imported instead of the intended ones."""
    for folder in ("", "derivations", "theorems", "theorems/stepping"):
        for path in sorted((HERE / folder).iterdir()):
            is_source = path.is_file() and path.suffix in {".py", ".md"}
            is_known = is_source and path.stem not in sys.stdlib_module_names
            if not (is_known or path.name in FOLDERS or path.name.startswith(".")):
                yield path.relative_to(HERE)


for unknown in strangers():
    sys.exit(f"check.py: unknown file {unknown}: remove it, then run check.py again")
sys.path.append(str(HERE))

import atexit  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
from functools import cache  # noqa: E402

import incoq  # noqa: E402
import reading  # noqa: E402
import register  # noqa: E402
import statements  # noqa: E402
from kinds import TABLE  # noqa: E402
from reading import MALFORMED, Rejected, canonical, need, parse, plain  # noqa: E402

REGISTER = HERE.parent / "CLAIMS.md", HERE / "DETAILS.md"
OPTIONS = "--lines", "--programs"
KEYS = ["claim", "coq", "evidence", "format", "kind", "package"]
KEYS += ["parameters", "rests_on", "statement", "verdict"]
FORMAT, PACKAGE = "exactdice certificate 3", r"exactdice [0-9]{1,4}(\.[0-9]{1,4}){1,3}"
NO_REGISTER = f"REJECTED: {' or '.join(path.name for path in REGISTER)}: file not found"


def found_for(claim, evidence):
    """Return the derived kind, verdict, evidence and parameters of a claim, and its words."""
    of = TABLE[claim]
    need(of.derive, f"the claim is {register.unsettled(claim)}")
    verdict, found, *more = of.derive(evidence) if of.asks_evidence else of.derive()
    parameters, words = (*more, {}, {})[:2]
    parts = {"kind": of.kind, "verdict": verdict, "evidence": found, "parameters": parameters}
    return parts, words


def found_by(claim, given):
    """Return all derived parts of a certificate."""
    found, words = found_for(claim, given["evidence"])
    numbers = {**found["parameters"], **found["evidence"]}
    found["coq"] = incoq.covered(claim, TABLE[claim].coq)
    if found["coq"]:
        incoq.same_numbers(claim, numbers)
    found["rests_on"] = statements.foundations(claim)
    found["statement"] = statements.stated(claim, numbers, words)
    return found


def check(raw):
    """Return the certificate if every part equals the derived one; otherwise raise Rejected."""
    try:
        given = parse(raw)
        need(isinstance(given, dict) and sorted(given) == KEYS, f"the keys must be {KEYS}")
        claim, package = given["claim"], given["package"]
        is_known = given["format"] == FORMAT and re.fullmatch(PACKAGE, package)
        need(is_known, f"expected {FORMAT!r} and a version of exactdice")
        need(claim in TABLE, "unknown claim")
        found = found_by(claim, given)
    except MALFORMED as problem:
        raise Rejected(f"malformed: {problem!r:.99}") from None
    except statements.StepError as problem:
        raise Rejected(f"a step of a theorem fails: {problem}") from None
    for name, value in found.items():
        need(canonical(given[name]) == canonical(value), f"{name}: differs from the derivation")
    return given


@cache
def compiled(name):
    """Compile a program of the folder `recomputed`, and return its path."""
    source = HERE / "recomputed" / f"{name}.cpp"
    need(source in {*source.parent.glob("*.cpp")}, f"no program {name}")
    to = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, to)
    options = "-O2", "-std=c++17", "-frounding-math", "-pthread", "-o", f"{to}/{name}"
    subprocess.run([os.environ.get("CXX", "c++"), *options, str(source)], check=True)
    return f"{to}/{name}"


def programs_of(given, are_run):
    """Run the programs named in checked evidence; return a note for the printed line."""
    commands = given["evidence"].get("programs", ())
    for name, *words in map(str.split, commands if are_run else ()):
        done = subprocess.run([compiled(name), *words], stdout=subprocess.PIPE)
        need(done.returncode == 0, f"{name} rejects {' '.join(words)}")
    names = " and ".join(sorted({command.split()[0] for command in commands}))
    return names and f", {'as' if are_run else 'if'} {names} accepts"


def line_for(given, are_run):
    """Return the line to print for an accepted certificate."""
    theorems = [*given["rests_on"]["theorems"]]
    resting = f", resting on {' and '.join(theorems)}" if theorems else ""
    said = f"{given['verdict']}{programs_of(given, are_run)}{resting}"
    return f"{said}: {given['claim']} ({given['kind']})"


def is_registered():
    return all(path.is_file() for path in REGISTER)


def registered():
    return register.joined(*(plain(path).decode() for path in REGISTER))


def judge(path, are_run=False):
    """Check a certificate and its entry in the register; return the line to print."""
    try:
        given = check(plain(path))
        claim = given["claim"]
        need(path.name == f"{claim}.json", f"the file must be named {claim}.json")
        if is_registered():
            said = (given[key] for key in ("claim", "verdict", "statement", "coq", "kind"))
            register.compare(registered(), *said, given["evidence"].get("programs"))
        return line_for(given, are_run)
    except (*MALFORMED, Rejected) as problem:  # the text may contain control characters
        return "REJECTED: " + ascii(f"{path.name}: {problem}"[:200])[1:-1]


def in_parallel(paths, are_run=False):
    """Check every certificate; each module of derivations runs in its own process."""
    games = {}
    for path in paths:
        derive = TABLE[path.stem].derive if path.stem in TABLE else None
        place = "good-play" in path.name or getattr(derive, "__module__", "")
        games.setdefault(place, []).append(path)
    flags = ["-I", "-S"] if sys.flags.isolated else []
    command = [sys.executable, *flags, __file__, "--lines", *["--programs"] * are_run]
    running = [
        subprocess.Popen([*command, *of], stdout=subprocess.PIPE, encoding="ascii")
        for of in games.values()
    ]
    for process, of in zip(running, games.values(), strict=True):
        left = iter(of)
        with process:
            yield from (line.rstrip("\n") for line, _ in zip(process.stdout, left, strict=False))
        yield from (f"REJECTED: {path.name}: stopped" for path in left)


def versions(paths):
    """Return the versions named by the certificates; unreadable ones are rejected elsewhere."""
    found = set()
    for path in paths:
        try:
            found.add(str(parse(plain(path))["package"]))
        except (*MALFORMED, Rejected):
            continue
    return found


def register_problems(opened=()):
    """Yield errors in the register outside the claims that have a certificate."""
    try:
        for claim in opened if is_registered() else ():
            said = statements.stated(claim, {}, {})
            coq = incoq.covered(claim, TABLE[claim].coq)
            register.compare(registered(), claim, register.unsettled(claim), said, coq, "", ())
        if is_registered():
            register.compare_rest(registered())
    except (*MALFORMED, Rejected) as problem:
        yield ascii(f"{problem}"[:200])[1:-1]


def left_over(paths):
    """Yield claims without a certificate, and errors in the rest of the register."""
    names = {path.stem for path in paths}
    yield from (f"{x}: no certificate" for x in sorted(TABLE) if TABLE[x].derive and x not in names)
    yield from register_problems([claim for claim in TABLE if not TABLE[claim].derive])


def lines_of(words):
    """Yield the lines to print; --lines, for child processes, omits the checks across claims."""
    named, is_part = [Path(word) for word in words if word not in OPTIONS], "--lines" in words
    are_run = "--programs" in words
    paths = named or sorted(reading.FOLDER.glob("*.json"))
    if not is_part and not is_registered():
        yield NO_REGISTER
    yield from (judge(path, are_run) for path in paths) if named else in_parallel(paths, are_run)
    more = [*(register_problems() if named else left_over(paths))] if not is_part else []
    if not is_part and len(versions(paths)) > 1:
        more.append("the certificates name several versions of the package")
    yield from (f"REJECTED: {problem}" for problem in more)


def main(words):
    if {"-h", "--help"} & {*words}:
        return print(__doc__)
    failures = 0
    for line in lines_of(words):
        print(line, flush=True)
        failures += line.startswith("REJECTED")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
