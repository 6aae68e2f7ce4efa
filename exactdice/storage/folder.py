"""An output folder that contains only files of this package, with a list of them.

The list, ``MANIFEST.json``, has the SHA-256 of each file and, optionally, what created it. A folder
with files that are not listed or were changed since is rejected and left unchanged. So are links,
and lists with names outside the folder. Before a file is written, the list gets both hashes that
the file may have until then; the next run thus recognises the folder of a killed run.

All reading and writing happens under a lock (``flock`` on ``.exactdice-lock`` in the folder, which
is not removed), and the list is read again each time, so several programs may use one folder. Paths
in the folder are opened part by part without following links, so a link that is created meanwhile
cannot redirect a write or a removal.
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
from exactdice.posix import CLOEXEC, DIRECTORY, NOFOLLOW, NONBLOCK, fcntl
from exactdice.storage.files import (
    encoded,
    mode_at,
    opened,
    refused,
    replace_at,
    shown,
    sweep,
    sync_folder,
    telling,
)

#: Name of the list of files in an output folder.
MANIFEST = "MANIFEST.json"

#: Name of the lock file of an output folder.
LOCK = ".exactdice-lock"

_AWAY = "move it away or name another folder"
_FORMAT = "exactdice output folder 1"
_OURS = ".exactdice-"  # beginning of lock and parts
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PLAIN = os.O_RDONLY | NOFOLLOW | CLOEXEC
_FOLDER = _PLAIN | DIRECTORY


@dataclass
class _Manifest:
    files: dict[str, str] = field(default_factory=dict)
    made_by: dict[str, str] = field(default_factory=dict)
    pending: dict[str, list[str]] = field(default_factory=dict)

    def knows(self, name: str, digest: str | None) -> bool:
        """Whether a file of that name and hash was written by this package."""
        if name in self.pending:
            return digest in self.pending[name]
        return digest is not None and digest == self.files.get(name)

    def names(self) -> list[str]:
        """Return all names, including unfinished files."""
        return sorted({*self.files, *self.pending})

    def forget(self, name: str) -> None:
        for listed in (self.files, self.made_by, self.pending):
            listed.pop(name, None)

    def text(self) -> str:
        content: dict[str, Any] = {"format": _FORMAT, "files": dict(sorted(self.files.items()))}
        for key in ("made_by", "pending"):
            if getattr(self, key):
                content[key] = dict(sorted(getattr(self, key).items()))
        return json.dumps(content, indent=1) + "\n"


class OutputFolder:
    """A folder that contains only files of this package.

    The first write creates it. An existing folder must be empty, or all its files must be listed,
    unchanged, in its manifest. Raises OutputError otherwise, if there are links, or if the manifest
    cannot be read or has names outside the folder; nothing is written then. Reads every file once,
    for its hash.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with telling(folder):
            if folder.exists() and not folder.is_dir():
                raise refused(folder, "is a file; name a folder")
            if not folder.exists():
                return
        self._refuse_before_locking()
        with self._locked() as root:
            strangers = list(self._strangers(root, self._read(root)))
            self._refuse(strangers)
            for *_, here in os.fwalk(".", dir_fd=root):
                sweep(here)

    def write(self, files: Mapping[str, str | bytes], made_by: str = "") -> None:
        """Write files, by their names relative to the folder, and list them.

        Raises OutputError if a name leads outside the folder, if another file has that name, or if
        a file cannot be written. Each file then has its old or its new content.
        """
        for name in files:
            if objection := _objection(name):
                raise OutputError(f"output: {name!r} {objection}; name another file in the folder")
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
        """Return the files created by that; none if one is missing or was changed."""
        if not made_by or not self.folder.is_dir():
            return []
        with self._locked() as root:
            manifest = self._read(root)
            names = [name for name, maker in manifest.made_by.items() if maker == made_by]
            changed = [n for n in names if not manifest.knows(n, self._digest(root, n))]
            return [] if changed or manifest.pending.keys() & set(names) else names

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
            mode_at(parent, last, self.folder / name)  # rejects links and read-only files
            os.unlink(last, dir_fd=parent)
            sync_folder(parent)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        with telling(self.folder), opened(self.folder) as root:
            handle = self._lock(root)
            try:
                yield root
            finally:
                os.close(handle)

    def _lock(self, root: int) -> int:
        flags = os.O_RDWR | os.O_CREAT | NOFOLLOW | CLOEXEC | NONBLOCK
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
                os.close(handle)  # it was removed and created again while we waited

    def _read(self, root: int) -> _Manifest:
        path = self.folder / MANIFEST
        with telling(path, "read"):
            try:
                with open(MANIFEST, "rb", opener=lambda p, _: os.open(p, _PLAIN, dir_fd=root)) as f:
                    content = f.read()
            except FileNotFoundError:
                return _Manifest()
        try:
            manifest = _manifest(json.loads(content))
            objections = {name: _objection(name) for name in manifest.names()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            raise refused(path, f"is not a manifest of exactdice; {_AWAY}") from problem
        for name, objection in objections.items():
            if objection:
                raise refused(path, f"lists {name!r}, which {objection}; {_AWAY}")
        return manifest

    def _record(self, root: int, manifest: _Manifest) -> None:
        path = self.folder / MANIFEST
        with telling(path):
            replace_at(root, MANIFEST, manifest.text().encode(), path)

    @contextmanager
    def _place(self, root: int, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
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
                    raise refused(path, "is a link or a file; name another folder") from problem
                os.close(here)
                here = below
            yield here, last
        finally:
            os.close(here)

    def _digest(self, root: int, name: str) -> str | None:
        try:
            with self._place(root, name) as (parent, last), telling(self.folder / name, "read"):
                return _digest_at(parent, last)
        except FileNotFoundError:
            return ""

    def _strangers(self, root: int, manifest: _Manifest) -> Iterator[str]:
        def fail(problem: OSError) -> None:
            raise problem

        for where, folders, files, here in os.fwalk(".", dir_fd=root, onerror=fail):
            within = where.removeprefix(".").removeprefix("/")
            for base in (*files, *folders):
                name = f"{within}/{base}" if within else base
                if base.startswith(_OURS) or name == MANIFEST or _is_folder(here, base):
                    continue
                with telling(self.folder / name, "read"):
                    digest = _digest_at(here, base)
                    if digest != "" and not manifest.knows(name, digest):  # empty if gone meanwhile
                        yield name

    def _refuse_before_locking(self) -> None:
        """Reject a folder that this package has not used, before creating a lock in it."""
        with telling(self.folder), opened(self.folder) as root:
            strangers = [] if _is_used(root) else list(self._strangers(root, _Manifest()))
            # Another run creates the lock first, so look again.
            if strangers and not _is_used(root):
                self._refuse(strangers)

    def _refuse(self, strangers: Iterable[str]) -> None:
        names = sorted(strangers)
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            problem = f"holds {shown(names[0])}{more}, not written by exactdice or changed since"
            raise refused(self.folder, f"{problem}; {_AWAY}")


def _is_folder(parent: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _is_used(root: int) -> bool:
    return not {MANIFEST, LOCK}.isdisjoint(os.listdir(root))


def _manifest(content: Any) -> _Manifest:
    """Read a list; raises ValueError, KeyError, TypeError or AttributeError."""
    if content["format"] != _FORMAT:
        raise ValueError(content["format"])
    made_by, pending = content.get("made_by", {}), content.get("pending", {})
    return _Manifest(
        {str(name): _hexadecimal(digest) for name, digest in content["files"].items()},
        {str(name): str(maker) for name, maker in made_by.items()},
        {str(name): [*map(_hexadecimal, digests)] for name, digests in pending.items()},
    )


def _objection(name: str) -> str:
    """Return what is wrong with the name of a file in a folder, empty if nothing is."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        return "leads out of the folder"
    if name == MANIFEST or any(part.startswith(_OURS) for part in parts):
        return "is reserved"
    return ""


def _hexadecimal(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ValueError(digest)
    return digest


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_at(folder: int, name: str) -> str | None:
    """Return the SHA-256 of a regular file; empty if it does not exist, None for others."""
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        handle = os.open(name, _PLAIN, dir_fd=folder)
    except FileNotFoundError:
        return ""
    with os.fdopen(handle, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
