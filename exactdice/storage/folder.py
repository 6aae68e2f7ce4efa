"""A folder of outputs: it holds what this package wrote, and a list of it.

The list, ``MANIFEST.json``, gives for each file its SHA-256 and, where the writer said so, what it
was made by. A file that is not listed, or that was changed since, belongs to somebody: the folder
is then refused, and left as it is. So are links, and lists with names that lead out of the folder.
Before a file is written, the list states both hashes that it may have until that is done; a run
that was killed thus leaves a folder that the next run recognises as its own.

All reading and writing happens under a lock (``flock`` on ``.exactdice-lock`` in the folder, which
stays there), and the list is read again each time, so several programs may write into one folder.
Files are reached from the folder part by part without following a link, so that no link that is
put there meanwhile can lead a write or a removal elsewhere.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactdice.errors import OutputError
from exactdice.posix import fcntl
from exactdice.storage.files import encoded, mode_at, replace_at, shown, sweep, sync_folder, telling

#: Name of the list of written files in an output folder.
MANIFEST = "MANIFEST.json"

#: Name of the file that is locked while an output folder is read or written.
LOCK = ".exactdice-lock"

_FORMAT = "exactdice output folder 1"
_OURS = ".exactdice-"  # lock and parts begin so
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass
class _Manifest:
    """The list: hash and maker by name, and which hashes a file may have that was being written."""

    files: dict[str, str] = field(default_factory=dict)
    made_by: dict[str, str] = field(default_factory=dict)
    pending: dict[str, list[str]] = field(default_factory=dict)

    def knows(self, name: str, digest: str | None) -> bool:
        """Whether a file of that name and hash was written by this package."""
        if name in self.pending:
            return digest in self.pending[name]
        return digest is not None and digest == self.files.get(name)

    def names(self) -> list[str]:
        """All names, those of files that were being written included."""
        return sorted({*self.files, *self.pending})

    def forget(self, name: str) -> None:
        """Take a name off the list."""
        for listed in (self.files, self.made_by, self.pending):
            listed.pop(name, None)

    def text(self) -> str:
        """Write the list as JSON."""
        content: dict[str, Any] = {"format": _FORMAT, "files": dict(sorted(self.files.items()))}
        for key in ("made_by", "pending"):
            if getattr(self, key):
                content[key] = dict(sorted(getattr(self, key).items()))
        return json.dumps(content, indent=1) + "\n"


class OutputFolder:
    """A folder that holds only what this package wrote.

    Raises OutputError if the folder holds other files, changed ones or links, or its manifest
    cannot be read or lists names that lead out of the folder; nothing has been written then.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     folder = OutputFolder(Path(home) / "out")
    ...     folder.write({"risk/a.txt": "1/2"}, made_by="risk win 2 1, version 1")
    ...     [folder.current(f"risk win 2 1, version {n}") for n in (1, 2)]
    [['risk/a.txt'], []]

    Every file in the folder is read once, for its hash.

    `folder`: made by the first write where it does not exist. One that exists is accepted if it is
    empty or if every file in it is listed, unchanged, in its manifest.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with telling(folder):
            if folder.exists() and not folder.is_dir():
                raise OutputError(f"output: {shown(folder)} is a file; name a folder")
            if not folder.exists():
                return
        self._refuse_before_locking()
        with self._locked() as root:
            strangers = list(self._strangers(root, self._read(root)))
            self._refuse(strangers)
            for *_, opened in os.fwalk(".", dir_fd=root):
                sweep(opened)

    def write(self, files: Mapping[str, str | bytes], made_by: str = "") -> None:
        """Write files, given by their names relative to the folder, and list them.

        Raises OutputError if a name leads out of the folder, if something else is in the place of a
        file, or if it cannot be written. Each file is then as it was or as it was to be.
        """
        for name in files:
            if objection := _objection(name):
                raise OutputError(f"output: {name!r} {objection}; name a file in the folder")
        contents = {name: encoded(content) for name, content in files.items()}
        with telling(self.folder, "made"):
            self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked() as root:
            manifest = self._read(root)
            for name, content in contents.items():
                before = self._digest(root, name)
                if before != "" and not manifest.knows(name, before):
                    self._refuse([name])
                manifest.pending[name] = [_sha256(content), *([before] if before else [])]
            self._record(root, manifest)
            for name, content in contents.items():
                with telling(self.folder / name), self._place(root, name, make=True) as place:
                    replace_at(*place, content, self.folder / name)
                manifest.forget(name)
                manifest.files[name] = _sha256(content)
                if made_by:
                    manifest.made_by[name] = made_by
            self._record(root, manifest)

    def current(self, made_by: str) -> list[str]:
        """List the files that were made by that; none where one is missing or was changed."""
        if not made_by or not self.folder.is_dir():
            return []
        with self._locked() as root:
            manifest = self._read(root)
            names = [name for name, maker in manifest.made_by.items() if maker == made_by]
            whole = all(
                name not in manifest.pending and manifest.knows(name, self._digest(root, name))
                for name in names
            )
            return names if whole else []

    def keep_only(self, names: Container[str]) -> None:
        """Remove the files of earlier runs that do not have these names."""
        if not self.folder.is_dir():
            return
        with self._locked() as root:
            manifest = self._read(root)
            stale = [name for name in manifest.names() if name not in names]
            there = {name: self._digest(root, name) for name in stale}
            self._refuse(n for n, d in there.items() if d != "" and not manifest.knows(n, d))
            for name in stale:
                if there[name] != "":
                    with telling(self.folder / name, "removed"):
                        self._remove(root, name)
                manifest.forget(name)
            if stale:
                self._record(root, manifest)

    def _remove(self, root: int, name: str) -> None:
        with self._place(root, name) as (parent, last):
            mode_at(parent, last, self.folder / name)  # refuses links and what is read-only
            os.unlink(last, dir_fd=parent)
            sync_folder(parent)

    # The lock --------------------------------------------------------------------------------

    @contextmanager
    def _locked(self) -> Iterator[int]:
        with telling(self.folder):
            root = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                handle = self._lock(root)
                try:
                    yield root
                finally:
                    os.close(handle)
            finally:
                os.close(root)

    def _lock(self, root: int) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        with telling(self.folder / LOCK, "locked"):
            while True:
                handle = os.open(LOCK, flags, 0o666, dir_fd=root)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX)
                    with suppress(FileNotFoundError):
                        named = os.stat(LOCK, dir_fd=root, follow_symlinks=False)
                        if os.path.samestat(named, os.fstat(handle)):
                            return handle
                except BaseException:
                    os.close(handle)
                    raise
                os.close(handle)  # somebody removed it while we waited: another holds the new one

    # The manifest ----------------------------------------------------------------------------

    def _read(self, root: int) -> _Manifest:
        path = self.folder / MANIFEST
        with telling(path, "read"):
            try:
                with open(
                    MANIFEST,
                    "rb",
                    opener=lambda p, how: os.open(p, how | os.O_NOFOLLOW, dir_fd=root),
                ) as stream:
                    content = stream.read()
            except FileNotFoundError:
                return _Manifest()
        try:
            manifest = _manifest(json.loads(content))
            objections = {name: _objection(name) for name in manifest.names()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            raise OutputError(
                f"output: {shown(path)} is no manifest of exactdice; move it away or name "
                "another folder"
            ) from problem
        for name, objection in objections.items():
            if objection:
                raise OutputError(
                    f"output: {shown(path)} lists {name!r}, which {objection}; move it away or "
                    "name another folder"
                )
        return manifest

    def _record(self, root: int, manifest: _Manifest) -> None:
        path = self.folder / MANIFEST
        with telling(path):
            replace_at(root, MANIFEST, manifest.text().encode(), path)

    # The files -------------------------------------------------------------------------------

    @contextmanager
    def _place(self, root: int, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder that holds a file, following no link; give it and the file's own name."""
        *folders, last = name.split("/")
        here, path = os.dup(root), self.folder
        try:
            for part in folders:
                path = path / part
                if make:
                    with telling(path, "made"), suppress(FileExistsError):
                        os.mkdir(part, dir_fd=here)
                        sync_folder(here)
                try:
                    below = os.open(part, _FOLDER, dir_fd=here)
                except NotADirectoryError as problem:
                    raise OutputError(
                        f"output: {shown(path)} is a link or a file; name another folder"
                    ) from problem
                os.close(here)
                here = below
            yield here, last
        finally:
            os.close(here)

    def _digest(self, root: int, name: str) -> str | None:
        """SHA-256 of a file; empty where there is none, None where something else is there."""
        try:
            with self._place(root, name) as (parent, last), telling(self.folder / name, "read"):
                return _digest_at(parent, last)
        except FileNotFoundError:
            return ""

    def _strangers(self, root: int, manifest: _Manifest) -> Iterator[str]:
        """Names of what this package did not write, or not so."""

        def fail(problem: OSError) -> None:
            raise problem

        for where, folders, files, opened in os.fwalk(".", dir_fd=root, onerror=fail):
            within = where.removeprefix(".").removeprefix("/")
            for base in (*files, *folders):
                name = f"{within}/{base}" if within else base
                if base.startswith(_OURS) or name == MANIFEST or _is_folder(opened, base):
                    continue
                with telling(self.folder / name, "read"):
                    digest = _digest_at(opened, base)
                    if digest != "" and not manifest.knows(name, digest):  # empty: gone meanwhile
                        yield name

    def _refuse_before_locking(self) -> None:
        """Refuse a folder that this package has not used, before a lock is put into it."""
        with telling(self.folder):
            root = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                strangers = [] if _is_used(root) else list(self._strangers(root, _Manifest()))
                # Another run makes the lock before anything else, so it is looked for again.
                if strangers and not _is_used(root):
                    self._refuse(strangers)
            finally:
                os.close(root)

    def _refuse(self, strangers: Iterable[str]) -> None:
        names = sorted(strangers)
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise OutputError(
                f"output: {shown(self.folder)} holds {shown(names[0])}{more}, not written by "
                "exactdice or changed since; move it away or name another folder"
            )


def _is_folder(parent: int, name: str) -> bool:
    """Whether that is a folder, and no link to one."""
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _is_used(root: int) -> bool:
    """Whether an open folder has the lock or the list of this package."""
    return not {MANIFEST, LOCK}.isdisjoint(os.listdir(root))


def _manifest(content: Any) -> _Manifest:
    """Read a list; ValueError, KeyError, TypeError or AttributeError where it is none."""
    if content["format"] != _FORMAT:
        raise ValueError(content["format"])
    made_by, pending = content.get("made_by", {}), content.get("pending", {})
    return _Manifest(
        {str(name): _hexadecimal(digest) for name, digest in content["files"].items()},
        {str(name): str(maker) for name, maker in made_by.items()},
        {str(name): [*map(_hexadecimal, digests)] for name, digests in pending.items()},
    )


def _objection(name: str) -> str:
    """What is wrong with the name of a file in a folder; empty where nothing is.

    >>> [_objection(name) for name in ("risk/a.txt", "../thesis.tex", "/thesis.tex")]
    ['', 'leads out of the folder', 'leads out of the folder']
    """
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        return "leads out of the folder"
    if name == MANIFEST or any(part.startswith(_OURS) for part in parts):
        return "the folder keeps for itself"
    return ""


def _hexadecimal(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ValueError(digest)
    return digest


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_at(folder: int, name: str) -> str | None:
    """SHA-256 of a plain file in an open folder; empty for none, None for a link or another."""
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return ""
    with os.fdopen(handle, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
