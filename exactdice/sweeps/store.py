r"""The store: a folder of answers, by question and by the code that computed them.

The code is identified by the version and the SHA-256 of all files of the package
(`exactdice.storage.source_identity`). Answers of other code remain in the store and are not used.

Answers are in *packs*: files of one or more answers, named by the SHA-256 of their content, written
atomically and never changed. There is no index, no log, and no lock that must hold, so that

* a killed writer loses only the answers that it had not yet written;
* several processes, and machines that share the folder, add packs independently;
* a damaged pack is detected when the store is opened;
* a store is copied, merged or reduced by copying files.

A pack is a line of JSON, which lists for each answer its question, outcome, size in bytes and
milliseconds; then the answers. An answer is the report's JSON and the failure, without the commit,
so that equal code gives equal bytes; or the text of an error.

A store also contains *levels* (`exactdice.storage.files`); an interrupted long unit resumes there.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from exactdice.errors import ConflictError, InputError, OutputError, Unquoted
from exactdice.origin import commit
from exactdice.posix import CLOEXEC, DIRECTORY, NOFOLLOW, fcntl
from exactdice.report.model import Report
from exactdice.report.readers import read_json
from exactdice.report.writers import Format, render
from exactdice.storage import source_identity
from exactdice.storage.files import Levels, replace_at, shown, sweep, telling
from exactdice.sweeps.model import Sweep

_MARKER, _MARK = "SWEEPS.json", '{"format": "exactdice sweep store 1"}\n'
_PACK_FORMAT = "exactdice sweep pack 1"
_PACKS, _SWEEPS, _LEVELS = "packs", "sweeps", "levels"
_NAME = re.compile(r"([0-9a-f]{64})\.(?:pack|sweep)")
_FOLDER = os.O_RDONLY | DIRECTORY | NOFOLLOW | CLOEXEC


class UnitStatus(StrEnum):
    """The result of a unit."""

    ANSWERED = "answered"
    FAILED = "failed"  #: answered: a check that failed
    RAISED = "raised"  #: raised an error
    DIED = "died"  #: its worker process ended

    @property
    def is_answer(self) -> bool:
        return self in (UnitStatus.ANSWERED, UnitStatus.FAILED)


@dataclass(frozen=True)
class StoredAnswer:
    """The stored result of one unit."""

    unit: str  # the question
    outcome: UnitStatus
    document: bytes  # the answer, or the text of the error
    took: int = 0  # milliseconds


@dataclass(frozen=True)
class _Place:
    """The place of an answer in a pack."""

    outcome: UnitStatus
    pack: Path
    start: int
    size: int
    took: int


@cache
def identity() -> str:
    """Version and SHA-256 of the files of this package, when first called."""
    source = source_identity()
    if not source:
        raise OutputError("sweep: the files of the package cannot be read; install it as files")
    return source


def document_of(report: Report) -> bytes:
    content = json.loads(render(report, Format.JSON))
    del content["provenance"]["producer"]
    return json.dumps({"failure": report.failure, "report": content}).encode() + b"\n"


def report_of(document: bytes) -> Report:
    content = json.loads(document)
    return replace(read_json(json.dumps(content["report"])), failure=content["failure"])


class Store:
    """Answers in a folder.

    Raises OutputError if the folder has other content, or one of its files was damaged.

    Opening reads every byte once, to check it. Writing a pack waits twice for the disk.

    `folder`: created if it does not exist; must be empty or a store otherwise. `made_by`: the code
    whose answers are used; this package by default.
    """

    def __init__(self, folder: Path, made_by: str = "") -> None:
        self.folder = folder
        self.made_by = made_by or identity()
        self.levels = Levels(folder / _LEVELS, self.made_by)
        self._places: dict[tuple[str, str], _Place] = {}
        self._seen: set[str] = set()
        self._prepare()
        self.refresh()

    def _prepare(self) -> None:
        with telling(self.folder, "opened"):
            self.folder.mkdir(parents=True, exist_ok=True)
            marker = self.folder / _MARKER
            if not marker.exists():
                # Another process that makes the store writes the marker first.
                strangers = self._names()
                if strangers and not marker.exists():
                    raise OutputError(
                        f"store: {shown(self.folder)} contains {shown(strangers[0])} and is not "
                        "a sweep store; name another folder"
                    )
                self._write("", _MARKER, _MARK.encode())
            if marker.read_text(encoding="utf-8") != _MARK:
                raise OutputError(f"store: {shown(marker)} is of another version; name another")
            for name in (_PACKS, _SWEEPS, _LEVELS):
                (self.folder / name).mkdir(exist_ok=True)
            for name in ("", _PACKS, _SWEEPS, _LEVELS):  # parts that killed runs have left
                with self._opened(name) as opened:
                    sweep(opened)

    @contextmanager
    def _opened(self, part: str) -> Iterator[int]:
        path = self.folder / part
        with telling(path, "opened"):
            opened = os.open(path, _FOLDER)
        try:
            yield opened
        finally:
            os.close(opened)

    def _names(self, part: str = "") -> list[str]:
        with telling(self.folder / part, "read"):
            names = [path.name for path in (self.folder / part).iterdir()]
        return sorted(name for name in names if not name.startswith(".exactdice-"))

    def _write(self, part: str, name: str, content: bytes) -> None:
        path = self.folder / part / name
        with self._opened(part) as opened, telling(path):
            replace_at(opened, name, content, path)

    def refresh(self) -> list[str]:
        """Read packs that were added meanwhile; return the units that they answer.

        Raises OutputError if a pack is damaged, or differs from an earlier answer.
        """
        units: list[str] = []
        for name in self._names(_PACKS):
            if name not in self._seen:
                units += self._index(self.folder / _PACKS / name, self._read(_PACKS, name))
                self._seen.add(name)
        return units

    def _read(self, part: str, name: str) -> bytes:
        path = self.folder / part / name
        with telling(path, "read"):
            content = path.read_bytes()
        match = _NAME.fullmatch(name)
        if match is None or hashlib.sha256(content).hexdigest() != match[1]:
            raise OutputError(
                f"store: {shown(path)} is damaged or was not written by exactdice; remove it, "
                "and its answers are computed again"
            )
        return content

    def _index(self, path: Path, content: bytes) -> list[str]:
        """Record the answers of a pack; return the units if they belong to this code."""
        head, end, _ = content.partition(b"\n")
        listed = json.loads(head)
        start = len(head) + len(end)
        for unit, outcome, size, took in listed["answers"]:
            place = _Place(UnitStatus(outcome), path, start, size, took)
            self._enter((listed["made_by"], unit), place)
            start += size
        is_ours = listed["made_by"] == self.made_by
        return [unit for unit, *_ in listed["answers"]] if is_ours else []

    def _enter(self, key: tuple[str, str], place: _Place) -> None:
        known = self._places.get(key)
        if known is not None and known.outcome.is_answer:
            if place.outcome.is_answer and _content(known) != _content(place):
                raise OutputError(
                    f"store: {shown(known.pack)} and {shown(place.pack)} answer {key[1]!r} "
                    "differently; remove the wrong one"
                )
            return
        self._places[key] = place

    def add(self, answers: Sequence[StoredAnswer]) -> None:
        """Store answers in one pack, on the disk when this returns.

        Raises OutputError if the pack cannot be written; then none of them is stored.
        """
        head = {
            "format": _PACK_FORMAT,
            "made_by": self.made_by,
            "commit": commit(),
            "answers": [[a.unit, a.outcome, len(a.document), a.took] for a in answers],
        }
        content = json.dumps(head).encode() + b"\n" + b"".join(a.document for a in answers)
        name = f"{hashlib.sha256(content).hexdigest()}.pack"
        self._write(_PACKS, name, content)
        self._index(self.folder / _PACKS / name, content)
        self._seen.add(name)

    def outcome(self, unit: str) -> UnitStatus | None:
        """The status of a unit; None if nothing is stored."""
        place = self._places.get((self.made_by, unit))
        return place.outcome if place else None

    def answer(self, unit: str) -> StoredAnswer:
        """Return the stored answer of a unit."""
        place = self._places.get((self.made_by, unit))
        if place is None:
            raise InputError("unit", unit, "a unit with a stored answer")
        return StoredAnswer(unit, place.outcome, _content(place), place.took)

    def report(self, unit: str) -> Report:
        """Return the stored report of a unit."""
        return report_of(self.answer(unit).document)

    def took(self, unit: str) -> int:
        """Milliseconds that a stored unit took."""
        return self._places[self.made_by, unit].took

    def makers(self) -> dict[str, int]:
        """Count the answers by the code that gave them."""
        counts: dict[str, int] = {}
        for made_by, _ in self._places:
            counts[made_by] = counts.get(made_by, 0) + 1
        return counts

    def enter(self, asked: Sweep) -> None:
        """Write a sweep into the store; of several simultaneous runs one does."""
        name = f"{asked.key}.sweep"
        with self._opened(_SWEEPS) as opened:
            with suppress(OSError):  # the file system has no locks
                fcntl.flock(opened, fcntl.LOCK_EX)
            # `turn` locks it, so it must remain the same file.
            if not (self.folder / _SWEEPS / name).exists():
                self._write(_SWEEPS, name, asked.text().encode())

    @contextmanager
    def turn(self, asked: Sweep) -> Iterator[bool]:
        """Whether no other run computes this entered sweep, during the block.

        The lock is a hint and ends with its process. If two runs obtain it, work is done twice.
        """
        path = self.folder / _SWEEPS / f"{asked.key}.sweep"
        with telling(path, "opened"):
            handle = os.open(path, os.O_RDWR | NOFOLLOW | CLOEXEC)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:  # another run has it, or the file system has no locks
                yield False
            else:
                yield True
        finally:
            os.close(handle)

    def sweeps(self) -> list[Sweep]:
        """List the sweeps by name."""
        sweeps = [Sweep.read(self._read(_SWEEPS, name).decode()) for name in self._names(_SWEEPS)]
        return sorted(sweeps, key=lambda stored: (stored.name, stored.key))

    def sweep_named(self, name: str = "") -> Sweep:
        """Return the sweep with this name or beginning of its key; by default the only one."""
        sweeps = self.sweeps()
        if not sweeps:
            raise ConflictError("store", 'contains no sweep; add one with "exactdice sweep run"')
        chosen = [s for s in sweeps if not name or name == s.name or s.key.startswith(name)]
        if len(chosen) != 1:
            names = [f"{stored.key[:12]} ({stored.name})" for stored in sweeps[:5]]
            got = Unquoted(f"{name or 'no name'}, which matches {len(chosen)} sweeps")
            raise InputError("sweep", got, f"one of: {'; '.join(names)}")
        return chosen[0]


def _content(place: _Place) -> bytes:
    with telling(place.pack, "read"), place.pack.open("rb") as stream:
        stream.seek(place.start)
        return stream.read(place.size)
