"""Model files by suffix.

==========  ========================================================================
``.umb``    the unified Markov binary format
``.drn``    Storm's explicit format
``.tra``    PRISM's explicit format, with labels in ``.lab`` and rewards in ``.srew``,
            ``.trew`` or ``.rew`` files of the same name, possibly numbered
``.prism``  a model in PRISM's language (also ``.pm``, ``.nm``), or ``.jani``: built by stormpy
``.nfg``    a matrix game in Gambit's format, zero-sum or with a constant sum
``.efg``    a tree in Gambit's format, with information sets
==========  ========================================================================
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
from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.gambit import efg_lines, nfg_lines, read_nfg
from exactdice.formats.reading import FormatError, Reading, read_text
from exactdice.formats.umb import read_umb, umb_bytes
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.turns import Both, End
from exactdice.storage import check_writable, write_whole

__all__ = ["to_stormpy"]

EXPLICIT = (".umb", ".drn", ".tra")


def ending(path: Path) -> str:
    """Return the suffix of a file to read: .drn for game.drn.gz and game.drn.xz."""
    packed = re.search(r"(\.(?:drn|nfg|efg))\.[gx]z$", path.name)
    return packed[1] if packed else path.suffix


def check_ending(path: Path, endings: Iterable[str], name: str, suffix: str = "") -> None:
    if (suffix or path.suffix) not in endings:
        raise InputError(name, str(path), f"a name that ends in {', '.join(endings)}")


def read_model(path: Path, how: Reading | None = None) -> ExplicitModel | Game[str]:
    check_ending(path, READ, "file", ending(path))
    return _READERS[ending(path)](path, how or Reading())


def _with_rewards(path: Path, how: Reading) -> ExplicitModel:
    """Read a .tra file with its labels and rewards, as in p.srew, p1.trew or p.steps.trans.rew."""
    found: dict[str, list[Path]] = {}
    for file in sorted(path.parent.glob(f"{glob.escape(path.stem)}*rew")):
        form = _REWARDS.fullmatch(file.name.removeprefix(path.stem))
        if form and not (form[1] and path.with_name(f"{path.stem}{form[1]}.tra").exists()):
            named = re.search(r'^# Reward structure "(\w+)"', read_text(file), re.MULTILINE)
            name = named[1] if named else form[1] or form[2] or "reward"
            found.setdefault(name, []).append(file)
    chosen = how.structure(list(found))
    rewards = [] if chosen is None else list(found.values())[chosen]
    if len({".srew" in file.name or ".state." in file.name for file in rewards}) < len(rewards):
        several = ", ".join(map(str, rewards))
        raise FormatError(f"{several}: got {len(rewards)} files of one kind; expected one")
    labels = path.with_suffix(".lab")
    return read_prism(path, labels if labels.exists() else None, rewards, how)


def _built(path: Path, how: Reading) -> ExplicitModel:
    """Read a model in PRISM's language or JANI, which Storm builds without rounding."""
    if not path.exists():
        raise FormatError(f"{path}: file not found")
    try:
        import stormpy
        from stormpy.io import export_to_drn
    except ImportError as problem:
        missing = MissingExtraError.of(str(path), "stormpy", "storm")
        kind, made = "jani" if path.suffix == ".jani" else "prism", path.with_suffix(".drn")
        storm = f"storm --{kind} {path} --exact --buildfull --exportbuild {made}"
        raise MissingExtraError(f"{missing}; or run: {storm}, and give {made}") from problem
    with TemporaryDirectory() as folder:
        drn = Path(folder, "model.drn")
        try:
            if path.suffix == ".jani":
                rules, _ = stormpy.parse_jani_model(str(path))
            else:
                rules = stormpy.parse_prism_program(str(path))
            export_to_drn(stormpy.build_model[stormpy.Rational](rules), str(drn))
            return read_drn(drn, how)
        except (RuntimeError, stormpy.exceptions.StormError, FormatError) as wrong:
            said = " ".join(str(wrong).replace(str(drn), "its model").split())
            raise FormatError(f"{path}: Storm: {said}") from None


_REWARDS = re.compile(r"([0-9]*)\.[st]?rew|(?:\.(\w+))?\.(?:state|trans)\.rew")
_READERS: dict[str, Callable[[Path, Reading], ExplicitModel | Game[str]]] = {
    ".umb": read_umb, ".drn": read_drn, ".tra": _with_rewards, ".nfg": read_nfg,
    **dict.fromkeys((".prism", ".pm", ".nm", ".jani"), _built),
}  # fmt: skip
READ = tuple(_READERS)
SOLVED = (*READ, ".efg")


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
    made: dict[str, Callable[[ExplicitModel], Iterable[str]]] = {".drn": drn_lines}
    if path.suffix == ".tra":
        made = {".lab": label_lines, ".trew": reward_lines, ".tra": transition_lines}
    return _write({path.with_suffix(each): _whole(lines(model)) for each, lines in made.items()})


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
        raise MissingExtraError.of("to_stormpy", "stormpy", "storm") from problem
    options = UmbImportOptions()
    options.build_state_valuations = False
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.umb")
        write_model(explicit(as_model(model, run), labels), path)
        return build_model_from_umb(str(path), options=options)
