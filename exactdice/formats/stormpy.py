"""Models for Storm's Python interface: temporal logic, and pictures of the state space.

The model is passed to Storm as a UMB file with rational numbers. `exactdice.formats.explicit`
describes its states and labels.
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
