"""The checker as a module, and its certificates; for the tests of this folder alone."""

import importlib.util
import json
import sys
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


def documents():
    """Every certificate by its claim."""
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))}
