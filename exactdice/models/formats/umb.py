r"""UMB, the unified Markov binary format: chains and decision processes with rational numbers.

A file is a tar archive, which gzip or xz may have packed: ``index.json`` says what there is and how
much of it, and arrays in little-endian order hold it. Supported are discrete time and at most one
player, probabilities and rewards of type ``rational`` (numerator, signed, then denominator, each of
half the size), rewards of states and choices, atomic propositions of states and names of choices.
Numbers of type ``double`` are refused: 0.1 would not be 1/10. Format, version 1:
https://github.com/pmc-tools/umb, spec.md.
"""

import io
import json
import tarfile
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from exactdice import __version__
from exactdice.models.formats.explicit import ExplicitModel, FormatError, Row, explicit
from exactdice.models.game import Model

__all__ = ["read_umb", "umb_bytes"]

_REWARDS = "annotations/rewards/reward"
_LEAST_SIZE = 128


def umb_bytes(model: Model[Any]) -> bytes:
    """The file of a model of chance and one player, the same for the same model.

    Payoffs become a move to a state labelled ``done``, as in the other formats.

    Raises
    ------
    InputError
        If two players take part.
    """
    table = explicit(model)
    rows = [row for listed in table.rows for row in listed]
    chances = [chance for row in rows for chance in row.chances.values()]
    sizes = {"probability": _size(chances), "reward": _size([row.reward for row in rows])}
    names = list(dict.fromkeys(row.action for row in rows))
    encoded = [name.encode() for name in names]
    index = _index(table, rows, len(chances), len(names), sizes)
    arrays = {
        "state-to-choices.bin": _offsets([len(listed) for listed in table.rows]),
        "state-is-initial.bin": _bits([state == table.initial for state in range(len(table.rows))]),
        "choice-to-branches.bin": _offsets([len(row.chances) for row in rows]),
        "branch-to-target.bin": _whole([t for row in rows for t in row.chances], 8),
        "branch-to-probability.bin": _rationals(chances, sizes["probability"]),
        "actions/choices/values.bin": _whole([names.index(row.action) for row in rows], 4),
        "actions/choices/string-mapping.bin": _offsets([len(name) for name in encoded]),
        "actions/choices/strings.bin": b"".join(encoded),
        f"{_REWARDS}/choices/values.bin": _rationals([r.reward for r in rows], sizes["reward"]),
    }
    for label in _propositions(table):
        held = [state in table.labels[label] for state in range(len(table.rows))]
        arrays[f"annotations/aps/{label}/states/values.bin"] = _bits(held)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in {"index.json": json.dumps(index, indent=2).encode(), **arrays}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _propositions(table: ExplicitModel) -> list[str]:
    return sorted(label for label in table.labels if label != "init")


def _index(
    table: ExplicitModel, rows: list[Row], branches: int, names: int, sizes: dict[str, int]
) -> dict[str, Any]:
    return {
        "format-version": 1,
        "format-revision": 0,
        "file-data": {"tool": "exactdice", "tool-version": __version__},
        "transition-system": {
            "time": "discrete",
            "#players": int(table.has_choices),
            "#states": len(table.rows),
            "#initial-states": 1,
            "#choices": len(rows),
            "#choice-actions": names,
            "#branches": branches,
            "#branch-actions": 0,
            "#observations": 0,
            "branch-probability-type": {"type": "rational", "size": sizes["probability"]},
        },
        "annotations": {
            "rewards": {
                "reward": {
                    "alias": "reward",
                    "applies-to": ["choices"],
                    "type": {"type": "rational", "size": sizes["reward"]},
                }
            },
            "aps": {
                label: {"alias": label, "applies-to": ["states"], "type": {"type": "bool"}}
                for label in _propositions(table)
            },
        },
    }


