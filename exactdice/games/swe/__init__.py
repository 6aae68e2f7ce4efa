"""The software-engineering game: revenue dice fail, legacy dice wait to be fixed."""

from exactdice.games.swe.rules import (
    STANDARD,
    WITH_D10,
    Action,
    Kind,
    Ladder,
    State,
    act,
    check_state,
    empty_table,
    legal_actions,
    outcomes,
    roll,
    weight,
)

__all__ = [
    "STANDARD",
    "WITH_D10",
    "Action",
    "Kind",
    "Ladder",
    "State",
    "act",
    "check_state",
    "empty_table",
    "legal_actions",
    "outcomes",
    "roll",
    "weight",
]
