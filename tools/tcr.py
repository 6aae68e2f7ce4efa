"""test && commit || stash: on each save, commit if the tests pass, otherwise stash.

A habit from the Risk post's author ("Trying TCR", 11 September 2020), with one change: where the
original reverts, this stashes, so that nothing is ever lost (`git stash list`, `git stash pop`).
On each save the tests that the change affects are run (pytest-testmon knows which); if they pass,
everything is committed, else everything that is not committed goes into the stash.
"""

import subprocess
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

AFFECTED = (sys.executable, "-m", "pytest", "-q", "--testmon")

WARNING = (
    "tcr: now and on each save, all changes are committed if the tests pass, and moved to git stash"
    " if they fail (git stash pop brings them back)"
)

NO_TESTS_AFFECTED = 5  # pytest's exit status when nothing was selected


class Outcome(StrEnum):
    UNCHANGED = "nothing has changed"
    GREEN = "green: committed"
    RED = "red: stashed; `git stash pop` brings it back"


def git(root: Path, *arguments: str) -> str:
    finished = subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True
    )
    return finished.stdout


def step(root: Path, tests: Sequence[str] = AFFECTED) -> Outcome:
    """Run the tests once and commit or stash what has changed since the last commit."""
    changed = [line[3:] for line in git(root, "status", "--porcelain").splitlines()]
    if not changed:
        return Outcome.UNCHANGED
    status = subprocess.run(tests, cwd=root, check=False).returncode
    if status in (0, NO_TESTS_AFFECTED):
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", f"tcr: {', '.join(changed)}")
        return Outcome.GREEN
    git(root, "stash", "push", "--include-untracked", "--message", f"tcr: {', '.join(changed)}")
    return Outcome.RED


def main() -> None:
    from watchfiles import PythonFilter, watch

    root = Path(__file__).resolve().parents[1]
    print(WARNING, flush=True)
    print("running all tests once, to learn which of them each file affects", flush=True)
    subprocess.run(AFFECTED, cwd=root, check=False)
    print(step(root), flush=True)
    print(f"watching {root}; the interrupt key ends it", flush=True)
    for _ in watch(root, watch_filter=PythonFilter(), raise_interrupt=False):
        outcome = step(root)
        if outcome is not Outcome.UNCHANGED:
            print(outcome, flush=True)


if __name__ == "__main__":
    main()