def _size(numbers: list[mpq]) -> int:
    """Bits of a rational of the file: the same for all, a multiple of 128."""
    most = max(max(abs(x.numerator).bit_length() + 1, x.denominator.bit_length()) for x in numbers)
    return -(-2 * int(most) // _LEAST_SIZE) * _LEAST_SIZE


def _rationals(numbers: list[mpq], size: int) -> bytes:
    half = size // 16
    return b"".join(
        int(x.numerator).to_bytes(half, "little", signed=True)
        + int(x.denominator).to_bytes(half, "little")
        for x in numbers
    )


def _whole(numbers: Sequence[int], width: int) -> bytes:
    return b"".join(number.to_bytes(width, "little") for number in numbers)


def _offsets(lengths: list[int]) -> bytes:
    return _whole(list(accumulate(lengths, initial=0)), 8)


def _bits(held: list[bool]) -> bytes:
    number = sum(1 << place for place, is_held in enumerate(held) if is_held)
    return number.to_bytes(-(-len(held) // 64) * 8, "little")


def read_umb(path: Path | str) -> ExplicitModel:
    """Read a chain or a decision process from a UMB file.

    Parameters
    ----------
    path
        The file, packed or not; at most one kind of rewards.

    Raises
    ------
    FormatError
        If it is no such file, is cut short, or an array has another size than the index says; the
        text names the array.
    """
    return _Archive(path).model()


class _Archive:
    """The arrays of a file, each checked for its size."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self.arrays: dict[str, bytes] = {}
        try:
            with tarfile.open(path) as archive:
                for entry in archive:
                    content = archive.extractfile(entry)
                    if content is not None:
                        self.arrays[entry.name.lstrip("./")] = content.read()
            self.index: dict[str, Any] = json.loads(self.arrays.get("index.json", b""))
            self.system = dict(self.index["transition-system"])
        except (OSError, EOFError, tarfile.TarError) as wrong:
            raise FormatError(f"{path}: cannot be read as a tar archive ({wrong})") from None
        except (ValueError, KeyError, TypeError) as wrong:
            raise FormatError(f"{path}: index.json: is missing or wrong ({wrong})") from None

    def model(self) -> ExplicitModel:
        for name, wanted in (
            ("time", ("discrete",)),
            ("#players", (0, 1)),
            ("#observations", (0,)),
        ):
            if self.system.get(name) not in wanted:
                raise self._wrong("index.json", f"{name} {self.system.get(name)}", str(wanted))
        states, choices = self._count("#states"), self._count("#choices")
        branches = self._count("#branches")
        of_state = self._offsets("state-to-choices.bin", states, choices)
        of_choice = self._offsets("choice-to-branches.bin", choices, branches)
        targets = self._whole("branch-to-target.bin", branches, 8, below=states)
        kind = self.system.get("branch-probability-type")
        chances = self._rationals("branch-to-probability.bin", branches, kind)
        rewards = self._rewards(states, choices, of_state)
        names = self._names(choices)
        rows = []
        for state in range(states):
            listed = []
            for choice in range(of_state[state], of_state[state + 1]):
                found: dict[int, mpq] = {}
                for branch in range(of_choice[choice], of_choice[choice + 1]):
                    found[targets[branch]] = found.get(targets[branch], mpq(0)) + chances[branch]
                if sum(found.values(), mpq(0)) != 1 or min(found.values()) < 0:
                    raise self._wrong(
                        "branch-to-probability.bin",
                        f"chances of choice {choice} that do not sum to 1",
                        "chances that do",
                    )
                listed.append(Row(names[choice], rewards[choice], found))
            if not listed:
                raise self._wrong("state-to-choices.bin", f"no choice in state {state}", "one")
            rows.append(tuple(listed))
        labels = self._labels(states)
        if len(labels["init"]) != 1:
            raise self._wrong("state-is-initial.bin", f"{len(labels['init'])} states", "one")
        return ExplicitModel(
            tuple(rows),
            next(iter(labels["init"])),
            labels,
            has_choices=self.system["#players"] == 1,
        )

    def _wrong(self, name: str, got: str, wanted: str) -> FormatError:
        return FormatError(f"{self.path}: {name}: got {got}; give {wanted}")

    def _count(self, name: str) -> int:
        count = self.system.get(name)
        if type(count) is not int or count < 1:
            raise self._wrong("index.json", f"{name} {count!r}", "a whole number of at least 1")
        return count

    def _array(self, name: str, size: int) -> bytes:
        content = self.arrays.get(name)
        if content is None:
            raise self._wrong(name, "no such array", f"{size} bytes")
        if len(content) != size:
            raise self._wrong(name, f"{len(content)} bytes", f"{size} bytes, as index.json says")
        return content

    def _whole(self, name: str, count: int, width: int, *, below: int | None = None) -> list[int]:
        content = self._array(name, count * width)
        numbers = [
            int.from_bytes(content[at : at + width], "little")
            for at in range(0, len(content), width)
        ]
        if below is not None and max(numbers) >= below:
            raise self._wrong(name, str(max(numbers)), f"numbers below {below}")
        return numbers

    def _offsets(self, name: str, count: int, total: int) -> list[int]:
        """Where the parts of each begin; one part each where there is no array."""
        if name not in self.arrays and count == total:
            return list(range(count + 1))
        offsets = self._whole(name, count + 1, 8)
        if offsets[0] or offsets[-1] != total or offsets != sorted(offsets):
            raise self._wrong(name, "offsets out of order", f"offsets that rise from 0 to {total}")
        return offsets

    def _rationals(self, name: str, count: int, kind: Any) -> list[mpq]:
        size = kind.get("size", _LEAST_SIZE) if isinstance(kind, dict) else None
        if size is None or kind.get("type") != "rational" or type(size) is not int or size % 128:
            raise self._wrong("index.json", f"numbers of type {kind}", "type rational")
        content, half = self._array(name, count * size // 8), size // 16
        numbers = []
        for at in range(0, len(content), 2 * half):
            numerator = int.from_bytes(content[at : at + half], "little", signed=True)
            denominator = int.from_bytes(content[at + half : at + 2 * half], "little")
            if not denominator:
                raise self._wrong(name, "a denominator 0", "a fraction")
            numbers.append(mpq(numerator, denominator))
        return numbers

    def _rewards(self, states: int, choices: int, of_state: list[int]) -> list[mpq]:
        """Rewards of the choices, those of their states included."""
        kinds = (self.index.get("annotations") or {}).get("rewards") or {}
        if len(kinds) > 1:
            raise self._wrong("index.json", f"{len(kinds)} kinds of rewards", "one at most")
        paid = [mpq(0)] * choices
        for name, kind in kinds.items():
            place = f"annotations/rewards/{name}"
            for entity in kind.get("applies-to", ()):
                array = f"{place}/{entity}/values.bin"
                if entity == "choices":
                    found = self._rationals(array, choices, kind.get("type"))
                    paid = [before + more for before, more in zip(paid, found, strict=True)]
                elif entity == "states":
                    found = self._rationals(array, states, kind.get("type"))
                    for state, reward in enumerate(found):
                        for choice in range(of_state[state], of_state[state + 1]):
                            paid[choice] += reward
                else:
                    raise self._wrong("index.json", f"rewards of {entity}", "states or choices")
        return paid

    def _names(self, choices: int) -> list[str]:
        count = self.system.get("#choice-actions")
        if not count:
            return [str(choice) for choice in range(choices)]
        values = [0] * choices
        if "actions/choices/values.bin" in self.arrays:
            values = self._whole("actions/choices/values.bin", choices, 4, below=count)
        strings = self.arrays.get("actions/choices/strings.bin")
        if strings is None:
            return [str(value) for value in values]
        ends = self._offsets("actions/choices/string-mapping.bin", count, len(strings))
        try:
            names = [strings[a:b].decode() for a, b in pairwise(ends)]
        except UnicodeDecodeError:
            raise self._wrong("actions/choices/strings.bin", "no UTF-8", "UTF-8") from None
        return [names[value] for value in values]

    def _labels(self, states: int) -> dict[str, frozenset[int]]:
        def held(name: str) -> frozenset[int]:
            number = int.from_bytes(self._array(name, -(-states // 64) * 8), "little")
            return frozenset(state for state in range(states) if number >> state & 1)

        labels = {"init": held("state-is-initial.bin")}
        propositions = (self.index.get("annotations") or {}).get("aps") or {}
        for name, kind in propositions.items():
            labels[kind.get("alias", name)] = held(f"annotations/aps/{name}/states/values.bin")
        return labels
