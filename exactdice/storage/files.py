"""Single files: replaced completely, or extended by complete lines; and levels, for checkpoints.

*Replacing.* A temporary file ``.exactdice-….part`` in the same folder is renamed when all of it is
on the disk; then the folder is synced. Readers see the old content or the new one. The writer locks
its part (``flock``); a part without a lock belongs to a killed writer, and the next write in the
folder removes it.

*Adding lines* happens under a lock on the file itself. After an error the file is truncated to its
old length, unless another program that ignores the lock has added to it meanwhile.

*Levels* are byte strings by name, for computations that resume after they are killed
(`exactdice.run`). Each has its own file, named by the SHA-256 of the code and the level's name, and
begins with the SHA-256 of its content. The code is named by its version and a hash of all files of
the package, because edited files may give other numbers.
"""

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from exactdice import __version__
from exactdice.errors import OutputError, in_one_line
from exactdice.posix import CLOEXEC, DIRECTORY, IS_POSIX, NOFOLLOW, NONBLOCK, fcntl

_PART = re.compile(r"\.exactdice-[0-9a-f]{16}\.part")
_OPEN_FOLDER = os.O_RDONLY | DIRECTORY | CLOEXEC
_READ_ONLY = "is read-only; allow writing or name another file"


def shown(path: Path | str) -> str:
    r"""Write a path in one line."""
    return in_one_line(str(path).replace("\n", "\\x0a"))


@contextmanager
def telling(path: Path, deed: str = "written") -> Iterator[None]:
    """Turn operating-system errors into OutputError, one line that names the file."""
    try:
        yield
    except OutputError:  # an OSError with its message
        raise
    except (OSError, ValueError) as problem:  # ValueError: an impossible name or character
        reason = getattr(problem, "strerror", None) or problem
        raise refused(path, f"cannot be {deed}: {reason}") from problem


def refused(path: Path, problem: str) -> OutputError:
    """Return the error of a path."""
    return OutputError(f"output: {shown(path)} {problem}")


@contextmanager
def opened(path: Path | str, flags: int = _OPEN_FOLDER, mode: int = 0o777) -> Iterator[int]:
    """Open a folder or file, and close it afterwards."""
    handle = os.open(path, flags, mode)
    try:
        yield handle
    finally:
        os.close(handle)


def check_writable(path: Path) -> None:
    """Raise OutputError unless a file of that name can be written.

    Called before long work starts, so that a mistyped folder costs no time.
    """
    with telling(path):
        if path.is_dir():
            raise refused(path, "is a folder; name a file")
        target = _target(path)
        if not target.parent.is_dir():
            missing = shown(target.parent)
            raise OutputError(f"output: there is no folder {missing}; create it, or name another")
        if IS_POSIX:
            with opened(target.parent) as folder:
                mode_at(folder, target.name, target)
        elif target.exists() and not os.access(target, os.W_OK):
            raise refused(path, _READ_ONLY)
        if not os.access(target.parent, os.W_OK | os.X_OK):
            locked = shown(target.parent)
            raise OutputError(f"output: the folder {locked} is not writable; name another")


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace a file; readers see the old content or the new one.

    A link is followed and kept. Raises OutputError, and keeps the old content, if the file cannot
    be written. Syncs the file and its folder to the disk.
    """
    check_writable(path)
    target = _target(path)
    if not IS_POSIX:
        with telling(path):
            _replace_anywhere(target, encoded(content))
        return
    with telling(path), opened(target.parent) as folder:
        sweep(folder)
        replace_at(folder, target.name, encoded(content), path)


def _replace_anywhere(target: Path, content: bytes) -> None:
    """Replace a file without locks; a killed writer leaves its part behind."""
    part = target.with_name(f".exactdice-{os.urandom(8).hex()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write a new folder with all files, by their relative names, or nothing."""
    staged = folder.with_name(f".exactdice-{os.getpid()}.folder")
    try:
        with telling(folder):
            for path, content in ((staged / name, files[name]) for name in files):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(encoded(content))
            staged.rename(folder)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def append(
    path: Path, lines: str, *, header: str = "", check: Callable[[str], object] | None = None
) -> None:
    """Add lines to the end of a file, all or none; several programs may do so at the same time.

    `check` is called with an incomplete last line, if there is one. Raises OutputError, and
    restores the old length, if not all lines could be written.
    """
    target = _target(path)
    with telling(path):
        content = encoded(lines)
        is_new = not target.exists()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | CLOEXEC | NONBLOCK
        with opened(target, flags, 0o666) as handle, _locked(handle, target):
            _refuse_unwritable(os.fstat(handle).st_mode, path)
            if unended := _unended_line(handle):
                if check is not None:
                    check(unended.decode(errors="replace"))
                content = b"\n" + content
            _append(handle, content, encoded(header), path)
        if is_new:
            with opened(target.parent) as folder:
                sync_folder(folder)


@contextmanager
def _locked(handle: int, target: Path) -> Iterator[None]:
    if IS_POSIX:
        fcntl.flock(handle, fcntl.LOCK_EX)  # until the file is closed
        yield
    else:
        from filelock import FileLock

        with FileLock(f"{target}.lock"):
            yield


def _read_at(handle: int, length: int, start: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)
    return os.read(handle, length)


