"""Output to streams with fewer characters than UTF-8."""

import html
import json
import os
import subprocess
import sys

import pytest

LINES = ["risk win 4 2", "symbolic ehrhart 1,2", "symbolic risk-round 2 1"]
PROGRAM = "import sys; from exactdice.cli import main; sys.exit(max(map(main, {})))"


def printed(lines, **environment):
    program = PROGRAM.format([line.split() for line in lines])
    command, environment = [sys.executable, "-c", program], os.environ | environment
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_missing_characters_are_replaced(encoding):
    written = printed(LINES, PYTHONIOENCODING=encoding).decode(encoding)
    assert written.count("# command: exactdice ") == len(LINES)
    sign = "≈" if encoding == "utf-8" else "~"
    assert f"{sign} 0.6559539998" in written  # what the Risk post prints, by long division


def test_a_c_locale_is_supported():
    written = printed(LINES[1:2], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert b"Lattice points x >= 0 with sum w*x <= n" in written


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read"), [("json", json.loads), ("html", html.unescape)])
def test_json_and_html_keep_their_data_in_a_locale_of_ascii(name, read):
    r"""Each has its own escapes for missing characters: \u2026 and &#8230;."""
    reduced, full = (
        printed([f"claims --format {name}"], PYTHONIOENCODING=encoding).decode(encoding)
        for encoding in ("ascii", "utf-8")
    )
    assert not full.isascii()
    assert read(reduced) == read(full)
