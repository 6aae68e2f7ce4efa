"""Levels: a chain of steps resumes after the last kept one."""

import hashlib
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from exactdice import native
from exactdice import run as circumstances
from exactdice.errors import OutputError
from exactdice.storage.files import Levels

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def every_level_is_kept(monkeypatch):
    monkeypatch.setattr(circumstances, "SELDOM", 0)


run_levels = partial(
    circumstances.run_levels, write=lambda content: content, read=lambda kept: kept
)


def step(level, before):
    return hashlib.sha256(b"%d %s" % (level, before)).digest()


def test_a_run_resumes_after_its_last_kept_level(tmp_path):
    """The last level is that of a plain loop, however often the run is stopped."""
    expected = b"start"
    for level in range(30):
        expected = step(level, expected)
    computed = []

    def stopping(level, before):
        if len(computed) % 7 == 6:
            computed.append("stop")
            raise KeyboardInterrupt
        computed.append(level)
        return step(level, before)

    found = None
    while found is None:
        try:
            found = run_levels(Levels(tmp_path, "code"), "digests", 30, stopping, b"start")
        except KeyboardInterrupt:
            continue
    assert found == expected
    assert [level for level in computed if level != "stop"] == list(range(30))
    assert len(list(tmp_path.iterdir())) == 1
    assert run_levels(Levels(tmp_path, "code"), "digests", 30, stopping, b"start") == expected


@pytest.mark.parametrize(("count", "writing", "expected"), [
    (8, 0, []),  # done before the first two seconds
    (26, 0, [8, 17, 25]),  # more than two seconds of levels between
    (90, 160, [8, 41, 74, 89])  # more than eight seconds: fifty times 160 ms
])  # fmt: skip
def test_quick_levels_are_kept_seldom_and_the_last_one_only_after_others(
    tmp_path, monkeypatch, count, writing, expected
):
    """With a clock in milliseconds that advances 250 ms a level, and by writing."""
    now, kept = [0], []

    def taking(level, before):
        now[0] += 250
        return step(level, before)

    class Listening(Levels):
        def keep(self, name, content):
            kept.append(int(content.partition(b"\n")[0]))
            now[0] += writing
            super().keep(name, content)

    monkeypatch.setattr(circumstances, "SELDOM", 2)
    monkeypatch.setattr(circumstances.time, "monotonic_ns", lambda: now[0] * 10**6)
    run_levels(Listening(tmp_path, "code"), "quick", count, taking, b"start")
    assert kept == expected


def test_levels_of_another_name_or_code_are_others(tmp_path):
    def constant(code, name, content):
        return run_levels(Levels(tmp_path, code), name, 1, lambda level, before: content)

    assert constant("this code", "a", b"a") == b"a"
    assert constant("this code", "b", b"b") == b"b"
    assert constant("other code", "a", b"c") == b"c"
    assert constant("this code", "a", b"d") == b"a"


def test_a_damaged_level_is_noticed(tmp_path):
    run_levels(Levels(tmp_path, "code"), "a", 1, lambda level, before: b"content")
    (level,) = tmp_path.iterdir()
    level.write_bytes(level.read_bytes()[:-1])
    with pytest.raises(OutputError, match="is damaged; remove it"):
        run_levels(Levels(tmp_path, "code"), "a", 1, lambda level, before: b"content")


@pytest.mark.slow
@pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")
@pytest.mark.parametrize(
    ("kills", "rounds"), [(5, 22), pytest.param(50, 40, marks=pytest.mark.long)]
)
def test_an_optimum_resumes_from_its_levels_after_kills(tmp_path, kills, rounds):
    words = map(str, (HERE / "sweeps" / "level_kills.py", kills, tmp_path, 1, rounds))
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=os.environ | path
    )
    assert done.returncode == 0, done.stderr
    made, halves = map(int, done.stdout.split())
    assert made >= kills
    assert 0 < halves < made
