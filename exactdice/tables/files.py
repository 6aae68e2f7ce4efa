"""Files that are whole or absent: written under a temporary name, then renamed.

A folder of outputs carries a manifest, the list of the files in it that this package wrote with
the SHA-256 of each. A file that the manifest does not list, or that was changed since, belongs to
somebody: the folder is then left as it is. The manifest is written before the files, so a run
that was killed leaves a folder that the next run recognises as its own.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from exactdice.errors import OutputError

__all__ = ["MANIFEST", "OutputFolder", "append", "check_writable", "write_whole"]

#: Name of the list of written files in an output folder.
MANIFEST = "MANIFEST.json"

_PENDING = "pending"  # in place of a hash: the file is about to be written


def check_writable(path: Path) -> None:
    """Raise OutputError unless a file of that name can be written.

    Called before long work starts, so that a mistyped folder costs no time.
    """
    if path.is_dir():
        raise OutputError(f"output: {path} is a folder; give the name of a file")
    if path.exists() and not path.is_file():
        raise OutputError(
            f"output: {path} is no plain file; name one, or leave --output out and redirect"
        )
    path = _target(path)
    if not path.parent.is_dir():
        raise OutputError(f"output: there is no folder {path.parent}; make it, or name another")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"output: the folder {path.parent} is not writable; name another")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader never sees part of it."""
    check_writable(path)
    path = _target(path)
    temporary = None
    try:
        handle, name = tempfile.mkstemp(prefix=".exactdice-", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(_bytes(content))
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except OSError as problem:
        raise OutputError(f"output: {path} cannot be written: {problem.strerror}") from problem
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def append(path: Path, content: str) -> None:
    """Add lines to the end of a file in one piece, so that several programs may add to it."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        with os.fdopen(handle, "ab", buffering=0) as stream:
            stream.write(content.encode())
            os.fsync(stream.fileno())
    except OSError as problem:
        raise OutputError(f"output: {path} cannot be written: {problem.strerror}") from problem


def _target(path: Path) -> Path:
    """Return the file that a link leads to, so that the link stays what it is."""
    return path.resolve() if path.is_symlink() else path


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class OutputFolder:
    """A folder that holds only what this package wrote.

    Parameters
    ----------
    folder
        Made where it does not exist. One that exists is accepted if it is empty or if every file
        in it is listed, unchanged, in its manifest.

    Raises
    ------
    OutputError
        If the folder holds other files or changed ones; nothing has been written then.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"output: {folder} is a file; name a folder")
        self._written = self._recorded()
        foreign = sorted(self._foreign())
        if foreign:
            more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
            raise OutputError(
                f"output: {folder} holds {foreign[0]}{more}, not written by exactdice or "
                "changed since; move it away or name another folder"
            )

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files, given by their names relative to the folder, and list them."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in files:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise OutputError(
                f"output: {self.folder} cannot be made: {problem.strerror}"
            ) from problem
        self._record(self._written | dict.fromkeys(files, _PENDING))
        for name, content in files.items():
            write_whole(self.folder / name, content)
            self._written[name] = hashlib.sha256(_bytes(content)).hexdigest()
        self._record(self._written)

    def keep_only(self, names: Container[str]) -> None:
        """Remove the files of earlier runs that do not have these names."""
        stale = [name for name in self._written if name not in names]
        for name in stale:
            (self.folder / name).unlink(missing_ok=True)
            del self._written[name]
        if stale:
            self._record(self._written)

    def _recorded(self) -> dict[str, str]:
        path = self.folder / MANIFEST
        if not path.exists():
            return {}
        try:
            files = json.loads(path.read_text(encoding="utf-8"))["files"]
            return {str(name): str(digest) for name, digest in files.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
            raise OutputError(
                f"output: {path} is no manifest of exactdice; move it away or name another folder"
            ) from problem

    def _record(self, files: Mapping[str, str]) -> None:
        content = {"format": "exactdice output folder 1", "files": dict(sorted(files.items()))}
        write_whole(self.folder / MANIFEST, json.dumps(content, indent=1) + "\n")

    def _foreign(self) -> Iterator[str]:
        if not self.folder.exists():
            return
        for path in self.folder.rglob("*"):
            name = path.relative_to(self.folder).as_posix()
            if path.is_dir() or name == MANIFEST or path.name.startswith(".exactdice-"):
                continue
            recorded = self._written.get(name)
            if recorded is None or (recorded != _PENDING and recorded != _sha256(path)):
                yield name
