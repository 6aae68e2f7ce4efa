"""Exact values, optimal play and certificates for dice games.

Every number is a rational number of type `gmpy2.mpq`.

>>> import exactdice as xd
>>> (3 @ xd.d6).probability(10)
mpq(1,8)
>>> xd.ask("risk win 4 2").value("value")
mpq(6610505,10077696)
>>> print(xd.risk.solve(4, 2))
4 total units beat 2 with probability 0.6559539998

Names are loaded at their first use: dice (`d2` to `d100`, `dF`, `d`, `pool`, `mixture`,
`Distribution`; recipes in `exactdice.dice`), `ask` with `Run` for limits, the games `risk`,
`swe`, `reroll`, `farkle` and `fatestones`, and the `book` of famous ones.
"""

TYPE_CHECKING = False  # importing `typing` would take longer than the rest of this module
if TYPE_CHECKING:
    from typing import Any

    from exactdice import book as book
    from exactdice.dice import Distribution, d, mixture, pool
    from exactdice.games import farkle as farkle
    from exactdice.games import fatestones as fatestones
    from exactdice.games import reroll as reroll
    from exactdice.games import risk as risk
    from exactdice.games import swe as swe
    from exactdice.rooms import ask
    from exactdice.run import Run

    d2: Distribution[int]
    d3: Distribution[int]
    d4: Distribution[int]
    d6: Distribution[int]
    d8: Distribution[int]
    d10: Distribution[int]
    d12: Distribution[int]
    d20: Distribution[int]
    d100: Distribution[int]
    dF: Distribution[int]  # noqa: N816 - the usual name of Fudge dice

__version__ = "1.0.0"

_DICE = ("d2", "d3", "d4", "d6", "d8", "d10", "d12", "d20", "d100", "dF")

_HOMES = {
    **dict.fromkeys(("Distribution", "d", "mixture", "pool", *_DICE), "exactdice.dice"),
    "ask": "exactdice.rooms",
    "Run": "exactdice.run",
}

#: The games, each a folder in `exactdice.games`, in the order of lists.
NAMES_OF_GAMES = ("risk", "swe", "reroll", "farkle", "fatestones")

__all__ = ["Distribution", "Run", "ask", "book", "d", "mixture", "pool"]
__all__ += [*NAMES_OF_GAMES, *_DICE]


def __getattr__(name: str) -> "Any":
    import importlib

    if name in NAMES_OF_GAMES:
        value: Any = importlib.import_module(f"exactdice.games.{name}")
    elif name == "book":
        value = importlib.import_module("exactdice.book")
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'exactdice' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
