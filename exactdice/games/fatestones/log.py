"""Logs of rolls: one line a roll, as CSV, added to the end of a file while games are played.

The log has the README's ten columns: the dice of player 1 and of player 2 that are left, with empty
cells after them, the positions of the dice chosen (from 0, among those left) and the faces. A file
begins with the names of the columns.
"""

import csv
import io
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self

from exactdice.arithmetic import natural
from exactdice.errors import InputError, OutputError, Unquoted
from exactdice.games.fatestones.players import DuelRound
from exactdice.games.fatestones.rules import HAND_SIZE, check_hands, decode_die, encode_die
from exactdice.storage import append, check_writable, read_text

LOG_COLUMNS = (
    *(f"Player {side} Die {place}" for side in (1, 2) for place in (1, 2, 3)),
    *(f"Player {side} Choice" for side in (1, 2)),
    *(f"Player {side} Result" for side in (1, 2)),
)

SECONDS_BETWEEN_SAVES = 2


def seldom(write: Callable[[str], None]) -> Callable[[str], None]:
    """Write at most once in a while, so that saving costs nothing."""
    last = time.monotonic()

    def save(content: str) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_SAVES:
            write(content)
            last = time.monotonic()

    return save


class LogFile:
    """A log to whose end rolls are added every few seconds, so that little is lost when killed.

    Raises OutputError if the file cannot be written, or holds anything but such a log.

    `path`: its file, which need not exist; None for no log.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._waiting: list[DuelRound] = []
        self._written = time.monotonic()
        if self.path:
            check_writable(self.path)
            check_log(read_text(self.path))  # refuses other columns before any work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()

    def add(self, roll: DuelRound) -> None:
        """Add a roll, now or within the next seconds."""
        self._waiting.append(roll)
        if time.monotonic() - self._written > SECONDS_BETWEEN_SAVES:
            self._write()

    def _write(self) -> None:
        rolls, self._waiting = self._waiting, []  # tried once: an error says what became of them
        if self.path and rolls:
            header = log_lines([], header=True)
            append(
                self.path,
                log_lines(rolls),
                header=header,
                check=lambda line: check_log(header + line),
            )
        self._written = time.monotonic()


def _log_line(roll: DuelRound) -> list[str]:
    hands = [
        encode_die(hand[place]) if place < len(hand) else ""
        for hand in (roll.row_hand, roll.column_hand)
        for place in range(HAND_SIZE)
    ]
    return [
        *hands,
        *map(str, (roll.row_choice, roll.column_choice, roll.row_face, roll.column_face)),
    ]


def log_lines(rolls: Iterable[DuelRound], *, header: bool = False) -> str:
    """Write rolls as lines of a log, after the line of column names where it is asked for.

    >>> roll = DuelRound(((1, 2, 3, 4, 5, 6),), ((1, 1, 1, 6, 6, 6),), 0, 0, 4, 6)
    >>> print(log_lines([roll]), end="")
    123456,,,111666,,,0,0,4,6
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if header:
        writer.writerow(LOG_COLUMNS)
    writer.writerows(map(_log_line, rolls))
    return stream.getvalue()


def check_log(existing: str) -> None:
    """Refuse contents of a file that cannot be continued as a log; an empty file can.

    Raises OutputError if the first line does not hold the ten columns' names, or the last one no
    roll.
    """
    lines = existing.splitlines()
    if not lines:
        return
    if next(csv.reader(lines[:1])) != list(LOG_COLUMNS):
        raise OutputError("log: the file holds other columns than the ten of a log; name another")
    try:
        read_log(lines[-1])
    except InputError as problem:
        wanted = "mend it or name another file"
        raise OutputError(f"log: the last line of the file holds no roll; {wanted}") from problem


def read_log(text: str) -> list[DuelRound]:
    """Read a log, with or without the line of column names."""
    rolls = []
    for number, cells in enumerate(csv.reader(io.StringIO(text)), 1):
        if cells and not (number == 1 and tuple(cells) == LOG_COLUMNS):
            rolls.append(_roll(cells, f"line {number}"))
    return rolls


def _roll(cells: list[str], name: str) -> DuelRound:
    if len(cells) != len(LOG_COLUMNS):
        raise InputError(name, Unquoted(f"{len(cells)} cells"), f"{len(LOG_COLUMNS)} cells")
    hands = [
        tuple(decode_die(cell) for cell in cells[start : start + HAND_SIZE] if cell)
        for start in (0, HAND_SIZE)
    ]
    check_hands(hands[0], hands[1])
    most = len(hands[0]) - 1
    choices = [natural(cell, f"{name}, choice", most=most) for cell in cells[6:8]]
    faces = [natural(cell, f"{name}, result", least=1) for cell in cells[8:]]
    for hand, choice, face in zip(hands, choices, faces, strict=True):
        if face not in hand[choice]:
            raise InputError(f"{name}, result", face, f"a face of {encode_die(hand[choice])}")
    return DuelRound(hands[0], hands[1], *choices, *faces)
