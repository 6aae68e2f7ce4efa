"""UMB, the unified Markov binary format: chains, decision processes and games in rationals.

A file is a tar archive, possibly packed by gzip or xz: ``index.json`` describes it, and
little-endian arrays contain the data. Supported are discrete time; up to two players who move
alternately; probabilities and rewards of type ``rational`` (signed numerator, then denominator,
each half of the size); rewards of states and choices; atomic propositions of states; names of
choices. Type ``double`` is rejected, because 0.1 would not be 1/10. The format's player 0 is the
first player, who maximises. Format, version 1: https://github.com/pmc-tools/umb, spec.md.
"""

import gzip
import io
import json
import lzma
import tarfile
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactdice import __version__
from exactdice.arithmetic import lcm, mpq
from exactdice.errors import shortened
from exactdice.formats.explicit import ExplicitModel, FormatError, explicit, why_unreadable
from exactdice.memory import in_pieces
from exactdice.solve.arena import CHANCE, END, MAX, MIN, Arena
from exactdice.solve.game import Model

LEAST_SIZE = 128  # the bits of a rational are a multiple

_SUPPORTED = {"time": ("discrete",), "#players": (0, 1, 2), "#observations": (0,)}
_REWARDS = "annotations/rewards/reward"


def umb_bytes(model: Model[Any] | ExplicitModel) -> bytes:
    """Return the file of a model with chance and alternating moves.

    Equal models give equal files. As in the other formats, payoffs become a move to a state
    labelled ``done``. Rewards are those of the first of two players.
    """
    table = explicit(model, most_players=2)
    rows = [row for listed in table.rows for row in listed]
    chances = [chance for row in rows for chance in row.chances.values()]
    sizes = {"probability": _size(chances), "reward": _size([row.reward for row in rows])}
    names = list(dict.fromkeys(row.action for row in rows))
    encoded = [name.encode() for name in names]
    labels = sorted(label for label in table.labels if label != "init")
    index = {
        "format-version": 1,
        "format-revision": 0,
        "file-data": {"tool": "exactdice", "tool-version": __version__},
        "transition-system": {
            "time": "discrete",
            "#players": table.players,
            **({"player-names": ["first", "second"]} if table.players == 2 else {}),
            "#states": len(table.rows),
            "#initial-states": 1,
            "#choices": len(rows),
            "#choice-actions": len(names),
            "#branches": len(chances),
            "#branch-actions": 0,
            "#observations": 0,
            "branch-probability-type": {"type": "rational", "size": sizes["probability"]},
        },
        "annotations": {
            "rewards": {"reward": _annotation("reward", "choices", "rational", sizes["reward"])},
            "aps": {label: _annotation(label, "states", "bool", 1) for label in labels},
        },
    }
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
    if table.players == 2:
        movers = [int(owner == MIN) for owner in table.arena.owners]
        arrays["state-to-player.bin"] = _whole(movers, 4)
    for label in labels:
        held = [state in table.labels[label] for state in range(len(table.rows))]
        arrays[f"annotations/aps/{label}/states/values.bin"] = _bits(held)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in {"index.json": json.dumps(index, indent=2).encode(), **arrays}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _annotation(alias: str, entity: str, kind: str, size: int) -> dict[str, Any]:
    return {"alias": alias, "applies-to": [entity], "type": {"type": kind, "size": size}}


