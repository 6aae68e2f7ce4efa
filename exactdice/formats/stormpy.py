"""Models for Storm's Python interface: temporal logic, and pictures of the state space.

A model is handed over as a file of UMB in a temporary folder, in rationals; see
`exactdice.formats.explicit` for what its states and labels are.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exactdice.errors import MissingExtraError
from exactdice.formats.explicit import explicit
from exactdice.formats.files import write_model
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game, Model, as_model

__all__ = ["to_stormpy"]


def to_stormpy(
    model: Model[Any] | Game[Any],
    labels: Mapping[str, Callable[[Any], bool]] | None = None,
    run: Run = DEFAULT,
) -> Any:
    """Give a model of chance, and of one player, to Storm.

    Parameters
    ----------
    model
        A model, or a game, which is explored.
    labels
        Names of sets of states, each with what tells of a state whether it is one; ``done`` is
        where all has been paid.
    run
        As in `optimum`.

    Returns
    -------
    stormpy.SparseExactDtmc or stormpy.SparseExactMdp
        For ``stormpy.model_checking``; rewards are named ``reward``, and are costs there.

    Raises
    ------
    MissingExtraError
        If stormpy is not installed.
    InputError
        If there are two players.
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
