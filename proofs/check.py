#!/usr/bin/env python3
"""Check the certificates of exactdice with Python's standard library alone.

    python3 proofs/check.py [FILE ...]

Nothing of exactdice is imported. Each game is derived again from its rules, by a module of the
folder `derivations`, and every number of a certificate must be the one found there or, in a
witness, satisfy the equations it is a witness of. Where a claim goes beyond what can be listed, it
names the theorem (folder `theorems`) that covers the rest: its text is named by a hash, and its
computational steps are run. What is said is made again from the same modules and compared with
certificates and, if no FILE is named, with CLAIMS.md. Prints a line a certificate; exit status 1 on
any failure. FORMAT.md describes certificates.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import reading
import statements
from kinds import TABLE
from reading import MALFORMED, Rejected, canonical, need, parse, plain

REGISTER = reading.FOLDER.parents[1] / "CLAIMS.md"
KEYS = [
    "claim",
    "coq",
    "evidence",
    "format",
    "kind",
    "package",
    "parameters",
    "rests_on",
    "statement",
    "verdict",
]
FORMAT, PACKAGE = "exactdice certificate 3", r"exactdice [0-9]{1,4}(\.[0-9]{1,4}){1,3}"


def found_for(claim, evidence):
    """Return kind, verdict, evidence and parameters of a claim as they are found here."""
    of = TABLE[claim]
    need(of.derive, "an open claim")
    verdict, found, *parameters = of.derive(evidence) if of.asks_evidence else of.derive()
    return {
        "kind": of.kind,
        "verdict": verdict,
        "evidence": found,
        "parameters": parameters[0] if parameters else {},
    }


def check(raw):
    """Return the certificate, every part of it compared, or raise Rejected."""
    try:
        given = parse(raw)
        need(isinstance(given, dict) and sorted(given) == KEYS, f"the keys must be {KEYS}")
        claim, package = given["claim"], given["package"]
        need(given["format"] == FORMAT and re.fullmatch(PACKAGE, package), f"not {FORMAT!r}")
        need(claim in TABLE, "an unknown claim")
        need(canonical(given["coq"]) == canonical(statements.covered().get(claim)), "coq: another")
        found = found_for(claim, given["evidence"])
        found["rests_on"] = statements.foundations(claim)
        numbers = {**found["parameters"], **found["evidence"]}
        found["statement"] = statements.stated(claim, numbers)
    except MALFORMED as problem:
        raise Rejected(f"malformed: {problem!r:.99}") from None
    except statements.StepError as problem:
        raise Rejected(f"a step of a theorem fails: {problem}") from None
    for name, value in found.items():
        need(canonical(given[name]) == canonical(value), f"{name}: not what is found here")
    return given


def said_of(given):
    """The line that is printed for a certificate."""
    theorems = [*given["rests_on"]["theorems"]]
    resting = f", resting on {' and '.join(theorems)}" if theorems else ""
    return f"{given['verdict']}{resting}: {given['claim']} ({given['kind']})"


def register_of(claim, verdict, kind, statement):
    """Compare the row and the part of a claim in CLAIMS.md with those that are made here."""
    rows, lines = statements.in_register(REGISTER.read_text(encoding="utf-8"), claim)
    need(rows == [statements.row(claim, verdict, statement)], f"CLAIMS.md: another row: {claim}")
    need(
        lines == statements.section(claim, verdict, kind, statement),
        f"CLAIMS.md: another part: {claim}",
    )


def judge(paths, against_register):
    """Check certificates one by one, and return a line for each and how many failed."""
    lines, failures = [], 0
    for path in paths:
        try:
            given = check(plain(path))
            need(
                path.name == f"{given['claim']}.json",
                f"the file of {given['claim']} has another name",
            )
            if against_register:
                register_of(*(given[key] for key in ("claim", "verdict", "kind", "statement")))
            lines.append(said_of(given))
        except (*MALFORMED, Rejected) as problem:
            failures += 1  # what it says may be hostile
            lines.append("REJECTED: " + ascii(f"{path.name}: {problem}"[:200])[1:-1])
    return lines, failures


def in_parallel(paths):
    """Check every certificate, a process of this program for each module that derives some."""
    games = {}
    for path in paths:
        derive = TABLE[path.stem].derive if path.stem in TABLE else None
        place = "good-play" in path.name or getattr(derive, "__module__", "")
        games.setdefault(place, []).append(str(path))
    command = [
        sys.executable,
        *(["-I", "-S"] if sys.flags.isolated else []),
        __file__,
        "--register",
    ]
    running = [
        subprocess.Popen([*command, *of], stdout=subprocess.PIPE, encoding="ascii")  # noqa: S603
        for of in games.values()
    ]
    lines = []
    for process, of in zip(running, games.values(), strict=True):
        told = process.communicate()[0].splitlines()
        lines += (
            told if len(told) == len(of) else [f"REJECTED: {Path(x).name}: stopped" for x in of]
        )
    return lines, sum(line.startswith("REJECTED") for line in lines)


def versions(paths):
    """The versions that certificates name; what cannot be read is rejected elsewhere."""
    found = set()
    for path in paths:
        try:
            found.add(str(parse(plain(path))["package"]))
        except (*MALFORMED, Rejected):
            continue
    return found


def left_over(paths):
    """Yield what is wrong with the whole: claims without certificate, versions, open claims."""
    names = {path.stem for path in paths}
    for claim in sorted(TABLE):
        if not TABLE[claim].derive:
            try:
                register_of(claim, "open", "", statements.stated(claim, {}))
            except (*MALFORMED, Rejected) as problem:
                yield f"{problem}"
        elif claim not in names:
            yield f"{claim}: no certificate"
    said = re.findall(r"^### (.*?):", REGISTER.read_text(encoding="utf-8"), re.MULTILINE)
    if sorted(said) != sorted(TABLE):
        yield "CLAIMS.md: other claims"


def main(words):
    if {"-h", "--help"} & {*words}:
        return print(__doc__)
    paths = [Path(word) for word in words if word != "--register"]
    whole, paths = not paths, paths or sorted(reading.FOLDER.glob("*.json"))
    lines, failures = in_parallel(paths) if whole else judge(paths, "--register" in words)
    more = [*left_over(paths)] if whole else []
    if len(versions(paths)) > 1:
        more.append("the certificates are of several versions")
    for line in [*lines, *(f"REJECTED: {problem}" for problem in more)]:
        print(line)
    return failures + len(more) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