def _size(numbers: list[mpq]) -> int:
    """Return the number of bits of all rationals of the file, a multiple of 128."""
    most = max(max(abs(x.numerator).bit_length() + 1, x.denominator.bit_length()) for x in numbers)
    return -(-2 * int(most) // LEAST_SIZE) * LEAST_SIZE


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


Wholes = npt.NDArray[np.int64]

# Errors of damaged archives; OverflowError for impossible sizes.
_DAMAGED = (OSError, EOFError, OverflowError, tarfile.TarError, lzma.LZMAError, zlib.error)
_WORD = 40  # bits below which sums of products of 64-bit numbers do not overflow


def read_umb(path: Path | str) -> ExplicitModel:
    return _Archive(path).model()


class _Archive:
    def __init__(self, path: Path | str) -> None:
        self.path = path
        try:
            with Path(path).open("rb") as file:
                unpacked = _unpacked(in_pieces(file))
            self.arrays = _entries(unpacked)
        except _DAMAGED as wrong:
            how = f"cannot be read as a tar archive ({' '.join(str(wrong).split())})"
            if isinstance(wrong, OSError) and wrong.strerror:
                how = why_unreadable(wrong)
            raise FormatError(f"{path}: {how}") from None
        try:
            self.index: dict[str, Any] = json.loads(self.arrays.get("index.json", b""))
            self.system = dict(self.index["transition-system"])
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            raise FormatError(f"{path}: index.json: is missing or wrong ({wrong})") from None

    def model(self) -> ExplicitModel:
        version = self.index.get("format-version")
        if version not in (0, 1):  # umbi writes 0, Storm 1, and both mean the same
            raise self._wrong("index.json", f"format-version {version!r}", "1")
        for name, wanted in _SUPPORTED.items():
            if self.system.get(name) not in wanted:
                raise self._wrong("index.json", f"{name} {self.system.get(name)}", str(wanted))
        states, choices = self._count("#states"), self._count("#choices")
        branches = self._count("#branches")
        if not states <= choices <= branches:  # before lists of these lengths are made
            counts = f"{states} states, {choices} choices and {branches} branches"
            enough = "at least one choice per state, and one branch per choice"
            raise self._wrong("index.json", counts, enough)
        self._array("branch-to-target.bin", 8 * branches)
        of_state = self._offsets("state-to-choices.bin", states, choices, "choice in state")
        of_choice = self._offsets("choice-to-branches.bin", choices, branches, "branch in choice")
        targets = self._whole("branch-to-target.bin", branches, 8, below=states)
        kind = self.system.get("branch-probability-type")
        chances = self._rationals("branch-to-probability.bin", branches, kind)
        rows = _rows_in_words(of_choice, targets, *chances)
        if rows is None:
            rows = self._rows(of_choice, targets, *chances)
        first_target, targets, weights = rows
        rewards, paid = self._rewards(states, choices, of_state)
        labels = self._labels(states)
        if len(labels["init"]) != 1:
            raise self._wrong("state-is-initial.bin", f"{len(labels['init'])} states", "one")
        arena = Arena.listed(
            self._owners(of_state, first_target, targets, np.array(rewards, bool)[paid]),
            of_state, first_target, targets, weights, rewards, paid,
        )  # fmt: skip
        names, initial = self._names(choices), next(iter(labels["init"]))
        return ExplicitModel(arena, names, initial, labels, self.system["#players"])

    def _rows(
        self, of_choice: Wholes, targets: Wholes, numerators: Any, denominators: Any
    ) -> tuple[Wholes, Wholes, Any]:
        """Return the targets of each choice, equal ones joined, and their weights."""
        first, heads, weights = [0], list[int](), list[int]()
        for choice, (start, end) in enumerate(pairwise(of_choice.tolist())):
            fractions = zip(numerators[start:end], denominators[start:end], strict=True)
            parts = [mpq(int(over), int(under)) for over, under in fractions]
            if min(parts) < 0 or sum(parts) != 1:
                got, wanted = f"the probabilities of choice {choice}", "numbers ≥ 0 that sum to 1"
                raise self._wrong("branch-to-probability.bin", got, wanted)
            chances: dict[int, mpq] = {}
            for target, part in zip(targets[start:end].tolist(), parts, strict=True):
                chances[target] = chances.get(target, mpq(0)) + part
            common = lcm(1, *(chance.denominator for chance in chances.values()))
            for target, chance in chances.items():
                if chance:
                    heads.append(target)
                    weights.append(int(chance * common))
            first.append(len(heads))
        return np.array(first), np.array(heads), np.array(weights, object)

    def _owners(self, of_state: Wholes, first_target: Wholes, targets: Wholes, paid: Any) -> Any:
        players, states = self.system["#players"], len(of_state) - 1
        owners = np.full(states, MAX if players else CHANCE, dtype=np.int8)
        if players == 2:
            movers = np.zeros(states, dtype=np.int64)  # if there is no array
            if "state-to-player.bin" in self.arrays:
                movers = self._whole("state-to-player.bin", states, 4, below=2)
            owners[movers == 1] = MIN
        state = np.arange(states).repeat(of_state[1:] - of_state[:-1])
        inside = state.repeat(first_target[1:] - first_target[:-1]) == targets
        stays = np.logical_and.reduceat(inside, first_target[:-1]) & ~paid
        owners[np.logical_and.reduceat(stays, of_state[:-1])] = END
        return owners

    def _wrong(self, name: str, got: str, wanted: str) -> FormatError:
        return FormatError(
            f"{self.path}: {shortened(name)}: got {shortened(got)}; expected {wanted}"
        )

    def _annotated(self, group: str) -> dict[str, dict[str, Any]]:
        annotations = self.index.get("annotations") or {}
        kinds = annotations.get(group) or {} if isinstance(annotations, dict) else annotations
        if not isinstance(kinds, dict) or not all(isinstance(k, dict) for k in kinds.values()):
            raise self._wrong("index.json", f"annotations {group} of another type", "objects")
        return kinds

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
            raise self._wrong(name, f"{len(content)} bytes", f"{size} bytes, from index.json")
        return content

    def _whole(self, name: str, count: int, width: int, *, below: int | None = None) -> Wholes:
        numbers = np.frombuffer(self._array(name, count * width), f"<u{width}")
        most = int(numbers.max())
        if most >= (1 << 62 if below is None else below):
            raise self._wrong(name, str(most), f"numbers below {below or 2**62}")
        return numbers.astype(np.int64)

    def _offsets(self, name: str, count: int, total: int, what: str = "") -> Wholes:
        """Return where the parts of each item begin; one part each if there is no array."""
        if name not in self.arrays and count == total:
            return np.arange(count + 1)
        offsets = self._whole(name, count + 1, 8)
        sizes = offsets[1:] - offsets[:-1]
        if offsets[0] or offsets[-1] != total or sizes.min() < 0:
            raise self._wrong(name, "offsets out of order", f"offsets that rise from 0 to {total}")
        if what and not sizes.all():
            raise self._wrong(name, f"no {what} {sizes.argmin()}", "one")
        return offsets

    def _rationals(self, name: str, count: int, kind: Any) -> tuple[Any, Any]:
        """Return numerators and denominators, as arrays of int64 or of Python's int."""
        is_rational = isinstance(kind, dict) and kind.get("type") == "rational"
        size = kind.get("size", LEAST_SIZE) if is_rational else None
        if type(size) is not int or size % LEAST_SIZE or size < 1:
            raise self._wrong("index.json", f"numbers of type {kind}", "type rational")
        content, half = self._array(name, count * size // 8), size // 16
        if size == LEAST_SIZE:
            numerators, denominators = np.frombuffer(content, "<i8").reshape(-1, 2).T
            signs = denominators <= 0
        if size > LEAST_SIZE or (signs & (denominators != 0)).any():
            starts = range(0, len(content), 2 * half)
            over = [int.from_bytes(content[a : a + half], "little", signed=True) for a in starts]
            under = [int.from_bytes(content[a + half : a + 2 * half], "little") for a in starts]
            numerators, denominators = np.array(over, object), np.array(under, object)
        if (denominators == 0).any():
            raise self._wrong(name, "a denominator 0", "a fraction")
        return numerators, denominators

    def _rewards(self, states: int, choices: int, of_state: Wholes) -> tuple[list[mpq], list[int]]:
        """Return the distinct rewards, and for each choice the number of its total reward."""
        kinds = self._annotated("rewards")
        if len(kinds) > 1:
            raise self._wrong("index.json", f"{len(kinds)} kinds of rewards", "at most one")
        numbers: dict[tuple[int, ...], int] = {}
        rewards, paid = [mpq(0)], [0] * choices
        for name, kind in kinds.items():
            place = f"annotations/rewards/{name}"
            entities = kind.get("applies-to", ())
            entities = entities if isinstance(entities, list) else [entities]
            if len(set(map(str, entities))) < len(entities):
                raise self._wrong("index.json", f"rewards of {entities}", "states and choices once")
            for entity in entities:
                array = f"{place}/{entity}/values.bin"
                if entity == "choices":
                    over, under = self._rationals(array, choices, kind.get("type"))
                elif entity == "states":
                    over, under = self._rationals(array, states, kind.get("type"))
                    sizes = of_state[1:] - of_state[:-1]
                    over, under = over.repeat(sizes), under.repeat(sizes)
                else:
                    raise self._wrong("index.json", f"rewards of {entity}", "states or choices")
                places = np.flatnonzero(over)
                fractions = zip(over[places].tolist(), under[places].tolist(), strict=True)
                for choice, fraction in zip(places.tolist(), fractions, strict=True):
                    key = (paid[choice], *fraction)
                    if key not in numbers:
                        numbers[key] = len(rewards)
                        rewards.append(rewards[paid[choice]] + mpq(*fraction))
                    paid[choice] = numbers[key]
        return rewards, paid

    def _names(self, choices: int) -> list[str]:
        count = self.system.get("#choice-actions")
        if count in (None, 0):
            return [str(choice) for choice in range(choices)]
        count = self._count("#choice-actions")
        values = [0] * choices
        if "actions/choices/values.bin" in self.arrays:
            values = self._whole("actions/choices/values.bin", choices, 4, below=count).tolist()
        strings = self.arrays.get("actions/choices/strings.bin")
        if strings is None:
            return [str(value) for value in values]
        ends = self._offsets("actions/choices/string-mapping.bin", count, len(strings))
        try:
            names = [strings[a:b].decode() for a, b in pairwise(ends.tolist())]
        except UnicodeDecodeError:
            raise self._wrong("actions/choices/strings.bin", "no UTF-8", "UTF-8") from None
        return [names[value] for value in values]

    def _labels(self, states: int) -> dict[str, frozenset[int]]:
        def held(name: str) -> frozenset[int]:
            content = np.frombuffer(self._array(name, -(-states // 64) * 8), np.uint8)
            bits = np.unpackbits(content, bitorder="little")[:states]
            return frozenset(np.flatnonzero(bits).tolist())

        labels = {"init": held("state-is-initial.bin")}
        for name, kind in self._annotated("aps").items():
            array, alias = f"annotations/aps/{name}/states/values.bin", str(kind.get("alias", name))
            states_of = held(array)
            if labels.setdefault(alias, states_of) != states_of:
                wanted = "one set of states per name"
                raise self._wrong(array, f"another set of states named {alias!r}", wanted)
        return labels


def _unpacked(content: bytes) -> bytes:
    if content.startswith(b"\x1f\x8b\x08"):
        opened: Any = gzip.open
    elif content.startswith(b"\xfd7zXZ\x00"):
        opened = lzma.open
    else:
        return content
    with opened(io.BytesIO(content)) as packed:
        return in_pieces(packed)


def _entries(archive: bytes) -> dict[str, bytes]:
    entries = {}
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
        for entry in opened:
            if entry.isdir():
                continue
            content = opened.extractfile(entry) if entry.isfile() else None
            if content is None or entry.issparse():
                raise tarfile.ReadError(f"{entry.name} is not a regular file")
            entries[entry.name.lstrip("./")] = content.read()
    return entries


def _rows_in_words(
    of_choice: Wholes, targets: Wholes, numerators: Any, denominators: Any
) -> tuple[Wholes, Wholes, Any] | None:
    """Do the same as `_Archive._rows` in 64-bit words; None if they could overflow."""
    if numerators.dtype == object:
        return None
    sizes = of_choice[1:] - of_choice[:-1]
    choice = np.arange(len(sizes)).repeat(sizes)
    shared = np.gcd(numerators, denominators)
    over, under = numerators // shared, denominators // shared
    commons = np.lcm.reduceat(under, of_choice[:-1])  # after overflow no longer a multiple
    wide = commons[choice]
    if (commons < 1).any() or (commons >> _WORD).any() or (wide % under).any():
        return None
    if (over < 1).any() or (over > under).any():
        return None
    weights = over * (wide // under)
    if (np.add.reduceat(weights, of_choice[:-1]) != commons).any():
        return None
    several = sizes[choice] > 1
    heads = np.sort(choice[several] * (int(targets.max()) + 1) + targets[several])
    if (heads[1:] == heads[:-1]).any():
        return None
    return of_choice, targets, weights
