"""Shared parts of readers: texts, places of errors, and options.

Files may be packed by gzip or xz, and texts also in an archive. Decimals are exact: 0.1 is 1/10.
Errors name file, line and column.
"""

import gzip
import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactdice.arithmetic import brief, mpq, rational, text
from exactdice.errors import ExactDiceError, InputError, Unquoted, choices, shortened
from exactdice.memory import in_pieces

# Errors of damaged archives; OverflowError for impossible sizes.
_DAMAGED = (OSError, EOFError, OverflowError, tarfile.TarError, lzma.LZMAError, zlib.error)
_ROUNDING = mpq(1, 10**6)  # Storm prints ten digits of each probability


class FormatError(ExactDiceError, ValueError):
    """A file does not follow its format; the text names the file and the place."""


@dataclass
class Reading:
    """Options for reading a model file, and `notes` on changes to its content, by name."""

    reward: str | None = None  # the name of the reward structure, needed if there are several
    initial: int | None = None  # needed if there are several initial states
    normalize: bool = False  # scale probabilities that do not sum to 1 because of rounding
    rewards: bool = True
    notes: dict[str, str] = field(default_factory=dict)
    _scaled: int = 0  # sums of probabilities
    _most: mpq = field(default_factory=mpq)  # by which they differed from 1

    def structure(self, names: Sequence[str]) -> int | None:
        """Return the number of the reward structure to read, None for no rewards."""
        if not self.rewards or (not names and self.reward is None):
            return None
        if self.reward in names or (self.reward is None and len(names) == 1):
            return names.index(self.reward or names[0])
        got = Unquoted(f"no name of {len(names)} rewards") if self.reward is None else self.reward
        raise InputError("reward", got, choices(names, got))

    def start(self, path: Path | str, labels: dict[str, frozenset[int]], states: int) -> int:
        """Return the initial state, and label no other state init."""
        known = labels.get("init", frozenset([0])) if self.initial is None else [self.initial]
        if len(known) != 1:
            got = f"{len(known)} initial states {sorted(known)[:8]}"
            raise FormatError(f"{path}: got {got}; expected one; choose it with --initial STATE")
        if min(known) >= states:
            raise InputError("initial", self.initial, f"a state below {states}")
        labels |= {"init": frozenset(known)} if "init" in labels else {}
        return min(known)

    def distribution(
        self, chances: Mapping[int, mpq], wrong: Callable[[str, str], FormatError], whose: str
    ) -> Mapping[int, mpq]:
        """Return probabilities that sum to 1, or raise the error of the reader."""
        total = sum(chances.values(), mpq(0))
        if total == 1 and min(chances.values()) >= 0:
            return chances
        off, wanted = abs(total - 1), "numbers ≥ 0 that sum to 1"
        is_near = 0 < off <= _ROUNDING and min(chances.values()) >= 0
        size = f"1 {'-' if total < 1 else '+'} {brief(off, 3)}" if is_near else text(total)
        if not is_near or not self.normalize:
            wanted += "; --normalize divides them by their sum" if is_near else ""
            raise wrong(f"probabilities that sum to {size} {whose}", wanted)
        self._scaled, self._most = self._scaled + 1, max(self._most, off)
        sums = f"{self._scaled} sums of probabilities changed to 1"
        self.notes["normalize"] = f"{sums}, each by at most {brief(self._most, 3)}"
        return {target: chance / total for target, chance in chances.items()}


@contextmanager
def _undamaged(path: Path | str) -> Iterator[None]:
    try:
        yield
    except _DAMAGED as wrong:
        how = f"cannot be read as a tar archive ({' '.join(str(wrong).split())})"
        if isinstance(wrong, OSError) and wrong.strerror:
            how = f"cannot be read: {wrong.strerror}"
        how = "file not found" if isinstance(wrong, FileNotFoundError) else how
        raise FormatError(f"{path}: {how}") from None


def unpacked(path: Path | str) -> bytes:
    """Read a file, unpacked if it is packed; raises FormatError."""
    with _undamaged(path), Path(path).open("rb") as file:
        content = in_pieces(file)
        if content.startswith((b"\x1f\x8b\x08", b"\xfd7zXZ\x00")):
            opened: Any = gzip.open if content.startswith(b"\x1f") else lzma.open
            return in_pieces(opened(io.BytesIO(content)))
        return content


def entries(path: Path | str, archive: bytes) -> dict[str, bytes]:
    """Return the files of a tar archive by name; raises FormatError."""
    content = {}
    with _undamaged(path), tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
        for entry in opened:
            file = opened.extractfile(entry) if entry.isfile() else None
            if not entry.isdir():
                if file is None or entry.issparse():
                    raise tarfile.ReadError(f"{entry.name} is not a regular file")
                content[entry.name.lstrip("./")] = file.read()
    return content


def read_text(path: Path | str) -> str:
    content = unpacked(path)
    if content[257:262] == b"ustar":  # Storm packs a text into an archive
        content = b"".join(entries(path, content).values())
    try:
        return content.decode("utf-8-sig")
    except ValueError as wrong:
        raise FormatError(f"{path}: cannot be read as text ({wrong})") from None


class FileLines:
    """The lines of a file, read one by one, and errors that name line and column.

    Words are groups of a match of a regular expression with a line.
    """

    def __init__(self, path: Path | str) -> None:
        self.path, self.number, self.text = Path(path), 0, read_text(path)
        self._lines = self.text.splitlines()

    def next(self, wanted: str) -> str:
        """Return the next line that is not empty or a comment; raises FormatError at the end."""
        line = self.after()
        if line is None:
            raise FormatError(f"{self.path}: ends after line {self.number}; expected {wanted}")
        return line

    def after(self) -> str | None:
        """Return the next line that is not empty or a comment, None at the end."""
        while self.number < len(self._lines):
            self.number += 1
            line = self._lines[self.number - 1].strip()
            if line and not line.startswith(("#", "//")):
                return line
        return None

    def wrong(self, got: object, wanted: str, column: int = 0) -> FormatError:
        """Return the error at a place of this line, whose first character has column 0."""
        line = self._lines[self.number - 1] if self.number else ""
        column += len(line) - len(line.lstrip()) + 1
        place = f"{self.path}:{self.number}:{column}"
        return FormatError(f"{place}: got {shortened(str(got))}; expected {wanted}")

    def number_from(
        self, match: "re.Match[str]", group: int = 0, wanted: str = "an exact number"
    ) -> mpq:
        try:
            return rational(match[group])
        except InputError:
            raise self.wrong(repr(match[group]), wanted, match.start(group)) from None

    def whole_from(self, match: "re.Match[str]", group: int = 0, below: int | None = None) -> int:
        word = match[group]
        is_whole = word.isdigit() and word.isascii() and len(word) <= 18
        if is_whole and (below is None or int(word) < below):
            return int(word)
        wanted = "a whole number" if below is None else f"a whole number below {below}"
        raise self.wrong(repr(word), wanted, match.start(group))

    def wholes_from(self, words: str) -> list[int]:
        return [self.whole_from(word) for word in re.finditer(r"\S+", words)]
