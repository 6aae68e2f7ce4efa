"""The checker as a module, and its certificates, for the tests in this folder."""

import copy
import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "proofs" / "certificates"


def load(path):
    """Import a file that is in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


check = sys.modules.get("check") or load(ROOT / "proofs" / "check.py")

PATHS = sorted(FOLDER.glob("*.json"))
# One test runs check.py, which accepts all certificates. So the other tests look up the result of a
# derivation, if it reads no witness or the true one, instead of deriving it again.
WITHOUT_WITNESS = {name for name, of in check.TABLE.items() if of.derive and not of.asks_evidence}


def run(*words, python=sys.executable, **more):
    """Run a program without installed packages; return exit status, output and error output."""
    command = [python, *map(str, words)]
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", **more)
    return done.returncode, done.stdout, done.stderr


def raw(document):
    return check.canonical(document).encode()


def is_rejected(document):
    try:
        check.check(raw(document))
    except check.Rejected:
        return True
    return False


@cache
def true_parts(claim):
    return {key: _documents()[claim][key] for key in ("kind", "verdict", "evidence", "parameters")}


FOUND_FOR = check.found_for


def without_deriving(monkeypatch):
    """Let the checker look up derived evidence; changed witnesses are still checked."""
    stated = check.statements.stated

    def look_up(claim, given):
        is_true = claim in _documents() and check.canonical(given) == _true_text(claim)
        if is_true or claim in WITHOUT_WITNESS:
            return dict(true_parts(claim)), None
        return FOUND_FOR(claim, given)

    def known(claim, numbers, words):
        is_known = claim in _documents() and words is None
        return dict(_documents()[claim]["statement"]) if is_known else stated(claim, numbers, words)

    monkeypatch.setattr(check.statements, "step", lambda _: None)
    monkeypatch.setattr(check, "found_for", look_up)
    monkeypatch.setattr(check.statements, "stated", known)


@cache
def _true_text(claim):
    return check.canonical(_documents()[claim]["evidence"])


@cache
def _documents():
    return {path.stem: json.loads(path.read_bytes()) for path in PATHS}


def documents():
    """Every certificate by its claim."""
    return copy.deepcopy(_documents())


def document_of(claim):
    return copy.deepcopy(_documents()[claim])
