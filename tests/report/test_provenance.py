"""The commit in the provenance of an output."""

import subprocess

from exactdice.report import provenance


def test_the_commit_is_that_of_the_checkout_and_says_when_files_differ(tmp_path, monkeypatch):
    def git(*arguments):
        finished = subprocess.run(
            ["git", "-C", tmp_path, "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
            check=True,
            capture_output=True,
            text=True,
        )
        return finished.stdout.strip()

    (tmp_path / "exactdice").mkdir()
    module = tmp_path / "exactdice" / "m.py"
    module.write_text("1\n")
    monkeypatch.setattr(provenance, "_ROOT", tmp_path)
    provenance.commit.cache_clear()
    assert provenance.commit() == "unknown"
    git("init", "-q")
    provenance.commit.cache_clear()
    assert provenance.commit() == "unknown"  # a checkout without a commit
    git("add", "-A")
    git("commit", "-qm", "one")
    provenance.commit.cache_clear()
    assert provenance.commit() == git("rev-parse", "--short=10", "HEAD")
    module.write_text("2\n")
    provenance.commit.cache_clear()
    assert provenance.commit().endswith("+changes")
    monkeypatch.undo()
    provenance.commit.cache_clear()