def _append(handle: int, content: bytes, header: bytes, path: Path) -> None:
    size = os.fstat(handle).st_size
    if not size:
        content = header + content
    try:
        _write_all(handle, content)
        os.fsync(handle)
    except BaseException as problem:
        added = _read_at(handle, len(content) + 1, size)
        if content.startswith(added):  # otherwise another program's lines are among them
            os.ftruncate(handle, size)
            state = "it has its old length again"
        else:
            state = f"after byte {size} it has {len(added)} bytes of this run and another program"
        if isinstance(problem, OSError):
            raise refused(path, f"cannot be written: {problem.strerror}; {state}") from problem
        raise


def _unended_line(handle: int) -> bytes:
    start = os.fstat(handle).st_size
    line = b""
    while start and b"\n" not in line:
        step = min(start, 4096)
        start -= step
        line = _read_at(handle, step, start) + line
    return line[line.rfind(b"\n") + 1 :]


def read_bytes(path: Path) -> bytes:
    """Read a file while others may add lines; empty if it does not exist. Raises OutputError."""
    with (
        telling(path, "read"),
        suppress(FileNotFoundError),
        open(path, "rb", opener=lambda name, how: os.open(name, how | NONBLOCK)) as stream,
    ):
        if IS_POSIX:
            fcntl.flock(stream, fcntl.LOCK_SH)
        return stream.read()
    return b""


def read_text(path: Path) -> str:
    """Read UTF-8 text as `read_bytes` does; raises OutputError."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as problem:
        raise refused(path, "cannot be read: it is not text; name another file") from problem


def replace_at(folder: int, name: str, content: bytes, path: Path) -> None:
    """Replace a file in an open folder without following links; `path` is for messages."""
    mode = mode_at(folder, name, path)
    handle, part = _new_part(folder, 0o666 if mode is None else 0o600)
    try:
        try:
            _write_all(handle, content)
            if mode is not None:
                os.fchmod(handle, mode)
            os.fsync(handle)
            os.rename(part, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):  # it was renamed, then came an interrupt
                os.unlink(part, dir_fd=folder)
            raise
    finally:
        os.close(handle)
    sync_folder(folder)


def mode_at(folder: int, name: str, path: Path) -> int | None:
    """Return the mode of a replaceable file, None if missing; OutputError for links and others."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    _refuse_unwritable(mode, path)
    if not os.access(name, os.W_OK, dir_fd=folder):
        raise refused(path, _READ_ONLY)
    return stat.S_IMODE(mode) & 0o777


def _refuse_unwritable(mode: int, path: Path) -> None:
    if stat.S_ISLNK(mode):
        raise refused(path, "is a link; name a file")
    if not stat.S_ISREG(mode):
        raise refused(path, "is not a regular file; name one, or redirect the output")
    if not mode & 0o222:
        raise refused(path, _READ_ONLY)


def sweep(folder: int) -> None:
    """Remove the parts in an open folder whose writers no longer run."""
    for name in os.listdir(folder):
        if not _PART.fullmatch(name):
            continue
        try:
            handle = os.open(name, os.O_RDWR | NOFOLLOW | CLOEXEC, dir_fd=folder)
        except OSError:  # gone meanwhile, a link, or another user's
            continue
        try:
            status = os.fstat(handle)
            if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name, dir_fd=folder)
        except (BlockingIOError, FileNotFoundError):  # being written, or renamed meanwhile
            continue
        finally:
            os.close(handle)


def _new_part(folder: int, mode: int) -> tuple[int, str]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | CLOEXEC
    while True:
        part = f".exactdice-{os.urandom(8).hex()}.part"
        handle = os.open(part, flags, mode, dir_fd=folder)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except BaseException:
            os.close(handle)
            os.unlink(part, dir_fd=folder)
            raise
        if os.fstat(handle).st_nlink:
            return handle, part
        os.close(handle)  # swept before it was locked


def sync_folder(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as problem:
        if problem.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        written = os.write(handle, left)
        if not written:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        left = left[written:]


def _target(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


_PACKAGE = Path(__file__).resolve().parents[1]


def source_identity(package: Path = _PACKAGE) -> str:
    """Return a name of the code of the package: its version and the SHA-256 of all its files.

    Takes about 20 ms for 200 files.
    """
    total = hashlib.sha256()
    try:
        found = [path for path in package.rglob("*") if path.is_file()]
        files = sorted(path for path in found if "__pycache__" not in path.parts)
        for path in files:
            name = path.relative_to(package).as_posix().encode(errors="surrogateescape")
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(b"%d %s %s\n" % (len(name), name, digest.encode()))
    except OSError:  # nothing counts as current then
        return ""
    return f"{__version__} sources {total.hexdigest()}" if files else ""


@dataclass(frozen=True)
class Levels:
    """Keeps levels in a folder, for one version of the code."""

    folder: Path  # created with the first level
    made_by: str  # the code

    def keep(self, name: str, content: bytes) -> None:
        """Write a level completely or not at all; raises OutputError."""
        with telling(self.folder, "made"):
            self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(content).hexdigest()
        write_whole(self._path(name), f"{digest}\n".encode() + content)

    def kept(self, name: str) -> bytes | None:
        """Return a level, None if it does not exist; raises OutputError if it is damaged."""
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
        path = self._path(name)
        with telling(path, "removed"):
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        key = hashlib.sha256(f"{self.made_by}\n{name}".encode()).hexdigest()
        return self.folder / f"{key}.level"
