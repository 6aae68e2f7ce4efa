"""Output to streams with fewer characters than UTF-8."""

import html
import json
import os
import subprocess
import sys

import pytest

LINES = ["risk win 4 2", "symbolic ehrhart 1,2", "symbolic risk-round 2 1"]
ALL_LINES = "import sys; from exactdice.cli import main; sys.exit(max(map(main, {words})))"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_character_is_written_somehow(encoding):
    finished = subprocess.run(
        [sys.executable, "-c", ALL_LINES.format(words=[line.split() for line in LINES])],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, b"")
    written = finished.stdout.decode(encoding)
    assert written.count("# command: exactdice ") == len(LINES)
    sign = "≈" if encoding == "utf-8" else "~"
    assert f"{sign} 0.6559539998" in written  # what the Risk post prints, by long division


def test_a_c_locale_is_served_too():
    finished = subprocess.run(
        [sys.executable, "-m", "exactdice", "symbolic", "ehrhart", "1,2"],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, b"")
    assert b"Lattice points x >= 0 with sum w*x <= n" in finished.stdout


@pytest.mark.slow
def test_json_and_html_keep_their_data_in_a_locale_of_ascii():
    r"""Each has its own escapes for missing characters: \\u2026 and &#8230;."""
    written = {}
    for encoding in ("ascii", "utf-8"):
        words = ["exactdice", "claims", "--format"]
        for name in ("json", "html"):
            written[name, encoding] = subprocess.run(
                [sys.executable, "-m", *words, name],
                env={**os.environ, "PYTHONIOENCODING": encoding},
                capture_output=True,
                check=True,
            ).stdout.decode(encoding)
    assert not written["json", "utf-8"].isascii()
    assert json.loads(written["json", "ascii"]) == json.loads(written["json", "utf-8"])
    assert not written["html", "utf-8"].isascii()
    assert html.unescape(written["html", "ascii"]) == html.unescape(written["html", "utf-8"])
