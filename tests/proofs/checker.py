"""The checker as a module, and its certificates; for the tests of this folder alone."""

import copy
import importlib.util
import json
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "proofs" / "certificates"


def _load():
    spec = importlib.util.spec_from_file_location("check", ROOT / "proofs" / "check.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["check"] = module
    spec.loader.exec_module(module)
    return module


check = sys.modules.get("check") or _load()

# What the checker derives without being told is the evidence of the certificates, as the test that
# it accepts them all says. So other tests take it from there instead of deriving it once more.
TOLD = {name for name, of in check.TABLE.items() if of.derive and not of.asks_evidence}


@cache
def true_parts(claim):
    given = json.loads((FOLDER / f"{claim}.json").read_bytes())
    return {key: given[key] for key in ("kind", "verdict", "evidence", "parameters")}


def without_deriving(monkeypatch):
    """Let the checker look up what it would derive, but for witnesses, which it still judges."""
    found_for, stated = check.found_for, check.statements.stated

    def look_up(claim, given):
        return (dict(true_parts(claim)), None) if claim in TOLD else found_for(claim, given)

    def said(claim, numbers, words):
        known = _documents().get(claim)
        return (
            dict(known["statement"]) if known and words is None else stated(claim, numbers, words)
        )

    monkeypatch.setattr(check.statements, "step", lambda _: None)
    monkeypatch.setattr(check, "found_for", look_up)
    monkeypatch.setattr(check.statements, "stated", said)


@cache
def _documents():
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))}


def documents():
    """Every certificate by its claim."""
    return copy.deepcopy(_documents())


def document_of(claim):
    """One certificate."""
    return copy.deepcopy(_documents()[claim])
