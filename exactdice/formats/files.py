"""Files of models by the endings of their names.

========  ==================================================================================
``.umb``  the unified Markov binary format
``.drn``  Storm's explicit format
``.tra``  PRISM's explicit format; labels lie beside it under the same name with ``.lab``,
          rewards of transitions with ``.trew`` or ``.rew``
``.nfg``  a zero-sum matrix game in Gambit's format
``.efg``  a zero-sum tree in Gambit's format; read with what the players know
========  ==================================================================================
"""

import glob
import re
from collections.abc import Iterable
from pathlib import Path

from exactdice.arithmetic import RationalLike
from exactdice.errors import InputError
from exactdice.formats.explicit import ExplicitModel, FormatError
from exactdice.formats.gambit import nfg_lines, read_nfg
from exactdice.formats.gambit_trees import efg_lines
from exactdice.formats.prism import (
    drn_lines,
    label_lines,
    read_drn,
    read_prism,
    reward_lines,
    transition_lines,
)
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model
from exactdice.solve.turns import Both, End
from exactdice.storage import check_writable, write_whole

#: Endings of files that hold chains and processes.
EXPLICIT = (".umb", ".drn", ".tra")
# Languages of programs that stand for models, which are not read.
_BY_STORM = (".prism", ".pm", ".nm", ".sm", ".jani", ".pctl", ".props")
#: Endings of files that are read.
READ = (*EXPLICIT, ".nfg")
#: Endings of files that can be solved.
SOLVED = (*READ, ".efg")


def check_ending(path: Path, endings: Iterable[str], name: str) -> None:
    """Refuse a file whose name has another ending."""
    if path.suffix in _BY_STORM:
        kind = "jani" if path.suffix == ".jani" else "prism"
        raise InputError(
            name,
            str(path),
            f"a file that Storm makes of it: storm --{kind} FILE --exact --buildfull "
            "--exportbuild game.drn",
        )
    if path.suffix not in endings:
        raise InputError(name, str(path), f"a name that ends in {', '.join(endings)}")


def read_model(path: Path, *, rewards: bool = True) -> ExplicitModel | Game[str]:
    """Read a file: a chain or process, or a matrix game.

    Without `rewards`, which reachability does not need, files of rewards beside a .tra file are not
    read. Raises FormatError if it does not hold what its format asks for.
    """
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
    """The file of rewards beside a .tra file.

    PRISM numbers the files of several reward structures: p1.srew and p2.srew beside p.tra.
    """
    files = [
        file
        for file in sorted(path.parent.glob(f"{glob.escape(path.stem)}*"))
        if file.suffix in (".rew", ".trew", ".srew")
        and re.fullmatch("[0-9]*", file.stem.removeprefix(path.stem))
        and (file.stem == path.stem or not file.with_suffix(".tra").exists())
    ]
    if of_states := [file for file in files if file.suffix == ".srew"]:
        files, wrong = of_states, "rewards of states are not read"
    elif len(files) > 1 or any(file.stem != path.stem for file in files):
        wrong = "got numbered or several files of rewards"
    else:
        return files[0] if files else None
    raise FormatError(
        f"{', '.join(map(str, files))}: {wrong}; give rewards of transitions in one file, "
        f"{path.stem}.trew, or query max reach LABEL"
    )


def write_model(
    model: ExplicitModel | Game[str], path: Path, run: Run = DEFAULT
) -> tuple[Path, ...]:
    """Write a model into a file, or into three in PRISM's format.

    Raises OutputError if a file cannot be written.
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
