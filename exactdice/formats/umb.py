"""UMB, the unified Markov binary format: chains, decision processes and games in rationals.

A file is a tar archive, possibly packed by gzip or xz: ``index.json`` describes it, and
little-endian arrays contain the data. Supported are discrete time; up to two players who move
alternately; probabilities and rewards of type ``rational`` (signed numerator, then denominator,
each half of the size) or ``double``, read as the shortest decimal that denotes it, so that 0.1 is
1/10; rewards of states, choices and branches; atomic propositions of states; names of choices. A
state without choices is terminal. The format's player 0 is the first player, who maximises.
Format, version 1: https://github.com/pmc-tools/umb, spec.md.
"""

import io
import json
import tarfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactdice import __version__
from exactdice.arithmetic import mpq, rational
from exactdice.errors import InputError, shortened
from exactdice.formats.explicit import ExplicitModel, Row, explicit
from exactdice.formats.reading import FormatError, Reading, entries, unpacked
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

_WORD = 40  # bits below which sums of products of 64-bit numbers do not overflow


def read_umb(path: Path | str, how: Reading | None = None) -> ExplicitModel:
    return _Archive(path, how or Reading()).model()


class _Archive:
    def __init__(self, path: Path | str, how: Reading) -> None:
        self.path, self.how, self.arrays = path, how, entries(path, unpacked(path))
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
        if choices > branches:  # before lists of these lengths are made
            counts = f"{choices} choices and {branches} branches"
            raise self._wrong("index.json", counts, "at least one branch per choice")
        self._array("branch-to-target.bin", 8 * branches)
        of_state = self._offsets("state-to-choices.bin", states, choices)
        of_choice = self._offsets("choice-to-branches.bin", choices, branches, "branch in choice")
        targets = self._whole("branch-to-target.bin", branches, 8, below=states)
        kind = self.system.get("branch-probability-type")
        chances = self._rationals("branch-to-probability.bin", branches, kind)
        paid, of_branch = self._rewards(of_state, of_choice)
        names, labels = self._names(choices), self._labels(states)
        initial, players = (self.how.start(self.path, labels, states), self.system["#players"])
        movers = np.zeros(states, dtype=np.int64)  # if there is no array
        if players == 2 and "state-to-player.bin" in self.arrays:
            movers = self._whole("state-to-player.bin", states, 4, below=2)
        weights = _weights_in_words(of_choice, targets, *chances)
        if weights is None or of_branch or not np.diff(of_state).all():
            moves = self._moves(of_choice, targets, _fractions(*chances), of_branch)
            listed = [
                Row.of(name, shares, {to: base + more for to, more in paid_to.items()})
                for name, base, (shares, paid_to) in zip(names, paid, moves, strict=True)
            ]
            rows = [listed[start:end] for start, end in pairwise(of_state.tolist())]
            owners: Any = movers.tolist()
            return ExplicitModel.of_rows(rows, initial, labels, players=players, owners=owners)
        owners = np.where(movers == 1, MIN, MAX if players else CHANCE)
        inside = np.arange(states).repeat(np.diff(of_state)).repeat(np.diff(of_choice)) == targets
        stays = np.logical_and.reduceat(inside, of_choice[:-1]) & ~np.array(paid, bool)
        owners[np.logical_and.reduceat(stays, of_state[:-1])] = END
        numbers = {each: number for number, each in enumerate(dict.fromkeys([mpq(0), *paid]))}
        reward = [numbers[each] for each in paid]
        arena = Arena.listed(owners, of_state, of_choice, targets, weights, numbers, reward)
        return ExplicitModel(arena, names, initial, labels, players)

    def _moves(
        self, of_choice: Wholes, targets: Wholes, chances: list[mpq], paid: list[mpq]
    ) -> Iterator[tuple[dict[int, mpq], dict[int, mpq]]]:
        """Yield probability and expected reward by successor for each choice."""
        wrong = partial(self._wrong, "branch-to-probability.bin")
        for choice, (start, end) in enumerate(pairwise(of_choice.tolist())):
            parts = dict(enumerate(chances[start:end]))
            parts = dict(self.how.distribution(parts, wrong, f"for choice {choice}"))
            shares, sums = dict[int, mpq](), dict[int, mpq]()
            for place, target in enumerate(targets[start:end].tolist()):
                share, reward = parts[place], paid[start + place] if paid else mpq(0)
                if share:
                    shares[target] = shares.get(target, mpq(0)) + share
                    sums[target] = sums.get(target, mpq(0)) + share * reward
            yield shares, {target: sums[target] / share for target, share in shares.items()}

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
        kind = kind if isinstance(kind, dict) else {"type": kind}
        if kind.get("type") == "double":
            doubles = np.frombuffer(self._array(name, count * 8), "<f8").tolist()
            try:
                exact = {each: rational(repr(each)) for each in set(doubles)}
            except InputError as wrong:
                raise self._wrong(name, str(wrong.got), "a number") from None
            parts = [(int(exact[x].numerator), int(exact[x].denominator)) for x in doubles]
            numerators, denominators = np.array(parts, object).reshape(-1, 2).T
            return numerators, denominators
        size = kind.get("size", LEAST_SIZE) if kind.get("type") == "rational" else None
        if type(size) is not int or size % LEAST_SIZE or size < 1:
            wanted = "type rational or double; intervals and parameters are not supported"
            raise self._wrong("index.json", f"numbers of type {kind}", wanted)
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

    def _rewards(self, of_state: Wholes, of_choice: Wholes) -> tuple[list[mpq], list[mpq]]:
        """Return the rewards of choices, and those of branches if there are any."""
        sums, of_branch = [mpq(0)] * (len(of_choice) - 1), list[mpq]()
        kinds = self._annotated("rewards")
        chosen = self.how.structure([str(kind.get("alias", name)) for name, kind in kinds.items()])
        if chosen is None:
            return sums, of_branch
        name, kind = list(kinds.items())[chosen]
        entities = kind.get("applies-to", ())
        entities = entities if isinstance(entities, list) else [entities]
        sizes = {"states": len(of_state) - 1, "choices": len(sums), "branches": int(of_choice[-1])}
        if len(set(map(str, entities))) < len(entities) or not {*map(str, entities)} <= {*sizes}:
            wanted = "states, choices and branches once"
            raise self._wrong("index.json", f"rewards of {entities}", wanted)
        for entity in entities:
            array = f"annotations/rewards/{name}/{entity}/values.bin"
            over, under = self._rationals(array, sizes[entity], kind.get("type"))
            if entity == "branches":
                of_branch = _fractions(over, under)
                continue
            if entity == "states":
                over, under = (each.repeat(np.diff(of_state)) for each in (over, under))
            places = np.flatnonzero(over)
            for choice, paid in zip(
                places.tolist(), _fractions(over[places], under[places]), strict=True
            ):
                sums[choice] += paid
        return sums, of_branch

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


def _fractions(over: Any, under: Any) -> list[mpq]:
    return [mpq(*pair) for pair in zip(over.tolist(), under.tolist(), strict=True)]


def _weights_in_words(
    of_choice: Wholes, targets: Wholes, numerators: Any, denominators: Any
) -> Any:
    """Return the weights of all branches in 64-bit words.

    None if they could overflow, are 0 or do not sum to 1, or if two lead to one state.
    """
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
    return weights
