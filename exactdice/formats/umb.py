r"""UMB, the unified Markov binary format: chains and decision processes with rational numbers.

A file is a tar archive, which gzip or xz may have packed: ``index.json`` says what there is and how
much of it, and arrays in little-endian order hold it. Supported are discrete time and at most two
players, who take turns; probabilities and rewards of type ``rational`` (numerator, signed, then
denominator, each of half the size), rewards of states and choices, atomic propositions of states
and names of choices. Numbers of type ``double`` are refused: 0.1 would not be 1/10. Of two players
the format's player 0 is the first, who wants much, and player 1 the second. Files are written here,
and read by `exactdice.formats.umb_reading`. Format, version 1:
https://github.com/pmc-tools/umb, spec.md.
"""

import io
import json
import tarfile
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from exactdice import __version__
from exactdice.arithmetic import mpq
from exactdice.formats.explicit import ExplicitModel, Row, explicit
from exactdice.solve.arena import MIN
from exactdice.solve.game import Model

#: Bits of a rational, or a divisor of them.
LEAST_SIZE = 128

_REWARDS = "annotations/rewards/reward"


def umb_bytes(model: Model[Any] | ExplicitModel) -> bytes:
    """The file of a model of chance and players who take turns, the same for the same model.

    Payoffs become a move to a state labelled ``done``, as in the other formats. Rewards are those
    of the first of two players.
    """
    table = explicit(model, most_players=2)
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
    if table.players == 2:
        movers = [int(owner == MIN) for owner in table.arena.owners]
        arrays["state-to-player.bin"] = _whole(movers, 4)
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
            "#players": table.players,
            **({"player-names": ["first", "second"]} if table.players == 2 else {}),
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
                label: {
                    "alias": label,
                    "applies-to": ["states"],
                    "type": {"type": "bool", "size": 1},
                }
                for label in _propositions(table)
            },
        },
    }


def _size(numbers: list[mpq]) -> int:
    """Bits of a rational of the file: the same for all, a multiple of 128."""
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
