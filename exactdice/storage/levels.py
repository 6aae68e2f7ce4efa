"""Levels: bytes by name, of one code, in a folder; for computations that go on after a kill.

Each lies in a file of its own, named by the SHA-256 of the code and the name, which is written
whole or not at all and begins with the SHA-256 of what follows. See `exactdice.run`. The code is
named by its version and a hash of every file of the package, for files that differ from a commit
give other numbers under the same name.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from exactdice import __version__
from exactdice.errors import OutputError
from exactdice.storage.files import shown, telling, write_whole

_PACKAGE = Path(__file__).resolve().parents[1]


def source_identity(package: Path = _PACKAGE) -> str:
    """Name the code of the package: its version and the SHA-256 of all its files.

    >>> source_identity().split(" ")[0], source_identity(Path("/no/such/folder"))
    ('0.1.0', '')

    Some 20 ms for some 200 files.
    """
    total = hashlib.sha256()
    try:
        files = sorted(
            path
            for path in package.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        )
        for path in files:
            name = path.relative_to(package).as_posix().encode(errors="surrogateescape")
            total.update(b"%d %s %s\n" % (len(name), name, _sha256(path).encode()))
    except OSError:  # then nothing can be said, and nothing counts as current
        return ""
    return f"{__version__} sources {total.hexdigest()}" if files else ""


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class Levels:
    """Keeps levels in a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     Levels(Path(home), "this code").keep("first", b"content")
    ...     Levels(Path(home), "this code").kept("first")
    ...     Levels(Path(home), "other code").kept("first") is None
    b'content'
    True
    """

    folder: Path  # made with the first level
    made_by: str  # the code whose levels are meant

    def keep(self, name: str, content: bytes) -> None:
        """Keep the content of a level, whole or not at all.

        Raises OutputError if it cannot be written.
        """
        with telling(self.folder, "made"):
            self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(content).hexdigest()
        write_whole(self._path(name), f"{digest}\n".encode() + content)

    def kept(self, name: str) -> bytes | None:
        """Return the content of a level; None where it is not kept.

        Raises OutputError if it was damaged.
        """
        path = self._path(name)
        with telling(path, "read"):
            try:
                written = path.read_bytes()
            except FileNotFoundError:
                return None
        digest, _, content = written.partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            raise OutputError(f"store: {shown(path)} is damaged; remove it")
        return content

    def forget(self, name: str) -> None:
        """Remove a level that is not needed any more."""
        path = self._path(name)
        with telling(path, "removed"):
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        key = hashlib.sha256(f"{self.made_by}\n{name}".encode()).hexdigest()
        return self.folder / f"{key}.level"
