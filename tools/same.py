"""Compare the output of two checkouts byte for byte, to verify that a refactoring changes nothing.

    python tools/same.py OLD NEW            examples of questions, certificates, papers, CLAIMS.md
    python tools/same.py OLD NEW --tables   also the exact tables (two minutes a checkout)

Each checkout answers with its own ``.venv``. Version and commit are removed from answers. Files
that differ, or are in only one checkout, are listed with the first different line; then the exit
status is 1.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

#: Files that are compared directly.
KEPT = ("CLAIMS.md", "proofs/DETAILS.md", "papers/generated", "proofs/certificates")

ANSWER = """
import re, sys
from pathlib import Path
from exactdice.errors import ExactDiceError
from exactdice.report.writers import Format, render
from exactdice.rooms import ROOMS, ask, classes
for room in ROOMS:
    for question in classes(room):
        if question.command in ("verify", "project crosscheck") or question.has_files:
            continue
        try:
            report = ask(question.example)
        except ExactDiceError as problem:  # nobody is there to play, or a file is
            print(f"{question.command}: {problem}", file=sys.stderr)
            continue
        for form in (Format.JSON, Format.TEXT):
            text = re.sub(r"commit [0-9a-f]+(\\+changes)?", "commit", render(report, form))
            path = Path(sys.argv[1], f"{question.command}.{form}".replace(" ", "-"))
            path.write_text(text, encoding="utf-8")
"""


def answers(checkout: Path, folder: Path, *, tables: bool) -> None:
    """Write the answers of a checkout into a folder, with the files of its examples."""
    python = checkout / ".venv" / "bin" / "python"
    (folder / "examples").mkdir()
    here = {"cwd": folder, "check": True, "env": os.environ | {"PYTHONPATH": str(checkout)}}
    subprocess.run(
        [python, "-c", ANSWER, folder / "examples"],
        **here,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    if tables:
        words = ["project", "tables", "--output", folder / "tables"]
        subprocess.run([python, "-m", "exactdice", *words], **here, stdout=subprocess.DEVNULL)
    for kept in KEPT:
        (folder / kept).parent.mkdir(parents=True, exist_ok=True)
        (folder / kept).symlink_to(checkout / kept)


def files_in(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder, without lines that name a commit."""
    return {
        str(Path(parent, name).relative_to(folder)): b"\n".join(
            line for line in Path(parent, name).read_bytes().split(b"\n") if b"producer" not in line
        )
        for parent, _, names in os.walk(folder, followlinks=True)
        for name in names
        if name != "MANIFEST.json"
    }


def differences(old: dict[str, bytes], new: dict[str, bytes]) -> Iterator[str]:
    """Name each file that differs, with its first different line, and files in only one folder."""
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            yield f"{name}: only in the {'old' if name in old else 'new'} one"
        elif old[name] != new[name]:
            lines = zip_longest(old[name].split(b"\n"), new[name].split(b"\n"), fillvalue=b"")
            before, after = next((a, b) for a, b in lines if a != b)
            yield f"{name}:\n  - {before.decode()[:200]}\n  + {after.decode()[:200]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare what two checkouts say.")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--tables", action="store_true", help="the tables of the main job too")
    asked = parser.parse_args()
    said = []
    for checkout in (asked.old, asked.new):
        with tempfile.TemporaryDirectory() as folder:
            answers(checkout.resolve(), Path(folder), tables=asked.tables)
            said.append(files_in(Path(folder)))
    other = list(differences(*said))
    print("\n".join(other) or f"{len(said[0])} files, all the same")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
