"""Files of models by the endings of their names.

========  ==================================================================================
``.umb``  the unified Markov binary format
``.drn``  Storm's explicit format
``.tra``  PRISM's explicit format; labels lie beside it under the same name with ``.lab``,
          rewards of transitions with ``.trew`` or ``.rew``
``.nfg``  a zero-sum matrix game in Gambit's format
``.efg``  a tree in Gambit's format; written only
========  ==================================================================================
"""

from collections.abc import Iterable
from pathlib import Path

from exactdice.arithmetic import RationalLike
from exactdice.errors import InputError
from exactdice.models.formats.drn import drn_lines, read_drn
from exactdice.models.formats.explicit import ExplicitModel, FormatError
from exactdice.models.formats.gambit import efg_lines, nfg_lines, read_nfg
from exactdice.models.formats.prism import (
    label_lines,
    read_prism,
    reward_lines,
    transition_lines,
)
from exactdice.models.formats.umb import umb_bytes
from exactdice.models.formats.umb_reading import read_umb
from exactdice.models.game import Game, Model
from exactdice.models.turns import Both, End
from exactdice.run import DEFAULT, Run
from exactdice.storage import check_writable, write_whole

__all__ = ["EXPLICIT", "READ", "check_ending", "read_model", "write_matrix", "write_model"]

#: Endings of files that hold chains and processes.
EXPLICIT = (".umb", ".drn", ".tra")
#: Endings of files that are read.
READ = (*EXPLICIT, ".nfg")


def check_ending(path: Path, endings: Iterable[str], name: str) -> None:
    """Refuse a file whose name has another ending.

    Raises
    ------
    InputError
        Naming the endings.
    """
    if path.suffix not in endings:
        raise InputError(name, str(path), f"a name that ends in {', '.join(endings)}")


def read_model(path: Path) -> ExplicitModel | Game[str]:
    """Read a file: a chain or process, or a matrix game.

    Raises
    ------
    InputError
        If its name has another ending.
    FormatError
        If it does not hold what its format asks for.
    """
    check_ending(path, READ, "file")
    if path.suffix == ".umb":
        return read_umb(path)
    if path.suffix == ".drn":
        return read_drn(path)
    if path.suffix == ".nfg":
        return read_nfg(path)
    beside = {ending: path.with_suffix(ending) for ending in (".lab", ".rew", ".trew", ".srew")}
    found = {ending: file for ending, file in beside.items() if file.exists()}
    if ".srew" in found:
        raise FormatError(
            f"{found['.srew']}: rewards of states are not read; give rewards of transitions"
        )
    if ".rew" in found and ".trew" in found:
        raise FormatError(f"{found['.rew']}: lies beside a .trew file; leave one of them")
    return read_prism(path, found.get(".lab"), found.get(".trew") or found.get(".rew"))


def write_model(
    model: ExplicitModel | Game[str], path: Path, run: Run = DEFAULT
) -> tuple[Path, ...]:
    """Write a model into a file, or into three in PRISM's format.

    Parameters
    ----------
    model
        A chain or process, or a game, which goes into Gambit's formats.
    path
        Its ending says which format.
    run
        Limits the memory that a game takes to be explored.

    Returns
    -------
    tuple of Path
        The files, each written whole; the one named comes last.

    Raises
    ------
    InputError
        If the format does not hold such a model.
    OutputError
        If a file cannot be written.
    """
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
    """Write a zero-sum matrix game into a .nfg file."""
    check_ending(path, (".nfg",), "target")
    return _write({path: _whole(nfg_lines([list(row) for row in payoff], path.stem))})


def _matrix(model: ExplicitModel | Game[str]) -> list[list[RationalLike]]:
    turn = None if isinstance(model, ExplicitModel) else model.moves(model.initial)
    if not isinstance(turn, Both):
        raise InputError("target", ".nfg", "another format for a game that is no matrix")
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
