"""Model files by suffix.

========  ==========================================================================
``.umb``  the unified Markov binary format
``.drn``  Storm's explicit format
``.tra``  PRISM's explicit format, with labels in ``.lab`` and rewards of transitions
          in ``.trew`` or ``.rew`` of the same name
``.nfg``  a zero-sum matrix game in Gambit's format
``.efg``  a zero-sum tree in Gambit's format, with information sets
========  ==========================================================================
"""

import glob
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exactdice.arithmetic import RationalLike
from exactdice.errors import InputError, MissingExtraError
from exactdice.formats.checkers import (
    drn_lines,
    label_lines,
    read_drn,
    read_prism,
    reward_lines,
    transition_lines,
)
from exactdice.formats.explicit import ExplicitModel, FormatError, explicit
from exactdice.formats.gambit import efg_lines, nfg_lines, read_nfg
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.turns import Both, End
from exactdice.storage import check_writable, write_whole

__all__ = ["to_stormpy"]


EXPLICIT = (".umb", ".drn", ".tra")
_BY_STORM = (".prism", ".pm", ".nm", ".sm", ".jani", ".pctl", ".props")  # symbolic languages
READ = (*EXPLICIT, ".nfg")
SOLVED = (*READ, ".efg")


def check_ending(path: Path, endings: Iterable[str], name: str) -> None:
    if path.suffix in _BY_STORM:
        kind = "jani" if path.suffix == ".jani" else "prism"
        raise InputError(
            name,
            str(path),
            f"an explicit model, made by storm --{kind} FILE --exact --buildfull "
            "--exportbuild game.drn",
        )
    if path.suffix not in endings:
        raise InputError(name, str(path), f"a name that ends in {', '.join(endings)}")


def read_model(path: Path, *, rewards: bool = True) -> ExplicitModel | Game[str]:
    """Read a model; without `rewards`, reward files of a .tra file are ignored."""
    check_ending(path, READ, "file")
    if path.suffix == ".umb":
        return read_umb(path)
    if path.suffix == ".drn":
        return read_drn(path)
    if path.suffix == ".nfg":
        return read_nfg(path)
    labels = path.with_suffix(".lab")
    paid = _reward_file(path) if rewards else None
    return read_prism(path, labels if labels.exists() else None, paid)


def _reward_file(path: Path) -> Path | None:
    """Return the reward file of a .tra file; PRISM numbers them: p1.srew, p2.srew for p.tra."""
    files = [
        file
        for file in sorted(path.parent.glob(f"{glob.escape(path.stem)}*"))
        if file.suffix in (".rew", ".trew", ".srew")
        and re.fullmatch("[0-9]*", file.stem.removeprefix(path.stem))
        and (file.stem == path.stem or not file.with_suffix(".tra").exists())
    ]
    if of_states := [file for file in files if file.suffix == ".srew"]:
        files, wrong = of_states, "rewards of states are not supported"
    elif len(files) > 1 or any(file.stem != path.stem for file in files):
        wrong = "got numbered or several files of rewards"
    else:
        return files[0] if files else None
    raise FormatError(
        f"{', '.join(map(str, files))}: {wrong}; expected rewards of transitions in one file, "
        f"{path.stem}.trew, or a query max reach LABEL"
    )


def write_model(
    model: ExplicitModel | Game[str], path: Path, run: Run = DEFAULT
) -> tuple[Path, ...]:
    """Write a model into a file, or into three in PRISM's format; raises OutputError."""
    if path.suffix == ".nfg":
        return write_matrix(_matrix(model), path)
    if path.suffix == ".efg":
        game = model.game() if isinstance(model, ExplicitModel) else model
        tree: Model[int] | Model[str] = game.explored(run)
        return _write({path: _whole(efg_lines(tree, path.stem))})
    check_ending(path, EXPLICIT, "target")
    if not isinstance(model, ExplicitModel):
        raise InputError("target", str(path), "a name that ends in .nfg, .efg for a matrix game")
    if path.suffix == ".umb":
        return _write({path: umb_bytes(model)})
    if path.suffix == ".drn":
        return _write({path: _whole(drn_lines(model))})
    return _write(
        {
            path.with_suffix(".lab"): _whole(label_lines(model)),
            path.with_suffix(".trew"): _whole(reward_lines(model)),
            path: _whole(transition_lines(model)),
        }
    )


def write_matrix(payoff: Iterable[Iterable[RationalLike]], path: Path) -> tuple[Path, ...]:
    check_ending(path, (".nfg",), "target")
    return _write({path: _whole(nfg_lines([list(row) for row in payoff], path.stem))})


def _matrix(model: ExplicitModel | Game[str]) -> list[list[RationalLike]]:
    turn = None if isinstance(model, ExplicitModel) else model.moves(model.initial)
    if not isinstance(turn, Both):
        raise InputError("target", ".nfg", "another format for a game that is not a matrix")
    outcomes = turn.outcomes
    return [
        [paid.payoff for j in turn.columns if isinstance(paid := outcomes[i, j], End)]
        for i in turn.rows
    ]


def _whole(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _write(files: dict[Path, str | bytes]) -> tuple[Path, ...]:
    for path in files:
        check_writable(path)
    for path, content in files.items():
        write_whole(path, content)
    return tuple(files)


def to_stormpy(
    model: Model[Any] | Game[Any],
    labels: Mapping[str, Callable[[Any], bool]] | None = None,
    run: Run = DEFAULT,
) -> Any:
    """Convert a model of chance, or with one player, to a model of Storm.

    `model` is a model or a game, which is explored. `labels` are functions of a state by label:
    whether the state has it; ``done`` labels the state in which play has ended. `run` is as in
    `optimum`. The result, a ``SparseExactDtmc`` or ``SparseExactMdp``, is for
    ``stormpy.model_checking``; rewards are named ``reward``. Raises MissingExtraError if stormpy is
    not installed, and InputError if there are two players.
    """
    try:
        from stormpy import build_model_from_umb
        from stormpy.developer.storage import UmbImportOptions
    except ImportError as problem:
        raise MissingExtraError.of("to_stormpy", "stormpy", "exchange") from problem
    options = UmbImportOptions()
    options.build_state_valuations = False
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.umb")
        write_model(explicit(as_model(model, run), labels), path)
        return build_model_from_umb(str(path), options=options)
